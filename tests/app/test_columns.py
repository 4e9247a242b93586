"""Test files whose columns have unusual names: the page shows a preview and its guesses, which can be changed. Usual names need no choice."""

import json

import pytest

from pages.parts.kit.texts import t
from pages.parts.uploads import reading
from spice_core.data.reader import Upload
from tests.app.conftest import button_keys, page_html, page_messages, visit
from tests.app.test_batch import GOOD_ROWS, open_batch_page, open_with_file, run_batch, upload, upload_files
from tests.app.test_images import jpeg, upload_images
from tests.data.layout_cases import LAYOUTS, example_files

TABLE = "写真,文A,文B,文C\n1.jpg,赤い傘をさした人がいる。,赤い傘の人がいる。,人がいる部屋。\n2.jpg,犬がソファで寝ている。,犬が寝ている部屋。,<b>犬がいる。\n"
pytestmark = pytest.mark.usefixtures("run_tasks_in_process")


def widget(app, content_name: str, layout: str = "refs"):
    return next(box for box in (*app.selectbox, *app.multiselect) if box.key and box.key.endswith(f".{layout}.{content_name}"))


def chosen_data(app) -> reading.CaptionData:
    return app.session_state["batch.data"]


def test_guessed_columns_are_shown_and_a_changed_choice_is_another_data_set():
    app = open_with_file("mine.csv", TABLE.encode("cp932"))
    parts = ("image_id", "candidate", "image_file", "references")
    assert [widget(app, part).value for part in parts] == ["写真", "文A", "写真", ["文B", "文C"]]
    assert t("columns.content") in page_html(app) and "<td>&lt;b&gt;犬がいる。</td>" in page_html(app)
    item = (first_data := chosen_data(app)).items[0]
    assert (item.image_id, item.candidate, len(item.references)) == ("1.jpg", "赤い傘をさした人がいる。", 2)
    assert app.session_state["batch.run"] is None, "nothing is scored before the button is pressed"
    for part, column in (("candidate", "文C"), ("references", ["文A"]), ("image_id", "")):
        app = widget(app, part).set_value(column).run()
    item = chosen_data(app).items[0]
    assert (item.image_id, item.candidate, item.references) == (1, "人がいる部屋。", ("赤い傘をさした人がいる。",))
    assert chosen_data(app).digest != first_data.digest
    assert [row.image_id for row in run_batch(app).session_state["batch.run"].rows] == [1, 2]


def test_usual_column_names_need_no_confirmation():
    app = open_batch_page()
    for name, content in (
        ("a.csv", b"image_id,test,ref1,note\n1,A dog.,A cat.,x\n"),
        ("a.csv", b"image_id;test;ref1\n1;A dog.;A cat.\n"),
        ("a.jsonl", upload(*GOOD_ROWS).content),
        ("a.jsonl", upload(GOOD_ROWS[0], {"image_id": 2}).content),
    ):
        app = upload_files(app, Upload(name, content))
        assert "sc-table sc-preview" not in page_html(app) and chosen_data(app).items


def test_a_missing_column_is_requested():
    app = open_with_file("mine.json", json.dumps([{"x": 1, "said": "A dog sits there."}, {"x": 2, "said": "Two cats sit there."}]).encode())
    assert page_messages(app, "alert") == [t("batch.remedy_choose", file="mine.json")] and "batch.start" not in button_keys(app)
    app = widget(app, "references").set_value(["said"]).run()
    assert not page_messages(app, "alert") and app.button(key="batch.start")


def test_results_and_references_each_have_column_choices():
    app = visit("3_Batch", {"batch.source": "files"})
    app.file_uploader(key="batch.references").set_value([("r.csv", "画像,正解\n1.jpg,A dog.\n2.jpg,A cat.\n".encode(), "text/csv")]).run()
    results = json.dumps([{"file": f"{n}.jpg", "generated": "A dog sits there."} for n in (1, 2)]).encode()
    app = app.file_uploader(key="batch.file").set_value([("mine.json", results, "text/plain")]).run()
    assert widget(app, "candidate", "caption").value == "generated" and widget(app, "references", "captions").value == ["正解"]
    assert [item.references for item in chosen_data(app).items] == [("A dog.",), ("A cat.",)]


def test_each_system_has_its_own_columns():
    app = visit("4_Systems", {"systems.source": "files"})
    files = [("a.csv", TABLE.encode(), "text/csv"), ("b.csv", TABLE.replace("文", "列").encode("euc_jp"), "text/csv")]
    app = app.file_uploader(key="systems.files").set_value(files).run()
    assert [box.value for box in app.selectbox if box.key.endswith("candidate")] == ["文A", "列A"]
    assert [len(entry.caption_data.items) for entry in app.session_state["SystemsState"].entries] == [2, 2]
    assert t("batch.encoding", file="b.csv", encoding="EUC-JP") in page_messages(app)


def test_images_are_found_by_the_column_of_their_files():
    table = TABLE.replace("写真", "photo").replace("1.jpg", "C:\\\\fotos\\\\a.jpg").replace("2.jpg", "val/b.jpg")
    app = widget(open_with_file("mine.csv", table.encode()), "image_id").set_value("").run()
    app = upload_images(app, {"x/a.jpg": jpeg(), "b.jpg": jpeg()})
    assert t("images.found", number=2, total=2) in page_html(app)
    app = widget(app, "image_file").set_value("").run()
    assert t("images.found", number=0, total=2) in page_html(app)


def test_an_unreadable_file_has_no_column_choices():
    references_file = Upload("r.csv", b"image_id,caption\n1,a cat\n")
    for file in (Upload("a.json", b"{"), Upload("a.csv", b"")):
        assert reading.read_previews([file], references_file)[0] is None


UPLOADED_LAYOUTS = [layout for layout in LAYOUTS if not layout.options]


@pytest.mark.parametrize(
    ("page_name", "key", "file"), [("3_Batch", "batch.file", "refs.json"), ("4_Systems", "systems.files", "references.txt")]
)
def test_the_layout_is_shown_before_scoring(page_name: str, key: str, file: str):
    (layout,) = [upload_ for upload_ in UPLOADED_LAYOUTS if upload_.file == file]
    (results, content), (references_file, references) = ((name, text.encode()) for name, text in example_files(layout).items())
    slot = key.partition(".")[0]
    app = visit(page_name, {f"{slot}.source": "files"})
    app = app.file_uploader(key=f"{slot}.references").set_value([(references_file, references, "text/plain")]).run()
    app = app.file_uploader(key=key).set_value([(results, content, "text/plain")]).run()
    assert {*layout.notices} <= {*page_messages(app)} and not page_messages(app, "alert")
