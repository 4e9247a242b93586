"""Graphs as data for the browser, and as a self-contained HTML page with vis-network inlined."""

from __future__ import annotations

import html
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import networkx as nx
import pyvis
from pyvis.network import Network

from spice_core.draw import design
from spice_core.draw.boxes import Box, Point, caption_badge, node_box, node_label
from spice_core.draw.edges import bends_between
from spice_core.draw.labels import LINE_HEIGHT_RATIO
from spice_core.draw.layout import MARGIN_PX, GraphLayout, edges_to_draw
from spice_core.draw.shapes import edge_owner
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import node_tooltip

_FOLDER = Path(__file__).parent
_UNSAFE_CHARACTERS = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
VIS_OPTIONS = {
    "physics": False,
    "layout": {"randomSeed": 2016},
    "nodes": {"chosen": False},
    "edges": {"chosen": False, "smooth": False, "selectionWidth": 0, "arrows": {"to": {"scaleFactor": 0.55}}},
    "interaction": {"hover": True, "zoomView": False, "tooltipDelay": 120, "selectConnectedEdges": False, "hoverConnectedEdges": False},
}


@dataclass(frozen=True)
class GraphPanel:
    """One graph to draw, with its title, a note, its text equivalent, and the message to show if the graph is empty."""

    graph: nx.DiGraph
    title: str = ""
    note: str = ""
    alt: str = ""
    empty_text: str = ""


def drawing_data(
    panels: Sequence[GraphPanel], layout: GraphLayout, style: DisplayStyle = PLAIN, *, max_height_px: int = 0
) -> dict[str, object]:
    """Return the data of a drawing for the browser: panels with nodes and edges, colours and sizes, all representable as JSON.

    Args:
        panels: One or two graphs.
        layout: Their shared layout.
        style: Colours and texts.
        max_height_px: Maximum height of a panel in pixels. Panels in a high window may be higher. 0 means no maximum.

    The value of ``key`` is a digest of the data.
    """
    data = {
        "panels": [_panel_data(panel, layout, style) for panel in panels],
        "buttons": [style.format_text(f"graphs.{name}") for name in ("smaller", "larger", "fit", "png", "lock")],
        "palettes": design.COLOURS_BY_PALETTE[style.palette],
        "width": layout.width,
        "height": layout.height,
        "left": 0,
        "right": layout.width,
        "top": 0,
        "bottom": layout.height,
        "high": max_height_px,
        "options": VIS_OPTIONS,
        "font": design.SANS_FONTS,
        "leading": LINE_HEIGHT_RATIO,
    }
    return data | {"key": sha256(json.dumps(data).encode()).hexdigest()}


def drawing_page(
    data: Mapping[str, object], style: DisplayStyle = PLAIN, *, content_above: str = "", content_below: str = "", rules: str = ""
) -> str:
    """Return a drawing as a self-contained HTML page.

    ``content_above`` and ``content_below`` are HTML to place around the drawing, and ``rules`` is CSS for that HTML.
    """
    parts = {
        "lang": html.escape(style.lang),
        "style": style.font_css + design.css_tokens(style.palette) + rules + drawing_css(),
        "above": content_above,
        "below": content_below,
        "data": json.dumps({**data, "theme": style.theme}, ensure_ascii=False).translate(_UNSAFE_CHARACTERS),
        "vis": vis_network_script(),
        "script": drawing_script(),
    }
    return re.sub(r"%% (\w+) %%", lambda match: parts[match[1]], _read_file("frame.html"))


def drawing_script() -> str:
    """Return the JavaScript of a drawing: the class ``Graphs`` and the function ``faces``, which require ``vis``."""
    return _read_file("strokes.js") + _read_file("graphs.js")


def drawing_css() -> str:
    """Return the CSS of a drawing. Its colours are tokens that the surrounding page defines."""
    return _read_file("frame.css")


@cache
def vis_network_script() -> str:
    """Return the copy of vis-network bundled with pyvis."""
    return (Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text(encoding="utf-8")


def pyvis_network(graph: nx.DiGraph, layout: GraphLayout, style: DisplayStyle = PLAIN) -> Network:
    """Return the pyvis network of one graph, with the positions of the layout and shapes that ``drawing_script`` draws."""
    net = Network(directed=True, cdn_resources="in_line")
    for name, attributes in graph.nodes(data=True):
        point, extents = (
            layout.points[attributes["place"]],
            node_box(attributes["kind"], attributes["words"], attributes["captions"], attributes["of"]),
        )
        net.add_node(
            name,
            label=node_label(attributes["words"]),
            shape="custom",
            group=f"{attributes['kind']}-{attributes['state']}",
            title=node_tooltip(attributes, style),
            x=round(point.x, 1),
            y=round(point.y, 1),
            kind=attributes["kind"],
            state=attributes["state"],
            context=attributes.get("context", False),
            badge=caption_badge(attributes["captions"], attributes["of"]),
            wide=round(extents.right - extents.left, 1),
            high=round(extents.bottom - extents.top, 1),
        )
    for a, b in edges_to_draw(graph):
        _add_line(net, graph, a, b, bends_between(graph, layout, a, b), arrow=graph.edges[a, b]["arrow"])
    return net


def _add_line(net: Network, graph: nx.DiGraph, a: str, b: str, bends: tuple[Point, ...], *, arrow: bool) -> None:
    """Add the line from a to b through its bends."""
    name = edge_owner(graph, a, b)
    owner, loop = graph.nodes[name], graph.has_edge(b, a)
    names = [f"{name}/{'out' if name == a else 'in'}{index}" for index in range(len(bends))]
    for bend, point in zip(names, bends):
        net.add_node(bend, label=" ", shape="custom", group="bend", kind="bend", state=owner["state"], x=point.x, y=point.y)
    node_names = [a, *names, b]
    for start, end in itertools.pairwise(node_names):
        attributes = {"arrows": "to" if arrow and end == b else "", "kind": owner["kind"], "state": owner["state"]}
        net.add_edge(start, end, **attributes, **({"smooth": {"enabled": True, "type": "curvedCW", "roundness": 0.4}} if loop else {}))


def _panel_data(panel: GraphPanel, layout: GraphLayout, style: DisplayStyle) -> dict[str, object]:
    """Return the data of one graph for the browser, with its bounding box."""
    graph = panel.graph
    net = pyvis_network(graph, layout, style)
    boxes = [
        node_box(f["kind"], f["words"], f["captions"], f["of"]).translate(layout.points[f["place"]]) for _, f in graph.nodes(data=True)
    ]
    boxes += [Box(p.x, p.y, p.x, p.y) for a, b in edges_to_draw(graph) for p in bends_between(graph, layout, a, b)]
    extents = {side: min((b[i] for b in boxes), default=0) - MARGIN_PX for i, side in enumerate(("left", "top"))}
    extents |= {side: max((b[i] for b in boxes), default=0) + MARGIN_PX for i, side in enumerate(("right", "bottom"), 2)}
    texts = {"title": panel.title, "note": panel.note, "alt": panel.alt, "empty": panel.empty_text}
    return texts | extents | {"nodes": net.nodes, "edges": net.edges}


@cache
def _read_file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
