"""Arrange one connected component of a graph: blocks in columns, in the best of several orders, with lines that avoid labels."""

from __future__ import annotations

import functools
import itertools
import math
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import networkx as nx
import numpy as np

from spice_core.draw.labels import Box, Point
from spice_core.draw.routes import CrossingCounter, find_routes, lines_through_boxes

LAYOUT_SEED = 2016
TIE_GAP_PX = 7  # distance between a relation and an attribute that it implies
_FIRST_ROW_GAP_PX, _ROW_GAP_PX, _PILL_GAP_PX = 13, 7, 8  # gaps: object to attributes, between rows of attributes, within a row
_CHANNEL_PX = 5  # distance from the attributes of a row to a line that passes beside them
_MAX_ATTEMPTS, _MAX_SWEEPS, _MAX_TURNS, _MOVES_PER_TURN, _MAX_TRIED_BLOCKS = 16, 8, 3, 8, 1200


class Spacing(NamedTuple):
    """Sizes in pixels: the gap between blocks of a column, the gap between columns, and the maximum width of a row of attributes."""

    block_gap: float
    column_gap: float
    row_width: float


_LOOSE_SPACING, _CLOSE_SPACING, _FLAT_SPACING = Spacing(18, 22, 204), Spacing(8, 18, 136), Spacing(10, 14, 70)


class Block(NamedTuple):
    """An object or a relation: its name, its box, and its attributes' names and boxes."""

    name: str
    box: Box
    attributes: tuple[tuple[str, Box], ...] = ()


class Link(NamedTuple):
    """A relation with the names of its subject and its object."""

    subject: str
    relation: Block
    object_: str


@dataclass(frozen=True)
class Arrangement:
    """The layout of a component.

    Attributes:
        points: The point of each object, relation and attribute.
        bends: The bends of each line, by the names of its ends.
        bounds: The bounding box.
    """

    points: Mapping[str, Point]
    bends: Mapping[tuple[str, str], tuple[Point, ...]]
    bounds: Box


@lru_cache(maxsize=1024)  # an edit of a long caption leaves most components unchanged
def arrange(objects: tuple[Block, ...], links: tuple[Link, ...], *, max_width: float = math.inf, downward: bool = False) -> Arrangement:
    """Arrange a connected component deterministically.

    Args:
        objects: Objects with their attributes.
        links: Relations between the objects. If possible, each object stands to the right of its subjects.
        max_width: Maximum width in pixels. A wider component is drawn as two columns of objects with the relations between them. If
            the maximum is finite, blocks stand closer together.
        downward: Whether each object stands below its subjects instead, in a flat and wide picture that ignores ``max_width``.
    """
    if downward:
        turned_links = [Link(subject, _turn_block(relation), object_) for subject, relation, object_ in links]
        return _turn_arrangement(_arrange_with_spacing([_turn_block(block) for block in objects], turned_links, _FLAT_SPACING, math.inf))
    return _arrange_with_spacing(objects, links, _LOOSE_SPACING if max_width == math.inf else _CLOSE_SPACING, max_width)


def _arrange_with_spacing(objects: Sequence[Block], links: Sequence[Link], spacing: Spacing, max_width: float) -> Arrangement:
    component = _build_component(objects, links, spacing)
    if component.width > max_width:
        component = _build_component(objects, links, spacing, is_folded=True)
    _place_blocks(component)
    for _ in range(_MAX_TURNS):
        if not _turn_implied_attributes(component):
            break
        component.points, component.cost = _improve_orders(component, component.orders, CrossingCounter(component.links, component.labels))
    _uncover_attributes(component)
    points = {name: point for name, point in component.points.items() if "/bend" not in name}
    points |= {name: points[host].shift(place) for name, (host, place) in component.offsets.items()}
    return Arrangement(points, component.bends, component.bounds)


def _turn_block(block: Block) -> Block:
    """Return a block with its axes swapped."""
    return Block(block.name, block.box.swap_axes(), tuple((name, box.swap_axes()) for name, box in block.attributes))


def _turn_arrangement(arrangement: Arrangement) -> Arrangement:
    """Return an arrangement with its axes swapped."""
    points = {name: point.swap_axes() for name, point in arrangement.points.items()}
    bends = {ends: tuple(point.swap_axes() for point in line) for ends, line in arrangement.bends.items()}
    return Arrangement(points, bends, arrangement.bounds.swap_axes())


