"""Test input files of every layout: their items, and one-line errors that name file, row and field."""

import gzip
import json
import os
from pathlib import Path

import pytest

from spice_core.cli.main import main
from spice_core.data import Item, Source, read_items
from spice_core.data import reader as rows_module
from spice_core.data.reader import Row, Upload
from spice_core.data.references import References
from spice_core.errors import InputError
from spice_core.scene.propositions import Parse
from spice_core.syntax.clean_text import CleaningCount

GOOD_ROW = '{"image_id": 7, "test": "a dog", "refs": ["a brown dog"]}'
CAPTIONS = '{"info": {"year": 2014}, "images": [{"id": 1}, {"id": 2}], "annotations": [%s], "licenses": []}'
CAPTION_ANNOTATIONS = [
    {"image_id": image, "caption": text} for image, text in ((2, "a red bus"), (1, "a dog on a sofa"), (1, "a brown dog"))
]
ANNOTATED_FILE = CAPTIONS % json.dumps(CAPTION_ANNOTATIONS)[1:-1]
STAIR_FILE = CAPTIONS % '{"image_id": 1, "id": 5, "tokenized_caption": "赤い 傘", "caption": "赤い傘"}'
OBJECTS = [{"object_id": 11, "names": ["Dog"], "attributes": ["brown", "small"], "x": 1}, {"object_id": 12, "names": ["sofa", "couch"]}]
LYING_ON = {"predicate": "LYING ON", "subject_id": 11, "object_id": 12, "synsets": []}
GRAPHS = {"image_id": 1, "objects": OBJECTS, "relationships": [LYING_ON]}


def open_source(tmp_path, files: dict[str, str | bytes], **options) -> Source:
    """Write these files, the input and optionally its references, and open them."""
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return Source(*(tmp_path / name for name in files), **options)


def read(tmp_path, files, **options) -> tuple[list[Item], list[str]]:
    """Read these files. Return the valid items, and the messages about invalid ones."""
    items, problems = [], []
    try:
        for item in open_source(tmp_path, files, **options):
            items.append(item) if isinstance(item, Item) else problems.append(str(item))
    except InputError as error:
        problems.append(str(error))
    return items, [problem.replace(f"{tmp_path}/", "") for problem in problems]


TABLE = "image_id,test,ref1,ref2\n7,a dog,a brown dog,\nx,a cat,a black cat,a cat\n"
RESULTS = '[{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": "a bus"}]'
CHOSEN_COLUMNS = {"image_id": ["photo"], "test": ["said"], "refs": ["human"], "file_name": ["photo"]}
NUMBERED_COLUMNS = {"image_id": [], "test": ["said"], "refs": ["human", "human2"]}


@pytest.mark.parametrize(("files", "options", "expected_items"), [
    ({"in.json": f"[{GOOD_ROW}]"}, {}, [(7, "a dog", ["a brown dog"])]),
    ({"in.jsonl": f"{GOOD_ROW}\n\n"}, {}, [(7, "a dog", ["a brown dog"])]),
    ({"in.json": b"\xef\xbb\xbf" + GOOD_ROW.encode()}, {}, [(7, "a dog", ["a brown dog"])]),
    ({"in.json.gz": gzip.compress(f"[{GOOD_ROW}]".encode())}, {}, [(7, "a dog", ["a brown dog"])]),
    ({"in.csv": TABLE}, {}, [(7, "a dog", ["a brown dog"]), ("x", "a cat", ["a black cat", "a cat"])]),
    ({"in.tsv": "\ufeffimage_id\ttest\tref\r\n007\ta dog\t\"a \"\"brown\"\" dog\"\r\n"}, {}, [("007", "a dog", ['a "brown" dog'])]),
    ({"in.txt": "photo;said;human\n7;a dog;a brown dog\n"}, {"delimiter": ";", "columns": {"image_id": ["photo"], "test": ["said"], "refs": ["human"]}}, [(7, "a dog", ["a brown dog"])]),
    ({"r.json": RESULTS, "captions_val2014.json": ANNOTATED_FILE}, {}, [(1, "a dog", ["a dog on a sofa", "a brown dog"]), (2, "a bus", ["a red bus"])]),
    ({"r.json": '[{"image_id": 1, "caption": "傘"}]', "stair_captions_v1.2_val.json": STAIR_FILE}, {}, [(1, "傘", ["赤い傘"])]),
    ({"r.csv": "image_id,caption\n1,a dog\n", "refs.csv": "image_id,caption\n1,a cat\n1,a dog\n"}, {}, [(1, "a dog", ["a cat", "a dog"])]),
    ({"r.txt": "image_id|caption\n1|a bus\n", "captions.json": CAPTIONS % '{"image_id": 1, "caption": "a red bus"}'}, {"delimiter": "|"}, [(1, "a bus", ["a red bus"])]),
    ({"r.json": RESULTS[:36] + "]", "refs.jsonl": '{"image_id": 1, "captions": ["a cat", "a dog"]}'}, {}, [(1, "a dog", ["a cat", "a dog"])]),
    ({"in.csv": TABLE.replace(",", ";")}, {}, [(7, "a dog", ["a brown dog"]), ("x", "a cat", ["a black cat", "a cat"])]),
    ({"in.csv": TABLE.replace(",", "\t")}, {}, [(7, "a dog", ["a brown dog"]), ("x", "a cat", ["a black cat", "a cat"])]),
    ({"in.csv": 'image_id,test,refs\n1,a dog,"[""a cat"", ""a, dog""]"\n2,a bus,a bus | a red bus\n'}, {}, [(1, "a dog", ["a cat", "a, dog"]), (2, "a bus", ["a bus", "a red bus"])]),
    ({"in.csv": "image_id,test,ref1\n1,a dog,a sign | a dog\n"}, {}, [(1, "a dog", ["a sign | a dog"])]),
    ({"in.jsonl": '{"photo": "1.jpg", "said": "a dog", "human": "a cat | a dog"}'}, {"columns": CHOSEN_COLUMNS}, [("1.jpg", "a dog", ["a cat", "a dog"])]),
    ({"in.jsonl": '{"photo": "7", "said": "a dog", "human": [{"raw": "a cat"}]}'}, {"columns": CHOSEN_COLUMNS}, [("7", "a dog", ["a cat"])]),
    ({"r.json": '[{"image_id": 1, "caption": "a dog"}]', "r.csv": "photo,text\n1,a cat\n"}, {"columns": {"image_id": ["photo"], "captions": ["text"]}}, [(1, "a dog", ["a cat"])]),
    ({"in.csv": "said,human,human2\na dog,a cat,a dog\na bus,a car,\n"}, {"columns": NUMBERED_COLUMNS}, [(1, "a dog", ["a cat", "a dog"]), (2, "a bus", ["a car"])]),
    ({"r.csv": "photo,said\n1,a dog\n", "r.json": '[{"id": 1, "human": "a cat"}]'}, {"columns": {"image_id": ["photo"], "caption": ["said"]}, "reference_columns": {"image_id": ["id"], "captions": ["human"]}}, [(1, "a dog", ["a cat"])]),
])  # fmt: skip
def test_items_are_read_from_every_layout(tmp_path, files, options, expected_items):
    items, problems = read(tmp_path, files, **options)
    assert not problems
    assert [(i.image_id, i.candidate, list(i.references)) for i in items] == expected_items


