"""What stays for long, the search for garbage, and memory that is given back."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress
from time import monotonic

_YOUNG = 20_000  # objects that each search for garbage may look at
_SEARCH_S = 60.0  # between two searches of everything: what visitors leave behind stays no longer while others come


class _Last:
    """When everything was searched."""

    at = float("-inf")


def settle() -> None:
    """Leave all that is loaded out of the search for garbage that follows every run of a page.

    What earlier visitors have left behind is collected first, and what loading took for a moment is given back to the machine.
    """
    _Last.at = monotonic()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()


def tidy() -> None:
    """Leave what has outlived a search out of the next ones; once a minute everything is searched.

    Streamlit searches after every run of a page, about a microsecond an object, while all other visitors wait.
    """
    if monotonic() - _Last.at > _SEARCH_S:
        settle()
    elif len(gc.get_objects(generation=2)) > _YOUNG:
        gc.freeze()


def give_back() -> None:
    """Give memory that is free back to the machine, where the C library holds on to it (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, or another system
        ctypes.CDLL(None).malloc_trim(0)
