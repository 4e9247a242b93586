"""How a metric merges the words of a graph and counts its tuples: SPICE's way, JaSPICE's, by parts, and with actions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counting:
    """The decisions in which the metrics differ.

    ``merged``: similar words become one element (otherwise only equal ones do). ``implied``: whoever has an attribute
    or takes part in a relation is an object (otherwise only what a proposition states). ``smaller``: matches are
    counted from the side with fewer tuples (otherwise from the candidate's). ``partial``: a tuple counts by the share
    of its parts that agree, once its attribute or relation agrees (otherwise all parts must). ``acting``: who does something
    to or by something does it: a verb between two objects is also an attribute of the first (otherwise only the relation).
    """

    merged: bool
    implied: bool
    smaller: bool
    partial: bool = False
    acting: bool = False


SPICE = Counting(merged=True, implied=True, smaller=False)
# Japanese spec sections a.1, e and f. The 2023 program unites strings, but its strings are representative spellings of last
# words (傘 for 折りたたみ傘, one spelling for さす and 差す); merging similar words stands in for that.
JASPICE = Counting(merged=True, implied=False, smaller=True)
PARTS = Counting(merged=True, implied=True, smaller=False, partial=True)
ACTIONS = Counting(merged=True, implied=True, smaller=False, acting=True)
COUNTINGS = {"spice": SPICE, "jaspice": JASPICE, "parts": PARTS, "actions": ACTIONS}
