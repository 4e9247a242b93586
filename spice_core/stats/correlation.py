"""Correlation of scores with ratings, computed from contingency tables, with a bootstrap over the rated items.

Each rating is a separate data point, paired with the score of its item, as is usual for Flickr8k-Expert. NumPy is imported at first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

COEFFICIENT_NAMES = ("tau-b", "tau-c", "Pearson", "Spearman")
_MAX_TOTAL_CELLS = 4_000_000_000  # upper bound on the table cells visited by all resamples together
_MIN_RESAMPLES = 100


class RatingCorrelation:
    """Correlation of scores with ratings. The scores are sorted once, so that a resample only needs counts."""

    def __init__(self, scores: Sequence[float], ratings: Sequence[Sequence[float]]):
        """Sort the scores. ``ratings`` contains each item's ratings. Items with undefined scores (nan) are excluded."""
        import numpy as np

        x = np.asarray(scores, float)
        self._is_defined = ~np.isnan(x)
        ratings = [r for r, is_defined in zip(ratings, self._is_defined) if is_defined]
        values, self._rating_indices = np.unique(x[self._is_defined], return_inverse=True)
        self.levels = np.unique(np.concatenate([np.asarray(r, float) for r in ratings]))
        self._counts = np.stack([np.bincount(np.searchsorted(self.levels, r), minlength=len(self.levels)) for r in ratings]).astype(float)
        self._order = np.argsort(self._rating_indices, kind="stable")
        self._starts = np.searchsorted(self._rating_indices[self._order], np.arange(len(values)))
        self.values = values

    def coefficients(self, weights: np.ndarray | None = None) -> np.ndarray:
        """Return τb, τc, Pearson's and Spearman's coefficients, counting each item ``weights`` times (default: once)."""
        import numpy as np

        counts = self._counts if weights is None else self._counts * weights[self._is_defined, None]
        table = np.add.reduceat(counts[self._order], self._starts, axis=0)
        rows, columns = table.sum(axis=1) > 0, table.sum(axis=0) > 0
        return table_coefficients(table[rows][:, columns], self.values[rows], self.levels[columns])

    def limit_resamples(self, max_resamples: int) -> int:
        """Return ``max_resamples``, or a lower number that keeps the bootstrap of many distinct values fast."""
        return min(max_resamples, max(_MIN_RESAMPLES, _MAX_TOTAL_CELLS // (len(self.values) * len(self.levels))))


def table_coefficients(table: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return τb, τc, Pearson's and Spearman's coefficients of a contingency table of ascending values x and y.

    They are nan if x or y is constant.
    """
    import numpy as np

    total, rows, columns = table.sum(), table.sum(axis=1), table.sum(axis=0)
    min_count = min(len(rows), len(columns))
    if min_count < 2:  # rounding of the mean would give a constant some variance
        return np.full(len(COEFFICIENT_NAMES), np.nan)
    counts_below = table.cumsum(axis=0) - table
    left = counts_below.cumsum(axis=1)
    surplus = (table * (left - counts_below - (left[:, -1:] - left))).sum()  # concordant minus discordant pairs
    pairs, tied_x, tied_y = (float((c * (c - 1) / 2).sum()) for c in (np.array([total]), rows, columns))
    with np.errstate(invalid="ignore", divide="ignore"):
        tau_b = surplus / np.sqrt((pairs - tied_x) * (pairs - tied_y))
        tau_c = np.float64(2 * surplus * min_count) / (total * total * (min_count - 1))
        ranks = [c.cumsum() - (c - 1) / 2 for c in (rows, columns)]
        return np.array([tau_b, tau_c, _pearson_coefficient(table, x, y), _pearson_coefficient(table, *ranks)])


def _pearson_coefficient(table: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    import numpy as np

    n, rows, columns = table.sum(), table.sum(axis=1), table.sum(axis=0)
    x, y = (np.ldexp(v, -np.frexp(np.abs(v).max())[1]) for v in (x, y))  # so that squares neither overflow nor underflow
    x, y = x - rows @ x / n, y - columns @ y / n
    return float(x @ table @ y / np.sqrt((rows @ x**2) * (columns @ y**2)))
