"""Test what visitors enter on the Inspect page: pasted captions, custom categories, choices, and answers to questions."""

import csv
import io
import re
from pathlib import Path

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from pages.parts.inspect import questions
from pages.parts.kit.texts import t
from pages.parts.state.engine import MAX_REFERENCES
from pages.parts.state.examples import captions_in
from pages.parts.state.settings import read_word_list
from spice_core import Spice
from spice_core.errors import InputError
from tests.app.conftest import choose_example, enter_and_score, open_drawer, open_page, page_html, page_messages, reference_numbers

FIVE_CAPTIONS = ("A dog on a sofa.", "A brown dog lies down.", "The dog sleeps.", "A dog, resting.", "One dog on a red couch.")


@pytest.mark.parametrize(("text", "captions"), [
    ("A dog on a sofa.", ("A dog on a sofa.",)),
    ("A dog on a sofa.\n\n  A cat. \r\n", ("A dog on a sofa.", "A cat.")),
    ("A dog.\tA cat.\t\tA bus.", ("A dog.", "A cat.", "A bus.")),
    ('"A dog, resting."\t"A cat."', ("A dog, resting.", "A cat.")),
    ('A sign says "stop"\n"Stop" is on a sign', ('A sign says "stop"', '"Stop" is on a sign')),
    ('["A dog.", "A cat.", ""]', ("A dog.", "A cat.")),
    ('[["dog"]]', ('[["dog"]]',)),
    ("[a dog", ("[a dog",)),
    ("犬がいる。\n猫がいる。", ("犬がいる。", "猫がいる。")),
    ("", ()),
])  # fmt: skip
def test_captions_in_a_field_are_split(text: str, captions: tuple[str, ...]):
    assert captions_in(text) == captions


def references(app: AppTest) -> list[str]:
    return [app.text_area(key=f"inspect.reference.{row}").value for row in reference_numbers(app)]


@pytest.mark.parametrize("pasted", ["\n".join(FIVE_CAPTIONS), "\t".join(FIVE_CAPTIONS)])
def test_captions_pasted_into_a_reference_are_split_and_can_be_joined_again(pasted: str):
    app = enter_and_score(open_page(), "A dog sleeps on a couch.", pasted)
    assert [text for text in references(app) if text] == [*FIVE_CAPTIONS]
    assert t("paste.references", number=5) in page_messages(app) and page_html(app).count('class="sc-marked"') == 6
    app = app.button(key="inspect.one").click().run()
    assert [text for text in references(app) if text] == [pasted.strip()] and not any("pasted" in text for text in page_messages(app))
    app = app.button(key="inspect.score").click().run()
    assert [text for text in references(app) if text] == [pasted.strip()], "what was undone is not done again"


def test_the_page_asks_about_captions_pasted_into_the_candidate():
    app = enter_and_score(open_page(), "\n".join(FIVE_CAPTIONS), "An old reference.")
    assert t("paste.asked", number=5) in page_messages(app)
    app = app.button(key="inspect.split").click().run()
    assert app.text_area(key="inspect.candidate").value == FIVE_CAPTIONS[0] and references(app) == [*FIVE_CAPTIONS[1:]]
    assert t("paste.references", number=4) in page_messages(app)
    app = app.button(key="inspect.one").click().run()
    assert app.text_area(key="inspect.candidate").value == "\n".join(FIVE_CAPTIONS) and "An old reference." in references(app)


def test_captions_pasted_after_new_become_a_candidate_and_references():
    app = open_page().button(key="inspect.new").click().run()
    assert page_messages(app) == [] and references(app) == []
    app.text_area(key="inspect.candidate").set_value("\n".join(FIVE_CAPTIONS))
    app = app.button(key="inspect.score").click().run()
    assert app.text_area(key="inspect.candidate").value == FIVE_CAPTIONS[0] and references(app) == [*FIVE_CAPTIONS[1:]]
    assert t("paste.references", number=4) in page_messages(app) and page_html(app).count('class="sc-marked"') == 5


def test_too_many_pasted_captions_are_left_unchanged():
    pasted_text = "\n".join(f"A dog number {caption_number}." for caption_number in range(MAX_REFERENCES + 1))
    app = enter_and_score(open_page(), "A dog.", pasted_text)
    assert [text for text in references(app) if text] == [pasted_text]