@pytest.mark.parametrize("rows", [1, 3_000], ids=["one row", "many rows of ASCII before"])
@pytest.mark.parametrize(("name", "codec", "encoding"), [
    ("in.json", "utf-16", "UTF-16"), ("in.json", "utf-16-le", "UTF-16LE"), ("in.jsonl", "utf-16-be", "UTF-16BE"),
    ("in.json", "utf-32", "UTF-32"), ("in.csv", "utf-16", "UTF-16"), ("in.json", "cp932", "Shift_JIS"),
    ("in.csv.gz", "cp932", "Shift_JIS"), ("in.jsonl", "euc_jp", "EUC-JP"), ("in.csv", "iso2022_jp", "ISO-2022-JP"),
])  # fmt: skip
def test_other_encodings_are_read_and_reported(tmp_path, name, codec, encoding, rows):
    expected_rows = [(n, "a dog on a sofa", "a brown dog") for n in range(2, rows + 1)]
    expected_rows.append((1, "赤い傘をさした人がいる。", "男性がギターを弾いている。"))
    if "csv" in name:
        text = "image_id,test,ref1\n" + "".join(f"{n},{test},{ref}\n" for n, test, ref in expected_rows)
    else:
        lines = [json.dumps({"image_id": n, "test": test, "refs": [ref]}, ensure_ascii=False) for n, test, ref in expected_rows]
        text = "\n".join(lines) if name.endswith("l") else f"[{', '.join(lines)}]"
    content = text.encode(codec)
    source = open_source(tmp_path, {name: gzip.compress(content) if name.endswith("gz") else content})
    assert [(i.image_id, i.candidate, *i.references) for i in source] == expected_rows
    assert source.encodings == {str(tmp_path / name): encoding}


def test_an_invalid_byte_is_a_problem_of_its_row_and_the_encoding_of_references_is_recorded(tmp_path):
    rows = "".join(f"{n},猫がいる。,犬が寝ている。\n" for n in range(9)).encode("cp932")
    source = open_source(tmp_path, {"in.csv": b"image_id,test,ref1\n" + rows + b"x,\x83 dog,a dog\n"})
    *items, problem = source
    assert (
        len(items) == 9 and problem.row == "line 11" and "found b'\\x83'" in str(problem) and [*source.encodings.values()] == ["Shift_JIS"]
    )
    references = "image_id,caption\n1,赤い傘です\n".encode("cp932")
    source = open_source(tmp_path, {"r.json": '[{"image_id": 1, "caption": "傘"}]', "refs.csv": references})
    assert [i.references for i in source] == [("赤い傘です",)] and source.encodings == {str(tmp_path / "refs.csv"): "Shift_JIS"}


