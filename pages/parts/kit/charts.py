"""Options of all charts of the pages."""

from __future__ import annotations

from typing import TypedDict


class _Look(TypedDict):
    theme: None
    config: dict[str, object]


CHART_OPTIONS: _Look = {"theme": None, "config": {"displayModeBar": False}}
