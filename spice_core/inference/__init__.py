"""Comparison of scene graphs by meaning: tuples that are entailed, contradicted or not mentioned, by named rules (docs/meaning.md)."""
