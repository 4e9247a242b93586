"""How charts stand on the page."""

from __future__ import annotations

from typing import TypedDict

from pages.parts.kit import page


class _Look(TypedDict):
    theme: None
    config: dict[str, object]


class Colours(TypedDict):
    """Theme and palette of a chart."""

    theme: str
    paper: bool


LOOK: _Look = {"theme": None, "config": {"displayModeBar": False}}


def colours() -> Colours:
    """Theme and palette of the page, as options of a chart."""
    return {"theme": page.theme(), "paper": page.paper()}
