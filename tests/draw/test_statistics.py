"""Test charts of many scores, and the report of a data set."""

import math
from dataclasses import replace

import pytest

from spice_core.draw import charts, design
from spice_core.draw.style import DisplayStyle
from spice_core.report import dataset_page
from spice_core.stats.bootstrap import Estimate

MEANS = {"Object": Estimate(0.4, 0.3, 0.5), "Size": Estimate(math.nan, math.nan, math.nan)}
NAMES = {"Object": "Object", "Size": "Size"}


def test_bins_and_points_outside_the_range_are_pale_and_ratings_have_other_colours_than_tuples():
    (bars,) = charts.draw_histogram([1, 2, 3, 4], selected_range=(0.25, 0.75), style=DisplayStyle(percent=True)).data
    assert list(bars.marker.opacity) == [0.3, 1, 1, 0.3] and bars.hovertext[0] == "0–25: 1"
    assert list(charts.draw_histogram([1, 2]).data[0].marker.opacity) == [1, 1]
    assert charts.draw_histogram([1, 2]).layout.yaxis.dtick == 1 and charts.draw_histogram([1, 20]).layout.yaxis.dtick is None

    def scatter(**options):
        return charts.draw_scatter([0.1, 0.5], [0.2, 0.5], ["1", "2"], ("A", "B"), **options)

    line, points = scatter(style=DisplayStyle(percent=True)).data
    assert list(points.x) == [10, 50] and list(points.y) == [20, 50] and list(line.x) == [0, 100]
    (box,) = scatter(box=(0.1, 0.1, 0.2, 0.2)).layout.shapes
    assert box.x0 < 0.1 < box.x1 and box.y0 < 0.2 < box.y1 < 0.5 and not scatter().layout.shapes
    (_, points) = scatter(selected_flags=[True, False]).data
    assert points.marker.opacity[0] > points.marker.opacity[1]
    for theme in ["light", "dark"]:
        (box,) = charts.draw_rating_boxes([0.1, 0.4], [1.0, 5.0], names=("Rating", "soft"), style=DisplayStyle(theme)).data
        colours = design.theme_colours(theme)
        assert not {box.marker.color, box.line.color} & {colours[kind] for kind in design.TUPLE_KINDS}


LINK = '<a href="http://203.0.113.9/">click</a>'


@pytest.mark.parametrize("figure", [
    charts.draw_dot_plot({"A": MEANS, LINK: MEANS}, {"Object": LINK, "Size": "Size"}),
    charts.draw_dot_plot({"A": MEANS, LINK: MEANS}, NAMES, highlighted_systems=["A"], other_systems_name=LINK, is_difference=True),
    charts.draw_bars([LINK], [1], [LINK], [""]),
    charts.draw_pareto([LINK], [1], [2], titles=(LINK, LINK, LINK), tuple_count=3),
    charts.draw_scatter([0.1], [0.2], [LINK], (LINK, "B")),
    charts.draw_rating_boxes([0.1, 0.4], [1.0, 5.0], names=(LINK, LINK)),
])  # fmt: skip
def test_no_text_in_a_chart_becomes_a_link(figure):
    text = figure.to_json()
    assert "203.0.113.9" in text and "<" not in text and "\\u003c" not in text


