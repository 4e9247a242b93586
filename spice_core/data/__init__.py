"""Caption and result files: read row by row, with exact errors, and written."""

from spice_core.data.items import Item, read_items
from spice_core.data.sources import Source

__all__ = ["Item", "Source", "read_items"]
