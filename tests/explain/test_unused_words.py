"""Words of captions that stand in no tuple."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spice_core import Spice
from spice_core.explain.unused_words import unused
from spice_core.scene.propositions import from_tuples


def reasons(spice, caption, rules=None) -> dict[str, str]:
    (parse,) = spice.parse([caption])
    found = unused(parse, rules)
    assert all(parse.document.text[u.token.start : u.token.end] == u.token.text for u in found)
    return {u.token.text: u.reason for u in found}


@pytest.mark.parser
@pytest.mark.parametrize(
    ("caption", "found"),
    [
        ("A young girl holding a racket.", {"A": "function", "a": "function"}),
        ("There is a very large dog.", {"There": "function", "is": "function", "a": "function", "very": "unread"}),
        ("Two dogs are quickly running on a street!", {"are": "function", "quickly": "unread", "a": "function"}),
        ("A man who holds his dog.", {"A": "function", "who": "pronoun", "holds": "unread", "his": "pronoun"}),
        ("red umbrella", {}),
        ("", {}),
    ],
)
def test_english(spice, caption, found):
    assert reasons(spice, caption, spice.rules) == found
    assert reasons(spice, caption) == {word: reason.replace("unread", "content") for word, reason in found.items()}


@pytest.mark.parser
def test_a_word_that_a_rule_could_have_read(spice):
    """Without the rule for adjectives, another still reads adjectival links; without the link itself, none does."""
    (parse,) = spice.parse(["A young girl."])
    (without,) = Spice(rules=spice.rules.without("adjective")).parse(["A young girl."])
    assert [u.token.text for u in unused(parse)] == ["A"] and [u.token.text for u in unused(without)] == ["A", "young"]
    assert unused(without, spice.rules)[1].reason == "content"
    assert (unused(without)[1].relation, unused(without)[1].sentence) == ("amod", 0)


@pytest.mark.parser
def test_every_word_is_used_or_unused_or_punctuation(spice):
    (parse,) = spice.parse(["A man on a surfboard, who rides waves; it's a well-known beach. Two dogs watch him!"])
    used = {(p.sentence, t.index) for p in parse.propositions for part in p.tokens for t in part}
    left = {(u.sentence, u.token.index) for u in unused(parse)}
    rest = [t.text for n, s in enumerate(parse.document.sentences) for t in s.tokens if (n, t.index) not in used | left]
    assert not used & left and set(rest) <= set(",;.!")


@pytest.mark.parser
def test_japanese():
    spice = Spice("ja")
    found = reasons(spice, "公園で二匹の犬がとても速く走っている。", spice.rules)
    assert found == dict.fromkeys("で の が て いる".split(), "function") | {"とても": "unread", "速く": "unread"}


def test_given_propositions_have_no_words(spice):
    parse = from_tuples([["dog"]], where="candidate")
    assert unused(parse) == unused(replace(parse, document=None)) == ()
