"""Test class sets from JSON, CSV and links. The error about an invalid set names the row and the field."""

import json
import math

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.learn import class_set, progress
from pages.parts.state import links
from spice_core.errors import InputError
from tests.app.conftest import component_data, page_html, page_messages, visit

DOG_CAPTIONS = {"candidate": "A dog sleeps on a couch.", "references": ["A dog sleeps on a sofa."]}
DOG_ITEM = {"id": "dogs", **DOG_CAPTIONS, "ask": "How many match?", "answer": "matched"}
GOOD_SET = {"spice_class_set": 1, "lang": "en", "items": [DOG_ITEM, {**DOG_ITEM, "id": 2, "ask": "", "answer": "Color.f1"}]}
TABLE = 'id,candidate,ref1,ref2,ask,answer\na,A dog.,A dog.,"A cat, here.",How?,f1\nb,犬,犬,,,\n'


def make_class_set(**changes: object) -> dict:
    return {**GOOD_SET, "items": [{**DOG_ITEM, **changes}]}


BAD_FILES = [
    ("x.json", b"", "x.json"),
    ("x.json", b"[" * 100_000, "x.json"),
    ("x.json", b"\xff\xfe\x00", "x.json"),
    ("x.json", b" " * 200_001, "at most 200,000"),
    ("x.json", {"items": []}, "spice_class_set"),
    ("x.json", {**GOOD_SET, "items": []}, "1 to 50"),
    ("x.json", {**GOOD_SET, "items": "abc"}, "items"),
    ("x.json", {**GOOD_SET, "items": [DOG_ITEM] * 51}, "1 to 50"),
    ("x.json", {**GOOD_SET, "items": [DOG_ITEM, DOG_ITEM]}, "unique ids"),
    ("x.json", {**GOOD_SET, "items": [DOG_ITEM, "dog"]}, "row 2"),
    ("x.json", {**GOOD_SET, "lang": "xx"}, "lang"),
    ("x.json", {**GOOD_SET, "lang": ["en"]}, "lang"),
    ("x.json", {**GOOD_SET, "settings": {"rules": "/etc/passwd.toml"}}, "settings"),
    ("x.json", {**GOOD_SET, "settings": {"rules_text": "x"}}, "settings"),
    ("x.json", {**GOOD_SET, "settings": []}, "settings"),
    ("x.json", {**GOOD_SET, "settings": {"parser": "conllu:/etc/passwd"}}, "settings, parser"),
    ("x.json", {**GOOD_SET, "settings": {"x" * 5_000: "y" * 5_000}}, "settings, x"),
    ("x.json", make_class_set(candidate=""), "row 1, candidate"),
    ("x.json", make_class_set(candidate=["a"]), "row 1, candidate"),
    ("x.json", make_class_set(candidate="x" * 3_001), "row 1, candidate"),
    ("x.json", make_class_set(candidate="\ud83d dog"), "row 1, candidate"),
    ("x.json", make_class_set(references=[]), "row 1, references"),
    ("x.json", make_class_set(references=["\udc00"]), "row 1"),
    ("x.json", make_class_set(references="A dog."), "row 1, references"),
    ("x.json", make_class_set(references=["A dog."] * 51), "row 1"),
    ("x.json", make_class_set(ask="?" * 501), "row 1, ask"),
    ("x.json", make_class_set(answer="__class__"), "row 1, answer"),
    ("x.json", make_class_set(answer="Nope.f1"), "row 1, answer"),
    ("x.csv", b"", "1 to 50"),
    ("x.csv", b"id,candidate\na,A dog.\n", "references"),
    ("x.csv", b'id,candidate,ref1\na,"A dog\n', "x.csv"),
]


@pytest.mark.parametrize(("name", "content", "says"), BAD_FILES)
def test_a_bad_set_is_refused_with_row_and_field(name, content, says):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    with pytest.raises(InputError) as error_info:
        class_set.read_set(name, data)
    assert says in str(error_info.value) and len(str(error_info.value)) < 300


