"""Two graphs side by side: matched nodes at one height, or each graph packed by itself."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.draw.network import networks
from spice_core.draw.sides import beside

PLAIN = Spice(synonyms="none")
LONG = [["dog", "on", "sofa"], ["dog", "brown"], ["cat", "under", "table"], ["table", "wooden"], ["lamp"], ["window", "open"]]
OTHER = [["man", "ride", "horse"], ["horse", "white"], ["hill", "green"], ["sky", "blue"], ["dog"]]


def test_graphs_that_share_most_stand_in_one_layout():
    graphs = networks(PLAIN.compute(LONG, [[*LONG, ["sky"]]]))
    candidate, references, places = beside(*graphs)
    shared = {place for _, place in candidate.nodes(data="place")} & {place for _, place in references.nodes(data="place")}
    assert len(shared) == len(candidate) and set(places.points) >= shared


def test_graphs_that_share_little_are_packed_each_by_itself():
    candidate, references, places = beside(*networks(PLAIN.compute(LONG, [OTHER])))
    assert {place for _, place in candidate.nodes(data="place")} == set(candidate)
    for graph in (candidate, references):
        assert min(places.points[name].y for name in graph) < 60  # both begin at the top
    states = dict(candidate.nodes(data="state"))
    assert sum(state == "exact" for state in states.values()) == 1  # what matched stays marked


@pytest.mark.parametrize("sides", [([], [[]]), ([], [OTHER]), (LONG, [[]])])
def test_an_empty_side_is_no_problem(sides):
    candidate, references, places = beside(*networks(PLAIN.compute(*sides)))
    assert set(places.points) == set(candidate) | set(references)
