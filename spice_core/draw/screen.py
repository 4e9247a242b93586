"""As much of a graph as can be read on one screen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import networkx as nx

from spice_core.draw.layout import Layout, layout
from spice_core.draw.network import within
from spice_core.draw.sides import beside
from spice_core.draw.svg import extents

_TOLERANCE = 1.06  # a little wider than asked for is drawn a little smaller
_FEWEST, _MOST = 3, 40  # nodes: fewer say nothing, more are not read


def readable(graph: nx.DiGraph, wide: float, high: float) -> tuple[nx.DiGraph, Layout]:
    """The largest part of a graph whose drawing measures at most ``wide`` × ``high`` pixels, and its layout.

    What matched comes first, then what is near it (``network.within``). A part of three nodes is taken even if it is larger.
    """

    places = layout(graph, room=wide)
    if _fits(graph, places, wide, high):
        return graph, places
    for most in range(min(len(graph) - 1, _MOST), _FEWEST - 1, -1):  # a smaller part is not always a smaller drawing
        part = within(graph, most)
        places = layout(part, room=wide)
        if _fits(part, places, wide, high):
            break
    return part, places


def fitting(graphs: Sequence[nx.DiGraph], wide: float, high: float, *, wanted: Collection[str] = ()) -> tuple[Sequence[nx.DiGraph], Layout]:
    """One graph, or two side by side, and their layout: as much of each as stands in ``wide`` × ``high`` pixels.

    The ``wanted`` elements come first, then what matched, then what is near it (``network.within``).
    """
    most = max(map(len, graphs))
    while True:
        *parts, places = _folded([within(graph, most, wanted=wanted) if most < len(graph) else graph for graph in graphs], wide)
        scale = min(high / places.height, wide * _TOLERANCE / places.width)
        if scale >= 1 or most <= _FEWEST:
            return parts, places
        most = max(_FEWEST, min(most - 1, round(most * max(scale, 0.4))))


def full(graphs: Sequence[nx.DiGraph], wide: float) -> tuple[Sequence[nx.DiGraph], Layout]:
    """All of one graph, or of two, and their layout: no wider than this where that is possible, as high as it must be."""
    *parts, places = _folded(graphs, wide)
    return parts, places


def _folded(graphs: Sequence[nx.DiGraph], wide: float) -> tuple[Any, ...]:
    return beside(*graphs, room=wide, fold=True) if len(graphs) == 2 else (*graphs, layout(*graphs, room=wide, fold=True))


def _fits(graph: nx.DiGraph, places: Layout, wide: float, high: float) -> bool:
    *_, w, h = extents(graph, places)
    return w <= wide and h <= high
