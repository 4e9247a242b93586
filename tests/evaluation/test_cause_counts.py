"""Counts of causes: decisions take the place of suggestions, sides are told apart, the most frequent comes first."""

from __future__ import annotations

from spice_core.data.work_file import STATES, Unmatched
from spice_core.evaluation.cause_counts import by_frequency, causes, count_causes
from spice_core.scene.matching import MatchState

RED, BLUE = Unmatched(MatchState.EXTRA, ("dog", "red")), Unmatched(MatchState.MISSING, ("dog", "blue"))
CAT = Unmatched(MatchState.EXTRA, ("cat",))
SUGGESTED = {1: {RED: "other value", BLUE: "other value"}, 2: {CAT: "unsupported", RED: "other value"}}
DECIDED = {2: {RED: "parser"}, 3: {CAT: "unsupported"}}


def told(states=STATES, suggested=SUGGESTED, decided=DECIDED) -> dict[str, tuple[int, int, list]]:
    found = by_frequency(count_causes(suggested, decided), states)
    return {cause: (count.decided, count.suggested, list(count.images)) for cause, count in found.items()}


def test_decisions_take_the_place_of_suggestions():
    assert told() == {"other value": (0, 2, [1]), "unsupported": (1, 1, [2, 3]), "parser": (1, 0, [2])}
    assert list(told()) == ["other value", "unsupported", "parser"]
    assert (2, RED, "parser", True) in causes(SUGGESTED, DECIDED) and (2, RED, "other value", False) not in causes(SUGGESTED, DECIDED)


def test_the_sides_are_told_apart():
    assert told([MatchState.MISSING]) == {"other value": (0, 1, [1])}
    assert list(told([MatchState.EXTRA])) == ["unsupported", "other value", "parser"]


def test_either_may_be_empty():
    assert told(decided={}) == {"other value": (0, 3, [1, 2]), "unsupported": (0, 1, [2])}
    assert told(suggested={}) == {"parser": (1, 0, [2]), "unsupported": (1, 0, [3])} and told(suggested={}, decided={}) == {}
