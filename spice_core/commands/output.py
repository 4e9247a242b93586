"""Where the text of a command goes: to a file, or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from spice_core.errors import InputError


def put(text: str, out: str | None) -> None:
    """Write the text to this file, or to standard output. Raises InputError for a file that cannot be written."""
    if not out:
        sys.stdout.write(text)
        return
    try:
        Path(out).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(out, error.strerror, "a file that can be written") from None
