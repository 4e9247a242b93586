"""Parts of graphs that are readable on one screen, and the layouts in which they fit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import networkx as nx

from spice_core.draw.layout import GraphLayout, layout_graphs, layout_side_by_side
from spice_core.draw.network import limit_nodes
from spice_core.draw.shapes import count_covered_labels
from spice_core.draw.svg import graph_extents

_MAX_WIDTH_RATIO = 1.06  # maximum ratio of scaling down a wide drawing
_MAX_READABLE_PARTS = 4  # maximum number of readable parts to choose from
_MIN_LARGE_SCALE = 1.3  # minimum scale of large letters, relative to the smallest readable letters
_MIN_NODES, _MAX_NODES = 3, 40  # smaller parts are not informative, larger ones not readable


def readable_part(graph: nx.DiGraph, width: float, height: float) -> tuple[nx.DiGraph, GraphLayout]:
    """Return the graph, or its largest part that fits on a screen of ``width`` × ``height`` pixels, and the layout.

    If the graph does not fit, parts of at most 40, 39, … 3 nodes are tried. Matched nodes come first, then their neighbours
    (``network.limit_nodes``). A slightly smaller part is preferred if lines would otherwise cross labels. If no part fits, return
    the smallest.
    """
    layout, scale = fill_screen(graph, width, height)
    if scale >= 1:
        return graph, layout
    part, readable_parts = graph, list[tuple[nx.DiGraph, GraphLayout]]()
    for limit in range(min(len(graph) - 1, _MAX_NODES), _MIN_NODES - 1, -1):  # a smaller part may still make a larger drawing
        part = limit_nodes(graph, limit)
        layout, scale = fill_screen(part, width, height)
        if scale >= 1:
            readable_parts.append((part, layout))
            if len(readable_parts) == _MAX_READABLE_PARTS or not count_covered_labels(part, layout):
                break
    readable_parts.sort(key=lambda part_and_layout: count_covered_labels(*part_and_layout))
    return readable_parts[0] if readable_parts else (part, layout)


def fill_screen(graph: nx.DiGraph, width: float, height: float) -> tuple[GraphLayout, float]:
    """Return the layout that best fills a screen of ``width`` × ``height`` pixels, and its scale.

    Relations run from left to right if that makes the letters large enough. Otherwise, they run in the direction that makes
    the letters larger.
    """
    best_layout, scale = layout_graphs(graph, max_width=width), 0.0
    for downward, is_wider in ((False, False), (True, False), (True, True)):
        layout = layout_graphs(graph, max_width=width / min(scale, 1) if is_wider else width, downward=downward)
        *_, w, h = graph_extents(graph, layout)
        if (fits := min(width / w, height / h)) > scale:
            best_layout, scale = layout, fits
        if scale >= _MIN_LARGE_SCALE:
            break
    return best_layout, scale


def fit_screen(
    graphs: Sequence[nx.DiGraph], width: float, height: float, *, required_nodes: Collection[str] = ()
) -> tuple[Sequence[nx.DiGraph], GraphLayout]:
    """Return the parts of one graph, or of two side by side, that fit ``width`` × ``height`` pixels, and their layout.

    The elements in ``required_nodes`` come first, then matched nodes, then their neighbours (``network.limit_nodes``).
    """
    limit = max(map(len, graphs))
    while True:
        *parts, layout = _fold_layout(
            [limit_nodes(graph, limit, required_nodes=required_nodes) if limit < len(graph) else graph for graph in graphs], width
        )
        scale = min(height / layout.height, width * _MAX_WIDTH_RATIO / layout.width)
        if scale >= 1 or limit <= _MIN_NODES:
            return parts, layout
        limit = max(_MIN_NODES, min(limit - 1, round(limit * max(scale, 0.4))))


def fit_width(graphs: Sequence[nx.DiGraph], max_width: float) -> tuple[Sequence[nx.DiGraph], GraphLayout]:
    """Return one or two complete graphs and their layout, if possible at most ``max_width`` pixels wide, of any height."""
    *parts, layout = _fold_layout(graphs, max_width)
    return parts, layout


def _fold_layout(graphs: Sequence[nx.DiGraph], max_width: float) -> tuple[Any, ...]:
    return (
        layout_side_by_side(*graphs, max_width=max_width, fold=True)
        if len(graphs) == 2
        else (*graphs, layout_graphs(*graphs, max_width=max_width, fold=True))
    )
