"""Probable causes of unmatched tuples, against judgements of 200 tuples of machine captions."""

from __future__ import annotations

from itertools import groupby

import pytest

from spice_core import Spice
from spice_core.explain.causes import Cause
from spice_core.explain.explanation import Explanation
from spice_core.scene.matching import MatchState
from tests.conftest import GOLD, rows

JUDGED, OTHERS = rows(GOLD / "causes_en.jsonl"), rows(GOLD / "causes_en_other.jsonl")


def suggested(spice: Spice, candidate, references, words: tuple[str, ...]) -> str:
    explanation = Explanation.of(spice.compute(candidate, references), spice)
    (row,) = (row for row in explanation.rows if row.parts == words and not row.partner)
    found = explanation.details(row.id).cause
    return found.cause if found else ""


@pytest.mark.parametrize(
    ("candidate", "references", "words", "cause"),
    [
        ([["umbrella", "red"]], [[["umbrella", "blue"]]] * 3, ("umbrella", "red"), Cause.OTHER_VALUE),
        ([["dog", "chase", "cat"]], [[["dog", "chase", "ball"]]] * 3, ("dog", "chase", "cat"), Cause.OTHER_VALUE),
        ([["dog"]], [[["animal"]]] * 3, ("dog",), Cause.NEAR_WORD),
        (
            [["dog", "on", "table"]],
            [[["table"], ["dog", "in", "house"], ["cat", "under", "table"]]] * 3,
            ("dog", "on", "table"),
            Cause.ATTACHMENT,
        ),
        ([["dog", "on", "cat"]], [[["cat", "near", "man"], ["dog", "in", "house"]]] * 3, ("dog", "on", "cat"), Cause.ATTACHMENT),
        ([["zebra"]], [[["lamp"]]] * 3, ("zebra",), Cause.UNSUPPORTED),
        ([["zebra"]], [[["lamp"]]] * 3, ("lamp",), Cause.LEFT_OUT),
        ([["zebra"]], [[["lamp"]], [["zebra"]], [["zebra"]]], ("lamp",), Cause.FEW_REFERENCES),
        ([["zebra"]], [[["lamp"]]], ("lamp",), ""),
    ],
)
def test_causes_of_given_tuples(candidate, references, words, cause):
    assert suggested(Spice(), candidate, references, words) == cause


@pytest.mark.parser
@pytest.mark.parametrize(
    ("judged", "first", "accepted"),
    [
        pytest.param(JUDGED, 138, 168, id="read while the thresholds were set"),
        pytest.param(OTHERS, 144, 184, id="judged before, never tuned on"),
    ],
)
def test_causes_agree_with_judgements(judged, first, accepted):
    """The first cause of a row is the judge's; the others were accepted as well."""
    spice, found = Spice(), []
    for (candidate, references), group in groupby(judged, key=lambda row: (row["candidate"], tuple(row["references"]))):
        explanation = Explanation.of(spice.compute(candidate, references), spice)
        for each in group:
            state = MatchState.EXTRA if each["side"] == "extra" else MatchState.MISSING
            row = next((r for r in explanation.rows if list(r.parts) == each["tuple"] and r.state is state), None)
            suggestion = explanation.details(row.id).cause if row else None
            found.append((suggestion.cause if suggestion else "", each["causes"]))
    assert len(found) == 200
    assert sum(cause == causes[0] for cause, causes in found) >= first
    assert sum(cause in causes for cause, causes in found) >= accepted
