"""Similarity by word vectors, part by part."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

from spice_core.metrics.soft.similarity import Side, Similarity, cosine
from spice_core.scene.graph import Concept, SceneTuple
from spice_core.scene.propositions import Parse

if TYPE_CHECKING:
    import numpy as np


class Vectors(Protocol):
    """Word vectors of a language."""

    signature: str

    def phrase_vector(self, words: tuple[str, ...]) -> np.ndarray:
        """Return the mean vector of the words, normalised to length 1, or zeros if all words are unknown."""

    def caption_words(self, parse: Parse) -> tuple[str, ...]:
        """Return the words from which the vector of a caption is computed."""


class WordVectors(Similarity):
    """Similarity of tuples as the mean similarity of their parts.

    Parts that share a word or a sense have similarity 1. For other parts, the similarity is the cosine of their vectors. A part without a
    counterpart counts as 0. Objects are compared only with objects.
    """

    def __init__(self, vectors: Vectors):
        self._vectors = vectors
        self.signature = vectors.signature

    @cached_property
    def _cached_word_similarity(self) -> Callable[[Concept, Concept], float]:
        return lru_cache(maxsize=1 << 18)(self._word_similarity)

    def matrix(self, candidate: Side, references: Side) -> np.ndarray:
        """Return the similarity matrix (candidate tuples, reference tuples)."""
        import numpy as np

        rows = [[self._similarity(a, b) for b in references.tuples] for a in candidate.tuples]
        return np.array(rows, float).reshape(len(candidate.tuples), len(references.tuples))

    def caption_similarities(self, candidate: Side, references: Side) -> list[float]:
        """Return the similarity of the candidate's words to the words of each reference."""
        candidate_vector, *reference_vectors = (
            self._vectors.phrase_vector(self._vectors.caption_words(p)) for p in (*candidate.parses, *references.parses)
        )
        return [cosine(candidate_vector, vector) for vector in reference_vectors]

    def _similarity(self, a: SceneTuple, b: SceneTuple) -> float:
        lengths = len(a.concepts), len(b.concepts)
        if min(lengths) == 1 != max(lengths):
            return 0.0
        return sum(map(self._cached_word_similarity, a.concepts, b.concepts)) / max(lengths)

    def _word_similarity(self, a: Concept, b: Concept) -> float:
        return 1.0 if a.is_similar(b) else cosine(*(self._vectors.phrase_vector(tuple(sorted(c.words))) for c in (a, b)))
