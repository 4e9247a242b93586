"""Columns of other names: a preview and four choices, filled in as guessed; the usual names are not asked about."""

from __future__ import annotations

import json

import pytest

from pages.parts.kit.texts import t
from pages.parts.session import columns, datasets
from spice_core.data.reader import Upload
from tests.app.conftest import said, shown
from tests.app.test_batch import GOOD, page, ran, upload, with_file
from tests.app.test_images import archive, jpeg

TABLE = "写真,文A,文B,文C\n1.jpg,赤い傘をさした人がいる。,赤い傘の人がいる。,人がいる部屋。\n2.jpg,犬がソファで寝ている。,犬が寝ている部屋。,<b>犬がいる。\n"
PARTS = ("image_id", "candidate", "image_file")
pytestmark = pytest.mark.parser


def widget(app, part: str, layout: str = "refs"):
    boxes = [*app.selectbox, *app.multiselect]
    return next(box for box in boxes if box.key and box.key.endswith(f".{layout}.{part}"))


def chosen(app) -> list:
    return [widget(app, part).value for part in (*PARTS, "references")]


def data(app) -> datasets.Data:
    return app.session_state["batch.data"]


def test_columns_are_shown_as_guessed_and_a_change_is_another_data_set():
    app = with_file("mine.csv", TABLE.encode("cp932"))
    assert chosen(app) == ["写真", "文A", "写真", ["文B", "文C"]]
    assert t("columns.content") in shown(app) and "<td>&lt;b&gt;犬がいる。</td>" in shown(app)
    first = data(app)
    assert next((i.image_id, i.candidate, len(i.references)) for i in first.items) == ("1.jpg", "赤い傘をさした人がいる。", 2)
    assert app.session_state["batch.run"].name == "capeval1k-A", "nothing is scored before the button is pressed"
    app = widget(app, "candidate").set_value("文C").run()
    app = widget(app, "references").set_value(["文A"]).run()
    app = widget(app, "image_id").set_value("").run()
    second = data(app)
    assert next((i.image_id, i.candidate, i.references) for i in second.items) == (1, "人がいる部屋。", ("赤い傘をさした人がいる。",))
    assert second.digest != first.digest
    app = ran(app)
    assert [row.image_id for row in app.session_state["batch.run"].rows] == [1, 2]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "image_id,test,ref1,note\n1,A dog.,A cat.,x\n"),
        ("a.csv", "image_id;test;ref1\n1;A dog.;A cat.\n"),
        ("a.jsonl", upload(*GOOD).content.decode()),
        ("a.jsonl", upload(GOOD[0], {"image_id": 2}).content.decode()),
    ],
)
def test_the_usual_names_go_on_without_a_question(name, content):
    app = with_file(name, content.encode())
    assert "sc-table sc-preview" not in shown(app) and data(app).items


def test_a_lacking_column_is_asked_for():
    app = with_file("mine.json", json.dumps([{"x": 1, "said": "A dog sits there."}, {"x": 2, "said": "Two cats sit there."}]).encode())
    assert said(app, "alert") == [t("batch.remedy_choose", file="mine.json")] and app.button(key="batch.start").disabled
    app = widget(app, "references").set_value(["said"]).run()
    assert not said(app, "alert") and not app.button(key="batch.start").disabled


def test_results_and_references_are_asked_about_each():
    app = page()
    app.segmented_control(key="batch.source").set_value("files").run()
    app.file_uploader(key="batch.references").set_value([("r.csv", "画像,正解\n1.jpg,A dog.\n2.jpg,A cat.\n".encode(), "text/csv")]).run()
    results = json.dumps([{"file": f"{n}.jpg", "generated": "A dog sits there."} for n in (1, 2)]).encode()
    app = app.file_uploader(key="batch.file").set_value([("mine.json", results, "text/plain")]).run()
    assert widget(app, "candidate", "caption").value == "generated" and widget(app, "references", "captions").value == ["正解"]
    assert [item.references for item in data(app).items] == [("A dog.",), ("A cat.",)]


def test_every_system_has_columns_of_its_own():
    app = page().switch_page("pages/4_Systems.py").run()
    app.segmented_control(key="systems.source").set_value("files").run()
    files = [("a.csv", TABLE.encode(), "text/csv"), ("b.csv", TABLE.replace("文", "列").encode("euc_jp"), "text/csv")]
    app = app.file_uploader(key="systems.files").set_value(files).run()
    assert [box.value for box in app.selectbox if box.key.endswith("candidate")] == ["文A", "列A"]
    entries = app.session_state["systems.entries"]
    assert [len(entry.data.items) for entry in entries] == [2, 2]
    assert t("batch.encoding", file="b.csv", encoding="EUC-JP") in said(app)


def test_images_are_found_by_the_column_of_their_files():
    table = TABLE.replace("写真", "photo").replace("1.jpg", "C:\\\\fotos\\\\a.jpg").replace("2.jpg", "val/b.jpg")
    app = with_file("mine.csv", table.encode())
    app = widget(app, "image_id").set_value("").run()
    app.file_uploader(key="batch.images").set_value([("all.zip", archive({"x/a.jpg": jpeg(), "b.jpg": jpeg()}), "application/zip")]).run()
    assert t("images.found", number=2, total=2) in shown(app)
    app = widget(app, "image_file").set_value("").run()
    assert t("images.found", number=0, total=2) in shown(app)


def test_what_cannot_be_read_has_no_choices():
    beside = Upload("r.csv", b"image_id,caption\n1,a cat\n")
    assert [columns._preview(datasets.Source(Upload(name, content), beside)) for name, content in (("a.json", b"{"), ("a.csv", b""))] == [
        None,
        None,
    ]
