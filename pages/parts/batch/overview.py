"""Summary of a run: means with intervals, distribution of F1, categories, and frequent errors."""

from collections.abc import Sequence
from functools import lru_cache

import streamlit as st
from plotly.graph_objects import Figure

from pages.parts.batch import counts
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import html, page
from pages.parts.kit.charts import show_chart
from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from pages.parts.views import filters, tuples
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


def show_distribution(run: ScoringRun, *, style: DisplayStyle) -> None:
    """Show the distribution of F1. A click on a bar filters the captions by its range of F1."""
    bins = counts.f1_histogram(run)

    def select_bin(index: int) -> None:
        st.session_state["batch.range"] = (round(index / len(bins), 2), round((index + 1) / len(bins), 2))
        filters.scroll_to_rows()

    f1_range = st.session_state["batch.range"]
    figure = counts.cache_latest(
        run, "histogram", (f1_range, style, len(run.rows)), lambda: charts.draw_histogram(bins, selected_range=f1_range, style=style)
    )
    alt_text = t("batch.histogram_alt", counts=", ".join(map(str, bins)))
    html.show_titled_note(t("batch.distribution"), t("batch.click"))
    show_chart(figure, key="batch.histogram", alt=alt_text, on_click=select_bin)


def show_categories(run: ScoringRun, *, style: DisplayStyle) -> None:
    """Show the mean and interval of each category as a chart and as a table."""
    means = counts.category_means(run)
    names = {name: tuples.category_label(name) for name in means}
    alt_text = ", ".join(f"{names[name]} {_interval_text(x, style)}" for name, x in means.items())
    html.show_titled_note(t("categories.title"), t("batch.dots"))
    figure = counts.cache_latest(run, "dots", (names, style, len(run.rows)), lambda: charts.draw_dot_plot({"": means}, names, style=style))
    show_chart(figure, key="batch.dots", alt=t("categories.alt", values=alt_text))
    with st.expander(t("categories.table")):
        rows = ((names[name], _interval_text(x, style)) for name, x in means.items())
        st.html(table((t("categories.category"), t("batch.mean")), rows))


def show_frequent_errors(run: ScoringRun) -> None:
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
            show_bars(grouping, names, [group.count for _, group in groups], texts, tuple_kinds, labels=labels)


def show_bars(
    grouping: str,
    names: Sequence[str],
    values: Sequence[float],
    texts: Sequence[str],
    tuple_kinds: Sequence[str],
    *,
    labels: Sequence[str] = (),
) -> None:
    """Show the groups of a grouping as bars, coloured by ``tuple_kinds``. A click filters the captions by a group.

    ``labels`` are shown instead of the ``names``.
    """

    labels = labels or names
    selected_index = selected_group_index(grouping, names)
    figure = _bar_chart(tuple(labels), tuple(values), tuple(texts), tuple(tuple_kinds), selected_index, page.display_style())
    alt_text = ", ".join(f"{label}: {text}" for label, text in zip(labels, texts))
    show_chart(figure, key=f"batch.bars.{grouping}", alt=alt_text, on_click=lambda index: select_group(grouping, names[index]))


def selected_group_index(grouping: str, names: Sequence[str]) -> int | None:
    """Return the index of the group that filters the captions, or None if it is not one of these groups."""
    chosen_name = st.session_state["batch.value"] if st.session_state["batch.kind"] == grouping else None
    return names.index(chosen_name) if chosen_name in names else None


def select_group(grouping: str, name: str) -> None:
    """Filter the captions by a group, and scroll to them."""
    filters.set_filters({"kind": grouping, "value": name})
    filters.scroll_to_rows()


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
