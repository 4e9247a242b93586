"""Layout of both graphs: one layout of their union, left to right along relations, without overlaps."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import networkx as nx

from spice_core.draw.crossings import Crossings
from spice_core.draw.labels import LEADING, joined, lines, shortened, width
from spice_core.draw.routes import routes

SEED = 2016
OBJECT_HEIGHT, ATTRIBUTE_HEIGHT, DIAMOND = 34, 26, 26
PADDING, MARK = 10, 17  # at both ends of a label; for the mark in front of it
RELATION_LABEL = 20  # height of the text line under the diamond
GAP, COLUMN_GAP, MARGIN = 18, 22, 16
WIDEST = 640  # components fill rows up to this width
TIE = 7  # between a relation and an attribute that it implies
_RESTARTS, _SWEEPS, _TURNS, _MOVES, _EFFORT = 16, 8, 3, 8, 1200
_LARGE = 40  # nodes; above, the order of the text says more than size


class Point(NamedTuple):
    x: float
    y: float


class Box(NamedTuple):
    """The extents of a node around its point; a relation's label is below its diamond."""

    left: float
    top: float
    right: float
    bottom: float

    def at(self, point: Point) -> Box:
        """The box translated to a point."""
        return Box(self.left + point.x, self.top + point.y, self.right + point.x, self.bottom + point.y)

    def around(self, other: Box) -> Box:
        """The smallest box that contains both."""
        return Box(min(self.left, other.left), min(self.top, other.top), max(self.right, other.right), max(self.bottom, other.bottom))

    def overlaps(self, other: Box) -> bool:
        """Whether the boxes overlap."""
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True)
class Layout:
    """The point of each place, the bends of lines that pass around others (by the places of both ends), and the total size."""

    points: Mapping[str, Point]
    bends: Mapping[tuple[str, str], tuple[Point, ...]]
    width: float
    height: float


@dataclass
class _Part:
    """A connected component during layout: blocks in columns, linked by chains of neighbours.

    ``fans`` holds the box of each object with its attributes, ``tied`` that of each relation with its implied attributes,
    ``sides`` where these stand (1 below, -1 above), ``offsets`` the host of each attribute and its place there. ``orders`` are
    the columns from top to bottom, and ``cost`` is that of their ``points``.
    """

    boxes: dict[str, Box] = field(default_factory=dict)
    columns: dict[int, list[str]] = field(default_factory=dict)
    chains: list[list[str]] = field(default_factory=list)
    fans: dict[str, tuple[Box, dict[str, Box]]] = field(default_factory=dict)
    tied: dict[str, tuple[Box, dict[str, Box]]] = field(default_factory=dict)
    sides: dict[str, int] = field(default_factory=dict)
    offsets: dict[str, tuple[str, Point]] = field(default_factory=dict)
    points: dict[str, Point] = field(default_factory=dict)
    orders: dict[int, list[str]] = field(default_factory=dict)
    cost: tuple[int, float] = (0, 0.0)

    def put(self, name: str, box: Box, column: int) -> None:
        self.boxes[name] = box
        self.columns.setdefault(column, []).append(name)

    @property
    def links(self) -> list[tuple[str, str]]:
        return [pair for chain in self.chains for pair in itertools.pairwise(chain)]

    @property
    def labels(self) -> list[tuple[str, Box]]:
        """The labels of each block, its own first, around its point; an object and each of its attributes are labels of their own."""
        labels = [(name, box) for name, box in self.boxes.items() if name not in self.fans and "/bend" not in name]
        for name, (thing, pills) in self.fans.items():
            labels += [(name, thing), *((name, box.at(self.offsets[pill][1])) for pill, box in pills.items())]
        return labels

    @property
    def bends(self) -> dict[tuple[str, str], tuple[Point, ...]]:
        """The bends of each line between an object and a relation."""
        lines = {}
        for subject, relation, *middle, object_ in self.chains:
            lines[subject, relation] = [self.points[subject], self.points[relation]]
            lines[relation, object_] = [self.points[name] for name in (relation, *middle, object_)]
        blocks = {name: self.boxes[name].at(point) for name, point in self.points.items()}
        own = {name: box for name, box in reversed(self.labels)}
        labels = [(name, box is own[name], box.at(self.points[name])) for name, box in self.labels]
        found = routes({ends: line for ends, line in lines.items() if ends[0] != ends[1]}, blocks, labels)
        return {ends: tuple(Point(*point) for point in bends) for ends, bends in found.items()}

    @property
    def bounds(self) -> Box:
        placed = [self.boxes[name].at(point) for name, point in self.points.items()]
        return Box(min(b.left for b in placed), min(b.top for b in placed), max(b.right for b in placed), max(b.bottom for b in placed))