def test_a_preview_shows_unusual_columns_of_one_or_two_files(tmp_path):
    for name, content, expected_columns in [
        ("in.csv", "画像,生成文,正解\nCOCO_1.jpg,犬がいる,猫がいる\n", ["画像", "生成文", ("正解",), "画像"]),
        ("in.json", '[{"id": 1, "pred": "a dog sits", "gt": ["a dog"]}]', ["id", "pred", ("gt",), ""]),
        ("in.csv", "image_id,test,ref1\n1,a dog,a cat\n", None), ("in.csv", "image_id,caption\n1,a dog\n", None),
        ("in.csv", "7,a dog,a brown dog\n8,a cat,a cat\n", None), ("in.json", ANNOTATED_FILE, None), ("in.json", "[3, 4]", None),
        ("in.jsonl", f"{{\n{GOOD_ROW}", None), ("in.csv", ",".join(f"c{n}" for n in range(101)) + "\n" + "x," * 100 + "x\n", None),
    ]:  # fmt: skip
        preview = open_source(tmp_path, {name: content}).preview()
        guessed_names = preview and [
            preview.columns.image_id,
            preview.columns.candidate,
            preview.columns.references,
            preview.columns.image_file,
        ]
        assert guessed_names == expected_columns
    files = {"r.csv": "画像ID,生成文\n1,犬がいる。\n", "refs.csv": "画像ID,正解\n1,犬が寝ている。\n"}
    (first_problem,) = read(tmp_path, files)[1]
    assert first_problem.endswith("(or --columns image_id=画像ID captions=正解)")
    (second_problem,) = read(tmp_path, files, columns={"image_id": ["画像ID"], "captions": ["正解"]})[1]
    assert second_problem.endswith("(or --columns image_id=画像ID captions=正解 caption=生成文)")
    items, problems = read(tmp_path, files, columns={"image_id": ["画像ID"], "captions": ["正解"], "caption": ["生成文"]})
    assert not problems and [(i.image_id, i.candidate, i.references) for i in items] == [(1, "犬がいる。", ("犬が寝ている。",))]


def test_a_row_may_name_its_image_file_and_scene_graphs_become_given_propositions(tmp_path):
    for row, file in (
        ({"file_name": "val/1.jpg"}, "val/1.jpg"),
        ({"coco_url": "http://images.cocodataset.org/1.jpg"}, "http://images.cocodataset.org/1.jpg"),
        ({"image": "1.PNG", "score": "2.jpg"}, "1.PNG"),
        ({"note": "see 1.jpg"}, ""),
        ({"path": 3}, ""),
    ):
        table = "image_id,test,ref1," + ",".join(row) + "\n7,a dog,a cat," + ",".join(map(str, row.values())) + "\n"
        for files in ({"in.json": json.dumps([json.loads(GOOD_ROW) | row])}, {"in.csv": table}):
            (item,) = open_source(tmp_path, files)
            assert item.image_file == file
    for name in ("file_name", "image"):
        (item,) = open_source(tmp_path, {"in.json": json.dumps([json.loads(GOOD_ROW) | {name: "\ud83d.jpg"}])})
        assert item.image_file == r"\ud83d.jpg"
    (item,) = open_source(tmp_path, {"r.json": '[{"image_id": 1, "caption": "a dog"}]', "scene_graphs.json": json.dumps([GRAPHS])})
    (reference,) = item.references
    assert isinstance(reference, Parse)
    graph = [("dog",), ("dog", "brown"), ("dog", "small"), ("sofa",), ("dog", "lying on", "sofa")]
    assert [p.words for p in reference.propositions] == graph
    for scene_graph, message in (
        ({"object_id": [1], "names": ["dog"]}, "objects[0]: found {'object_id': [1], 'names': ['dog']}, expected an object with"),
        ({"object_id": 1, "names": ["caf\udce9"]}, "objects[0].names: found b'\\xe9', expected text in UTF-8"),
    ):
        rows = [Row("row 1", {"image_id": 1, "objects": [scene_graph], "relationships": []})]
        ((place, problem),) = References("graphs.json").read(iter(rows), CleaningCount())
        assert place == "row 1" and str(problem).startswith(f"field {message}")


def test_problems_name_the_columns_that_the_file_has(tmp_path):
    columns = {"image_id": ["photo"], "test": ["said"], "refs": ["gt"]}
    table = {"in.csv": "photo,said,gt1,gt2,gt3,gt4\n1,,a dog,,,\n2,a dog,,,,\n"}
    problems = read(tmp_path, table, columns=columns | {"refs": ["gt1", "gt2", "gt3", "gt4"]})[1]
    assert [p.partition(": found")[0] for p in problems] == ["in.csv, line 2, field said", "in.csv, line 3, field gt1, gt2, gt3, …"]
    rows = {"in.jsonl": '{"photo": 1, "said": 5, "gt": ["a"]}\n{"photo": 2, "said": "a", "gt": ["a", 5]}\n{"photo": 3, "gt": ["a"]}'}
    problems = read(tmp_path, rows, columns=columns)[1]
    assert [p.partition(", ")[2].partition(": found")[0] for p in problems] == [
        "line 1, field said",
        "line 2, field gt[1]",
        "line 3, field said",
    ]
    assert problems[2].endswith("expected a field said")
    files = {"r.json": '[{"image_id": 1, "caption": "a dog"}]', "r.csv": "photo,text\n1,\n"}
    problems = read(tmp_path, files, columns={"image_id": ["photo"], "captions": ["text"]})[1]
    assert problems[0].startswith("r.csv, line 2, field text: found")


