"""Readers and writers of caption, graph and result files. Errors name the file and, if possible, the row and the field."""

from spice_core.data.items import Item, read_items
from spice_core.data.sources import Source

__all__ = ["Item", "Source", "read_items"]
