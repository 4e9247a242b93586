"""Test rating files: their layouts, and error messages for invalid rows."""

import csv
import json
import math

import pytest

from spice_core.data.ratings import RatedCaption, read_judgements
from spice_core.errors import InputError

TABLE = """candidate,ref1,ratings,system
A brown dog on a sofa.,A dog lies on a couch.,4 4 3,a
A red bus.,A dog lies on a couch.,1 1 1,b
A cat on a couch.,A dog lies on a couch.,2 3 2,a
A couch.,A dog lies on a couch.,2 2 1,b"""
TABLE_CELLS = [line.split(",") for line in TABLE.splitlines()[1:]]
JSON_ROWS = [
    {"candidate": c, "references": [ref], "ratings": [*map(int, ratings.split())], "system": s} for c, ref, ratings, s in TABLE_CELLS
]


def test_files_of_ratings_are_read(tmp_path):
    for ending, text in (("csv", TABLE), ("json", json.dumps(JSON_ROWS)), ("jsonl", "\n".join(map(json.dumps, JSON_ROWS)))):
        path = tmp_path / f"ratings.{ending}"
        path.write_text(text, encoding="utf-8")
        assert read_judgements(path) == [
            RatedCaption(r["candidate"], (*r["references"],), (*r["ratings"],), r["system"]) for r in JSON_ROWS
        ]


@pytest.mark.parametrize(("name", "text", "columns"), [
    ("polos.csv", """mt,refs,score,imgid\na dog,"['A brown dog.', 'A dog lies.']",0.75,0.jpg\na bus,"['A red bus.']",0.25,1.jpg\n""", "candidate=mt, references=refs, rating=score"),
    ("expert.csv", "image,caption,human_score,reference_1,reference_2\n0.jpg,a dog,0.75,A brown dog.,A dog lies.\n1.jpg,a bus,0.25,A red bus.,\n", "candidate=caption, references=reference_1,reference_2, rating=human_score"),
    ("rows.xlsx", "caption,ground_truth,mos\na dog,\"['A brown dog.', 'A dog lies.']\",0.75\na bus,A red bus.,0.25\n", "candidate=caption, references=ground_truth, rating=mos"),
    ("rows.jsonl", '{"prediction": "a dog", "gts": ["A brown dog.", "A dog lies."], "human_rating": 0.75}\n{"prediction": "a bus", "gts": ["A red bus."], "human_rating": 0.25}\n', "candidate=prediction, references=gts, rating=human_rating"),
])  # fmt: skip
def test_columns_of_other_names_are_guessed_and_reported(tmp_path, name, text, columns):
    path, notices = tmp_path / name, []
    path.write_text(text)
    if name.endswith("xlsx"):
        book = pytest.importorskip("openpyxl").Workbook()
        for row in csv.reader(text.splitlines()):
            book.active.append([float(cell) if cell[:2] == "0." else cell for cell in row])
        book.save(path)
    expected_captions = [RatedCaption("a dog", ("A brown dog.", "A dog lies."), (0.75,)), RatedCaption("a bus", ("A red bus.",), (0.25,))]
    assert read_judgements(path, notices=notices) == expected_captions
    assert [str(notice).partition(" was read as ")[2] for notice in notices] == [columns]


STAIR = {
    "images": [{"id": 1, "file_name": "1.jpg"}, {"id": 2, "file_name": "2.jpg"}],
    "annotations": [
        {"image_id": 1, "caption": "白い犬が走る。"},
        {"image_id": 2, "caption": "傘がある。"},
        {"image_id": 1, "caption": "犬がいる。"},
    ],
}


@pytest.mark.parametrize(("header", "columns"), [
    ("imgid,mt,score", None), ("image_id,candidate,rating", None),
    ("x,y,z", {"image_id": ["x"], "candidate": ["y"], "rating": ["z"]}),
])  # fmt: skip
def test_ratings_take_the_references_of_another_file(tmp_path, header, columns):
    path, references, notices = tmp_path / "r.csv", tmp_path / "stair.json", []
    path.write_text(f"{header}\n1,犬が走っている。,5\n2,傘を差す。,4\n1,猫がいる。,1\n", encoding="utf-8")
    references.write_text(json.dumps(STAIR), encoding="utf-8")
    dog_references = ("白い犬が走る。", "犬がいる。")
    expected_captions = [
        RatedCaption("犬が走っている。", dog_references, (5.0,)), RatedCaption("傘を差す。", ("傘がある。",), (4.0,)), RatedCaption("猫がいる。", dog_references, (1.0,)),
    ]  # fmt: skip
    assert read_judgements(path, notices=notices, references=references, columns=columns) == expected_captions
    assert any("imgid" in notice for notice in map(str, notices)) == header.startswith("imgid")


