"""Routes of lines. A line that would cross a label leaves its ends sideways, bends at right angles, or goes around the labels."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Coordinates = tuple[float, float]
_BEND_POSITIONS = (0.0, 1.0, 0.5, 0.3, 0.7, 0.15, 0.85)  # positions of bends, as fractions of the horizontal distance
_CLEARANCE_PX = 2  # minimum distance of a line from a label
_EXIT_DISTANCE_PX = 4  # distance from a block to the bend of a line that leaves it sideways
_BEND_COST_PX = 12  # a bend costs as much as a detour of this length
_HEURISTIC_WEIGHT = 1.6  # weight of the remaining distance in A*: faster, but the cost may grow by this factor
_DETOUR_PX = 120  # maximum distance from a line to labels considered for a detour
_MAX_EXPANSIONS = 60


class BoxExtents(Protocol):
    """Boxes with a left and a right edge."""

    @property
    def left(self) -> float: ...
    @property
    def right(self) -> float: ...


def find_routes(
    lines: Mapping[tuple[str, str], Sequence[Coordinates]],
    blocks: Mapping[str, BoxExtents],
    labels: Sequence[tuple[str, bool, Sequence[float]]],
) -> dict[tuple[str, str], tuple[Coordinates, ...]]:
    """Return the bends of each line, except straight lines.

    Args:
        lines: The points of each line from end to end, by the names of its ends.
        blocks: The boxes of the ends with all their labels.
        labels: For each label, the name of its block, whether the lines of the block end at the label, and its box.
    """
    boxes = np.array([box for *_, box in labels], dtype=np.float64).reshape(-1, 4) + _CLEARANCE_PX * np.array([-1, -1, 1, 1])
    bends = {}
    for ends, points in lines.items():
        obstacle_mask = np.array([not (has_pill and name in ends) for name, has_pill, _ in labels], dtype=bool)
        ways = (
            _candidate_routes(points, [blocks[name] for name in ends]) if _count_crossed_labels(points, boxes[obstacle_mask]) else [points]
        )
        best_route = min(ways, key=lambda route: _count_crossed_labels(route, boxes[obstacle_mask]))
        if _count_crossed_labels(best_route, boxes[obstacle_mask]):
            near_mask = _mask_near_boxes(boxes, points)
            turns = _turning_points(boxes[near_mask], points, [blocks[name] for name in ends])
            best_route = _find_shortest_route(points[0], points[-1], turns, boxes[near_mask & obstacle_mask]) or best_route
        if best_route[1:-1]:
            bends[ends] = tuple(best_route[1:-1])
    return bends


def _candidate_routes(points: Sequence[Coordinates], blocks: Sequence[BoxExtents]) -> Iterator[list[Coordinates]]:
    """Yield the straight line, then routes that leave the first, the last or both ends sideways, then right-angled routes."""
    first_exit, last_exit = _exit_point(points[0], points[1], blocks[0]), _exit_point(points[-1], points[-2], blocks[1])
    yield [*points]
    yield [points[0], first_exit, *points[1:]]
    yield [*points[:-1], last_exit, points[-1]]
    yield [points[0], first_exit, *points[1:-1], last_exit, points[-1]]
    if len(points) == 2:
        for share in _BEND_POSITIONS:
            x = first_exit[0] + share * (last_exit[0] - first_exit[0])
            yield [points[0], (x, points[0][1]), (x, points[-1][1]), points[-1]]


def _exit_point(end: Coordinates, target: Coordinates, block: BoxExtents) -> Coordinates:
    """Return the point beside a block where a line toward ``target`` leaves it sideways."""
    return (block.right + _EXIT_DISTANCE_PX if target[0] > end[0] else block.left - _EXIT_DISTANCE_PX), end[1]


def _count_crossed_labels(route: Sequence[Coordinates], boxes: FloatArray) -> int:
    """Return the number of intersections between the segments of a line and the boxes."""
    pairs = np.array([*itertools.pairwise(route)], dtype=np.float64)
    return int(np.count_nonzero(lines_through_boxes(pairs[:, 0], pairs[:, 1], boxes)))


def _mask_near_boxes(boxes: FloatArray, points: Sequence[Coordinates]) -> npt.NDArray[np.bool_]:
    """Return a mask of the boxes that are close to the rectangle around a line."""
    low, high = np.min(points, axis=0) - _DETOUR_PX, np.max(points, axis=0) + _DETOUR_PX
    near_mask: npt.NDArray[np.bool_] = ((boxes[:, 2:] > low) & (boxes[:, :2] < high)).all(axis=1)
    return near_mask


def _turning_points(boxes: FloatArray, points: Sequence[Coordinates], blocks: Sequence[BoxExtents]) -> FloatArray:
    """Return the points outside all labels at a label's corner or beside the end of a line."""
    left, top, right, bottom = (boxes + 0.5 * np.array([-1, -1, 1, 1])).T
    corners = [np.column_stack([x, y]) for x in (left, right) for y in (top, bottom)]
    exit_points = [
        (x, end[1])
        for end, block in zip((points[0], points[-1]), blocks)
        for x in (block.left - _EXIT_DISTANCE_PX, block.right + _EXIT_DISTANCE_PX)
    ]
    turns = np.vstack([*corners, np.array(exit_points, dtype=np.float64)])
    return turns[~((turns[:, None] > boxes[:, :2]) & (turns[:, None] < boxes[:, 2:])).all(-1).any(-1)]


