"""The bootstrap is seeded and paired, equals manual resampling, and excludes undefined values."""

import math

import numpy as np
import pytest

from spice_core.errors import InputError
from spice_core.stats import bootstrap
from spice_core.stats.bootstrap import estimate_interval, paired_p_value, resampled_means


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
