"""Files as users name them."""

from __future__ import annotations

import os

from spice_core.errors import InputError, Message


def check_regular(path: str | os.PathLike[str]) -> None:
    """Raises InputError for a pipe or a device: reading one might never end."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise InputError(str(path), Message("found.pipe"), Message("expected.regular_file"))
