"""Test custom categories as typed by a visitor."""

import pytest

from pages.parts.state.settings import read_word_list
from spice_core import Spice
from spice_core.errors import InputError


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
