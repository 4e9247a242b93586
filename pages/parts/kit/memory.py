"""Memory of the server: exclude long-lived objects from garbage collection, and return free memory to the system."""

import ctypes
import gc
import sys
from contextlib import suppress
from time import monotonic

_MAX_NEW_BLOCKS = 100_000  # new objects are excluded after this many new memory blocks (about five per object)
_FULL_SEARCH_INTERVAL_S = 60.0  # minimum interval between full garbage collections, which free the objects of earlier visitors


class _LastCollection:
    """Time of the last full garbage collection, and number of memory blocks in use when objects were last excluded."""

    at = float("-inf")
    blocks = 0


def freeze_loaded_objects() -> None:
    """Run a full garbage collection, exclude all remaining objects from later collections, and return free memory to the system."""
    _LastCollection.at = monotonic()
    gc.unfreeze()
    gc.collect()
    _freeze_objects()
    release_free_memory()


def freeze_new_objects() -> None:
    """Exclude new objects from later collections once there are many, and run a full garbage collection at most once a minute.

    Streamlit collects garbage after every run of a page. A collection takes about a microsecond per object and blocks all other visitors.
    The number of new objects is estimated from the memory blocks in use, because a list of the objects would reference tuples that other
    threads are still building.
    """
    if monotonic() - _LastCollection.at > _FULL_SEARCH_INTERVAL_S:
        freeze_loaded_objects()
    elif sys.getallocatedblocks() - _LastCollection.blocks > _MAX_NEW_BLOCKS:
        _freeze_objects()


def _freeze_objects() -> None:
    """Exclude all current objects from later garbage collections."""
    gc.freeze()
    _LastCollection.blocks = sys.getallocatedblocks()


def release_free_memory() -> None:
    """Make the C library (glibc) return free memory to the system."""
    with suppress(AttributeError, OSError, TypeError):  # another C library, or another system
        ctypes.CDLL(None).malloc_trim(0)
