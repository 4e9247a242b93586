"""As much of a graph as can be read on one screen."""

from __future__ import annotations

import networkx as nx

from spice_core.draw.layout import Layout, layout
from spice_core.draw.network import within
from spice_core.draw.svg import extents

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


def _fits(graph: nx.DiGraph, places: Layout, wide: float, high: float) -> bool:
    *_, w, h = extents(graph, places)
    return w <= wide and h <= high
