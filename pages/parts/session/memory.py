"""What stays for long, and the search for garbage."""

from __future__ import annotations

import gc


def settle() -> None:
    """Leave all that is loaded out of the search for garbage that follows every run of a page.

    What earlier visitors have left behind is collected first.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
