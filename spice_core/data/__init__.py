"""Caption files: reading them row by row with exact errors, and writing results."""

from spice_core.data.items import Item, read_items

__all__ = ["Item", "read_items"]
