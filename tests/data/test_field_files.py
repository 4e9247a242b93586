"""Files as practitioners have them: sequences of marks, tables without a header, keys, languages, and hints that can be followed."""

import json
import shlex
from pathlib import Path

import pytest

from spice_core.cli.main import _make_parser, main
from spice_core.cli.score import source_from_options
from spice_core.data import Item
from spice_core.data.ratings import read_judgements
from tests.data.test_layouts import write_files

PAIRS = [("s0", "A man is speaking.", ["A man speaks and birds chirp."]), ("s1", "Rain falls on a roof.", ["It is raining on a roof."])]
RESULTS = json.dumps([{"image_id": id, "caption": caption} for id, caption, _ in PAIRS])
HEADLESS_RESULTS = "".join(f"{id}\t{caption}\n" for id, caption, _ in PAIRS)
HEADLESS_REFERENCES = "".join(f"{id}\t{reference}\n" for id, _, (reference,) in PAIRS)
LANGUAGES = "VideoID,Start,End,Language,Description\ns0,1,2,English,A man speaks and birds chirp.\ns0,1,2,Slovene,Moz govori.\ns1,3,9,English,It is raining on a roof.\n"
SPANS = [("s0_1_2", *PAIRS[0][1:]), ("s1_3_9", *PAIRS[1][1:])]
SPAN_RESULTS = RESULTS.replace("s0", "s0_1_2").replace("s1", "s1_3_9")
SPAN_COLUMNS = "--columns image_id=VideoID+Start+End captions=Description"
MUSIC = 'ytid,start_s,audioset_positive_labels,aspect_list,caption,author_id\ns0,30,"/m/01,/m/02","[\'low quality\']",A man speaks and birds chirp.,4\ns1,30,/m/03,"[\'guitar song\']",It is raining on a roof.,0\n'
WAVCAPS = {"num_captions_per_audio": 1, "data": [{"title": "x", "id": id, "caption": text} for id, _, (text,) in PAIRS]}
YAML = "files:\n- filename: s0\n  annotations:\n  - sentence: A man speaks.\n"


def read(folder: Path, files: dict[str, str], options: str) -> tuple[list[tuple], list[str], list[str]]:
    """Return the items, the problems and the notices of the files, of which the first is scored."""
    write_files(folder, files)
    arguments = [*map(str, (folder / name for name in files))]
    references = ["--references", arguments[1]] if len(files) > 1 else []
    keys = ["--keys", arguments[2]] if len(files) > 2 else []
    source = source_from_options(_make_parser("score").parse_args(["score", arguments[0], *references, *keys, *shlex.split(options)]))
    rows = list(source)
    items = [(row.image_id, row.candidate, [*row.references]) for row in rows if isinstance(row, Item)]
    return items, [str(row) for row in rows if not isinstance(row, Item)], [*map(str, source.notices)]


@pytest.mark.parametrize(("files", "options", "items", "notice"), [
    ({"p.tsv": HEADLESS_RESULTS, "r.tsv": HEADLESS_REFERENCES}, "", PAIRS, "r.tsv: no column names; read as image_id=column1 captions=column2"),
    ({"p.csv": HEADLESS_RESULTS.replace("\t", ","), "r.json": json.dumps({id: texts for id, _, texts in PAIRS})}, "", PAIRS, "read as captions by image id"),
    ({"p.tsv": "".join(f"{id}\t{caption}\t{texts[0]}\n" for id, caption, texts in PAIRS)}, "", PAIRS, "image_id=column1 test=column2 refs=column3"),
    ({"p.csv": "1,Dogs,A dog.\n2,Cats,A cat.\n"}, "--no-header --columns image_id=column1 test=column2 refs=column3", [(1, "Dogs", ["A dog."]), (2, "Cats", ["A cat."])], ""),
    ({"p.json": SPAN_RESULTS, "r.csv": LANGUAGES}, f"--where Language=English {SPAN_COLUMNS}", SPANS, "1 row with other values is ignored"),
    ({"p.json": RESULTS, "r.csv": MUSIC}, "--columns image_id=ytid captions=caption", PAIRS, ""),
    ({"p.json": RESULTS, "r.json": json.dumps({id: {"captions": texts, "duration": 3} for id, _, texts in PAIRS})}, "", PAIRS, "read as captions by image id"),
    ({"p.json": RESULTS, "r.json": json.dumps([{"images": [f"{id}.jpg"], "id": id, "messages": [{"role": "user", "content": "Describe."}, {"role": "assistant", "content": texts[0]}]} for id, _, texts in PAIRS])}, "", PAIRS, "read as conversations"),
    ({"p.json": RESULTS, "r.json": json.dumps({"test": [{"id": id, "report": texts[0], "image_path": ["x.png"]} for id, _, texts in PAIRS], "val": []})}, "", PAIRS, "read as R2Gen (test)"),
    ({"p.txt": HEADLESS_RESULTS, "r.csv": "".join(f"{id}.jpg,{texts[0]}\n" for id, _, texts in PAIRS)}, "", PAIRS, "r.csv: no column names"),
    ({"p.json": RESULTS, "r.json": json.dumps(WAVCAPS)}, "--columns image_id=id captions=caption", PAIRS, ""),
    ({"p.json": RESULTS, "r.json": json.dumps({**WAVCAPS, "note": "x" * 70_000})}, "--columns image_id=id captions=caption", PAIRS, ""),
    ({"p.txt": "A dog.\nA dog.\nA man.\n", "r.txt": "A pup.\nDogs.\nMen.\n", "k.txt": "dog\ndog\nman\n"}, "", [("dog", "A dog.", ["A pup.", "Dogs."]), ("man", "A man.", ["Men."])], "line by line"),
])  # fmt: skip
def test_files_are_read(tmp_path: Path, files: dict[str, str], options: str, items: list[tuple], notice: str):
    read_items, problems, notices = read(tmp_path, files, options)
    assert (read_items, problems) == (items, []) and any(notice in text for text in notices) is bool(notices)


