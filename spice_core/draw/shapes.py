"""Nodes and lines in SVG, on paper and on the screen. Lines may bend or form a loop, and arrows end at the border of their target."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from spice_core.data.graph_parts import replace_invalid_characters
from spice_core.draw import design
from spice_core.draw.labels import (
    DIAMOND_SIZE_PX,
    LINE_HEIGHT_RATIO,
    MARK_WIDTH_PX,
    Box,
    NodeAttributes,
    Point,
    caption_badge,
    node_box,
    node_label,
    text_width,
)
from spice_core.draw.layout import GraphLayout, edges_to_draw
from spice_core.draw.network import PLAIN_STATE
from spice_core.draw.routes import lines_through_boxes
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.scene.matching import MatchState

_LOOP_BULGE_RATIO = 0.41  # bulge of the lines of a self-relation, relative to their length


class CurveLeg(NamedTuple):
    """A quadratic curve. If the control point is the midpoint, the curve is a straight line."""

    start: Point
    control: Point
    end: Point

    def point_at(self, position: float) -> Point:
        """Return the point at a position from 0 (start) to 1 (end)."""
        return _interpolate(_interpolate(self.start, self.control, position), _interpolate(self.control, self.end, position), position)

    def truncate(self, position: float) -> CurveLeg:
        """Return the part of the curve up to a position from 0 (start) to 1 (end)."""
        return CurveLeg(self.start, _interpolate(self.start, self.control, position), self.point_at(position))


def path_and_head(graph: nx.DiGraph, layout: GraphLayout, a: str, b: str, line_width: float) -> tuple[str, str]:
    """Return the SVG path of the line from a to b, and of its arrowhead ("" without one)."""
    is_curved = graph.has_edge(b, a)
    *points_before, start, end = _line_points(graph, layout, a, b)
    leg, head = _make_leg(start, end, is_curved), ""
    if graph.edges[a, b]["arrow"]:
        target = _box_of(graph, b).translate(layout.points[graph.nodes[b]["place"]])
        leg, head = _add_head(leg, target, 8.25 + 3 * line_width)
    line = "L".join(_coordinates(point) for point in [*points_before, leg.start])
    return f"M{line}{f'Q{_coordinates(leg.control)} ' if is_curved else 'L'}{_coordinates(leg.end)}", head


def bends_between(graph: nx.DiGraph, layout: GraphLayout, a: str, b: str) -> tuple[Point, ...]:
    """Return the bends of the line from a to b. The lines of a self-relation have no bends."""
    return () if graph.has_edge(b, a) else layout.bends.get((graph.nodes[a]["place"], graph.nodes[b]["place"]), ())


def count_covered_labels(graph: nx.DiGraph, layout: GraphLayout) -> int:
    """Return the number of labels that straight or bent lines cross. The label of a relation is the text under its diamond."""
    lines = [
        (pair, {a, b}) for a, b in edges_to_draw(graph) if not graph.has_edge(b, a) for pair in pairwise(_line_points(graph, layout, a, b))
    ]
    if not lines:
        return 0
    labels = [_label_box(graph, name).translate(layout.points[graph.nodes[name]["place"]]).shrink(1) for name in graph]
    start, end = (np.array([pair[side] for pair, _ in lines]) for side in (0, 1))
    crossing_mask = lines_through_boxes(start, end, np.array(labels))
    end_masks = np.array([[name in ends and graph.nodes[name]["kind"] != "relation" for name in graph] for _, ends in lines])
    return int((crossing_mask & ~end_masks).any(axis=0).sum())


def _line_points(graph: nx.DiGraph, layout: GraphLayout, a: str, b: str) -> list[Point]:
    """Return the points of the line from a to b. A line across its relation's label is moved to that label."""
    line = [layout.points[graph.nodes[a]["place"]], *bends_between(graph, layout, a, b), layout.points[graph.nodes[b]["place"]]]
    if not graph.has_edge(b, a):
        line[0] = _label_exit_point(graph, a, line[0], line[1])
        line[-1] = _label_exit_point(graph, b, line[-1], line[-2])
    return line