@dataclass
class _ComponentLayout:
    """A connected component during layout: blocks in columns, joined by chains of neighbours.

    Attributes:
        boxes: The box of each block, including its attributes.
        columns: The names of the blocks in each column.
        chains: Subject, relation, bends and object of each link.
        attribute_rows: The label box of each object, and the boxes of its attributes by name.
        implied_attributes: The label box of each relation, and the boxes of its implied attributes by name.
        side_by_block: Where the attributes of a block start: 1 below, -1 above.
        offsets: The host of each attribute, and its position relative to the host.
        detours: The bends of the line to each attribute that is behind other attributes, relative to the host.
        points: The position of each block.
        orders: The names in each column from top to bottom.
        cost: The cost of ``points``.
        spacing: The distances between blocks.
    """

    boxes: dict[str, Box] = field(default_factory=dict)
    columns: dict[int, list[str]] = field(default_factory=dict)
    chains: list[list[str]] = field(default_factory=list)
    attribute_rows: dict[str, tuple[Box, dict[str, Box]]] = field(default_factory=dict)
    implied_attributes: dict[str, tuple[Box, dict[str, Box]]] = field(default_factory=dict)
    side_by_block: dict[str, int] = field(default_factory=dict)
    offsets: dict[str, tuple[str, Point]] = field(default_factory=dict)
    detours: dict[str, tuple[Point, ...]] = field(default_factory=dict)
    points: dict[str, Point] = field(default_factory=dict)
    orders: dict[int, list[str]] = field(default_factory=dict)
    cost: tuple[int, float] = (0, 0.0)
    spacing: Spacing = _LOOSE_SPACING

    def add_block(self, name: str, box: Box, column: int) -> None:
        self.boxes[name] = box
        self.columns.setdefault(column, []).append(name)

    @property
    def width(self) -> float:
        """The width of all columns with the gaps between them."""
        boxes = [[self.boxes[name] for name in names] for names in self.columns.values()]
        return sum(max(b.right for b in column) - min(b.left for b in column) for column in boxes) + self.spacing.column_gap * (
            len(boxes) - 1
        )

    @property
    def links(self) -> list[tuple[str, str]]:
        return [pair for chain in self.chains for pair in itertools.pairwise(chain)]

    @property
    def labels(self) -> list[tuple[str, Box]]:
        """The label boxes of each block relative to its point: first the block itself, then each attribute of an object."""
        labels = [(name, box) for name, box in self.boxes.items() if name not in self.attribute_rows and "/bend" not in name]
        for name, (object_box, pills) in self.attribute_rows.items():
            labels += [(name, object_box), *((name, box.translate(self.offsets[pill][1])) for pill, box in pills.items())]
        return labels

    def _single_labels(self) -> Iterator[tuple[str, bool, Box]]:
        """Yield, for each label, its block, whether its block's lines end at it, and its box. Attributes have their own labels."""
        for name, box in self.boxes.items():
            host, pills = self.attribute_rows.get(name) or self.implied_attributes.get(name) or (box, {})
            if "/bend" not in name:
                yield name, True, host
                yield from ((name, False, pill.translate(self.offsets[edge][1])) for edge, pill in pills.items())

    @property
    def bends(self) -> dict[tuple[str, str], tuple[Point, ...]]:
        """The bends of each line between an object and a relation or attribute."""
        lines = {}
        for subject, relation, *bend_names, object_ in self.chains:
            lines[subject, relation] = [self.points[subject], self.points[relation]]
            lines[relation, object_] = [self.points[name] for name in (relation, *bend_names, object_)]
        blocks = {name: self.boxes[name].translate(point) for name, point in self.points.items()}
        labels = [(name, has_pill, box.translate(self.points[name])) for name, has_pill, box in self._single_labels()]
        bends_by_line = find_routes({ends: line for ends, line in lines.items() if ends[0] != ends[1]}, blocks, labels)
        around_labels = {ends: tuple(Point(*point) for point in bends) for ends, bends in bends_by_line.items()}
        return around_labels | {
            (host, pill): tuple(point.shift(self.points[host]) for point in bends)
            for pill, bends in self.detours.items()
            for host, _ in [self.offsets[pill]]
        }

    @property
    def bounds(self) -> Box:
        placed_boxes = [self.boxes[name].translate(point) for name, point in self.points.items()]
        return Box(
            min(b.left for b in placed_boxes),
            min(b.top for b in placed_boxes),
            max(b.right for b in placed_boxes),
            max(b.bottom for b in placed_boxes),
        )


