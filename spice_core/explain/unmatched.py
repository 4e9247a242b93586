"""The unmatched tuples of a caption, each with its probable cause."""

from __future__ import annotations

from collections.abc import Sequence

from spice_core.data.items import Caption
from spice_core.data.work_file import STATES, Unmatched
from spice_core.explain.causes import UNCLEAR, Suggestion
from spice_core.explain.explanation import Explanation
from spice_core.metrics.spice import Spice


def suggestions(explanation: Explanation) -> dict[Unmatched, Suggestion | None]:
    """The probable cause of each unmatched tuple, in the order of the rows; of tuples with the same words that of the first."""
    found: dict[Unmatched, Suggestion | None] = {}
    for row in explanation.rows:
        if row.state in STATES:
            found.setdefault(Unmatched(row.state, explanation.tuple_of(row.id).words), explanation.details(row.id).cause)
    return found


def probable_causes(spice: Spice, candidate: Caption, references: Sequence[Caption]) -> dict[Unmatched, str]:
    """The names of the probable causes of a caption's unmatched tuples; empty without references."""
    found = suggestions(Explanation.of(spice.compute(candidate, references), spice)) if references else {}
    return {tuple_: str(suggestion.cause) if suggestion else UNCLEAR for tuple_, suggestion in found.items()}
