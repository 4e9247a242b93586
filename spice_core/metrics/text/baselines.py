"""Text metrics: BLEU, ROUGE-L, METEOR, CIDEr-D and chrF, as pycocoevalcap computes them.

By libraries (``spice_core[baselines]``: sacrebleu, rouge-score, NLTK), imported at first use; CIDEr-D, which no small
library offers, in ``spice_core.metrics.text.cider``. No Java: METEOR takes its synonyms from the bundled WordNet and has no paraphrase
table. Captions are lists of tokens from ``tokens``; all scores are 0–1, CIDEr-D 0–10.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any, NamedTuple

from spice_core.errors import MissingResourceError, UnknownNameError
from spice_core.metrics.text.cider import cider_d
from spice_core.metrics.text.meteor import meteor
from spice_core.scene.synonyms import Synonyms
from spice_core.version import __version__

INSTALL = "pip install spice_core[baselines]"
BETA = 1.2  # weight of recall in pycocoevalcap's ROUGE-L
_MARKS = frozenset("'' ' `` ` -LRB- -RRB- -LCB- -RCB- ( ) { } [ ] . ? ! , : ; - -- ... … \" “ ” ’ ‘ 。 、 ！ ？ 「 」 （ ） ・".split())
_LIBRARIES = {"BLEU": "sacrebleu", "chrF": "sacrebleu", "ROUGE": "rouge-score", "METEOR": "nltk"}
_TINY = 1e-15  # pycocoevalcap's value for no match
Tokens = list[str]


class Pair(NamedTuple):
    """Tokens of a candidate and of its references."""

    candidate: Tokens
    references: tuple[Tokens, ...]


def tokens(captions: Iterable[str], lang: str = "en") -> list[Tokens]:
    """Lower-case tokens without punctuation: close to the Penn Treebank's for English, Sudachi's for Japanese."""
    split = _sudachi() if lang == "ja" else _penn_treebank()
    return [[w for w in split(" ".join(caption.split())) if w and w not in _MARKS] for caption in captions]


def signature(names: Iterable[str], lang: str = "en") -> str:
    """Every choice that moves the figures of these metrics: what cuts words, METEOR's synonyms, the libraries with their versions."""
    names = list(names)
    parts = {"lang": lang, "tokens": f"sudachidict-{version('SudachiDict-core')}" if lang == "ja" else "penn"}
    if "METEOR" in names:
        parts["synonyms"] = _synonyms(lang).signature
    parts |= {library: version(library) for start, library in _LIBRARIES.items() if any(name.startswith(start) for name in names)}
    return "|".join(["baselines", *(f"{key}:{value}" for key, value in parts.items()), f"version:{__version__}"])


def pairs(items: Iterable[tuple[str, Sequence[str]]], lang: str = "en") -> list[Pair]:
    """Tokenise candidates and references, each distinct caption once."""
    items = list(items)
    distinct = list(dict.fromkeys(c for candidate, references in items for c in (candidate, *references)))
    known = dict(zip(distinct, tokens(distinct, lang)))
    return [Pair(known[candidate], tuple(known[r] for r in references)) for candidate, references in items]


def scores(name: str, items: Sequence[Pair], lang: str = "en") -> list[float]:
    """The score of each pair by a metric of ``NAMES``. CIDEr-D takes its idf weights from the references of all pairs.

    Raises UnknownNameError, and MissingResourceError if a library is not installed.
    """
    if name not in METRICS:
        raise UnknownNameError("baseline", name, METRICS)
    return METRICS[name](items, lang)


def corpus(name: str, items: Sequence[Pair], lang: str = "en") -> float:
    """The corpus score: BLEU from summed counts, the others as means."""
    if name.startswith("BLEU-"):
        order = int(name[-1])
        references = zip(*(_padded(p.references, max(len(q.references) for q in items)) for p in items))
        found = _bleu(order).corpus_score([" ".join(p.candidate) for p in items], list(references))
        return float(found.score) / 100
    each = scores(name, items, lang)
    return sum(each) / len(each) if each else 0.0


def _bleu_scores(order: int) -> Callable[[Sequence[Pair], str], list[float]]:
    def of(items: Sequence[Pair], lang: str) -> list[float]:
        metric = _bleu(order)
        return [metric.corpus_score([" ".join(p.candidate)], [[" ".join(r)] for r in p.references]).score / 100 for p in items]

    return of