def _build_component(objects: Sequence[Block], links: Sequence[Link], spacing: Spacing, *, is_folded: bool = False) -> _ComponentLayout:
    """Return the layout of a component: blocks in columns, with the attributes placed around them."""
    component, block_by_name = _ComponentLayout(spacing=spacing), {block.name: block for block in objects}
    for name, block in block_by_name.items():
        component.attribute_rows[name] = block.box, dict(block.attributes)
        _place_attributes(component, name, 1)
    layers = _assign_two_columns(component, links) if is_folded else _layer_by_object([*block_by_name], links)
    column = {name: 2 * layer for name, layer in layers.items()}
    for name, y in column.items():
        component.add_block(name, component.boxes[name], y)
    for subject, relation, object_ in links:
        a, b = column[subject], column[object_]
        step = -1 if b < a or (is_folded and a == b == 2) else 1
        component.add_block(relation.name, relation.box, a + step)
        if relation.attributes:
            component.implied_attributes[relation.name] = relation.box, dict(relation.attributes)
            _stack_implied_attributes(component, relation.name, 1)
        bends = [(f"{relation.name}/bend{i}", y) for i, y in enumerate(range(a + 2 * step, b, 2 * step))]
        for bend, y in bends:
            component.add_block(bend, Box(0, -4, 0, 4), y)
        component.chains.append([subject, relation.name, *(bend for bend, _ in bends), object_])
    return component


def _layer_by_object(objects: Sequence[str], links: Iterable[Link]) -> dict[str, int]:
    """Return the layer of each object: to the right of its subjects, unless the relations form a cycle."""
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


def _assign_two_columns(component: _ComponentLayout, links: Sequence[Link]) -> dict[str, int]:
    """Return the column of each object: left (0) or right (1), opposite to related objects, with balanced heights."""
    neighbours: dict[str, list[str]] = {name: [] for name in component.boxes}
    for subject, _, object_ in links:
        neighbours[subject].append(object_)
        neighbours[object_].append(subject)
    side_by_block: dict[str, int] = {}
    start_block = max(neighbours, key=lambda name: len(neighbours[name]))  # the first object among those with the most relations
    for a, b in nx.bfs_edges(nx.from_dict_of_lists(neighbours), start_block):
        side_by_block.setdefault(a, 0)
        side_by_block[b] = 1 - side_by_block[a]
    side_by_block.setdefault(start_block, 0)
    height_by_block = {name: box.bottom - box.top + component.spacing.block_gap for name, box in component.boxes.items()}
    excess_height = sum(height_by_block[name] if side else -height_by_block[name] for name, side in side_by_block.items())
    for name in reversed([*side_by_block]):  # start with the objects farthest from the start block
        side = 1 if excess_height > 0 else 0
        if side_by_block[name] == side and len(neighbours[name]) == 1 and abs(excess_height) > height_by_block[name]:
            side_by_block[name] = 1 - side
            excess_height -= 2 * height_by_block[name] if side else -2 * height_by_block[name]
    return {name: side_by_block[name] for name in component.boxes}


def _place_attributes(component: _ComponentLayout, name: str, side: int) -> None:
    """Place the attributes of an object in rows below and above the object. The first row is below (1) or above (-1)."""
    object_box, pills = component.attribute_rows[name]
    rows = _arrange_attribute_rows(object_box, list(pills.values()), side, max_width=component.spacing.row_width)
    component.boxes[name] = rows.box
    component.offsets.update({pill: (name, place) for pill, place in zip(pills, rows.offsets)})
    component.detours.update(zip(pills, rows.detours))
    component.side_by_block[name] = side


class _AttributeRows(NamedTuple):
    """The box of an object with its attributes, the point of each attribute, and the bends of its line, all relative to the object."""

    box: Box
    offsets: list[Point]
    detours: list[tuple[Point, ...]]


