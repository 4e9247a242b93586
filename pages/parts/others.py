"""A data set by other metrics, beside SPICE: a table with a column for each system, measured when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from pages.parts import engine, states
from pages.parts.figures import ends, number, table
from pages.parts.words import t
from spice_core import baselines
from spice_core.bootstrap import Interval
from spice_core.errors import MissingResourceError
from spice_core.metrics import GRAPH, figures, measure

MOST = 1_000  # images that are measured
Items = Sequence[tuple[str, Sequence[str]]]  # candidate and references


def drawer(systems: Mapping[str, Sequence[dict]], chosen: engine.Settings, *, key: str, scale: int) -> None:
    """An expander with a button that measures, and what was found; ``systems`` are result rows by name."""
    opened = st.expander(t("others.title"), key=f"{key}.others", on_change="rerun")
    if not opened.open:
        return
    with opened:
        items = {name: [(row["test"], tuple(row["refs"])) for row in rows[:MOST] if _is_text(row)] for name, rows in systems.items()}
        items = {name: found for name, found in items.items() if found}
        if not items:
            st.html(f'<p class="sc-note">{t("others.no_text")}</p>')
            return
        st.html(f'<p class="sc-note">{t("others.note", most=f"{MOST:,}")}</p>')
        kept, mark = f"{key}.measured", (chosen, hash(tuple((name, *found) for name, found in items.items())))
        if st.button(t("others.measure", number=max(map(len, items.values()))), key=f"{key}.measure"):
            st.session_state[kept] = mark, _measured(items, chosen)
        if st.session_state.get(kept, (None,))[0] == mark:
            found, problems = st.session_state[kept][1]
            states.say(problems)
            _table(found, scale)


def _measured(items: Mapping[str, Items], chosen: engine.Settings) -> tuple[dict[str, dict[str, Interval]], list[str]]:
    """The figures of each system by metric, and what could not be measured."""
    found, problems = {}, []
    with st.spinner(t("others.measuring")):
        for name, each in items.items():
            scores: dict[str, list[float]] = {}
            for metrics in (GRAPH, baselines.NAMES):
                try:
                    scores |= measure(each, metrics, spice=engine.engine(chosen), turn=engine.ONE_AT_A_TIME)
                except MissingResourceError as error:
                    problems.append(str(error))
            found[name] = figures(each, scores, chosen.lang)
    return found, list(dict.fromkeys(problems))


def _table(found: Mapping[str, Mapping[str, Interval]], scale: int) -> None:
    names = list(dict.fromkeys(metric for each in found.values() for metric in each))
    body = ([escape(metric), *(_cell(each.get(metric), scale) for each in found.values())] for metric in names)
    made = table([t("agreement.metric"), *map(escape, found)], body, look="sc-others")
    st.html(made + f'<p class="sc-note">{t("others.table_note")}</p>')


def _cell(value: Interval | None, scale: int) -> str:
    if value is None:
        return t("categories.undefined")
    return f"{number(value.mean, scale=scale)} <small>{ends(value, scale=scale)}</small>"


def _is_text(row: dict) -> bool:
    return isinstance(row.get("test"), str) and bool(row.get("refs")) and all(isinstance(r, str) for r in row["refs"])
