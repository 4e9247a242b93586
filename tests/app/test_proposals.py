"""Rules proposed on the Rules page: asked for, taken over into the editor, applied; conditions against a wrong tuple."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.kit.texts import t
from pages.parts.rules import chosen
from tests.app.conftest import choice
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
    assert 'name = "subject-object-2"' in text(app) and app.session_state["rules.which.en.caption"] != "new"
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


def test_proposals_stand_beside_other_trees_that_are_to_blame():
    app = proposed(caption="Two men wearing red hats are seen loading boxes onto the back of a truck.", words="0.2-9")
    assert not alerts(app) and t("blame.title") in shown(app) and t("propose.title") in shown(app)


def test_nothing_is_said_before_two_words_are_chosen():
    app = opened(section="why", caption=DOG)
    assert choice(app)["chosen"] == "0." and not any(button.key == "rules.propose" for button in app.button)
    assert len(choice(app)["lines"][0]) == choice(app)["svg"].count("displacy-token") == 10


def test_words_are_kept_while_other_sections_and_captions_are_looked_at():
    app = opened(section="why", caption=DOG, words=WORDS)
    for section in ("tree", "why"):
        app = app.button_group(key="rules.section").set_value(section).run()
        assert app.query_params["words"] in (WORDS, [WORDS])
    assert choice(app)["chosen"] == WORDS
    app.text_input(key="rules.caption.en").set_value("A dog. A cat on a sofa.")
    app = app.button(key="rules.read").click().run()
    assert "words" not in app.query_params and choice(app)["chosen"] == "0."
    app.text_input(key="rules.caption.en").set_value(DOG)
    app = app.button(key="rules.read").click().run()
    assert choice(app)["chosen"] == WORDS and app.query_params["words"] in (WORDS, [WORDS])


def test_of_several_sentences_the_tree_is_that_of_the_words():
    app = opened(section="why", caption="A dog. A cat on a sofa.", words="1.2-5")
    assert choice(app)["title"] == t("choose.tree", tree=t("trace.enhanced"), number=2)
    assert [words[0][1] for words in choice(app)["lines"]] == ["A", "A"] and choice(app)["lines"][1][-1] == [6, ".", True]


@pytest.mark.parametrize("asked", [None, 3, "", "x", "0.1-1", "0.1-2-3-4", "1.", "0.2", "0.6-10", "٠.1-2", ["0.1-2"], "9" * 10_000])
def test_words_that_a_browser_sends_are_checked(asked):
    words = chosen.read(asked)
    assert (str(words) == asked) if asked in ("1.", "0.2", "0.6-10") else words is None


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
