"""Files as practitioners have them: layouts of public data sets and of the programs that write captions, read by their content."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from spice_core.cli.main import main
from spice_core.data import Item, Source
from spice_core.data.reader import Upload
from spice_core.errors import InputError

SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
Files = dict[str, str | bytes]
DOG, MEN = ["A brown dog lies on a couch.", "A dog sleeps on a sofa."], ["Two men ride bicycles.", "Cyclists pass cars."]
SAID = {1: "a dog on a couch", 2: "two men on bikes"}


def rows(ids: tuple = (1, 2), fields: str = "image_id caption") -> str:
    image, caption = fields.split()
    return json.dumps([{image: id, caption: text} for id, text in zip(ids, SAID.values())])


def karpathy(ids: list[dict], *, dataset: str = "coco") -> str:
    """A file in the layout of Karpathy's splits, whose last image is of another split."""
    sentences = [
        [{"tokens": text.lower().split(), "raw": text, "sentid": i} for i, text in enumerate(each)] for each in (DOG, MEN, ["A cat."])
    ]
    images = [{"sentids": [0], "sentences": each, "split": "test", **id} for id, each in zip(ids, sentences)]
    images[2]["split"] = "train"
    return (
        json.dumps({"images": images, "dataset": dataset})
        if dataset != "coco"
        else json.dumps({"dataset": dataset, "images": images}, indent=1)
    )


def annotations(marks: list[dict], extra: str = "") -> str:
    texts = [(1, DOG[0]), (1, DOG[1]), (2, MEN[0]), (2, MEN[1]), (2, "Quality issues are too severe."), (1, "Buy watches.")]
    notes = [{"id": i, "image_id": image, "caption": text, **mark} for i, ((image, text), mark) in enumerate(zip(texts, marks))]
    return json.dumps({"info": {"year": 1}, "images": [{"id": 1}, {"id": 2}], "annotations": notes}) + extra


GOOD, REJECTED, PRECANNED = {"is_rejected": False, "is_precanned": False}, {"is_rejected": True}, {"is_precanned": True}
TEXTCAPS = [{"image_id": i, "caption_str": text, "reference_strs": each} for i, each in (("a1", DOG), ("b2", MEN)) for text in each]
PAIR = [(1, SAID[1], DOG), (2, SAID[2], MEN)]
NAMED = [("a1", SAID[1], DOG), ("b2", SAID[2], MEN)]
TOKENS = "".join(f"{name}.jpg#{i}\t{text}\n" for name, each in (("a1", DOG), ("b2", MEN)) for i, text in enumerate(each))
COCO_IDS = [{"cocoid": 1, "imgid": 7, "filename": "x1.jpg"}, {"cocoid": 2, "imgid": 1, "filename": "x2.jpg"}, {"cocoid": 3, "imgid": 2}]
FLICKR_IDS = [{"imgid": 0, "filename": "a1.jpg"}, {"imgid": 1, "filename": "b2.jpg"}, {"imgid": 2, "filename": "c3.jpg"}]
SPLITS = "was read as Karpathy's layout; images by split: test 2, train 1"
NO_RESULT = "1 of 3 images have no result and are left out"


