"""Boxes around nodes: the size of labels with marks and badges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spice_core.draw.labels import LINE_HEIGHT_RATIO, break_lines, shorten_text, text_width

OBJECT_HEIGHT_PX, ATTRIBUTE_HEIGHT_PX, DIAMOND_SIZE_PX = 34, 26, 26
PADDING_PX, MARK_WIDTH_PX = 10, 17  # space at each end of a label, and for the mark before it
RELATION_LABEL_PX = 20  # height of the text under the diamond


class Point(NamedTuple):
    """A position in pixels: x to the right, y down."""

    x: float
    y: float

    def shift(self, vector: Point) -> Point:
        """Return the point shifted by a vector."""
        return Point(self.x + vector.x, self.y + vector.y)

    def swap_axes(self) -> Point:
        """Return the point with exchanged axes."""
        return Point(self.y, self.x)


class Box(NamedTuple):
    """The bounding box of a node relative to its point. The box of a relation includes the label below the diamond."""

    left: float
    top: float
    right: float
    bottom: float

    def translate(self, point: Point) -> Box:
        """Return the box moved by the coordinates of a point."""
        return Box(self.left + point.x, self.top + point.y, self.right + point.x, self.bottom + point.y)

    def swap_axes(self) -> Box:
        """Return the box with exchanged axes."""
        return Box(self.top, self.left, self.bottom, self.right)

    def shrink(self, margin: float) -> Box:
        """Return the box with each border moved inwards by the margin."""
        return Box(self.left + margin, self.top + margin, self.right - margin, self.bottom - margin)

    def union(self, other: Box) -> Box:
        """Return the smallest box that contains both boxes."""
        return Box(min(self.left, other.left), min(self.top, other.top), max(self.right, other.right), max(self.bottom, other.bottom))


def node_label(words: Sequence[str]) -> str:
    """Return the label of a node: its first word, shortened and broken into lines, and the number of other words if there are any."""
    return "\n".join(break_lines(shorten_text(words[0]))) + (f" +{len(words) - 1}" if len(words) > 1 else "")


def caption_badge(captions: Sequence[int], total: int) -> str:
    """Return how many of the captions mention a node ("3/5"), or "" if the side has a single caption."""
    return f"{len(captions)}/{total}" if total > 1 else ""


def node_box(kind: str, words: Sequence[str], captions: Sequence[int] = (), total: int = 1) -> Box:
    """Return the bounding box of a node with label, mark and badge."""
    font_size = 14 if kind == "object" else 13
    label_width, label_height = _label_size(node_label(words).split("\n"), caption_badge(captions, total), font_size)
    if kind == "relation":
        half_width = max(DIAMOND_SIZE_PX, label_width + 6) / 2
        return Box(-half_width, -DIAMOND_SIZE_PX / 2, half_width, DIAMOND_SIZE_PX / 2 + RELATION_LABEL_PX + label_height)
    height = (OBJECT_HEIGHT_PX if kind == "object" else ATTRIBUTE_HEIGHT_PX) + label_height
    half_width = (label_width + MARK_WIDTH_PX + 2 * PADDING_PX) / 2
    return Box(-half_width, -height / 2, half_width, height / 2)


def _label_size(label: Sequence[str], badge: str, font_size: int) -> tuple[float, float]:
    """Return the width of a label with its badge, and the height added by lines after the first."""
    last_width = text_width(label[-1], font_size) + (text_width(badge, 11) + 6 if badge else 0)
    return max([last_width, *(text_width(line, font_size) for line in label)]), (len(label) - 1) * font_size * LINE_HEIGHT_RATIO
