"""Plotly figures of scores: histograms, means with intervals, bars, Pareto charts, scatter plots, ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import Any

import plotly.graph_objects as go

from spice_core.draw import design
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.stats.bootstrap import Estimate


def plotly_template(style: DisplayStyle = PLAIN) -> go.layout.Template:
    """Return the plotly template of a style: transparent background, thin lines, the font of the interface."""
    colours = style.colours
    axis = {"gridcolor": colours["line"], "linecolor": colours["line"], "zerolinecolor": colours["muted"], "ticks": ""}
    layout = go.Layout(
        font={"family": design.SANS_FONTS, "size": 13, "color": colours["ink"]},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        colorway=[colours[kind] for kind in design.TUPLE_KINDS],
        xaxis=axis,
        yaxis=axis,
        hoverlabel={
            "bgcolor": colours["surface"],
            "bordercolor": colours["muted"],
            "font": {"family": design.SANS_FONTS, "size": 13, "color": colours["ink"]},
        },
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
    )
    return go.layout.Template(layout=layout)


def chart_text(text: str) -> str:
    """Escape a text for a chart. Plotly renders labels, names and hints as HTML with links."""
    return escape(text, quote=False)


MARKER_SYMBOLS = (
    "circle",
    "diamond-open",
    "square",
    "triangle-up-open",
    "cross",
    "star-open",
)  # by system, repeated if needed


def draw_histogram(counts: Sequence[int], *, selected_range: tuple[float, float] = (0, 1), style: DisplayStyle = PLAIN) -> go.Figure:
    """Return a bar chart of the number of images in equal bins from 0 to 1. Bins outside ``selected_range`` are pale."""
    colours, bin_width, scale = style.colours, 1 / len(counts), style.scale
    low, high = selected_range
    opacities = [
        1 if (i + 1) * bin_width > low + 1e-9 and i * bin_width < high + (1e-9 if high >= 1 else -1e-9) else 0.3 for i in range(len(counts))
    ]
    figure = go.Figure(layout={"template": plotly_template(style)})
    hints = [f"{i * bin_width * scale:g}–{(i + 1) * bin_width * scale:g}: {n}" for i, n in enumerate(counts)]
    figure.add_bar(
        x=[(i + 0.5) * bin_width * scale for i in range(len(counts))],
        y=list(counts),
        width=bin_width * scale * 0.88,
        marker={"color": colours["muted"], "opacity": opacities, "line": {"width": 0}},
        hovertext=hints,
        hoverinfo="text",
    )
    figure.update_xaxes(range=[0, scale], fixedrange=True, showgrid=False, tickfont={"color": colours["muted"]})
    tick_options = {"ticks": "outside", "ticklen": 8, "tickcolor": "rgba(0,0,0,0)"}  # the zeros of both axes would overlap
    whole_steps = {"dtick": 1} if max(counts, default=0) < 4 else {"nticks": 4}
    figure.update_yaxes(fixedrange=True, **whole_steps, tickfont={"color": colours["muted"]}, **tick_options)
    figure.update_layout(height=230, showlegend=False, dragmode=False, margin={"l": 32, "r": 8, "t": 8, "b": 24})
    return figure


def draw_dot_plot(
    means: Mapping[str, Mapping[str, Estimate]],
    names: Mapping[str, str],
    *,
    highlighted_systems: Sequence[str] = (),
    other_systems_name: str = "",
    is_difference: bool = False,
    style: DisplayStyle = PLAIN,
) -> go.Figure:
    """Return a chart of the mean F1 of each category as a dot with its interval, for one or several systems.

    Args:
        means: Means by system and category.
        names: The labels of the categories, in the order of the rows.
        highlighted_systems: Systems that are drawn with shapes, which follow the order of this list. Other systems are small
            grey dots. By default, all systems have shapes.
        other_systems_name: The name of the grey dots in the legend.
        is_difference: Whether the values are differences, drawn on both sides of zero.
        style: Colours, texts and scale.
    """
    keys = [key for key in names if any(key in by_category for by_category in means.values())]
    systems = [system for system in means if not highlighted_systems or system in highlighted_systems]
    chart = _DotChart(go.Figure(layout={"template": plotly_template(style)}), keys, style, is_difference)
    chart.add_others({system: by_category for system, by_category in means.items() if system not in systems}, other_systems_name)
    step = 0.56 / max(len(systems) - 1, 1)
    for i, system in enumerate(systems):
        shape = MARKER_SYMBOLS[(highlighted_systems.index(system) if highlighted_systems else i) % len(MARKER_SYMBOLS)]
        chart.add_system(system, means[system], shape, i * step - 0.28 if len(systems) > 1 else 0)
    has_several_systems = len(means) > 1
    low, high = _axis_range(means, style.scale, signed=is_difference)
    if has_several_systems or is_difference:
        chart.set_range(low * 1.05, high * 1.05, nticks=5)
    else:
        for system in systems:
            chart.add_values(means[system], high * 1.3)
        chart.set_range(low * 1.05, high * 1.32, tickvals=_tick_values(high, 4))  # no tick behind the numbers
    return chart.finish_figure(names, len(systems) + is_difference, legend=has_several_systems or is_difference)


@dataclass(frozen=True)
class _DotChart:
    """A chart of means with their intervals, one row for each category."""

    figure: go.Figure
    categories: Sequence[str]
    style: DisplayStyle
    is_signed: bool

    def _rows(self, by_category: Mapping[str, Estimate]) -> list[tuple[int, Estimate]]:
        """Return the row and value of each category of a system."""
        return [(y, by_category[key]) for y, key in enumerate(self.categories) if key in by_category]

    def _hint_text(self, system: str, x: Estimate) -> str:
        return chart_text(f"{system} {_value_text(x, self.style, self.is_signed)}")

    def add_others(self, means: Mapping[str, Mapping[str, Estimate]], name: str) -> None:
        """Draw systems as small grey dots with one legend entry."""
        dots = [(system, y, x) for system, by_category in means.items() for y, x in self._rows(by_category)]
        if not dots:
            return
        marker = {"symbol": "circle", "size": 7, "color": self.style.colours["muted"], "opacity": 0.45, "line": {"width": 0}}
        places: dict[str, Sequence[float]] = {"x": [x.value * self.style.scale for _, _, x in dots], "y": [y for _, y, _ in dots]}
        hints = [self._hint_text(system, x) for system, _, x in dots]
        self.figure.add_scatter(**places, mode="markers", marker=marker, name=chart_text(name), hovertext=hints, hoverinfo="text")

    def add_system(self, system: str, by_category: Mapping[str, Estimate], shape: str, shift: float) -> None:
        """Draw a system's means with their intervals, moved vertically by ``shift`` within the rows."""
        rows = self._rows(by_category)
        kinds = {**design.KIND_BY_CATEGORY, "All": "ink"}
        point_colours = [self.style.colours[kinds.get(self.categories[y], "attribute")] for y, _ in rows]
        for (y, mean), ink in zip(rows, point_colours):  # a trace has one colour for all error bars, so each is a separate line
            if not math.isnan(mean.low):
                ends, line = [mean.low * self.style.scale, mean.high * self.style.scale], {"color": ink, "width": 2}
                self.figure.add_scatter(x=ends, y=[y + shift] * 2, mode="lines", line=line, hoverinfo="skip", showlegend=False)
        places = {
            "x": [None if math.isnan(x.value) else x.value * self.style.scale for _, x in rows],
            "y": [y + shift for y, _ in rows],
        }
        marker = {"symbol": shape, "size": 10, "color": point_colours, "line": {"width": 2, "color": point_colours}}
        hints = [self._hint_text(system, x) for _, x in rows]
        hover = {"hovertext": hints, "hoverinfo": "text"}
        self.figure.add_scatter(
            **places, mode="markers", marker=marker, name=chart_text(system), cliponaxis=False, **hover
        )  # do not clip markers at 0

    def add_values(self, by_category: Mapping[str, Estimate], right: float) -> None:
        """Write the means in a column with this right border."""
        rows = self._rows(by_category)
        places = {"x": [right] * len(rows), "y": [y for y, _ in rows]}
        texts = [self.style.format_ratio(x.value) for _, x in rows]
        text_style = {"mode": "text", "textposition": "middle left", "textfont": {"size": 13}, "hoverinfo": "skip", "showlegend": False}
        self.figure.add_scatter(**places, text=texts, cliponaxis=False, **text_style)

    def set_range(self, low: float, high: float, **ticks: Any) -> None:
        """Set the limits and the ticks of the value axis."""
        axis = {"tickfont": {"color": self.style.colours["muted"]}, "zeroline": self.is_signed, **ticks}
        self.figure.update_xaxes(range=[low, high], fixedrange=True, automargin=True, **axis)

    def finish_figure(self, names: Mapping[str, str], system_count: int, *, legend: bool) -> go.Figure:
        """Label the rows, set a height that fits the number of systems, and return the figure."""
        figure, rows = self.figure, len(self.categories)
        labels = {
            "tickvals": list(range(rows)),
            "ticktext": [f"{chart_text(names[key])}  " for key in self.categories],
            "range": [rows - 0.5, -0.5],
        }
        figure.update_yaxes(**labels, fixedrange=True, showgrid=False, zeroline=False, automargin=True)
        place = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "itemclick": False, "itemdoubleclick": False}
        height = rows * (22 + 12 * system_count) + 64 if legend else rows * 30 + 36
        figure.update_layout(height=height, showlegend=legend, legend=place, dragmode=False)
        return figure


