"""Fixtures: results made from propositions."""

from tests.results import result, synonyms

__all__ = ["result", "synonyms"]
