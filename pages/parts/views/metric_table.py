"""Other metrics on a data set: a table with one column per system, computed on demand."""

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

import streamlit as st

from pages.parts.jobs import calculations, runs
from pages.parts.kit import html
from pages.parts.kit.texts import t
from pages.parts.kit.url import widget_key
from spice_core import SpiceConfig
from spice_core.data.results import ScoredItem
from spice_core.data.work_file import ImageId
from spice_core.draw.style import DisplayStyle
from spice_core.lang import language
from spice_core.lang.tree_file import TreeFile
from spice_core.metrics.registry import measured_metrics
from spice_core.stats.bootstrap import Estimate

MAX_IMAGES = 1_000


def show_drawer(
    systems: Mapping[str, Sequence[ScoredItem]], config: SpiceConfig, *, style: DisplayStyle, trees: TreeFile | None = None
) -> dict[str, dict[str, dict[ImageId, float]]]:
    """Show an expander with a Measure button and its results. Return the defined scores by system, metric and image.

    ``systems`` are scored items by name. Items that have given propositions or no references are not measured. ``trees`` replace the
    parser.
    """
    slot = widget_key("measured")
    task: runs.MeasurementTask | None = st.session_state.get(slot)
    expander = st.expander(t("others.title"), key=widget_key("others"), on_change="rerun")
    if not expander.open and task is None:
        return {}
    is_text: Callable[[ScoredItem], bool] = lambda row: all(isinstance(text, str) for text in (row.candidate, *row.references))
    rows_by_system = {name: [row for row in rows[:MAX_IMAGES] if row.references and is_text(row)] for name, rows in systems.items()}
    items = {name: [(row.candidate, row.references) for row in rows] for name, rows in rows_by_system.items() if rows}
    input_key = config, hash(tuple((name, *pairs) for name, pairs in items.items()))
    if expander.open:
        with expander:
            if not items:
                html.show_note(t("others.no_text"))
                return {}
            html.show_note(t("others.note", names=", ".join(measured_metrics(language(config.lang))), most=f"{MAX_IMAGES:,}"))
            is_running = bool(task and task.is_working)
            if st.button(t("others.measure", number=max(map(len, items.values()))), key=widget_key("measure"), disabled=is_running):
                captions = [text for pairs in items.values() for candidate, references in pairs for text in (candidate, *references)]
                st.session_state[slot] = runs.MeasurementTask(
                    calculations.compute_metrics, (items, config), input_key, trees=trees, captions=captions
                ).start()
                st.rerun()
            if task and (task.is_working or task.input_key == input_key):
                runs.show_progress(task, key=slot)
                if result := _result_of(task, input_key):
                    _show_result(result, style)
    if not (task and (result := _result_of(task, input_key))):
        return {}
    return {
        name: {
            metric: {row.image_id: score for row, score in zip(rows_by_system[name], scores) if not math.isnan(score)}
            for metric, scores in by_metric.items()
        }
        for name, by_metric in result.scores.items()
    }


def _result_of(task: runs.MeasurementTask, input_key: object) -> calculations.MetricScores | None:
    """Return a task's result, or None if it is working, has failed, or measured other captions."""
    return task.result if task.input_key == input_key else None


def _show_result(result: calculations.MetricScores, style: DisplayStyle) -> None:
    html.show_messages(list(result.problems))
    metrics = list(dict.fromkeys(metric for column in result.estimates.values() for metric in column))
    body = ([escape(metric), *(_cell_html(column.get(metric), style) for column in result.estimates.values())] for metric in metrics)
    st.html(html.table([t("agreement.metric"), *map(escape, result.estimates)], body, css_class="sc-others"))
    html.show_note(t("others.table_note"))
    html.show_copyable("\n".join(result.signatures))


def _cell_html(estimate: Estimate | None, style: DisplayStyle) -> str:
    if estimate is None:
        return t("categories.undefined")
    return f"{style.format_ratio(estimate.value)} <small>{style.format_interval(estimate)}</small>"
