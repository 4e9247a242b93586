"""Layout of both graphs: one layout of their union, left to right along relations, without overlaps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

from spice_core.draw.arrangement import Arrangement, Block, Link, arranged
from spice_core.draw.boxes import Point, box
from spice_core.draw.labels import joined

GAP, MARGIN = 36, 16  # between parts; around the whole
WIDEST = 672  # parts fill rows up to this width, margins included
_LARGE = 40  # nodes; above, the order of the text says more than size


@dataclass(frozen=True)
class Layout:
    """The point of each place, the bends of lines that pass around others (by the places of both ends), and the total size."""

    points: Mapping[str, Point]
    bends: Mapping[tuple[str, str], tuple[Point, ...]]
    width: float
    height: float


def union(*graphs: nx.DiGraph) -> nx.DiGraph:
    """The union of graphs by place; a place has room for each of its nodes and for the merged node."""
    whole = nx.DiGraph()
    for graph in graphs:
        for _, attributes in graph.nodes(data=True):
            extents = box(attributes["kind"], attributes["words"], attributes["captions"], attributes["of"])
            place = attributes["place"]
            if place in whole:
                both = joined(whole.nodes[place]["words"], attributes["words"])
                extents = extents.around(whole.nodes[place]["box"]).around(
                    box(attributes["kind"], both, attributes["captions"], attributes["of"])
                )
            whole.add_node(place, kind=attributes["kind"], words=attributes["words"], box=extents)
        whole.add_edges_from((graph.nodes[a]["place"], graph.nodes[b]["place"]) for a, b in drawn_edges(graph))
        if graph is graphs[0]:
            whole.graph["first"] = set(whole)
    return whole


def drawn_edges(graph: nx.DiGraph) -> list[tuple[str, str]]:
    """The edges to draw: an implied attribute is joined to its relation, not to its object."""
    return [(a, b) for a, b, tie in graph.edges(data="tie") if tie or not graph.nodes[b]["implied"]]


def layout(*graphs: nx.DiGraph, room: float = WIDEST, fold: bool = False) -> Layout:
    """One deterministic layout for all graphs: parts of the first graph first, then the large ones, of large graphs in the order of the text.

    Parts fill rows up to ``room``, or as wide as the widest part. With ``fold`` all stands closer, and a wider part in two columns of objects.
    """
    whole = union(*graphs)
    frame = whole.subgraph(n for n, kind in whole.nodes(data="kind") if kind != "attribute")
    components = [[n for n in whole if n in found] for found in nx.weakly_connected_components(frame)]
    first = whole.graph.get("first", set())
    order = {name: place for place, name in enumerate(whole)} if len(whole) > _LARGE else {}
    components.sort(key=lambda c: (first.isdisjoint(c), order.get(c[0], 0), -len(c)))
    most = room - 2 * MARGIN if fold else math.inf
    return _pack([arranged(*_blocks(whole, nodes), room=most) for nodes in components], room)


def _blocks(whole: nx.DiGraph, nodes: Sequence[str]) -> tuple[tuple[Block, ...], tuple[Link, ...]]:
    """The objects of a component and its relations, each with its attributes."""
    kinds, boxes = dict(whole.nodes(data="kind")), dict(whole.nodes(data="box"))

    def block(name: str) -> Block:
        return Block(name, boxes[name], tuple((n, boxes[n]) for n in whole.succ[name] if kinds[n] == "attribute"))

    links = [
        Link(next(iter(whole.pred[n])), block(n), next(end for end in whole.succ[n] if kinds[end] == "object"))
        for n in nodes
        if kinds[n] == "relation"
    ]
    return tuple(block(n) for n in nodes if kinds[n] == "object"), tuple(links)


def _pack(parts: Sequence[Arrangement], room: float) -> Layout:
    """Place the parts in rows from the top left."""
    room = max([room - 2 * MARGIN, *(part.bounds.right - part.bounds.left for part in parts)])
    points: dict[str, Point] = {}
    bends: dict[tuple[str, str], tuple[Point, ...]] = {}
    x = y = row = whole = 0.0
    for part in parts:
        wide, high = part.bounds.right - part.bounds.left, part.bounds.bottom - part.bounds.top
        if x and x + wide > room:
            x, y, row = 0.0, y + row + GAP, 0.0
        shift = Point(x - part.bounds.left + MARGIN, y - part.bounds.top + MARGIN)
        points |= {name: point.moved(shift) for name, point in part.points.items()}
        bends |= {ends: tuple(point.moved(shift) for point in line) for ends, line in part.bends.items()}
        x, row = x + wide + GAP, max(row, high)
        whole = max(whole, x - GAP)
    return Layout(points, bends, whole + 2 * MARGIN, y + row + 2 * MARGIN)
