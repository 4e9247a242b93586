"""What stays for long, the search for garbage, and memory that is given back."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress
from time import monotonic

_MAX_NEW_BLOCKS = 100_000  # memory blocks, about five per object, that may be new before their objects are excluded
_SEARCH_S = 60.0  # between two searches of everything: what visitors leave behind stays no longer while others come


class _Last:
    """Time of the last full search, and memory blocks in use when objects were last excluded."""

    at = float("-inf")
    blocks = 0


def settle() -> None:
    """Leave all that is loaded out of the search for garbage that follows every run of a page.

    What earlier visitors have left behind is collected first, and what loading took for a moment is given back to the machine.
    """
    _Last.at = monotonic()
    gc.unfreeze()
    gc.collect()
    _freeze()
    give_back()


def tidy() -> None:
    """Exclude new objects from later searches if there are many; once a minute everything is searched.

    Streamlit searches after every run of a page, about a microsecond per object, while all other visitors wait. The number of new
    objects is estimated from the memory blocks in use: listing the objects would reference tuples that other threads are still building.
    """
    if monotonic() - _Last.at > _SEARCH_S:
        settle()
    elif sys.getallocatedblocks() - _Last.blocks > _MAX_NEW_BLOCKS:
        _freeze()


def _freeze() -> None:
    """Exclude all current objects from later searches."""
    gc.freeze()
    _Last.blocks = sys.getallocatedblocks()


def give_back() -> None:
    """Give memory that is free back to the machine, where the C library holds on to it (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, or another system
        ctypes.CDLL(None).malloc_trim(0)