def test_a_table_and_json_give_the_same_items():
    read_set = class_set.read_set("x.csv", TABLE.encode())
    assert [item.id for item in read_set.items] == ["a", "b"]
    assert read_set.items[0].inputs.references == ("A dog.", "A cat, here.") and read_set.items[0].answer == "f1"
    assert class_set.read_set("x.json", json.dumps(read_set.as_dict()).encode()) == read_set


@pytest.mark.parametrize(
    ("answer_text", "expected_value", "is_right"),
    [("4", 4, True), ("5/11", 5 / 11, True), (".455", 5 / 11, True), ("0,455", 5 / 11, True), ("n/a", math.nan, True),
     ("0", math.nan, False), ("x", 4, False), ("1/0", 4, False), ("inf", 4, False), ("nan", 4, False), ("0.46", 5 / 11, False)],
)  # fmt: skip
def test_an_answer_is_a_number_to_three_decimals(answer_text, expected_value, is_right):
    assert class_set.is_answer(answer_text, expected_value) is is_right


def open_set(**params: str) -> AppTest:
    return visit("6_Learn", section="set", **params)


def test_answers_to_the_items_of_a_set_are_judged():
    app = open_set(set=links.pack_json(GOOD_SET))
    assert "How many match?" in page_html(app) and "spice_graphs" not in {part.proto.component_name for part in app.get("bidi_component")}
    app = app.text_input(key="learn.item.0.answer").set_value("3").run()
    assert t("learn.wrong") in page_html(app)
    app = app.text_input(key="learn.item.0.answer").set_value("4").run()
    assert t("classes.is", figure="matched", value="4") in page_html(app)
    app = app.button(key="learn.next").click().run()
    assert app.query_params["item"] == "2"
    assert t("classes.is", figure="Color.f1", value="n/a") in page_html(app.text_input(key="learn.item.1.answer").set_value("n/a").run())
    for item, shows in (("2", 2), ("99", 1), ("-1", 1), ("x", 1), ("9" * 5_000, 1)):
        assert t("classes.at", number=shows, total=2) in page_html(open_set(set=links.pack_json(GOOD_SET), item=item))


def test_an_uploaded_set_opens_once_and_replaces_the_previous_one():
    app = open_set()
    for name, content, ask in (("a.json", json.dumps(GOOD_SET).encode(), "How many match?"), ("b.csv", TABLE.encode(), "How?")):
        app = app.file_uploader(key="learn.file").set_value([(name, content, "text/plain")]).run(timeout=60)
        assert ask in page_html(app) and t("classes.at", number=1, total=2) in page_html(app)
        app = app.text_input(key="learn.item.0.answer").set_value("1").run(timeout=60)
        app = app.button(key="learn.next").click().run(timeout=60)
        assert t("classes.at", number=2, total=2) in page_html(app), "the file is not opened anew"


def build_item(app: AppTest, captions: str, figure: str = "matched", ask: str = "") -> AppTest:
    app.text_area(key="learn.build.captions").set_value(captions)
    app.selectbox(key="learn.build.question").set_value(figure)
    app.text_input(key="learn.build.ask").set_value(ask)
    return app.button(key="learn.build.add").click().run(timeout=60)


def test_a_set_is_built_in_a_form_and_its_link_restores_it_in_any_language():
    app = build_item(open_set(), "A dog sleeps on a couch.\n\nA dog sleeps on a sofa.\tA dog lies on a couch.")
    first_set = app.session_state["LearnState"].class_set
    assert [(i.id, len(i.inputs.references), i.question, i.answer) for i in first_set.items] == [("1", 2, "", "matched")]
    assert t("classes.ready", number=1) in page_html(app), "code before anything else"
    assert page_html(app).index("sc-qr") < page_html(app).index("sc-step"), "code before anything else"
    app = build_item(app, '["A red car.", "A red bus."]', "", "Which word is <b>wrong</b>?")
    app = build_item(app, "A red car.\nA red bus.", "Color.f1")
    assert [item.id for item in app.session_state["LearnState"].class_set.items] == ["1", "2", "3"] and app.query_params["item"] == "3"
    token = app.query_params["set"]
    student = open_set(set=token, ui="ja")
    assert t("classes.ask_matched", language="ja") in page_html(student)
    assert t("classes.at", number=1, total=3, language="ja") in page_html(student)
    assert page_html(student).index("sc-step") < page_html(student).index("sc-qr"), "the question before the code"
    app = app.button(key="learn.build.up.2").click().run()
    app = app.button(key="learn.build.remove.0").click().run()
    assert [item.id for item in app.session_state["LearnState"].class_set.items] == ["3", "2"]
    app = build_item(app, "A cat.\nA cat.")
    assert [item.id for item in app.session_state["LearnState"].class_set.items] == ["3", "2", "1"], "ids stay unique"
    for _ in range(3):
        app = app.button(key="learn.build.remove.0").click().run()
    assert "set" not in app.query_params and app.session_state["LearnState"].class_set is None


