"""Choose the part of a graph that is readable on one screen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import networkx as nx

from spice_core.draw.layout import Layout, layout
from spice_core.draw.network import limit_nodes
from spice_core.draw.sides import layout_side_by_side
from spice_core.draw.svg import extents

_MAX_WIDTH_RATIO = 1.06  # a slightly wider drawing is scaled down
_MIN_NODES, _MAX_NODES = 3, 40  # a smaller part is not informative, a larger one not readable


def readable_part(graph: nx.DiGraph, wide: float, high: float) -> tuple[nx.DiGraph, Layout]:
    """Return the largest part of a graph that fits in ``wide`` × ``high`` pixels, and its layout.

    Matched nodes come first, then their neighbours (``network.limit_nodes``). The part has at least three nodes, even if they do
    not fit.
    """

    places = layout(graph, room=wide)
    if _fits(graph, places, wide, high):
        return graph, places
    for limit in range(min(len(graph) - 1, _MAX_NODES), _MIN_NODES - 1, -1):  # a smaller part is not always a smaller drawing
        part = limit_nodes(graph, limit)
        places = layout(part, room=wide)
        if _fits(part, places, wide, high):
            break
    return part, places


def fit_screen(
    graphs: Sequence[nx.DiGraph], wide: float, high: float, *, wanted: Collection[str] = ()
) -> tuple[Sequence[nx.DiGraph], Layout]:
    """Return the parts of one graph, or of two side by side, that fit in ``wide`` × ``high`` pixels, and their layout.

    The ``wanted`` elements come first, then matched nodes, then their neighbours (``network.limit_nodes``).
    """
    limit = max(map(len, graphs))
    while True:
        *parts, places = _fold([limit_nodes(graph, limit, wanted=wanted) if limit < len(graph) else graph for graph in graphs], wide)
        scale = min(high / places.height, wide * _MAX_WIDTH_RATIO / places.width)
        if scale >= 1 or limit <= _MIN_NODES:
            return parts, places
        limit = max(_MIN_NODES, min(limit - 1, round(limit * max(scale, 0.4))))


def fit_width(graphs: Sequence[nx.DiGraph], wide: float) -> tuple[Sequence[nx.DiGraph], Layout]:
    """Return one or two complete graphs and their layout, at most ``wide`` pixels wide if possible, of any height."""
    *parts, places = _fold(graphs, wide)
    return parts, places


def _fold(graphs: Sequence[nx.DiGraph], wide: float) -> tuple[Any, ...]:
    return layout_side_by_side(*graphs, room=wide, fold=True) if len(graphs) == 2 else (*graphs, layout(*graphs, room=wide, fold=True))


def _fits(graph: nx.DiGraph, places: Layout, wide: float, high: float) -> bool:
    *_, w, h = extents(graph, places)
    return w <= wide and h <= high
