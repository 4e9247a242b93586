"""How a metric merges the words of a graph and counts its tuples: SPICE's way and JaSPICE's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counting:
    """Three decisions in which the metrics differ.

    ``merged``: similar words become one element (otherwise only equal ones do). ``implied``: whoever has an attribute
    or takes part in a relation is an object (otherwise only what a proposition states). ``smaller``: matches are
    counted from the side with fewer tuples (otherwise from the candidate's).
    """

    merged: bool
    implied: bool
    smaller: bool


SPICE = Counting(merged=True, implied=True, smaller=False)
JASPICE = Counting(merged=False, implied=False, smaller=True)  # Japanese spec sections a.1, e and f
COUNTINGS = {"spice": SPICE, "jaspice": JASPICE}
