"""Test several captions pasted into one field, and custom captions next to examples."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.state.engine import MAX_REFERENCES
from pages.parts.state.examples import captions_in
from tests.app.conftest import choose_example, enter_and_score, open_page, page_html, page_messages, reference_numbers

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
