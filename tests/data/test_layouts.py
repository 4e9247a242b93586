"""Test realistic files: layouts of public data sets and of captioning programs, recognised by content."""

import io
import json
import random
import shlex
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import pytest

from spice_core.cli.main import _make_parser, main
from spice_core.cli.score import source_from_options as source_of
from spice_core.data import Item, Source, layouts, reader
from spice_core.data.reader import Upload
from spice_core.data.results import read_results
from spice_core.errors import InputError
from spice_core.plugins import added_paths
from spice_core.scene.propositions import parse_from_tuples
from spice_core.syntax.clean_text import clean_caption
from tests.conftest import install_entry_points
from tests.data.layout_cases import LAYOUTS, Layout, example_files
from tools import layout_table

SHEET_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
Files = dict[str, str | bytes]
DOG_REFERENCES = ["A brown dog lies on a couch.", "A dog sleeps on a sofa."]
MEN_REFERENCES = ["Two men ride bicycles.", "Cyclists pass cars."]
CAPTION_BY_ID = {1: "a dog on a couch", 2: "two men on bikes"}


def results_json(ids: tuple = (1, 2), fields: str = "image_id caption") -> str:
    image, caption = fields.split()
    return json.dumps([{image: id, caption: text} for id, text in zip(ids, CAPTION_BY_ID.values())])


def karpathy_file(ids: list[dict], *, dataset: str = "coco") -> str:
    """Return a file in the layout of Karpathy's splits, whose last image belongs to another split."""
    sentences = [
        [{"tokens": text.lower().split(), "raw": text, "sentid": i} for i, text in enumerate(references)]
        for references in (DOG_REFERENCES, MEN_REFERENCES, ["A cat."])
    ]
    images = [{"sentids": [0], "sentences": references, "split": "test", **id} for id, references in zip(ids, sentences)]
    images[2]["split"] = "train"
    return (
        json.dumps({"images": images, "dataset": dataset})
        if dataset != "coco"
        else json.dumps({"dataset": dataset, "images": images}, indent=1)
    )


def annotation_file(marks: list[dict]) -> str:
    texts = [
        (1, DOG_REFERENCES[0]),
        (1, DOG_REFERENCES[1]),
        (2, MEN_REFERENCES[0]),
        (2, MEN_REFERENCES[1]),
        (2, "Quality issues are too severe."),
        (1, "Buy watches."),
    ]
    notes = [{"id": i, "image_id": image, "caption": text, **mark} for i, ((image, text), mark) in enumerate(zip(texts, marks))]
    return json.dumps({"info": {"year": 1}, "images": [{"id": 1}, {"id": 2}], "annotations": notes})


GOOD_CAPTION_FLAGS = {"is_rejected": False, "is_precanned": False}
REJECTED_FLAGS = {"is_rejected": True}
PRECANNED_FLAGS = {"is_precanned": True}
TEXTCAPS = [
    {"image_id": i, "caption_str": text, "reference_strs": each}
    for i, each in (("a1", DOG_REFERENCES), ("b2", MEN_REFERENCES))
    for text in each
]
TWO_ROWS = [(1, CAPTION_BY_ID[1], DOG_REFERENCES), (2, CAPTION_BY_ID[2], MEN_REFERENCES)]
NAMED_ROWS = [("a1", CAPTION_BY_ID[1], DOG_REFERENCES), ("b2", CAPTION_BY_ID[2], MEN_REFERENCES)]
TOKEN_FILE = "".join(
    f"{name}.jpg#{i}\t{text}\n" for name, each in (("a1", DOG_REFERENCES), ("b2", MEN_REFERENCES)) for i, text in enumerate(each)
)
COCO_IDS = [{"cocoid": 1, "imgid": 7, "filename": "x1.jpg"}, {"cocoid": 2, "imgid": 1, "filename": "x2.jpg"}, {"cocoid": 3, "imgid": 2}]
FLICKR_IDS = [{"imgid": 0, "filename": "a1.jpg"}, {"imgid": 1, "filename": "b2.jpg"}, {"imgid": 2, "filename": "c3.jpg"}]
SPLIT_NOTICE = "was read as Karpathy split (test): 2 images"
BY_ID_NOTICE, TOKENS_NOTICE, TEXTCAPS_NOTICE = (
    f"was read as {name}: 2 images" for name in ("captions by image id", "Flickr tokens", "TextCaps")
)