def _axis_range(means: Mapping[str, Mapping[str, Estimate]], scale: int, *, signed: bool = False) -> tuple[float, float]:
    """Return the limits of an axis for these values and intervals: from 0 to at least 0.5, or symmetric around 0 if ``signed``."""
    ends = [abs(end) for by_category in means.values() for x in by_category.values() for end in x if not math.isnan(end)]
    limit = max([0.02 if signed else 0.5, *ends]) * scale
    return (-limit if signed else 0, limit)


def _value_text(x: Estimate, style: DisplayStyle, signed: bool) -> str:
    sign = "+" if signed and x.value > 0 else ""
    return f"{sign}{style.format_ratio(x.value)} [{style.format_ratio(x.low)}, {style.format_ratio(x.high)}]"


def draw_bars(
    names: Sequence[str],
    values: Sequence[float],
    texts: Sequence[str],
    kinds: Sequence[str],
    *,
    selected_index: int | None = None,
    style: DisplayStyle = PLAIN,
) -> go.Figure:
    """Return a chart of horizontal bars with names and texts. The kind of tuple sets the colour of a bar ("" for grey).

    The bar at ``selected_index`` is in full colour, and the other bars are pale. By default, no bar is pale.
    """
    colours = style.colours
    figure = go.Figure(layout={"template": plotly_template(style), "barmode": "overlay"})
    axis_length, row_indices = (max(values, default=0) or 1) * 1.2, list(range(len(names)))
    figure.add_bar(
        y=row_indices, x=[axis_length] * len(names), orientation="h", width=1, marker={"color": "rgba(0,0,0,0)"}, hoverinfo="none"
    )
    marker = {
        "color": [colours[kind or "muted"] for kind in kinds],
        "opacity": [1 if selected_index in (None, place) else 0.3 for place in row_indices],
    }
    figure.add_bar(y=row_indices, x=list(values), orientation="h", width=0.5, marker=marker, hoverinfo="skip")
    text_style = {"mode": "text", "textposition": "middle left", "textfont": {"size": 13, "color": colours["muted"]}, "hoverinfo": "skip"}
    figure.add_scatter(y=row_indices, x=[axis_length] * len(names), text=[*map(chart_text, texts)], cliponaxis=False, **text_style)
    figure.update_xaxes(range=[0, axis_length], visible=False, fixedrange=True)
    figure.update_yaxes(**_name_axis(names), fixedrange=True, showgrid=False, zeroline=False, automargin=True)
    figure.update_layout(height=26 * len(names) + 8, showlegend=False, dragmode=False)
    return figure


