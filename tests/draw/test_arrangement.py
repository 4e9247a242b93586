"""The arrangement of one connected part: the same blocks stand alike, and are arranged once."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.draw.arrangement import Block, Link, arranged
from spice_core.draw.boxes import box
from spice_core.draw.layout import layout
from spice_core.draw.network import networks

PLAIN = Spice(synonyms="none")


def block(kind: str, name: str, *attributes: str) -> Block:
    return Block(name, box(kind, [name]), tuple((each, box("attribute", [each])) for each in attributes))


def chain(*names: str) -> tuple[tuple[Block, ...], tuple[Link, ...]]:
    """Objects and the relations between them, by turns."""
    links = (Link(a, block("relation", relation), b) for a, relation, b in zip(names[::2], names[1::2], names[2::2]))
    return tuple(block("object", name) for name in names[::2]), tuple(links)


@pytest.mark.parametrize("names", [("dog",), ("girl", "on", "court"), ("girl", "on", "court", "behind", "net")])
def test_columns_run_from_left_to_right(names: tuple[str, ...]) -> None:
    found = arranged(*chain(*names))
    xs = [found.points[name].x for name in names]
    assert xs == sorted(set(xs))
    assert [*found.points] == [*dict.fromkeys([*names[::2], *names[1::2]])]


def test_attributes_stand_at_their_object() -> None:
    found = arranged((block("object", "girl", "young", "tall"),), ())
    assert {*found.points} == {"girl", "young", "tall"}
    thing = box("object", ["girl"]).at(found.points["girl"])
    for name in ("young", "tall"):
        pill = box("attribute", [name]).at(found.points[name])
        assert not pill.overlaps(thing)
        assert pill.top >= found.bounds.top and pill.bottom <= found.bounds.bottom


def test_an_edit_arranges_only_the_parts_that_it_changes() -> None:
    rest = [["girl", "on", "court"], ["dog", "brown"], ["dog", "behind", "net"]]
    layout(*networks(PLAIN.compute([["car", "red"], *rest], [[["sky"]]])))
    done = arranged.cache_info()
    layout(*networks(PLAIN.compute([["car", "blue"], *rest], [[["sky"]]])))
    more = arranged.cache_info()
    assert more.misses - done.misses == 1
    assert more.hits - done.hits == 3
