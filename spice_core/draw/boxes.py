"""The extents of nodes: labels with marks and badges, as large as every side of a comparison needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spice_core.draw.labels import LEADING, lines, shortened, width

OBJECT_HEIGHT, ATTRIBUTE_HEIGHT, DIAMOND = 34, 26, 26
PADDING, MARK = 10, 17  # at both ends of a label; for the mark in front of it
RELATION_LABEL = 20  # height of the text line under the diamond


class Point(NamedTuple):
    """A place, x to the right and y down."""

    x: float
    y: float

    def moved(self, by: Point) -> Point:
        """The place as far from this one as ``by`` is from the origin."""
        return Point(self.x + by.x, self.y + by.y)


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
