"""Effect of each reference: the score without it, from the stored parses."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from spice_core.errors import InputError, Message
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice


class ReferenceEffect(NamedTuple):
    """The result without one reference, given by its position, and the change in each ratio."""

    reference: int
    result: SpiceResult
    f1_change: float
    precision_change: float
    recall_change: float


def result_without_references(spice: Spice, result: SpiceResult, omitted_indices: Collection[int]) -> SpiceResult | None:
    """Return the result without the references at these positions, or None if no reference remains.

    Nothing is parsed again. ``spice`` must have the rules and synonyms of the result. Raises InputError for a position
    that does not exist.
    """
    positions = range(len(result.references))
    if surplus := sorted(set(omitted_indices) - set(positions)):
        raise InputError("omitted_indices", surplus, Message("expected.positions", last=len(positions) - 1))
    references = [result.references[i] for i in positions if i not in omitted_indices]
    return spice.compare(result.candidate, references) if references else None


def leave_one_out(spice: Spice, result: SpiceResult) -> tuple[ReferenceEffect, ...]:
    """Return the effect of each reference, or an empty tuple if there is only one reference."""
    out = []
    for i in range(len(result.references)):
        if (reduced_result := result_without_references(spice, result, {i})) is not None:
            changes = (reduced_result.f1 - result.f1, reduced_result.precision - result.precision, reduced_result.recall - result.recall)
            out.append(ReferenceEffect(i, reduced_result, *changes))
    return tuple(out)
