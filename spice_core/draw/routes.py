"""Routes of lines: a line that would run under a label of its own end leaves that end sideways first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from spice_core.draw.crossings import Floats, under

XY = tuple[float, float]
_SHARES = (0.0, 1.0, 0.5, 0.3, 0.7, 0.15, 0.85)  # of the way from one end to the other
_CLEAR = 2  # pixels between a line and a label that it passes
_BESIDE = 4  # pixels between a block and the bend of a line that leaves it sideways


class Extents(Protocol):
    """A box with its sides."""

    @property
    def left(self) -> float: ...
    @property
    def right(self) -> float: ...


def routes(
    lines: Mapping[tuple[str, str], Sequence[XY]], blocks: Mapping[str, Extents], labels: Sequence[tuple[str, bool, Sequence[float]]]
) -> dict[tuple[str, str], tuple[XY, ...]]:
    """The bends of each line, given its points from end to end.

    ``blocks`` are the boxes of the ends with all their labels; ``labels`` the boxes of single labels with the name of their block,
    and whether they are its own, where its lines end.
    """
    boxes = np.array([box for *_, box in labels], dtype=np.float64).reshape(-1, 4) + np.array([-_CLEAR, -_CLEAR, _CLEAR, _CLEAR])
    bends = {}
    for ends, points in lines.items():
        others = np.array([not (own and name in ends) for name, own, _ in labels], dtype=bool)
        ways = _ways(points, [blocks[name] for name in ends]) if _hidden(points, boxes[others]) else [points]
        best = min(ways, key=lambda way: _hidden(way, boxes[others]))
        if best[1:-1]:
            bends[ends] = tuple(best[1:-1])
    return bends


def _ways(points: Sequence[XY], blocks: Sequence[Extents]) -> Iterator[list[XY]]:
    """The line as it is, then leaving its first end, its last, or both sideways, then with right angles at places between them."""
    first, last = _exit(points[0], points[1], blocks[0]), _exit(points[-1], points[-2], blocks[1])
    yield [*points]
    yield [points[0], first, *points[1:]]
    yield [*points[:-1], last, points[-1]]
    yield [points[0], first, *points[1:-1], last, points[-1]]
    if len(points) == 2:
        for share in _SHARES:
            x = first[0] + share * (last[0] - first[0])
            yield [points[0], (x, points[0][1]), (x, points[-1][1]), points[-1]]


def _exit(end: XY, toward: XY, block: Extents) -> XY:
    """The point beside a block, on the side where the line goes."""
    return (block.right + _BESIDE if toward[0] > end[0] else block.left - _BESIDE), end[1]


def _hidden(way: Sequence[XY], boxes: Floats) -> int:
    """The labels under which a line runs."""
    pairs = np.array([*itertools.pairwise(way)], dtype=np.float64)
    return int(np.count_nonzero(under(pairs[:, 0], pairs[:, 1], boxes)))
