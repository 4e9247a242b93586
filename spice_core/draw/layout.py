"""One layout for several graphs: relations run from left to right or downwards, and nodes do not overlap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

from spice_core.draw.arrangement import Arrangement, Block, Link, arrange
from spice_core.draw.labels import Point, merge_words, node_box

GAP_PX, MARGIN_PX = 36, 16  # gap between parts, and margin around the drawing
MAX_WIDTH_PX = 672  # maximum width of a row of parts, including margins
_LARGE_GRAPH_NODES = 40  # parts of larger graphs follow the order of the text instead of their size


@dataclass(frozen=True)
class GraphLayout:
    """The point of each place, the bends of each line by the places of its ends, and the total size in pixels."""

    points: Mapping[str, Point]
    bends: Mapping[tuple[str, str], tuple[Point, ...]]
    width: float
    height: float


def merge_places(*graphs: nx.DiGraph) -> nx.DiGraph:
    """Return the union of graphs with one node for each place. The box of a place fits all its nodes and their merged label."""
    merged_graph = nx.DiGraph()
    for graph in graphs:
        for _, attributes in graph.nodes(data=True):
            extents = node_box(attributes["kind"], attributes["words"], attributes["captions"], attributes["of"])
            place = attributes["place"]
            if place in merged_graph:
                words = merge_words(merged_graph.nodes[place]["words"], attributes["words"])
                extents = extents.union(merged_graph.nodes[place]["box"]).union(
                    node_box(attributes["kind"], words, attributes["captions"], attributes["of"])
                )
            merged_graph.add_node(place, kind=attributes["kind"], words=attributes["words"], box=extents)
        merged_graph.add_edges_from((graph.nodes[a]["place"], graph.nodes[b]["place"]) for a, b in edges_to_draw(graph))
        if graph is graphs[0]:
            merged_graph.graph["first"] = set(merged_graph)
    return merged_graph


def edges_to_draw(graph: nx.DiGraph) -> list[tuple[str, str]]:
    """Return the edges to draw. An implied attribute has a line to its relation instead of its object."""
    return [(a, b) for a, b, tie in graph.edges(data="tie") if tie or not graph.nodes[b]["implied"]]


def layout_graphs(*graphs: nx.DiGraph, max_width: float = MAX_WIDTH_PX, fold: bool = False, downward: bool = False) -> GraphLayout:
    """Return one deterministic layout for all graphs.

    Connected parts of the first graph come first, and larger parts come before smaller ones. The parts of a large graph follow
    the order of the text instead of their size.

    Args:
        graphs: Networks whose nodes have places.
        max_width: Maximum width of a row of parts in pixels; a wider part has a row to itself.
        fold: Whether nodes stand closer together and a part wider than ``max_width`` has two columns of objects.
        downward: Whether relations run from top to bottom, for pictures that are much wider than high.
    """
    graph = merge_places(*graphs)
    frame = graph.subgraph(n for n, kind in graph.nodes(data="kind") if kind != "attribute")
    components = [[n for n in graph if n in names] for names in nx.weakly_connected_components(frame)]
    first_names = graph.graph.get("first", set())
    order = {name: place for place, name in enumerate(graph)} if len(graph) > _LARGE_GRAPH_NODES else {}
    components.sort(key=lambda c: (first_names.isdisjoint(c), order.get(c[0], 0), -len(c)))
    max_part_width = max_width - 2 * MARGIN_PX if fold else math.inf
    return _pack_parts(
        [arrange(*_make_blocks(graph, nodes), max_width=max_part_width, downward=downward) for nodes in components], max_width
    )


def _make_blocks(graph: nx.DiGraph, nodes: Sequence[str]) -> tuple[tuple[Block, ...], tuple[Link, ...]]:
    """Return the objects and relations of a component with their attributes."""
    kinds, boxes = dict(graph.nodes(data="kind")), dict(graph.nodes(data="box"))

    def make_block(name: str) -> Block:
        return Block(name, boxes[name], tuple((n, boxes[n]) for n in graph.succ[name] if kinds[n] == "attribute"))

    links = [
        Link(next(iter(graph.pred[n])), make_block(n), next(end for end in graph.succ[n] if kinds[end] == "object"))
        for n in nodes
        if kinds[n] == "relation"
    ]
    return tuple(make_block(n) for n in nodes if kinds[n] == "object"), tuple(links)


def _pack_parts(parts: Sequence[Arrangement], available_width: float) -> GraphLayout:
    """Place the parts in rows from the top left."""
    available_width = max([available_width - 2 * MARGIN_PX, *(part.bounds.right - part.bounds.left for part in parts)])
    points: dict[str, Point] = {}
    bends: dict[tuple[str, str], tuple[Point, ...]] = {}
    x = y = row = width = 0.0
    for part in parts:
        part_width, part_height = part.bounds.right - part.bounds.left, part.bounds.bottom - part.bounds.top
        if x and x + part_width > available_width:
            x, y, row = 0.0, y + row + GAP_PX, 0.0
        shift = Point(x - part.bounds.left + MARGIN_PX, y - part.bounds.top + MARGIN_PX)
        points |= {name: point.shift(shift) for name, point in part.points.items()}
        bends |= {ends: tuple(point.shift(shift) for point in line) for ends, line in part.bends.items()}
        x, row = x + part_width + GAP_PX, max(row, part_height)
        width = max(width, x - GAP_PX)
    return GraphLayout(points, bends, width + 2 * MARGIN_PX, y + row + 2 * MARGIN_PX)


_MIN_SHARED_RATIO = 0.4  # minimum share of common nodes (of the smaller graph) for a common layout, which aligns matched nodes


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
