"""Scores as plotly figures."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from spice_core.draw import look
from spice_core.draw.texts import counted
from spice_core.scoring import Score

KIND_OF = {"Object": "object", "Relation": "relation"}


def template(theme: str) -> go.layout.Template:
    """The plotly template of a theme: transparent ground, hairlines, the interface's face."""
    colours = look.PALETTES[theme]
    axis = {"gridcolor": colours["line"], "linecolor": colours["line"], "zerolinecolor": colours["muted"], "ticks": ""}
    layout = go.Layout(
        font={"family": look.SANS, "size": 13, "color": colours["ink"]},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        colorway=[colours[kind] for kind in look.KINDS],
        xaxis=axis,
        yaxis=axis,
        hoverlabel={"font": {"family": look.SANS, "size": 13}},
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
    )
    return go.layout.Template(layout=layout)


def categories(
    scores: Mapping[str, Score], names: Mapping[str, str], *, theme: str = "light", scale: int = 1, undefined: str = "n/a"
) -> go.Figure:
    """F1 of each category as a bar from zero, the counts beside it; ``names`` gives their order and how they are called.

    ``scale`` is 1 or 100. A category without reference tuples has no bar but the word ``undefined``.
    """
    colours = look.PALETTES[theme]
    shown = [(names[key], scores[key], KIND_OF.get(key, "attribute")) for key in names if key in scores]
    figure = go.Figure(layout={"template": template(theme)})
    figure.add_bar(
        y=[name for name, _, _ in shown],
        x=[score.f1 * scale if score.defined else 0 for _, score, _ in shown],
        orientation="h",
        width=0.5,
        marker={"color": [colours[kind] for _, _, kind in shown], "line": {"width": 0}},
        text=[f" {score.f1 * scale:.{3 if scale == 1 else 1}f}" if score.defined else f" {undefined}" for _, score, _ in shown],
        textposition="outside",
        textfont={"color": [colours["ink"] if score.defined else colours["muted"] for _, score, _ in shown]},
        cliponaxis=False,
        hoverinfo="skip",
    )
    for name, score, _ in shown:
        counts = f"{counted(score.matched)}/{score.candidate} · {counted(score.matched)}/{score.reference}"
        figure.add_annotation(
            x=1, xref="paper", y=name, text=counts, showarrow=False, xanchor="right", font={"size": 13, "color": colours["muted"]}
        )
    figure.update_xaxes(range=[0, scale * 1.62], tickvals=[0, scale / 2, scale], fixedrange=True, tickfont={"color": colours["muted"]})
    figure.update_yaxes(autorange="reversed", fixedrange=True, showgrid=False, ticksuffix="  ", automargin=True)
    figure.update_layout(height=32 * len(shown) + 36, showlegend=False, bargap=0.4)
    return figure