def _find_shortest_route(start: Coordinates, end: Coordinates, turns: FloatArray, boxes: FloatArray) -> list[Coordinates] | None:
    """Return a short route with few bends that crosses no box, or None (weighted A*, after Hart et al. 1968)."""
    points = np.vstack([turns, [end], [start]])
    estimates = _HEURISTIC_WEIGHT * np.hypot(*(points - points[-2]).T)
    goal, cost, previous_point = len(points) - 2, np.full(len(points), math.inf), np.full(len(points), -1)
    cost[-1], queue, visited_points = 0.0, [(0.0, len(points) - 1)], set[int]()
    while queue and len(visited_points) < _MAX_EXPANSIONS:
        _, index = heapq.heappop(queue)
        if index == goal:
            return _backtrace(points, previous_point, goal)
        if index in visited_points:
            continue
        visited_points.add(index)
        new_cost = cost[index] + np.hypot(*(points - points[index]).T) + _BEND_COST_PX
        improved_points = np.flatnonzero(new_cost < cost)
        improved_points = improved_points[
            ~lines_through_boxes(np.broadcast_to(points[index], (len(improved_points), 2)), points[improved_points], boxes).any(axis=1)
        ]
        cost[improved_points], previous_point[improved_points] = new_cost[improved_points], index
        for i in improved_points.tolist():
            heapq.heappush(queue, (cost[i] + estimates[i], i))
    return None


def _backtrace(points: FloatArray, predecessors: npt.NDArray[np.intp], target: int) -> list[Coordinates]:
    """Return the points of the route from the start to ``target``."""
    route: list[Coordinates] = []
    while target >= 0:
        route.insert(0, (float(points[target, 0]), float(points[target, 1])))
        target = int(predecessors[target])
    return route


FloatArray = npt.NDArray[np.float64]


