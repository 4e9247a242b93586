"""Both graphs side by side: in one layout, or where they share little in one of its own for each."""

from __future__ import annotations

import networkx as nx

from spice_core.draw.layout import WIDEST, Layout, layout

_SHARE = 0.4  # of the nodes of the smaller graph; matched nodes stand at the same height if so many match


def beside(
    candidate: nx.DiGraph, references: nx.DiGraph, *, room: float = WIDEST, fold: bool = False
) -> tuple[nx.DiGraph, nx.DiGraph, Layout]:
    """Both graphs with places for a drawing side by side, and their layout (``room`` and ``fold`` as there).

    Graphs with few nodes in common are laid out each by itself, from the same corner; their nodes then share no place.
    """
    places = [{place for _, place in graph.nodes(data="place")} for graph in (candidate, references)]
    if len(places[0] & places[1]) >= _SHARE * min(map(len, places)):
        return candidate, references, layout(candidate, references, room=room, fold=fold)
    alone = [_alone(graph) for graph in (candidate, references)]
    first, second = (layout(graph, room=room, fold=fold) for graph in alone)
    both = Layout(
        {**first.points, **second.points},
        {**first.bends, **second.bends},
        max(first.width, second.width),
        max(first.height, second.height),
    )
    return alone[0], alone[1], both


def _alone(graph: nx.DiGraph) -> nx.DiGraph:
    """The graph with each node at a place of its own."""
    own = graph.copy()
    nx.set_node_attributes(own, {name: name for name in own}, "place")
    return own
