"""Output of commands: to a file, or to standard output."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from spice_core.errors import InputError, Message

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Out(io.FileIO):
    """Names the file where it cannot be written on: the disk may be full. A reader that has left raises BrokenPipeError."""

    def write(self, content: ReadableBuffer, /) -> int:
        try:
            return super().write(content)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _refused(self.name, error) from None


def put(text: str, out: str | None) -> None:
    """Write the text to this file, or to standard output. Raises InputError if the file cannot be written."""
    if not out:
        sys.stdout.write(text)
        return
    with opened(out) as file:
        file.write(text)


def opened(out: str | Path, mode: str = "w") -> TextIO:
    """The file, open for text. Raises InputError for one that cannot be written, also later, in writing."""
    try:
        return io.TextIOWrapper(io.BufferedWriter(_Out(out, mode)), encoding="utf-8", newline="\n")
    except OSError as error:
        raise _refused(out, error) from None


def check(*files: str | Path | None) -> None:
    """Check that these files can be written, before the work starts; none is changed. Raises InputError."""
    for file in (file for file in files if file):
        if os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file):
            continue  # a pipe would take the check for the whole output
        there = os.path.lexists(file)
        opened(file, "a").close()
        if not there:
            os.unlink(file)


def _refused(out: str | Path, error: OSError) -> InputError:
    return InputError(str(out), Message("found.unreadable", reason=error.strerror), Message("expected.writable_file"))