@pytest.mark.parametrize(("ratings", "places", "labels"), [
    ([0.25, 0.9, 0.25], [0.25, 0.9, 0.25], ["0.25", "0.9"]),
    ([1, 5, 2], [1, 5, 2], ["1", "2", "5"]),
    ([3, 3], [3, 3], ["3"]),
    ([n / 20 for n in range(21)], [n // 4 for n in range(20)] + [4], ["0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1"]),
    ([1 + n / 10 for n in range(40)] + [5], None, ["1–1.5", "1.5–2", "2–2.5", "2.5–3", "3–3.5", "3.5–4", "4–4.5", "4.5–5"]),
    ([*range(0, 101, 4)], None, [f"{n}–{n + 20}" for n in range(0, 100, 20)]),
    ([*range(9), 99.5], None, [f"{n}–{n + 20}" for n in range(0, 100, 20)]),
], ids=str)  # fmt: skip
def test_ratings_have_box_plots_at_their_values_or_in_ranges(ratings, places, labels):
    figure = charts.draw_rating_boxes([0.5] * len(ratings), ratings, names=("Rating", "soft"))
    (box,), axis = figure.data, figure.layout.xaxis
    assert list(axis.ticktext) == labels and set(box.x) <= set(axis.tickvals) and list(box.x) == (places or list(box.x))


def test_no_gridline_crosses_the_numbers_of_the_categories():
    for x_max in (0.03, 0.34, 0.5, 0.87, 1.0):
        figure = charts.draw_dot_plot({"": {"Object": Estimate(x_max, x_max, x_max)}}, NAMES)
        assert max(figure.layout.xaxis.tickvals) <= max(x_max, 0.5) + 1e-9 < figure.layout.xaxis.range[1] - 0.1


def test_dot_plots_show_means_and_distinguish_systems_by_markers():
    single_plot = charts.draw_dot_plot({"": MEANS}, NAMES)
    assert list(single_plot.data[-1].text) == ["0.400", "n/a"] and list(single_plot.data[0].x) == [0.3, 0.5]
    several_plot = charts.draw_dot_plot({"a": MEANS, "b": MEANS}, NAMES, style=DisplayStyle("dark"))
    label = several_plot.layout.template.layout.hoverlabel
    assert (label.bgcolor, label.font.color) == (design.COLOURS_BY_THEME["dark"]["surface"], design.COLOURS_BY_THEME["dark"]["ink"])
    dots = [trace for trace in several_plot.data if trace.mode == "markers"]
    assert len({trace.marker.symbol for trace in dots}) == 2 and several_plot.layout.showlegend
    assert dots[0].marker.color[0] == design.COLOURS_BY_THEME["dark"]["object"] and list(dots[0].x) == [0.4, None]
    plot = charts.draw_dot_plot({name: MEANS for name in "abcd"}, NAMES, highlighted_systems=("a", "d"), other_systems_name="others")
    grey, *marked_traces = [trace for trace in plot.data if trace.mode == "markers"]
    assert grey.name == "others" and list(grey.hovertext)[:2] == ["b 0.400 [0.300, 0.500]", "b n/a [n/a, n/a]"] and len(grey.x) == 4
    assert [(trace.name, trace.marker.symbol) for trace in marked_traces] == [
        ("a", charts.MARKER_SYMBOLS[0]),
        ("d", charts.MARKER_SYMBOLS[1]),
    ]


def test_dot_plots_of_differences_are_centred_on_zero():
    lower_estimates = {"Object": Estimate(-0.1, -0.2, 0.05)}
    plot = charts.draw_dot_plot(
        {"b": lower_estimates}, NAMES, highlighted_systems=("a", "b"), is_difference=True, style=DisplayStyle(percent=True)
    )
    centred_plot = charts.draw_dot_plot({"a": lower_estimates, "b": lower_estimates}, NAMES)
    # Only plots of the same height have aligned rows.
    assert plot.layout.height == centred_plot.layout.height and plot.layout.showlegend
    x_max, high = plot.layout.xaxis.range
    (dots,) = [trace for trace in plot.data if trace.mode == "markers"]
    assert x_max == -high and plot.layout.xaxis.zeroline and dots.marker.symbol == charts.MARKER_SYMBOLS[1]
    assert list(dots.hovertext) == ["b −10.0 [−20.0, 5.0]"] and not [trace for trace in plot.data if trace.mode == "text"]


def test_bars_that_are_not_selected_are_pale():
    ground, bars, texts = charts.draw_bars(["a", "b"], [3, 1], ["3", "1"], ["object", ""], selected_index=1).data
    assert list(bars.marker.opacity) == [0.3, 1] and list(texts.text) == ["3", "1"] and len(set(ground.x)) == 1


def test_pareto_charts_stack_decided_and_suggested_counts_under_their_cumulative_share():
    titles = ("decided", "suggested", "cumulative")
    figure = charts.draw_pareto(["<b>fog", "rain"], [1, 2], [5, 0], titles=titles, tuple_count=10, selected_index=1)
    decided_bars, suggested_bars, line, ground = figure.data
    assert list(suggested_bars.base) == list(decided_bars.x) == [1, 2] and list(suggested_bars.x) == [5, 0] and len(set(ground.x)) == 1
    assert list(line.x) == [6, 8] and figure.layout.xaxis.ticktext[-1] == "100%"
    assert [text.strip() for text in figure.layout.yaxis2.ticktext] == ["6 · 60%", "2 · 80%"]
    assert list(decided_bars.marker.opacity) == [0.3, 1] and figure.layout.yaxis.ticktext[0].startswith("&lt;b&gt;fog")


def test_a_report_shows_its_input_as_text():
    summary = dataset_page.DatasetSummary(
        name="<b>mine",
        images=2,
        means={"F1": Estimate(0.25, 0.2, 0.3)},
        categories=MEANS,
        histogram=[1, 1],
        frequent={"Missing": [("<i>dog", 2)]},
        worst=[("1", "<script>", ["a & b"], 0.0)],
        signature="spice|lang:en",
        causes=[("parser", 1)],
        pareto=[("<i>fog", 3, 1), ("other value", 0, 1)],
        notes=[("1", "<script>", "parser", "“red” is <b>no noun")],
    )
    page = dataset_page.dataset_page_html(summary, DisplayStyle(percent=True))
    assert "25.0 <small>[20.0, 30.0]" in page and "n/a" in page and "a &amp; b" in page and "&lt;i&gt;dog" in page
    assert "<script" not in page and "<b>mine" not in page and "src=" not in page and "<h2>Causes</h2>" in page
    assert "<td>&lt;i&gt;fog</td><td>3</td><td>1</td><td>4</td><td>80.0%</td>" in page and 'points="470.0,13.0 550.0,39.0"' in page
    assert "<i>fog" not in page and "<h2>Causes of unmatched tuples</h2>" in page
    assert "Causes of unmatched" not in dataset_page.dataset_page_html(replace(summary, pareto=()))
    assert "<td>parser</td><td>“red” is &lt;b&gt;no noun</td>" in page
