"""Labels of nodes and the boxes around them, measured in Python because the layout needs their sizes before a browser draws."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

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
        """Return the point with swapped axes."""
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
        """Return the box with swapped axes."""
        return Box(self.top, self.left, self.bottom, self.right)

    def shrink(self, margin: float) -> Box:
        """Return the box with each border moved inwards by the margin."""
        return Box(self.left + margin, self.top + margin, self.right - margin, self.bottom - margin)

    def union(self, other: Box) -> Box:
        """Return the smallest box that contains both boxes."""
        return Box(min(self.left, other.left), min(self.top, other.top), max(self.right, other.right), max(self.bottom, other.bottom))


def node_label(words: Sequence[str]) -> str:
    """Return a node's label, the first word shortened and broken into lines, and the number of other words."""
    return "\n".join(break_lines(shorten_text(words[0]))) + (f" +{len(words) - 1}" if len(words) > 1 else "")


def caption_badge(captions: Sequence[int], total: int) -> str:
    """Return how many captions mention a node ("3/5"), or "" for a side with a single caption."""
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
    """Return the width of a label with its badge, and the additional height of its further lines."""
    last_width = text_width(label[-1], font_size) + (text_width(badge, 11) + 6 if badge else 0)
    return max([last_width, *(text_width(line, font_size) for line in label)]), (len(label) - 1) * font_size * LINE_HEIGHT_RATIO


NodeAttributes = Mapping[str, Any]  # attributes of a node; see draw.network.result_networks
MAX_LABEL_CHARS = 24
WIDE_LINE_CHARS = 9  # characters of a line in a wide script
LINE_HEIGHT_RATIO = 1.25  # line height relative to font size
_NON_INITIAL_CHARACTERS = frozenset("ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々、。・」）…")

# Advance widths of the font Inter, semi-bold, in thousandths of an em, for ASCII 32 to 126.
_CHARACTER_WIDTHS_MILLI_EM = (
    252, 321, 523, 644, 650, 1004, 663, 326, 373, 373, 540, 673, 319, 465, 319, 379, 660, 423, 623, 636, 666, 612, 640, 576,
    640, 640, 319, 329, 673, 673, 673, 543, 999, 728, 659, 737, 722, 605, 588, 749, 746, 277, 580, 703, 565, 922, 759, 769,
    645, 773, 652, 650, 660, 736, 728, 1020, 720, 713, 652, 373, 379, 373, 481, 469, 351, 574, 624, 583, 624, 591, 389, 625,
    612, 262, 262, 569, 262, 900, 612, 609, 624, 624, 397, 549, 353, 612, 587, 839, 569, 588, 566, 455, 359, 455, 673,
)  # fmt: skip


@lru_cache(maxsize=4096)
def text_width(text: str, font_size: float) -> float:
    """Return the width of one semi-bold line in pixels. A character of a wide script is 1 em wide."""
    return sum(_character_width_milli_em(character) for character in text) * font_size / 1000


def shorten_text(text: str, limit: int = MAX_LABEL_CHARS) -> str:
    """Truncate a text to ``limit`` characters, with a final ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def merge_words(candidate: Sequence[str], reference: Sequence[str]) -> list[str]:
    """Return the words of two matched nodes, candidate first. If neither first word is on the other side, join them: "racquet/racket"."""
    first_words = [candidate[0]] if candidate[0] in reference or reference[0] in candidate else [f"{candidate[0]}/{reference[0]}"]
    return list(dict.fromkeys([*first_words, *_other_words(first_words, candidate), *_other_words(first_words, reference)]))


def break_lines(text: str, limit: int = WIDE_LINE_CHARS) -> list[str]:
    """Break a long text in a wide script into lines of nearly equal length. Return any other text as one line."""
    if len(text) <= limit + 1 or 2 * sum(map(_is_wide, text)) <= len(text):
        return [text]
    even_length = math.ceil(len(text) / math.ceil(len(text) / limit))
    end = even_length
    while end < len(text) and (text[end] in _NON_INITIAL_CHARACTERS or not (_is_wide(text[end - 1]) or _is_wide(text[end]))):
        end += 1
    return [text[:end], *(break_lines(text[end:], even_length) if end < len(text) else [])]


def _other_words(first_words: Sequence[str], words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in first_words[0].split("/")]


def _character_width_milli_em(character: str) -> int:
    if 32 <= ord(character) < 127:
        return _CHARACTER_WIDTHS_MILLI_EM[ord(character) - 32]
    return 1000 if _is_wide(character) else 700


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
