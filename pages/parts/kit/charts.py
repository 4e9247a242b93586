"""Options of all charts of the pages."""

from __future__ import annotations

from typing import TypedDict


class _ChartOptions(TypedDict):
    theme: None
    config: dict[str, object]


CHART_OPTIONS: _ChartOptions = {"theme": None, "config": {"displayModeBar": False}}
