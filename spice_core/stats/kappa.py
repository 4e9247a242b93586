"""Agreement of two annotators beyond chance: Cohen's kappa with its bootstrap interval.

Jacob Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20(1), 37–46.
NumPy, which the parser depends on, is imported at first use.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spice_core.stats.bootstrap import Estimate, estimate_interval, resampled_means

if TYPE_CHECKING:
    import numpy as np

LabelPair = tuple[str, str]  # the labels of the first and of the second annotator


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa of ``n`` units labelled by both annotators, with raw agreement and label table.

    Kappa and the raw agreement are nan if there are no units. Kappa is also nan if full agreement is expected by chance, for example if
    both annotators use the same single label.
    """

    n: int
    kappa: Estimate
    raw: float
    table: Counter[LabelPair]


def cohens_kappa(pairs: Sequence[LabelPair], groups: Sequence[Hashable] | None = None, resamples: int = 1000) -> Kappa:
    """Return the agreement of two annotators, with a bootstrap over units or over ``groups`` of units, such as captions."""
    import numpy as np

    if not pairs:
        return Kappa(0, Estimate(math.nan, math.nan, math.nan), math.nan, Counter())
    sums = _sums_by_group(pairs, range(len(pairs)) if groups is None else groups)
    value = float(_kappa_of_sums(sums.mean(axis=0)[np.newaxis])[0])
    kappa_samples = _kappa_of_sums(resampled_means(sums, resamples)) if len(sums) > 1 else np.full(1, np.nan)  # one group has no variance
    return Kappa(len(pairs), estimate_interval(value, kappa_samples), sum(a == b for a, b in pairs) / len(pairs), Counter(pairs))


def _sums_by_group(pairs: Sequence[LabelPair], groups: Sequence[Hashable]) -> np.ndarray:
    """Return one row per group: numbers of units, agreements, and units with each label for either annotator."""
    import numpy as np

    labels = {label: place for place, label in enumerate(dict.fromkeys(label for pair in pairs for label in pair))}
    rows = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    sums = np.zeros((len(rows), 2 + 2 * len(labels)))
    for (a, b), group in zip(pairs, groups):
        for column in (0, *([1] if a == b else []), 2 + labels[a], 2 + len(labels) + labels[b]):
            sums[rows[group], column] += 1
    return sums


def _kappa_of_sums(sums: np.ndarray) -> np.ndarray:
    """Return the kappa of each row of sums or mean sums (nan if undefined)."""
    import numpy as np

    shares = sums[:, 1:] / sums[:, :1]
    first_shares, second_shares = np.split(shares[:, 1:], 2, axis=1)
    observed_agreement, expected_agreement = shares[:, 0], (first_shares * second_shares).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.isclose(expected_agreement, 1), np.nan, (observed_agreement - expected_agreement) / (1 - expected_agreement))
