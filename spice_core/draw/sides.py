"""Both graphs side by side: in one layout, or in separate layouts if they have few nodes in common."""

from __future__ import annotations

import networkx as nx

from spice_core.draw.layout import MAX_WIDTH_PX, GraphLayout, layout_graphs

_MIN_SHARED_RATIO = 0.4  # graphs that share at least this fraction of the smaller one have one layout, so matched nodes are level


def layout_side_by_side(
    candidate: nx.DiGraph, references: nx.DiGraph, *, max_width: float = MAX_WIDTH_PX, fold: bool = False
) -> tuple[nx.DiGraph, nx.DiGraph, GraphLayout]:
    """Return both graphs with places for a drawing side by side, and their layout. See ``layout_graphs`` for ``max_width`` and ``fold``.

    Graphs with few nodes in common have separate layouts with the same origin, and their nodes share no places.
    """
    places = [{place for _, place in graph.nodes(data="place")} for graph in (candidate, references)]
    if len(places[0] & places[1]) >= _MIN_SHARED_RATIO * min(map(len, places)):
        return candidate, references, layout_graphs(candidate, references, max_width=max_width, fold=fold)
    separate_graphs = [_separate_places(graph) for graph in (candidate, references)]
    first_layout, second_layout = (layout_graphs(graph, max_width=max_width, fold=fold) for graph in separate_graphs)
    joint_layout = GraphLayout(
        {**first_layout.points, **second_layout.points},
        {**first_layout.bends, **second_layout.bends},
        max(first_layout.width, second_layout.width),
        max(first_layout.height, second_layout.height),
    )
    return separate_graphs[0], separate_graphs[1], joint_layout


def _separate_places(graph: nx.DiGraph) -> nx.DiGraph:
    """Return the graph with the name of each node as its place."""
    new_graph = graph.copy()
    nx.set_node_attributes(new_graph, {name: name for name in new_graph}, "place")
    return new_graph
