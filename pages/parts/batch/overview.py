"""Summary of a run: means with intervals, distribution of F1, categories, frequent errors, and unmatched tuples by cause."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import accumulate

import streamlit as st

from pages.parts.batch import counts
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs import runs
from pages.parts.jobs.runs import MAX_SEARCHED_ROWS, ScoringRun
from pages.parts.kit import choice, html, page
from pages.parts.kit.charts import show_chart
from pages.parts.kit.html import table
from pages.parts.kit.texts import error_text, t
from pages.parts.state.settings import MEANING_SCHEME
from pages.parts.views import filters, tuples
from pages.parts.views.score import metric_label_of
from spice_core.draw import charts
from spice_core.draw.style import DisplayStyle
from spice_core.explain.causes.annotators import CauseCount, iterate_causes
from spice_core.report.tables import table_csv
from spice_core.scene.propositions import KIND_BY_LENGTH

FREQUENT_ERROR_GROUPINGS = ("missing", "extra", "near")
_MAX_GROUP_BARS = 10
_draw_bars = lru_cache(maxsize=128)(charts.draw_bars)


def show_means(run: ScoringRun, *, style: DisplayStyle) -> None:
    """Show mean F1 with its interval, precision, recall, and the number of images without reference tuples."""
    means = counts.mean_scores(run)
    ratios = "".join(
        f"<div><dt>{t(f'score.{name}')}</dt><dd>{style.format_ratio(means[name].value)}</dd></div>" for name in ("precision", "recall")
    )
    f1 = means["f1"]
    interval = f'<span class="sc-whole">{style.format_interval(f1)}</span>'
    st.html(
        f'<section class="sc-score"><div class="sc-f1"><span>{escape(_mean_heading(run))}</span><b>{style.format_ratio(f1.value)}</b></div>'
        f'<p class="sc-said">{t("batch.images", number=len(run.rows), interval=interval)}'
        f"</p><dl>{ratios}</dl></section>"
    )
    if run.settings.scheme == MEANING_SCHEME:
        html.show_note(t("batch.by_meaning"))
    html.show_messages([error_text(notice) for notice in counts.notices(run)])


def _mean_heading(run: ScoringRun) -> str:
    return t("batch.mean_of", metric=metric) if (metric := metric_label_of(run.rows[0].signature)) else t("batch.mean")


def show_distribution(run: ScoringRun, *, style: DisplayStyle) -> None:
    """Show the distribution of F1. A click on a bar filters the captions by F1."""
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
    alt_text = ", ".join(f"{names[name]} {style.format_estimate(x)}" for name, x in means.items())
    html.show_titled_note(t("categories.title"), t("batch.dots"))
    figure = counts.cache_latest(run, "dots", (names, style, len(run.rows)), lambda: charts.draw_dot_plot({"": means}, names, style=style))
    show_chart(figure, key="batch.dots", alt=t("categories.alt", values=alt_text))
    with st.expander(t("categories.table")):
        rows = ((names[name], style.format_estimate(x)) for name, x in means.items())
        st.html(table((t("categories.category"), escape(_mean_heading(run))), rows))


def show_frequent_errors(run: ScoringRun) -> None:
    """Show the most frequent missing tuples, extra tuples and values that differ from the references.

    A click on a bar filters the captions by its tuple or value.
    """
    for grouping in FREQUENT_ERROR_GROUPINGS:
        st.html(f'<h3 class="sc-small">{t(f"batch.most_{grouping}")}</h3>')
        groups = list(counts.image_groups(run, grouping, Decisions()).items())[:_MAX_GROUP_BARS]
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
    bars = map(tuple, (labels, values, texts, tuple_kinds))
    figure = _draw_bars(*bars, selected_index=selected_index, style=page.display_style())
    alt_text = ", ".join(f"{label}: {text}" for label, text in zip(labels, texts))
    show_chart(figure, key=f"batch.bars.{grouping}", alt=alt_text, on_click=lambda index: select_group(grouping, names[index]))


def selected_group_index(grouping: str, names: Sequence[str]) -> int | None:
    """Return the index of the group that filters the captions, or None."""
    chosen_name = st.session_state["batch.value"] if st.session_state["batch.kind"] == grouping else None
    return names.index(chosen_name) if chosen_name in names else None


def select_group(grouping: str, name: str) -> None:
    """Filter the captions by a group, and scroll to them."""
    filters.set_filters({"kind": grouping, "value": name})
    filters.scroll_to_rows()


_MAX_PARETO_BARS = 15
_COLUMN_KEYS = ("cause", "decided", "suggested", "total", "share", "captions")
_FILE_COLUMNS = ("image_id", "state", "tuple", "cause", "decided")


def show_causes(run: ScoringRun, decisions: Decisions) -> None:
    """Show the button that searches for causes, the decided causes and, after the search, the suggested causes."""
    st.subheader(t("pareto.title"))
    search = run.search
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        label = t("pareto.find", number=min(len(run.rows), MAX_SEARCHED_ROWS))
        if search is None or search.is_stopped or search.failure:
            if st.button(label, key="batch.find_causes"):
                run.search = runs.CauseSearch(run.rows[:MAX_SEARCHED_ROWS], run.settings, trees=run.trees).start()
                st.rerun()
        remark = t("pareto.first", most=f"{MAX_SEARCHED_ROWS:,}", total=f"{len(run.rows):,}") if len(run.rows) > MAX_SEARCHED_ROWS else ""
        html.show_note(f"{t('pareto.note')} {remark}")
    if search:
        runs.show_progress(search, key="batch.causes")
    if run.suggested_causes or decisions.tuples:
        _show_causes(run, decisions)


def _show_causes(run: ScoringRun, decisions: Decisions) -> None:
    """Show the choice of extra, missing or all unmatched tuples, and a chart and table of their causes."""
    names = {grouping: t("pareto.cause_both" if grouping == "cause" else f"pareto.{grouping}") for grouping in counts.STATES_BY_GROUPING}
    grouping = choice.segmented_control(
        t("pareto.side"), names, key="batch.pareto_side", label_visibility="collapsed", persist_state="session"
    )
    counts_by_cause = counts.count_grouped_causes(run, decisions, grouping)
    if not counts_by_cause:
        html.show_note(t("tuples.nothing"))
        return
    decided_count, total = (sum(getattr(count, name) for count in counts_by_cause.values()) for name in ("decided_count", "total"))
    html.show_titled_note(t("pareto.counted", total=total, decided=decided_count), t("batch.click"))
    _show_chart(grouping, dict(list(counts_by_cause.items())[:_MAX_PARETO_BARS]), total)
    with st.expander(t("pareto.table")):
        st.html(_table_html(counts_by_cause, total))
        make_csv = lambda: tuples_csv(run, decisions)
        choice.download_button(t("pareto.save"), make_csv, f"spice-{run.name}-causes.csv", "text/csv", key="batch.save_causes")


def _show_chart(grouping: str, counts_by_cause: Mapping[str, CauseCount], total: int) -> None:
    """Show the causes as bars. A click on a bar filters the captions by the cause."""
    names = list(counts_by_cause)
    labels = list(map(cause_label, names))
    numbers = ([getattr(count, name) for count in counts_by_cause.values()] for name in ("decided_count", "suggested_count"))
    titles, index = (t("pareto.decided"), t("pareto.suggested"), t("pareto.cumulative")), selected_group_index(grouping, names)
    figure = charts.draw_pareto(labels, *numbers, tuple_count=total, titles=titles, selected_index=index, style=page.display_style())
    alt = "; ".join(
        t("pareto.alt", cause=label, number=count.total, decided=count.decided_count)
        for label, count in zip(labels, counts_by_cause.values())
    )
    show_chart(figure, key=f"batch.pareto.{grouping}", alt=alt, on_click=lambda index: select_group(grouping, names[index]))


def _table_html(counts_by_cause: Mapping[str, CauseCount], total: int) -> str:
    """Return an HTML table of the causes with tuples, cumulative share and captions."""
    sums = accumulate(count.total for count in counts_by_cause.values())
    rows = []
    for (cause, n), running_sum in zip(counts_by_cause.items(), sums):
        numbers = map(str, (n.decided_count, n.suggested_count, n.total))
        rows.append([escape(cause_label(cause)), *numbers, f"{100 * running_sum / total:.1f}%", str(len(n.images))])
    return html.table([t(f"pareto.{name}" if name != "share" else "pareto.cumulative") for name in _COLUMN_KEYS], rows)


def tuples_csv(run: ScoringRun, decisions: Decisions) -> bytes:
    """Return a CSV file with a header and one line for each tuple that has a cause."""
    rows = iterate_causes(run.suggested_causes, decisions.tuples)
    return table_csv(
        _FILE_COLUMNS,
        ((image, tuple_.state, " – ".join(tuple_.words), cause, "yes" if by_person else "") for image, tuple_, cause, by_person in rows),
    )
