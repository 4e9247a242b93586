"""Correction of p-values for multiple tests."""

from __future__ import annotations

import math
from collections.abc import Sequence


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by the step-down procedure of Holm (1979), in the same order. A p-value of nan does not count as a test."""
    order = sorted((i for i, p in enumerate(p_values) if not math.isnan(p)), key=p_values.__getitem__)
    adjusted_p_values = [math.nan] * len(p_values)
    max_p_value = 0.0
    for rank, i in enumerate(order):
        max_p_value = max(max_p_value, min(1.0, (len(order) - rank) * p_values[i]))
        adjusted_p_values[i] = max_p_value
    return adjusted_p_values