def test_custom_captions_are_restored_after_an_example_and_after_an_empty_form():
    app = enter_and_score(open_page(), "A zebra on a red sofa.", "A zebra.")
    app = choose_example(app, "giraffe")
    app = app.button(key="inspect.back").click().run()
    assert app.text_area(key="inspect.candidate").value == "A zebra on a red sofa." and "zebra" in page_html(app)
    app = app.button(key="inspect.new").click().run()
    assert app.text_area(key="inspect.candidate").value == "" and not any(references(app))
    app = app.button(key="inspect.back").click().run()
    assert "A zebra." in references(app)
    assert open_page().session_state["InspectState"].custom_inputs is None


def test_lists_are_categories_of_the_metric():
    for text, lists in (
        ("", {}),
        ("Material: wood, Metal", {"Material": {"wood", "metal"}}),
        ("A: wood; B : happy ,  very   sad,\n\n  C: dim;\n", {"A": {"wood"}, "B": {"happy", "very sad"}, "C": {"dim"}}),
        ("素材：木、金属，紙；気分：楽しい", {"素材": {"木", "金属", "紙"}, "気分": {"楽しい"}}),
        ("Time: 12:30, noon", {"Time": {"12:30", "noon"}}),
    ):
        assert read_word_list(text) == lists
    spice = Spice(categories=read_word_list("Material: Wooden, metal"))
    assert spice.compute([["table", "wooden"]], [[["table", "wooden"]]]).scores["Material"].f1 == 1


def test_bad_lines_are_reported():
    for text, message in (
        ("Material: wood\nwood, metal", "line 2: found 'wood, metal', expected a name, a colon and comma-separated words"),
        ("Material:", "line 1: found 'Material:', expected a name"),
        ("Material: , ,", "line 1: found 'Material: , ,'"),
        (": wood", "line 1: found ': wood'"),
        ("A: a\nB: b; object: c", "line 2: found 'object', expected a name that no other category has"),
        ("All: a", "line 1: found 'All'"),
        ("size: a", "line 1: found 'size'"),
        ("A: a\na: b", "line 2: found 'a'"),
    ):
        with pytest.raises(InputError) as error_info:
            read_word_list(text, reserved_names=["Color", "Size"])
        assert str(error_info.value).startswith(message)


def small_selectbox() -> AppTest:
    """Return an app with a list of two options whose labels contain a number. The second option is chosen."""

    def script() -> None:
        import streamlit as st

        from pages.parts.kit import choice

        option_count = st.session_state.get("number", 1)
        if "sent" in st.session_state:
            st.session_state["list"] = st.session_state.pop("sent")
        choice.selectbox("List", {name: f"{name} ({option_count})" for name in "ab"}, index=1, key="list")

    return AppTest.from_function(script, default_timeout=240).run()


def test_a_changed_label_is_sent_once_and_an_old_label_keeps_the_choice():
    app = small_selectbox()
    assert app.selectbox(key="list").value == "b" and not app.run().selectbox(key="list").proto.set_value
    app.session_state["number"] = 2
    select = app.run().selectbox(key="list")
    assert (select.value, select.proto.set_value, select.proto.raw_value) == ("b", True, "b (2)") and not app.warning
    assert not app.run().selectbox(key="list").proto.set_value
    select = app.selectbox(key="list").set_value("a").run().selectbox(key="list")
    assert select.value == "a" and not select.proto.set_value
    app = small_selectbox()
    app.session_state["sent"] = "b (0)"
    select = app.run().selectbox(key="list")
    assert (select.value, select.proto.raw_value) == ("b", "b (1)")


@pytest.mark.parametrize(
    ("page", "params", "key", "label_key"),
    [("app.py", {}, "inspect.focus", "focus.nothing"), ("pages/6_Learn.py", {"step": "tuples"}, "learn.step", "tour.tuples"),
     ("pages/3_Batch.py", {}, "batch.kind", "batch.by_none"), ("pages/2_Rules.py", {"section": "query"}, "rules.by", "parse.word")],
)  # fmt: skip
def test_options_are_in_the_interface_language(page: str, params: dict[str, str], key: str, label_key: str):
    app = open_page(page, **params)
    value_before = app.selectbox(key=key).value
    app = app.segmented_control(key="interface.switch").set_value("ja").run()
    select = app.selectbox(key=key)
    assert select.value == value_before and select.proto.set_value and t(label_key, language="ja") in select.proto.raw_value
    assert page_html(app)


PAGES = Path(__file__).parents[2] / "pages"


