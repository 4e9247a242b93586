"""Removal of chat template marks and simple Markdown from captions that language models wrote."""

from __future__ import annotations

import re

from spice_core.data.items import MAX_CAPTION_CHARS, unwrap_single_caption
from spice_core.errors import Message
from spice_core.syntax.clean_text import clean_text

_START_MARK = re.compile(
    r"\s*(?:<s>|<bos>|<\|im_start\|>assistant\b|<\|start_header_id\|>assistant<\|end_header_id\|>|<start_of_turn>model\b|<\|assistant\|>"
    r"|ASSISTANT:|Assistant:|<think>.*?</think>)\s*",
    re.DOTALL,
)
_END_MARKS = ("</s>", "<eos>", "<end_of_turn>", *(f"<|{name}|>" for name in ("im_end", "eot_id", "endoftext", "end_of_text", "end", "eos")))
_CODE_FENCE = re.compile(r"\s*```[\w-]*\n(.*?)\n?```\s*", re.DOTALL)
_MARKDOWN_MARKER = re.compile(
    r"^[ ]{0,3}(?:[-*•]|#{1,6}|\d{1,2}\.)[ \t]+(?=[^\W\d]|\*\*)", re.MULTILINE
)  # marker of a list or a heading before a letter or bold text
_BOLD_TEXT = re.compile(r"(?<![A-Za-z0-9*_])(\*\*|__)(?=[^\s*_])(.{1,300}?)(?<=[^\s*_])\1(?![A-Za-z0-9*_])")  # skips "f**k and s**t"


def clean_answer(text: str) -> str:
    """Remove chat template marks and simple Markdown from a caption.

    Example:
        >>> clean_answer("ASSISTANT: **A dog** on a sofa.<|im_end|>")
        'A dog on a sofa.'
        >>> clean_answer("a * sign on a wall")
        'a * sign on a wall'
    """
    if len(text) > MAX_CAPTION_CHARS:  # readers reject such a caption
        return text
    while start := _START_MARK.match(text):
        text = text[start.end() :]
    while (end := text.rstrip()).endswith(_END_MARKS):
        text = end[: end.rindex("<")].rstrip()
    if match := _CODE_FENCE.fullmatch(text):
        text = match[1]
    return _BOLD_TEXT.sub(r"\2", _MARKDOWN_MARKER.sub("", text))


class AnswerCleaner:
    """Cleans the candidates of a file, and counts the candidates that contained marks or Markdown."""

    def __init__(self) -> None:
        self._changed_count = 0

    def clean(self, value: object) -> object:
        """Remove marks and Markdown from a caption or from the only caption of a list. Return any other value unchanged."""
        text = unwrap_single_caption(value)
        if not isinstance(text, str):
            return value
        answer = clean_answer(text := clean_text(text))  # which may begin with invisible characters
        self._changed_count += answer != text
        return answer

    def notice(self, file: str) -> Message | None:
        """Return a notice with the number of changed captions, or None if no caption changed."""
        return Message("notice.marks", file=file, number=self._changed_count) if self._changed_count else None
