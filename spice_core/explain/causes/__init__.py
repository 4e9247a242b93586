"""Causes of unmatched tuples: suggested, counted, and compared where two people decided them."""
