"""Causes of unmatched tuples: suggestions, counts, and the agreement of two people who decided them."""
