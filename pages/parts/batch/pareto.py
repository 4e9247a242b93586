"""Causes of a run's unmatched tuples: found on demand, by frequency, those decided by people apart from those only suggested."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import accumulate
from typing import Any

import streamlit as st

from pages.parts.batch import counts, decisions, questions
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs import runs
from pages.parts.jobs.runs import MOST_SEARCHED, Run
from pages.parts.kit import choice, html, page
from pages.parts.kit.charts import LOOK
from pages.parts.kit.texts import t
from spice_core.draw import charts
from spice_core.explain.causes.counts import CauseCount, iterate_causes
from spice_core.report.tables import as_csv

_DRAWN = 15
_COLUMNS = ("cause", "decided", "suggested", "total", "share", "captions")
_FILE = ("image_id", "state", "tuple", "cause", "decided")


def section(run: Run, decided: Decisions, *, key: str) -> None:
    """The button that finds the causes, and what was found or decided."""
    st.subheader(t("pareto.title"))
    _search(run, key=key)
    if run.suggested or decided.tuples:
        _show_causes(run, decided, key=key)


def _search(run: Run, *, key: str) -> None:
    """A button that starts the search, and how far it is."""
    search = run.search
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        label = t("pareto.find", number=min(len(run.rows), MOST_SEARCHED))
        if search is None or search.stopped or search.failure:
            if st.button(label, key=f"{key}.find_causes"):
                run.search = runs.CauseSearch(run.rows[:MOST_SEARCHED], run.settings, trees=run.trees).start()
                st.rerun()
        first = t("pareto.first", most=f"{MOST_SEARCHED:,}", total=f"{len(run.rows):,}") if len(run.rows) > MOST_SEARCHED else ""
        html.note(f"{t('pareto.note')} {first}")
    if search:
        runs.follow(search, key=f"{key}.causes")


def _show_causes(run: Run, decided: Decisions, *, key: str) -> None:
    """The choice of the side, then the causes as a chart and as a table."""
    names = {kind: t("pareto.cause_both" if kind == "cause" else f"pareto.{kind}") for kind in counts.STATES}
    kind = choice.one_of(t("pareto.side"), names, key=f"{key}.pareto_side", label_visibility="collapsed", persist_state="session")
    found = counts.causes(run, decided, kind)
    if not found:
        html.note(t("tuples.nothing"))
        return
    by_people, total = (sum(getattr(count, name) for count in found.values()) for name in ("decided", "total"))
    html.titled_note(t("pareto.counted", total=total, decided=by_people), t("batch.click"))
    _chart(kind, dict(list(found.items())[:_DRAWN]), total, key=key)
    with st.expander(t("pareto.table")):
        st.html(_show_table(found, total))
        made = lambda: tuples_csv(run, decided)
        options: dict[str, Any] = {"file_name": f"spice-{run.name}-causes.csv", "mime": "text/csv", "type": "tertiary"}
        st.download_button(t("pareto.save"), made, key=f"{key}.save_causes", on_click="ignore", **options)


def _chart(kind: str, found: Mapping[str, CauseCount], total: int, *, key: str) -> None:
    """The causes as bars; a click filters the captions."""
    names, widget = list(found), f"{key}.pareto.{kind}"

    def clicked() -> None:
        if points := st.session_state[widget].selection.points:
            st.session_state[f"{key}.kind"], st.session_state[f"{key}.value"] = kind, names[points[0]["point_index"]]
            questions.bring(key=key)

    chosen = st.session_state[f"{key}.value"] if st.session_state[f"{key}.kind"] == kind else None
    place = next((i for i, name in enumerate(names) if name == chosen), None)
    titles = (t("pareto.decided"), t("pareto.suggested"), t("pareto.cumulative"))
    labels, bars = (
        list(map(decisions.label, names)),
        [[getattr(count, side) for count in found.values()] for side in ("decided", "suggested")],
    )
    figure = charts.pareto(labels, *bars, whole=total, titles=titles, chosen=place, style=page.style())
    alt = "; ".join(t("pareto.alt", cause=label, number=count.total, decided=count.decided) for label, count in zip(labels, found.values()))
    st.plotly_chart(figure, key=widget, on_select=clicked, selection_mode="points", alt=alt, **LOOK)


def _show_table(found: Mapping[str, CauseCount], total: int) -> str:
    """The causes with their numbers of tuples, the cumulative share, and their captions."""
    sums = accumulate(count.total for count in found.values())
    rows = (
        [escape(decisions.label(cause)), *map(str, (n.decided, n.suggested, n.total)), f"{100 * sum_ / total:.1f}%", str(len(n.images))]
        for (cause, n), sum_ in zip(found.items(), sums)
    )
    return html.table([t(f"pareto.{name}" if name != "share" else "pareto.cumulative") for name in _COLUMNS], rows)


def tuples_csv(run: Run, decided: Decisions) -> bytes:
    """One line for each tuple with a cause."""
    found = iterate_causes(run.suggested, decided.tuples)
    return as_csv(_FILE, ((image, of.state, " – ".join(of.words), cause, "yes" if own else "") for image, of, cause, own in found))