def _arrange_attribute_rows(object_box: Box, pills: Sequence[Box], first_side: int, *, max_width: float) -> _AttributeRows:
    """Arrange attributes in rows on both sides of an object. A line to an outer row bypasses the attributes in its way."""
    max_width = max(object_box.right - object_box.left + (56 if max_width == _LOOSE_SPACING.row_width else 0), max_width)
    rows: list[list[Box]] = []
    for pill in pills:
        if rows and sum(p.right - p.left + _PILL_GAP_PX for p in [*rows[-1], pill]) - _PILL_GAP_PX <= max_width:
            rows[-1].append(pill)
        else:
            rows.append([pill])
    attribute_rows = _AttributeRows(object_box, [], [])
    y_limits = {1: object_box.bottom + _FIRST_ROW_GAP_PX, -1: object_box.top - _FIRST_ROW_GAP_PX}
    nearer_boxes: dict[int, list[Box]] = {1: [], -1: []}
    for row_index, row in enumerate(rows):
        side = first_side if row_index % 2 == 0 else -first_side
        row_height = max(p.bottom - p.top for p in row)
        y = y_limits[side] + side * row_height / 2
        y_limits[side] += side * (row_height + _ROW_GAP_PX)
        x = -(sum(p.right - p.left for p in row) + _PILL_GAP_PX * (len(row) - 1)) / 2
        places = []
        for pill in row:
            places.append(Point(x - pill.left, y))
            x += pill.right - pill.left + _PILL_GAP_PX
        placed_boxes = [pill.translate(place) for pill, place in zip(row, places)]
        detours = [_pass_beside(place, nearer_boxes[side]) for place in places]
        nearer_boxes[side] += placed_boxes
        attribute_rows.offsets.extend(places)
        attribute_rows.detours.extend(detours)
        drawn_boxes = [*placed_boxes, *(Box(bend.x, bend.y, bend.x, bend.y) for detour in detours for bend in detour)]
        attribute_rows = attribute_rows._replace(box=functools.reduce(Box.union, drawn_boxes, attribute_rows.box))
    return attribute_rows


def _pass_beside(point: Point, nearer_boxes: Sequence[Box]) -> tuple[Point, ...]:
    """Return the bends of the line from an object to an attribute around the nearer rows.

    Return no bends if a straight line crosses no attribute.
    """
    boxes = np.array(nearer_boxes, dtype=np.float64).reshape(-1, 4)

    def is_free(*line: Point) -> bool:
        points = np.array(line, dtype=np.float64)
        return not lines_through_boxes(points[:-1], points[1:], boxes).any()

    if is_free(Point(0, 0), point):
        return ()
    top, bottom = min(box.top for box in nearer_boxes), max(box.bottom for box in nearer_boxes)
    start, end = (top, bottom + _ROW_GAP_PX / 2) if point.y > 0 else (bottom, top - _ROW_GAP_PX / 2)
    edges = sorted(
        {x for box in nearer_boxes for x in (box.left - _CHANNEL_PX, box.right + _CHANNEL_PX)}, key=lambda x: abs(x) + abs(x - point.x)
    )
    x = next(x for x in edges if is_free(Point(0, 0), Point(x, start), Point(x, end)))  # the outermost edge is always free
    return Point(x, start), Point(x, end)


def _stack_implied_attributes(component: _ComponentLayout, relation: str, side: int) -> None:
    """Stack the implied attributes of a relation, below the relation (1) or above it (-1)."""
    block, pills = component.implied_attributes[relation]
    for name, pill in pills.items():
        place = Point(0, block.bottom + TIE_GAP_PX - pill.top if side > 0 else block.top - TIE_GAP_PX - pill.bottom)
        component.offsets[name] = relation, place
        block = block.union(pill.translate(place))
    component.boxes[relation], component.side_by_block[relation] = block, side


def _turn_implied_attributes(component: _ComponentLayout) -> bool:
    """Move implied attributes to the free side of their relation. Return whether any attribute moved."""
    old_sides = dict(component.side_by_block)
    for subject, relation, *_, object_ in component.chains:
        if relation in component.implied_attributes:
            ends = (component.points[subject].y + component.points[object_].y) / 2
            _stack_implied_attributes(component, relation, -1 if component.points[relation].y < ends - 0.5 else 1)
    return component.side_by_block != old_sides


