"""Where what a command writes goes: to a file, or to standard output."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

from spice_core.errors import InputError


def put(text: str, out: str | None) -> None:
    """Write the text to this file, or to standard output. Raises InputError for a file that cannot be written."""
    if not out:
        sys.stdout.write(text)
        return
    try:
        Path(out).write_text(text, encoding="utf-8")
    except OSError as error:
        raise _refused(out, error) from None


def opened(out: str | Path, mode: str = "w") -> TextIO:
    """The file, open for text. Raises InputError for one that cannot be written."""
    try:
        return open(out, mode, encoding="utf-8", newline="\n")
    except OSError as error:
        raise _refused(out, error) from None


def check(*files: str | Path | None) -> None:
    """Try whether these files can be written, before the work that they are for; none is changed. Raises InputError."""
    for file in filter(None, files):
        if os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file):
            continue  # a pipe would take the try for all there is
        there = os.path.lexists(file)
        opened(file, "a").close()
        if not there:
            os.unlink(file)


def _refused(out: str | Path, error: OSError) -> InputError:
    return InputError(str(out), error.strerror, "a file that can be written")