def _box_of(graph: nx.DiGraph, name: str) -> Box:
    attributes = graph.nodes[name]
    return node_box(attributes["kind"], attributes["words"], attributes["captions"], attributes["of"])


def _label_box(graph: nx.DiGraph, name: str) -> Box:
    """Return the box of a label: for a relation, the part below its diamond."""
    box = _box_of(graph, name)
    return box._replace(top=DIAMOND_SIZE_PX / 2) if graph.nodes[name]["kind"] == "relation" else box


def _label_exit_point(graph: nx.DiGraph, name: str, point: Point, target: Point) -> Point:
    """Return where a line from a relation's diamond leaves the label below it. For other nodes and lines, return ``point``."""
    box = _box_of(graph, name)
    if graph.nodes[name]["kind"] != "relation" or target.y <= point.y:
        return point
    dx, dy = target.x - point.x, target.y - point.y
    entry_parameter, side_parameter = (DIAMOND_SIZE_PX / 2) / dy, (box.right / abs(dx) if dx else math.inf)
    exit_parameter = min(box.bottom / dy, side_parameter)
    return _interpolate(point, target, min(exit_parameter, 1)) if entry_parameter < exit_parameter else point


def _make_leg(start: Point, end: Point, is_curved: bool) -> CurveLeg:
    centre, bulge = _interpolate(start, end, 0.5), _LOOP_BULGE_RATIO if is_curved else 0
    return CurveLeg(start, Point(centre.x + bulge * (end.y - start.y), centre.y - bulge * (end.x - start.x)), end)


def _add_head(leg: CurveLeg, target: Box, length: float) -> tuple[CurveLeg, str]:
    """Return the curve up to its arrowhead, and the SVG path of the arrowhead, whose tip touches the target box."""
    outer_parameter, inner_parameter = 0.0, 1.0
    for _ in range(24):
        position = (outer_parameter + inner_parameter) / 2
        x, y = leg.point_at(position)
        if target.left < x < target.right and target.top < y < target.bottom:
            inner_parameter = position
        else:
            outer_parameter = position
    tip, next_point = leg.point_at(outer_parameter), leg.point_at(max(outer_parameter - 0.001, 0))
    speed = math.dist(tip, next_point) / 0.001
    base_parameter = max(outer_parameter - 0.9 * length / speed, 0) if speed else 0
    tail = leg.point_at(base_parameter)
    angle = math.atan2(tip.y - tail.y, tip.x - tail.x)
    corners = [(0, 0), (-1, 0.3), (-0.9, 0), (-1, -0.3)]
    rotated_points = [(x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)) for x, y in corners]
    return leg.truncate(
        base_parameter
    ), f"M{'L'.join(_coordinates(Point(tip.x + length * x, tip.y + length * y)) for x, y in rotated_points)}Z"


def _interpolate(a: Point, b: Point, position: float) -> Point:
    return Point(a.x + (b.x - a.x) * position, a.y + (b.y - a.y) * position)


def _coordinates(point: Point) -> str:
    return f"{point.x:.1f} {point.y:.1f}"


DASHES_BY_STATE: Mapping[str, str] = {
    MatchState.NARROWER: "10 3",
    MatchState.SAME_KIND: "10 3",
    MatchState.CONTRADICTED: "10 3",
    MatchState.EXTRA: "6 4",
    MatchState.MISSING: "1.5 3",
}
FONT_BY_KIND = {"object": (14, 600), "attribute": (13, 500), "relation": (13, 500)}
_BOLD_STATES = (MatchState.EXACT, MatchState.SYNONYM)
_BASELINE_SHIFT = 0.36  # from the middle of a line to its baseline, relative to font size
_HIT_WIDTH_PX = 10  # width of the clickable band around an interactive line
_CONTEXT_OPACITY = 0.65  # opacity of a context node of the view ``difference``
_STROKES_BY_STATE: Mapping[str, tuple[str, ...]] = {
    MatchState.EXACT: ("M-4.5 .5L-1.5 3.5L4.5 -4",),
    MatchState.SYNONYM: ("M-4.5 -1.4C-2 -4.8 1.5 .8 4.5 -3", "M-4.5 3C-2 -.4 1.5 5.2 4.5 1.4"),
    MatchState.ENTAILED: ("M-5 -1.7H2M-5 1.7H2M.6 -4.4L5 0L.6 4.4",),
    MatchState.NARROWER: ("M4 -3.6H0A3.6 3.6 0 0 0 0 3.6H4",),
    MatchState.SAME_KIND: ("M-4.5 1C-2 -3.4 1.5 3.4 4.5 -1",),
    MatchState.CONTRADICTED: ("M-4.5 -1.7H4.5M-4.5 1.7H4.5M2.5 -4.5L-2.5 4.5",),
    MatchState.EXTRA: ("M-4.5 0H4.5M0 -4.5V4.5",),
    MatchState.MISSING: ("M-4 0H4",),
}


