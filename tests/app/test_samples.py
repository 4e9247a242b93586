"""Test sample files: the pages read each of them without a problem."""

from pages.parts.kit.texts import t
from pages.parts.uploads import samples
from spice_core.data.reader import Upload
from tests.app.conftest import page_html, page_messages, visit
from tests.app.test_batch import open_batch_page, upload_files


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