def _uncover_attributes(component: _ComponentLayout) -> None:
    """Move attributes crossed by lines to the other side of their object if that lowers the cost."""
    for _ in range(_MAX_TURNS):
        covered_blocks = CrossingCounter(component.links, component.labels).covered_blocks(component.points)
        for name in [name for name in component.attribute_rows if name in covered_blocks and component.attribute_rows[name][1]][
            :_MOVES_PER_TURN
        ]:
            old_state = component.cost, component.points
            _place_attributes(component, name, -component.side_by_block[name])
            component.points, component.cost = _improve_orders(
                component, component.orders, CrossingCounter(component.links, component.labels)
            )
            if component.cost >= old_state[0]:
                _place_attributes(component, name, -component.side_by_block[name])
                component.cost, component.points = old_state


def _place_blocks(component: _ComponentLayout) -> None:
    """Place every block, in columns from left to right and in the cheapest of several seeded orders."""
    rng, crossings, component.cost = random.Random(LAYOUT_SEED), CrossingCounter(component.links, component.labels), (sys.maxsize, 0.0)
    for attempt in range(max(4, min(_MAX_ATTEMPTS, _MAX_TRIED_BLOCKS // len(component.boxes))) if len(component.boxes) > 3 else 1):
        orders = {c: list(names) for c, names in component.columns.items()}
        if attempt:
            for names in orders.values():
                rng.shuffle(names)
        points, cost = _improve_orders(component, orders, crossings)
        if cost < component.cost:
            component.cost, component.points, component.orders = cost, points, orders


def _improve_orders(
    component: _ComponentLayout, orders: dict[int, list[str]], crossings: CrossingCounter
) -> tuple[dict[str, Point], tuple[int, float]]:
    """Improve the orders in place. Return the points of all blocks and their cost."""
    xs, x = {}, 0.0
    for column in sorted(component.columns):
        xs[column] = x + max(-component.boxes[n].left for n in component.columns[column])
        x = xs[column] + max(component.boxes[n].right for n in component.columns[column]) + component.spacing.column_gap
    ys = linked_heights(component, orders)
    points = {n: Point(xs[c], ys[n]) for c, names in component.columns.items() for n in names}
    return points, crossings.cost(points)


def linked_heights(component: _ComponentLayout, orders: dict[int, list[str]]) -> dict[str, float]:
    """Return the y of each block: close to linked blocks, with gaps within a column. Sorts the orders by height."""
    neighbours: dict[str, list[str]] = {}
    for a, b in component.links:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    ys = {n: float(i * 60) for names in orders.values() for i, n in enumerate(names)}
    neighbours = {n: neighbours.get(n, [n]) for n in ys}
    for sweep in range(_MAX_SWEEPS):
        for column in sorted(orders, reverse=bool(sweep % 2)):
            names = orders[column]
            wished_heights = {n: sum([ys[m] for m in neighbours[n]]) / len(neighbours[n]) for n in names}
            if sweep < _MAX_SWEEPS - 2:
                names.sort(key=wished_heights.__getitem__)
            ys.update(
                zip(
                    names,
                    _separate_heights([wished_heights[n] for n in names], [component.boxes[n] for n in names], component.spacing.block_gap),
                )
            )
    return ys


def _separate_heights(wishes: Sequence[float], boxes: Sequence[Box], gap: float) -> list[float]:
    """Return the heights closest to the desired heights (least squares) that keep consecutive boxes at least ``gap`` apart."""
    shifts = [0.0]
    for upper, lower in itertools.pairwise(boxes):
        shifts.append(shifts[-1] + upper.bottom + gap - lower.top)
    pools: list[tuple[float, int]] = []
    for wished_height, shift in zip(wishes, shifts):
        mean, count = wished_height - shift, 1
        while pools and pools[-1][0] > mean:
            other, other_count = pools.pop()
            mean, count = (mean * count + other * other_count) / (count + other_count), count + other_count
        pools.append((mean, count))
    heights = [mean for mean, count in pools for _ in range(count)]
    return [base + shift for base, shift in zip(heights, shifts)]