def draw_node(
    parent: ET.Element, name: str, attributes: NodeAttributes, layout: GraphLayout, style: DisplayStyle, *, is_interactive: bool = False
) -> None:
    """Draw a node at its place, with its ids and a tooltip.

    An interactive node is a button with a hidden ``ring``, which shows the focus, and a ``body``, which can fade.
    """
    colours, kind, state, context = style.colours, attributes["kind"], attributes["state"], attributes.get("context", False)
    group = add_element(
        parent, "g", **{"class": " ".join(filter(None, ["node", kind, state, "context" if context else ""])), "data-id": name}
    )
    group.set("data-elements", " ".join(attributes["ids"]))
    point = layout.points[attributes["place"]]
    group.set("transform", f"translate({format_number(point.x)} {format_number(point.y)})")
    add_element(group, "title", node_tooltip(attributes, style))
    extents = node_box(kind, attributes["words"], attributes["captions"], attributes["of"])
    width, height = extents.right - extents.left, extents.bottom - extents.top
    if is_interactive:
        group.set("role", "button")
        ring = {"class": "ring", "fill": "none", "stroke": colours["accent"], "stroke_width": 2.5, "display": "none"}
        _draw_outline(group, kind, width, height, -2.5 if kind == "relation" else -5, ring)
    if context or is_interactive:  # hide the lines behind the faded node
        _draw_outline(group, kind, width, height, 0, {"fill": colours["surface"]})
        body: dict[str, Any] = {"class": "body"} if is_interactive else {}
        group = add_element(group, "g", **body, **({"opacity": str(_CONTEXT_OPACITY)} if context else {}))
    _draw_border(group, kind, state, width, height, colours)
    if kind == "relation":
        _draw_mark(group, kind, state, 0, 0.9, colours)
        _draw_relation_label(group, attributes, colours)
        return
    mark_width = MARK_WIDTH_PX if state in design.MARK_BY_STATE else 0
    left = -(_label_width(attributes) + mark_width) / 2
    _draw_mark(group, kind, state, left + 6, 1, colours)
    _draw_label(group, attributes, left + mark_width, 0.5, colours)


def draw_edge(
    parent: ET.Element, graph: nx.DiGraph, layout: GraphLayout, a: str, b: str, colours: Mapping[str, str], *, is_interactive: bool = False
) -> None:
    """Draw the line from a to b in its colour. An interactive line carries its nodes' names and is easy to hit."""
    owner_name = edge_owner(graph, a, b)
    owner = graph.nodes[owner_name]
    is_bold, colour = owner["state"] in _BOLD_STATES, colours[owner["kind"]]
    line_width = 2 if is_bold else 1.2
    line, head = path_and_head(graph, layout, a, b, line_width)
    group = add_element(parent, "g", **{"class": "edge"}, **({} if is_bold else {"opacity": "0.75"}))
    if is_interactive:
        for name, value in (("from", a), ("to", b), ("owner", owner_name)):
            group.set(f"data-{name}", value)
        add_element(group, "path", d=line, fill="none", stroke="transparent", stroke_width=_HIT_WIDTH_PX)
    dash = {"stroke_dasharray": DASHES_BY_STATE[owner["state"]]} if owner["state"] in DASHES_BY_STATE else {}
    add_element(group, "path", d=line, fill="none", stroke=colour, stroke_width=line_width, **dash)
    if head:
        add_element(group, "path", d=head, fill=colour)


