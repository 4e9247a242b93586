"""Layout of a caption: its text with single spaces, and the positions of sentence breaks and Markdown markup."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARKUP_HINT = re.compile(r"^[^.,!?]{0,40}:\s|[\n\r\v\f\x85\u2028\u2029*_#•`]|[:.!?\"”)] +(?:[-–]|\d{1,2}[.)]) |^\s*(?:[-–>]|\d{1,2}[.)]) ")
_LIST_ITEM = re.compile(r"\s*(?:[-–*•+>]|\(?\d{1,2}[.)])\s+")
_INLINE_LIST_ITEM = re.compile(r"(?<=[:.!?\"”)*])[ \t]+(?=(?:[-–•*]|\d{1,2}[.)])\s+[*\"“]*[A-Z])|[ \t]+(?=•)")
_HEADING = re.compile(r"\s*(?:#{1,6}\s.*|(\*\*|__)[^*_]+\1:?\s*|\S.*:\s*|[-*_=]{3,}\s*)$")
_LABEL = re.compile(r"\s*(?:(\*\*|__)[^*_]{1,60}(?::\1|\1\s*:)|[A-Z][^\W\d_]*(?: [\w/&]+){0,2}:(?=\s))")
_FRAME_LABEL = re.compile(
    r"image|photo|picture|scene|caption|description|answer|background|foreground|title|setting|summary", re.IGNORECASE
)
_EMPHASIS = re.compile(r"\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|`+")
_SENTENCE_END = re.compile(r"[.!?:;][\"”’')*_]*$")


class Layout(NamedTuple):
    """Caption with single spaces.

    ``breaks`` are the offsets where a sentence must begin, and ``markup`` holds the spans that are not words.
    """

    text: str
    breaks: tuple[int, ...] = ()
    markup: tuple[tuple[int, int], ...] = ()

    def spans_outside_markup(self, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the spans that do not begin inside markup. The spans must be in order."""
        if not self.markup:
            return spans
        out, index = [], 0
        for span in spans:
            while index < len(self.markup) and self.markup[index][1] <= span[0]:
                index += 1
            if index == len(self.markup) or span[0] < self.markup[index][0]:
                out.append(span)
        return out


def layout_caption(caption: str) -> Layout:
    """Return the layout of a caption.

    List items and paragraphs begin sentences. Bullets, headings, labels and emphasis marks are markup.
    """
    if not _MARKUP_HINT.search(caption):
        return Layout(" ".join(caption.split()))
    text, breaks, markup = "", [], []
    pieces, follows_blank = (
        [piece for line in caption.splitlines() for piece in (_INLINE_LIST_ITEM.split(line) if line.strip() else [""])],
        False,
    )
    for piece in pieces:
        line = " ".join(piece.split())
        if not line:
            follows_blank = True
            continue
        item = _LIST_ITEM.match(line + " ")
        if text and (item or follows_blank or _SENTENCE_END.search(text) or (line.startswith(("#", "*", "_")) and _HEADING.match(line))):
            breaks.append(len(text) + 1)
        start = len(text) + bool(text)
        text += " " * bool(text) + line
        markup += [(start + a, start + b) for a, b in _markup_spans(line, item.end() if item else 0, in_list=len(pieces) > 1)]
        follows_blank = False
    return Layout(text, tuple(breaks), tuple(markup))


def _markup_spans(line: str, begin: int, *, in_list: bool) -> list[tuple[int, int]]:
    """Return the spans of a line that are not words: bullets, labels, headings and emphasis marks."""
    out, begin = ([(0, min(begin, len(line)))] if begin else []), min(begin, len(line))
    if in_list and _HEADING.match(line[begin:]):
        return [(0, len(line))]
    if label := _LABEL.match(line[begin:]):
        if in_list or label.group(1) or _FRAME_LABEL.search(label.group()):
            out.append((begin, begin + label.end()))
            begin += label.end()
    return out + [(begin + m.start(), begin + m.end()) for m in _EMPHASIS.finditer(line[begin:])]