@pytest.mark.parametrize(("files", "wanted", "notices"), [
    ({"r.json": rows(), "dataset_coco.json": karpathy(COCO_IDS)}, PAIR, [SPLITS, NO_RESULT]),
    ({"r.json": rows(("a1.jpg", "b2.jpg")), "dataset_flickr8k.json": karpathy(FLICKR_IDS, dataset="flickr8k")}, [("a1.jpg", *PAIR[0][1:]), ("b2.jpg", *PAIR[1][1:])], [SPLITS, NO_RESULT]),
    ({"r.json": rows((0, 1)), "dataset_rsicd.json": karpathy(FLICKR_IDS, dataset="rsicd")}, [(0, *PAIR[0][1:]), (1, *PAIR[1][1:])], [SPLITS, NO_RESULT]),
    ({"r.json": rows(("1", "2")), "captions.json": annotations([GOOD] * 4)}, [("1", *PAIR[0][1:]), ("2", *PAIR[1][1:])], []),
    ({"r.json": rows((1.0, 2.0)), "captions.json": annotations([{}] * 4)}, PAIR, []),
    ({"r.csv": "image_id,caption\n1.0,a dog on a couch\n2.0,two men on bikes\n", "c.json": annotations([{}] * 4)}, [("1.0", *PAIR[0][1:]), ("2.0", *PAIR[1][1:])], []),
    ({"r.json": rows(), "vizwiz.json": annotations([GOOD] * 4 + [PRECANNED, REJECTED])}, PAIR, ["2 rejected or precanned captions are left out"]),
    ({"r.json": rows(), "vizwiz.json": annotations([{}] * 4 + [GOOD | PRECANNED])}, PAIR, ["1 rejected or precanned captions are left out"]),
    ({"r.json": json.dumps({"a1": SAID[1], "b2": SAID[2]}), "refs.json": json.dumps({"a1": DOG, "b2": MEN})}, NAMED, []),
    ({"r.json": json.dumps({"1": [SAID[1]], "2": [SAID[2]]}), "refs.json": json.dumps({"2": MEN, "1": DOG}, indent=2)}, [("1", *PAIR[0][1:]), ("2", *PAIR[1][1:])], []),
    ({"r.json": rows(), "gts.json": json.dumps({str(id): [{"caption": text, "id": 5} for text in each] for id, _, each in PAIR})}, PAIR, []),
    ({"r.json": rows(("a1", "b2")), "TextCaps_0.1_val.json": json.dumps({"dataset_type": "val", "data": TEXTCAPS})}, NAMED, []),
    ({"r.json": rows(("a1", "b2")), "msrvtt.json": json.dumps({"info": {}, "videos": [{"video_id": "a1"}], "sentences": [{"video_id": i, "sen_id": 1, "caption": text} for i, each in (("a1", DOG), ("b2", MEN)) for text in each]})}, NAMED, []),
    ({"r.json": rows(("a1.jpg", "b2.jpg")), "results.token": TOKENS}, [("a1.jpg", *PAIR[0][1:]), ("b2.jpg", *PAIR[1][1:])], []),
    ({"r.json": rows(("a1", "b2")), "Flickr8k.token.txt": TOKENS.replace("\n", "\r\n")}, NAMED, []),
    ({"r.json": rows(("a1", "b2")), "refs.jsonlines": "".join(json.dumps({"image_id": i, "captions": each}) + "\n" for i, each in (("a1", DOG), ("b2", MEN)))}, NAMED, []),
    ({"r.json": rows(("a1", "b2")), "refs.txt": "image_id,caption\n" + "".join(f"{i},{text}\n" for i, each in (("a1", DOG), ("b2", MEN)) for text in each)}, NAMED, []),
    ({"in.json": json.dumps([{"image_id": 1, "test": [SAID[1]], "refs": DOG}, {"image_id": 2, "test": [SAID[2]], "refs": MEN}])}, PAIR, []),
])  # fmt: skip
def test_layouts_of_public_data_sets(tmp_path: Path, files: Files, wanted: list, notices: list[str]):
    source = written(tmp_path, files)
    assert [(item.image_id, item.candidate, list(item.references)) for item in source] == wanted
    assert len(source.notices) == len(notices) and all(part in str(notice) for part, notice in zip(notices, source.notices))


def written(folder: Path, files: Files, **options: object) -> Source:
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return Source(*(folder / name for name in files), **options)


@pytest.mark.parametrize(("files", "option"), [
    ({"r.csv": 'file_name,caption_predicted\n"rain, roof.wav",rain falls on a roof\nhall.wav,a person speaks\n', "c.csv": 'file_name,caption_1,caption_2\nhall.wav,A person speaks.,Someone talks.\n"rain, roof.wav",Rain falls.,Rain hits a roof.\n'}, "image_id=file_name captions=caption_1,caption_2"),
    ({"r.csv": "clip,said\nx.mp4,a cat runs\ny.mp4,a dog runs\n", "c.csv": "clip,human_1,human_2\ny.mp4,A dog runs fast.,A dog.\nx.mp4,A cat runs off.,A cat.\n"}, "image_id=clip captions=human_1,human_2"),
    ({"r.json": json.dumps([{"youtube_id": "q", "output": "a car passes by"}]), "c.csv": "audiocap_id,youtube_id,start_time,caption\n9,q,30,A car passes by fast.\n"}, "image_id=youtube_id captions=caption"),
    ({"r.jsonl": '{"question_id": 1, "prompt": "Describe the image in one sentence.", "text": "a dog on a couch", "model_id": "model-7b"}\n', "c.json": annotations([{}] * 4)}, "image_id=question_id caption=text"),
    ({"r.json": rows(), "c.csv": "text_1,text_2\nA dog on a sofa.,A dog on a couch.\nTwo men ride.,Two men run.\n"}, "image_id=NAME"),
])  # fmt: skip
def test_hints_pair_two_files_by_the_column_they_share_and_never_by_the_number_of_the_row(tmp_path: Path, files: Files, option: str):
    with pytest.raises(InputError) as error:
        list(written(tmp_path, files))
    assert option in str(error.value) and "image_id= " not in str(error.value)


