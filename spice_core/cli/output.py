"""Output of commands: to a file, or to standard output."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from spice_core.errors import InputError, Message
from spice_core.files import is_same_file

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _OutputFile(io.FileIO):
    """A file whose write errors, such as a full disk, become InputErrors that name the file. BrokenPipeError remains unchanged."""

    def write(self, content: ReadableBuffer, /) -> int:
        with _convert_write_errors(self.name):
            return super().write(content)


def write_output(text: str, out: str | None) -> None:
    """Write the text to the file ``out`` or, without it, to standard output. Raises InputError if the file cannot be written."""
    if not out:
        sys.stdout.write(text)
        return
    with open_output(out) as file:
        file.write(text)


def open_output(out: str | Path, mode: str = "w") -> TextIO:
    """Open a text file for writing. Raises InputError now or at a later write if that fails."""
    with _convert_write_errors(out):
        return io.TextIOWrapper(io.BufferedWriter(_OutputFile(out, mode)), encoding="utf-8", newline="\n")


@contextmanager
def lock_output(out: str | Path) -> Iterator[None]:
    """Lock an output file against other runs within a context. The system releases the lock of a killed process.

    If an error ends the run, a new file that is still empty is removed. Pipes and devices are not locked. Raises
    InputError if another run has locked the file.
    """
    if os.path.exists(out) and not os.path.isfile(out):
        yield  # a pipe or a device
        return
    exists = os.path.lexists(out)
    with open_output(out, "a") as file:
        try:
            _lock_file(file)
        except (BlockingIOError, PermissionError):
            raise InputError(str(out), Message("found.other_run"), Message("expected.own_file")) from None
        except OSError:
            pass  # the file system has no locks
        try:
            yield
        except BaseException:
            if not exists and os.path.isfile(out) and not os.path.getsize(out):
                file.close()
                os.unlink(out)
            raise


def _lock_file(file: TextIO) -> None:
    """Lock a file without waiting.

    Raises BlockingIOError or PermissionError if the file is locked, and OSError if the file system has no locks.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        file.seek(1 << 62)  # lock a position beyond the content
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_writable(*files: str | Path | None) -> None:
    """Raise InputError for a file that is not writable, without changing or creating any file."""
    for file in (file for file in files if file):
        with _convert_write_errors(file):
            if os.path.isfile(file) or os.path.isdir(file):
                open_output(file, "a").close()
            elif not os.path.exists(
                file
            ):  # a new file; pipes are not opened, because closing one signals the end of the output to its reader
                folder, name = os.path.split(os.path.realpath(file))
                with tempfile.TemporaryDirectory(dir=folder) as new_folder:
                    open(os.path.join(new_folder, name), "x").close()


def check_distinct(outputs: Mapping[str, str | Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Raise InputError if an output file is also an input or another output. Pipes and devices are not checked."""
    input_files, file_by_option = [file for file in inputs if file], dict[str, str | Path]()
    for option, file in outputs.items():
        if not file or (os.path.exists(file) and not os.path.isfile(file)):
            continue
        if any(is_same_file(file, other) for other in input_files):
            raise InputError(option, str(file), Message("expected.other_file"))
        if other_option := next((name for name, other in file_by_option.items() if is_same_file(file, other)), None):
            raise InputError(option, str(file), f"a file other than {other_option}")
        file_by_option[option] = file


@contextmanager
def _convert_write_errors(out: str | Path) -> Iterator[None]:
    """Convert errors of opening or writing a file to an InputError. Errors of closed pipes remain unchanged."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # A path with a null character raises ValueError.
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(str(out), Message("found.unreadable", reason=reason), Message("expected.writable_file")) from None
