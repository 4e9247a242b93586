"""METEOR 1.5 without its paraphrase table: NLTK aligns the words, with the English weights of Denkowski and Lavie (2014).

An exact match counts 1, a stem match 0.6 and a synonym match 0.8; function words (the language's stop words) count one third.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from spice_core.errors import require
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, Stemmer
from spice_core.metrics.metric import Batch, Metric, Needs
from spice_core.metrics.text.tokens import INSTALL_BASELINES, Tokens, pairs, text_signature
from spice_core.scene.synonyms import Synonyms

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
EXACT, STEM, SYNONYM = 1.0, 0.6, 0.8


class WordSenses(Protocol):
    """Synonym source with the only method of NLTK's WordNet that NLTK's alignment calls."""

    def synsets(self, word: str) -> Sequence[object]:
        """Return the word's senses, in the form of NLTK's WordNet."""


def meteor(candidate: Tokens, references: Sequence[Tokens], stemmer: Stemmer, senses: WordSenses, function: frozenset[str]) -> float:
    """Return the best score (0–1) of a tokenised candidate over its tokenised references."""
    return max((_single(candidate, reference, stemmer, senses, function) for reference in references), default=0.0)


def _single(candidate: Tokens, reference: Tokens, stemmer: Stemmer, senses: WordSenses, function: frozenset[str]) -> float:
    align_words = require("nltk.translate.meteor_score", INSTALL_BASELINES).align_words
    matches = sorted(align_words(candidate, reference, stemmer, senses)[0])
    if not matches:
        return 0.0

    def weight(word: str) -> float:
        return 1 - DELTA if word in function else DELTA

    def credit(a: str, b: str) -> float:
        return EXACT if a == b else STEM if stemmer.stem(a) == stemmer.stem(b) else SYNONYM

    credits = [(credit(candidate[i], reference[j]), candidate[i], reference[j]) for i, j in matches]
    precision = sum(c * weight(a) for c, a, _ in credits) / sum(map(weight, candidate))
    recall = sum(c * weight(b) for c, _, b in credits) / sum(map(weight, reference))
    chunks = 1 + sum(b != (a[0] + 1, a[1] + 1) for a, b in itertools.pairwise(matches))
    whole = chunks == 1 and len(matches) == len(candidate) == len(reference)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    return mean if whole else mean * (1 - GAMMA * (chunks / len(matches)) ** BETA)


class _Lemma(str):
    def name(self) -> str:
        return str(self)


class _Sense(NamedTuple):
    words: tuple[str, ...]

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(word) for word in self.words]


class _WordNet:
    """A synonym source in the form of NLTK's WordNet."""

    def __init__(self, source: Synonyms):
        self._source = source
        self.synsets = cache(self._synsets)

    def _synsets(self, word: str) -> list[_Sense]:
        return [_Sense(self._source.synset(id).lemmas) for id in self._source.ids(word)]


def _source(pack: LanguagePack) -> Synonyms:
    return pack.synonym_source(pack.named(pack.text.synonyms, METEOR.name, "synonyms"))


@cache
def _wordnet(lang: str) -> _WordNet:
    return _WordNet(_source(language(lang)))


def _segment(batch: Batch) -> list[float]:
    pack, senses = batch.pack, _wordnet(batch.pack.code)
    return [meteor(p.candidate, p.references, pack.stemmer(), senses, pack.stop_words()) for p in batch.once(pairs)]


METEOR = Metric(
    name="METEOR",
    summary="words aligned by form, stem and synonym",
    needs=Needs.TEXT,
    segment=_segment,
    lacks=lambda pack: "" if pack.text.synonyms else "synonyms",
    signature=text_signature("METEOR", "nltk", synonyms=lambda pack: _source(pack).signature),
    install=INSTALL_BASELINES,
)