def row(**changes) -> str:
    good_fields = json.loads(GOOD_ROW)
    return json.dumps([good_fields, {"image_id": 8, "test": "a cat", "refs": ["a cat"]} | changes, good_fields | {"image_id": 9}])


def graph(**changes) -> dict[str, str]:
    return {"r.json": "[]", "g.json": json.dumps([GRAPHS | changes])}


def coco_files(results: str, references: str = ANNOTATED_FILE) -> dict[str, str]:
    return {"r.json": results, "captions.json": references}


EMPTY_CAPTION_MESSAGE = "expected a non-empty caption (to score an empty one as 0, write [] in JSON or use --empty-captions)"
JAPANESE_ROW = '[{"image_id": 1, "test": "赤い傘をさした人", "refs": ["男性がギターを弾いている。"]}]'
WITHOUT_REFERENCES = "in.json: found results (image_id and caption) without references, expected references too: --references"

# Files with their contents, the beginning of the expected message, and the number of valid rows, by description.
FAULTY_FILES = {
    "empty file": ({"in.json": ""}, "in.json: found an empty file, expected a JSON array", 0),
    "blank file": ({"in.json": " \n"}, "in.json: found an empty file", 0),
    "no JSON": ({"in.json": "image,caption"}, "in.json, line 1, column 1: found 'image,caption', expected JSON", 0),
    "truncated array": ({"in.json": f"[{GOOD_ROW}, " + '{"image_id": 8, "test": "a c'}, "in.json, line 1, column 85: found '\"a c', expected JSON (a closing quotation mark; the file may be cut off)", 1),
    "array not closed": ({"in.json": f"[{GOOD_ROW}"}, "in.json, line 1, column 59: found the end of the file, expected JSON (a comma or the closing bracket)", 1),
    "trailing comma in an array": ({"in.json": f"[{GOOD_ROW},\n]"}, "in.json, line 2, column 1: found ']', expected JSON", 1),
    "trailing comma in an object": ({"in.json": '[{"image_id": 1,}]'}, "in.json, line 1, column 17: found '}]', expected JSON", 0),
    "text after the array": ({"in.json": f"[{GOOD_ROW}] {GOOD_ROW}"}, "in.json, line 1, column 61: found '{\"image_id\": 7, \"tes', expected nothing after", 1),
    "broken line": ({"in.jsonl": f"{GOOD_ROW}\n{{\n{GOOD_ROW.replace('7', '8')}"}, "in.jsonl, line 2, column 2: found '', expected JSON", 2),
    "a field twice": ({"in.jsonl": GOOD_ROW.replace("{", '{"test": "a cat", ') + "\n" + GOOD_ROW}, "in.jsonl, line 1: found two fields 'test', expected JSON", 1),
    "a field twice in an array": ({"in.json": "[" + GOOD_ROW + ", " + GOOD_ROW.replace("{", '{"test": 3, ') + "]"}, "in.json, line 1, column 61: found '{\"test\": 3, \"image_i', expected JSON (two fields 'test')", 1),
    "lines that end in CR": ({"in.jsonl": f"{GOOD_ROW}\r{GOOD_ROW}\r"}, "in.jsonl: found lines that end in CR only, expected lines that end in LF or CR LF", 0),
    "a table whose lines end in CR": ({"in.csv": TABLE.replace("\n", "\r")}, "in.csv: found lines that end in CR only", 0),
    "NUL bytes": ({"in.json": bytes(5000)}, "in.json: found a binary file, expected JSON or a table", 0),
    "gzip and more behind it": ({"in.json": gzip.compress(f"[{GOOD_ROW}]".encode()) + b"more"}, "in.json: found a damaged file, expected the complete file", 0),
    "image_id too large": ({"in.json": row(image_id=2**63)}, "in.json, row 2, field image_id: found 9223372036854775808, expected an integer of at most 64 bits", 2),
    "image_id too long": ({"in.json": row(image_id="x" * 1001)}, "in.json, row 2, field image_id: found 'xxx", 2),
    "UTF-8 with a fault": ({"in.jsonl": JAPANESE_ROW[1:-1].encode() + b"\n" + GOOD_ROW.encode().replace(b"a dog", b"\x83\x41")}, "in.jsonl, line 2, field test: found b'\\x83', expected text in UTF-8", 1),
    "ZIP archive": ({"in.json.gz": b"PK\x03\x04\x14\x00"}, "in.json.gz: found a ZIP archive or Excel workbook, expected JSON or a table", 0),
    "Japanese columns": ({"in.csv": "画像ID,キャプション,参照1\n1,犬,犬\n"}, "in.csv, line 1: found '画像ID, キャプション, 参照1', expected columns image_id, test, ref1, ref2 … (or --columns image_id=画像ID test=キャプション refs=参照1)", 0),
    "other fields": ({"in.json": '[{"id": 1, "model output": "a dog", "gt": ["a brown dog"]}]'}, "in.json: found 'id, model output, gt', expected fields image_id, test, refs (or --columns image_id=id 'test=model output' refs=gt)", 0),
    "a million columns": ({"in.csv": ",".join(map(str, range(1_000_000))) + "\n"}, "in.csv, line 1: found 1,000,000 columns, expected at most 100,000", 0),
    "thirty thousand columns, the last twice": ({"in.csv": ",".join(map(str, [*range(30_000), 29_999])) + "\n"}, "in.csv, line 1: found 2 columns named '29999', expected columns with distinct names", 0),
    "Latin-1 beside UTF-8": ({"in.json": row(test="x", refs=["ü"]).encode().replace(b'"x"', b'"caf\xe9"').replace(b"\\u00fc", "ü".encode())}, "in.json, row 2, field test: found b'\\xe9', expected text in UTF-8", 2),
    "half a character": ({"in.json": row(test="\ud83d")}, "in.json, row 2, field test: found '\\ud83d', expected text in UTF-8", 2),
    "the second half of a character": ({"in.json": row(test="\ude00 a dog")}, "in.json, row 2, field test: found '\\ude00', expected text in UTF-8", 2),
    "half a character in a reference": ({"in.jsonl": GOOD_ROW.replace("a brown dog", "\\ude00 a dog", 1)}, "in.jsonl, line 1, field refs[0]: found '\\ude00', expected text in UTF-8", 0),
    "half a character as an id": ({"in.json": row(image_id="\ude00")}, "in.json, row 2, field image_id: found '\\ude00', expected text in UTF-8", 2),
    "half a character behind a byte": ({"in.jsonl": JAPANESE_ROW[1:-1].encode() + b"\n" + GOOD_ROW.encode().replace(b"a dog", b"\xe9 \\ud83d", 1)}, "in.jsonl, line 2, field test: found '\\ud83d', expected text in UTF-8", 1),
    "damaged gzip": ({"in.json": b"\x1f\x8b\x08\x00damaged"}, "in.json: found", 0),
    "gzip cut off": ({"in.jsonl": gzip.compress(os.urandom(9) * 9 + GOOD_ROW.encode())[:-9]}, "in.jsonl: found a compressed file that is cut off, expected the complete file", 0),
    "deep nesting": ({"in.jsonl": "[" * 100_000}, "in.jsonl, line 1, column 2: found '[[[[", 0),
    "very long number": ({"in.jsonl": GOOD_ROW.replace("7", "7" * 5000)}, "in.jsonl, line 1: found Exceeds the limit", 0),
    "row no object": ({"in.json": f"[3, {GOOD_ROW}]"}, "in.json, row 1: found 3, expected an object with image_id, test and refs", 1),
    "no image_id": ({"in.json": '[{"test": "x", "refs": ["x"]}]'}, "in.json: found 'test, refs', expected fields image_id, test, refs (or --columns image_id= test=test refs=refs)", 0),
    "no image_id in one row": ({"in.json": f'[{{"test": "x", "refs": ["x"]}}, {GOOD_ROW}]'}, "in.json, row 1, field image_id: found only test, refs, expected a field image_id", 1),
    "no references": ({"in.json": '[{"image_id": 1, "test": "x"}]'}, "in.json, row 1, field refs: found only image_id, test", 0),
    "image_id null": ({"in.json": row(image_id=None)}, "in.json, row 2, field image_id: found None, expected an integer or a text", 2),
    "image_id NaN": ({"in.json": row(image_id=float("nan"))}, "in.json, row 2, field image_id: found nan", 2),
    "image_id true": ({"in.json": row(image_id=True)}, "in.json, row 2, field image_id: found True", 2),
    "image_id empty": ({"in.json": row(image_id="")}, "in.json, row 2, field image_id: found ''", 2),
    "image_id twice": ({"in.json": row(image_id=7)}, "in.json, row 2, field image_id: found 7, expected an image id that no earlier row has", 2),
    "caption a number": ({"in.json": row(test=3)}, "in.json, row 2, field test: found 3, expected a caption or a list of propositions", 2),
    "caption a nested list": ({"in.json": row(test=[[["dog"]]])}, "in.json, row 2, field test[0]: found [['dog']], expected a list of one to three words", 2),
    "caption a book": ({"in.json": row(test="a dog " * 2000)}, "in.json, row 2, field test: found 12,000 characters, expected a caption of at most 10,000", 2),
    "candidate empty": ({"in.json": row(test="")}, f"in.json, row 2, field test: found an empty candidate, {EMPTY_CAPTION_MESSAGE}", 2),
    "candidate blank": ({"in.jsonl": GOOD_ROW.replace("a dog", " \u3000", 1)}, f"in.jsonl, line 1, field test: found an empty candidate, {EMPTY_CAPTION_MESSAGE}", 0),
    "candidate of a table empty": ({"in.csv": TABLE + "9,,a bird,a bird\n"}, f"in.csv, line 4, field test: found an empty candidate, {EMPTY_CAPTION_MESSAGE}", 2),
    "result empty": (coco_files(RESULTS.replace("a bus", "")), f"r.json, row 2, field caption: found an empty candidate, {EMPTY_CAPTION_MESSAGE}", 1),
    "the same id as a number and a text": ({"in.json": row(image_id="7")}, "in.json, row 2, field image_id: found '7', expected an image id that no earlier row has", 2),
    "caption of four words": ({"in.json": row(test=[["dog"], ["a", "b", "c", "d"]])}, "in.json, row 2, field test[1]: found ['a', 'b', 'c', 'd'], expected a list of one to three words", 2),
    "caption of many propositions": ({"in.json": row(test=[["dog"]] * 2001)}, "in.json, row 2, field test: found more than 2,000 tuples, expected at most 2,000", 2),
    "caption of a number": ({"in.json": row(test=[["dog", 1]])}, "in.json, row 2, field test[0]: found ['dog', 1]", 2),
    "references empty": ({"in.json": row(refs=[])}, "in.json, row 2, field refs: found [], expected a list of at least one caption", 2),
    "references a text": ({"in.json": row(refs="a dog")}, "in.json, row 2, field refs: found 'a dog', expected a list", 2),
    "reference blank": ({"in.json": row(refs=["a dog", " "])}, "in.json, row 2, field refs[1]: found ' ', expected a non-empty caption", 2),
    "table without header": ({"in.csv": "7,a dog,a brown dog\n8,a cat,a cat\n"}, "in.csv, line 1: found '7, a dog, a brown dog', expected columns image_id, test, ref1, ref2 … (or --columns image_id=NAME test=NAME refs=NAME,NAME)", 0),
    "table without references": ({"in.csv": "image_id,test\n7,a dog\n"}, "in.csv, line 1: found 'image_id, test', expected columns ref1, ref2 … (or --columns refs=NAME,NAME)", 0),
    "short row": ({"in.csv": TABLE + "9,a bird\n"}, "in.csv, line 4: found 2 cells, expected 4, as in the first line", 2),
    "long row": ({"in.csv": TABLE.replace("a dog", "a dog, sitting")}, "in.csv, line 2: found 5 cells, expected 4", 1),
    "quote not closed": ({"in.csv": TABLE + '9,"a bird,a,b\n'}, "in.csv, line 4: found unexpected end of data, expected a table row with balanced double quotes", 2),
    "row without reference": ({"in.csv": TABLE + "9,a bird,,\n"}, "in.csv, line 4, field ref1, ref2: found []", 2),
    "empty table": ({"in.csv": ""}, "in.csv: found an empty file, expected column names in the first line", 0),
    "result without annotation": (coco_files(RESULTS.replace("2", "5")), "r.json, row 2, field image_id: found 5, expected an image listed in captions.json", 1),
    "annotations of other images": (coco_files(RESULTS.replace("1", "5").replace("2", "6")), "captions.json: found only references of other images (1, 2 …), expected references for the same images", 0),
    "annotations alone": ({"in.json": ANNOTATED_FILE}, "in.json: found image annotations, which are references, expected the captions to score; give this file as --references", 0),
    "annotations in place of results": ({"in.json": ANNOTATED_FILE, "r.json": RESULTS}, "in.json: found image annotations, which are references, expected the captions to score; give the annotations as --references", 0),
    "two results for an image": (coco_files(RESULTS.replace("2", "1")), "r.json, row 2, field image_id: found 1, expected an image id that no earlier row has", 1),
    "no annotations": (coco_files(RESULTS, '{"images": [{"id": 1}]}'), "captions.json: found only images, expected a list annotations", 0),
    "annotation without caption": (coco_files(RESULTS, CAPTIONS % '{"image_id": 1}, {"image_id": 1, "caption": "x"}'), "captions.json, annotations, row 1, field caption: found only image_id", 1),
    "truncated annotations": (coco_files(RESULTS, ANNOTATED_FILE[:150]), "captions.json, line 1, column", 0),
    "object without name": (graph(objects=[{"object_id": 1, "names": []}]), "g.json, row 1, field objects[0].names: found None, expected a word", 0),
    "unknown object id": (graph(relationships=[{"predicate": "on", "subject_id": 11, "object_id": 99}]), "g.json, row 1, field relationships[0]: found 99, expected the object_id", 0),
    "no relationships": (graph(relationships=None), "g.json, row 1, field relationships: found None, expected a list relationships", 0),
}  # fmt: skip