def _name_axis(names: Sequence[str]) -> dict[str, Any]:
    """Return the options of an axis with one row for each name, from the top."""
    labels = [f"{chart_text(name if len(name) <= 26 else name[:25] + '…')}  " for name in names]
    return {"tickvals": list(range(len(names))), "ticktext": labels, "range": [len(names) - 0.5, -0.5]}


def draw_pareto(
    names: Sequence[str],
    decided_counts: Sequence[int],
    suggested_counts: Sequence[int],
    *,
    titles: tuple[str, str, str],
    tuple_count: int,
    selected_index: int | None = None,
    style: DisplayStyle = PLAIN,
) -> go.Figure:
    """Return a Pareto chart: bars of decided and suggested counts, and the line of their cumulative share.

    Args:
        names: The labels of the rows.
        decided_counts: Counts that people decided.
        suggested_counts: Counts that the program only suggested.
        titles: The names of decided counts, suggested counts and the line.
        tuple_count: The sum of all counts, including counts that are not drawn: 100% of the line.
        selected_index: Index of the row in full colour; the other rows are pale. By default, no row is pale.
        style: Colours.
    """
    colours, row_indices, series_names = style.colours, list(range(len(names))), [*map(chart_text, titles)]
    totals = [a + b for a, b in zip(decided_counts, suggested_counts)]
    sums = list(accumulate(totals))
    opacity = [1 if selected_index in (None, place) else 0.3 for place in row_indices]
    figure = go.Figure(layout={"template": plotly_template(style), "barmode": "overlay"})
    bar: dict[str, Any] = {"orientation": "h", "y": row_indices, "width": 0.56, "hoverinfo": "skip"}
    figure.add_bar(x=list(decided_counts), name=series_names[0], marker={"color": colours["muted"], "opacity": opacity}, **bar)
    pattern = {"shape": "/", "fgcolor": colours["muted"], "bgcolor": "rgba(0,0,0,0)", "size": 5, "solidity": 0.4}
    outline_style = {"color": colours["muted"], "opacity": opacity, "pattern": pattern, "line": {"color": colours["muted"], "width": 1}}
    figure.add_bar(x=list(suggested_counts), base=list(decided_counts), name=series_names[1], marker=outline_style, **bar)
    line: dict[str, Any] = {"mode": "lines+markers", "line": {"color": colours["ink"], "width": 1.5}, "marker": {"size": 6}}
    figure.add_scatter(x=sums, y=row_indices, name=series_names[2], hoverinfo="skip", **line)
    bar_options = {"width": 1, "marker": {"color": "rgba(0,0,0,0)"}, "hoverinfo": "none", "showlegend": False, "yaxis": "y2"}
    figure.add_bar(x=[tuple_count * 1.04] * len(names), **bar | bar_options)
    muted_style, fixed_range = {"tickfont": {"color": colours["muted"]}}, {"fixedrange": True, "zeroline": False, "automargin": True}
    shares = {"tickvals": [tuple_count * share / 4 for share in range(5)], "ticktext": [f"{25 * share}%" for share in range(5)]}
    figure.update_xaxes(range=[0, tuple_count * 1.04], **shares, **fixed_range, **muted_style)
    figure.update_yaxes(**_name_axis(names), **fixed_range, showgrid=False)
    texts = [f"  {total} · {100 * sum_ / tuple_count:.0f}%" for total, sum_ in zip(totals, sums)]
    right_axis = _name_axis(names) | {"ticktext": texts, "overlaying": "y", "side": "right", "showgrid": False}
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "itemclick": False, "itemdoubleclick": False}
    figure.update_layout(height=30 * len(names) + 64, legend=legend, dragmode=False, yaxis2=right_axis | fixed_range | muted_style)
    return figure


