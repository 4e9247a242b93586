"""Comparison of scene graphs by meaning: tuples that are entailed, contradicted or not mentioned, by named rules (docs/rules.md#matching-by-meaning)."""