def label(words: Sequence[str]) -> str:
    """The label of a node: its most frequent word, and the number of its other words."""
    return "\n".join(lines(shortened(words[0]))) + (f" +{len(words) - 1}" if len(words) > 1 else "")


def badge(captions: Sequence[int], of: int) -> str:
    """The number of captions that mention a node ("3/5"); empty for a single caption."""
    return f"{len(captions)}/{of}" if of > 1 else ""


def box(kind: str, words: Sequence[str], captions: Sequence[int] = (), of: int = 1) -> Box:
    """The extents of a node with label, mark and badge."""
    size = 14 if kind == "object" else 13
    wide, more = _extent(label(words).split("\n"), badge(captions, of), size)
    if kind == "relation":
        half = max(DIAMOND, wide + 6) / 2
        return Box(-half, -DIAMOND / 2, half, DIAMOND / 2 + RELATION_LABEL + more)
    height = (OBJECT_HEIGHT if kind == "object" else ATTRIBUTE_HEIGHT) + more
    half = (wide + MARK + 2 * PADDING) / 2
    return Box(-half, -height / 2, half, height / 2)


def _extent(written: Sequence[str], counted: str, size: int) -> tuple[float, float]:
    """Width of a label with the badge after its last line, and the height added by further lines."""
    last = width(written[-1], size) + (width(counted, 11) + 6 if counted else 0)
    return max([last, *(width(line, size) for line in written)]), (len(written) - 1) * size * LEADING


def union(*graphs: nx.DiGraph) -> nx.DiGraph:
    """The union of graphs by place; a place has room for each of its nodes and for the merged node."""
    whole = nx.DiGraph()
    for graph in graphs:
        for _, attributes in graph.nodes(data=True):
            extents = box(attributes["kind"], attributes["words"], attributes["captions"], attributes["of"])
            place = attributes["place"]
            if place in whole:
                both = joined(whole.nodes[place]["words"], attributes["words"])
                extents = extents.around(whole.nodes[place]["box"]).around(
                    box(attributes["kind"], both, attributes["captions"], attributes["of"])
                )
            whole.add_node(place, kind=attributes["kind"], words=attributes["words"], box=extents)
        whole.add_edges_from((graph.nodes[a]["place"], graph.nodes[b]["place"]) for a, b in drawn_edges(graph))
        if graph is graphs[0]:
            whole.graph["first"] = set(whole)
    return whole


def drawn_edges(graph: nx.DiGraph) -> list[tuple[str, str]]:
    """The edges to draw: an implied attribute is joined to its relation, not to its object."""
    return [(a, b) for a, b, tie in graph.edges(data="tie") if tie or not graph.nodes[b]["implied"]]


def layout(*graphs: nx.DiGraph) -> Layout:
    """One deterministic layout for all graphs: parts of the first graph first, then the large ones, of large graphs in the order of the text."""
    whole = union(*graphs)
    parts, offsets = [], {}
    frame = whole.subgraph(n for n, kind in whole.nodes(data="kind") if kind != "attribute")
    components = [[n for n in whole if n in found] for found in nx.weakly_connected_components(frame)]
    first = whole.graph.get("first", set())
    order = {name: place for place, name in enumerate(whole)} if len(whole) > _LARGE else {}
    for nodes in sorted(components, key=lambda c: (first.isdisjoint(c), order.get(c[0], 0), -len(c))):
        part = _part(whole, nodes)
        _arrange(part)
        for _ in range(_TURNS):
            if not _turned(part):
                break
            part.points, part.cost = _settled(part, part.orders, Crossings(part.links, part.labels))
        _uncover(part)
        parts.append(part)
        offsets.update(part.offsets)
    return _pack(parts, offsets)


