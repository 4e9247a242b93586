"""Test scores of captions without one word, and against a subset of the references."""

import itertools

import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.explain.leave_one_out import leave_one_out, result_without_references

CANDIDATE = "A young girl holding a racket on a court."
REFERENCES = ["A girl holds a tennis racquet.", "A woman on a tennis court.", "A child plays tennis.", "A young girl on grass."]


def test_the_score_without_references_equals_the_score_against_the_other_references(spice):
    result = spice.compute(CANDIDATE, REFERENCES)
    for count in range(len(REFERENCES)):
        for omitted_indices in itertools.combinations(range(len(REFERENCES)), count):
            remaining_references = [r for i, r in enumerate(REFERENCES) if i not in omitted_indices]
            reduced_result = result_without_references(spice, result, omitted_indices)
            assert (reduced_result.scores, reduced_result.signature) == (
                spice.compute(CANDIDATE, remaining_references).scores,
                result.signature,
            )
    assert result_without_references(spice, result, range(len(REFERENCES))) is None
    result = spice.compute(CANDIDATE, REFERENCES)
    scores_without = leave_one_out(spice, result)
    assert [w.reference for w in scores_without] == [0, 1, 2, 3]
    for w in scores_without:
        assert (w.f1_change, w.recall_change) == (w.result.f1 - result.f1, w.result.recall - result.recall)
        # Removing references never increases precision.
        assert w.precision_change <= 0
    # The first reference is the only one that mentions the racket.
    assert min(scores_without, key=lambda w: w.precision_change).reference == 0
    spice = Spice()
    result = spice.compute([["dog"]], [[["dog"], ["sky"]], []])
    assert [w[2:] for w in leave_one_out(spice, result)] == [(-result.f1, -1.0, -0.5), (0.0, 0.0, 0.0)]

    result = spice.compute([["dog"]], [[["dog"]]])
    assert leave_one_out(spice, result) == () and result_without_references(spice, result, {0}) is None
    with pytest.raises(InputError, match="omitted_indices: found .1., expected positions of references, 0 to 0"):
        result_without_references(spice, result, {1})
