"""Registries of components, which installed packages extend by entry points.

A package is imported when its part is first used. A part of this project has precedence over an added part with the same name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from logging import getLogger
from pathlib import Path
from typing import Generic, TypeVar

from spice_core.errors import Message, MissingResourceError

_T = TypeVar("_T")
_LOGGER = getLogger(__name__)
_PATH_SEPARATOR = " and "  # joins the paths of entry points with the same name


class Registry(Mapping[str, _T], Generic[_T]):
    """Components by name: bundled ones, then those of a group of entry points. ``load`` creates one from its path."""

    def __init__(self, group: str, bundled_parts: dict[str, _T], load: Callable[[str], _T]):
        self._group, self._parts, self._load = group, bundled_parts, load

    def __getitem__(self, name: str) -> _T:
        """Return a component. Raises KeyError, or MissingResourceError if a plug-in cannot be loaded."""
        return self._parts[name] if name in self._parts else self._load(added_paths(self._group)[name])

    def __contains__(self, name: object) -> bool:
        return name in self._parts or name in added_paths(self._group)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._parts, **added_paths(self._group)})

    def __len__(self) -> int:
        return len(list(iter(self)))


@cache
def added_paths(group: str) -> dict[str, str]:
    """Return the paths ``module:name`` of a group's entry points by name, joined if packages share a name."""
    files = (file for folder in sys.path for file in Path(folder or ".").glob("*-info/entry_points.txt"))
    if not any(f"[{group}]".encode() in file.read_bytes() for file in files):
        return {}
    from importlib.metadata import entry_points  # takes 0.1 s

    paths: dict[str, set[str]] = {}
    for point in entry_points(group=group):
        paths.setdefault(point.name, set()).add(f"{point.module}:{point.attr}")
    return {name: _PATH_SEPARATOR.join(sorted(found_paths)) for name, found_paths in paths.items()}


def load_added(path: str, expected_type: type[_T]) -> _T:
    """Return the object at ``module:name``. Raises MissingResourceError if it is missing or of another type."""
    module, _, name = path.partition(":")
    try:
        part = getattr(import_module(module), name)
        if not isinstance(part, expected_type):
            raise TypeError(f"found {type(part).__name__}, expected {expected_type.__name__}")
    except Exception as error:  # packages may raise any exception
        raise broken_plugin_error(path, error) from error
    return part


def broken_plugin_error(path: str, error: Exception) -> MissingResourceError:
    """Return the error for a plug-in that raised this exception, or whose name several packages use."""
    if _PATH_SEPARATOR in path:
        error = ValueError(f"found {path.count(_PATH_SEPARATOR) + 1} packages that add a part with this name, expected one")
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return MissingResourceError(Message("error.broken_plugin", path=path, reason=reason[:200]))


def load_working(names: Iterable[str], load: Callable[[str], _T]) -> list[_T]:
    """Return the components that can be loaded. Each other component is logged once."""
    parts = []
    for name in names:
        try:
            parts.append(load(name))
        except MissingResourceError as error:
            _log_once(str(error))
    return parts


@cache
def _log_once(line: str) -> None:
    _LOGGER.warning(line)
