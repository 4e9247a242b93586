"""Scores against ratings as plotly figures."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from spice_core.draw import look
from spice_core.draw.charts import template

_MOST = 9  # boxes; more levels than these are rounded to whole ratings


def by_rating(
    scores: Sequence[float], ratings: Sequence[float], *, names: tuple[str, str], theme: str = "light", paper: bool = False
) -> go.Figure:
    """The spread of a metric's scores at each rating: a box with its points; ``names`` are those of the axes (rating, score)."""
    colours = look.palette(theme, paper=paper)
    levels = ratings if len(set(ratings)) <= _MOST else [float(int(r + 0.5)) for r in ratings]
    figure = go.Figure(layout={"template": template(theme, paper=paper)})
    figure.add_box(
        x=list(levels),
        y=list(scores),
        boxpoints="all",
        jitter=0.6,
        pointpos=0,
        marker={"size": 4, "color": colours["muted"], "opacity": 0.6},
        line={"color": colours["ink"], "width": 1.5},
        fillcolor="rgba(0,0,0,0)",
        hoverinfo="y",
    )
    figure.update_xaxes(title=names[0], fixedrange=True, dtick=1)
    figure.update_yaxes(title=names[1], fixedrange=True, rangemode="tozero", automargin=True)
    figure.update_layout(height=320, showlegend=False, margin={"l": 4, "r": 4, "t": 8, "b": 40}, dragmode=False)
    return figure
