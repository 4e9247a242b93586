"""Graphs of a result as SVG: candidate, references, their union, or their difference."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

import networkx as nx

from spice_core.draw import design
from spice_core.draw.labels import Box, node_box
from spice_core.draw.layout import MARGIN_PX, GraphLayout, edges_to_draw, layout_graphs
from spice_core.draw.network import NETWORK_VIEWS, network_of_view, result_networks, text_outline
from spice_core.draw.shapes import add_element, bends_between, draw_edge, draw_node, format_number
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.explain.evidence import tuple_parts, tuple_text
from spice_core.metrics.result import SpiceResult
from spice_core.scene.matching import MatchState


def result_svg(result: SpiceResult, style: DisplayStyle = PLAIN, *, view: str = "union", name: str = "graphs") -> str:
    """Return the graphs of a result as an SVG picture, with the graphs as text in its description.

    Args:
        result: A result of ``Spice``.
        style: Colours, texts and fonts.
        view: One of NETWORK_VIEWS. A node has the same place in all views.
        name: Prefix that makes ids unique among several pictures on a page.

    Raises UnknownNameError if the view is not one of NETWORK_VIEWS.
    """
    graphs = result_networks(result, implicit_subject=style.format_text("tuples.implicit_subject"))
    graph, layout, description = network_of_view(*graphs, view), layout_graphs(*graphs), describe_view(result, view, style)
    return render_graph(graph, layout, style, view=view, description=description, name=name, lang=result.signature.lang)


def render_graph(
    graph: nx.DiGraph,
    layout: GraphLayout,
    style: DisplayStyle = PLAIN,
    *,
    view: str,
    description: str = "",
    name: str = "graphs",
    lang: str = "",
    cropped_sides: str = "all",
    margin: float = MARGIN_PX,
) -> str:
    """Return the network of a view as an SVG picture. ``lang`` is the language of its words.

    ``cropped_sides`` selects how the picture is cropped to its nodes and a ``margin``: on all sides (``all``), only vertically
    (``height``), or not at all ("").
    """
    bounds = _drawing_bounds(graph, layout, margin)
    left, top, width, height = bounds if bounds and cropped_sides else (0, 0, layout.width, layout.height)
    view_box = (0, top, layout.width, height) if cropped_sides == "height" else (left, top, width, height)
    root = make_root(view_box, style, title=style.format_text(f"graphs.{view}"), description=description, name=name, lang=lang)
    draw_graph(root, graph, layout, style, style.format_text(f"graphs.none_{'candidate' if view == 'union' else view}"))
    return ET.tostring(root, encoding="unicode")


def render_panel(graph: nx.DiGraph, layout: GraphLayout, style: DisplayStyle = PLAIN) -> str:
    """Return the nodes and lines of one network as interactive SVG. The browser sets its size, its view box and its label."""
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "group", "font-family": design.SANS_FONTS})
    draw_graph(root, graph, layout, style, "", is_interactive=True)
    return ET.tostring(root, encoding="unicode")


def graph_extents(graph: nx.DiGraph, layout: GraphLayout) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a network with a margin."""
    return _drawing_bounds(graph, layout) or (0, 0, layout.width, layout.height)


def describe_view(result: SpiceResult, view: str, style: DisplayStyle = PLAIN) -> str:
    """Return the content of a view as text, with one line for each side."""
    implicit_subject = style.format_text("tuples.implicit_subject")
    lines = [text_outline(graph, implicit_subject=implicit_subject) for graph in (result.candidate_graph, result.reference_graph)]
    titles = [style.format_text(f"graphs.{side}") for side in NETWORK_VIEWS[:2]]
    if view == "difference":
        lines = [
            [tuple_text(tuple_parts(t), implicit_subject=implicit_subject) for t in tuples] for tuples in (result.extra, result.missed)
        ]
        titles = [style.format_text(f"legend.{state}") for state in (MatchState.EXTRA, MatchState.MISSING)]
    sides = {"candidate": (0,), "references": (1,)}.get(view, (0, 1))
    return "\n".join(f"{titles[side]}: {'; '.join(lines[side]) or '–'}" for side in sides)


def make_root(view_box: Sequence[float], style: DisplayStyle, *, title: str, description: str, name: str, lang: str = "") -> ET.Element:
    """Return an SVG element with a title, a description, fonts and a background."""
    left, top, box_width, box_height = view_box
    attributes = {
        "width": format_number(box_width),
        "height": format_number(box_height),
        "viewBox": " ".join(map(format_number, view_box)),
        "role": "img",
    }
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **attributes, "aria-labelledby": f"{name}-title {name}-desc"})
    if lang:
        root.set("lang", lang)
    root.set("font-family", design.SANS_FONTS)
    add_element(root, "title", title, id=f"{name}-title")
    add_element(root, "desc", description, id=f"{name}-desc")
    if style.font_css:
        add_element(root, "style", style.font_css)
    add_element(root, "rect", x=left, y=top, width=box_width, height=box_height, fill=style.colours["surface"])
    return root


def draw_graph(
    parent: ET.Element, graph: nx.DiGraph, layout: GraphLayout, style: DisplayStyle, empty_text: str, *, is_interactive: bool = False
) -> None:
    """Draw the lines and the nodes over them, or a message for an empty graph."""
    if not len(graph):
        centre = {"x": layout.width / 2, "y": layout.height / 2 + 5, "text_anchor": "middle"}
        add_element(parent, "text", empty_text, **centre, fill=style.colours["muted"], font_size=13)
    for a, b in edges_to_draw(graph):
        draw_edge(parent, graph, layout, a, b, style.colours, is_interactive=is_interactive)
    for name in graph:
        draw_node(parent, name, graph.nodes[name], layout, style, is_interactive=is_interactive)


def _drawing_bounds(graph: nx.DiGraph, layout: GraphLayout, margin: float = MARGIN_PX) -> tuple[float, float, float, float] | None:
    """Return left, top, width and height of the drawing with a margin, or None if the graph is empty."""
    boxes = [
        node_box(f["kind"], f["words"], f["captions"], f["of"]).translate(layout.points[f["place"]]) for _, f in graph.nodes(data=True)
    ]
    boxes += [Box(p.x, p.y, p.x, p.y) for a, b in edges_to_draw(graph) for p in bends_between(graph, layout, a, b)]
    if not boxes:
        return None
    bounds = boxes[0]
    for other in boxes[1:]:
        bounds = bounds.union(other)
    return (
        bounds.left - margin,
        bounds.top - margin,
        bounds.right - bounds.left + 2 * margin,
        bounds.bottom - bounds.top + 2 * margin,
    )
