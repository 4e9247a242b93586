"""Holm's correction: values computed by hand, and what holds for all p-values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spice_core.stats.multiple_testing import holm

NAN = math.nan
P_VALUES = st.lists(st.one_of(st.floats(0, 1), st.just(NAN)), max_size=12)


@pytest.mark.parametrize(
    ("raw", "adjusted"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # the example of many textbooks
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.6, 0.7], [1.0, 1.0]),
        ([NAN, 0.02, NAN, 0.03], [NAN, 0.04, NAN, 0.04]),  # two tests, not four
        ([NAN], [NAN]),
    ],
)
def test_the_same_as_by_hand(raw, adjusted):
    assert holm(raw) == pytest.approx(adjusted, nan_ok=True)


@given(P_VALUES)
def test_corrected_values_keep_the_order_and_are_never_smaller(raw):
    pairs = list(zip(raw, holm(raw), strict=True))
    assert [math.isnan(p) for p, _ in pairs] == [math.isnan(q) for _, q in pairs]
    known = sorted((p, q) for p, q in pairs if not math.isnan(p))
    assert all(p <= q <= 1 for p, q in known)
    assert [q for _, q in known] == sorted(q for _, q in known)


@given(P_VALUES)
def test_as_many_are_rejected_as_the_steps_reject(raw):
    """The definition of 1979: from the smallest p on, as long as it is at most α over the number of tests left."""
    alpha, tests, rejected = 0.05, sorted(p for p in raw if not math.isnan(p)), 0
    while rejected < len(tests) and (len(tests) - rejected) * tests[rejected] <= alpha:
        rejected += 1
    assert sum(q <= alpha for q in holm(raw)) == rejected
