"""The methods of results that draw: provided to the classes below when spice_core is imported, loaded when they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spice_core.hooks import provide

if TYPE_CHECKING:
    import networkx as nx

    from spice_core.explain.explanation import Explanation
    from spice_core.metrics.result import SpiceResult


def register() -> None:
    """Provide the methods; called once, by the package."""
    provide("result.html", _html)
    provide("result.graph", _graph)
    provide("explanation.html", _html)


def _html(value: SpiceResult | Explanation) -> str:
    from spice_core.report.notebook import display

    return display(value)


def _graph(result: SpiceResult, view: str) -> nx.DiGraph:
    from spice_core.draw.network import viewed

    return viewed(result, view)
