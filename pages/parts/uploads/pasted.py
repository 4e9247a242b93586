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
        if isinstance(values, list) and values and all(isinstance(each, str) for each in values):
            return tuple(each.strip() for each in values if each.strip())
    parts = text.replace("\t", "\n").splitlines()
    return tuple(part for each in parts if (part := _QUOTED_CELL.sub(r"\1", each.strip()).strip()))