def test_saving_starts_no_run():
    texts = {path.name: path.read_text(encoding="utf-8") for path in PAGES.rglob("*.py")}
    assert sum(text.count("download_button(") for text in texts.values()) > 10
    # ``choice.download_button`` sets the option itself.
    saving_counts = {
        name: (len(re.findall(r"(?<!choice)\.download_button\(", text)), text.count('"ignore"')) for name, text in texts.items()
    }
    assert [name for name, (buttons, ignoring_count) in saving_counts.items() if buttons > ignoring_count] == []


QUESTIONS_ANSWERED_YES = {"Is there a dog?", "Is there a ball?", "Is the dog brown?", "Does the dog have a ball?"}


def shown_question(app) -> str:
    return re.findall(r'<p class="sc-question" lang="(?:en|ja)">(.*?)</p>', page_html(app))[0]


def precisions(app) -> list[str]:
    return [
        re.search(rf"{re.escape(t(f'asked.{name}_precision'))}</th><td>(.*?)</td>", page_html(app))[1] for name in ("picture", "reference")
    ]


def answer_all(app, true_questions: set[str]) -> list[str]:
    """Answer every question on the page, and return the questions."""
    texts = []
    while "inspect.yes" in {button.key for button in app.button}:
        texts.append(shown_question(app))
        app = app.button(key="inspect.yes" if texts[-1] in true_questions else "inspect.no").click().run()
    return texts


def test_questions_are_answered_one_by_one(app):
    app = open_drawer(enter_and_score(app, "A brown dog with a ball on a sofa", "A dog on a sofa"), "asked")
    texts = answer_all(app, QUESTIONS_ANSWERED_YES)
    assert "Is there a sofa?" in texts and not any("on the sofa" in text for text in texts), "what depends on the sofa is not asked"
    assert precisions(app)[0] != precisions(app)[1]
    html = page_html(app)
    fault, refuted_html = (html.partition(t(f"asked.{name}"))[2].partition("</ul>")[0] for name in ("fault", "refuted"))
    assert "<li>dog: brown</li>" in fault and "<li>ball</li>" in fault and "<li>sofa</li>" in refuted_html
    app = app.button(key="inspect.unanswer").click().run()
    assert shown_question(app) == texts[-1]
    app = app.button(key="inspect.open").click().run()
    assert t("asked.done") in page_html(app)
    app = enter_and_score(app, "A brown dog and a cat", "A dog on a sofa")
    assert shown_question(app) == "Is there a cat?", "the picture is the same, so the other answers stay"
    app = enter_and_score(app, "A brown dog", "A cat")
    assert shown_question(app) == "Is there a dog?"
    app = enter_and_score(app, "A fire hydrant", "A cat")
    assert answer_all(app, {"Is there a fire hydrant?"}) == ["Is there a fire hydrant?"], "a question of two tuples is asked once"
    app.button(key="inspect.unanswer").click().run()
    assert shown_question(app) == "Is there a fire hydrant?"


def test_the_answers_are_a_table_of_dsg(app):
    app = open_drawer(enter_and_score(app, "A brown dog", "A dog"), "asked")
    app.button(key="inspect.yes").click().run()
    scored_captions = app.session_state["InspectState"].scored
    answers = app.session_state["InspectState"].picture_answers.answers
    rows = list(
        csv.DictReader(io.StringIO(questions._answers_csv(scored_captions, questions.questions_of(scored_captions), answers).decode()))
    )
    assert [(row["question_natural_language"], row["answer"]) for row in rows] == [("Is there a dog?", "yes"), ("Is the dog brown?", "")]


def test_a_picture_can_be_shown_next_to_the_question(app):
    buffer = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(buffer, "PNG")
    app = open_drawer(enter_and_score(app, "A brown dog", "A dog"), "asked")
    assert t("asked.without") in page_html(app)
    app = app.file_uploader(key="inspect.image").set_value(("dog.png", buffer.getvalue(), "image/png")).run()
    assert 'class="sc-photo" src="./image/' in page_html(app)
    app = app.file_uploader(key="inspect.image").set_value(("dog.png", b"no picture", "image/png")).run()
    assert t("images.no_image", file="dog.png") in page_html(app) and 'class="sc-photo"' not in page_html(app)


def test_questions_are_in_the_language_of_the_captions_and_hostile_words_are_text():
    app = open_drawer(choose_example(open_page(ui="en"), "ja-umbrella"), "asked")
    assert shown_question(app).endswith("か。")
    app = open_drawer(enter_and_score(open_page(), 'A <script>alert(1)</script> "<b>dog</b>" sign', "A dog"), "asked")
    answer_all(app, set())
    assert "<script>" not in page_html(app) and "<b>dog" not in page_html(app)
