"""Bootstrap over images, for intervals of means and for paired tests. It is seeded and vectorised, and its memory is bounded.

NumPy, which the parser depends on, is imported at first use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from spice_core.errors import InputError, Message

if TYPE_CHECKING:
    import numpy as np


MAX_RESAMPLES = 100_000  # at this limit, twenty systems with all categories take less than 1 GB
# Minimum number of images for p-values and intervals. With n pairs, the smallest two-sided p of an exact sign test is 2 / 2**n: .063 for 5
# and .031 for 6. A bootstrap does not show this: with one image, all resamples are equal, which gives the smallest possible p.
MIN_PAIRS = 6
_MAX_CELLS_PER_BLOCK = 1 << 21  # number of counts in memory (16 MB)


class Estimate(NamedTuple):
    """An estimated value with its confidence interval. Undefined numbers are nan."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class PairedDifference:
    """Difference from the baseline, with its two-sided p-value (paired bootstrap)."""

    estimate: Estimate
    p: float


def check_resamples(resamples: int, where: str = "resamples") -> None:
    """Raise InputError for ``where`` if the number of resamples is below 1 or above ``MAX_RESAMPLES``."""
    if not 1 <= resamples <= MAX_RESAMPLES:
        raise InputError(where, resamples, Message("expected.resamples", most=MAX_RESAMPLES))


def resampled_means(values: np.ndarray, resamples: int = 1000, seed: int = 0) -> np.ndarray:
    """Return the mean of each column, ignoring nan, in each resample of the rows: (images, columns) → (resamples, columns).

    All columns of a resample have the same images, so that differences between columns are paired. Raises InputError if the number of
    resamples is invalid.
    """
    import numpy as np

    check_resamples(resamples)
    rng = np.random.default_rng(seed)
    images, columns = values.shape
    is_defined = ~np.isnan(values)
    both = np.hstack([np.where(is_defined, values, 0.0), is_defined])
    out = np.full((resamples, columns), np.nan)
    chunk_count = max(1, _MAX_CELLS_PER_BLOCK // max(images, 1))
    for start in range(0, resamples if images else 0, chunk_count):
        chunk_size = min(chunk_count, resamples - start)
        counts = np.stack([np.bincount(rng.integers(0, images, images, dtype=np.int32), minlength=images) for _ in range(chunk_size)])
        sums = counts.astype(float) @ both
        with np.errstate(invalid="ignore", divide="ignore"):
            out[start : start + chunk_size] = sums[:, :columns] / sums[:, columns:]
    return out


def estimate_interval(estimate: float, samples: np.ndarray, confidence: float = 0.95, *, count: int = MIN_PAIRS) -> Estimate:
    """Return a value with its percentile interval over the resamples in which it is defined.

    The interval is nan if the ``count`` of images is below ``MIN_PAIRS``.
    """
    import numpy as np

    defined_samples = samples[~np.isnan(samples)]
    if not len(defined_samples) or count < MIN_PAIRS:
        return Estimate(estimate, np.nan, np.nan)
    low, high = np.quantile(defined_samples, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(estimate, float(low), float(high))


def mean_defined(values: Iterable[float]) -> float:
    """Return the mean of the values that are not nan, or nan, independent of their order."""
    defined_values = [value for value in values if not math.isnan(value)]
    return math.fsum(defined_values) / len(defined_values) if defined_values else math.nan


def estimate_means(values: np.ndarray, resamples: int = 1000, seed: int = 0) -> list[Estimate]:
    """Return the mean of each column (images, columns), ignoring nan, with its bootstrap interval."""
    samples = resampled_means(values, resamples, seed)
    return [estimate_interval(mean_defined(column), samples[:, i]) for i, column in enumerate(values.T.tolist())]


def paired_p_value(difference: float, samples: np.ndarray, *, count: int = MIN_PAIRS) -> float:
    """Return the two-sided p-value of a difference of means under the null hypothesis of equality.

    p is (n + 1) / (N + 1), where N is the number of defined resampled differences, and n the number of those that deviate from
    ``difference`` by at least its absolute value. p is nan if no difference is defined or the ``count`` of pairs is below ``MIN_PAIRS``.
    """
    import numpy as np

    defined_samples = samples[~np.isnan(samples)]
    if np.isnan(difference) or not len(defined_samples) or count < MIN_PAIRS:
        return float("nan")
    # the tolerance also counts deviations that are equal up to rounding
    extreme = np.abs(defined_samples - difference) >= abs(difference) * (1 - 1e-12)
    return (int(extreme.sum()) + 1) / (len(defined_samples) + 1)


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by the step-down procedure of Holm (1979), in the same order. A p-value of nan does not count as a test."""
    order = sorted((i for i, p in enumerate(p_values) if not math.isnan(p)), key=p_values.__getitem__)
    adjusted_p_values = [math.nan] * len(p_values)
    max_p_value = 0.0
    for rank, i in enumerate(order):
        max_p_value = max(max_p_value, min(1.0, (len(order) - rank) * p_values[i]))
        adjusted_p_values[i] = max_p_value
    return adjusted_p_values