_SWATCH_WIDTH_PX, _LEGEND_LINE_PX = 30, 24


def draw_legend(parent: ET.Element, nodes: Sequence[NodeAttributes], style: DisplayStyle, width: float) -> float:
    """Draw the shapes, borders, marks and counts of these nodes with their meaning. Return the height."""
    colours, states = style.colours, {node["state"] for node in nodes}
    neutral = {**colours, "object": colours["muted"], "object-fill": colours["surface"]}
    entries = [(kind, PLAIN_STATE, kind, colours) for kind in design.TUPLE_KINDS if any(node["kind"] == kind for node in nodes)]
    entries += [("object", state, str(state.value), neutral) for state in MatchState if state in states]
    entries += [("", "", "badge", colours)] if any(node["of"] > 1 for node in nodes) else []
    x, y = 0.0, _LEGEND_LINE_PX / 2
    for kind, state, name, tokens in entries:
        label, swatch_width = style.format_text(f"legend.{name}"), _SWATCH_WIDTH_PX if kind else 0
        entry_width = swatch_width + text_width(label, 12) + 16
        if x and x + entry_width - 16 > width:
            x, y = 0.0, y + _LEGEND_LINE_PX
        if kind:
            swatch = add_element(parent, "g", transform=f"translate({format_number(x + 13)} {format_number(y)})")
            _draw_border(swatch, kind, state, 24, 18, tokens)
            _draw_mark(swatch, kind, state, 0, 0.9, tokens)
        add_element(parent, "text", label, x=x + swatch_width, y=y + 4.5, fill=colours["ink"], font_size=12, font_weight=500)
        x += entry_width
    return y + _LEGEND_LINE_PX / 2 if entries else 0


def edge_owner(graph: nx.DiGraph, a: str, b: str) -> str:
    """Return the attribute or relation to which the line from a to b belongs."""
    return a if graph.nodes[a]["kind"] == "relation" and not graph.edges[a, b]["tie"] else b


def add_element(parent: ET.Element, tag: str, content: str = "", **attributes: Any) -> ET.Element:
    """Add an element and return it. Numbers are rounded, and underscores in attribute names become hyphens."""
    xml_attributes = {
        k.replace("_", "-"): format_number(v) if isinstance(v, (int, float)) else replace_invalid_characters(str(v))
        for k, v in attributes.items()
    }
    element = ET.SubElement(parent, tag, xml_attributes)
    element.text = replace_invalid_characters(content) or None
    return element


def format_number(value: float) -> str:
    """Return a number with at most two decimals."""
    return f"{round(value, 2) + 0:.7g}"


def _draw_border(group: ET.Element, kind: str, state: str, width: float, height: float, colours: Mapping[str, str]) -> None:
    """Draw the border of a node, with the shape of its kind and the stroke of its state (double for a synonym)."""
    stroke = colours[kind] if state else colours["line"]
    attributes: dict[str, Any] = {
        "fill": colours["surface"] if state in (MatchState.MISSING, "") else colours[f"{kind}-fill"],
        "stroke": stroke,
    }
    attributes |= {"stroke_width": 2.5 if state in _BOLD_STATES else 1.5}
    if state in DASHES_BY_STATE:
        attributes["stroke_dasharray"] = DASHES_BY_STATE[state]
    _draw_outline(group, kind, width, height, 0, attributes)
    if state == MatchState.SYNONYM:
        _draw_outline(group, kind, width, height, 3 if kind == "relation" else 4, {"fill": "none", "stroke": stroke, "stroke_width": 1})


def _draw_outline(group: ET.Element, kind: str, width: float, height: float, inset: float, style: Mapping[str, Any]) -> None:
    if kind == "relation":
        r = format_number(DIAMOND_SIZE_PX / 2 - inset * 1.4)
        add_element(group, "path", d=f"M0 -{r}L{r} 0L0 {r}L-{r} 0Z", **style)
        return
    geometry: dict[str, Any] = {"x": inset - width / 2, "y": inset - height / 2, "width": width - 2 * inset, "height": height - 2 * inset}
    add_element(group, "rect", **geometry, rx=(8 if kind == "object" else height / 2) - inset, **style)