def _part(whole: nx.DiGraph, nodes: Sequence[str]) -> _Part:
    """The blocks of one component in columns, with their attributes."""
    kinds, boxes = dict(whole.nodes(data="kind")), dict(whole.nodes(data="box"))
    part = _Part()
    ends = {n: next(end for end in whole.succ[n] if kinds[end] == "object") for n in nodes if kinds[n] == "relation"}
    links = [(next(iter(whole.pred[n])), n, end) for n, end in ends.items()]
    column = {name: 2 * layer for name, layer in _layers([n for n in nodes if kinds[n] == "object"], links).items()}
    for name, at in column.items():
        part.fans[name] = boxes[name], {a: boxes[a] for a in whole.succ[name] if kinds[a] == "attribute"}
        part.put(name, boxes[name], at)
        _spread(part, name, 1)
    for subject, relation, object_ in links:
        a, b = column[subject], column[object_]
        step = -1 if b < a else 1
        part.put(relation, boxes[relation], a + step)
        if tied := {n: boxes[n] for n in whole.succ[relation] if kinds[n] == "attribute"}:
            part.tied[relation] = boxes[relation], tied
            _tie(part, relation, 1)
        bends = [(f"{relation}/bend{i}", at) for i, at in enumerate(range(a + 2 * step, b, 2 * step))]
        for bend, at in bends:
            part.put(bend, Box(0, -4, 0, 4), at)
        part.chains.append([subject, relation, *(bend for bend, _ in bends), object_])
    return part


def _layers(objects: Sequence[str], links: Iterable[tuple[str, str, str]]) -> dict[str, int]:
    """The layer of each object: to the right of its subjects, unless the relations form a cycle."""
    order = nx.DiGraph()
    order.add_nodes_from(objects)
    for subject, _, object_ in links:
        if subject != object_ and not nx.has_path(order, object_, subject):
            order.add_edge(subject, object_)
    layers: dict[str, int] = {}
    for name in nx.topological_sort(order):
        layers[name] = 1 + max((layers[p] for p in order.pred[name]), default=-1)
    for name in objects:
        if not order.pred[name] and order.succ[name]:
            layers[name] = min(layers[s] for s in order.succ[name]) - 1
    return layers


def _spread(part: _Part, name: str, side: int) -> None:
    """Put the attributes of an object in rows below and above it, the first row below (1) or above (-1)."""
    thing, pills = part.fans[name]
    part.boxes[name], places = _fan(thing, list(pills.values()), side)
    part.offsets.update({pill: (name, place) for pill, place in zip(pills, places)})
    part.sides[name] = side


def _fan(thing: Box, pills: Sequence[Box], first: int) -> tuple[Box, list[Point]]:
    """The box of an object with its attributes in rows on both sides of it, and their offsets."""
    room = max(thing.right - thing.left + 56, 204)
    rows: list[list[Box]] = []
    for pill in pills:
        if rows and sum(p.right - p.left + 8 for p in [*rows[-1], pill]) - 8 <= room:
            rows[-1].append(pill)
        else:
            rows.append([pill])
    block, offsets = thing, []
    reach = {1: thing.bottom + 13, -1: thing.top - 13}
    for number, row in enumerate(rows):
        side = first if number % 2 == 0 else -first
        high = max(p.bottom - p.top for p in row)
        y = reach[side] + side * high / 2
        reach[side] += side * (high + 6)
        x = -(sum(p.right - p.left for p in row) + 8 * (len(row) - 1)) / 2
        for pill in row:
            offsets.append(Point(x - pill.left, y))
            x += pill.right - pill.left + 8
            block = block.around(pill.at(offsets[-1]))
    return block, offsets


def _tie(part: _Part, relation: str, side: int) -> None:
    """Put the attributes that a relation implies below (1) or above it (-1), one after the other."""
    block, pills = part.tied[relation]
    for name, pill in pills.items():
        place = Point(0, block.bottom + TIE - pill.top if side > 0 else block.top - TIE - pill.bottom)
        part.offsets[name] = relation, place
        block = block.around(pill.at(place))
    part.boxes[relation], part.sides[relation] = block, side


def _turned(part: _Part) -> bool:
    """Move implied attributes to the side of their relation where no line comes from; whether any moved."""
    before = dict(part.sides)
    for subject, relation, *_, object_ in part.chains:
        if relation in part.tied:
            ends = (part.points[subject].y + part.points[object_].y) / 2
            _tie(part, relation, -1 if part.points[relation].y < ends - 0.5 else 1)
    return part.sides != before


def _uncover(part: _Part) -> None:
    """Move attributes to the other side of their object where that frees labels from the lines over them."""
    for _ in range(_TURNS):
        hidden = Crossings(part.links, part.labels).hidden(part.points)
        for name in [name for name in part.fans if name in hidden and part.fans[name][1]][:_MOVES]:
            before = part.cost, part.points
            _spread(part, name, -part.sides[name])
            part.points, part.cost = _settled(part, part.orders, Crossings(part.links, part.labels))
            if part.cost >= before[0]:
                _spread(part, name, -part.sides[name])
                part.cost, part.points = before


