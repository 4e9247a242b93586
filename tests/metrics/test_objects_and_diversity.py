"""Hallucinated objects, and the diversity of several captions of an image."""

import math

import pytest

from spice_core import Spice
from spice_core.metrics.measure import corpus_scores, metric_signatures, segment_scores

NAMES = ["CHAIR-i", "CHAIR-s", "AllSPICE", "self-similarity"]
REFERENCES = ["a brown dog lies on a couch", "a red couch"]
ITEMS = [
    ("a dog and a cat on a sofa", REFERENCES), ("a vehicle", ["a red car"]), ("a brown dog on a red couch", REFERENCES),
    ("something is there", ["a red car on a road"]),
]  # fmt: skip

pytestmark = pytest.mark.parser


def test_objects_that_no_reference_entails_are_hallucinated():
    scores = segment_scores(ITEMS, NAMES[:2])
    assert scores["CHAIR-i"][:3] == [1 / 3, 0, 0] and scores["CHAIR-s"][:3] == [1, 0, 0]
    estimates = corpus_scores(ITEMS[:3], {name: values[:3] for name, values in scores.items()}, Spice())
    assert (estimates["CHAIR-i"].value, estimates["CHAIR-s"].value) == (1 / 6, pytest.approx(1 / 3))


def test_captions_of_an_image_are_merged_and_compared():
    spice = Spice()
    scores = segment_scores(ITEMS, NAMES[2:], spice=spice)
    first, second = ITEMS[0][0], ITEMS[2][0]
    assert scores["self-similarity"][0] == scores["self-similarity"][2] == spice.compute(first, [second]).f1
    assert math.isnan(scores["self-similarity"][1])
    assert scores["AllSPICE"][0] == scores["AllSPICE"][2] > spice.compute(first, REFERENCES).f1
    assert scores["AllSPICE"][1] == spice.compute(*ITEMS[1]).f1
    means = corpus_scores(ITEMS, scores, spice)
    assert means["self-similarity"].value == scores["self-similarity"][0]
    assert means["AllSPICE"].value == pytest.approx((scores["AllSPICE"][0] + sum(scores["AllSPICE"][1::2])) / 3)


def test_the_order_of_captions_does_not_matter_and_signatures_differ():
    scores, reversed_scores = (segment_scores(items, NAMES) for items in (ITEMS, ITEMS[::-1]))
    for name in NAMES:
        assert scores[name] == pytest.approx(reversed_scores[name][::-1], nan_ok=True)
    assert len({*metric_signatures(NAMES, Spice())}) == 4
