"""Charts of the pages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

Points = Sequence[Mapping[str, Any]]


def show_chart(
    figure: Figure, *, key: str, alt: str, on_click: Callable[[int], None] | None = None, on_box: Callable[[Points], None] | None = None
) -> None:
    """Show a chart.

    After a click on a bar or point, ``on_click`` receives its index. When the visitor draws a box, ``on_box`` receives the points in it.
    """

    def handle_selection() -> None:
        points = st.session_state[key].selection.points
        if on_box:
            on_box(points)
        elif on_click and points:
            on_click(points[0]["point_index"])

    options: dict[str, Any] = {"theme": None, "config": {"displayModeBar": False}, "alt": alt}
    if on_click or on_box:
        options |= {"on_select": handle_selection, "selection_mode": "box" if on_box else "points"}
    st.plotly_chart(figure, key=key, **options)