def _draw_mark(group: ET.Element, kind: str, state: str, x: float, scale: float, colours: Mapping[str, str]) -> None:
    if state == MatchState.PARTIAL:
        place: dict[str, Any] = {"x": x, "y": 0.5 + 13 * _BASELINE_SHIFT, "text_anchor": "middle"}
        add_element(group, "text", design.MARK_BY_STATE[MatchState(state)], **place, fill=colours[kind], font_size=13, font_weight=600)
    for stroke in _STROKES_BY_STATE.get(state, ()):
        style: dict[str, Any] = {
            "fill": "none",
            "stroke": colours[kind],
            "stroke_width": 2 / scale,
            "stroke_linecap": "round",
            "stroke_linejoin": "round",
        }
        add_element(group, "path", d=stroke, transform=f"translate({format_number(x)} 0) scale({format_number(scale)})", **style)


def _draw_relation_label(group: ET.Element, attributes: NodeAttributes, colours: Mapping[str, str]) -> None:
    """Draw the label of a relation under its diamond, on a slightly transparent background."""
    width, top = _label_width(attributes), DIAMOND_SIZE_PX / 2 + 2
    extra_height = node_label(attributes["words"]).count("\n") * 13 * LINE_HEIGHT_RATIO
    add_element(
        group, "rect", x=-width / 2 - 3, y=top, width=width + 6, height=17 + extra_height, rx=4, fill=colours["surface"], opacity=0.86
    )
    _draw_label(group, attributes, -width / 2, top + 8.5 + extra_height / 2, colours)


def _draw_label(group: ET.Element, attributes: NodeAttributes, left: float, y: float, colours: Mapping[str, str]) -> None:
    """Draw the lines of a label, centred vertically at y, and its count of captions."""
    font_size, weight = FONT_BY_KIND[attributes["kind"]]
    lines = node_label(attributes["words"]).split("\n")
    colour = colours["muted" if attributes["state"] in (MatchState.MISSING, "") else "ink"]
    baseline = y - (len(lines) - 1) / 2 * font_size * LINE_HEIGHT_RATIO + font_size * _BASELINE_SHIFT
    anchor = {"x": left} if len(lines) > 1 else {"x": left + _label_width(attributes) / 2, "text_anchor": "middle"}
    for line_index, line in enumerate(lines):
        place = {**anchor, "y": baseline + line_index * font_size * LINE_HEIGHT_RATIO}
        text_element = add_element(group, "text", line, **place, fill=colour, font_size=font_size, font_weight=weight)
        if attributes["negated"]:
            text_element.set("text-decoration", "line-through")
    if badge := caption_badge(attributes["captions"], attributes["of"]):
        add_element(text_element, "tspan", badge, dx=6, fill=colours["muted"], font_size=11, font_weight=500)


def _label_width(attributes: NodeAttributes) -> float:
    font_size, _ = FONT_BY_KIND[attributes["kind"]]
    lines = [text_width(line, font_size) for line in node_label(attributes["words"]).split("\n")]
    badge = caption_badge(attributes["captions"], attributes["of"])
    lines[-1] += text_width(badge, 11) + 6 if badge else 0
    return max(lines)


def node_tooltip(attributes: NodeAttributes, style: DisplayStyle = PLAIN) -> str:
    """Return a node's tooltip: words, words as scored, whether it is implied or negated, state and count of captions."""
    badge = caption_badge(attributes["captions"], attributes["of"])
    literal_words = "" if attributes["words"] == attributes["literal"] else "/".join(attributes["literal"])
    notes = [style.format_text(f"legend.{name}") for name in ("implied", "negated") if attributes[name]]
    state = style.format_text(f"legend.{attributes['state']}") if attributes["state"] in design.MARK_BY_STATE else ""
    return " · ".join(filter(None, ["/".join(attributes["words"]), literal_words, *notes, state, badge]))
