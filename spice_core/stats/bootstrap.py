"""Bootstrap over images: intervals of means and paired tests; seeded, vectorised, in bounded memory.

NumPy, which the parser depends on, is imported at first use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from spice_core.errors import InputError, Message

if TYPE_CHECKING:
    import numpy as np

MOST = 100_000  # resamples: for twenty systems with all categories they take less than 1 GB
# Images below which there is neither p nor interval. Resamples of one image are all equal, so that its p would be the smallest
# possible. With n pairs, the smallest two-sided p of an exact sign test is 2 / 2**n: .063 with 5 pairs, .031 with 6. With fewer
# than 6, no difference can reach .05.
MIN_PAIRS = 6
_CELLS = 1 << 21  # counts in memory at a time (16 MB)


class Estimate(NamedTuple):
    """An estimated value with its confidence interval; nan if undefined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class PairedDifference:
    """Difference from the baseline, with its two-sided p-value (paired bootstrap)."""

    estimate: Estimate
    p: float


def check_resamples(number: int, where: str = "resamples") -> None:
    """Raise InputError, which names the place, for a number of resamples below 1 or above ``MOST``."""
    if not 1 <= number <= MOST:
        raise InputError(where, number, Message("expected.resamples", most=MOST))


def resampled_means(values: np.ndarray, resamples: int = 1000, seed: int = 0) -> np.ndarray:
    """Mean of each column in each resample of the rows, ignoring nan: (images, columns) → (resamples, columns).

    All columns share the images of a resample, so that differences between columns are paired.
    Raises InputError for a number of resamples out of bounds.
    """
    import numpy as np

    check_resamples(resamples)
    rng = np.random.default_rng(seed)
    images, columns = values.shape
    defined = ~np.isnan(values)
    both = np.hstack([np.where(defined, values, 0.0), defined])
    out = np.full((resamples, columns), np.nan)
    at_once = max(1, _CELLS // max(images, 1))
    for start in range(0, resamples if images else 0, at_once):
        size = min(at_once, resamples - start)
        counts = np.stack([np.bincount(rng.integers(0, images, images, dtype=np.int32), minlength=images) for _ in range(size)])
        sums = counts.astype(float) @ both
        with np.errstate(invalid="ignore", divide="ignore"):
            out[start : start + size] = sums[:, :columns] / sums[:, columns:]
    return out


def estimate(value: float, resampled: np.ndarray, confidence: float = 0.95, *, count: int = MIN_PAIRS) -> Estimate:
    """A value with its percentile interval from its resamples, without those in which it is undefined.

    No interval for a ``count`` of images below ``MIN_PAIRS``.
    """
    import numpy as np

    known = resampled[~np.isnan(resampled)]
    if not len(known) or count < MIN_PAIRS:
        return Estimate(value, np.nan, np.nan)
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, float(low), float(high))


def paired_p_value(difference: float, resampled: np.ndarray, *, count: int = MIN_PAIRS) -> float:
    """Two-sided p-value of a difference of means: the share of resamples at least as far from it as it is from 0.

    The null hypothesis is equality; computed as (n + 1) / (resamples + 1), so that it is never 0. Undefined for a ``count`` of
    pairs below ``MIN_PAIRS``.
    """
    import numpy as np

    known = resampled[~np.isnan(resampled)]
    if np.isnan(difference) or not len(known) or count < MIN_PAIRS:
        return float("nan")
    # equal up to rounding counts as at least as far
    far = np.abs(known - difference) >= abs(difference) * (1 - 1e-12)
    return (int(far.sum()) + 1) / (len(known) + 1)
