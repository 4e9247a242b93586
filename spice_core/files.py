"""Checks of the paths that users give, and the folder of the app."""

from __future__ import annotations

import os
from pathlib import Path

from spice_core.errors import InputError, Message

_INSTALLED_APP = Path(__file__).with_name("inspector")  # created when a wheel is built
APP_FOLDER = _INSTALLED_APP if _INSTALLED_APP.is_dir() else Path(__file__).parents[1]  # the folder of app.py, pages, assets and static


def check_regular(path: str | os.PathLike[str]) -> None:
    """Raise InputError for an invalid path, or for a pipe or device, which might never end. The file may be missing."""
    try:
        os.stat(path)
    except OSError:
        return
    except ValueError as error:  # a null character or a lone surrogate
        raise InputError(str(path), Message("found.unreadable", reason=str(error)), Message("expected.readable_file")) from None
    if not os.path.isfile(path) and not os.path.isdir(path):
        raise InputError(str(path), Message("found.pipe"), Message("expected.regular_file"))


def is_same_file(a: str | os.PathLike[str], b: str | os.PathLike[str]) -> bool:
    """Return whether two paths name the same file, which need not exist. Invalid paths never match."""
    if os.path.exists(a) and os.path.exists(b):
        return os.path.samefile(a, b)
    try:
        return os.path.realpath(a) == os.path.realpath(b)
    except ValueError:
        return False
