"""METEOR 1.5 without its paraphrase table.

NLTK aligns the words. The weights are those of Denkowski and Lavie (2014) for English.

An exact match counts 1, a stem match 0.6 and a synonym match 0.8. Function words (the language's stop words) have a third of the weight of
other words.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

from spice_core.errors import require_module
from spice_core.lang import language
from spice_core.lang.pack import LanguagePack, Stemmer
from spice_core.metrics.metric import Metric, Needs
from spice_core.metrics.text.tokens import INSTALL_BASELINES_COMMAND, TokenPair, TokenTexts, text_signature, token_pairs
from spice_core.scene.synonyms import Synonyms

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
EXACT_MATCH_WEIGHT, STEM_MATCH_WEIGHT, SYNONYM_MATCH_WEIGHT = 1.0, 0.6, 0.8


class WordSenses(Protocol):
    """Synonym source for NLTK's alignment, which calls only this method of a WordNet."""

    def synsets(self, word: str) -> Sequence[object]:
        """Return the word's senses as objects like the synsets of NLTK's WordNet."""


def meteor_score(
    candidate: TokenTexts, references: Sequence[TokenTexts], stemmer: Stemmer, senses: WordSenses, function_words: frozenset[str]
) -> float:
    """Return the best score (0–1) of a tokenised candidate over its tokenised references."""
    return max((_score_against_reference(candidate, reference, stemmer, senses, function_words) for reference in references), default=0.0)


def _score_against_reference(
    candidate: TokenTexts, reference: TokenTexts, stemmer: Stemmer, senses: WordSenses, function_words: frozenset[str]
) -> float:
    align_words = require_module("nltk.translate.meteor_score", INSTALL_BASELINES_COMMAND).align_words
    matches = sorted(align_words(candidate, reference, stemmer, senses)[0])
    if not matches:
        return 0.0

    def word_weight(word: str) -> float:
        return 1 - DELTA if word in function_words else DELTA

    def match_credit(a: str, b: str) -> float:
        return EXACT_MATCH_WEIGHT if a == b else STEM_MATCH_WEIGHT if stemmer.stem(a) == stemmer.stem(b) else SYNONYM_MATCH_WEIGHT

    credits = [(match_credit(candidate[i], reference[j]), candidate[i], reference[j]) for i, j in matches]
    precision = sum(c * word_weight(a) for c, a, _ in credits) / sum(map(word_weight, candidate))
    recall = sum(c * word_weight(b) for c, _, b in credits) / sum(map(word_weight, reference))
    chunks = 1 + sum(b != (a[0] + 1, a[1] + 1) for a, b in itertools.pairwise(matches))
    is_identical = chunks == 1 and len(matches) == len(candidate) == len(reference)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    return mean if is_identical else mean * (1 - GAMMA * (chunks / len(matches)) ** BETA)


class _NltkLemma(str):
    def name(self) -> str:
        return str(self)


class _NltkSense(NamedTuple):
    words: tuple[str, ...]

    def lemmas(self) -> list[_NltkLemma]:
        return [_NltkLemma(word) for word in self.words]


class _NltkWordNetAdapter:
    """Gives a synonym source the interface of NLTK's WordNet."""

    def __init__(self, source: Synonyms):
        self._source = source
        self.synsets = cache(self._synsets)

    def _synsets(self, word: str) -> list[_NltkSense]:
        return [_NltkSense(self._source.synset(id).lemmas) for id in self._source.ids(word)]


def _synonym_source(pack: LanguagePack) -> Synonyms:
    return pack.synonym_source(pack.required_part(pack.text.synonyms, METEOR.name, "synonyms"))


@cache
def _load_wordnet(lang: str) -> _NltkWordNetAdapter:
    return _NltkWordNetAdapter(_synonym_source(language(lang)))


def meteor_scores(items: Sequence[TokenPair], pack: LanguagePack) -> list[float]:
    """Return the METEOR score (0–1) of each candidate."""
    senses = _load_wordnet(pack.code)
    return [meteor_score(p.candidate, p.references, pack.stemmer(), senses, pack.stop_words()) for p in items]


METEOR = Metric(
    name="METEOR",
    summary="words aligned by form, stem and synonym",
    needs=Needs.TEXT,
    segment=lambda batch: meteor_scores(batch.compute_once(token_pairs), batch.pack),
    find_missing_part=lambda pack: "" if pack.text.synonyms else "synonyms",
    signature=text_signature("METEOR", "nltk", synonyms=lambda pack: _synonym_source(pack).signature),
    install_command=INSTALL_BASELINES_COMMAND,
)
