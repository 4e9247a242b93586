"""The order of the captions of a run, and their filters: score range, group, word and questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.batch import counts, outcome_filters, overview
from pages.parts.batch.counts import Line
from pages.parts.batch.decisions import Decisions, cause_label
from pages.parts.jobs.runs import ScoringRun
from pages.parts.kit import choice, messages, url
from pages.parts.kit.chips import ChipByFilter, question_chips, show_chips
from pages.parts.kit.texts import t
from pages.parts.views import tuples
from spice_core.draw.design import KIND_BY_CATEGORY
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.error_analysis import ImageGroup
from spice_core.evaluation.row_statistics import caption_text
from spice_core.scene.scores import OVERALL

GROUPINGS = ("", "category", "score", "length", "word", "field", "tag", "missing", "extra", "near", *counts.STATES_BY_GROUPING)
SORT_ORDERS = ("worst", "best", "file_order")
_CHART_GROUPINGS = ("category", "score", "length", "word", "field", "tag", *counts.STATES_BY_GROUPING)
FULL_RANGE = (0.0, 1.0)
_MAX_PARAM_CHARS = 300  # maximum number of characters of a filter in the URL
_MAX_GROUPS = 300
_MAX_BARS = 12
FILTER_PARAMS = ("q", "f1", "by", "only", "find", "order")


def init_filters(*, key: str) -> None:
    """Initialise the filters that have no state: once per session from the URL, later with defaults."""
    address = st.query_params if f"{key}.range" not in st.session_state else {}
    for name, value in _requested_filters(address).items():
        st.session_state.setdefault(f"{key}.{name}", value)


def restore_filters(view: Mapping[str, str], *, key: str) -> None:
    """Restore the filters of a saved view."""
    st.session_state.update({f"{key}.{name}": value for name, value in _requested_filters(view).items()})


def _requested_filters(view: Mapping[str, str]) -> dict[str, Any]:
    """Read the state of each filter from a saved view or the URL. Invalid values become defaults."""
    return {
        "range": _parse_range(view.get("f1", "")),
        "kind": grouping if (grouping := view.get("by", "")) in GROUPINGS else "",
        "value": view.get("only"),
        "search": view.get("find", "")[:_MAX_PARAM_CHARS],
        "order": order if (order := view.get("order", "")) in SORT_ORDERS else "worst",
        "asked": list(dict.fromkeys(view.get("q", "")[:_MAX_PARAM_CHARS].split(",")))[: outcome_filters.MAX_QUESTIONS],
    }


def clear_filters(*, key: str) -> None:
    """Clear all filters, but keep the sort order."""
    st.session_state.update({f"{key}.range": FULL_RANGE, f"{key}.kind": "", f"{key}.value": None, f"{key}.search": "", f"{key}.asked": []})


def _parse_range(text: str) -> tuple[float, float]:
    """Parse an F1 range such as 0.2-0.4, or return the full range for any other text."""
    low, high = map(float, match.groups()) if (match := re.fullmatch(r"([01]\.\d{1,2})-([01]\.\d{1,2})", text, re.ASCII)) else FULL_RANGE
    return (low, high) if low < high <= 1 else FULL_RANGE


def filter_params(run: ScoringRun, *, key: str) -> dict[str, str]:
    """Return the filters and the sort order as URL parameters."""
    low, high = st.session_state[f"{key}.range"]
    return {
        "q": ",".join(outcome_filters.requested_questions(run, key=key)),
        "f1": f"{low:.2f}-{high:.2f}" if (low, high) != FULL_RANGE else "",
        "by": st.session_state[f"{key}.kind"],
        "only": st.session_state[f"{key}.value"] or "",
        "find": st.session_state[f"{key}.search"],
        "order": st.session_state[f"{key}.order"],
    }


def choose_lines(run: ScoringRun, decisions: Decisions, *, key: str, style: DisplayStyle) -> list[Line]:
    """Show the filters. Return the matching captions in the chosen order."""
    columns = st.columns([3, 2, 3, 3], gap="medium", vertical_alignment="bottom")
    columns[0].slider(t("batch.range"), 0.0, 1.0, step=0.05, key=f"{key}.range", persist_state="session")
    options: dict[str, Any] = {"persist_state": "session"}
    offered_groupings = [name for name in GROUPINGS if name != "field" or counts.are_grouped(run)]
    if st.session_state[f"{key}.kind"] not in offered_groupings:  # a link names a grouping that these data do not have
        st.session_state[f"{key}.kind"] = ""
    labels_by_grouping = {name: t(f"batch.by_{name or 'none'}") for name in offered_groupings}
    grouping = choice.selectbox(t("batch.slice"), labels_by_grouping, container=columns[1], key=f"{key}.kind", **options)
    _show_groups(columns[2], run, grouping, decisions, key=key, style=style)
    columns[3].text_input(t("batch.search"), key=f"{key}.search", placeholder=t("batch.search_hint"), **options)
    matching_lines = filter_lines(run, decisions, key=key)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(
            f'<p class="sc-count" role="status">{t("batch.found", number=len(matching_lines), total=len(run.rows))}</p>', width="content"
        )
        _show_chips(run, key=key, style=style)
        orders = {name: t(f"batch.{name}") for name in SORT_ORDERS}
        order = choice.segmented_control(
            t("batch.order"), orders, key=f"{key}.order", label_visibility="collapsed", width="content", wrap=True, **options
        )
        if len(matching_lines) < len(run.rows):
            st.button(t("batch.clear"), key=f"{key}.clear", on_click=clear_filters, kwargs={"key": key}, type="tertiary")
    for name, value in filter_params(run, key=key).items():
        url.set_param(name, value, "worst" if name == "order" else "")
    return sort_lines(matching_lines, order)


def _show_chips(run: ScoringRun, *, key: str, style: DisplayStyle) -> None:
    """Show a button for each active filter. A click removes the filter."""
    low, high = st.session_state[f"{key}.range"]
    grouping, value, word = (st.session_state[f"{key}.{name}"] for name in ("kind", "value", "search"))
    chips: ChipByFilter = {}
    if (low, high) != FULL_RANGE:
        chips["range"] = f"F1 {style.format_ratio(low)}–{style.format_ratio(high)}", {"range": FULL_RANGE}
    if grouping and value:
        chips["value"] = f"{t(f'batch.by_{grouping}')}: {group_label(grouping, value)}", {"kind": "", "value": None}
    if word.strip():
        chips["search"] = t("batch.chip_word", word=word.strip()), {"search": ""}
    show_chips(
        chips | question_chips({q: outcome_filters.question_text(q) for q in outcome_filters.requested_questions(run, key=key)}), key=key
    )


def filter_lines(run: ScoringRun, decisions: Decisions, *, key: str) -> list[Line]:
    """Return the captions that match the filters."""
    low, high = st.session_state[f"{key}.range"]
    grouping, value = st.session_state[f"{key}.kind"], st.session_state[f"{key}.value"]
    word = st.session_state[f"{key}.search"].strip().lower()
    ids = counts.images_in_group(run, grouping, value, decisions) if grouping and value else None
    image_sets = [set(outcome_filters.images_by_question(run)[name]) for name in outcome_filters.requested_questions(run, key=key)]
    return [
        line
        for line in counts.caption_lines(run)
        if all(line.id in image_ids for image_ids in image_sets)
        if low <= line.f1 + 1e-9 and (line.f1 < high - 1e-9 or high >= 1)
        if ids is None or line.id in ids
        if not word or any(word in caption_text(text).lower() for text in (line.row.candidate, *line.row.references))
    ]


def sort_lines(lines: list[Line], order: str) -> list[Line]:
    """Sort captions by one of ``SORT_ORDERS``."""
    return lines if order == "file_order" else sorted(lines, key=lambda line: line.f1, reverse=order == "best")


def _show_groups(column: DeltaGenerator, run: ScoringRun, grouping: str, decisions: Decisions, *, key: str, style: DisplayStyle) -> None:
    """Show the groups of the chosen grouping as a select box and, for some groupings, as bars."""
    widget = f"{key}.value"
    if not grouping:
        st.session_state[widget] = None
        column.selectbox(t("batch.group"), [], key=widget, disabled=True, placeholder=t("batch.by_none"))
        return
    groups = dict(_sort_groups(grouping, list(counts.image_groups(run, grouping, decisions).items())[:_MAX_GROUPS]))
    requested_group = st.session_state[widget]
    if (
        requested_group not in groups
        and grouping in counts.STATES_BY_GROUPING
        and not run.suggested_causes
        and requested_group in decisions.tuple_causes
    ):  # a link names a cause, but the search for causes has not run
        groups[requested_group] = ImageGroup()
        messages.show_messages([t("pareto.ask_first")])
    if requested_group not in groups:
        st.session_state[widget] = None

    def label(name: str) -> str:
        return t("batch.group_of", name=group_label(grouping, name), number=groups[name].count, mean=style.format_ratio(groups[name].mean))

    options: dict[str, Any] = {"placeholder": t("batch.group_hint"), "persist_state": "session"}
    choice.selectbox(t("batch.group"), {name: label(name) for name in groups}, container=column, key=widget, index=None, **options)
    if grouping in _CHART_GROUPINGS and groups:
        names = list(groups)[:_MAX_BARS]
        values = [groups[name].mean for name in names]
        texts = [f"{style.format_ratio(groups[name].mean)} · {groups[name].count}" for name in names]
        title = t("batch.slice_own") if grouping == "category" else t("batch.slice_title", kind=t(f"batch.by_{grouping}"))
        st.html(f'<h3 class="sc-small">{title}</h3>')
        labels = [group_label(grouping, name) for name in names]
        overview.show_bars(grouping, names, values, texts, [_group_colour(grouping, name) for name in names], key=key, labels=labels)


def group_label(grouping: str, group_name: str) -> str:
    """Return the label of a group in the interface language."""
    if grouping == "category":
        return tuples.category_label(group_name)
    return cause_label(group_name) if grouping == "tag" or grouping in counts.STATES_BY_GROUPING else group_name


def _sort_groups(grouping: str, groups: list) -> list:
    """Sort groups of lengths and scores numerically, and leave other groups in order of frequency."""
    return sorted(groups, key=lambda pair: float(pair[0].split("–")[0])) if grouping in ("length", "score") else groups


def _group_colour(grouping: str, group_name: str) -> str:
    if grouping != "category" or group_name == OVERALL:
        return ""
    return KIND_BY_CATEGORY.get(group_name, "attribute")