def draw_scatter(
    xs: Sequence[float],
    ys: Sequence[float],
    hints: Sequence[str],
    names: tuple[str, str],
    *,
    selected_flags: Sequence[bool] | None = None,
    box: tuple[float, float, float, float] | None = None,
    style: DisplayStyle = PLAIN,
) -> go.Figure:
    """Return a scatter plot of the scores of the same images by two systems, with the line of equality.

    Points whose flag in ``selected_flags`` is false are pale. ``box`` (minimum and maximum of x, then of y) is drawn as a rectangle.
    """
    colours, scale = style.colours, style.scale
    figure = go.Figure(layout={"template": plotly_template(style)})
    line = {"color": colours["muted"], "width": 1, "dash": "dot"}
    figure.add_scatter(x=[0, scale], y=[0, scale], mode="lines", line=line, hoverinfo="skip")
    opacity = 0.45 if selected_flags is None else [0.7 if flag else 0.12 for flag in selected_flags]
    marker = {"size": 9, "color": colours["ink"], "opacity": opacity, "line": {"width": 0}}
    points = {"selected": {"marker": {"opacity": 0.9}}, "unselected": {"marker": {"opacity": 0.2}}, "hoverinfo": "text"}
    figure.add_scatter(
        x=[x * scale for x in xs], y=[y * scale for y in ys], mode="markers", marker=marker, hovertext=[*map(chart_text, hints)], **points
    )
    edge = max([0.2, *xs, *ys]) * scale * 1.06
    for update, name in ((figure.update_xaxes, names[0]), (figure.update_yaxes, names[1])):
        update(
            range=[-0.03 * edge, edge], title={"text": chart_text(name), "font": {"size": 13, "color": colours["muted"]}}, fixedrange=True
        )
    if box:
        left, right, low, high = (end * scale for end in box)
        margin = 0.012 * edge  # makes a box around a single point visible
        corners = {"x0": left - margin, "x1": right + margin, "y0": low - margin, "y1": high + margin}
        figure.add_shape(type="rect", **corners, line={"color": colours["accent"], "width": 1.5}, layer="below")
    figure.update_layout(height=420, showlegend=False, dragmode="select", margin={"l": 52, "r": 8, "t": 8, "b": 44})
    return figure


