"""Pickling and copying of metrics: with their settings and results, without sessions and caches."""

from __future__ import annotations

from functools import cached_property


class TransientCaches:
    """A base class whose pickles and copies leave out cached properties; a copy computes them again at first use."""

    def __getstate__(self) -> dict[str, object]:
        kind = type(self)
        return {name: value for name, value in vars(self).items() if not isinstance(getattr(kind, name, None), cached_property)}
