"""Categories as a reader types them."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.data.category_lists import read_word_list
from spice_core.errors import InputError


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("", {}),
        ("Material: wood, Metal", {"Material": {"wood", "metal"}}),
        ("Material: wood; Mood : happy ,  very   sad,", {"Material": {"wood"}, "Mood": {"happy", "very sad"}}),
        ("Material: wood\n\n  Mood: happy;\n", {"Material": {"wood"}, "Mood": {"happy"}}),
        ("素材：木、金属，紙；気分：楽しい", {"素材": {"木", "金属", "紙"}, "気分": {"楽しい"}}),
        ("Time: 12:30, noon", {"Time": {"12:30", "noon"}}),
    ],
)
def test_lists(text, lists):
    assert read_word_list(text) == lists


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Material: wood\nwood, metal", "line 2: found 'wood, metal', expected a name, a colon and words with commas"),
        ("Material:", "line 1: found 'Material:', expected a name"),
        ("Material: , ,", "line 1: found 'Material: , ,'"),
        (": wood", "line 1: found ': wood'"),
        ("A: a\nB: b; object: c", "line 2: found 'object', expected a name that is not taken"),
        ("All: a", "line 1: found 'All'"),
        ("size: a", "line 1: found 'size'"),
        ("A: a\na: b", "line 2: found 'a'"),
    ],
)
def test_bad_lines_are_named(text, message):
    with pytest.raises(InputError) as caught:
        read_word_list(text, taken=["Color", "Size"])
    assert str(caught.value).startswith(message)


def test_the_lists_are_categories_of_the_metric():
    spice = Spice(categories=read_word_list("Material: Wooden, metal"))
    assert spice.compute([["table", "wooden"]], [[["table", "wooden"]]]).scores["Material"].f1 == 1
