"""The arrangement of one connected part of a graph: blocks in columns, the best of several orders, lines kept clear of labels."""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import networkx as nx

from spice_core.draw.boxes import Box, Point
from spice_core.draw.crossings import Crossings
from spice_core.draw.routes import routes

SEED = 2016
TIE = 7  # between a relation and an attribute that it implies
_RESTARTS, _SWEEPS, _TURNS, _MOVES, _EFFORT = 16, 8, 3, 8, 1200


class Spacing(NamedTuple):
    """Pixels between the blocks of a column, between columns, and that the attributes of an object may take in a row."""

    gap: float
    columns: float
    row: float


_LOOSE, _CLOSE = Spacing(18, 22, 204), Spacing(8, 18, 136)


class Block(NamedTuple):
    """An object or a relation: its name, its box, and the names and boxes of its attributes."""

    name: str
    box: Box
    attributes: tuple[tuple[str, Box], ...] = ()


class Link(NamedTuple):
    """A relation between two objects, which are named."""

    subject: str
    relation: Block
    object_: str


@dataclass(frozen=True)
class Arrangement:
    """The point of each object, relation and attribute of a part, the bends of its lines by both ends, and its extents."""

    points: Mapping[str, Point]
    bends: Mapping[tuple[str, str], tuple[Point, ...]]
    bounds: Box


@lru_cache(maxsize=1024)  # an edit of a long caption leaves most parts as they were
def arranged(objects: tuple[Block, ...], links: tuple[Link, ...], *, room: float = math.inf) -> Arrangement:
    """The arrangement of a connected part; the same blocks are always arranged alike.

    Objects stand to the right of their subjects. Where that is wider than the ``room``, all stand in two columns, the relations between
    them. With a room the blocks stand closer.
    """
    spacing = _LOOSE if room == math.inf else _CLOSE
    part = _part(objects, links, spacing)
    if part.width > room:
        part = _part(objects, links, spacing, folded=True)
    _arrange(part)
    for _ in range(_TURNS):
        if not _turned(part):
            break
        part.points, part.cost = _settled(part, part.orders, Crossings(part.links, part.labels))
    _uncover(part)
    points = {name: point for name, point in part.points.items() if "/bend" not in name}
    points |= {name: points[host].moved(place) for name, (host, place) in part.offsets.items()}
    return Arrangement(points, part.bends, part.bounds)


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
    spacing: Spacing = _LOOSE

    def put(self, name: str, box: Box, column: int) -> None:
        self.boxes[name] = box
        self.columns.setdefault(column, []).append(name)

    @property
    def width(self) -> float:
        """The sum of the widths of the columns and the gaps between them."""
        boxes = [[self.boxes[name] for name in names] for names in self.columns.values()]
        return sum(max(b.right for b in each) - min(b.left for b in each) for each in boxes) + self.spacing.columns * (len(boxes) - 1)

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


def _part(objects: Sequence[Block], links: Sequence[Link], spacing: Spacing, *, folded: bool = False) -> _Part:
    """The blocks of a part in columns, with their attributes."""
    part, block = _Part(spacing=spacing), {each.name: each for each in objects}
    for name, thing in block.items():
        part.fans[name] = thing.box, dict(thing.attributes)
        _spread(part, name, 1)
    layers = _halves(part, links) if folded else _layers([*block], links)
    column = {name: 2 * layer for name, layer in layers.items()}
    for name, at in column.items():
        part.put(name, part.boxes[name], at)
    for subject, relation, object_ in links:
        a, b = column[subject], column[object_]
        step = -1 if b < a or (folded and a == b == 2) else 1
        part.put(relation.name, relation.box, a + step)
        if relation.attributes:
            part.tied[relation.name] = relation.box, dict(relation.attributes)
            _tie(part, relation.name, 1)
        bends = [(f"{relation.name}/bend{i}", at) for i, at in enumerate(range(a + 2 * step, b, 2 * step))]
        for bend, at in bends:
            part.put(bend, Box(0, -4, 0, 4), at)
        part.chains.append([subject, relation.name, *(bend for bend, _ in bends), object_])
    return part


def _layers(objects: Sequence[str], links: Iterable[Link]) -> dict[str, int]:
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


def _halves(part: _Part, links: Sequence[Link]) -> dict[str, int]:
    """The column of each object, left (0) or right (1): opposite the objects that it is related to, then as high as the other column."""
    near: dict[str, list[str]] = {name: [] for name in part.boxes}
    for subject, _, object_ in links:
        near[subject].append(object_)
        near[object_].append(subject)
    halves: dict[str, int] = {}
    first = max(near, key=lambda name: len(near[name]))  # of equal ones that which is named first
    for a, b in nx.bfs_edges(nx.from_dict_of_lists(near), first):
        halves.setdefault(a, 0)
        halves[b] = 1 - halves[a]
    halves.setdefault(first, 0)
    high = {name: box.bottom - box.top + part.spacing.gap for name, box in part.boxes.items()}
    excess = sum(high[name] if side else -high[name] for name, side in halves.items())
    for name in reversed([*halves]):  # the ends of the graph first
        side = 1 if excess > 0 else 0
        if halves[name] == side and len(near[name]) == 1 and abs(excess) > high[name]:
            halves[name] = 1 - side
            excess -= 2 * high[name] if side else -2 * high[name]
    return {name: halves[name] for name in part.boxes}


def _spread(part: _Part, name: str, side: int) -> None:
    """Put the attributes of an object in rows below and above it, the first row below (1) or above (-1)."""
    thing, pills = part.fans[name]
    part.boxes[name], places = _fan(thing, list(pills.values()), side, room=part.spacing.row)
    part.offsets.update({pill: (name, place) for pill, place in zip(pills, places)})
    part.sides[name] = side


def _fan(thing: Box, pills: Sequence[Box], first: int, *, room: float) -> tuple[Box, list[Point]]:
    """The box of an object with its attributes in rows on both sides of it, and their offsets."""
    room = max(thing.right - thing.left + (56 if room == _LOOSE.row else 0), room)
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
        x = xs[column] + max(part.boxes[n].right for n in part.columns[column]) + part.spacing.columns
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
            ys.update(zip(names, _spaced([wish[n] for n in names], [part.boxes[n] for n in names], part.spacing.gap)))
    return ys


def _spaced(wishes: Sequence[float], boxes: Sequence[Box], gap: float) -> list[float]:
    """The heights closest to the wishes (least squares) at which boxes in this order stand at least ``gap`` apart."""
    shifts = [0.0]
    for above, below in itertools.pairwise(boxes):
        shifts.append(shifts[-1] + above.bottom + gap - below.top)
    pools: list[tuple[float, int]] = []
    for wish, shift in zip(wishes, shifts):
        mean, count = wish - shift, 1
        while pools and pools[-1][0] > mean:
            other, more = pools.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        pools.append((mean, count))
    flat = [mean for mean, count in pools for _ in range(count)]
    return [base + shift for base, shift in zip(flat, shifts)]