@pytest.mark.parametrize(("files", "expected_items", "notices"), [
    ({"r.json": results_json(), "dataset_coco.json": karpathy_file(COCO_IDS)}, TWO_ROWS, [SPLIT_NOTICE]),
    ({"r.json": results_json(("a1.jpg", "b2.jpg")), "dataset_flickr8k.json": karpathy_file(FLICKR_IDS, dataset="flickr8k")}, [("a1.jpg", *TWO_ROWS[0][1:]), ("b2.jpg", *TWO_ROWS[1][1:])], [SPLIT_NOTICE]),
    ({"r.json": results_json((0, 1)), "dataset_rsicd.json": karpathy_file(FLICKR_IDS, dataset="rsicd")}, [(0, *TWO_ROWS[0][1:]), (1, *TWO_ROWS[1][1:])], [SPLIT_NOTICE]),
    ({"r.json": results_json(("1", "2")), "captions.json": annotation_file([GOOD_CAPTION_FLAGS] * 4)}, [("1", *TWO_ROWS[0][1:]), ("2", *TWO_ROWS[1][1:])], []),
    ({"r.json": results_json((1.0, 2.0)), "captions.json": annotation_file([{}] * 4)}, TWO_ROWS, []),
    ({"r.csv": "image_id,caption\n1.0,a dog on a couch\n2.0,two men on bikes\n", "c.json": annotation_file([{}] * 4)}, [("1.0", *TWO_ROWS[0][1:]), ("2.0", *TWO_ROWS[1][1:])], []),
    ({"r.json": results_json(), "vizwiz.json": annotation_file([GOOD_CAPTION_FLAGS] * 4 + [PRECANNED_FLAGS, REJECTED_FLAGS])}, TWO_ROWS, ["2 rejected or precanned captions are ignored"]),
    ({"r.json": results_json(), "vizwiz.json": annotation_file([{}] * 4 + [GOOD_CAPTION_FLAGS | PRECANNED_FLAGS])}, TWO_ROWS, ["1 rejected or precanned caption is ignored"]),
    ({"r.json": results_json(), "vizwiz.json": annotation_file([GOOD_CAPTION_FLAGS | REJECTED_FLAGS, GOOD_CAPTION_FLAGS, GOOD_CAPTION_FLAGS, REJECTED_FLAGS, PRECANNED_FLAGS, REJECTED_FLAGS])}, [(1, CAPTION_BY_ID[1], DOG_REFERENCES[1:]), (2, CAPTION_BY_ID[2], MEN_REFERENCES[:1])], ["4 rejected or precanned captions are ignored"]),
    ({"r.json": json.dumps({"a1": CAPTION_BY_ID[1], "b2": CAPTION_BY_ID[2]}), "refs.json": json.dumps({"a1": DOG_REFERENCES, "b2": MEN_REFERENCES})}, NAMED_ROWS, [BY_ID_NOTICE]),
    ({"r.json": json.dumps({"1": [CAPTION_BY_ID[1]], "2": [CAPTION_BY_ID[2]]}), "refs.json": json.dumps({"2": MEN_REFERENCES, "1": DOG_REFERENCES}, indent=2)}, [("1", *TWO_ROWS[0][1:]), ("2", *TWO_ROWS[1][1:])], [BY_ID_NOTICE]),
    ({"r.json": results_json(), "gts.json": json.dumps({str(id): [{"caption": text, "id": 5} for text in caption] for id, _, caption in TWO_ROWS})}, TWO_ROWS, [BY_ID_NOTICE]),
    ({"r.json": results_json(("a1", "b2")), "TextCaps_0.1_val.json": json.dumps({"dataset_type": "val", "data": TEXTCAPS})}, NAMED_ROWS, [TEXTCAPS_NOTICE]),
    ({"r.json": results_json(("b2", "a1")), "TextCaps_0.1_train.json": json.dumps({"data": TEXTCAPS[::-1], "ocr_source": "rosetta"}, indent=1)}, [("b2", CAPTION_BY_ID[1], MEN_REFERENCES[::-1]), ("a1", CAPTION_BY_ID[2], DOG_REFERENCES[::-1])], [TEXTCAPS_NOTICE]),
    ({"r.csv": "image_id,caption\na1,a dog on a couch\n", "t.json": json.dumps({"data": [*TEXTCAPS, {"image_id": "c", "caption_str": "A sign.", "image_classes": ["Sign"]}]})}, NAMED_ROWS[:1], ["TextCaps: 3 images", "2 of 3 images have no result"]),
    ({"r.json": results_json(("a1", "b2")), "msrvtt.json": json.dumps({"info": {}, "videos": [{"video_id": "a1"}], "sentences": [{"video_id": i, "sen_id": 1, "caption": text} for i, caption in (("a1", DOG_REFERENCES), ("b2", MEN_REFERENCES)) for text in caption]})}, NAMED_ROWS, ["was read as MSR-VTT: 2 images"]),
    ({"r.json": results_json(("a1.jpg", "b2.jpg")), "results.token": TOKEN_FILE}, [("a1.jpg", *TWO_ROWS[0][1:]), ("b2.jpg", *TWO_ROWS[1][1:])], [TOKENS_NOTICE]),
    ({"r.json": results_json(("a1", "b2")), "Flickr8k.token.txt": TOKEN_FILE.replace("\n", "\r\n")}, NAMED_ROWS, [TOKENS_NOTICE]),
    ({"r.json": json.dumps({"b2": CAPTION_BY_ID[2]}), "lemmas.txt": "".join(sorted(TOKEN_FILE.splitlines(True), reverse=True)).replace("#1", "#1r")}, [("b2", CAPTION_BY_ID[2], MEN_REFERENCES[::-1])], [TOKENS_NOTICE, "1 of 2 images has no result and is ignored (a1.jpg)"]),
    ({"r.json": results_json(("a1", "b2")), "refs.jsonlines": "".join(json.dumps({"image_id": i, "captions": caption}) + "\n" for i, caption in (("a1", DOG_REFERENCES), ("b2", MEN_REFERENCES)))}, NAMED_ROWS, []),
    ({"r.json": results_json(("a1", "b2")), "refs.txt": "image_id,caption\n" + "".join(f"{i},{text}\n" for i, caption in (("a1", DOG_REFERENCES), ("b2", MEN_REFERENCES)) for text in caption)}, NAMED_ROWS, []),
    ({"in.json": json.dumps([{"image_id": 1, "test": [CAPTION_BY_ID[1]], "refs": DOG_REFERENCES}, {"image_id": 2, "test": [CAPTION_BY_ID[2]], "refs": MEN_REFERENCES}])}, TWO_ROWS, []),
    ({"r.jsonl": "".join(json.dumps({"image_id": i, "caption": [[text + " here"]]}) + "\n" for i, text in CAPTION_BY_ID.items()), "c.json": annotation_file([{}] * 4)}, [(i, text + " here", refs) for i, text, refs in TWO_ROWS], []),
    ({"res.json": json.dumps({"1": [CAPTION_BY_ID[1]], "2": [CAPTION_BY_ID[2]]}), "c.json": annotation_file([{}] * 4)}, [("1", *TWO_ROWS[0][1:]), ("2", *TWO_ROWS[1][1:])], []),
])  # fmt: skip
def test_layouts_of_public_data_sets_are_read(tmp_path: Path, files: Files, expected_items: list, notices: list[str]):
    source = open_source(tmp_path, files)
    assert [(item.image_id, item.candidate, list(item.references)) for item in source] == expected_items
    assert len(source.notices) == len(notices) and all(part in str(notice) for part, notice in zip(notices, source.notices))


@pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.name for layout in LAYOUTS])
def test_the_layouts_in_the_documentation_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: Layout):
    monkeypatch.chdir(tmp_path)
    for name, content in example_files(layout).items():
        Path(name).write_text(content, encoding="utf-8")
    source = source_of(_make_parser("score").parse_args(shlex.split(layout_table.example_command(layout))[1:]))
    items = [item if isinstance(item, Item) else pytest.fail(str(item)) for item in source]
    assert tuple(source.notices) == layout.notices and [item.candidate for item in items] == [*CAPTION_BY_ID.values()]
    for item, layout_ in zip(items, layout.references, strict=True):
        (graph, *_) = item.references
        reference_texts = [*item.references] if isinstance(graph, str) else {p.words for p in graph.propositions}
        assert reference_texts == (
            layout_ if isinstance(graph, str) else {p.words for p in parse_from_tuples(layout_, where="").propositions}
        )


def write_files(folder: Path, files: Files) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def open_source(folder: Path, files: Files, **options: object) -> Source:
    write_files(folder, files)
    return Source(*(folder / name for name in files), **options)


@pytest.mark.parametrize(("files", "option"), [
    ({"r.csv": 'file_name,caption_predicted\n"rain, roof.wav",rain falls on a roof\nhall.wav,a person speaks\n', "c.csv": 'file_name,caption_1,caption_2\nhall.wav,A person speaks.,Someone talks.\n"rain, roof.wav",Rain falls.,Rain hits a roof.\n'}, "image_id=file_name captions=caption_1,caption_2"),
    ({"r.csv": "clip,said\nx.mp4,a cat runs\ny.mp4,a dog runs\n", "c.csv": "clip,human_1,human_2\ny.mp4,A dog runs fast.,A dog.\nx.mp4,A cat runs off.,A cat.\n"}, "image_id=clip captions=human_1,human_2"),
    ({"r.json": json.dumps([{"youtube_id": "q", "output": "a car passes by"}]), "c.csv": "audiocap_id,youtube_id,start_time,caption\n9,q,30,A car passes by fast.\n"}, "image_id=youtube_id captions=caption"),
    ({"r.jsonl": '{"question_id": 1, "prompt": "Describe the image in one sentence.", "text": "a dog on a couch", "model_id": "model-7b"}\n', "c.json": annotation_file([{}] * 4)}, "image_id=question_id caption=text"),
    ({"r.jsonl": '{"question_id": "x9", "text": "a cat on a mat", "answer_id": "k", "model_id": "other-13b", "metadata": {}}\n', "c.json": annotation_file([{}] * 4)}, "image_id=question_id caption=text"),
    ({"r.json": '[{"image_id": 1, "question": "Describe it.", "model": "m", "response": "a red bus"}]', "c.json": annotation_file([{}] * 4)}, "image_id=image_id caption=response"),
    ({"r.jsonl": '{"example_id": "a", "caption": "a dog"}\n', "d.jsonlines": '{"example_id": "a", "split": "qual_dev", "image_file": "a.jpg", "description": "A brown dog lies on a couch."}\n'}, "image_id=example_id captions=description"),
    ({"r.jsonl": '{"image": "a.jpg", "caption": "a dog"}\n', "dci.ndjson": '{"image": "a.jpg", "short_caption": "A brown dog lies on a couch."}\n'}, "image_id=image captions=short_caption"),
    ({"r.json": results_json(), "c.csv": "text_1,text_2\nA dog on a sofa.,A dog on a couch.\nTwo men ride.,Two men run.\n"}, "image_id=NAME"),
])  # fmt: skip
def test_hints_pair_two_files_by_a_shared_column_and_never_by_row_number(tmp_path: Path, files: Files, option: str):
    with pytest.raises(InputError) as error:
        list(open_source(tmp_path, files))
    assert option in str(error.value) and "image_id= " not in str(error.value)


