"""P-values corrected for multiple tests."""

from __future__ import annotations

import math
from collections.abc import Sequence


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by the step-down procedure of Holm (1979) in the same order; nan is not counted as a test."""
    order = sorted((i for i, p in enumerate(p_values) if not math.isnan(p)), key=p_values.__getitem__)
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted
