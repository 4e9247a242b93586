"""Captions with an exchanged word, and weights that distinguish wrong words from right ones."""

import json
import math

import pytest

from spice_core import Spice
from spice_core.metrics.soft.support import SupportFeatures
from tests.conftest import DATA, rows
from tools.build_support import ExchangeFeatures, RatedFeatures, auc, fit_weights, measure, read_captions
from tools.wrong_words import CaptionWithReferences, Exchange, Exchanger

SAMPLE = DATA.parents[1] / "assets" / "samples" / "capeval1k.jsonl"


@pytest.mark.parser
def test_one_word_is_exchanged_for_an_unsupported_one():
    right = [CaptionWithReferences(str(row["image_id"]), row["refs"][0], tuple(row["refs"][1:])) for row in rows(SAMPLE)[:40]]
    found, again = (list(map(Exchanger(right, Spice()).exchange, some)) for some in (right, right[:12]))
    assert again == found[:12]  # as the seed decides
    made = [each for each in found if each]
    assert len(made) >= 12 and {each.kind for each in made} == {"object", "attribute", "relation"}
    for each in made:
        before, after = each.right.caption[: each.start], each.wrong[each.start + len(each.word) :]
        assert each.wrong == before + each.word + after and each.right.caption.endswith(after)
        assert not any(each.word in text.lower().split() for text in (each.right.caption, *each.right.references))


@pytest.mark.parametrize(("row", "wanted"), [
    ({"image_id": 7, "captions": ["a", "b", "c"]}, (CaptionWithReferences("7", "a", ("b", "c")), None)),
    ({"image_id": 7, "candidate": "a", "references": ["b"], "rating": 0.4}, (CaptionWithReferences("7", "a", ("b",)), 0.4)),
    ({"sentence1": "a", "sentence2": "b", "similarity": 4.0}, (CaptionWithReferences("0", "a", ("b",)), 0.8)),
])  # fmt: skip
def test_files_of_three_kinds(row, wanted, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert list(read_captions(tmp_path / "a.jsonl")) == [wanted]


def support_features(nearest: float) -> SupportFeatures:
    return SupportFeatures("object", nearest, 0.5, 0, 0, 0.5, 0, 0)


def make_pair(right: float, wrong: float) -> ExchangeFeatures:
    exchange = Exchange(CaptionWithReferences("", "", ()), "", 0, "", "object")
    return ExchangeFeatures(
        exchange, [support_features(right), support_features(0.9)], [support_features(wrong), support_features(0.9)], [True, False]
    )


def test_the_weights_follow_the_informative_feature():
    words, rated = (
        [make_pair(0.8, 0.3), make_pair(0.7, 0.2), make_pair(0.9, 0.4)] * 5,
        [RatedFeatures([support_features(0.3)], False), RatedFeatures([support_features(0.8)], True)],
    )
    known = fit_weights(words, rated)
    assert known["object"]["nearest"] > 1 and abs(known["object"]["loss"]) < 1e-6 and not any(known["relation"].values())
    assert measure(words, rated, known) == measure(words, rated, None) == (1, 1, 1)


def test_area_under_the_curve():
    table = [([3, 4], [1, 2], 1), ([1, 2], [3, 4], 0), ([1, 1], [1, 1], 0.5), ([1, 3], [2], 0.5), ([2, 3], [1, 2], 0.875)]
    assert [auc(high, low) for high, low, _ in table] == [wanted for *_, wanted in table]
    assert math.isnan(auc([], [1.0])) and math.isnan(auc([1.0], []))
