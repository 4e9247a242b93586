"""The cost of an arrangement of blocks and lines: crossing lines, and lines through labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

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
        """Return how often lines cross other lines or labels, and the total vertical extent of the lines."""
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
        """Return a matrix that marks which lines (rows) cross which labels (columns)."""
        place = centres[self._host_indices]
        boxes = np.hstack([place + self._boxes[:, :2], place + self._boxes[:, 2:]])
        line_mask: npt.NDArray[np.bool_] = (
            lines_through_boxes(centres[self._lines[:, 0]], centres[self._lines[:, 1]], boxes) & self._is_free_label
        )
        return line_mask


def lines_through_boxes(start: FloatArray, end: FloatArray, boxes: FloatArray) -> npt.NDArray[np.bool_]:
    """Return a matrix that marks which lines (rows) pass through which boxes (columns), by clipping (Liang and Barsky 1984)."""
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
    """Return a square matrix that marks the pairs of lines that cross."""
    p, q, r, s = start[:, None], end[:, None], start[None], end[None]
    crossing_mask: npt.NDArray[np.bool_] = (_is_left_of(p, q, r) != _is_left_of(p, q, s)) & (_is_left_of(r, s, p) != _is_left_of(r, s, q))
    return crossing_mask


def _is_left_of(a: FloatArray, b: FloatArray, c: FloatArray) -> npt.NDArray[np.bool_]:
    is_left: npt.NDArray[np.bool_] = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) > (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    return is_left
