"""How pipelines are described and loaded: with the faster matrix products, and without plugins of other languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spice_core.errors import MissingResourceError


def meta(folder: Path) -> dict[str, object]:
    """What a pipeline's folder says of it (name, version, …), without loading it. Raises MissingResourceError."""
    path = folder / "meta.json"
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise MissingResourceError(f"{path}: found {error!r}, expected the description of a spaCy pipeline; install it again") from None


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
