"""Paths of lines between nodes: through bends, as a loop for a self-relation, up to the border of the target."""

from __future__ import annotations

import math
from typing import NamedTuple

import networkx as nx

from spice_core.draw.boxes import Box, Point, box
from spice_core.draw.layout import Layout

_LOOP_BULGE = 0.41  # bulge of the lines of a self-relation, relative to their length


class Leg(NamedTuple):
    """A quadratic curve; the control point of a straight line is its midpoint."""

    start: Point
    control: Point
    end: Point

    def point_at(self, t: float) -> Point:
        """Return the point at t, from 0 (start) to 1 (end)."""
        return _interpolate(_interpolate(self.start, self.control, t), _interpolate(self.control, self.end, t), t)

    def truncate(self, t: float) -> Leg:
        """Return the part of the leg up to t."""
        return Leg(self.start, _interpolate(self.start, self.control, t), self.point_at(t))


def path_and_head(graph: nx.DiGraph, places: Layout, a: str, b: str, thick: float) -> tuple[str, str]:
    """Return the SVG path of the line from a to b, and the path of its arrow head (empty without arrow)."""
    points = [places.points[graph.nodes[name]["place"]] for name in (a, b)]
    arrow, round_ = graph.edges[a, b]["arrow"], graph.has_edge(b, a)
    bends = bends_between(graph, places, a, b)
    *before, start = [points[0], *bends]
    leg, head = _leg(start, points[1], round_), ""
    if arrow:
        attributes = graph.nodes[b]
        extents = box(attributes["kind"], attributes["words"], attributes["captions"], attributes["of"]).translate(points[1])
        leg, head = _add_head(leg, extents, 8.25 + 3 * thick)
    way = "L".join(_coordinates(point) for point in [*before, leg.start])
    return f"M{way}{f'Q{_coordinates(leg.control)} ' if round_ else 'L'}{_coordinates(leg.end)}", head


def bends_between(graph: nx.DiGraph, places: Layout, a: str, b: str) -> tuple[Point, ...]:
    """Return the bends of the line from a to b; a self-relation has none."""
    return () if graph.has_edge(b, a) else places.bends.get((graph.nodes[a]["place"], graph.nodes[b]["place"]), ())


def _leg(start: Point, end: Point, round_: bool) -> Leg:
    middle, swing = _interpolate(start, end, 0.5), _LOOP_BULGE if round_ else 0
    return Leg(start, Point(middle.x + swing * (end.y - start.y), middle.y - swing * (end.x - start.x)), end)


def _add_head(leg: Leg, target: Box, length: float) -> tuple[Leg, str]:
    """Return the leg without its arrow head, and the SVG path of the head, whose tip touches the target box."""
    outside, inside = 0.0, 1.0
    for _ in range(24):
        t = (outside + inside) / 2
        x, y = leg.point_at(t)
        if target.left < x < target.right and target.top < y < target.bottom:
            inside = t
        else:
            outside = t
    tip, ahead = leg.point_at(outside), leg.point_at(max(outside - 0.001, 0))
    speed = math.dist(tip, ahead) / 0.001
    back = max(outside - 0.9 * length / speed, 0) if speed else 0
    tail = leg.point_at(back)
    angle = math.atan2(tip.y - tail.y, tip.x - tail.x)
    corners = [(0, 0), (-1, 0.3), (-0.9, 0), (-1, -0.3)]
    turned = [(x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)) for x, y in corners]
    return leg.truncate(back), f"M{'L'.join(_coordinates(Point(tip.x + length * x, tip.y + length * y)) for x, y in turned)}Z"


def _interpolate(a: Point, b: Point, t: float) -> Point:
    return Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)


def _coordinates(point: Point) -> str:
    return f"{point.x:.1f} {point.y:.1f}"
