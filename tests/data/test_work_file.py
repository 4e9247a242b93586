"""Test work files: round trips, reading by every result reader, and errors that preserve earlier rows."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from spice_core.data.reader import Upload
from spice_core.data.results import ScoredItem, ScoredTuple, read_results
from spice_core.data.work_file import MAX_NOTE_CHARS, ScoredWork, UnmatchedTuple, read_work, read_works, works_as_file
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import Score, SentenceScore

SCORES = {name: Score(1, 2, 3, strict=name == "All") for name in ("All", "Object", "Attribute", "Relation", "Color")}
TUPLES = ((ScoredTuple(("dog",), True), ScoredTuple(("dog", colour), False)) for colour in ("red", "blue"))
ROW = ScoredItem(0, "", ("A blue dog.",), SCORES, *TUPLES, "spice|lang:en", sentences=(SentenceScore(1, "A blue dog.", 1, 2),))
SCORED_ROWS = tuple(replace(ROW, image_id=image, candidate=f"A red <dog>, {image}.") for image in (1, "1", "犬"))
WORK = ScoredWork(
    SCORED_ROWS,
    "mine",
    {"lang": "en", "rules": "caption", "categories": {"Material": ["wood"]}},
    {"q": "Color.other", "f1": "0.00-0.40", "row": '"1"'},
    {1: (("parser", "霧"), "odd"), "1": ((), "only a note"), "犬": (("rule",), "")},
    {"1": {UnmatchedTuple(MatchState.EXTRA, ("dog", "red")): "霧", UnmatchedTuple(MatchState.MISSING, ("dog", "blue")): "other value"}},
    ("霧", "<b>night"),
    {1: '{"stars": 5}', "犬": '{"later": {"a": [null, "é"]}}'},
    '{"of_tomorrow": true}',
    {1: "COCO_val2014_000000391895.jpg", "犬": "犬 1.png"},
    {1: {}, "1": {UnmatchedTuple(MatchState.EXTRA, ("dog", "red")): "other value"}},
    "spice|lang:en",
)


def make_upload(work: ScoredWork, change: Callable[[list[dict]], None] = lambda rows: None) -> Upload:
    rows = [json.loads(line) for line in work.lines()]
    change(rows)
    return Upload("work.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def nested_lists(levels: int) -> list:
    return [nested_lists(levels - 1)] if levels else []


def test_work_survives_a_round_trip_and_truncated_files_give_complete_rows():
    assert read_work(make_upload(WORK), max_rows=10) == (WORK, None)
    plain_text = "".join(WORK.lines()).encode()
    packed_content = gzip.compress(plain_text)
    assert read_work(Upload("work.jsonl.gz", packed_content), max_rows=10) == (WORK, None)
    # The function that reads plain results ignores the additional fields.
    assert tuple(read_results(make_upload(WORK))) == SCORED_ROWS
    # A truncated gzip file cannot be unpacked.
    assert read_work(Upload("work.jsonl.gz", packed_content[:-4]), max_rows=10) == (None, None)
    restored_work, error = read_work(Upload("work.jsonl", plain_text[:-40]), max_rows=10)
    assert restored_work and restored_work.rows == SCORED_ROWS[:2] and "line 3" in str(error)


def test_results_alone_and_files_of_older_versions_lack_some_fields():
    restored_work, error = read_work(make_upload(WORK, lambda rows: rows[0].pop("work")), max_rows=10)
    results_only = replace(WORK, name="", settings={}, view={}, tags=(), unknown_head_fields="", suggested_by="")
    assert error is None and restored_work == results_only
    old_work = replace(
        WORK,
        caption_causes={1: (("parser",), "odd")},
        causes={},
        tags=(),
        unknown_fields={},
        unknown_head_fields="",
        image_files={},
        suggested_causes={},
        suggested_by="",
    )
    later = ("tuple_causes", "tags", "file_name", "suggested_causes", "suggested_by", "causes")
    assert not any(f'"{name}"' in "".join(old_work.lines()) for name in later) and read_work(make_upload(old_work), max_rows=10) == (
        old_work,
        None,
    )


def test_fields_of_newer_versions_survive():
    def change(rows: list[dict]) -> None:
        rows[1]["votes"], rows[0]["work"]["colours"] = [1, {"a": "\u00e9"}], {"fog": "grey"}

    restored_work, error = read_work(make_upload(WORK, change), max_rows=10)
    rows = [json.loads(line) for line in restored_work.lines()]
    assert error is None and rows[1]["votes"] == [1, {"a": "é"}] and rows[0]["work"]["colours"] == {"fog": "grey"}


@pytest.mark.parametrize("fields, causes", [
    ({"cause": "fog"}, ("fog",)),
    ({"cause": "fog", "causes": ["fog", "rule"]}, ("fog", "rule")),
    ({"cause": "parser", "causes": ["fog", "rule"]}, ("parser",)),
    ({"cause": "", "causes": ["fog", "rule"]}, ()),
    ({"cause": "", "causes": ["", "rule"]}, ()),
    ({"cause": "fog", "causes": ["fog", ""]}, ("fog",)),
], ids=["one", "several", "one set since by an older program", "removed since", "removed since, with an empty one", "an empty one"])  # fmt: skip
def test_a_caption_has_several_causes(fields, causes):
    restored_work, _ = read_work(make_upload(WORK, lambda rows: rows[1].update(fields)), max_rows=10)
    assert restored_work.caption_causes.get("1", ((), ""))[0] == causes


def test_the_last_of_two_causes_of_a_tuple_counts():
    restored_work, _ = read_work(
        make_upload(WORK, lambda rows: rows[1]["tuple_causes"].append(rows[1]["tuple_causes"][0] | {"cause": "x"})), max_rows=10
    )
    assert restored_work.causes["1"][UnmatchedTuple(MatchState.EXTRA, ("dog", "red"))] == "x"


def test_other_files_are_not_work_files():
    plain_text = '{"image_id": 1, "test": "A dog.", "refs": ["A cat."]%s}'
    scored = ', "scores": %s, "test_tuples": [], "ref_tuples": []'
    texts = ["image_id,test,ref1\n1,A dog.,A cat.\n", '[{"image_id": 1, "caption": "A dog."}]', plain_text % ""]
    texts += [plain_text % (scored % '{"All": {"tp": 1, "fp": 0, "fn": 0}}'), plain_text % (scored % "3")]
    for content in (b"", b"\x1f\x8b", b"\xff\xfe\x00", *map(str.encode, texts)):
        assert read_work(Upload("a.jsonl", content), max_rows=10) == (None, None)


@pytest.mark.parametrize(("change", "kept_count", "message"), [
    (lambda rows: rows[0]["work"].update(version=2), 0, "line 1, field work.version: found 2, expected a file of version 1"),
    (lambda rows: rows[0]["work"].update(version="1"), 0, "line 1, field work.version"),
    (lambda rows: rows[0].update(work=[]), 0, "line 1"),
    (lambda rows: rows[0]["work"].pop("view"), 0, "field view"),
    (lambda rows: rows[0]["work"].update(settings=["en"]), 0, "field work.settings"),
    (lambda rows: rows[0]["work"]["settings"].update(categories={"\ud800": ["wood"]}), 0, "field work.settings"),
    (lambda rows: rows[0]["work"].update(view={"q": 3}), 0, "field work.view.q: found 3, expected a text"),
    (lambda rows: rows[0]["work"].update(name="x" * (MAX_NOTE_CHARS + 1)), 0, "field work.name: found 2,001 characters"),
    (lambda rows: rows[1].update(note=None), 1, "line 2, field note: found None"),
    (lambda rows: rows[1].update(cause="x" * (MAX_NOTE_CHARS + 1)), 1, "line 2, field cause"),
    (lambda rows: rows[2].update(image_id="1"), 2, "line 3, field image_id: found '1', expected an image id that no earlier row has"),
    (lambda rows: rows[2].pop("ref_tuples"), 2, "line 3, field ref_tuples"),
    (lambda rows: rows[1]["scores"]["All"].update(tp=-3), 1, "line 2, field scores.All"),
    (lambda rows: rows.append(rows[1] | {"image_id": 9}), 3, "found more rows, expected at most 3"),
    (lambda rows: rows[1].update(causes="parser"), 1, "line 2, field causes: found 'parser', expected a list of texts"),
    (lambda rows: rows[1].update(causes=["parser", 3]), 1, "line 2, field causes[1]: found 3, expected a text"),
    (lambda rows: rows[1].update(tuple_causes={}), 1, "line 2, field tuple_causes: found {}, expected a list of tuples"),
    (lambda rows: rows[1]["tuple_causes"].append(3), 1, "line 2: found 3, expected an object with state, tuple and cause"),
    (lambda rows: rows[1]["tuple_causes"][1].update(state="exact"), 1, "line 2, field tuple_causes[1]"),
    (lambda rows: rows[1]["tuple_causes"][1].update(state=["extra"]), 1, "line 2, field tuple_causes[1]"),
    (lambda rows: rows[1]["tuple_causes"][0].update(tuple=["a", "b", "c", "d"]), 1, "line 2, field tuple_causes[0]"),
    (lambda rows: rows[1]["tuple_causes"][0].update(tuple=["\ud800"]), 1, "line 2, field tuple_causes[0]"),
    (lambda rows: rows[1]["tuple_causes"][0].update(cause=7), 1, "line 2, field tuple_causes[0].cause: found 7, expected a text"),
    (lambda rows: rows[1]["tuple_causes"][0].update(cause=""), 1, "line 2, field tuple_causes[0]"),
    (lambda rows: rows[0]["work"].update(tags="fog"), 0, "line 1, field work.tags: found 'fog', expected a list of texts"),
    (lambda rows: rows[0]["work"].update(tags=[f"{n}" for n in range(31)]), 0, "field work.tags: found 31 tags, expected at most 30"),
    (lambda rows: rows[0]["work"].update(tags=["fog", "x" * 41]), 0, "field work.tags[1]: found 41 characters, expected at most 40"),
    (lambda rows: rows[1].update(file_name=["a.jpg"]), 1, "line 2, field file_name: found ['a.jpg'], expected a text"),
    (lambda rows: rows[1].update(file_name="x" * (MAX_NOTE_CHARS + 1)), 1, "line 2, field file_name: found 2,001 characters"),
    (lambda rows: rows[1].update(suggested_causes={}), 1, "line 2, field suggested_causes: found {}, expected a list of tuples"),
    (lambda rows: rows[1]["suggested_causes"][0].update(state="matched"), 1, "line 2, field suggested_causes[0]"),
    (lambda rows: rows[0]["work"].update(suggested_by=7), 0, "line 1, field work.suggested_by: found 7, expected a text"),
    (lambda rows: rows[1].update(later="\ud800"), 1, "line 2, field later"),
    (lambda rows: rows[1].update(later=nested_lists(100)), 1, "line 2, field later: found fields nested too deeply, expected lists"),
])  # fmt: skip
def test_errors_are_reported_and_earlier_rows_are_restored(change, kept_count, message):
    restored_work, error = read_work(make_upload(WORK, change), max_rows=3)
    assert (len(restored_work.rows) if restored_work else 0) == kept_count
    assert message in str(error) and str(error).startswith("work.jsonl")


def test_a_run_of_several_systems_is_read_system_by_system():
    works = WORK, replace(WORK, name="other", rows=WORK.rows[:2], view={}, **{"image_files": {}, "unknown_fields": {}})
    works = works[0], replace(works[1], caption_causes={}, suggested_causes={})
    file = Upload("run.jsonl.gz", works_as_file(works))
    assert read_works(file, max_rows=3) == (works, None)
    work, error = read_work(file, max_rows=3)
    assert work is None and "found the results of 2 systems, expected the results of one system" in str(error)
    broken = Upload("run.jsonl", gzip.decompress(file.content)[:-40])
    (first_work, second_work), error = read_works(broken, max_rows=3)
    assert first_work == WORK and len(second_work.rows) == 1 and "line 5" in str(error)


def test_a_run_can_be_saved_without_captions():
    work, error = read_work(Upload("run.jsonl.gz", works_as_file([WORK.without_captions()])), max_rows=3)
    assert work == WORK.without_captions() and error is None
    assert "A red" not in (text := "".join(work.lines())) and "A blue" not in text and "stars" not in text
    assert [row.scores for row in work.rows] == [row.scores for row in WORK.rows] and work.caption_causes == WORK.caption_causes