def test_columns_of_results_do_not_reach_into_annotations(tmp_path: Path):
    answers = "".join(json.dumps({"question_id": i, "text": text, "model_id": "m"}) + "\n" for i, text in SAID.items())
    source = written(
        tmp_path, {"r.jsonl": answers, "c.json": annotations([{}] * 4)}, columns={"image_id": ["question_id"], "caption": ["text"]}
    )
    assert [(item.image_id, item.candidate, list(item.references)) for item in source] == PAIR


def test_packed_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    openpyxl, pyarrow = pytest.importorskip("openpyxl"), pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    book = openpyxl.Workbook()
    for row in (("image_id", "test", "refs"), (1, SAID[1], repr(DOG)), (2.0, SAID[2], repr(MEN))):
        book.active.append(row)
    book.save(tmp_path / "in.xlsx")
    table = pyarrow.table({"image_id": [1, 2], "test": [*SAID.values()], "refs": [DOG, MEN], "image": [{"bytes": b"\x89PNG" * 100}] * 2})
    parquet.write_table(table, tmp_path / "in.parquet")
    feather.write_feather(table.select(["image_id", "test", "refs"]), tmp_path / "in.arrow", compression="uncompressed")
    for name in ("in.xlsx", "in.parquet", "in.arrow"):
        assert [(item.image_id, item.candidate, list(item.references)) for item in Source(tmp_path / name)] == PAIR
    sent = Upload("in.xlsx", (tmp_path / "in.xlsx").read_bytes())
    assert [(item.image_id, item.candidate, list(item.references)) for item in Source(sent)] == PAIR
    for name in ("in.parquet", "in.arrow"):
        with pytest.raises(InputError, match="the command line reads Parquet"):
            list(Source(Upload(name, (tmp_path / name).read_bytes())))
        (tmp_path / f"cut.{name}").write_bytes((tmp_path / name).read_bytes()[:200])
        with pytest.raises(InputError, match="expected a readable file"):
            list(Source(tmp_path / f"cut.{name}"))
    monkeypatch.setattr("spice_core.data.layouts.UNPACKED", 100)
    with pytest.raises(InputError, match="when unpacked"):
        list(Source(sent))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Exception, match=r"pip install 'spice_core\[files\]'"):
        list(Source(tmp_path / "in.parquet"))


@pytest.mark.parametrize(("cells", "said"), [
    ('<row r="1"><c r="A1" t="str"><v>test</v></c><c r="B1" t="str"><v>test</v></c></row>', "2 columns"),
    ('<row r="1"><c r="A1" t="str"><v>image_id</v></c><c r="B1" t="str"><v>test</v></c><c r="C1" t="str"><v>refs</v></c></row><row r="2"><c r="XFD2"><v>1</v></c></row>', "16,384 columns"),
    ('<row r="1"><c r="A1" t="str"><v>image_id</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>', "image_id"),
    ('<row r="1"><c r="A1" t="str"><v>image_id</v></c><c r="B1" t="str"><v>test</v></c><c r="C1" t="str"><v>refs</v></c></row><row r="2"><c r="A2"><v>1</v></row>', "mismatched tag"),
])  # fmt: skip
def test_a_hostile_workbook_is_refused_in_one_line(tmp_path: Path, cells: str, said: str):
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save(tmp_path / "in.xlsx")
    out = io.BytesIO()
    with ZipFile(tmp_path / "in.xlsx") as before, ZipFile(out, "w") as archive:
        for name in before.namelist():
            sheet = f'<worksheet xmlns="{SHEET}"><dimension ref="A1:XFD1048576"/><sheetData>{cells}</sheetData></worksheet>'
            archive.writestr(name, sheet if name.endswith("sheet1.xml") else before.read(name))
    with pytest.raises(InputError, match=said):
        list(Source(Upload("in.xlsx", out.getvalue())))


