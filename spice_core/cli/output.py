"""Output of commands: to a file, or to standard output."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from spice_core.errors import InputError, Message
from spice_core.files import same_file

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


def check_apart(outputs: Mapping[str, str | Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Check that no output, by its option, is an input or another output. Raises InputError; pipes and devices may come twice."""
    given, taken = [file for file in inputs if file], dict[str, str | Path]()
    for option, file in outputs.items():
        if not file or (os.path.exists(file) and not os.path.isfile(file)):
            continue
        if any(same_file(file, other) for other in given):
            raise InputError(option, str(file), Message("expected.other_file"))
        if twice := next((name for name, other in taken.items() if same_file(file, other)), None):
            raise InputError(option, str(file), f"a file other than {twice}")
        taken[option] = file


def _refused(out: str | Path, error: OSError) -> InputError:
    return InputError(str(out), Message("found.unreadable", reason=error.strerror), Message("expected.writable_file"))
