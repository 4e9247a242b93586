"""Methods whose work is done in a layer above their class: a table of functions, filled when spice_core is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_FUNCTIONS: dict[str, Callable[..., Any]] = {}


def provide(name: str, function: Callable[..., Any]) -> None:
    """Let the method of this name (``result.html``) call the function. Raises ValueError if it has one already."""
    if name in _FUNCTIONS:
        raise ValueError(f"hook {name!r} has a function already")
    _FUNCTIONS[name] = function


def provided(name: str) -> Callable[..., Any]:
    """The function of a method."""
    return _FUNCTIONS[name]
