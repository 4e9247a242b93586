"""Schemes for merging words and counting tuples: those of SPICE and JaSPICE, and variants such as partial credit or distinct objects."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Scheme:
    """Scheme for merging words and counting tuples.

    Attributes:
        merge_similar: Whether similar words become one element, rather than only equal words.
        implicit_objects: Whether everything with an attribute or a relation is an object, rather than only stated objects.
        match_smaller_side: Whether matches are counted from the side with fewer tuples, rather than from the candidate.
        partial_credit: Whether a tuple counts by the share of its parts that agree, provided that its attribute word or the label of
            its relation agrees. Otherwise all parts must agree.
        action_attributes: Whether the verb of a relation is also an attribute of its subject.
        distinct_objects: Whether two words that are both objects of one caption remain different objects even if they are synonyms.
        lenient: Whether partial credit is the share of the shorter tuple's parts, so that (dog, run) fully agrees with (dog, run, road).
        entailed: Whether a tuple also counts if it follows from the other side by inference rules (``spice_core.inference``). Precision
            and recall then count each side separately. Partial credit is as in the scheme of the rules.
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
# JaSPICE merges only equal words. The synonym source ``sudachi+representative`` first replaces each phrase by the representative
# spelling of its last word: 傘 ("umbrella") for 折りたたみ傘 ("folding umbrella"), and 差す for さす.
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
