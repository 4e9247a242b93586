"""Test statistics: agreement, the bootstrap and correlations."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core.errors import InputError
from spice_core.stats import bootstrap
from spice_core.stats.bootstrap import adjust_by_holm, estimate_interval, paired_p_value, resampled_means
from spice_core.stats.correlation import COEFFICIENT_NAMES, RatingCorrelation
from spice_core.stats.kappa import cohens_kappa

NAN = math.nan
P_VALUES = st.lists(st.one_of(st.floats(0, 1), st.just(NAN)), max_size=12)


@pytest.mark.parametrize(("raw_values", "adjusted"), [
    ([], []), ([0.03], [0.03]),
    ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # a common textbook example
    ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]), ([0.6, 0.7], [1.0, 1.0]),
    ([NAN, 0.02, NAN, 0.03], [NAN, 0.04, NAN, 0.04]),  # nan does not count as a test
    ([NAN], [NAN]),
])  # fmt: skip
def test_corrected_p_values_equal_values_computed_by_hand(raw_values, adjusted):
    assert adjust_by_holm(raw_values) == pytest.approx(adjusted, nan_ok=True)


@settings(max_examples=50)
@given(P_VALUES)
def test_corrected_values_keep_the_order_and_reject_as_many_as_the_steps(raw_values):
    pairs = list(zip(raw_values, adjust_by_holm(raw_values), strict=True))
    assert [math.isnan(p) for p, _ in pairs] == [math.isnan(q) for _, q in pairs]
    known_pairs = sorted((p, q) for p, q in pairs if not math.isnan(p))
    assert all(p <= q <= 1 for p, q in known_pairs)
    assert [q for _, q in known_pairs] == sorted(q for _, q in known_pairs)
    # Holm (1979): reject hypotheses from the smallest p on, as long as p is at most α divided by the number of remaining tests.
    alpha, tests, is_rejected = 0.05, sorted(p for p in raw_values if not math.isnan(p)), 0
    while is_rejected < len(tests) and (len(tests) - is_rejected) * tests[is_rejected] <= alpha:
        is_rejected += 1
    assert sum(q <= alpha for q in adjust_by_holm(raw_values)) == is_rejected


def label_pairs(**counts: int) -> list[tuple[str, str]]:
    """Return pairs of labels: ``ab=3`` means three units labelled a by the first and b by the second annotator."""
    return [(name[0], name[1]) for name, count in counts.items() for _ in range(count)]


@pytest.mark.parametrize(("labels", "raw_agreement", "kappa"), [
    (label_pairs(yy=20, yn=5, ny=10, nn=15), 0.7, 0.4),  # chance: .5 × .6 + .5 × .4 = .5
    (label_pairs(yy=45, yn=15, ny=25, nn=15), 0.6, 0.06 / 0.46),  # chance: .6 × .7 + .4 × .3 = .54
    (label_pairs(yy=25, yn=35, ny=5, nn=35), 0.6, 0.14 / 0.54),  # the same raw agreement, chance: .6 × .3 + .4 × .7 = .46
    (label_pairs(aa=88, ab=14, ac=18, ba=10, bb=40, bc=10, ca=2, cb=6, cc=12), 0.7, 0.29 / 0.59),  # .6 × .5 + .3 × .3 + .1 × .2 = .41
    (label_pairs(aa=3, bb=4), 1.0, 1.0),
    (label_pairs(ab=2, ba=2), 0.0, -1.0),  # chance: .5
    (label_pairs(aa=1, ab=1, ba=1, bb=1), 0.5, 0.0),
    (label_pairs(aa=5, ab=5), 0.5, 0.0),  # one annotator uses only one label
    (label_pairs(aa=7), 1.0, math.nan),  # both annotators use only one label: 0 / 0
    (label_pairs(ab=7), 0.0, 0.0),  # each annotator uses only one label, but different ones
    ([], math.nan, math.nan),
])  # fmt: skip
def test_kappa_equals_values_computed_by_hand(labels, raw_agreement, kappa):
    agreement = cohens_kappa(labels)
    assert agreement.n == len(labels) == agreement.table.total()
    assert (agreement.raw, agreement.kappa.value) == pytest.approx((raw_agreement, kappa), nan_ok=True)
    assert cohens_kappa([(b, a) for a, b in labels]).kappa.value == pytest.approx(kappa, nan_ok=True)


def test_intervals_match_theory_and_units_of_a_caption_are_resampled_together():
    agreement = cohens_kappa(label_pairs(yy=200, yn=50, ny=100, nn=150)).kappa
    half_width = 1.96 * math.sqrt(0.7 * 0.3 / (500 * 0.5**2))  # Cohen (1960): √(pₒ(1−pₒ) / n(1−pₑ)²)
    assert (agreement.low, agreement.high) == pytest.approx((0.4 - half_width, 0.4 + half_width), abs=0.02)
    labels = label_pairs(yy=20, yn=5, ny=10, nn=15)
    repeated_pairs = [pair for pair in labels for _ in range(4)]
    single_interval, joint_interval = cohens_kappa(labels), cohens_kappa(repeated_pairs, [i for i in range(50) for _ in range(4)])
    assert joint_interval.n == 200 and joint_interval.kappa == pytest.approx(single_interval.kappa)
    separate_agreement = cohens_kappa(repeated_pairs).kappa
    assert separate_agreement.high - separate_agreement.low < 0.7 * (single_interval.kappa.high - single_interval.kappa.low)
    agreement = cohens_kappa(label_pairs(aa=9, bb=1))
    assert (agreement.kappa.value, agreement.kappa.low, agreement.kappa.high) == (1, 1, 1)
    assert math.isnan(cohens_kappa(label_pairs(aa=3)).kappa.low)
    agreement = cohens_kappa(label_pairs(aa=3, bb=2), ["only"] * 5).kappa
    assert agreement.value == 1 and math.isnan(agreement.low)


@pytest.fixture
def values() -> np.ndarray:
    rng = np.random.default_rng(1)
    table = rng.random((300, 3))
    table[rng.random(table.shape) < 0.3] = np.nan
    return table


def test_the_bootstrap_equals_manual_resampling_also_in_chunks(values, monkeypatch):
    rng = np.random.default_rng(7)
    drawn_means = [np.nanmean(values[rng.integers(0, 300, 300, dtype=np.int32)], axis=0) for _ in range(50)]
    assert resampled_means(values, 50, seed=7) == pytest.approx(np.array(drawn_means))
    all_means = resampled_means(values, 40, seed=3)
    monkeypatch.setattr(bootstrap, "_MAX_CELLS_PER_BLOCK", 2000)
    assert (resampled_means(values, 40, seed=3) == all_means).all()
    assert not (resampled_means(values, 40, seed=4) == all_means).all()


def test_the_interval_matches_theory_and_p_separates_differences_from_noise():
    rng = np.random.default_rng(0)
    values = rng.normal(0.5, 0.1, (2500, 1))
    mean = float(values.mean())
    estimate = estimate_interval(mean, resampled_means(values, 4000)[:, 0])
    assert (estimate.low - mean, estimate.high - mean) == pytest.approx((-1.96 * 0.002, 1.96 * 0.002), rel=0.1)
    for shift, lower_bound, upper_bound in [(0.0, 0.05, 1.0), (0.1, 0.0, 0.01), (-0.1, 0.0, 0.01)]:
        rng = np.random.default_rng(5)
        a = rng.random(400)
        b = a + rng.normal(0, 0.1, 400) + shift
        means = resampled_means(np.stack([a, b], axis=1))
        assert lower_bound < paired_p_value(float((b - a).mean()), means[:, 1] - means[:, 0]) <= upper_bound


def test_equal_systems_have_a_p_value_of_1():
    equal_means = resampled_means(np.ones((10, 2)), 20)
    assert paired_p_value(0.0, equal_means[:, 1] - equal_means[:, 0]) == 1.0


def test_without_values_all_results_are_nan():
    undefined_means = resampled_means(np.full((10, 1), np.nan), 20)
    assert np.isnan(undefined_means).all() and math.isnan(paired_p_value(math.nan, undefined_means[:, 0]))
    assert math.isnan(estimate_interval(math.nan, undefined_means[:, 0]).low)
    empty_means = resampled_means(np.empty((0, 2)), 5)
    assert empty_means.shape == (5, 2) and np.isnan(empty_means).all()


def test_fewer_than_six_images_give_neither_p_value_nor_interval():
    # With fewer than six images, no exact test can reach .05.
    assert 2 / 2**bootstrap.MIN_PAIRS < 0.05 < 2 / 2 ** (bootstrap.MIN_PAIRS - 1)
    unit_values = np.ones(20)
    for count in (0, 1, 5):
        assert math.isnan(paired_p_value(1.0, unit_values, count=count))
        assert math.isnan(estimate_interval(1.0, unit_values, count=count).low)
    assert paired_p_value(1.0, unit_values, count=6) == 1 / 21 and estimate_interval(1.0, unit_values, count=6) == (1, 1, 1)


def test_an_invalid_number_of_resamples_is_refused(values):
    # The number is checked before memory is allocated.
    for resamples in [-1, 0, 100_001, 10**12]:
        with pytest.raises(InputError, match=f"^resamples: found {resamples}, expected 1 to 100,000$"):
            resampled_means(values, resamples)


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
    return RatingCorrelation([score for score, _ in items], [ratings for _, ratings in items]).coefficients()


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
    weighted = RatingCorrelation([score for score, _ in items], [ratings for _, ratings in items]).coefficients(np.array(weights, float))
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
