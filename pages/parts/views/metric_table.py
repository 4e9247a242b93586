"""Other metrics on a data set: a table with one column per system, computed on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from pages.parts.jobs import calculations, runs
from pages.parts.kit import html, messages
from pages.parts.kit.html import table
from pages.parts.kit.texts import t
from spice_core import SpiceConfig
from spice_core.data.results import ScoredItem
from spice_core.draw.style import DisplayStyle
from spice_core.lang import language
from spice_core.lang.tree_file import TreeFile
from spice_core.metrics.registry import available_metrics
from spice_core.stats.bootstrap import Estimate

MAX_IMAGES = 1_000  # maximum number of images measured


def show_drawer(
    systems: Mapping[str, Sequence[ScoredItem]], config: SpiceConfig, *, key: str, style: DisplayStyle, trees: TreeFile | None = None
) -> None:
    """Show an expander with a Measure button and its results. ``systems`` are scored items by name. ``trees`` replace the parser."""
    expander = st.expander(t("others.title"), key=f"{key}.others", on_change="rerun")
    if not expander.open:
        return
    with expander:
        items = _captions_by_system(systems)
        if not items:
            st.html(f'<p class="sc-note">{t("others.no_text")}</p>')
            return
        st.html(
            f'<p class="sc-note">{t("others.note", names=", ".join(available_metrics(language(config.lang))), most=f"{MAX_IMAGES:,}")}</p>'
        )
        slot, mark = f"{key}.measured", (config, hash(tuple((name, *pairs) for name, pairs in items.items())))
        task: runs.MeasurementTask | None = st.session_state.get(slot)
        is_running = bool(task and task.is_working)
        if st.button(t("others.measure", number=max(map(len, items.values()))), key=f"{key}.measure", disabled=is_running):
            captions = [text for pairs in items.values() for candidate, references in pairs for text in (candidate, *references)]
            st.session_state[slot] = runs.MeasurementTask(
                calculations.compute_metrics, (items, config), mark, trees=trees, captions=captions
            ).start()
            st.rerun()
        if task and (task.is_working or task.input_key == mark):
            runs.show_progress(task, key=slot)
            _show_result(task, mark, style)


def _captions_by_system(systems: Mapping[str, Sequence[ScoredItem]]) -> dict[str, list[tuple[Any, Any]]]:
    """Return the candidates with their references by system, without rows that have given propositions or no references.

    Only the first ``MAX_IMAGES`` rows of each system are used.
    """
    items = {
        name: [(row.candidate, row.references) for row in rows[:MAX_IMAGES] if _has_caption_texts(row)] for name, rows in systems.items()
    }
    return {name: pairs for name, pairs in items.items() if pairs}


def _show_result(task: runs.MeasurementTask, cache_key: object, style: DisplayStyle) -> None:
    """Show the metrics that a task has computed for these captions."""
    if task.result and task.input_key == cache_key:
        pairs, problems, signatures = task.result
        messages.show_messages(problems)
        _show_table(pairs, style)
        html.show_copyable("\n".join(signatures))


def _show_table(estimates: Mapping[str, Mapping[str, Estimate]], style: DisplayStyle) -> None:
    names = list(dict.fromkeys(metric for column in estimates.values() for metric in column))
    body = ([escape(metric), *(_cell_html(column.get(metric), style) for column in estimates.values())] for metric in names)
    table_html = table([t("agreement.metric"), *map(escape, estimates)], body, css_class="sc-others")
    st.html(table_html + f'<p class="sc-note">{t("others.table_note")}</p>')


def _cell_html(estimate: Estimate | None, style: DisplayStyle) -> str:
    if estimate is None:
        return t("categories.undefined")
    return f"{style.format_ratio(estimate.value)} <small>{style.format_interval(estimate)}</small>"


def _has_caption_texts(row: ScoredItem) -> bool:
    return bool(row.references) and all(isinstance(text, str) for text in (row.candidate, *row.references))
