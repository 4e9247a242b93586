"""Test conversion of scored items to result rows and back: missing fields are empty, and invalid ones are named."""

import json
from dataclasses import replace
from functools import reduce
from operator import getitem

import pytest

from spice_core.data.items import Item, caption_json
from spice_core.data.results import RowFields, ScoredItem, ScoredTuple, digest_of, read_results
from spice_core.errors import InputError
from spice_core.scene.propositions import parse_from_tuples
from spice_core.scene.scores import Score, SentenceScore

GIVEN_PARSE = parse_from_tuples([["dog"], ["dog", "brown"]], where="")
SCORES = {"All": Score(1.5, 2, 3, strict=True), "Color": Score(0, 0, 0)}
PLAIN_ITEM = ScoredItem(1, "a dog", ("a cat",), {"All": Score(0, 1, 1, strict=True)}, signature="spice|lang:en")
TUPLES = (ScoredTuple(("dog",), True), ScoredTuple(("dog", "brown"), False)), (ScoredTuple(("cat", "on", "mat"), False),)
FULL_ITEM = ScoredItem(1, GIVEN_PARSE, ("A dog.", GIVEN_PARSE), SCORES, *TUPLES, "spice|lang:ja")
ALL_FIELDS = RowFields(categories=True, detailed=True, lines=True)
ROW = {"image_id": 1, "scores": {"All": {"tp": 1, "fp": 0, "fn": 0}}}


def test_a_row_has_the_fields_of_the_original_and_more():
    row = FULL_ITEM.as_json(ALL_FIELDS)
    assert list(row) == ["image_id", "test", "refs", "scores", "test_tuples", "ref_tuples", "signature", "digest"]
    assert row["test"] == [["dog"], ["dog", "brown"]] and row["refs"] == ["A dog.", row["test"]]
    assert row["test_tuples"][1] == {"tuple": ["dog", "brown"], "truth_value": False}
    assert (row["scores"]["All"]["tp"], row["scores"]["Color"]["f"]) == (1.5, None)
    assert list(PLAIN_ITEM.as_json(RowFields())) == ["image_id", "scores"]
    assert list(FULL_ITEM.as_json(RowFields(lines=True))["scores"]) == ["All"]


def test_a_row_survives_a_round_trip_and_missing_fields_are_empty():
    restored_row = ScoredItem.from_json(json.loads(json.dumps(FULL_ITEM.as_json(ALL_FIELDS))))
    assert restored_row.as_json(ALL_FIELDS) | {"digest": ""} == FULL_ITEM.as_json(ALL_FIELDS) | {"digest": ""}
    assert (list(restored_row.extra), list(restored_row.missing)) == ([("dog", "brown")], [("cat", "on", "mat")])
    assert restored_row.overall == SCORES["All"]
    assert caption_json("A dog.") == "A dog." and caption_json(GIVEN_PARSE) == [["dog"], ["dog", "brown"]]
    assert ScoredItem.from_json(ROW) == ScoredItem(1, "", (), {"All": Score(1, 1, 1, strict=True)})


def test_sentences_are_written_and_read_back():
    sentences = (SentenceScore(0, "A dog.", 1, 1), SentenceScore(1, "Overall, it is calm.", 0, 0))
    row = replace(PLAIN_ITEM, sentences=sentences).as_json(RowFields(sentences=True))
    assert list(row) == ["image_id", "scores", "sentences"] and (row["sentences"][0]["pr"], row["sentences"][1]["re"]) == (1, None)
    assert ScoredItem.from_json(json.loads(json.dumps(row))).sentences == sentences


def test_an_item_and_its_result_have_the_same_digest():
    item = Item(1, GIVEN_PARSE, ("A dog.", GIVEN_PARSE))
    assert digest_of(item, "spice|lang:ja") == FULL_ITEM.as_json(ALL_FIELDS)["digest"][:32]
    assert digest_of(item, "spice|lang:xx") != FULL_ITEM.as_json(ALL_FIELDS)["digest"][:32]


CHANGED_ROW = "digest: found a row that was changed after it was scored, expected the row that spice-core score wrote"


@pytest.mark.parametrize(("changes", "message"), [
    ({"scores.All.tp": 2}, "scores.All.f: found 0.6, expected 0.667, the ratio of tp, fp and fn"),
    ({"scores.All.fp": 1.5}, "scores.All.f: found 0.6, expected 0.500"),
    ({"scores.All.re": 0.6}, "scores.All.re: found 0.6, expected 0.500"),
    ({"scores.All.f": 0.8, "scores.All.pr": 1, "scores.All.re": 2 / 3, "scores.All.tp": 2, "scores.All.fp": 0, "scores.All.fn": 1}, CHANGED_ROW),
    ({"scores.Color.fp": 1}, CHANGED_ROW),
    ({"signature": "spice|lang:en"}, CHANGED_ROW), ({"test_tuples.0.truth_value": False}, CHANGED_ROW),
    ({"ref_tuples.0.tuple.2": "sofa"}, CHANGED_ROW), ({"sentences.0.matched": 2}, CHANGED_ROW),
])  # fmt: skip
def test_a_row_that_was_changed_after_scoring_is_reported(tmp_path, changes, message):
    item = replace(FULL_ITEM, sentences=(SentenceScore(0, "A dog.", 1, 2),))
    row = json.loads(json.dumps(item.as_json(replace(ALL_FIELDS, sentences=True))))
    unchanged_row = json.dumps(
        row | {"note": "read", "scores": {name: dict(reversed(counts.items())) for name, counts in row["scores"].items()}}
    )
    for place, value in changes.items():
        *outer, last = (int(part) if part.isdigit() else part for part in place.split("."))
        reduce(getitem, outer, row)[last] = value
    path = tmp_path / "scores.jsonl"
    path.write_text(unchanged_row + "\n" + json.dumps(row) + "\n")
    with pytest.raises(InputError) as error_info:
        list(read_results(path))
    assert f"scores.jsonl, line 2, field {message}" in str(error_info.value)


@pytest.mark.parametrize(("fields", "place"), [
    ({"image_id": None}, "field image_id"),
    ({"scores": []}, "field scores"),
    ({"test": 5}, "field test"),
    ({"test": [[]]}, "field test[0]"),
    ({"refs": "a dog"}, "field refs"),
    ({"refs": [{}]}, "field refs[0]"),
    ({"signature": 5}, "field signature"),
    ({"test_tuples": 5}, "field test_tuples"),
    ({"test_tuples": [5]}, "field test_tuples[0]"),
    ({"ref_tuples": [{"tuple": ["a", 5], "truth_value": True}]}, "field ref_tuples[0]"),
    ({"ref_tuples": [{"tuple": ["dog"], "truth_value": "yes"}]}, "field ref_tuples[0]"),
    ({"sentences": 5}, "field sentences"),
    ({"sentences": [{"caption": 0, "text": 5, "matched": 1, "tuples": 1}]}, "field sentences[0]"),
    ({"ref_tuples": [{"tuple": ["\ud800"], "truth_value": True}]}, "field ref_tuples[0]"),
])  # fmt: skip
def test_an_invalid_row_is_reported_with_its_field(tmp_path, fields, place):
    path = tmp_path / "scores.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + json.dumps(ROW | {"image_id": 2} | fields) + "\n")
    with pytest.raises(InputError) as error_info:
        list(read_results(path))
    assert f"line 2, {place}: found" in str(error_info.value)