def test_chosen_columns_apply_to_results_and_not_to_annotations(tmp_path: Path):
    answers = "".join(json.dumps({"question_id": i, "text": text, "model_id": "m"}) + "\n" for i, text in CAPTION_BY_ID.items())
    source = open_source(
        tmp_path, {"r.jsonl": answers, "c.json": annotation_file([{}] * 4)}, columns={"image_id": ["question_id"], "caption": ["text"]}
    )
    assert [(item.image_id, item.candidate, list(item.references)) for item in source] == TWO_ROWS


def test_packed_tables_are_read_like_plain_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    openpyxl, pyarrow = pytest.importorskip("openpyxl"), pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    book = openpyxl.Workbook()
    for row in (("image_id", "test", "refs"), (1, CAPTION_BY_ID[1], repr(DOG_REFERENCES)), (2.0, CAPTION_BY_ID[2], repr(MEN_REFERENCES))):
        book.active.append(row)
    book.save(tmp_path / "in.xlsx")
    table = pyarrow.table(
        {
            "image_id": [1, 2],
            "test": [*CAPTION_BY_ID.values()],
            "refs": [DOG_REFERENCES, MEN_REFERENCES],
            "image": [{"bytes": b"\x89PNG" * 100}] * 2,
        }
    )
    parquet.write_table(table, tmp_path / "in.parquet")
    feather.write_feather(table.select(["image_id", "test", "refs"]), tmp_path / "in.arrow", compression="uncompressed")
    # The library Hugging Face Datasets writes this format.
    with pyarrow.ipc.new_stream(tmp_path / "data-00000-of-00001.arrow", table.schema) as stream:
        stream.write_table(table)
    parquet.write_table(
        pyarrow.table(
            {"image": ["x" * 150_000] * 2, "n": [1, 2], "said": [*CAPTION_BY_ID.values()], "gt": [DOG_REFERENCES, MEN_REFERENCES]}
        ),
        tmp_path / "other.parquet",
    )
    book.create_sheet("notes").append(["not read"])
    book.active.insert_cols(2)
    book.save(tmp_path / "more.xlsx")
    chosen_names = {"image_id": ["n"], "test": ["said"], "refs": ["gt"]}
    assert [
        (item.image_id, item.candidate, list(item.references)) for item in Source(tmp_path / "other.parquet", columns=chosen_names)
    ] == TWO_ROWS
    for name in ("in.xlsx", "more.xlsx", "in.parquet", "in.arrow", "data-00000-of-00001.arrow"):
        assert [(item.image_id, item.candidate, list(item.references)) for item in Source(tmp_path / name)] == TWO_ROWS
    upload_ = Upload("in.xlsx", (tmp_path / "in.xlsx").read_bytes())
    assert [(item.image_id, item.candidate, list(item.references)) for item in Source(upload_)] == TWO_ROWS
    for name in ("in.parquet", "in.arrow", "data-00000-of-00001.arrow"):
        with pytest.raises(InputError, match="the command line reads Parquet"):
            list(Source(Upload(name, (tmp_path / name).read_bytes())))
        (tmp_path / f"cut.{name}").write_bytes((tmp_path / name).read_bytes()[:200])
        with pytest.raises(InputError, match="expected a file that can be read"):
            list(Source(tmp_path / f"cut.{name}"))
    monkeypatch.setattr("spice_core.data.packed_tables.MAX_UNPACKED_UPLOAD_BYTES", 100)
    with pytest.raises(InputError, match="when unpacked"):
        list(Source(upload_))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Exception, match=r'pip install "\.\[files\]"'):
        list(Source(tmp_path / "in.parquet"))


@pytest.mark.parametrize(("cells", "message"), [
    ('<row r="1"><c r="A1" t="str"><v>test</v></c><c r="B1" t="str"><v>test</v></c></row>', "2 columns"),
    ('<row r="1"><c r="A1" t="str"><v>image_id</v></c><c r="B1" t="str"><v>test</v></c><c r="C1" t="str"><v>refs</v></c></row><row r="2"><c r="XFD2"><v>1</v></c></row>', "16,384 columns"),
    ('<row r="1"><c r="A1" t="str"><v>image_id</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>', "image_id"),
    ('<row r="1"><c r="A1" t="str"><v>image_id</v></c><c r="B1" t="str"><v>test</v></c><c r="C1" t="str"><v>refs</v></c></row><row r="2"><c r="A2"><v>1</v></row>', "mismatched tag"),
])  # fmt: skip
def test_a_hostile_workbook_is_refused_in_one_line(tmp_path: Path, cells: str, message: str):
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save(tmp_path / "in.xlsx")
    buffer = io.BytesIO()
    with ZipFile(tmp_path / "in.xlsx") as source_archive, ZipFile(buffer, "w") as archive:
        for name in source_archive.namelist():
            sheet = f'<worksheet xmlns="{SHEET_NAMESPACE}"><dimension ref="A1:XFD1048576"/><sheetData>{cells}</sheetData></worksheet>'
            archive.writestr(name, sheet if name.endswith("sheet1.xml") else source_archive.read(name))
    with pytest.raises(InputError, match=message):
        list(Source(Upload("in.xlsx", buffer.getvalue())))


