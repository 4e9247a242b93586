"""Sample files: each is read by the page without a problem."""

from __future__ import annotations

import pytest

from pages.parts.kit.texts import t
from pages.parts.session import samples
from tests.app.conftest import said, shown
from tests.app.test_batch import page, with_file

ALONE = ("table", "lines", "japanese")


def test_the_files_are_offered_on_both_pages():
    for name, path in (("batch", "pages/3_Batch.py"), ("systems", "pages/4_Systems.py")):
        app = page().switch_page(path).run()
        app.segmented_control(key=f"{name}.source").set_value("files").run()
        app.session_state[f"{name}.samples"] = True
        keys = {button.key for button in app.run().get("download_button")}
        assert {f"{name}.samples.{file}" for file in samples.FILES} <= keys


@pytest.mark.parametrize("name", ALONE)
def test_a_sample_file_is_read_without_a_problem(name):
    file, _, make = samples.FILES[name]
    app = with_file(file, make())
    assert not said(app, "alert") and not app.button(key="batch.start").disabled
    items = app.session_state["batch.data"].items
    assert len(items) == 8 and all(item.references for item in items)
    assert ("sc-table sc-preview" in shown(app)) == (name == "japanese")


def test_trees_belong_to_the_table():
    (table, _, rows), (file, mime, make) = samples.FILES["table"], samples.FILES["trees"]
    app = with_file(table, rows()).file_uploader(key="batch.trees").set_value([(file, make(), mime)]).run()
    assert not said(app, "alert") and not app.button(key="batch.start").disabled
    assert t("trees.found", file=file, number=48) in shown(app)


def test_results_and_annotations_belong_together():
    app = page()
    app.segmented_control(key="batch.source").set_value("files").run()
    for slot, name in (("references", "annotations"), ("file", "results")):
        file, mime, make = samples.FILES[name]
        app = app.file_uploader(key=f"batch.{slot}").set_value([(file, make(), mime)]).run()
    assert not said(app, "alert") and [len(item.references) for item in app.session_state["batch.data"].items] == [5] * 8
