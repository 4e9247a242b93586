"""Readers and writers of caption and result files; readers go row by row and report exact errors."""

from spice_core.data.items import Item, read_items
from spice_core.data.sources import Source

__all__ = ["Item", "Source", "read_items"]