def test_columns_of_one_name_are_refused_in_parquet_too(tmp_path: Path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table([[1], ["a dog"], ["a cat"], [["a dog"]]], names=["image_id", "test", "test", "refs"])
    parquet.write_table(table, tmp_path / "in.parquet")
    with pytest.raises(InputError, match="2 columns 'test'"):
        list(Source(tmp_path / "in.parquet"))


def test_notices_are_given_once(tmp_path: Path):
    results = "image_id,caption\n1,a dog on a couch\n2,two men on bikes\n"
    source = written(tmp_path, {"r.csv": results, "dataset_coco.json": karpathy(COCO_IDS)})
    for _ in range(2):
        assert len(list(source)) == 2 and len(source.notices) == 2


def test_the_videos_before_the_captions_may_be_many(tmp_path: Path):
    videos = [{"video_id": f"video{i}", "url": "https://example.org/" + "x" * 60} for i in range(3000)]
    sentences = [{"video_id": "video2999", "sen_id": 1, "caption": "A dog."}]
    content = json.dumps({"info": {"year": 2016}, "videos": videos, "sentences": sentences})
    source = written(tmp_path, {"r.json": rows(("video2999",)), "msrvtt.json": content})
    assert [item.references for item in source] == [("A dog.",)]


def test_images_without_a_result_are_said_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    written(tmp_path, {"c.json": annotations([{}] * 4).replace('"image_id": 2', '"image_id": 9')})
    (tmp_path / "r.json").write_text(json.dumps(json.loads(rows())[:1]))
    command = ["score", str(tmp_path / "r.json"), "--references", str(tmp_path / "c.json"), "--parser", "spice-2016"]
    assert main(command) == 0
    assert "1 of 2 images have no result and are left out (9)" in capsys.readouterr().err
    assert main([*command, "--all-images"]) == 2
    assert "expected a result for each" in capsys.readouterr().err
    (tmp_path / "r.json").write_text(rows((7, 8)))
    assert main(command) == 2
    assert "references of other images alone" in capsys.readouterr().err


def test_an_id_that_is_a_number_here_and_a_text_there_is_one(tmp_path: Path):
    source = written(tmp_path, {"r.json": rows((1, "1")), "c.json": annotations([{}] * 4)})
    found = list(source)
    assert isinstance(found[0], Item) and "an image id not used before" in str(found[1])


def test_a_large_object_is_read_in_pieces(tmp_path: Path):
    refs = {f"image{i}": [f"A dog number {i} on a sofa.", "A dog."] for i in range(5000)}
    source = written(tmp_path, {"r.json": json.dumps({"image4999": "a dog"}), "refs.json": json.dumps(refs)})
    assert [item.references[0] for item in source] == ["A dog number 4999 on a sofa."]
    images = [{"id": i, "file_name": "x" * 50} for i in range(5000)]
    source = written(
        tmp_path,
        {"r.json": rows((4999,)), "c.json": json.dumps({"images": images, "annotations": [{"image_id": 4999, "caption": "A dog."}]})},
    )
    assert [item.references for item in source] == [("A dog.",)]
    with pytest.raises(InputError, match="found only images"):
        list(written(tmp_path, {"r.json": rows((4999,)), "c.json": json.dumps({"images": images})}))


def test_a_truncated_object_names_its_place(tmp_path: Path):
    with pytest.raises(InputError, match=r"c\.json, line 1, column"):
        list(written(tmp_path, {"r.json": rows(), "c.json": json.dumps({"a": ["A dog."] * 3})[:-4]}))


@pytest.mark.parser
@pytest.mark.parametrize(("lang", "text", "said"), [
    ("en", "犬がソファに座っている", "most captions are not in English (--lang en); --lang ja reads"),
    ("ja", "A dog on a sofa.", "most captions are not in Japanese (--lang ja); --lang en reads"),
    ("en", "A dog on a sofa.", ""),
])  # fmt: skip
def test_captions_of_another_language_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str], lang: str, text: str, said: str):
    (tmp_path / "in.json").write_text(json.dumps([{"image_id": 1, "test": text, "refs": [text, text]}]), encoding="utf-8")
    assert main(["score", str(tmp_path / "in.json"), "--lang", lang]) == 0
    assert capsys.readouterr().err.removeprefix("spice-core: ").startswith(said) and (said or not capsys.readouterr().err)
