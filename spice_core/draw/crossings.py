"""The cost of an arrangement of blocks and lines: lines that cross, and lines that run under a label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Crossings:
    """Counts for one set of blocks and lines, whose points vary.

    ``lines`` are pairs of blocks, ``labels`` the blocks with each of their boxes (left, top, right, bottom around the block's
    point); the first box of a block is its own, where its lines end.
    """

    def __init__(self, lines: Sequence[tuple[str, str]], labels: Sequence[tuple[str, tuple[float, float, float, float]]]):
        blocks = list(dict.fromkeys([*(name for pair in lines for name in pair), *(name for name, _ in labels)]))
        at = {name: i for i, name in enumerate(blocks)}
        self._blocks = blocks
        self._lines = np.array([(at[a], at[b]) for a, b in lines], dtype=np.intp).reshape(-1, 2)
        self._hosts = np.array([at[name] for name, _ in labels], dtype=np.intp)
        self._boxes = np.array([box for _, box in labels], dtype=np.float64).reshape(-1, 4)
        own = {name: i for i, (name, _) in reversed([*enumerate(labels)])}
        first = np.isin(np.arange(len(labels)), [*own.values()])
        ends = (self._lines[:, :1] == self._hosts) | (self._lines[:, 1:] == self._hosts)
        self._free = ~(ends & first)
        a, b = self._lines[:, None, :], self._lines[None, :, :]
        shared = (a[..., :1] == b).any(-1) | (a[..., 1:] == b).any(-1)
        self._apart = np.triu(~shared, 1)

    def cost(self, points: Mapping[str, tuple[float, float]]) -> tuple[int, float]:
        """Lines across lines and lines under labels; then how far lines go up or down in all."""
        at = np.array([points[name] for name in self._blocks], dtype=np.float64).reshape(-1, 2)
        start, end = at[self._lines[:, 0]], at[self._lines[:, 1]]
        crossed = int(np.count_nonzero(_cross(start, end) & self._apart))
        hit = int(np.count_nonzero(self._under(at)))
        return crossed + hit, float(np.abs(start[:, 1] - end[:, 1]).sum())

    def hidden(self, points: Mapping[str, tuple[float, float]]) -> set[str]:
        """The blocks with a label under which a line runs."""
        at = np.array([points[name] for name in self._blocks], dtype=np.float64).reshape(-1, 2)
        return {self._blocks[self._hosts[i]] for i in np.flatnonzero(self._under(at).any(axis=0))}

    def _under(self, at: Floats) -> npt.NDArray[np.bool_]:
        """Which line (row) runs under which label (column)."""
        place = at[self._hosts]
        boxes = np.hstack([place + self._boxes[:, :2], place + self._boxes[:, 2:]])
        found: npt.NDArray[np.bool_] = under(at[self._lines[:, 0]], at[self._lines[:, 1]], boxes) & self._free
        return found


def under(start: Floats, end: Floats, boxes: Floats) -> npt.NDArray[np.bool_]:
    """Which line (row) passes through which box (column): it is clipped to the box on both axes (Liang and Barsky 1984)."""
    start, way = start[:, None], (end - start)[:, None]
    low, high = boxes[None, :, :2], boxes[None, :, 2:]
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (low - start) / way, (high - start) / way
    inside = (start > low) & (start < high)
    still = way == 0
    enter = np.where(still, np.where(inside, -np.inf, np.inf), np.minimum(a, b)).max(-1)
    leave = np.where(still, np.where(inside, np.inf, -np.inf), np.maximum(a, b)).min(-1)
    found: npt.NDArray[np.bool_] = np.maximum(enter, 0) < np.minimum(leave, 1)
    return found


def _cross(start: Floats, end: Floats) -> npt.NDArray[np.bool_]:
    """Which line crosses which, as a square matrix."""
    p, q, r, s = start[:, None], end[:, None], start[None], end[None]
    crossed: npt.NDArray[np.bool_] = (_side(p, q, r) != _side(p, q, s)) & (_side(r, s, p) != _side(r, s, q))
    return crossed


def _side(a: Floats, b: Floats, c: Floats) -> npt.NDArray[np.bool_]:
    above: npt.NDArray[np.bool_] = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) > (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    return above