@pytest.mark.parametrize(
    ("captions", "ask", "says"),
    [("", "", "classes.captions_missing"), ("A dog.", "", "classes.captions_missing"), ("A dog.\n" + "x" * 7_000, "", "7,0"),
     ("A dog.\n" + "A cat.\n" * 51, "", "51"), ("犬がいる\n犬がいる", "", "language of the set")],
)  # fmt: skip
def test_the_form_reports_missing_fields(captions, ask, says):
    app = build_item(open_set(set=links.pack_json(GOOD_SET)), captions, ask=ask)
    (message,) = page_messages(app, "alert")
    assert (t(says) if says.startswith("classes") else says) in message and len(app.session_state["LearnState"].class_set.items) == 2
    assert app.text_area(key="learn.build.captions").value == captions, "what was written stays"


def test_the_sheet_prints_all_questions_with_their_source_and_the_address_for_phones():
    app = open_set(
        set=links.pack_json(make_class_set() | {"items": [DOG_ITEM, {**DOG_ITEM, "id": 2, "ask": "Why <b>not</b>?", "answer": ""}]})
    )
    paper = component_data(app, "spice_sheet")
    assert all(text in paper for text in ("How many match?", "Why &lt;b&gt;not", "________"))
    assert paper.count(DOG_CAPTIONS["candidate"]) == 2
    assert t("sheet.source_set") in paper and "COCO" not in paper and t("classes.local") in page_html(app)
    app = app.toggle(key="learn.set.solutions").set_value(True).run()
    assert t("sheet.answer", answer="4") in component_data(app, "spice_sheet").partition(t("sheet.set_solutions", number=2))[2]
    app = app.text_input(key="learn.build.address").set_value("https://example.org").run()
    assert "https://example.org" in component_data(app, "spice_sheet")
    assert component_data(app, "spice_copy")["base"].startswith("https://example.org")
    assert t("classes.link") in page_html(app)
    app = app.text_input(key="learn.build.address").set_value("no host").run()
    assert t("classes.address_invalid", found="no host") in page_messages(app, "alert")[0]


def test_links_of_both_formats_open():
    opened_set = class_set.set_from_json(GOOD_SET, "x")
    assert class_set.unpack_set(opened_set.token) == opened_set == class_set.unpack_set(links.pack_json(GOOD_SET))
    assert len(opened_set.token) < len(links.pack_json(GOOD_SET))
    long = class_set.set_from_json({**GOOD_SET, "items": [{**DOG_ITEM, "id": n, "ask": str(7 ** (n + 200))} for n in range(50)]}, "x")
    assert long.token == "" and progress.read_progress({"long_set": long.as_dict()}).class_set == long
    assert progress.as_dict(progress.read_progress({"long_set": {"items": 5}, "made": "<b>", "items_of": 5})) == {}


def test_a_bad_link_is_refused_in_one_line():
    assert open_set().file_uploader(key="learn.file").proto.max_upload_size_mb == 1
    for token in ("nonsense", "x" * 9_000, links.pack_json([1]), links.pack_json(make_class_set(candidate=""))):
        (message,) = page_messages(open_set(set=token), "alert")
        assert len(message) < 300
