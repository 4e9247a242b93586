"""How charts stand on the page."""

from __future__ import annotations

from typing import TypedDict


class _Look(TypedDict):
    theme: None
    config: dict[str, object]


LOOK: _Look = {"theme": None, "config": {"displayModeBar": False}}
