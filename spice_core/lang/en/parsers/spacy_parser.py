"""English parsers based on spaCy pipelines that the user has installed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from spice_core.data.items import check_caption
from spice_core.errors import Message, MissingResourceError, not_installed_error
from spice_core.lang.spacy_models import Pipeline, convert_loading_errors, package_folder, read_metadata, use_fast_cpu
from spice_core.syntax.document import Dependency, Document, Sentence, Token

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language


class SpacyParser(Pipeline):
    """Parser of captions with a spaCy pipeline that yields Penn tags and UD or ClearNLP-style dependencies."""

    @cached_property
    def _has_clear_labels(self) -> bool:
        return is_clear_style(self._nlp)

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """Yield a document for each caption, with normalised white space."""
        return self._documents(" ".join(check_caption(caption, "caption").split()) for caption in captions)

    def _to_document(self, doc: Doc) -> Document:
        sentences = tuple(self._to_sentence(list(span)) for span in doc.sents) if len(doc) else ()
        return Document(doc.text, sentences)

    def _to_sentence(self, words: list[SpacyToken]) -> Sentence:
        offset = words[0].i - 1
        tokens = tuple(Token(w.i - offset, w.text, w.lemma_.lower(), w.tag_, w.idx, w.idx + len(w)) for w in words)
        basic = tuple(
            Dependency(0, w.i - offset, "root") if w.head is w or w.head.i == w.i else Dependency(w.head.i - offset, w.i - offset, w.dep_)
            for w in words
        )
        return Sentence(tokens, to_universal(tokens, basic) if self._has_clear_labels else basic)


def installed_parser(name: str) -> SpacyParser:
    """Return the parser ``spacy:NAME`` with an installed spaCy pipeline or a pipeline in a folder.

    The pipeline must have UD labels, or the labels of ``en_core_web_*``, which the parser converts to UD. Raises
    MissingResourceError with the command that installs the pipeline if it is missing.
    """
    folder = Path(name) if os.path.isdir(name) else package_folder(name)
    if not folder:
        raise MissingResourceError(Message("error.spacy_not_installed", name=name))
    metadata = read_metadata(folder)
    return SpacyParser(partial(_load_pipeline, name), f"spacy-{metadata['lang']}_{metadata['name']}-{metadata['version']}")


def _load_pipeline(name: str) -> Language:
    try:
        import spacy
    except ImportError:
        raise not_installed_error("spaCy", 'pip install ".[spacy]"') from None
    with use_fast_cpu(), convert_loading_errors(name):
        return spacy.load(name, exclude=["ner"])


_UNIVERSAL_LABELS = {
    "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass", "dobj": "obj", "dative": "iobj",
    "poss": "nmod:poss", "prt": "compound:prt", "relcl": "acl:relcl", "nn": "compound", "npadvmod": "obl:npmod",
    "neg": "advmod", "predet": "det:predet", "preconj": "cc:preconj", "quantmod": "advmod", "oprd": "xcomp",
    "pcomp": "advcl", "intj": "discourse", "meta": "dep", "attr": "xcomp", "acomp": "xcomp",
}  # fmt: skip
_PREPOSITION_LABELS = ("prep", "agent", "dative")


def is_clear_style(nlp: Language) -> bool:
    """Return whether the pipeline's parser uses ClearNLP-style labels."""
    return "parser" in nlp.pipe_names and "pobj" in nlp.pipe_labels["parser"]


def to_universal(tokens: tuple[Token, ...], edges: tuple[Dependency, ...]) -> tuple[Dependency, ...]:
    """Return a ClearNLP-style tree (the labels of spaCy's en_core_web pipelines) with UD v2 labels and heads.

    Most labels are renamed. Others change the tree:

    label                     UD v2
    dative                    iobj, or obl with its own object
    prep + pobj, agent + pobj nmod or obl, with the preposition as case (agent: obl)
    attr, acomp under "be"    the word itself becomes the head, "be" its cop
    cc                        attached to the next conjunct
    """
    edge_by_word = {e.dependent: e for e in edges}
    _convert_conjunctions(edge_by_word)
    for edge in edges:
        if edge.relation == "pobj" and edge_by_word[edge.head].relation in _PREPOSITION_LABELS:
            governor = edge_by_word[edge.head].head
            base = "obl" if governor and tokens[governor - 1].tag[:1] in "VJR" else "nmod"
            edge_by_word[edge.dependent] = Dependency(governor, edge.dependent, base)
            edge_by_word[edge.head] = Dependency(edge.dependent, edge.head, "case")
    for edge in edges:
        if edge.relation in ("attr", "acomp") and tokens[edge.head - 1].lemma == "be":
            _convert_copula(edge_by_word, edge.head, edge.dependent)
    return tuple(e._replace(relation=_UNIVERSAL_LABELS.get(e.relation, e.relation)) for _, e in sorted(edge_by_word.items()))


def _convert_conjunctions(edge_by_word: dict[int, Dependency]) -> None:
    for edge in list(edge_by_word.values()):
        if edge.relation == "cc":
            later_conjuncts = [
                c.dependent for c in edge_by_word.values() if c.relation == "conj" and c.head == edge.head and c.dependent > edge.dependent
            ]
            edge_by_word[edge.dependent] = edge._replace(head=min(later_conjuncts, default=edge.head))


def _convert_copula(edge_by_word: dict[int, Dependency], verb: int, predicate: int) -> None:
    """Make the predicate the head in place of the verb, move the verb's dependents to the predicate, and make the verb its copula."""
    for edge in list(edge_by_word.values()):
        if edge.head == verb and edge.dependent != predicate:
            edge_by_word[edge.dependent] = edge._replace(head=predicate)
    edge_by_word[predicate] = edge_by_word[verb]._replace(dependent=predicate)
    edge_by_word[verb] = Dependency(predicate, verb, "cop")
