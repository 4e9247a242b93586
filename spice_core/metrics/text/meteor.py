"""METEOR 1.5 without its paraphrase table: words aligned by NLTK, weighted as by Denkowski and Lavie (2014) for English.

A match counts 1 by word, 0.6 by stem and 0.8 by synonym; function words (spaCy's stop words) count one third.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Protocol

from spice_core.lang.pack import Stemmer

ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
BY_WORD, BY_STEM, BY_SYNONYM = 1.0, 0.6, 0.8


class Senses(Protocol):
    def synsets(self, word: str) -> Sequence[object]:
        """The word's senses, in the form of NLTK's WordNet."""


def meteor(candidate: list[str], references: Sequence[list[str]], stemmer: Stemmer, senses: Senses, function: frozenset[str]) -> float:
    """The best score (0–1) of a candidate over its references, all as tokens."""
    return max((_single(candidate, reference, stemmer, senses, function) for reference in references), default=0.0)


def _single(candidate: list[str], reference: list[str], stemmer: Stemmer, senses: Senses, function: frozenset[str]) -> float:
    from nltk.translate.meteor_score import align_words

    matches = sorted(align_words(candidate, reference, stemmer, senses)[0])
    if not matches:
        return 0.0

    def weight(word: str) -> float:
        return 1 - DELTA if word in function else DELTA

    def credit(mine: str, theirs: str) -> float:
        return BY_WORD if mine == theirs else BY_STEM if stemmer.stem(mine) == stemmer.stem(theirs) else BY_SYNONYM

    credits = [(credit(candidate[i], reference[j]), candidate[i], reference[j]) for i, j in matches]
    precision = sum(c * weight(mine) for c, mine, _ in credits) / sum(map(weight, candidate))
    recall = sum(c * weight(theirs) for c, _, theirs in credits) / sum(map(weight, reference))
    chunks = 1 + sum(b != (a[0] + 1, a[1] + 1) for a, b in itertools.pairwise(matches))
    whole = chunks == 1 and len(matches) == len(candidate) == len(reference)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    return mean if whole else mean * (1 - GAMMA * (chunks / len(matches)) ** BETA)
