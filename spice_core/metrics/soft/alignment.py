"""Soft alignment, which pairs each tuple with its nearest tuple of the other side, with precision, recall and F1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from spice_core.scene.graph import SceneTuple

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class SoftMatch:
    """A candidate tuple and its nearest reference tuple, with their similarity (0–1).

    ``path`` holds, for each pair of parts that hypernyms relate, the words from the part of the candidate to that of the reference.
    """

    candidate: SceneTuple
    reference: SceneTuple
    similarity: float
    path: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Alignment:
    """Similarities of candidate tuples (rows) and reference tuples (columns).

    ``known_credits`` holds a credit for each tuple of either side: 1 if the other side entails the tuple, 0 if it contradicts the tuple,
    and nan otherwise. A known credit replaces the similarity.
    """

    candidates: tuple[SceneTuple, ...]
    references: tuple[SceneTuple, ...]
    similarities: np.ndarray
    known_credits: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def precision(self) -> float:
        """Mean credit of the candidate tuples, or 0 if a side is empty.

        The credit is the known credit or the similarity to the nearest reference tuple.
        """
        return self._mean_credit(0)

    @property
    def recall(self) -> float:
        """Mean credit of the reference tuples, or 0 if a side is empty.

        The credit is the known credit or the similarity to the nearest candidate tuple.
        """
        return self._mean_credit(1)

    def _mean_credit(self, side: int) -> float:
        if not self.similarities.size:
            return 0.0
        credit = self.similarities.max(axis=1 - side)
        if self.known_credits:
            known_credits = self.known_credits[side]
            credit = credit * (known_credits != known_credits) + (known_credits == 1)  # nan (no verdict) is unequal to itself
        return math.fsum(credit.tolist()) / len(credit)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, or 0 if either is 0."""
        p, r = self.precision, self.recall
        return 2 * p * r / (p + r) if p and r else 0.0

    @cached_property
    def nearest(self) -> tuple[tuple[int, int], ...]:
        """For each candidate tuple, its row and the column of the nearest reference tuple. The first reference tuple wins ties."""
        return tuple(enumerate(self.similarities.argmax(axis=1).tolist())) if self.similarities.size else ()

    def restrict_to_length(self, length: int) -> Alignment:
        """Return the alignment restricted to tuples with ``length`` parts."""
        rows, columns = ([i for i, t in enumerate(side) if len(t.concepts) == length] for side in (self.candidates, self.references))
        similarities = self.similarities[rows][:, columns]
        pair_credits = self.known_credits and (self.known_credits[0][rows], self.known_credits[1][columns])
        return Alignment(tuple(self.candidates[i] for i in rows), tuple(self.references[i] for i in columns), similarities, pair_credits)