@pytest.mark.parametrize(("files", "options", "expected_lines"), [
    ({"p.json": RESULTS, "r.csv": MUSIC}, "", ["(or --columns image_id=ytid captions=caption)"]),
    ({"p.json": RESULTS, "r.csv": "key,conversations,notes\ns0,[],\ns1,[],\n"}, "", ["expected columns image_id, caption1, caption2 … (or --columns image_id=NAME captions=NAME,NAME)"]),
    ({"p.json": RESULTS, "r.json": json.dumps([{"id": "s0", "turns": [{"value": "A dog on a mat."}]}] * 2)}, "", ["r.json contains objects with the fields id, turns", "row 1, field image_id: found only id, turns", "row 2"]),
    *(({"p.json": RESULTS, name: text}, "", [f"{name}: found '{found}', expected JSON or a table"]) for name, text, found in (
        ("r.xml", '<?xml version="1.0"?>\n<annotation/>', "XML or HTML"), ("r.json", "<!DOCTYPE html>\n<html>", "XML or HTML"),
        ("r.json", "version https://git-lfs.github.com/spec/v1\nsize 9", "a Git LFS pointer"), ("r.db", "SQLite format 3\0", "SQLite"),
    )),
    ({"p.json": RESULTS, "r.yaml": YAML}, "", ["r.yaml: found YAML, expected JSON or a table; convert it: python"]),
    ({"p.json": json.dumps([{"instr_id": "1_0", "caption": "Walk on."}]), "r.json": json.dumps([{"path_id": 1, "instructions": ["Go."]}])}, "--columns image_id=path_id captions=instructions", ["row 1, field path_id: found only instr_id, caption, expected a field path_id"]),
    ({"p.txt": "A dog.\nA cat.\n", "r.txt": "A pup.\nDogs.\n", "k.txt": "dog\ndog\n"}, "", ["line 2: found 'A cat.', expected the candidate of the other lines with the key 'dog'"]),
    ({"p.json": json.dumps([{"bbox": [1], "iscrowd": 0}] * 9), "r.json": RESULTS}, "", ["p.json contains objects with the fields bbox, iscrowd", "row 1", "row 2", "and 7 more problems", "9 problems, 0 good rows"]),
])  # fmt: skip
def test_unreadable_files_are_reported_in_five_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], options: str, expected_lines: list[str]
):
    write_files(tmp_path, files)
    first, *others = (str(tmp_path / name) for name in files)
    arguments = ["--references", others[0], *(["--keys", others[1]] if others[1:] else []), *shlex.split(options)]
    assert main(["score", first, *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) <= 5 and all(part in line for part, line in zip(expected_lines, lines, strict=False))


def test_a_file_with_several_languages_is_noticed(tmp_path: Path):
    *_, notices = read(tmp_path, {"p.json": SPAN_RESULTS, "r.csv": LANGUAGES}, SPAN_COLUMNS)
    assert notices[0].endswith("r.csv: captions with several values of Language (English, Slovene); --where Language=English selects one")


def test_ratings_are_joined_with_annotations_by_the_name_of_the_image_file(tmp_path: Path):
    rated = [
        {"SYS": system, "seg_id": "9", "hyp": f"A {system}.", "image": "val_07.jpg", "P": 4.0, "human_score": score}
        for system, score in (("cat", 2.0), ("dog", 4.0))
    ]
    annotations = {"images": [{"id": 7, "file_name": "val_07.jpg"}], "annotations": [{"image_id": 7, "id": 1, "caption": "A dog."}]}
    write_files(tmp_path, {"thumb.jsonl": "".join(json.dumps(row) + "\n" for row in rated), "refs.json": json.dumps(annotations)})
    judgements = read_judgements(tmp_path / "thumb.jsonl", references=tmp_path / "refs.json", columns={"rating": ["human_score"]})
    assert [(row.candidate, row.references, row.ratings) for row in judgements] == [
        ("A cat.", ("A dog.",), (2.0,)),
        ("A dog.", ("A dog.",), (4.0,)),
    ]