def _arrange(part: _Part) -> None:
    """Place every block: columns from left to right, the best of several seeded orders from top to bottom."""
    chance, crossings, part.cost = random.Random(SEED), Crossings(part.links, part.labels), (sys.maxsize, 0.0)
    for attempt in range(max(4, min(_RESTARTS, _EFFORT // len(part.boxes))) if len(part.boxes) > 3 else 1):
        orders = {c: list(names) for c, names in part.columns.items()}
        if attempt:
            for names in orders.values():
                chance.shuffle(names)
        points, cost = _settled(part, orders, crossings)
        if cost < part.cost:
            part.cost, part.points, part.orders = cost, points, orders


def _settled(part: _Part, orders: dict[int, list[str]], crossings: Crossings) -> tuple[dict[str, Point], tuple[int, float]]:
    """The points of all blocks from these orders, which are improved in place, and the cost."""
    xs, x = {}, 0.0
    for column in sorted(part.columns):
        xs[column] = x + max(-part.boxes[n].left for n in part.columns[column])
        x = xs[column] + max(part.boxes[n].right for n in part.columns[column]) + COLUMN_GAP
    ys = _sweep(part, orders)
    points = {n: Point(xs[c], ys[n]) for c, names in part.columns.items() for n in names}
    return points, crossings.cost(points)


def _sweep(part: _Part, orders: dict[int, list[str]]) -> dict[str, float]:
    """Heights that bring neighbours together while the blocks of a column keep their distance."""
    near: dict[str, list[str]] = {}
    for a, b in part.links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    ys = {n: float(i * 60) for names in orders.values() for i, n in enumerate(names)}
    near = {n: near.get(n, [n]) for n in ys}
    for sweep in range(_SWEEPS):
        for column in sorted(orders, reverse=bool(sweep % 2)):
            names = orders[column]
            wish = {n: sum([ys[m] for m in near[n]]) / len(near[n]) for n in names}
            if sweep < _SWEEPS - 2:
                names.sort(key=wish.__getitem__)
            ys.update(zip(names, _spaced([wish[n] for n in names], [part.boxes[n] for n in names])))
    return ys


def _spaced(wishes: Sequence[float], boxes: Sequence[Box]) -> list[float]:
    """The heights closest to the wishes (least squares) at which boxes in this order do not overlap."""
    shifts = [0.0]
    for above, below in itertools.pairwise(boxes):
        shifts.append(shifts[-1] + above.bottom + GAP - below.top)
    pools: list[tuple[float, int]] = []
    for wish, shift in zip(wishes, shifts):
        mean, count = wish - shift, 1
        while pools and pools[-1][0] > mean:
            other, more = pools.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        pools.append((mean, count))
    flat = [mean for mean, count in pools for _ in range(count)]
    return [base + shift for base, shift in zip(flat, shifts)]


def _pack(parts: Sequence[_Part], offsets: Mapping[str, tuple[str, Point]]) -> Layout:
    """Place the components in rows from the top left, and the attributes at their objects."""
    room = max((p.bounds.right - p.bounds.left for p in parts), default=0)
    room = max(room, WIDEST)
    points: dict[str, Point] = {}
    bends: dict[tuple[str, str], tuple[Point, ...]] = {}
    x = y = row = whole = 0.0
    for part in parts:
        bounds = part.bounds
        wide, high = bounds.right - bounds.left, bounds.bottom - bounds.top
        if x and x + wide > room:
            x, y, row = 0.0, y + row + GAP * 2, 0.0
        shift = Point(x - bounds.left + MARGIN, y - bounds.top + MARGIN)
        points |= {name: _moved(point, shift) for name, point in part.points.items() if "/bend" not in name}
        bends |= {ends: tuple(_moved(point, shift) for point in line) for ends, line in part.bends.items()}
        x, row = x + wide + GAP * 2, max(row, high)
        whole = max(whole, x - GAP * 2)
    points |= {name: _moved(points[host], offset) for name, (host, offset) in offsets.items()}
    return Layout(points, bends, whole + 2 * MARGIN, y + row + 2 * MARGIN)


def _moved(point: Point, by: Point) -> Point:
    return Point(point.x + by.x, point.y + by.y)
