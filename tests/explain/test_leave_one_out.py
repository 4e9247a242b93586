"""Scores without some of the references."""

from __future__ import annotations

import itertools

import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.explain.leave_one_out import leave_one_out, without

CANDIDATE = "A young girl holding a racket on a court."
REFERENCES = ["A girl holds a tennis racquet.", "A woman on a tennis court.", "A child plays tennis.", "A young girl on grass."]


@pytest.mark.parser
def test_any_subset_scores_as_the_subset_alone(spice):
    result = spice.compute(CANDIDATE, REFERENCES)
    for count in range(len(REFERENCES)):
        for left_out in itertools.combinations(range(len(REFERENCES)), count):
            kept = [r for i, r in enumerate(REFERENCES) if i not in left_out]
            rest = without(spice, result, left_out)
            assert (rest.scores, rest.signature) == (spice.compute(CANDIDATE, kept).scores, result.signature)
    assert without(spice, result, range(len(REFERENCES))) is None


@pytest.mark.parser
def test_leaving_out_one_after_the_other(spice):
    result = spice.compute(CANDIDATE, REFERENCES)
    found = leave_one_out(spice, result)
    assert [w.reference for w in found] == [0, 1, 2, 3]
    for w in found:
        assert (w.f1_change, w.recall_change) == (w.result.f1 - result.f1, w.result.recall - result.recall)
        assert w.precision_change <= 0  # fewer references never match more
    assert min(found, key=lambda w: w.precision_change).reference == 0  # the only one with the racket


def test_a_reference_that_says_nothing_changes_nothing():
    spice = Spice()
    result = spice.compute([["dog"]], [[["dog"], ["sky"]], []])
    assert [w[2:] for w in leave_one_out(spice, result)] == [(-result.f1, -1.0, -0.5), (0.0, 0.0, 0.0)]


def test_a_single_reference():
    spice = Spice()
    result = spice.compute([["dog"]], [[["dog"]]])
    assert leave_one_out(spice, result) == () and without(spice, result, {0}) is None
    with pytest.raises(InputError, match="left_out: found .1., expected positions of references, 0 to 0"):
        without(spice, result, {1})