@pytest.mark.parametrize(("content", "columns", "message"), [
    ("imgid,mt,score\n9,犬が走る。,5\n", None, "line 2, field imgid: found 9, expected an image listed in .*stair.json"),
    ("imgid,mt,score\n1,犬が走る。,5\n", {"id": ["imgid"]}, "columns: found 'id', expected one of image_id, candidate, references, rating, metrics"),
    ("imgid,mt,score\n1,犬が走る。,5\n", {"candidate": ["x"]}, "line 2: found only imgid, mt, score, expected a field x"),
])  # fmt: skip
def test_ratings_that_do_not_fit_the_references_are_reported(tmp_path, content, columns, message):
    path, references = tmp_path / "r.csv", tmp_path / "stair.json"
    path.write_text(content, encoding="utf-8")
    references.write_text(json.dumps(STAIR), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_judgements(path, references=references, columns=columns)


def test_flickr8k_judgements_are_read_in_the_layout_of_clipscore(tmp_path):
    judgements = [{"image_path": "0.jpg", "caption": "a dog", "rating": 0.75}, {"caption": "a cat", "rating": math.nan}]
    images = {"0.jpg": {"human_judgement": judgements, "ground_truth": ["A brown dog.", "A dog lies."], "image_path": "0.jpg"}}
    images["1.jpg"] = {"image_path": "1.jpg", "ground_truth": ["A red bus."], "human_judgement": [{"caption": "a bus", "rating": 0.25}]}
    for order in (images, dict(reversed(images.items()))):
        (path := tmp_path / "flickr8k.json").write_text(json.dumps(order))
        rated_captions = read_judgements(path, notices=(notices := []))
        assert {*rated_captions} == {
            RatedCaption("a dog", ("A brown dog.", "A dog lies."), (0.75,)),
            RatedCaption("a bus", ("A red bus.",), (0.25,)),
        }
        assert [str(notice).rpartition(": ")[2] for notice in notices] == ["1 caption without a rating is ignored"]
    (path := tmp_path / "bad.json").write_text(json.dumps({"0.jpg": {"human_judgement": [3], "ground_truth": ["A dog."]}}))
    with pytest.raises(InputError, match=r"bad.json, field 0.jpg: found 3, expected an object"):
        read_judgements(path)


@pytest.mark.parametrize(("row", "message"), [
    ({"references": ["x"], "ratings": [1]}, "candidate"),
    ({"candidate": "x", "references": [], "ratings": [1]}, "references"),
    ({"candidate": "x", "references": ["y"], "ratings": ["good"]}, "a number"),
    ({"candidate": "x", "references": ["y"], "ratings": [10**400]}, "a number"),
    ({"a": "x", "b": "y", "references": ["z"], "choice": "c"}, "a, b, tie"),
    (3, "an object"),
    ({"candidate": "a \ud83d dog", "references": ["x"], "ratings": [1]}, "candidate: found '.ud83d', expected text in UTF-8"),
    ({"candidate": "\ude00 a dog", "references": ["x"], "ratings": [1]}, "candidate: found '.ude00', expected text in UTF-8"),
    ({"candidate": "a dog", "references": ["\udce9 \ud83d"], "ratings": [1]}, "references: found '.ud83d', expected text in UTF-8"),
    ({"candidate": "a dog", "references": ["x" * 10_001], "ratings": [1]}, "references: found 10,001 characters"),
    ({"candidate": "a dog", "references": ["x"], "ratings": [1], "system": "\udce9"}, "system: found b'.xe9', expected text in UTF-8"),
])  # fmt: skip
def test_bad_rows_are_reported(tmp_path, row, message):
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match=f"line 1.*{message}"):
        read_judgements(path)
