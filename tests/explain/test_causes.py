"""Probable causes of unmatched tuples, against judgements of 200 tuples of machine captions."""

from __future__ import annotations

from itertools import groupby

import pytest

from spice_core import Spice
from spice_core.explain.causes import Cause
from spice_core.explain.explanation import Explanation
from tests.conftest import GOLD, rows

JUDGED = rows(GOLD / "causes_en.jsonl")


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
def test_causes_agree_with_judgements():
    """The first cause of a row is the judge's; the others were accepted as well. Read while the thresholds were set."""
    spice, first, accepted = Spice(), 0, 0
    for (candidate, references), group in groupby(JUDGED, key=lambda row: (row["candidate"], tuple(row["references"]))):
        explanation = Explanation.of(spice.compute(candidate, references), spice)
        for judged in group:
            row = next((r for r in explanation.rows if list(r.parts) == judged["tuple"] and not r.partner), None)
            found = explanation.details(row.id).cause if row else None
            first += bool(found) and found.cause == judged["causes"][0]
            accepted += bool(found) and found.cause in judged["causes"]
    assert len(JUDGED) == 200 and first >= 138 and accepted >= 168
