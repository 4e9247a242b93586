"""Two people's causes: only what both labelled is compared, of the same captions, and each disagreement is listed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spice_core.data.results import ScoredItem
from spice_core.data.work_file import Unmatched
from spice_core.evaluation.annotators import Labelled, annotator_agreement, labelled_captions, labelled_tuples, same_captions
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import from_tuples
from spice_core.scene.scores import Score

RED, CAT = Unmatched(MatchState.EXTRA, ("dog", "red")), Unmatched(MatchState.MISSING, ("cat",))
ROW = ScoredItem(1, "A dog.", ("A cat.", from_tuples([["cat"]], where="")), {"All": Score(0, 1, 1)})


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(ROW, signature="another"), {1}),
        (replace(ROW, image_id="1"), set()),
        (replace(ROW, candidate="A dog"), set()),
        (replace(ROW, references=ROW.references[:1]), set()),
        (replace(ROW, references=("A cat.", from_tuples([["cat"]], where=""))), {1}),
    ],
)
def test_the_same_captions(other, same):
    assert same_captions([ROW], [other]) == same


def test_captions_that_both_labelled_are_compared():
    first = {1: ("parser", "a note"), 2: ("rule", ""), 3: ("rule", ""), 4: ("", "a note"), 9: ("rule", "")}
    second = {1: ("parser", ""), 2: ("caption", ""), 4: ("rule", "")}
    found = annotator_agreement(labelled_captions(first, second, [1, 2, 3, 4, 5]))
    assert (found.kappa.n, found.kappa.raw, found.first_alone, found.second_alone) == (2, 0.5, 1, 1)
    assert found.kappa.kappa.value == pytest.approx(1 / 3)  # chance: ½ × ½ + ½ × 0
    assert found.disagreements == (Labelled(2, None, "rule", "caption"),)


def test_tuples_that_both_labelled_are_compared():
    first, second = {1: {RED: "other value", CAT: "left out"}, 2: {RED: "parser"}}, {1: {CAT: "left out"}, 2: {RED: "rule", CAT: "rule"}}
    found = annotator_agreement(labelled_tuples(first, second, [1, 2]))
    assert (found.kappa.n, found.first_alone, found.second_alone) == (2, 1, 1)
    assert found.disagreements == (Labelled(2, RED, "parser", "rule"),)
    assert annotator_agreement(labelled_tuples(first, second, [])).kappa.n == 0
