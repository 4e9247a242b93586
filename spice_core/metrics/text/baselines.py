"""Text metrics: BLEU, ROUGE-L, METEOR, CIDEr-D and chrF, as pycocoevalcap computes them.

By libraries (``spice_core[baselines]``: sacrebleu, rouge-score, NLTK), imported at first use; CIDEr-D, which no small
library offers, in ``spice_core.metrics.text.cider``. No Java: METEOR takes its synonyms from the bundled WordNet and has no paraphrase
table. Captions are lists of tokens from ``tokens``; all scores are 0–1, CIDEr-D 0–10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from spice_core.errors import UnknownNameError, require
from spice_core.lang import language
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
    """The tokens of each caption without punctuation, by the tokenizer of the language."""
    split = language(lang).tokenizer()
    return [[w for w in split(" ".join(caption.split())) if w and w not in _MARKS] for caption in captions]


def signature(names: Iterable[str], lang: str = "en") -> str:
    """Every choice that moves the figures of these metrics: what cuts words, METEOR's synonyms, the libraries with their versions."""
    names = list(names)
    parts = {"lang": lang, "tokens": language(lang).tokenizer().signature}
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
    return require("sacrebleu", INSTALL).metrics.BLEU(max_ngram_order=order, force=True, **options)


def _chrf(items: Sequence[Pair], lang: str) -> list[float]:
    metric = require("sacrebleu", INSTALL).metrics.CHRF()
    return [metric.sentence_score(_joined(p.candidate, lang), [_joined(r, lang) for r in p.references]).score / 100 for p in items]


def _rouge_l(items: Sequence[Pair], lang: str) -> list[float]:
    """ROUGE-L as in pycocoevalcap: best precision and best recall over the references, with more weight on recall."""
    scorer = require("rouge_score.rouge_scorer", INSTALL).RougeScorer(["rougeL"], tokenizer=_Split())

    def of(pair: Pair) -> float:
        found = [scorer.score(" ".join(r), " ".join(pair.candidate))["rougeL"] for r in pair.references]
        p, r = max(f.precision for f in found), max(f.recall for f in found)
        return (1 + BETA**2) * p * r / (r + BETA**2 * p) if p and r else 0.0

    return [of(pair) for pair in items]


def _meteor(items: Sequence[Pair], lang: str) -> list[float]:
    """METEOR by word, by the stemmer, stop words and synonyms of the language."""
    require("nltk", INSTALL)
    pack, synonyms = language(lang), _synonyms(lang)
    return [meteor(p.candidate, p.references, pack.stemmer(), synonyms, pack.stop_words()) for p in items]


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
    pack = language(lang)
    return _Synonyms(pack.synonym_source(pack.named(pack.text.synonyms, "METEOR", "synonyms")))


def _padded(references: Sequence[Tokens], count: int) -> list[str | None]:
    return [*(" ".join(r) for r in references), *[None] * (count - len(references))]


def _joined(words: Tokens, lang: str) -> str:
    return language(lang).text.joiner.join(words)
