"""Summary of a run: means with intervals, distribution of F1, categories, and frequent errors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st
from plotly.graph_objects import Figure

from pages.parts.batch import counts, outcome_filters
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import html, page
from pages.parts.kit.charts import CHART_OPTIONS
from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from pages.parts.views import tuples
from spice_core.draw import charts
from spice_core.draw.style import DisplayStyle
from spice_core.scene.propositions import KIND_BY_LENGTH
from spice_core.stats.bootstrap import Estimate

FREQUENT_ERROR_GROUPINGS = ("missing", "extra", "near")
_MAX_BARS = 10


def show_means(run: ScoringRun, *, style: DisplayStyle) -> None:
    """Show mean F1 with its interval, precision and recall."""
    means = counts.mean_scores(run)
    ratios = "".join(
        f"<div><dt>{t(f'score.{name}')}</dt><dd>{style.format_ratio(means[name].value)}</dd></div>" for name in ("precision", "recall")
    )
    f1 = means["f1"]
    interval = f'<span class="sc-whole">{style.format_ratio(f1.low)}–{style.format_ratio(f1.high)}</span>'
    st.html(
        f'<section class="sc-score"><div class="sc-f1"><span>{t("batch.mean")}</span><b>{style.format_ratio(f1.value)}</b></div>'
        f'<p class="sc-said">{t("batch.images", number=len(run.rows), interval=interval)}'
        f"</p><dl>{ratios}</dl></section>"
    )


def show_distribution(run: ScoringRun, *, key: str, style: DisplayStyle) -> None:
    """Show the distribution of F1. A click on a bar filters the captions by its range of F1."""
    bins = counts.f1_histogram(run)

    def handle_click() -> None:
        if points := st.session_state[f"{key}.histogram"].selection.points:
            low = points[0]["point_index"] / len(bins)
            st.session_state[f"{key}.range"] = (round(low, 2), round(low + 1 / len(bins), 2))
            outcome_filters.scroll_to_captions(key=key)

    f1_range = st.session_state[f"{key}.range"]
    figure = counts.cache_latest(
        run, "histogram", (f1_range, style, len(run.rows)), lambda: charts.draw_histogram(bins, selected_range=f1_range, style=style)
    )
    alt_text = t("batch.histogram_alt", counts=", ".join(map(str, bins)))
    html.show_titled_note(t("batch.distribution"), t("batch.click"))
    st.plotly_chart(figure, key=f"{key}.histogram", on_select=handle_click, selection_mode="points", alt=alt_text, **CHART_OPTIONS)


def show_categories(run: ScoringRun, *, key: str, style: DisplayStyle) -> None:
    """Show the mean and interval of each category as a chart and as a table."""
    means = counts.category_means(run)
    names = {name: tuples.category_label(name) for name in means}
    alt_text = ", ".join(f"{names[name]} {_interval_text(x, style)}" for name, x in means.items())
    html.show_titled_note(t("categories.title"), t("batch.dots"))
    figure = counts.cache_latest(run, "dots", (names, style, len(run.rows)), lambda: charts.draw_dot_plot({"": means}, names, style=style))
    st.plotly_chart(figure, key=f"{key}.dots", alt=t("categories.alt", values=alt_text), **CHART_OPTIONS)
    with st.expander(t("categories.table")):
        rows = ((names[name], _interval_text(x, style)) for name, x in means.items())
        st.html(table((t("categories.category"), t("batch.mean")), rows))


def show_frequent_errors(run: ScoringRun, *, key: str) -> None:
    """Show the most frequent missing tuples, extra tuples and values that differ from the references.

    A click on a bar filters the captions by its tuple or value.
    """
    for column, grouping in zip(st.columns(len(FREQUENT_ERROR_GROUPINGS), gap="medium"), FREQUENT_ERROR_GROUPINGS):
        with column:
            st.html(f'<h3 class="sc-small">{t(f"batch.most_{grouping}")}</h3>')
            groups = list(counts.image_groups(run, grouping, Decisions()).items())[:_MAX_BARS]
            if not groups:
                st.html(f'<p class="sc-note">{t("tuples.nothing")}</p>')
                continue
            texts = [str(group.count) for _, group in groups]
            names = [name for name, _ in groups]
            tuple_kinds = ["" if grouping == "near" else KIND_BY_LENGTH[len(name.split(" – "))] for name in names]
            labels = names if grouping == "near" else [tuples.tuple_words(name.split(" – ")) for name in names]
            show_bars(grouping, names, [group.count for _, group in groups], texts, tuple_kinds, key=key, labels=labels)


def show_bars(
    grouping: str,
    names: Sequence[str],
    values: Sequence[float],
    texts: Sequence[str],
    tuple_kinds: Sequence[str],
    *,
    key: str,
    labels: Sequence[str] = (),
) -> None:
    """Show the groups of a grouping as bars, coloured by ``tuple_kinds``. A click filters the captions by a group.

    ``labels`` are shown instead of the ``names``.
    """

    def handle_click() -> None:
        if points := st.session_state[f"{key}.bars.{grouping}"].selection.points:
            st.session_state[f"{key}.kind"], st.session_state[f"{key}.value"] = grouping, names[points[0]["point_index"]]
            outcome_filters.scroll_to_captions(key=key)

    chosen_name = st.session_state.get(f"{key}.value") if st.session_state.get(f"{key}.kind") == grouping else None
    labels = labels or names
    selected_index = names.index(chosen_name) if chosen_name in names else None
    figure = _bar_chart(tuple(labels), tuple(values), tuple(texts), tuple(tuple_kinds), selected_index, page.display_style())
    alt_text = ", ".join(f"{label}: {text}" for label, text in zip(labels, texts))
    st.plotly_chart(figure, key=f"{key}.bars.{grouping}", on_select=handle_click, selection_mode="points", alt=alt_text, **CHART_OPTIONS)


@lru_cache(maxsize=128)
def _bar_chart(
    names: tuple[str, ...],
    values: tuple[float, ...],
    texts: tuple[str, ...],
    tuple_kinds: tuple[str, ...],
    selected_index: int | None,
    style: DisplayStyle,
) -> Figure:
    """Draw a bar chart, or return the cached chart for the same arguments."""
    return charts.draw_bars(names, values, texts, tuple_kinds, selected_index=selected_index, style=style)


def _interval_text(estimate: Estimate, style: DisplayStyle) -> str:
    return f"{style.format_ratio(estimate.value)} [{style.format_ratio(estimate.low)}, {style.format_ratio(estimate.high)}]"