class CrossingCounter:
    """Counts the crossings of a set of blocks and lines for different positions of the blocks.

    Args:
        lines: Pairs of block names.
        labels: Block names with the boxes of their labels (left, top, right, bottom relative to the point of the block). Lines
            end at the first box of a block.
    """

    def __init__(self, lines: Sequence[tuple[str, str]], labels: Sequence[tuple[str, tuple[float, float, float, float]]]):
        blocks = list(dict.fromkeys([*(name for pair in lines for name in pair), *(name for name, _ in labels)]))
        index_by_block = {name: i for i, name in enumerate(blocks)}
        self._blocks = blocks
        self._lines = np.array([(index_by_block[a], index_by_block[b]) for a, b in lines], dtype=np.intp).reshape(-1, 2)
        self._host_indices = np.array([index_by_block[name] for name, _ in labels], dtype=np.intp)
        self._boxes = np.array([box for _, box in labels], dtype=np.float64).reshape(-1, 4)
        first_index_by_block = {name: i for i, (name, _) in reversed([*enumerate(labels)])}
        first_labels = np.isin(np.arange(len(labels)), [*first_index_by_block.values()])
        ends = (self._lines[:, :1] == self._host_indices) | (self._lines[:, 1:] == self._host_indices)
        self._is_free_label = ~(ends & first_labels)
        a, b = self._lines[:, None, :], self._lines[None, :, :]
        shares_end = (a[..., :1] == b).any(-1) | (a[..., 1:] == b).any(-1)
        self._are_separate = np.triu(~shares_end, 1)

    def cost(self, points: Mapping[str, tuple[float, float]]) -> tuple[int, float]:
        """Return the number of crossings with lines and labels, and the total vertical extent of the lines."""
        centres = np.array([points[name] for name in self._blocks], dtype=np.float64).reshape(-1, 2)
        start, end = centres[self._lines[:, 0]], centres[self._lines[:, 1]]
        crossing_count = int(np.count_nonzero(_crossing_lines(start, end) & self._are_separate))
        label_count = int(np.count_nonzero(self._lines_over_labels(centres)))
        return crossing_count + label_count, float(np.abs(start[:, 1] - end[:, 1]).sum())

    def covered_blocks(self, points: Mapping[str, tuple[float, float]]) -> set[str]:
        """Return the blocks with a label that a line crosses."""
        centres = np.array([points[name] for name in self._blocks], dtype=np.float64).reshape(-1, 2)
        return {self._blocks[self._host_indices[i]] for i in np.flatnonzero(self._lines_over_labels(centres).any(axis=0))}

    def _lines_over_labels(self, centres: FloatArray) -> npt.NDArray[np.bool_]:
        """Return a matrix of the lines (rows) that cross each label (columns)."""
        place = centres[self._host_indices]
        boxes = np.hstack([place + self._boxes[:, :2], place + self._boxes[:, 2:]])
        line_mask: npt.NDArray[np.bool_] = (
            lines_through_boxes(centres[self._lines[:, 0]], centres[self._lines[:, 1]], boxes) & self._is_free_label
        )
        return line_mask


def lines_through_boxes(start: FloatArray, end: FloatArray, boxes: FloatArray) -> npt.NDArray[np.bool_]:
    """Return a matrix of the lines (rows) that pass through each box (columns), by clipping (Liang and Barsky 1984)."""
    start, direction = start[:, None], (end - start)[:, None]
    low, high = boxes[None, :, :2], boxes[None, :, 2:]
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (low - start) / direction, (high - start) / direction
    is_between = (start > low) & (start < high)
    is_parallel = direction == 0
    entry_parameter = np.where(is_parallel, np.where(is_between, -np.inf, np.inf), np.minimum(a, b)).max(-1)
    exit_parameter = np.where(is_parallel, np.where(is_between, np.inf, -np.inf), np.maximum(a, b)).min(-1)
    crossing_mask: npt.NDArray[np.bool_] = np.maximum(entry_parameter, 0) < np.minimum(exit_parameter, 1)
    return crossing_mask


def _crossing_lines(start: FloatArray, end: FloatArray) -> npt.NDArray[np.bool_]:
    """Return a square matrix of the pairs of lines that cross."""
    p, q, r, s = start[:, None], end[:, None], start[None], end[None]
    crossing_mask: npt.NDArray[np.bool_] = (_is_counterclockwise(p, q, r) != _is_counterclockwise(p, q, s)) & (
        _is_counterclockwise(r, s, p) != _is_counterclockwise(r, s, q)
    )
    return crossing_mask


def _is_counterclockwise(a: FloatArray, b: FloatArray, c: FloatArray) -> npt.NDArray[np.bool_]:
    is_left: npt.NDArray[np.bool_] = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) > (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    return is_left
