"""Pickling and copying of metrics without their caches."""

from __future__ import annotations

from functools import cached_property


class TransientCaches:
    """Base class whose pickles and copies omit cached properties, which a copy computes again at first use."""

    def __getstate__(self) -> dict[str, object]:
        kind = type(self)
        return {name: value for name, value in vars(self).items() if not isinstance(getattr(kind, name, None), cached_property)}
