"""What of a graph is shown to an audience: all that can be read, what matched first."""

from __future__ import annotations

from functools import cache

import pytest

from spice_core import Spice
from spice_core.draw.network import UNMATCHED, networks, union, within
from spice_core.draw.screen import readable
from spice_core.draw.svg import extents
from spice_core.lang import detect_language
from tests.draw.test_layout import EXAMPLES, PLAIN

pytestmark = pytest.mark.parser
WIDE, HIGH = 789, 260
metric = cache(Spice)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["id"])
def test_examples_are_readable_and_most_of_them_whole(example):
    spice = metric(detect_language([example["candidate"], *example["references"]]))
    both = networks(spice.compute(example["candidate"], example["references"]))
    for graph in (*both, union(*both)):
        shown, places = readable(graph, WIDE, HIGH)
        *_, wide, high = extents(shown, places)
        assert wide <= WIDE and high <= HIGH and len(shown) >= min(len(graph), 6)
        assert all(graph.nodes[name] == shown.nodes[name] for name in shown)
        assert len(graph) > 7 or len(shown) == len(graph)


def test_what_matched_stays_longest_and_nothing_hangs_in_the_air():
    rows = [["girl", "young"], ["girl", "on", "court"], ["net"], ["sky", "blue"], ["dog", "behind", "fence"]]
    graph = union(*networks(PLAIN.compute(rows, [[["dog", "behind", "fence"], ["tree", "tall"]]])))
    seen = [set(within(graph, most)) for most in range(len(graph) + 1)]
    words = [{"/".join(graph.nodes[name]["words"]) for name in part} for part in seen]
    assert words[3] == {"dog", "behind", "fence"} and words[0] == set() and seen[-1] == set(graph)
    assert all(len(part) <= most for most, part in enumerate(seen))
    for part in seen:
        for name in part:
            kind, hosts = graph.nodes[name]["kind"], set()
            if kind != "object":
                hosts = {*graph.pred[name], *(graph.succ[name] if kind == "relation" else ())}
            assert {host for host in hosts if graph.nodes[host]["kind"] == "object"} <= part
    assert any(state in UNMATCHED for _, state in graph.nodes(data="state"))
