"""From a tuple to the Rules page: the caption, and the words in it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.inspect import to_rules
from pages.parts.kit.texts import t
from pages.parts.session import engine, settings
from pages.parts.session.engine import Inputs
from tests.app.conftest import APP, choice, shown

pytestmark = pytest.mark.parser


@pytest.mark.parametrize(
    ("captions", "parts", "caption", "words"),
    [
        (("A woman near an umbrella that is red.", "A red umbrella."), ("umbrella", "red"), 0, ("umbrella", "red")),
        (("A boat. A dog chases a cat.", "A cat that a dog sees."), ("dog", "chase", "cat"), 0, ("dog", "cat")),
        (("A dog and a red ball.", "The dog has a ball."), ("dog", "have", "ball"), 0, ("dog", "ball")),  # missing, its words are there
        (("A dog.", "A brown dog."), ("dog", "brown"), 1, ("dog", "brown")),
        (("A dog.", "A dog on a sofa."), ("sofa",), 1, ()),
        (("猫が寝ている。", "黒い猫が寝ている。"), ("猫", "黒い"), 1, ("猫", "黒い")),
    ],
)
def test_caption_and_words(captions, parts, caption, words):
    lang = "ja" if "猫" in captions[0] else "en"
    scored = engine.score(Inputs(captions[0], captions[1:]), settings.usual(lang))
    row = next(row for row in scored.explanation.rows if row.parts == parts)
    parse, pair = to_rules.place(scored, row)
    assert parse.caption == captions[caption]
    tokens = parse.document.sentences[pair.sentence].tokens if pair else ()
    assert tuple(tokens[index - 1].text for index in (pair[1:] if pair else ())) == words


def test_one_click_opens_the_rules_with_the_words_in_place():
    app = AppTest.from_file(str(APP), default_timeout=240)
    app.query_params["example"] = "umbrella"
    app.run()
    missing = next(row.id for row in app.session_state["inspect.scored"].explanation.rows if row.parts == ("umbrella", "blue"))
    app.selectbox(key="inspect.focus").set_value(missing).run()
    (address,) = (link.proto.url for link in app.get("link_button") if "/Rules" in link.proto.url)
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert asked["section"] == "why" and asked["caption"] == "A woman holding a blue umbrella."
    rules = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/2_Rules.py")
    for name, value in asked.items():
        rules.query_params[name] = value
    rules.run()
    assert not rules.exception and choice(rules)["chosen"] == "0.6-5"
    assert t("why.made", a="umbrella", b="blue") in shown(rules) and "umbrella" in shown(rules)


@pytest.mark.parametrize("words", ["0.1-99", "9.1-2", "x", "0.1-2-3-4", "٠.1-2", "-1.1-2", "0.2-2"])
def test_words_that_are_not_there_are_left_out(words):
    rules = AppTest.from_file(str(APP), default_timeout=240).switch_page("pages/2_Rules.py")
    for name, value in {"caption": "A dog on a sofa.", "section": "why", "words": words}.items():
        rules.query_params[name] = value
    rules.run()
    assert not rules.exception and rules.query_params.get("words", "") not in (words, [words])
