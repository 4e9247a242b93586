"""What stays for long, the search for garbage, and memory that is given back."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def settle() -> None:
    """Leave all that is loaded out of the search for garbage that follows every run of a page.

    What earlier visitors have left behind is collected first, and what loading took for a moment is given back to the machine.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()


def give_back() -> None:
    """Give memory that is free back to the machine, where the C library holds on to it (glibc)."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, or another system
        ctypes.CDLL(None).malloc_trim(0)
