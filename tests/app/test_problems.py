"""Test messages about invalid files on the pages."""

import csv
from dataclasses import replace

import pytest

from pages.parts.kit import texts
from pages.parts.kit.texts import t
from pages.parts.uploads import datasets, problems, samples
from spice_core.data.reader import Upload
from tests.app.conftest import button_keys, page_html, page_messages, visit
from tests.app.test_batch import GOOD_ROWS, open_batch_page, open_with_file, upload, upload_files
from tests.app.test_systems import open_with_uploads


def test_equal_problems_are_one_line_and_the_csv_has_each():
    lines = upload(*({**GOOD_ROWS[0], "image_id": n, "test": ""} for n in range(30)), {"image_id": "<i>"})
    data = datasets.read_data(replace(lines, name="<b>.jsonl"))
    table_html = problems.table_html(data.groups)
    assert "<td>30</td><td>&lt;b&gt;.jsonl</td><td>line 1, 2, 3, 4, 5, …</td><td>field test</td><td>an empty candidate</td>" in table_html
    assert "<b>" not in table_html and table_html.count("<tr>") == 3
    assert len(data.problems) == data.problem_count == 31
    rows = [*csv.reader(problems.table_csv(problems._FIELD_KEYS, data.problems).decode("utf-8-sig").splitlines())]
    assert len(rows) == 32 and rows[2][:4] == ["<b>.jsonl", "line 2", "field test", "an empty candidate"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_page_names_no_option_of_the_command_line(monkeypatch, lang):
    monkeypatch.setattr(texts, "interface_language", lambda: lang)
    for content in (b"image_id,test,ref1\n1,,a cat\n", b'[{"image_id": 1, "test": "", "refs": ["a"]}]', b"a,b\n1,2\n", b'[{"x": 1}]'):
        data = datasets.read_data(Upload("a.csv" if b"," in content[:9] else "a.json", content))
        assert data.groups and "--" not in problems.table_html(data.groups)


def test_one_switch_allows_several_captions_per_image():
    file = upload(*({**GOOD_ROWS[0], "image_id": 7} for _ in range(3)))
    app = upload_files(open_batch_page(), file)
    assert len(app.session_state["batch.data"].items) == 1 and app.session_state["batch.data"].problem_count == 2
    app.checkbox(key="batch.repeated").check().run()
    assert [item.image_id for item in app.session_state["batch.data"].items] == [7, "7#2", "7#3"]
    assert not app.session_state["batch.data"].problem_count


FILE_WITH_HALF_SURROGATE = rb"""[{"image_id": 1, "test": "A dog \ud83d runs.", "refs": ["A dog."]}, {"image_id": 2, "test": "A cat.", "refs": ["A \ud83d cat."]},
    {"image_id": 3, "test": "A dog.", "refs": ["A brown dog."]}]"""
BINARY_CONTENT = bytes(range(128, 256)) * 3
NAMES_WITH_SURROGATES = [
    r'[{"im\ud83d": 1, "te\ud83dst": "A dog.", "refs": ["A brown dog."]}, {"im\ud83d": 2, "te\ud83dst": "A cat.", "refs": ["A cat."]}]',
    r'[{"image_id": 1, "test": "A dog.", "refs": ["A brown dog."], "image_file": "\ud83d.jpg", "\ud83d": "\ud83d"}]',
    r'[{"number": 1, "caption": "A \ud83d dog.", "references": ["A brown \ud83d dog."]}]',
    r'[{"number": "\ud83d", "caption": "A dog.", "\ud83d": "A dog.", "references": ["A brown dog."]}]',
]


def test_text_that_no_page_can_show_is_reported_escaped():
    """An unpaired surrogate in a name or column breaks no page either."""
    for content, good_count in ((FILE_WITH_HALF_SURROGATE, 1), (BINARY_CONTENT, 0)):
        batch = open_with_file("mine.json", content)
        assert (
            r"\ud" in page_html(batch) and "sc-problems" in page_html(batch) and ("batch.start" in button_keys(batch)) == bool(good_count)
        )
        assert r"\ud" in page_html(open_with_uploads(("mine.json", content, "application/json")))
        data = datasets.read_data(Upload("mine.json", content))
        assert rb"\ud" in problems.table_csv(problems._FIELD_KEYS, data.problems) and len(data.items) == good_count
    for content in NAMES_WITH_SURROGATES:
        page_html(open_with_file("mine.json", content.encode()))
        page_html(open_with_uploads(("mine.json", content.encode(), "application/json")))


def test_the_files_are_offered_on_both_pages():
    for name, path in (("batch", "3_Batch"), ("systems", "4_Systems")):
        app = visit(path, {f"{name}.source": "files", f"{name}.samples": True})
        assert {f"{name}.samples.{file}" for file in samples.SAMPLE_FILES} <= {button.key for button in app.get("download_button")}


def test_a_sample_file_is_read_without_a_problem():
    app = open_batch_page()
    for name in ("lines", "japanese", "table"):
        file, _, make_file = samples.SAMPLE_FILES[name]
        app = upload_files(app, Upload(file, make_file()))
        assert not page_messages(app, "alert") and not app.button(key="batch.start").disabled
        items = app.session_state["batch.data"].items
        assert len(items) == 8 and all(item.references for item in items)
        assert ("sc-table sc-preview" in page_html(app)) == (name == "japanese")
    file, mime, make_file = samples.SAMPLE_FILES["trees"]
    app = app.file_uploader(key="batch.trees").set_value([(file, make_file(), mime)]).run()
    assert not page_messages(app, "alert") and not app.button(key="batch.start").disabled, "the trees belong to the table"
    assert t("trees.found", file=file, number=48) in page_html(app)


def test_results_and_annotations_belong_together():
    app = visit("3_Batch", {"batch.source": "files"})
    for slot, name in (("references", "annotations"), ("file", "results")):
        file, mime, make_file = samples.SAMPLE_FILES[name]
        app = app.file_uploader(key=f"batch.{slot}").set_value([(file, make_file(), mime)]).run()
    assert not page_messages(app, "alert") and [len(item.references) for item in app.session_state["batch.data"].items] == [5] * 8
