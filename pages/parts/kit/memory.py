"""What stays for long, the search for garbage, and memory that is given back."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress
from time import monotonic

_YOUNG_BLOCKS = 100_000  # blocks of memory, some five an object of the search, that may be new before they are left out of it
_SEARCH_S = 60.0  # between two searches of everything: what visitors leave behind stays no longer while others come


class _Last:
    """When everything was searched, and the blocks of memory in use when objects were last left out."""

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
    """Leave what is new out of the next searches if it is much; once a minute everything is searched.

    Streamlit searches after every run of a page, about a microsecond an object, while all other visitors wait. How much is new is
    estimated from the blocks in use: a list of the objects themselves would hold tuples that other threads are still building.
    """
    if monotonic() - _Last.at > _SEARCH_S:
        settle()
    elif sys.getallocatedblocks() - _Last.blocks > _YOUNG_BLOCKS:
        _freeze()


def _freeze() -> None:
    gc.freeze()
    _Last.blocks = sys.getallocatedblocks()


def give_back() -> None:
    """Give memory that is free back to the machine, where the C library holds on to it (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, or another system
        ctypes.CDLL(None).malloc_trim(0)
