"""Scores as plotly figures."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from spice_core.draw import look
from spice_core.draw.labels import width
from spice_core.draw.texts import counted, ratio
from spice_core.scoring import Score

KIND_OF = {"Object": "object", "Relation": "relation"}
GAP = 16  # pixels before a column of figures


def template(theme: str, *, paper: bool = False) -> go.layout.Template:
    """The plotly template of a theme: transparent ground, hairlines, the interface's face."""
    colours = look.palette(theme, paper=paper)
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
    scores: Mapping[str, Score],
    names: Mapping[str, str],
    *,
    theme: str = "light",
    paper: bool = False,
    scale: int = 1,
    undefined: str = "n/a",
    chosen: str | None = None,
) -> go.Figure:
    """F1 of each category as a bar from zero, precision and recall as marks on it, F1 and the counts in figures beside it.

    ``names`` gives their order and how they are called; ``scale`` is 1 or 100; all but the ``chosen`` category are pale. A
    category without reference tuples has no bar but the word ``undefined``. A row can be clicked between 0 and 1.
    """
    colours = look.palette(theme, paper=paper)
    shown = [(key, names[key], scores[key], KIND_OF.get(key, "attribute")) for key in names if key in scores]
    labels = [name for _, name, _, _ in shown]
    strength = [1 if chosen in (None, key) else 0.3 for key, _, _, _ in shown]
    room = scale * 1.04
    figure = go.Figure(layout={"template": template(theme, paper=paper), "barmode": "overlay"})
    figure.add_bar(y=labels, x=[room] * len(shown), orientation="h", width=1, marker={"color": "rgba(0,0,0,0)"}, hoverinfo="none")
    figure.add_bar(
        y=labels,
        x=[score.f1 * scale if score.defined else 0 for _, _, score, _ in shown],
        orientation="h",
        width=0.5,
        marker={"color": [colours[kind] for _, _, _, kind in shown], "opacity": strength, "line": {"width": 0}},
        hoverinfo="skip",
    )
    for part, symbol in (("precision", "circle-open"), ("recall", "diamond-open")):
        values = [getattr(score, part) * scale if score.defined else None for _, _, score, _ in shown]
        marker = {"symbol": symbol, "size": 9, "color": colours["ink"], "line": {"width": 1.5}}
        figure.add_scatter(y=labels, x=values, mode="markers", marker=marker, hoverinfo="skip", cliponaxis=False)
    values = [ratio(score.f1, undefined, scale=scale) for _, _, score, _ in shown]
    counts = [f"{counted(s.matched)}/{s.candidate} · {counted(s.matched)}/{s.reference}" for _, _, s, _ in shown]
    inks = [colours["ink" if score.defined else "muted"] for _, _, score, _ in shown]
    beside = 0.0  # pixels: figures have a margin of their own, so that no width of the page prints them on the bars
    for texts, shades in ((values, inks), (counts, [colours["muted"]] * len(shown))):
        beside += GAP + max((width(text, 13) for text in texts), default=0)
        for label, text, colour in zip(labels, texts, shades):
            place = {"x": 1, "xref": "paper", "xanchor": "right", "xshift": beside, "y": label, "showarrow": False}
            figure.add_annotation(text=text, font={"size": 13, "color": colour}, **place)
    figure.update_xaxes(range=[0, room], tickvals=[0, scale / 2, scale], fixedrange=True, tickfont={"color": colours["muted"]})
    figure.update_yaxes(autorange="reversed", fixedrange=True, showgrid=False, ticksuffix="  ", automargin=True)
    figure.update_layout(height=32 * len(shown) + 36, showlegend=False, bargap=0.4, dragmode=False, margin_r=beside + 4)
    return figure
