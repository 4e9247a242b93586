"""Test captions with an exchanged word, and weights that distinguish wrong words from right ones."""

import json
import math

import pytest

from spice_core import Spice
from spice_core.metrics.soft.support import SupportFeatures
from spice_core.questions import Question
from tests.conftest import DATA, rows
from tools.benchmarks.dsg_match import dsg_tuples, match_flags
from tools.build_support import ExchangeFeatures, RatedFeatures, auc, fit_weights, measure, read_captions
from tools.wrong_words import CaptionWithReferences, Exchange, Exchanger

SAMPLE = DATA.parents[1] / "assets" / "samples" / "capeval1k.jsonl"


@pytest.mark.parser
def test_one_word_is_exchanged_for_an_unsupported_one():
    right_captions = [CaptionWithReferences(str(row["image_id"]), row["refs"][0], tuple(row["refs"][1:])) for row in rows(SAMPLE)[:60]]
    exchanges, repeated_exchanges = (
        list(map(Exchanger(right_captions, Spice()).exchange, seeds_)) for seeds_ in (right_captions, right_captions[:12])
    )
    assert repeated_exchanges == exchanges[:12]  # the same seed exchanges the same words
    made_exchanges = [exchange for exchange in exchanges if exchange]
    assert len(made_exchanges) >= 12 and {exchange.kind for exchange in made_exchanges} == {"object", "attribute", "relation"}
    for exchange in made_exchanges:
        text_before, text_after = (
            exchange.right_caption.caption[: exchange.start],
            exchange.wrong_text[exchange.start + len(exchange.word) :],
        )
        assert exchange.wrong_text == text_before + exchange.word + text_after and exchange.right_caption.caption.endswith(text_after)
        assert not any(
            exchange.word in text.lower().split() for text in (exchange.right_caption.caption, *exchange.right_caption.references)
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


def make_pair(right_value: float, wrong_value: float) -> ExchangeFeatures:
    exchange = Exchange(CaptionWithReferences("", "", ()), "", 0, "", "object")
    return ExchangeFeatures(
        exchange,
        [support_features(right_value), support_features(0.9)],
        [support_features(wrong_value), support_features(0.9)],
        [True, False],
    )


def test_the_weights_follow_the_informative_feature():
    exchange_features, rated_features = (
        [make_pair(0.8, 0.3), make_pair(0.7, 0.2), make_pair(0.9, 0.4)] * 5,
        [RatedFeatures([support_features(0.3)], False), RatedFeatures([support_features(0.8)], True)],
    )
    known_weights = fit_weights(exchange_features, rated_features)
    assert (
        known_weights["object"]["nearest"] > 1
        and abs(known_weights["object"]["loss"]) < 1e-6
        and not any(known_weights["relation"].values())
    )
    assert measure(exchange_features, rated_features, known_weights) == measure(exchange_features, rated_features, None) == (1, 1, 1)


def test_the_area_under_the_curve_is_exact():
    table = [([3, 4], [1, 2], 1), ([1, 2], [3, 4], 0), ([1, 1], [1, 1], 0.5), ([1, 3], [2], 0.5), ([2, 3], [1, 2], 0.875)]
    assert [auc(high_values, low_values) for high_values, low_values, _ in table] == [expected_area for *_, expected_area in table]
    assert math.isnan(auc([], [1.0])) and math.isnan(auc([1.0], []))


DSG_MATCHES = [  # our tuple in DSG's notation, DSG's tuples, whether ours is matched, and how many of DSG's are matched
    ("entity - whole (dogs)", ["entity - whole (dog)"], True, 1),
    ("entity - whole (dogs)", ["attribute - state (dog, sleep)"], False, 0),
    ("entity - whole (people)", ["entity - whole (group of people)"], True, 1),
    ("entity - whole (hong)", ["entity - whole (hong kong)"], False, 0),
    ("attribute - type (gloves, boxing)", ["entity - whole (boxing gloves)"], True, 1),
    ("attribute - color (flowers, red)", ["relation - spatial (red flowers, vase, in)"], True, 0),
    ("relation - spatial (slice of pizza, pizza, of)", ["entity - whole (slice of pizza)"], True, 0),
    ("relation - spatial (dirt, hydrant, surround)", ["relation - spatial (hydrant, dirt, surrounded by)"], True, 1),
    ("relation - spatial (dog, cat, near)", ["relation - spatial (cat, dog, chase)"], False, 0),
]


def question(dsg: str) -> Question:
    kind, _, parts = dsg.rstrip(")").partition(" (")
    broad_kind, detail = kind.split(" - ")
    names = tuple(parts.split(", "))
    return Question(dsg, "", names, (broad_kind, detail), names, (), "", "")


def row(*tuples: str) -> dict:
    kinds = [tuple_text.partition(" (")[0].split(" - ") for tuple_text in tuples]
    return {
        "tuples": [
            {"tuple": tuple_text, "proposition_id": str(i), "dependency": "0", "category_broad": kind[0], "category_detailed": kind[1]}
            for i, (tuple_text, kind) in enumerate(zip(tuples, kinds), 1)
        ]
    }


@pytest.mark.parametrize(("own_question", "dsg", "hit", "hits"), DSG_MATCHES)
def test_tuples_with_the_same_meaning_match(own_question, dsg, hit, hits):
    own_flags, dsg_flags = match_flags([question(own_question)], dsg_tuples(row(*dsg)), is_strict=False)
    assert (own_flags, sum(dsg_flags)) == ([hit], hits)


def test_an_object_that_only_a_matched_relation_names_is_matched_unless_strict():
    asked_questions = [question("entity - whole (elbow)"), question("relation - spatial (arm, elbow, bent at)")]
    other = dsg_tuples(row("attribute - state (arm, bent at the elbow)"))
    assert match_flags(asked_questions, other, is_strict=False)[0] == [True, True]
    assert match_flags(asked_questions, other, is_strict=True)[0] == [False, True]
    assert match_flags([asked_questions[0]], other, is_strict=False)[0] == [False]
