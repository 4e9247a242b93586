"""Filters for the captions of a run: score range, slice and group, a word, and the order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.batch import counts, decisions, overview, questions
from pages.parts.batch.counts import Line
from pages.parts.batch.decisions import Decisions
from pages.parts.jobs.runs import Run
from pages.parts.kit import choice, messages, url
from pages.parts.kit.html import plain
from pages.parts.kit.texts import t
from pages.parts.views import scored_rows, tuples
from spice_core.draw.design import KIND_OF
from spice_core.draw.style import DisplayStyle
from spice_core.evaluation.error_analysis import Group
from spice_core.scene.scores import OVERALL

KINDS = ("", "category", "score", "length", "word", "field", "tag", "missing", "extra", "near", *counts.STATES)
ORDERS = ("worst", "best", "file_order")
_CHARTED = ("category", "score", "length", "word", "field", "tag", *counts.STATES)
FULL = (0.0, 1.0)
_LONGEST = 300  # characters of a filter in the address
_OFFERED = 300  # groups offered in the list
_DRAWN = 12


def begin(*, key: str) -> None:
    """Set the filters, at the first visit as the address says."""
    address = st.query_params if f"{key}.range" not in st.session_state else {}
    for name, value in _requested_filters(address).items():
        st.session_state.setdefault(f"{key}.{name}", value)


def put(view: Mapping[str, str], *, key: str) -> None:
    """Set the filters as a view says."""
    st.session_state.update({f"{key}.{name}": value for name, value in _requested_filters(view).items()})


def _requested_filters(view: Mapping[str, str]) -> dict[str, Any]:
    """The state of each filter, from a view or the address; of what is unknown the default."""
    return {
        "range": _range(view.get("f1", "")),
        "kind": kind if (kind := view.get("by", "")) in KINDS else "",
        "value": view.get("only"),
        "search": view.get("find", "")[:_LONGEST],
        "order": order if (order := view.get("order", "")) in ORDERS else "worst",
        "asked": list(dict.fromkeys(view.get("q", "")[:_LONGEST].split(",")))[: questions.MOST],
    }


def clear(*, key: str) -> None:
    """Clear the filters."""
    st.session_state.update({f"{key}.range": FULL, f"{key}.kind": "", f"{key}.value": None, f"{key}.search": "", f"{key}.asked": []})


def _range(written: str) -> tuple[float, float]:
    """A range of F1 as the address holds it, 0.2-0.4; the full range for anything else."""
    low, high = map(float, found.groups()) if (found := re.fullmatch(r"([01]\.\d{1,2})-([01]\.\d{1,2})", written, re.ASCII)) else FULL
    return (low, high) if low < high <= 1 else FULL


def view(run: Run, *, key: str) -> dict[str, str]:
    """The filters as the address holds them."""
    low, high = st.session_state[f"{key}.range"]
    return {
        "q": ",".join(questions.requested_questions(run, key=key)),
        "f1": f"{low:.2f}-{high:.2f}" if (low, high) != FULL else "",
        "by": st.session_state[f"{key}.kind"],
        "only": st.session_state[f"{key}.value"] or "",
        "find": st.session_state[f"{key}.search"],
        "order": st.session_state[f"{key}.order"],
    }


def choose(run: Run, decided: Decisions, *, key: str, style: DisplayStyle) -> list[Line]:
    """Show the filters; returns the captions that pass them, in the chosen order."""
    columns = st.columns([3, 2, 3, 3], gap="medium", vertical_alignment="bottom")
    columns[0].slider(t("batch.range"), 0.0, 1.0, step=0.05, key=f"{key}.range", persist_state="session")
    options: dict[str, Any] = {"persist_state": "session"}
    offered = [name for name in KINDS if name != "field" or counts.are_grouped(run)]
    if st.session_state[f"{key}.kind"] not in offered:  # by a link
        st.session_state[f"{key}.kind"] = ""
    kinds = {name: t(f"batch.by_{name or 'none'}") for name in offered}
    kind = choice.in_list(t("batch.slice"), kinds, place=columns[1], key=f"{key}.kind", **options)
    _groups(columns[2], run, kind, decided, key=key, style=style)
    columns[3].text_input(t("batch.search"), key=f"{key}.search", placeholder=t("batch.search_hint"), **options)
    found = chosen(run, decided, key=key)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(f'<p class="sc-count" role="status">{t("batch.found", number=len(found), total=len(run.rows))}</p>', width="content")
        _chips(run, key=key, style=style)
        orders = {name: t(f"batch.{name}") for name in ORDERS}
        order = choice.one_of(
            t("batch.order"), orders, key=f"{key}.order", label_visibility="collapsed", width="content", wrap=True, **options
        )
        if len(found) < len(run.rows):
            st.button(t("batch.clear"), key=f"{key}.clear", on_click=clear, kwargs={"key": key}, type="tertiary")
    for name, value in view(run, key=key).items():
        url.set_param(name, value, "worst" if name == "order" else "")
    return sorted_(found, order)


def _chips(run: Run, *, key: str, style: DisplayStyle) -> None:
    """Each filter that is set, as a button that removes it."""
    low, high = st.session_state[f"{key}.range"]
    kind, value, word = (st.session_state[f"{key}.{name}"] for name in ("kind", "value", "search"))
    chips: dict[str, tuple[str, dict[str, Any]]] = {}
    if (low, high) != FULL:
        chips["range"] = f"F1 {style.ratio(low)}–{style.ratio(high)}", {"range": FULL}
    if kind and value:
        chips["value"] = f"{t(f'batch.by_{kind}')}: {group_label(kind, value)}", {"kind": "", "value": None}
    if word.strip():
        chips["search"] = t("batch.chip_word", word=word.strip()), {"search": ""}
    asked = questions.requested_questions(run, key=key)
    for question in asked:
        chips[question] = questions.question_text(question), {"asked": [each for each in asked if each != question]}

    def drop(without: dict[str, Any]) -> None:
        st.session_state.update({f"{key}.{name}": value for name, value in without.items()})

    for name, (label, without) in chips.items():
        st.button(f"{plain(label)} ✕", key=f"{key}.chip.{name}", on_click=drop, args=(without,), help=t("batch.chip_help"))


def chosen(run: Run, decided: Decisions, *, key: str) -> list[Line]:
    """The captions that pass the filters."""
    low, high = st.session_state[f"{key}.range"]
    kind, value = st.session_state[f"{key}.kind"], st.session_state[f"{key}.value"]
    word = st.session_state[f"{key}.search"].strip().lower()
    ids = counts.images_in_group(run, kind, value, decided) if kind and value else None
    answered = [set(questions.answers(run)[name]) for name in questions.requested_questions(run, key=key)]
    return [
        line
        for line in counts.lines(run)
        if all(line.id in each for each in answered)
        if low <= line.f1 + 1e-9 and (line.f1 < high - 1e-9 or high >= 1)
        if ids is None or line.id in ids
        if not word or any(word in scored_rows.caption_text(text).lower() for text in (line.row.candidate, *line.row.references))
    ]


def sorted_(lines: list[Line], order: str) -> list[Line]:
    """The captions in one of the orders of ORDERS."""
    return lines if order == "file_order" else sorted(lines, key=lambda line: line.f1, reverse=order == "best")


def _groups(column: DeltaGenerator, run: Run, kind: str, decided: Decisions, *, key: str, style: DisplayStyle) -> None:
    """The groups of the chosen slice, as a list and as bars."""
    widget = f"{key}.value"
    if not kind:
        st.session_state[widget] = None
        column.selectbox(t("batch.group"), [], key=widget, disabled=True, placeholder=t("batch.by_none"))
        return
    groups = dict(_sort_groups(kind, counts.slices(run, kind, decided).most(_OFFERED)))
    asked = st.session_state[widget]
    if asked not in groups and kind in counts.STATES and not run.suggested and asked in decided.for_tuples:  # by a link
        groups[asked] = Group()
        messages.say([t("pareto.ask_first")])
    if asked not in groups:
        st.session_state[widget] = None

    def label(name: str) -> str:
        return t("batch.group_of", name=group_label(kind, name), number=groups[name].count, mean=style.ratio(groups[name].mean))

    options: dict[str, Any] = {"placeholder": t("batch.group_hint"), "persist_state": "session"}
    choice.in_list(t("batch.group"), {name: label(name) for name in groups}, place=column, key=widget, index=None, **options)
    if kind in _CHARTED and groups:
        names = list(groups)[:_DRAWN]
        values = [groups[name].mean for name in names]
        texts = [f"{style.ratio(groups[name].mean)} · {groups[name].count}" for name in names]
        title = t("batch.slice_own") if kind == "category" else t("batch.slice_title", kind=t(f"batch.by_{kind}"))
        st.html(f'<h3 class="sc-small">{title}</h3>')
        labels = [group_label(kind, name) for name in names]
        overview.bars(kind, names, values, texts, [_colour(kind, name) for name in names], key=key, labels=labels)


def group_label(kind: str, name: str) -> str:
    """The label of a group."""
    if kind == "category":
        return tuples.category(name)
    return decisions.label(name) if kind == "tag" or kind in counts.STATES else name


def _sort_groups(kind: str, groups: list) -> list:
    """Lengths and scores in numerical order, all other groups by frequency."""
    return sorted(groups, key=lambda pair: float(pair[0].split("–")[0])) if kind in ("length", "score") else groups


def _colour(kind: str, name: str) -> str:
    if kind != "category" or name == OVERALL:
        return ""
    return KIND_OF.get(name, "attribute")
