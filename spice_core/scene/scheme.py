"""Schemes of merging words and counting tuples: SPICE's, JaSPICE's, with partial credit, with action attributes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counting:
    """The choices in which the schemes differ.

    ``merged``: similar words become one element (otherwise only equal words). ``implied``: everything with an attribute
    or a relation is an object (otherwise only what a proposition states as one). ``smaller``: matches are
    counted from the side with fewer tuples (otherwise from the candidate). ``partial``: a tuple counts by the share
    of its parts that agree, provided its attribute or relation agrees (otherwise all parts must agree). ``acting``: the verb
    of a relation is also an attribute of its subject (otherwise only the relation counts).
    """

    merged: bool
    implied: bool
    smaller: bool
    partial: bool = False
    acting: bool = False


SPICE = Counting(merged=True, implied=True, smaller=False)
# Japanese spec sections a.1, e and f. The 2023 program merges equal strings, but its strings are representative spellings of
# last words (傘 for 折りたたみ傘, one spelling for さす and 差す); merging similar words has the same effect.
JASPICE = Counting(merged=True, implied=False, smaller=True)
PARTS = Counting(merged=True, implied=True, smaller=False, partial=True)
ACTIONS = Counting(merged=True, implied=True, smaller=False, acting=True)
COUNTINGS = {"spice": SPICE, "jaspice": JASPICE, "parts": PARTS, "actions": ACTIONS}