@pytest.mark.parametrize(("part", "content", "method", "message"), [
    ("xl/styles.xml", b"<a/>" * 200_001, ZIP_DEFLATED, "more than 200,000 values"),
    ("xl/workbook.xml", b"<a><row>" + b"<b/>" * 200_001 + b"</row></a>", ZIP_DEFLATED, "more than 200,000 values"),
    ("xl/styles.xml", b"<a/>", ZIP_BZIP2, "'xl/styles.xml' in a compressed form other than deflate"),
    ("xl/styles.xml", b"<a/>", ZIP_LZMA, "'xl/styles.xml' in a compressed form other than deflate"),
    ("xl/styles.xml", random.Random(0).randbytes(100_000), ZIP_STORED, "damaged"),
])  # fmt: skip
def test_parts_of_a_workbook_are_checked_before_they_are_unpacked(part: str, content: bytes, method: int, message: str):
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", method) as archive:
        archive.writestr(part, content)
        if message == "damaged":  # the directory states a smaller size
            archive.infolist()[0].file_size = 1_000
    with pytest.raises(InputError, match=message):
        list(Source(Upload("in.xlsx", buffer.getvalue())))


def test_a_flipped_bit_in_an_arrow_file_is_reported(tmp_path: Path):
    """Without validation, one in fifty of these files would crash the process."""
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"image_id": [1, 2], "test": [*CAPTION_BY_ID.values()], "refs": [DOG_REFERENCES, MEN_REFERENCES]})
    with pyarrow.ipc.new_file(tmp_path / "in.arrow", table.schema) as file:
        file.write_table(table)
    content, path, rng = (tmp_path / "in.arrow").read_bytes(), tmp_path / "damaged.arrow", random.Random(0)
    for _ in range(100):
        position = rng.randrange(len(content))
        path.write_bytes(content[:position] + bytes([content[position] ^ 1 << rng.randrange(8)]) + content[position + 1 :])
        with suppress(InputError):
            list(Source(path))


