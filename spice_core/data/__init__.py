"""Readers and writers of caption and result files. Readers work row by row and report the exact place of each error."""

from spice_core.data.items import Item, read_items
from spice_core.data.sources import Source

__all__ = ["Item", "Source", "read_items"]
