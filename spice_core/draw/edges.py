"""Paths of lines between nodes. Lines may bend or form a loop, and arrows end at the border of their target."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import networkx as nx
import numpy as np

from spice_core.draw.labels import DIAMOND_SIZE_PX, Box, Point, node_box
from spice_core.draw.layout import GraphLayout, edges_to_draw
from spice_core.draw.routes import lines_through_boxes

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
    """Return the SVG path of the line from a to b, and the path of its arrow head (empty if there is no arrow)."""
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
    """Return the points of the line from a to b. A line that would cross the label of its relation starts or ends at that label."""
    line = [layout.points[graph.nodes[a]["place"]], *bends_between(graph, layout, a, b), layout.points[graph.nodes[b]["place"]]]
    if not graph.has_edge(b, a):
        line[0] = _leave_label(graph, a, line[0], line[1])
        line[-1] = _leave_label(graph, b, line[-1], line[-2])
    return line


def _box_of(graph: nx.DiGraph, name: str) -> Box:
    attributes = graph.nodes[name]
    return node_box(attributes["kind"], attributes["words"], attributes["captions"], attributes["of"])


def _label_box(graph: nx.DiGraph, name: str) -> Box:
    """Return the box of a label: for a relation, the part below its diamond."""
    box = _box_of(graph, name)
    return box._replace(top=DIAMOND_SIZE_PX / 2) if graph.nodes[name]["kind"] == "relation" else box


def _leave_label(graph: nx.DiGraph, name: str, point: Point, target: Point) -> Point:
    """Return the point at which a line from a relation's diamond leaves the label below it. For other nodes and lines, return ``point``."""
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
    """Return the curve without its arrow head, and the SVG path of the head. The tip of the head touches the target box."""
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
