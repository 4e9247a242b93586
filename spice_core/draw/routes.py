"""Routes of lines: a line that would cross a label leaves its ends sideways or bends at right angles."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from spice_core.draw.crossings import FloatArray, lines_through_boxes

Coordinates = tuple[float, float]
_BEND_POSITIONS = (0.0, 1.0, 0.5, 0.3, 0.7, 0.15, 0.85)  # fractions of the horizontal distance
_CLEARANCE_PX = 2  # minimum distance of a line from a label
_EXIT_DISTANCE_PX = 4  # from a block to the bend of a line that leaves it sideways


class BoxExtents(Protocol):
    """A box with its sides."""

    @property
    def left(self) -> float: ...
    @property
    def right(self) -> float: ...


def find_routes(
    lines: Mapping[tuple[str, str], Sequence[Coordinates]],
    blocks: Mapping[str, BoxExtents],
    labels: Sequence[tuple[str, bool, Sequence[float]]],
) -> dict[tuple[str, str], tuple[Coordinates, ...]]:
    """Return the bends of each line that has any.

    Args:
        lines: The points of each line from end to end, by the names of its ends.
        blocks: The boxes of the ends with all their labels.
        labels: For each label the name of its block, whether the lines of the block end at it, and its box.
    """
    boxes = np.array([box for *_, box in labels], dtype=np.float64).reshape(-1, 4) + _CLEARANCE_PX * np.array([-1, -1, 1, 1])
    bends = {}
    for ends, points in lines.items():
        others = np.array([not (own and name in ends) for name, own, _ in labels], dtype=bool)
        ways = _candidate_routes(points, [blocks[name] for name in ends]) if _count_labels(points, boxes[others]) else [points]
        best = min(ways, key=lambda way: _count_labels(way, boxes[others]))
        if best[1:-1]:
            bends[ends] = tuple(best[1:-1])
    return bends


def _candidate_routes(points: Sequence[Coordinates], blocks: Sequence[BoxExtents]) -> Iterator[list[Coordinates]]:
    """Yield the line, then routes that leave the first, the last or both ends sideways, then routes with right angles."""
    first, last = _exit_point(points[0], points[1], blocks[0]), _exit_point(points[-1], points[-2], blocks[1])
    yield [*points]
    yield [points[0], first, *points[1:]]
    yield [*points[:-1], last, points[-1]]
    yield [points[0], first, *points[1:-1], last, points[-1]]
    if len(points) == 2:
        for share in _BEND_POSITIONS:
            x = first[0] + share * (last[0] - first[0])
            yield [points[0], (x, points[0][1]), (x, points[-1][1]), points[-1]]


def _exit_point(end: Coordinates, toward: Coordinates, block: BoxExtents) -> Coordinates:
    """Return the point beside a block in the direction of the line."""
    return (block.right + _EXIT_DISTANCE_PX if toward[0] > end[0] else block.left - _EXIT_DISTANCE_PX), end[1]


def _count_labels(way: Sequence[Coordinates], boxes: FloatArray) -> int:
    """Return the number of boxes that a line crosses."""
    pairs = np.array([*itertools.pairwise(way)], dtype=np.float64)
    return int(np.count_nonzero(lines_through_boxes(pairs[:, 0], pairs[:, 1], boxes)))
