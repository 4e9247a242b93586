"""The graphs as SVG, drawn as on the page: one side, both, the union, or the difference."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

import networkx as nx

from spice_core.draw import design
from spice_core.draw.boxes import Box, box
from spice_core.draw.edges import bends_between
from spice_core.draw.layout import MARGIN, Layout, drawn_edges, layout
from spice_core.draw.network import difference, networks, outline, union
from spice_core.draw.shapes import add, edge, node, number
from spice_core.draw.sides import beside
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.errors import Message, UnknownNameError
from spice_core.explain.evidence import parts, text
from spice_core.metrics.result import SpiceResult
from spice_core.scene.matching import MatchState

VIEWS = ("candidate", "references", "both", "union", "difference")
_HEADER, _BETWEEN = 44, 16


def svg(result: SpiceResult, style: DisplayStyle = PLAIN, *, view: str = "both", width: int | None = None, name: str = "graphs") -> str:
    """A result's graphs as one picture.

    ``view`` is one of VIEWS; nodes have the same places in all of them, except side by side where the graphs share little. ``width`` in pixels scales the picture. ``name`` makes
    ids unique among several pictures on a page. The graphs in words are the picture's description. Raises UnknownNameError for
    another view.
    """
    if view not in VIEWS:
        raise UnknownNameError(Message("kind.view"), view, VIEWS)
    graphs = networks(result, implicit_subject=style.say("tuples.implicit_subject"))
    candidate, references, places = beside(*graphs) if view == "both" else (*graphs, layout(*graphs))
    about = {"description": described(result, view, style), "lang": result.signature.lang}
    return drawn((candidate, references), places, style, view=view, width=width, name=name, **about)


def drawn(
    graphs: tuple[nx.DiGraph, nx.DiGraph],
    places: Layout,
    style: DisplayStyle = PLAIN,
    *,
    view: str,
    description: str = "",
    width: int | None = None,
    name: str = "graphs",
    lang: str = "",
    cut: str = "all",
) -> str:
    """The same from both networks and their layout, whose words are in ``lang``.

    A single graph is cropped to its extents (``cut`` all), to its height, or not.
    """
    titles = [style.say(f"graphs.{side}") for side in VIEWS[:2]]
    title = " · ".join(titles) if view == "both" else style.say(f"graphs.{view}")
    about: dict[str, Any] = {
        "title": title,
        "description": description,
        "font_css": style.font_css,
        "width": width,
        "name": name,
        "lang": lang,
    }
    if view == "both":
        size: tuple[float, ...] = (0, 0, 2 * places.width + _BETWEEN + 2, places.height + _HEADER + 2)
        root = _root(size, style.colours["bg"], **about)
        for side, graph in enumerate(graphs):
            panel = add(root, "g", transform=f"translate({number(1 + side * (places.width + _BETWEEN))} 1)")
            _panel(panel, graph, places, style, titles[side], style.say(f"graphs.none_{VIEWS[side]}"))
        return ET.tostring(root, encoding="unicode")
    graph = {"candidate": lambda *two: two[0], "references": lambda *two: two[1], "union": union, "difference": difference}[view](*graphs)
    bounds = _bounds(graph, places)
    left, top, wide, high = bounds if bounds and cut else (0, 0, places.width, places.height)
    size = (0, top, places.width, high) if cut == "height" else (left, top, wide, high)
    root = _root(size, style.colours["surface"], **about)
    _graph(root, graph, places, style, style.say(f"graphs.none_{'candidate' if view == 'union' else view}"))
    return ET.tostring(root, encoding="unicode")


def one(graph: nx.DiGraph, places: Layout, style: DisplayStyle = PLAIN, *, title: str, description: str, name: str, lang: str = "") -> str:
    """One network as a picture cropped to its extents, without a size of its own."""
    bounds = extents(graph, places)
    about: dict[str, Any] = {"title": title, "description": description, "font_css": "", "width": None, "name": name, "lang": lang}
    root = _root(bounds, style.colours["surface"], **about)
    for side in ("width", "height"):
        del root.attrib[side]
    _graph(root, graph, places, style, "")
    return ET.tostring(root, encoding="unicode")


def extents(graph: nx.DiGraph, places: Layout) -> tuple[float, float, float, float]:
    """Left, top, width and height of a network cropped to its extents."""
    return _bounds(graph, places) or (0, 0, places.width, places.height)


def described(result: SpiceResult, view: str, style: DisplayStyle = PLAIN) -> str:
    """A view in words."""
    implicit_subject = style.say("tuples.implicit_subject")
    both = [outline(graph, implicit_subject=implicit_subject) for graph in (result.candidate_graph, result.reference_graph)]
    titles = [style.say(f"graphs.{side}") for side in VIEWS[:2]]
    if view == "difference":
        both = [[text(parts(t), implicit_subject=implicit_subject) for t in tuples] for tuples in (result.extra, result.missed)]
        titles = [style.say(f"legend.{state}") for state in (MatchState.EXTRA, MatchState.MISSING)]
    shown = {"candidate": (0,), "references": (1,)}.get(view, (0, 1))
    return "\n".join(f"{titles[side]}: {'; '.join(both[side]) or '–'}" for side in shown)


def _root(
    size: Sequence[float], ground: str, *, title: str, description: str, font_css: str, width: int | None, name: str, lang: str
) -> ET.Element:
    left, top, wide, high = size
    shown = width or wide
    attributes = {"width": number(shown), "height": number(high * shown / wide), "viewBox": " ".join(map(number, size)), "role": "img"}
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **attributes, "aria-labelledby": f"{name}-title {name}-desc"})
    if lang:
        root.set("lang", lang)
    root.set("font-family", design.SANS)
    add(root, "title", title, id=f"{name}-title")
    add(root, "desc", description, id=f"{name}-desc")
    if font_css:
        add(root, "style", font_css)
    add(root, "rect", x=left, y=top, width=wide, height=high, fill=ground)
    return root


def _panel(panel: ET.Element, graph: nx.DiGraph, places: Layout, style: DisplayStyle, title: str, nothing: str) -> None:
    """A frame with the side's title above its graph."""
    high, colours = places.height + _HEADER, style.colours
    add(panel, "rect", width=places.width, height=high, rx=10, fill=colours["surface"], stroke=colours["line"])
    add(panel, "path", d=f"M0 {_HEADER}H{number(places.width)}", stroke=colours["line"])
    add(panel, "text", title, x=16, y=28, fill=colours["ink"], font_size=15, font_weight=600)
    _graph(add(panel, "g", transform=f"translate(0 {_HEADER})"), graph, places, style, nothing)


