"""Rules proposed on the Rules page: asked for, taken over into the editor, applied; conditions against a wrong tuple."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from tests.app.test_rules import NASTY, alerts, gold_f1, opened, shown

pytestmark = pytest.mark.parser
DOG = "A close up of a dog riding a skate board"
WORDS = "0.6-7-10"  # dog, riding, board


def proposed(**asked: str) -> AppTest:
    """The page after a click on the button that asks for proposals."""
    return opened(section="why", **asked).button(key="rules.propose").click().run()


def asked_why(app: AppTest, words: str) -> AppTest:
    """The section "Why no tuple?" of the same visit, on these words."""
    app.query_params["words"] = words
    return app.button_group(key="rules.section").set_value("why").run()


def text(app: AppTest) -> str:
    """The text in the editor."""
    return next(area for area in app.text_area if area.key.startswith("rules.text.")).value


def test_a_missing_tuple_becomes_a_rule_in_three_clicks():
    app = proposed(caption=DOG, words=WORDS, off="participle-object")
    assert t("propose.off", rule="participle-object") in shown(app) and "23 correct, 2 wrong" in shown(app)
    app = app.button(key="rules.proposed.1").click().run()
    assert app.session_state["rules.section"] == "edit" and app.session_state["rules.which.en.caption"] == "new"
    assert f'example.caption = "{DOG}"' in text(app) and '[["dog", "ride", "board"]]' in text(app)
    assert re.search(r'near_miss.caption = ".+"', text(app)) and "Gives (dog, ride, board)" in text(app)
    app = app.button(key="rules.apply").click().run()
    before, after = map(float, gold_f1(app))
    assert not alerts(app) and abs(after - before) <= 0.002
    assert t("why.made", a="dog", b="board") in shown(asked_why(app, WORDS))


def test_what_was_taken_over_leaves_the_editor_once_it_is_applied():
    app = proposed(caption=DOG, words=WORDS, off="participle-object").button(key="rules.proposed.1").click().run()
    app = app.button(key="rules.apply").click().run()
    assert 'name = "nsubj-obj"' in text(app) and app.session_state["rules.which.en.caption"] != "new"
    app = app.selectbox(key="rules.which.en.caption").set_value("new").run()
    assert 'name = "apposition"' in text(app), "a new rule starts from the template again"


def test_the_nearest_rule_is_told_with_its_edit():
    page = shown(proposed(caption=DOG, words=WORDS, off="participle-object"))
    edit = t("propose.edit", before=">nsubj", after=">nsubj:acl")
    assert t("propose.nearest", rule="subject-object", edits=edit).replace(">", "&gt;") in page


def test_a_wrong_tuple_is_excluded_with_its_cost():
    app = opened(section="why", caption="A city with snow and slush filling the ground.", words="0.2-9")
    made = next(button for button in app.button if button.key.startswith("rules.exclude."))
    rule = made.key.removeprefix("rules.exclude.")
    app = made.click().run()
    assert t("exclude.hint", rule=rule) in shown(app) and re.search(r"Excludes \d+ wrong and \d+ correct", shown(app))
    app = app.button(key=f"rules.exclude.{rule}.0").click().run()
    assert f'name = "{rule}"' in text(app) and 'near_miss.caption = "A city with snow and slush filling the ground."' in text(app)
    app = app.button(key="rules.apply").click().run()
    assert not alerts(app)
    assert t("why.none", a="city", b="ground") in shown(asked_why(app, "0.2-9"))


@pytest.mark.parametrize(("words", "kept"), [("0.6-10", True), ("0.6-7-10", True), ("0.6-7-6", False), ("0.6-7-99", False)])
def test_the_third_word_is_in_the_address(words, kept):
    app = opened(section="why", caption=DOG, words=words)
    assert not app.exception and (app.query_params.get("words") in (words, [words])) is kept


@pytest.mark.parametrize(
    "asked", [{"caption": NASTY, "words": "0.1-3"}, {"lang": "ja", "ui": "ja"}, {"caption": "a " * 400}, {"caption": "Dog. Dog dog"}]
)
def test_strange_words_are_answered(asked):
    app = opened(section="why", **asked)
    for button in [b for b in app.button if b.key in ("rules.propose",) or b.key.startswith("rules.exclude.")]:
        app = button.click().run()
    assert not alerts(app) and "<img" not in shown(app)