def test_columns_of_one_name_are_refused_in_parquet_too(tmp_path: Path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table([[1], ["a dog"], ["a cat"], [["a dog"]]], names=["image_id", "test", "test", "refs"])
    parquet.write_table(table, tmp_path / "in.parquet")
    with pytest.raises(InputError, match="2 columns named 'test'"):
        list(Source(tmp_path / "in.parquet"))


@pytest.mark.parametrize("size", [0, 100_000])
@pytest.mark.parametrize(("start", "end"), [
    ('"version": 1, "note": "%s"', ""), ('"version": 1', ', "note": "%s"'), ('"licenses": [{"url": "%s"}], "id_count": null', ""),
])  # fmt: skip
def test_the_layout_of_an_object_does_not_depend_on_its_size(tmp_path: Path, start: str, end: str, size: int):
    notes = json.dumps([{"image_id": 1, "caption": "A dog."}])
    content = f'{{{start}, "annotations": {notes}{end}}}'
    source = open_source(tmp_path, {"r.json": results_json((1,)), "c.json": content.replace("%s", "x" * size)})
    assert [item.references for item in source] == [("A dog.",)]


def test_a_package_adds_a_layout_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The layout is the example of the documentation."""
    example: dict[str, Any] = {}
    section = (Path(__file__).parents[2] / "docs" / "extending.md").read_text("utf-8").partition("## Add a file layout")[2]
    code = section.partition("```python\n")[2].partition("\n```")[0]
    exec(code, example)
    install_entry_points(tmp_path / "site", {"spice_core.layouts": {"arrows": "a:b"}})
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setitem(sys.modules, "a", SimpleNamespace(b=example["ARROWS"]))
    for cached_function in (added_paths, layouts.added_layouts):
        cached_function.cache_clear()
    items = [*open_source(tmp_path, {"r.txt": "a => a dog\n", "c.txt": "a => A dog.\na => A cat.\n"})]
    for cached_function in (added_paths, layouts.added_layouts):
        cached_function.cache_clear()
    assert [(item.image_id, item.candidate, item.references) for item in items] == [("a", "a dog", ("A dog.", "A cat."))]


@pytest.mark.parametrize("names", [("in.json",), ("in.csv",), ("r.json", "c.json"), ("r.txt", "a.txt")])
def test_a_file_is_opened_once_for_its_head_and_once_for_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]):
    contents = {"in.json": '[{"image_id": 1, "test": "a dog", "refs": ["A dog."]}]', "in.csv": "image_id,test,ref1\n1,a dog,A dog.\n"}
    contents |= {"r.json": results_json((1,)), "c.json": annotation_file([{}] * 4)}
    opened, open_unpacked = Counter[str](), reader.open_unpacked
    monkeypatch.setattr(reader, "open_unpacked", lambda path: opened.update([path.name]) or open_unpacked(path))
    assert len([*open_source(tmp_path, {name: contents.get(name, "A dog.\n") for name in names})]) == 1
    assert {*opened.values()} == {3 if names[0] == "r.txt" else 2}  # the lines of plain text are also counted


def test_notices_are_printed_once(tmp_path: Path):
    results = "image_id,caption\n1,a dog on a couch\n2,two men on bikes\n"
    source = open_source(tmp_path, {"r.csv": results, "dataset_coco.json": karpathy_file(COCO_IDS)})
    for _ in range(2):
        assert len(list(source)) == 2 and len(source.notices) == 1


def test_many_videos_may_precede_the_captions(tmp_path: Path):
    videos = [{"video_id": f"video{i}", "url": "https://example.org/" + "x" * 60} for i in range(3000)]
    sentences = [{"video_id": "video2999", "sen_id": 1, "caption": "A dog."}]
    content = json.dumps({"info": {"year": 2016}, "videos": videos, "sentences": sentences})
    source = open_source(tmp_path, {"r.json": results_json(("video2999",)), "msrvtt.json": content})
    assert [item.references for item in source] == [("A dog.",)]


def test_images_without_a_result_are_reported_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    open_source(tmp_path, {"c.json": annotation_file([{}] * 4).replace('"image_id": 2', '"image_id": 9')})
    (tmp_path / "r.json").write_text(json.dumps(json.loads(results_json())[:1]))
    command = ["score", str(tmp_path / "r.json"), "--references", str(tmp_path / "c.json"), "--parser", "spice-2016"]
    assert main(command) == 0
    assert "1 of 2 images has no result and is ignored (9)" in capsys.readouterr().err
    assert main([*command, "--all-images"]) == 2
    assert "expected a result for each image" in capsys.readouterr().err
    (tmp_path / "r.json").write_text(results_json((7, 8)))
    assert main(command) == 2
    assert "only references of other images" in capsys.readouterr().err


def test_a_large_object_is_read_in_pieces(tmp_path: Path):
    refs = {f"image{i}": [f"A dog number {i} on a sofa.", "A dog."] for i in range(5000)}
    source = open_source(tmp_path, {"r.json": json.dumps({"image4999": "a dog"}), "refs.json": json.dumps(refs)})
    assert [item.references[0] for item in source] == ["A dog number 4999 on a sofa."]
    images = [{"id": i, "file_name": "x" * 50} for i in range(5000)]
    source = open_source(
        tmp_path,
        {
            "r.json": results_json((4999,)),
            "c.json": json.dumps({"images": images, "annotations": [{"image_id": 4999, "caption": "A dog."}]}),
        },
    )
    assert [item.references for item in source] == [("A dog.",)]
    with pytest.raises(InputError, match="found only images"):
        list(open_source(tmp_path, {"r.json": results_json((4999,)), "c.json": json.dumps({"images": images})}))


@pytest.mark.parametrize(("lang", "text", "message"), [
    ("en", "犬がソファに座っている", "most captions are not in English (--lang en); --lang ja reads"),
    ("ja", "A dog on a sofa.", "most captions are not in Japanese (--lang ja); --lang en reads"),
    ("en", "一只棕色的狗坐在沙发上", "most captions are not in English (--lang en)\n"),
    ("en", "A dog on a sofa.", ""),
])  # fmt: skip
def test_captions_of_another_language_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, text: str, message: str):
    (tmp_path / "in.json").write_text(json.dumps([{"image_id": 1, "test": text, "refs": [text, text]}]), encoding="utf-8")
    assert main(["score", str(tmp_path / "in.json"), "--lang", lang]) == 0
    assert capsys.readouterr().err.removeprefix("spice-core: ").startswith(message) and (message or not capsys.readouterr().err)


@pytest.mark.parametrize(("files", "message"), [
    ({"c.txt": "a dog\na cat\n", "a.txt": "A dog.\nA cat.\n", "b.txt": "A brown dog.\n"}, "b.txt: found 1 line, expected 2 lines, as"),
    ({"c.txt": "a dog\n", "a.txt": "A dog.\n\nA cat.\n"}, "a.txt: found 3 lines, expected 1 line, as"),
    ({"c.txt": "a dog\n", "a.txt": "A dog.\n", "b.json": '["A dog."]'}, "b.json: found JSON, a table or another file with ids, expected plain text"),
    ({"c.txt": "a dog\n", "a.txt": "A dog.\n", "b.txt": "image_id,caption\n"}, "b.txt: found JSON, a table"),
    ({"c.txt": "a dog\n", "a.txt": "A dog.\n", "b.csv": "A dog.\n"}, "b.csv: found JSON, a table"),
    ({"c.txt": "a dog\n", "a.txt": "\n", "b.txt": "\n"}, "line 1, field refs: found [], expected a list of at least one caption"),
    ({"c.txt": "\n", "a.txt": "A dog.\n"}, "line 1, field test: found an empty candidate"),
    ({"r.json": results_json(), "c.json": json.dumps({"info": {}, "annotations": []})}, "found an empty list annotations, expected a list of at least one caption"),
    ({"r.json": results_json(), "c.json": json.dumps({"1": [], "2": MEN_REFERENCES})}, "field 1, field caption: found [], expected a list of at least one caption"),
    ({"r.json": results_json(), "g.json": json.dumps({"1": {"objects": {"5": {"name": "dog", "relations": [{"name": "on", "object": "6"}]}}}})}, "relationships[0]: found '6'"),
    ({"r.json": results_json(), "v.json": json.dumps([{"image_id": 1, "relationships": ["on"]}])}, "relationships[0]: found None"),
])  # fmt: skip
def test_files_that_do_not_match_are_reported(tmp_path: Path, files: Files, message: str):
    write_files(tmp_path, files)
    scored, *references = (tmp_path / name for name in files)
    assert any(message in str(error) for error in collect_errors(Source(scored, references)))


def collect_errors(source: Source) -> list[InputError]:
    problems: list[InputError] = []
    try:
        problems += [problem for problem in source if isinstance(problem, InputError)]
    except InputError as error:
        problems.append(error)
    return problems


@pytest.mark.parametrize(("files", "expected_items"), [
    ({"c.txt": "a dog\na cat\n", "a.txt": "A dog.\nA cat.\n", "b.txt": "\nA cat lies.\n"}, [("a dog", ["A dog."]), ("a cat", ["A cat.", "A cat lies."])]),
    ({"hyp": "two men, one dog\na cat\n", "ref0": "Two men, a dog.\r\nA cat.\r\n"}, [("two men, one dog", ["Two men, a dog."]), ("a cat", ["A cat."])]),
    ({"c.txt": "犬が走る。\n".encode("cp932"), "a.txt": "茶色い犬が走っている。\n".encode("cp932"), "b.txt": "白い犬。\n", "d.txt": "走る犬。"}, [("犬が走る。", ["茶色い犬が走っている。", "白い犬。", "走る犬。"])]),
])  # fmt: skip
def test_plain_text_is_paired_line_by_line(tmp_path: Path, files: Files, expected_items: list):
    write_files(tmp_path, files)
    scored, *references = (tmp_path / name for name in files)
    source = Source(scored, references)
    assert [(item.candidate, list(item.references)) for item in source] == expected_items
    assert "line by line" in str(source.notices)


@pytest.mark.parametrize(("file", "field", "groups"), [
    ({"images": [{"id": 1, "domain": "in-domain"}, {"id": "2", "domain": "out"}], "annotations": [{"image_id": 1, "caption": DOG_REFERENCES[0]}, {"image_id": 2, "caption": MEN_REFERENCES[0]}]}, "domain", ["in-domain", "out"]),
    ({"annotations": [{"image_id": 1, "caption": DOG_REFERENCES[0], "split": "a"}, {"image_id": 2, "caption": MEN_REFERENCES[0], "split": 3}]}, "split", ["a", "3"]),
    ({"images": [{"cocoid": 1, "filepath": "val", "sentences": [DOG_REFERENCES[0]]}, {"cocoid": 2, "filepath": "test", "sentences": [MEN_REFERENCES[0]]}]}, "filepath", ["val", "test"]),
    ("image_id,caption,kind\n1,A dog.,indoor\n2,Two men.,\n", "kind", ["indoor", ""]),
    ([{"image_id": 1, "captions": DOG_REFERENCES, "size": [2]}, {"image_id": 2, "captions": MEN_REFERENCES, "size": True}], "size", ["", "True"]),
])  # fmt: skip
def test_images_are_grouped_by_a_field(tmp_path: Path, file: object, field: str, groups: list[str]):
    name, content = ("c.csv", file) if isinstance(file, str) else ("c.json", json.dumps(file))
    assert [item.group for item in open_source(tmp_path, {"r.json": results_json(), name: content}, by=field)] == groups
    with pytest.raises(InputError, match="--by: found 'nothing'"):
        list(open_source(tmp_path, {"r.json": results_json(), name: content}, by="nothing"))


def test_groups_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    table = "image_id,test,ref1,kind\n1,a dog,A dog.,indoor\n2,a cat,A dog.,out|door\n3,a dog,A dog.,indoor\n"
    (tmp_path / "in.csv").write_text(table)
    monkeypatch.chdir(tmp_path)
    command = ["score", "in.csv", "--by", "kind", "--parser", "spice-2016", "--subset", "--out", "out.jsonl"]
    assert main(command) == 0 and main([*command, "--resume"]) == 0
    output = capsys.readouterr().out
    assert [line.split()[:2] for line in output.splitlines() if line.startswith(("indoor ", "out|door "))][:2] == [
        ["indoor", "1.000"],
        ["indoor", "Object"],
    ]
    written_rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["group"] for row in written_rows] == ["indoor", "out|door", "indoor"]
    assert [item.group for item in read_results(tmp_path / "out.jsonl")] == ["indoor", "out|door", "indoor"]
    (tmp_path / "in.csv").write_text(table.replace("3,a dog,A dog.,indoor", "3,a dog,A dog.,other"))
    assert main([*command, "--resume"]) == 2
    monkeypatch.setattr("spice_core.data.sources.MAX_IMAGE_GROUPS", 1)
    assert main(command) == 2 and "expected a field of at most 1 different values" in capsys.readouterr().err


@pytest.mark.parametrize(("split", "ids", "notices"), [
    ("test", [1, 2], ["Karpathy split (test): 2 images"]),
    ("train", [3], ["2 rows of other splits than train are ignored", "Karpathy split (train): 1 image"]),
    ("", [1, 2, 3], ["Karpathy split; images per split: test 2, train 1"]),
    ("val", [], []),
])  # fmt: skip
def test_a_split_is_read_alone(tmp_path: Path, split: str, ids: list[int], notices: list[str]):
    results = json.dumps([{"image_id": i, "caption": "a dog"} for i in ((1, 2) if split == "test" else (1, 2, 3))])
    source = open_source(tmp_path, {"r.json": results, "k.json": karpathy_file(COCO_IDS)}, split=split)
    if not ids:
        with pytest.raises(InputError, match="--split: found 'val', expected a split of .*k.json: test, train"):
            list(source)
        return
    assert [item.image_id for item in source] == ids and len(source.notices) == len(notices)
    assert all(part in notice for part, notice in zip(notices, source.notices))


def test_rows_of_one_file_are_read_by_split(tmp_path: Path):
    table = "image_id,test,ref1,split\n1,a dog,A dog.,val\n2,a cat,A cat.,test\n"
    assert [item.image_id for item in open_source(tmp_path, {"in.csv": table}, split="test")] == [2]
    with pytest.raises(InputError, match="expected a split of .*in.csv: val, test"):
        list(open_source(tmp_path, {"in.csv": table}, split="train"))


@pytest.mark.parametrize("text", [
    "a * sign on a wall", "a sign that says *** sale ***", "* 5 * stars", "f**k and s**t on a wall", "a dog - a brown one - on a sofa", "5. 6. and 7.", "#7 swings a bat",
    "# 5 bus on the road", "a boy says </s> is a tag in html", "a man <3 a dog", "snake__case__name", "3 x 4 = 12", "the assistant: a dog", "a ```code``` sign", "2. ", "", "**", "-", "犬＊猫",
])  # fmt: skip
def test_ordinary_captions_are_unchanged(text: str):
    assert clean_caption(text) == text


@pytest.mark.parametrize(("text", "cleaned"), [
    ("a dog on a sofa<|im_end|>", "a dog on a sofa"), ("a dog.</s></s>\n", "a dog."), ("a dog <|eot_id|> ", "a dog"), ("a dog<end_of_turn>\n", "a dog"),
    ("ASSISTANT: a dog", "a dog"), ("<|im_start|>assistant\na dog<|im_end|>", "a dog"), ("<|start_header_id|>assistant<|end_header_id|>\n\na dog<|eot_id|>", "a dog"),
    ("**A dog** on a **red sofa**.", "A dog on a red sofa."), ("__A dog__ on a sofa", "A dog on a sofa"), ("これは**犬**です。", "これは犬です。"),
    ("- A dog.\n- A cat.", "A dog.\nA cat."), ("1. A dog.\n2. A cat.", "A dog.\nA cat."), ("* **Dog:** a dog", "Dog: a dog"),
    ("```\na dog\n```", "a dog"), ("```text\na dog\n```<|im_end|>", "a dog"), ("<think>A dog? Yes.</think>\n\nA dog.", "A dog."),
])  # fmt: skip
def test_marks_of_chats_and_markdown_are_removed(tmp_path: Path, text: str, cleaned: str):
    assert clean_caption(text) == cleaned
    source = open_source(tmp_path, {"r.json": json.dumps([{"image_id": 1, "caption": [text]}]), "c.json": annotation_file([{}] * 4)})
    for _ in range(2):
        assert [item.candidate for item in source] == [cleaned]
    assert str(source.notices[0]).startswith("removed marks of ") and " from 1 caption (" in source.notices[0]


def test_long_cells_are_skipped(tmp_path: Path):
    image = "QUJD" * (5 << 20)  # 20 MB
    for name, content in {
        "in.tsv": f"image_id\timage\ttest\tref1\n1\t{image}\ta dog\tA dog.\n",
        "in.jsonl": json.dumps({"image_id": 1, "image": {"bytes": image}, "test": "a dog", "refs": ["A dog."]}),
        "in.json": json.dumps([{"image": image, "image_id": 1, "test": "a dog", "refs": ["A dog."]}]),
    }.items():
        (item,) = open_source(tmp_path, {name: content})
        assert (item.image_id, item.candidate, item.references) == (1, "a dog", ("A dog.",))
    (error,) = open_source(tmp_path, {"in.tsv": f"image_id\ttest\tref1\n1\t{image}\tA dog.\n"})
    assert "100,001 characters" in str(error) or "100001 characters" in str(error)


def test_files_packed_by_zstandard_are_read_and_damaged_ones_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pyarrow = pytest.importorskip("pyarrow")

    def pack_text(text: str) -> bytes:
        return pyarrow.compress(text.encode(), codec="zstd", asbytes=True)

    files: Files = {
        "r.json.zst": pack_text(results_json()),
        "c.csv.zst": pack_text("image_id,caption\n" + "".join(f"{i},{text}\n" for i, _, row_ in TWO_ROWS for text in row_)),
    }
    assert [(item.image_id, item.candidate, list(item.references)) for item in open_source(tmp_path, files)] == TWO_ROWS
    assert len(list(Source(Upload("r.json.zst", files["r.json.zst"]), Upload("c.csv.zst", files["c.csv.zst"])))) == 2  # type: ignore[arg-type]
    for truncated in (files["r.json.zst"][:-9], files["r.json.zst"][:20] + b"x" * 30):
        with pytest.raises(InputError, match="expected a file that can be read"):
            list(open_source(tmp_path, {"cut.json.zst": truncated, "c.csv.zst": files["c.csv.zst"]}))
    monkeypatch.setattr("spice_core.data.reader.MAX_UNPACKED_UPLOAD_BYTES", 1 << 20)
    with pytest.raises(InputError, match="more than 1 MB when unpacked"):
        list(Source(Upload("a.json.zst", pack_text("[" + " " * (3 << 20)))))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Exception, match=r'pip install "\.\[files\]"'):
        list(Source(tmp_path / "r.json.zst"))
