"""How charts stand on the page."""

from __future__ import annotations

from pages.parts.kit import page

LOOK = {"theme": None, "config": {"displayModeBar": False}}


def colours() -> dict[str, object]:
    """Theme and palette of the page, as options of a chart."""
    return {"theme": page.theme(), "paper": page.paper()}
