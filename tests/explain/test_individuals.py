"""Members of a group that a caption tells apart are nodes of their own."""

from __future__ import annotations

from functools import cache

import pytest

from spice_core import Spice
from spice_core.draw.network import networks, union
from spice_core.draw.sides import beside

metric = cache(Spice)


def said(graph) -> set[str]:
    """What is said of members, as text: "dog (one) – brown"."""
    words = {name: " / ".join(found) for name, found in graph.nodes(data="words")}
    return {f"{words[a]} – {words[b]}" for a, b in graph.edges if "#" in a or "#" in b}


@pytest.mark.parser
@pytest.mark.parametrize(
    ("lang", "text", "members"),
    [
        ("en", "Two dogs lie next to a stall. One of them is brown and the other is white.", {"dog (one) – brown", "dog (other) – white"}),
        (
            "en",
            "One man wears a hat and another is holding a ball.",
            {"man (one) – wear", "man (another) – hold"},
        ),
        ("en", "Two men stand. One is tall.", set()),
        ("en", "A man holds a dog in one hand.", set()),
        ("en", "Two dogs lie next to a stall. They are brown.", set()),
        ("ja", "二匹の猫がソファの上で寝ています。一匹は黒く、もう一匹は茶色いです。", {"猫 (一匹) – 黒い", "猫 (もう一匹) – 茶色い"}),
        ("ja", "二人の男の子が遊んでいる。一人は青いシャツを着て、もう一人は白いシャツを着ています。", set()),  # both wear one
    ],
)
def test_what_is_said_of_a_member_hangs_on_it(lang, text, members):
    found, other = networks(metric(lang).compute(text, [text, "x"]))
    assert said(found) >= members and (members or not said(found))
    assert not said(other)  # of several captions: nobody knows whose one is whose


@pytest.mark.parser
def test_members_are_drawn_in_every_view_and_keep_the_row_of_their_object():
    text = "Two dogs lie next to a stall. One of them is brown and the other is white."
    both = networks(metric("en").compute(text, ["A brown dog lies on the ground."]))
    for graph in (*both, union(*both)):
        for name, node in graph.nodes(data=True):
            if "#" in name:
                assert node["ids"] == (name.partition("#")[0],) and node["tuple"] == ("dog",)
    candidate, references, places = beside(*both)
    assert {node["place"] for graph in (candidate, references) for _, node in graph.nodes(data=True)} <= set(places.points)
