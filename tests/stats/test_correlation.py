"""Test correlation coefficients against SciPy's, on random and degenerate samples."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core.stats.correlation import COEFFICIENT_NAMES, Ratings

# With few possible values, there are many ties.
RATING_LEVELS = st.integers(-3, 3).map(float)
SCORE_VALUES = st.one_of(RATING_LEVELS, st.integers(0, 1000).map(lambda score: score / 1000))
RATED_SAMPLES = st.lists(st.tuples(SCORE_VALUES, st.lists(RATING_LEVELS, min_size=1, max_size=4)), min_size=1, max_size=20)


def scipy_coefficients(x: list[float], y: list[float]) -> list[float]:
    """Return τb, τc, Pearson's and Spearman's coefficients by SciPy, all nan if a side has no variance."""
    from scipy import stats

    if len(set(x)) < 2 or len(set(y)) < 2:
        return [math.nan] * 4
    results_ = (stats.kendalltau(x, y), stats.kendalltau(x, y, variant="c"), stats.pearsonr(x, y), stats.spearmanr(x, y))
    return [statistic.statistic for statistic in results_]


def coefficients(items: list[tuple[float, list[float]]]) -> np.ndarray:
    return Ratings([score for score, _ in items], [ratings for _, ratings in items]).coefficients()


@settings(max_examples=60)
@given(RATED_SAMPLES)
def test_coefficients_equal_those_of_scipy(items):
    """The samples include ties, constants and single items. Values agree within 1e-9, including nan."""
    x, y = ([pair[side] for pair in ((score, rating) for score, ratings in items for rating in ratings)] for side in (0, 1))
    assert coefficients(items) == pytest.approx(scipy_coefficients(x, y), abs=1e-9, nan_ok=True)


@settings(max_examples=25)
@given(RATED_SAMPLES, st.lists(st.integers(0, 40), min_size=1, max_size=5))
def test_undefined_scores_are_left_out(items, places):
    gaps = list(items)
    for place in places:
        gaps.insert(min(place, len(gaps)), (math.nan, [1.0, 2.0]))
    assert coefficients(gaps) == pytest.approx(coefficients(items), nan_ok=True)


@settings(max_examples=25)
@given(st.data(), RATED_SAMPLES)
def test_weights_count_items_several_times(data, items):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(items), max_size=len(items)).filter(any))
    repeated_items = [item for item, weight in zip(items, weights) for _ in range(weight)]
    weighted = Ratings([score for score, _ in items], [ratings for _, ratings in items]).coefficients(np.array(weights, float))
    assert weighted == pytest.approx(coefficients(repeated_items), abs=1e-9, nan_ok=True)


@settings(max_examples=25)
@given(RATED_SAMPLES)
def test_opposite_scores_give_opposite_coefficients_within_bounds(items):
    values = coefficients(items)
    assert coefficients([(-score, ratings) for score, ratings in items]) == pytest.approx(-values, abs=1e-9, nan_ok=True)
    assert all(math.isnan(value) or abs(value) <= 1 + 1e-9 for value in values)


def test_a_constant_side_has_no_coefficient():
    """In floating point, the mean of three values of 0.003 is not 0.003, so the variance would not be 0."""
    for items in (
        [(1.0, [2.0])], [(1.0, [1.0, 2.0]), (1.0, [3.0])], [(0.0, [2.0]), (1.0, [2.0, 2.0])], [(0.003, [float(i)]) for i in range(3)],
    ):  # fmt: skip
        assert np.isnan(coefficients(items)).all() and len(COEFFICIENT_NAMES) == 4