def _bleu(order: int) -> Any:
    options = {"tokenize": "none", "smooth_method": "floor", "smooth_value": _TINY, "effective_order": False}
    return _library("sacrebleu").metrics.BLEU(max_ngram_order=order, force=True, **options)


def _chrf(items: Sequence[Pair], lang: str) -> list[float]:
    metric = _library("sacrebleu").metrics.CHRF()
    return [metric.sentence_score(_joined(p.candidate, lang), [_joined(r, lang) for r in p.references]).score / 100 for p in items]


def _rouge_l(items: Sequence[Pair], lang: str) -> list[float]:
    """ROUGE-L as in pycocoevalcap: best precision and best recall over the references, with more weight on recall."""
    scorer = _library("rouge_score.rouge_scorer").RougeScorer(["rougeL"], tokenizer=_Split())

    def of(pair: Pair) -> float:
        found = [scorer.score(" ".join(r), " ".join(pair.candidate))["rougeL"] for r in pair.references]
        p, r = max(f.precision for f in found), max(f.recall for f in found)
        return (1 + BETA**2) * p * r / (r + BETA**2 * p) if p and r else 0.0

    return [of(pair) for pair in items]


def _meteor(items: Sequence[Pair], lang: str) -> list[float]:
    """METEOR by word, stem and WordNet; for Japanese by word and Sudachi's synonym groups, all words with equal weight."""
    stemmer = _library("nltk.stem.porter").PorterStemmer() if lang == "en" else _Whole()
    return [meteor(p.candidate, p.references, stemmer, _synonyms(lang), _function_words(lang)) for p in items]


METRICS: dict[str, Callable[[Sequence[Pair], str], list[float]]] = {
    **{f"BLEU-{n}": _bleu_scores(n) for n in (1, 2, 3, 4)},
    "ROUGE-L": _rouge_l,
    "METEOR": _meteor,
    "CIDEr-D": lambda items, lang: cider_d([(p.candidate, p.references) for p in items]),
    "chrF": _chrf,
}
NAMES = tuple(METRICS)


class _Split:
    def tokenize(self, text: str) -> Tokens:
        return text.split()


class _Whole:
    def stem(self, word: str) -> str:
        return word


class _Lemma(str):
    def name(self) -> str:
        return str(self)


class _Sense(NamedTuple):
    words: tuple[str, ...]

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(word) for word in self.words]


class _Synonyms:
    """A language's synonym source with the one WordNet method that NLTK calls."""

    def __init__(self, source: Synonyms):
        self._source, self.signature = source, source.signature
        self.synsets = cache(self._synsets)

    def _synsets(self, word: str) -> list[_Sense]:
        return [_Sense(self._source.synset(id).lemmas) for id in self._source.ids(word)]


@cache
def _synonyms(lang: str) -> _Synonyms:
    from spice_core.lang import language

    return _Synonyms(language(lang).synonym_source("wn3.0" if lang == "en" else "sudachi"))


@cache
def _function_words(lang: str) -> frozenset[str]:
    if lang != "en":
        return frozenset()
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


@cache
def _penn_treebank() -> Callable[[str], Tokens]:
    import spacy

    from spice_core.lang.en.tokenizer import penn_treebank_tokenizer

    tokenizer = penn_treebank_tokenizer()(spacy.blank("en"))
    return lambda text: [t.text for t in tokenizer(text.lower())]


@cache
def _sudachi() -> Callable[[str], Tokens]:
    dictionary, local = _library("sudachipy").Dictionary(), threading.local()  # tokenizers are not thread-safe

    def words(text: str) -> Tokens:
        from spice_core.lang.ja.sudachi import tokenizable

        if not hasattr(local, "tokenizer"):
            local.tokenizer = dictionary.create()
        with tokenizable():
            return [m.surface() for m in local.tokenizer.tokenize(text)]

    return words


def _padded(references: Sequence[Tokens], count: int) -> list[str | None]:
    return [*(" ".join(r) for r in references), *[None] * (count - len(references))]


def _joined(words: Tokens, lang: str) -> str:
    return ("" if lang == "ja" else " ").join(words)


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError:
        raise MissingResourceError(f"{name.partition('.')[0]} is not installed; install it with: {INSTALL}") from None
