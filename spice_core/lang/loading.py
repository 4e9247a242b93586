"""How pipelines are loaded: with the faster matrix products, and without plugins of other languages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def fast_cpu() -> Iterator[None]:
    """Build models whose matrix products use NumPy's BLAS, several times faster than the default on many machines."""
    from thinc.api import NumpyOps, get_current_ops, set_current_ops

    before = get_current_ops()
    set_current_ops(NumpyOps(use_blis=False))
    try:
        yield
    finally:
        set_current_ops(before)


@contextmanager
def without_plugins() -> Iterator[None]:
    """Build a pipeline without importing the spaCy plugins that happen to be installed (GiNZA, for one)."""
    from spacy.util import registry

    factories = registry._entry_point_factories
    before, factories.entry_points = factories.entry_points, False
    try:
        yield
    finally:
        factories.entry_points = before
