"""Models on a CPU: the faster of the matrix products that thinc knows, and nothing imported that a model does not need."""

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
def own_factories() -> Iterator[None]:
    """Build a pipeline of spaCy's own parts without importing every installed package that offers others, as GiNZA does."""
    from spacy.util import registry

    offered = registry._entry_point_factories
    before, offered.entry_points = offered.entry_points, False
    try:
        yield
    finally:
        offered.entry_points = before
