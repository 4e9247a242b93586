"""Averages of scores over images."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from spice_core.scene.scores import Score


@dataclass(frozen=True, slots=True)
class MeanScore:
    """Macro-average of one category: means over images with a defined score, and summed counts."""

    precision: float
    recall: float
    f1: float
    matched: float
    candidate: int
    reference: int
    images: int


class RunningMeans:
    """Running macro-averages by category."""

    def __init__(self) -> None:
        self._sums: dict[str, list[float]] = {}

    def add(self, image: Mapping[str, Score]) -> None:
        """Add the scores of one image."""
        for name, s in image.items():
            sums = self._sums.setdefault(name, [0.0, 0.0, 0.0, 0, 0, 0, 0])
            is_counted = s.defined or s.strict
            ratios = (s.precision, s.recall, s.f1) if is_counted else (0.0, 0.0, 0.0)
            for i, value in enumerate((*ratios, s.matched, s.candidate, s.reference, int(is_counted))):
                sums[i] += value

    def means(self) -> dict[str, MeanScore]:
        """Return the current averages. The ratios of a category without a defined score are nan."""
        out = {}
        for name, (p, r, f1, matched_count, candidate, reference, images) in self._sums.items():
            ratios = [x / images if images else math.nan for x in (p, r, f1)]
            out[name] = MeanScore(ratios[0], ratios[1], ratios[2], matched_count, int(candidate), int(reference), int(images))
        return out
