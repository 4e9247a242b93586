"""The causes of a run's unmatched tuples by frequency, with decided and suggested causes counted separately."""

from collections.abc import Mapping
from html import escape
from itertools import accumulate

import streamlit as st

from pages.parts.batch import counts, overview
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs import runs
from pages.parts.jobs.runs import MAX_SEARCHED_ROWS, ScoringRun
from pages.parts.kit import choice, html, page
from pages.parts.kit.charts import show_chart
from pages.parts.kit.texts import t
from spice_core.draw import charts
from spice_core.explain.causes.annotators import CauseCount, iterate_causes
from spice_core.report.tables import table_csv

_MAX_BARS = 15
_COLUMN_KEYS = ("cause", "decided", "suggested", "total", "share", "captions")
_FILE_COLUMNS = ("image_id", "state", "tuple", "cause", "decided")


def show_section(run: ScoringRun, decisions: Decisions) -> None:
    """Show the button that starts the search for causes, the decided causes and, once the search has ended, the causes that it found."""
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
    """Show the choice of extra, missing or all unmatched tuples, with their causes as a chart and a table."""
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
    _show_chart(grouping, dict(list(counts_by_cause.items())[:_MAX_BARS]), total)
    with st.expander(t("pareto.table")):
        st.html(_table_html(counts_by_cause, total))
        make_csv = lambda: tuples_csv(run, decisions)
        choice.download_button(t("pareto.save"), make_csv, f"spice-{run.name}-causes.csv", "text/csv", key="batch.save_causes")


def _show_chart(grouping: str, counts_by_cause: Mapping[str, CauseCount], total: int) -> None:
    """Show the causes as bars. A click on a bar filters the captions by the cause."""
    names = list(counts_by_cause)
    labels = list(map(cause_label, names))
    figure = charts.draw_pareto(
        labels,
        [count.decided_count for count in counts_by_cause.values()],
        [count.suggested_count for count in counts_by_cause.values()],
        tuple_count=total,
        titles=(t("pareto.decided"), t("pareto.suggested"), t("pareto.cumulative")),
        selected_index=overview.selected_group_index(grouping, names),
        style=page.display_style(),
    )
    alt = "; ".join(
        t("pareto.alt", cause=label, number=count.total, decided=count.decided_count)
        for label, count in zip(labels, counts_by_cause.values())
    )
    show_chart(figure, key=f"batch.pareto.{grouping}", alt=alt, on_click=lambda index: overview.select_group(grouping, names[index]))


def _table_html(counts_by_cause: Mapping[str, CauseCount], total: int) -> str:
    """Return an HTML table of the causes: numbers of tuples, cumulative share, and number of captions."""
    sums = accumulate(count.total for count in counts_by_cause.values())
    rows = (
        [
            escape(cause_label(cause)),
            *map(str, (n.decided_count, n.suggested_count, n.total)),
            f"{100 * running_sum / total:.1f}%",
            str(len(n.images)),
        ]
        for (cause, n), running_sum in zip(counts_by_cause.items(), sums)
    )
    return html.table([t(f"pareto.{name}" if name != "share" else "pareto.cumulative") for name in _COLUMN_KEYS], rows)


def tuples_csv(run: ScoringRun, decisions: Decisions) -> bytes:
    """Return a CSV file with a header and one line for each tuple that has a cause."""
    rows = iterate_causes(run.suggested_causes, decisions.tuples)
    return table_csv(
        _FILE_COLUMNS,
        ((image, tuple_.state, " – ".join(tuple_.words), cause, "yes" if by_person else "") for image, tuple_, cause, by_person in rows),
    )
