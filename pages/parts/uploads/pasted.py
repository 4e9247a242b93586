"""Several captions pasted as lines, as a row of a spreadsheet, or as a JSON list of texts."""

from __future__ import annotations

import json
import re

_QUOTED_CELL = re.compile(r'^"([^"]*)"$')  # a quoted cell of a spreadsheet


def captions_in(text: str) -> tuple[str, ...]:
    """Return the captions in a field: the text itself, or several captions pasted together."""
    text = text.strip()
    if text.startswith("["):
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        if isinstance(values, list) and values and all(isinstance(value, str) for value in values):
            return tuple(value.strip() for value in values if value.strip())
    lines = text.replace("\t", "\n").splitlines()
    return tuple(caption for value in lines if (caption := _QUOTED_CELL.sub(r"\1", value.strip()).strip()))
