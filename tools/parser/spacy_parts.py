"""Parts of the pipeline ``spice-2016``: its embedding, its tokenizer, and the reranking of tags by the tree.

The embedding has spaCy's hashed features, plus the writing style of the caption. The original SPICE's parser reads "a man riding a horse"
differently with a full stop at its end and a capital at its beginning. A convolution does not reach that far, so every token contains this
information. The Penn-Treebank-like tokenizer splits contractions, but not hyphenated words and "and/or".

Tagger and parser decide independently, so they may disagree: a noun tag on "standing" under ``acl`` is rare in the training trees. The
reranker weights the tagger's scores by how often a tag occurs with a relation.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy
from spacy.attrs import intify_attr
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex, registry
from thinc.api import HashEmbed, Maxout, Model, chain, concatenate, list2ragged, ragged2list, with_array
from thinc.types import Floats2d, Ints2d

if TYPE_CHECKING:
    from spacy.pipeline import Tagger


@registry.architectures("spice_core.CaptionEmbed.v1")
def caption_embed(width: int, attrs: list[str], rows: list[int], style_rows: int = 50) -> Model[list[Doc], list[Floats2d]]:
    """Return spaCy's MultiHashEmbed without vectors, with a column added for the caption's style (end mark, capital)."""
    columns = [(rows_, i) for i, rows_ in enumerate([*rows, style_rows])]
    embeddings: list[Model[Ints2d, Floats2d]] = [HashEmbed(width, rows_, column=i, seed=7 + i, dropout=0.0) for rows_, i in columns]
    mix = Maxout(width, width * len(columns), nP=3, dropout=0.0, normalize=True)
    return chain(_feature_model(attrs), list2ragged(), with_array(concatenate(*embeddings)), with_array(mix), ragged2list())


def caption_style(doc: Doc) -> int:
    """Return the style of the caption: bit 0 is set if the caption ends with an end mark, bit 1 if it begins with a capital."""
    return (doc[-1].text[-1] in ".!?") + 2 * doc[0].text[0].isupper() if len(doc) else 0


def _feature_model(attrs: list[str]) -> Model[list[Doc], list[Ints2d]]:
    return Model("caption_features", _forward, attrs={"columns": [intify_attr(a) for a in attrs]})


def _forward(
    model: Model[list[Doc], list[Ints2d]], docs: list[Doc], is_train: bool
) -> tuple[list[Ints2d], Callable[[list[Ints2d]], list[Doc]]]:
    columns = model.attrs["columns"]
    vectors_out = []
    for doc in docs:
        features = doc.to_array(columns).reshape(len(doc), len(columns))
        styles = numpy.full((len(doc), 1), caption_style(doc), "uint64")
        vectors_out.append(cast(Ints2d, numpy.hstack([features, styles])))
    return vectors_out, lambda gradients: []


# spaCy's own infixes also split at hyphens, slashes and full stops between letters; the Penn Treebank does not.
_INFIXES = [r"--+", r"\.\.\.+", r"…", r"[—–]", r"(?<=[A-Za-z])[,;:!?](?=[A-Za-z])", r"[\"“”()\[\]{}]"]
# A pair of backquotes is a token, and so is a final slash or full stop.
_SUFFIXES = [r"``", r"/$", r"\.$"]
_PREFIXES = "``|"
METHOD_BY_TABLE = {
    "prefix": "prefix_search",
    "suffix": "suffix_search",
    "infix": "infix_finditer",
}  # names of the methods of spaCy's tokenizer
_ABBREVIATIONS = ("t.v.", "T.V.", "D.V.D.", "w/", "approx.", "ft.", "in-between")


@registry.tokenizers("spice_core.penn_treebank")
def penn_treebank_tokenizer() -> Callable[[Language], Tokenizer]:
    """Return a function that creates spaCy's English tokenizer, adapted to the Penn Treebank. spaCy configurations use it by name."""

    def make_tokenizer(nlp: Language) -> Tokenizer:
        defaults = nlp.Defaults
        rules = {word: parts for word, parts in defaults.tokenizer_exceptions.items() if _is_penn_exception(word, parts)}
        rules |= {word: [{ORTH: word}] for word in _ABBREVIATIONS}
        return Tokenizer(
            nlp.vocab,
            rules=rules,
            prefix_search=compile_prefix_regex([_PREFIXES.rstrip("|"), *(defaults.prefixes or ())]).search,
            suffix_search=compile_suffix_regex([*(defaults.suffixes or ()), *_SUFFIXES]).search,
            infix_finditer=compile_infix_regex(_INFIXES).finditer,
        )

    return make_tokenizer


def _is_penn_exception(word: str, parts: Sequence[Mapping[int, str]]) -> bool:
    """Return whether to keep an exception. Split words need an apostrophe ("don't", not "dont"), except "cannot", "gonna" and the like."""
    return len(parts) == 1 or "'" in word or "’" in word or word.lower() in ("cannot", "gonna", "wanna", "gotta")


COMPONENT_NAME = "tag_agreement"
EVIDENCE_WEIGHT = 0.5  # weight of the relation's evidence relative to the tagger's; chosen on held-out captions of the training images
_ADDED_COUNT = 0.5


@Language.factory(COMPONENT_NAME)
class TagReranker:
    """A pipe after tagger and parser that reranks each tag, given the relation of its token."""

    def __init__(self, nlp: Language, name: str):
        self._tagger: Tagger = nlp.get_pipe("tagger")
        self.evidence: dict[str, numpy.ndarray] = {}

    def learn(self, docs: Iterable[Doc]) -> None:
        """Learn the evidence from training trees: log ratio of a tag's probability under a relation to its overall probability."""
        labels = self._tagger.labels
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for doc in docs:
            for token in doc:
                counts[token.dep_][token.tag_] += 1
        overall_shares = _log_shares(sum(counts.values(), Counter()), labels)
        self.evidence = {relation: _log_shares(c, labels) - overall_shares for relation, c in counts.items()}

    def __call__(self, doc: Doc) -> Doc:
        if len(doc):
            (log_probabilities,) = self._tagger.model.predict([doc])  # log-probabilities up to a constant
            labels = self._tagger.labels
            for token, row in zip(doc, log_probabilities):
                token.tag_ = labels[int((row + EVIDENCE_WEIGHT * self.evidence.get(token.dep_, 0.0)).argmax())]
        return doc

    def to_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the evidence as JSON."""
        rows = {relation: [round(float(x), 3) for x in values] for relation, values in sorted(self.evidence.items())}
        Path(path).write_text(json.dumps(rows) + "\n", encoding="utf-8")

    def from_disk(self, path: Path, *, exclude: Iterable[str] = ()) -> TagReranker:
        """Read the evidence."""
        rows = json.loads(Path(path).read_text(encoding="utf-8"))
        self.evidence = {relation: numpy.array(values) for relation, values in rows.items()}
        return self


def _log_shares(counts: Counter[str], labels: tuple[str, ...]) -> numpy.ndarray:
    smoothed_counts = numpy.array([counts[label] + _ADDED_COUNT for label in labels])
    shares: numpy.ndarray = numpy.log(smoothed_counts / smoothed_counts.sum())
    return shares