def _graph(parent: ET.Element, graph: nx.DiGraph, places: Layout, style: DisplayStyle, nothing: str) -> None:
    """The lines with the nodes on top, or a message if there is nothing to draw."""
    if not len(graph):
        middle = {"x": places.width / 2, "y": places.height / 2 + 5, "text_anchor": "middle"}
        add(parent, "text", nothing, **middle, fill=style.colours["muted"], font_size=13)
    for a, b in drawn_edges(graph):
        edge(parent, graph, places, a, b, style.colours)
    for name in graph:
        node(parent, name, graph.nodes[name], places, style)


def _bounds(graph: nx.DiGraph, places: Layout) -> tuple[float, float, float, float] | None:
    """Left, top, width and height of the drawing, with a margin; None if it is empty."""
    boxes = [box(f["kind"], f["words"], f["captions"], f["of"]).at(places.points[f["place"]]) for _, f in graph.nodes(data=True)]
    boxes += [Box(p.x, p.y, p.x, p.y) for a, b in drawn_edges(graph) for p in bends_between(graph, places, a, b)]
    if not boxes:
        return None
    whole = boxes[0]
    for one in boxes[1:]:
        whole = whole.around(one)
    return whole.left - MARGIN, whole.top - MARGIN, whole.right - whole.left + 2 * MARGIN, whole.bottom - whole.top + 2 * MARGIN
