"""Partial credit along hypernyms: (dog) gets some credit from (animal), and less from (living thing)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from spice_core.metrics.soft.similarity import Side, Similarity
from spice_core.scene.graph import Concept, SceneTuple
from spice_core.scene.synonyms import Synonyms, common_senses, hypernym_path

if TYPE_CHECKING:
    import numpy as np

CREDIT_PER_STEP = 0.75  # credit factor per step of a path


class HypernymSimilarity(Similarity):
    """Similarity of tuples of the same kind, as the mean credit of their parts.

    Parts with a word or a sense in common have credit 1. Parts that hypernyms relate have ``CREDIT_PER_STEP`` to the power of the number of
    steps. Attributes whose attribute word has no credit, relations whose label has no credit, and tuples of different kinds have similarity
    0.
    """

    def __init__(self, synonyms: Synonyms):
        self._synonyms = synonyms
        self.signature = f"hypernyms-{synonyms.signature}"

    @cached_property
    def _cached_credit_and_path(self) -> Callable[[Concept, Concept], tuple[float, tuple[str, ...]]]:
        return lru_cache(maxsize=1 << 16)(self._credit_and_path)

    @cached_property
    def _cached_senses(self) -> Callable[[Concept], frozenset[int]]:
        return lru_cache(maxsize=1 << 14)(lambda concept: common_senses(self._synonyms, concept.words))

    def matrix(self, candidate: Side, references: Side) -> np.ndarray:
        """Return the similarity matrix (candidate tuples, reference tuples)."""
        import numpy as np

        rows = [[self._similarity(a, b) for b in references.tuples] for a in candidate.tuples]
        return np.array(rows, float).reshape(len(candidate.tuples), len(references.tuples))

    def hypernym_paths(self, a: SceneTuple, b: SceneTuple) -> tuple[tuple[str, ...], ...]:
        """Return the path for each pair of parts related by hypernyms."""
        credits_and_paths = map(self._cached_credit_and_path, a.concepts, b.concepts) if len(a.concepts) == len(b.concepts) else ()
        return tuple(chain for _, chain in credits_and_paths if chain)

    def credit(self, a: Concept, b: Concept) -> float:
        """Return the credit of two parts of tuples (0–1)."""
        return self._cached_credit_and_path(a, b)[0]

    def _similarity(self, a: SceneTuple, b: SceneTuple) -> float:
        if len(a.concepts) != len(b.concepts):
            return 0.0
        credits = [self.credit(x, y) for x, y in zip(a.concepts, b.concepts)]
        return sum(credits) / len(credits) if credits[min(1, len(credits) - 1)] else 0.0

    def _credit_and_path(self, a: Concept, b: Concept) -> tuple[float, tuple[str, ...]]:
        """Return the credit of two concepts, and the words of the path between them."""
        if a.is_similar(b):
            return 1.0, ()
        senses_of_a, senses_of_b = self._cached_senses(a), self._cached_senses(b)
        upward_path, downward_path = (
            hypernym_path(self._synonyms, x, y) for x, y in ((senses_of_a, senses_of_b), (senses_of_b, senses_of_a))
        )
        chain = min((c for c in (upward_path, downward_path[::-1]) if c), key=len, default=())
        words = tuple(self._synonyms.synset(id).lemmas[0].replace("_", " ") for id in chain)
        return (CREDIT_PER_STEP ** (len(chain) - 1), words) if chain else (0.0, ())
