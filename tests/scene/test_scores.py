"""Ratios from counts, their corner cases, categories and averages."""

from __future__ import annotations

import math

import pytest

from spice_core import Spice
from spice_core.evaluation.averages import Means, MeanScore
from spice_core.scene.scores import Score

CORNERS = [
    # matched, candidate, reference, strict → P, R, F
    (2, 4, 5, False, 0.5, 0.4, 4 / 9),
    (0, 3, 2, False, 0.0, 0.0, 0.0),
    (0, 0, 2, True, 0.0, 0.0, 0.0),  # an empty candidate scores 0
    (0, 3, 0, True, 0.0, 0.0, 0.0),  # an empty reference gives 0 overall …
    (0, 0, 0, True, 0.0, 0.0, 0.0),
    (0, 3, 0, False, math.nan, math.nan, math.nan),  # … and is undefined in a category
    (3, 3, 2, False, 1.0, 1.5, 1.2),  # several candidate tuples may take one reference tuple
]


@pytest.mark.parametrize(("matched", "candidate", "reference", "strict", "p", "r", "f"), CORNERS)
def test_ratios(matched, candidate, reference, strict, p, r, f):
    score = Score(matched, candidate, reference, strict)
    assert (score.precision, score.recall, score.f1) == pytest.approx((p, r, f), nan_ok=True)


def test_undefined_ratios_are_null_in_json():
    json = Score(0, 1, 0).as_reference_json()
    assert json == {"f": None, "pr": None, "re": None, "tp": 0, "fp": 1, "fn": 0, "numImages": 1}


def mean(*images: Score) -> MeanScore:
    means = Means()
    for image in images:
        means.add({"Color": image})
    return means.means()["Color"]


def test_the_mean_leaves_undefined_images_out_and_sums_their_counts():
    average = mean(Score(1, 2, 2), Score(0, 3, 0), Score(1, 1, 1))
    assert (average.f1, average.images, average.matched, average.candidate) == (0.75, 2, 2, 6)
    assert math.isnan(mean(Score(0, 0, 0)).f1)


def test_categories_hold_attributes_of_exactly_one_listed_word():
    spice = Spice(categories={"Material": ["wooden", "metal"]})
    candidate = [["bench", "wooden"], ["bench", "brown"], ["dog", "two"], ["dog", "big"]]
    references = [[["bench", "wooden"], ["bench", "red"], ["dog", "big"]], [["dog", "large"], ["bench", "metal"]]]
    scores = spice.compute(candidate, references).scores
    assert scores["Material"] == Score(1, 1, 2)
    assert scores["Color"] == Score(0, 1, 1)
    assert scores["Cardinality"] == Score(0, 1, 0)
    assert scores["Size"] == Score(0, 1, 0)  # "big/large" is a merged concept and falls in no category
