"""Test Holm's correction and Cohen's kappa: hand-computed values, and properties for all p-values and labels."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core.stats.bootstrap import adjust_by_holm
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
