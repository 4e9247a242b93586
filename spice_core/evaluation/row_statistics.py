"""Statistics of scored rows: a summary of each row, means with intervals, categories, and the distribution of F1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spice_core.data.items import Caption
from spice_core.data.results import ScoredItem
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import Estimate, estimate_means

RATIO_NAMES = ("f1", "precision", "recall")
_F1_BINS = 20
_PAPER_CATEGORIES = (
    OVERALL,
    "Relation",
    "Cardinality",
    "Attribute",
    "Size",
    "Color",
    "Object",
)  # the columns of Table 2 in the SPICE paper


@dataclass(frozen=True)
class RowSummary:
    """Summary of one scored image.

    ``weakest`` is the category with the lowest defined F1. ``missing`` and ``extra`` are numbers of tuples.
    """

    row: ScoredItem
    f1: float
    precision: float
    recall: float
    weakest: str
    missing: int
    extra: int

    @property
    def id(self) -> int | str:
        return self.row.image_id

    @property
    def candidate(self) -> str:
        return caption_text(self.row.candidate)

    @property
    def lowest(self) -> float | None:
        """The lowest precision of any sentence of the candidate, or None if the candidate is a single sentence or has no tuples."""
        candidate_sentences = [s for s in self.row.sentences if s.caption == 0]
        return min((s.ratio for s in candidate_sentences if s.tuples), default=None) if len(candidate_sentences) > 1 else None


def caption_text(caption: Caption) -> str:
    """Return a caption, or given propositions, as text."""
    return caption if isinstance(caption, str) else caption.caption


def summarize_row(row: ScoredItem) -> RowSummary:
    """Return the summary of a scored image."""
    overall = row.scores[OVERALL]
    f1_by_category = {name: score.f1 for name, score in row.scores.items() if name != OVERALL and score.defined}
    weakest = min(f1_by_category, key=f1_by_category.__getitem__) if f1_by_category else ""
    return RowSummary(row, overall.f1, overall.precision, overall.recall, weakest, len(list(row.missing)), len(list(row.extra)))


def sort_categories(names: Iterable[str]) -> list[str]:
    """Return category names in the order of Table 2 in the SPICE paper, followed by others."""
    return sorted(names, key=lambda name: _PAPER_CATEGORIES.index(name) if name in _PAPER_CATEGORIES else len(_PAPER_CATEGORIES))


def category_names(rows: Iterable[ScoredItem]) -> list[str]:
    """Return the categories that occur in any row, without the overall score."""
    return sort_categories(dict.fromkeys(name for row in rows for name in row.scores if name != OVERALL))


def mean_ratios(summaries: Iterable[RowSummary]) -> dict[str, Estimate]:
    """Return mean F1, precision and recall with bootstrap intervals."""
    return _mean_intervals(RATIO_NAMES, [[getattr(summary, name) for name in RATIO_NAMES] for summary in summaries])


def category_means(rows: Sequence[ScoredItem]) -> dict[str, Estimate]:
    """Return the mean F1 of each category with its bootstrap interval."""
    names = category_names(rows)
    return _mean_intervals(names, [[row.scores[name].f1 if name in row.scores else math.nan for name in names] for row in rows])


def f1_counts(rows: Iterable[ScoredItem]) -> list[int]:
    """Return the number of images in each of twenty equal bins of F1."""
    counts = [0] * _F1_BINS
    for f1 in (row.scores[OVERALL].f1 for row in rows):
        if not math.isnan(f1):
            counts[min(int(f1 * _F1_BINS), _F1_BINS - 1)] += 1
    return counts


def _mean_intervals(names: Sequence[str], values: list[list[float]]) -> dict[str, Estimate]:
    import numpy as np

    return dict(zip(names, estimate_means(np.array(values, dtype=float))))