@pytest.mark.parametrize(("files", "message", "good_rows"), FAULTY_FILES.values(), ids=FAULTY_FILES)
def test_problems_are_reported_and_valid_rows_read(tmp_path, files, message, good_rows):
    items, problems = read(tmp_path, files)
    assert any(problem.startswith(message) for problem in problems), problems
    assert len(items) == good_rows


def test_unreadable_paths_and_huge_rows_are_reported(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    for path, expected_text in (
        (tmp_path, "Is a directory, expected a file that can be read"),
        (tmp_path / "no.json", "No such file or directory, expected a file that can be read"),
        (tmp_path / "pipe", "a pipe or device, expected a file"),
    ):
        with pytest.raises(InputError, match=f"{path.name}: found {expected_text}"):
            list(Source(path))
    for delimiter in ("ab", "", '"', "\n", "\r", 5):
        with pytest.raises(InputError, match="delimiter: found .*, expected one character, neither a quote nor a line break"):
            Source(Path("in.csv"), delimiter=delimiter)
    for name in ["in.jsonl", "in.json", "in.csv"]:
        monkeypatch.setattr(rows_module, "MAX_ROW_BYTES", 1 << 20)
        huge_row = row(test="x" * (3 << 20))
        jsonl, table = "\n".join(map(json.dumps, json.loads(huge_row))), "image_id,test,ref\n1," + "x" * (3 << 20)
        content = {"in.json": huge_row, "in.jsonl": jsonl, "in.csv": table}
        _, problems = read(tmp_path, {name: content[name]})
        assert any("1 MB" in problem and f"{name}, line" in problem for problem in problems)


def test_values_are_read_across_block_boundaries_and_ids_may_be_repeated(tmp_path):
    items = [{"image_id": n, "test": "é" * (n % 977), "refs": ['\\u"[{', [["a"]]]} for n in range(1000)]
    text = json.dumps(items, indent=1, ensure_ascii=False)
    read_items_, problems = read(tmp_path, {"in.json": text}, allow_empty=True)
    assert not problems and [(i.image_id, i.candidate) for i in read_items_] == [(i["image_id"], i["test"]) for i in items]
    assert [i.image_id for i in open_source(tmp_path, {"in.json": row(image_id=7)}, allow_repeated=True)] == [7, 7, 9]


@pytest.mark.parametrize(("name", "content", "message"), [
    *(("in.json", content + bytes(range(256)) * 4, f"in.json: found {name}, expected JSON or a table") for content, name in (
        (b"\x89PNG\r\n\x1a\n", "'PNG'"), (b"\xff\xd8\xff\xe0", "'JPEG'"), (b"PK\3\4" + bytes(26) + b"a/data.pkl", "'PyTorch'"),
        (b"PK\3\4" + bytes(26) + b"arr_0.npy", "'NumPy'"), (b"PK\3\4" + bytes(26) + b"a.json", "a ZIP archive or Excel workbook"),
        (b"\x80\4\x95", "'a pickle'"), (b"a.json".ljust(257, b"\0") + b"ustar", "'tar'"), (b"\0\1", "a binary file"),
        (b"1\n00:00:01,000 --> 00:00:04,000\nA dog.\n", "'SRT'"), (b"\xef\xbb\xbfWEBVTT\n", "'WebVTT'"), (b"\\begin{table}\n", "'LaTeX'"),
    )),
    ("in.toml", b'caption = "a dog"\n', "in.toml: found 'TOML', expected JSON or a table"),
    ("in.jsonl", b"image_id,test,ref1\n" + b"1,a dog,a dog\n" * 300, "in.jsonl, line 1, column 1: found 'image_id,test,ref1', expected JSON"),
    ("in.json", b"<html>\n<body>\n</html>", "in.json: found 'XML or HTML', expected JSON or a table"),
    ("in.json", json.dumps([{"image_id": n, "caption": "a dog"} for n in range(300)]), WITHOUT_REFERENCES),
    ("in.jsonl", "".join(f'{{"image_id": {n}, "caption": "a dog"}}\n' for n in range(300)), WITHOUT_REFERENCES.replace("json", "jsonl")),
    ("in.csv", "image_id,caption\n" + "".join(f"{n},a dog\n" for n in range(300)), WITHOUT_REFERENCES.replace("json", "csv")),
])  # fmt: skip
def test_a_problem_of_every_row_is_reported_once(tmp_path, name, content, message):
    items, (problem,) = read(tmp_path, {name: content})
    assert not items and problem.startswith(message)


@pytest.mark.parametrize("name", ["in.jsonl.gz", "in.json.gz", "in.csv.gz"])
def test_a_decompression_bomb_is_reported(tmp_path, monkeypatch, name):
    content = gzip.compress({"json": b"[", "csv.": b"image_id,test,ref1\n"}.get(name[3:7].rstrip("l"), b"") + b" " * (5 << 20))
    monkeypatch.setattr(rows_module, "MAX_UNPACKED_UPLOAD_BYTES", 2 << 20)
    with pytest.raises(InputError, match=f"{name}: found more than 2 MB when unpacked, expected a smaller file"):
        list(Source(Upload(name, content)))
    monkeypatch.setattr(rows_module, "_MAX_UNPACKED_FILE_BYTES", 3 << 20)
    assert "more than 3 MB when unpacked" in read(tmp_path, {name: content})[1][-1]
    # A file above the limit is read if its compression ratio is allowed.
    monkeypatch.setattr(rows_module, "_MAX_COMPRESSION_RATIO", 5000)
    assert "when unpacked" not in str(read(tmp_path, {name: content})[1])


@pytest.mark.parametrize(("name", "content"), [
    ("in.jsonl", "\n" * 3_000 + GOOD_ROW), ("in.json", "[" + "1, " * 3_000 + "1]"),
    ("in.json", '{"images": [' + "1, " * 3_000 + '1], "annotations": []}'), ("in.csv", TABLE + "\n" * 3_000),
    ("in.jsonl", f'{{"refs": {[1] * 100}}}\n' * 30), ("in.json", f"[{[1] * 100}" + f", {[1] * 100}" * 30 + "]"),
])  # fmt: skip
def test_an_upload_is_read_up_to_a_limit(tmp_path, monkeypatch, name, content):
    monkeypatch.setattr(rows_module, "_MAX_UPLOADED_VALUES", 2_000)
    upload_ = Upload(name, content.encode())
    with pytest.raises(InputError, match="more than 2,000 (lines|values)|maximum number of values"):
        list(Source(Upload("r.json", RESULTS.encode()), upload_) if "annotations" in content else Source(upload_))
    assert not any("maximum number" in problem or "2,000" in problem for problem in read(tmp_path, {name: content})[1])


@pytest.mark.parametrize(("name", "start", "message", "good_rows"), [
    ("in.jsonl", "", "in.jsonl, line 1: found more than 200,000 values, expected a row with fewer values", 1),
    ("in.json", "[", "in.json, line 1, column 2: found '{\"image_id\": 1, \"tes', expected a row with fewer values", 0),
])  # fmt: skip
def test_a_row_of_too_many_values_is_one_problem(tmp_path, name, start, message, good_rows):
    huge_row = json.dumps({"image_id": 1, "test": "a dog", "refs": [1] * 300_000})
    items, problems = read(tmp_path, {name: f"{start}{huge_row}{',' if start else ''}\n{GOOD_ROW}{']' if start else ''}"})
    assert ([problem.startswith(message) for problem in problems], len(items)) == ([True], good_rows), problems


def test_an_uploaded_table_has_at_most_a_thousand_columns(tmp_path):
    table = ",".join(["image_id", "test", "ref1", *map(str, range(998))]) + "\n7,a dog,a dog" + "," * 998
    with pytest.raises(InputError, match="in.csv, line 1: found 1,001 columns, expected at most 1,000"):
        list(Source(Upload("in.csv", table.encode())))
    assert read(tmp_path, {"in.csv": table})[1] == []


def test_bad_rows_give_exit_code_2_or_are_skipped_and_empty_candidates_are_scored_as_0_on_request(tmp_path, capsys):
    path, output_path, listed_problems = (tmp_path / name for name in ("in.json", "out.json", "problems.jsonl"))
    input_rows = {"test": [["dog"]], "refs": [[["dog"]]]}
    path.write_text(json.dumps([{"image_id": n, **input_rows, **({"test": n} if n < 60 else {})} for n in range(62)]))
    command = ["score", str(path), "--out", str(output_path), "--silent"]
    assert main(command) == 2 and not output_path.exists()
    messages = capsys.readouterr().err.splitlines()
    assert messages[0] == f"spice-core: {path}, row 1, field test: found 0, expected a caption or a list of propositions"
    assert messages[50:] == ["spice-core: … and 10 more problems", "spice-core: 60 problems, 2 good rows (--skip-bad scores the good rows)"]
    assert main([*command, "--skip-bad", "--problems", str(listed_problems)]) == 0
    assert [row["image_id"] for row in json.loads(output_path.read_text())] == [60, 61]
    problems = [json.loads(line) for line in listed_problems.read_text().splitlines()]
    assert len(problems) == 60 and problems[59]["row"] == "row 60" and problems[59]["field"] == "field test"
    json_rows = '[{"image_id": 1, "test": %s, "refs": ["a dog"]}, {"image_id": 2, "test": "a dog", "refs": ["a dog"]}]'
    for name, content, options in (
        ("in.csv", "image_id,test,ref1\n1,,a brown dog\n2,a dog,a dog\n", ["--empty-captions"]),
        ("in.json", json_rows % '""', ["--empty-captions"]),
        ("in.json", json_rows % "[]", []),
    ):
        (tmp_path / name).write_text(content)
        assert main(["score", str(tmp_path / name), "--out", str(output_path), "--silent", *options]) == 0
        assert [row["scores"]["All"]["f"] for row in json.loads(output_path.read_text())] == [0.0, 1.0]


def test_a_file_in_memory_is_read_like_a_file_on_disk_and_read_items_ends_at_the_first_error(tmp_path):
    content = b'\xef\xbb\xbf[{"image_id": 1, "test": "A dog.", "refs": ["A dog."]}, {"image_id": 2}]'
    from_disk, from_memory = list(open_source(tmp_path, {"a.json": content})), list(Source(Upload("a.json", content)))
    assert from_memory[0] == from_disk[0] and from_memory[1].file == "a.json" and from_memory[1].row == from_disk[1].row
    refs = ["a brown dog", [["dog"], ["dog", "on", "sofa"]]]
    (item,) = open_source(tmp_path, {"in.json": json.dumps(json.loads(GOOD_ROW) | {"refs": refs})})
    assert isinstance(item.references[1], Parse) and list(item.captions) == ["a dog", "a brown dog"]
    path = tmp_path / "in.json"
    path.write_text(row(test=3))
    with pytest.raises(InputError, match=f"^{path}, row 2, field test: found 3, expected a caption"):
        read_items(path)
    with pytest.raises(InputError, match=r"nothing\.json: found No such file or directory"):
        read_items(tmp_path / "nothing.json")
