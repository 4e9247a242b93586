"""Schemes for merging words and counting tuples: those of SPICE and JaSPICE, and variants such as partial credit or distinct objects."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Scheme:
    """The choices that distinguish the schemes.

    ``merge_similar``: similar words become one element (otherwise only equal words). ``implicit_objects``: everything with an attribute
    or a relation is an object (otherwise only stated objects). ``match_smaller_side``: matches are
    counted from the side with fewer tuples (otherwise from the candidate). ``partial_credit``: a tuple counts by the share
    of its parts that agree, provided its attribute or relation agrees (otherwise all parts must agree). ``action_attributes``: the verb
    of a relation is also an attribute of its subject (otherwise only the relation counts). ``distinct_objects``: two words that
    are both objects of one caption never become one object (otherwise synonyms always do). ``lenient``: partial credit is the share of
    the shorter tuple, so that (犬, 走る) agrees with (犬, 走る, 道). ``entailed``: a tuple also counts if it follows from the other side by
    inference rules (``spice_core.inference``); precision and recall then count each side separately.
    """

    merge_similar: bool
    implicit_objects: bool
    match_smaller_side: bool
    partial_credit: bool = False
    action_attributes: bool = False
    distinct_objects: bool = False
    lenient: bool = False
    entailed: bool = False


SPICE = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False)
# The 2023 program merges equal strings: representative spellings of last words, which the synonym source
# ``sudachi+representative`` provides (傘 for 折りたたみ傘, one spelling for さす and 差す).
JASPICE = Scheme(merge_similar=False, implicit_objects=False, match_smaller_side=True)
PARTS = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False, partial_credit=True)
ACTIONS = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False, action_attributes=True)
DISTINCT = Scheme(merge_similar=True, implicit_objects=True, match_smaller_side=False, action_attributes=True, distinct_objects=True)
LENIENT = Scheme(
    merge_similar=True, implicit_objects=True, match_smaller_side=False, partial_credit=True, distinct_objects=True, lenient=True
)
ENTAILED = replace(DISTINCT, entailed=True)
SCHEMES = {
    "spice": SPICE,
    "jaspice": JASPICE,
    "parts": PARTS,
    "actions": ACTIONS,
    "distinct": DISTINCT,
    "lenient": LENIENT,
    "entailed": ENTAILED,
}