def _tick_values(max_value: float, max_ticks: int) -> list[float]:
    """Return at most ``max_ticks`` + 1 round values from 0 to ``max_value``."""
    step = _round_step(max_value / max_ticks)
    return [step_index * step for step_index in range(math.floor(max_value / step + 1e-9) + 1)]


def _round_step(minimum: float) -> float:
    """Return the smallest product of 1, 2, 2.5 or 5 and a power of ten that is at least ``minimum``, a positive number."""
    power: float = 10.0 ** math.floor(math.log10(minimum))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= minimum * (1 - 1e-9))


_MAX_RATING_BOXES = 9  # maximum number of ratings before they are grouped into equal ranges


def draw_rating_boxes(
    scores: Sequence[float], ratings: Sequence[float], *, names: tuple[str, str], style: DisplayStyle = PLAIN
) -> go.Figure:
    """Return box plots of the scores at each rating, with a point for each score.

    If there are many different ratings, each box covers a range of ratings. ``names`` label the axes (rating, score).
    """
    colours, (places, ticks) = style.colours, _place_ratings(ratings)
    figure = go.Figure(layout={"template": plotly_template(style)})
    figure.add_box(
        x=[places[rating] for rating in ratings],
        y=list(scores),
        boxpoints="all",
        jitter=0.6,
        pointpos=0,
        marker={"size": 4, "color": colours["muted"], "opacity": 0.6},
        line={"color": colours["ink"], "width": 1.5},
        fillcolor="rgba(0,0,0,0)",
        hoverinfo="y",
    )
    titles = [{"text": chart_text(name), "font": {"size": 13, "color": colours["muted"]}, "standoff": 12} for name in names]
    figure.update_xaxes(title=titles[0], fixedrange=True, tickvals=list(ticks), ticktext=list(ticks.values()))
    figure.update_yaxes(title=titles[1], fixedrange=True, rangemode="tozero", automargin=True)
    figure.update_layout(height=320, showlegend=False, margin={"l": 4, "r": 4, "t": 8, "b": 40}, dragmode=False)
    return figure


def _place_ratings(ratings: Sequence[float]) -> tuple[dict[float, float], dict[float, str]]:
    """Return the position of each rating on the axis, and the labels by position: ratings, or ranges of ratings."""
    distinct_ratings = sorted(set(ratings))
    if len(distinct_ratings) <= _MAX_RATING_BOXES:
        return {rating: rating for rating in distinct_ratings}, {rating: f"{rating:g}" for rating in distinct_ratings}
    step = _round_step((distinct_ratings[-1] - distinct_ratings[0]) / (_MAX_RATING_BOXES - 1))
    last_step = math.ceil(distinct_ratings[-1] / step - 1e-9) - 1  # a range includes the rating at its end
    places = {rating: float(min(math.floor(rating / step + 1e-9), last_step)) for rating in distinct_ratings}
    ranges = range(int(places[distinct_ratings[0]]), last_step + 1)
    return places, {float(place): f"{place * step:.4g}–{(place + 1) * step:.4g}" for place in ranges}
