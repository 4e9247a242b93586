"""Comparison of scene graphs by meaning, with named inference rules (docs/rules.md#matching-by-meaning)."""
