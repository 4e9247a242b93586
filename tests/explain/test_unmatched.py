"""The unmatched tuples of a caption with their probable causes."""

from __future__ import annotations

from spice_core import Spice
from spice_core.data.work_file import Unmatched
from spice_core.explain.causes import UNCLEAR, Cause
from spice_core.explain.explanation import Explanation
from spice_core.explain.unmatched import probable_causes, suggestions
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import from_tuples

CANDIDATE = from_tuples([["dog"], ["dog", "red"], ["zebra"]], where="")
REFERENCES = [from_tuples([["dog"], ["dog", "blue"], ["lamp"]], where="")]


def test_each_unmatched_tuple_has_a_cause_or_is_not_clear():
    assert probable_causes(Spice(), CANDIDATE, REFERENCES) == {
        Unmatched(MatchState.EXTRA, ("zebra",)): Cause.UNSUPPORTED,
        Unmatched(MatchState.EXTRA, ("dog", "red")): Cause.OTHER_VALUE,
        Unmatched(MatchState.MISSING, ("lamp",)): UNCLEAR,
        Unmatched(MatchState.MISSING, ("dog", "blue")): Cause.OTHER_VALUE,
    }


def test_tuples_are_named_as_result_files_name_them():
    spice = Spice()
    result = spice.compute(CANDIDATE, REFERENCES)
    found = suggestions(Explanation.of(result, spice))
    assert {tuple_.words for tuple_ in found} == {
        t.words for t in (*result.candidate_tuples, *result.missed) if id(t) not in result.match_of
    }


def test_without_references_there_is_none():
    assert probable_causes(Spice(), CANDIDATE, []) == {}
