"""Where to look for a tuple: the caption, and the words in it."""

from __future__ import annotations

import pytest

from pages.parts.session import engine, settings
from pages.parts.session.engine import Inputs
from spice_core.explain import places

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
    parse, pair = places.place(scored.result, row)
    assert parse.caption == captions[caption]
    tokens = parse.document.sentences[pair.sentence].tokens if pair else ()
    assert tuple(tokens[index - 1].text for index in (pair[1:] if pair else ())) == words
