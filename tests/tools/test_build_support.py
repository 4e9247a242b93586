"""Test captions with a replaced word, and weights that distinguish wrong words from right ones."""

import json
import math

import pytest

from spice_core import Spice
from spice_core.metrics.soft.support import SupportFeatures
from tests.conftest import DATA, rows
from tools.build_support import RatedFeatures, ReplacementFeatures, auc, fit_weights, measure, read_captions
from tools.wrong_words import CaptionWithReferences, Replacement, WordReplacer

SAMPLE = DATA.parents[1] / "assets" / "samples" / "capeval1k.jsonl"


def test_one_word_is_replaced_by_an_unsupported_one():
    right_captions = [CaptionWithReferences(str(row["image_id"]), row["refs"][0], tuple(row["refs"][1:])) for row in rows(SAMPLE)[:60]]
    replacements, repeated_replacements = (
        list(map(WordReplacer(right_captions, Spice()).replace_word, seeds_)) for seeds_ in (right_captions, right_captions[:12])
    )
    assert repeated_replacements == replacements[:12]  # the same seed replacements the same words
    made_replacements = [replacement for replacement in replacements if replacement]
    assert len(made_replacements) >= 12 and {replacement.kind for replacement in made_replacements} == {"object", "attribute", "relation"}
    for replacement in made_replacements:
        text_before = replacement.right_caption.caption[: replacement.start]
        text_after = replacement.wrong_text[replacement.start + len(replacement.word) :]
        assert replacement.wrong_text == text_before + replacement.word + text_after and replacement.right_caption.caption.endswith(
            text_after
        )
        assert not any(
            replacement.word in text.lower().split() for text in (replacement.right_caption.caption, *replacement.right_caption.references)
        )


@pytest.mark.parametrize(("row", "expected_rows"), [
    ({"image_id": 7, "captions": ["a", "b", "c"]}, (CaptionWithReferences("7", "a", ("b", "c")), None)),
    ({"image_id": 7, "candidate": "a", "references": ["b"], "rating": 0.4}, (CaptionWithReferences("7", "a", ("b",)), 0.4)),
    ({"sentence1": "a", "sentence2": "b", "similarity": 4.0}, (CaptionWithReferences("0", "a", ("b",)), 0.8)),
])  # fmt: skip
def test_files_of_three_kinds_are_read(row, expected_rows, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert list(read_captions(tmp_path / "a.jsonl")) == [expected_rows]


def support_features(nearest: float) -> SupportFeatures:
    return SupportFeatures("object", nearest, 0.5, 0, 0, 0.5, 0, 0)


def make_pair(right_value: float, wrong_value: float) -> ReplacementFeatures:
    replacement = Replacement(CaptionWithReferences("", "", ()), "", 0, "", "object")
    return ReplacementFeatures(
        replacement,
        [support_features(right_value), support_features(0.9)],
        [support_features(wrong_value), support_features(0.9)],
        [True, False],
    )


def test_the_weights_follow_the_informative_feature():
    replacement_features = [make_pair(0.8, 0.3), make_pair(0.7, 0.2), make_pair(0.9, 0.4)] * 5
    rated_features = [RatedFeatures([support_features(0.3)], False), RatedFeatures([support_features(0.8)], True)]
    known_weights = fit_weights(replacement_features, rated_features)
    assert known_weights["object"]["nearest"] > 1
    assert abs(known_weights["object"]["loss"]) < 1e-6
    assert not any(known_weights["relation"].values())
    assert measure(replacement_features, rated_features, known_weights) == measure(replacement_features, rated_features, None) == (1, 1, 1)


def test_the_area_under_the_curve_is_exact():
    table = [([3, 4], [1, 2], 1), ([1, 2], [3, 4], 0), ([1, 1], [1, 1], 0.5), ([1, 3], [2], 0.5), ([2, 3], [1, 2], 0.875)]
    assert [auc(high_values, low_values) for high_values, low_values, _ in table] == [expected_area for *_, expected_area in table]
    assert math.isnan(auc([], [1.0])) and math.isnan(auc([1.0], []))
