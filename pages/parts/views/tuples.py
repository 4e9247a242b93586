"""The table of tuples: kind, state and source of each. A click on a row puts its tuple in focus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

import streamlit as st

from pages.parts.kit import choice, page, rule_texts, url
from pages.parts.kit.texts import t
from pages.parts.state.engine import Scored
from spice_core.data.work_file import Unmatched
from spice_core.draw import design
from spice_core.draw.texts import captions_of, rules, why
from spice_core.explain.evidence import Occurrence, TupleRow, tuple_text
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import KINDS, PLACEHOLDER

Links = Mapping[Unmatched, tuple[str, bool]]  # the address of Rules, and whether it asks why there is no tuple
_ORDERS: dict[str, Callable[[TupleRow], Any]] = {
    "state": lambda row: 0,  # as they come: matched, extra, missing
    "kind": lambda row: design.KINDS.index(row.kind),
    "references": lambda row: -len({source.caption for source in row.in_references}),
    "words": lambda row: [part.lower() for part in row.parts],
}
GROUPS: dict[str, Callable[[TupleRow], bool]] = {
    "all": lambda row: True,
    "matched": lambda row: row.state.matched,
    "extra": lambda row: not row.state.matched and row.side == "c",
    "missing": lambda row: not row.state.matched and row.side == "r",
}


def choose_state(rows: Sequence[TupleRow], *, key: str) -> list[TupleRow]:
    """The choice of a state; returns the tuples in that state."""
    members = {name: list(filter(belongs, rows)) for name, belongs in GROUPS.items()}
    widget = f"{key}.show"
    url.init_from_param(widget, "show", GROUPS, "all")
    labels = {name: t(f"tuples.{name}", number=len(members[name])) for name in GROUPS}
    shown = choice.one_of(t("tuples.show"), labels, key=widget, label_visibility="collapsed")
    url.set_param("show", shown, "all")
    return members[shown]


def search(rows: Sequence[TupleRow], *, key: str) -> list[TupleRow]:
    """The tuples with a text in their words or captions, in the order that is chosen."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        options: dict[str, Any] = {"label_visibility": "collapsed", "width": 240}
        text_ = st.text_input(t("tuples.find"), key=f"{key}.find", placeholder=t("tuples.find"), max_chars=100, **options).strip().lower()
        order = choice.in_list(t("tuples.order"), {name: t(f"tuples.by_{name}") for name in _ORDERS}, key=f"{key}.order", **options)
    return sorted((row for row in rows if text_ in _search_text(row)), key=_ORDERS[order])


def _search_text(row: TupleRow) -> str:
    """All words of a row, in lower case: its tuple, its partner, and where they were read."""
    read = (source.words for source in (*row.in_candidate, *row.in_references))
    return " ".join([*row.parts, *row.partner, *read]).lower()


def table(rows: Sequence[TupleRow], scored: Scored) -> None:
    """The table, with a note on implicit subjects."""
    st.html(html(rows, names=dict(enumerate(scored.used))))
    if any(PLACEHOLDER in part for row in rows for part in (*row.parts, *row.partner)):
        st.html(f'<p class="sc-note">{t("tuples.implicit_subject_note", name=t("tuples.implicit_subject"), literal=PLACEHOLDER)}</p>')


def html(rows: Sequence[TupleRow], *, names: Mapping[int, int]) -> str:
    """The table as HTML; all texts of the captions are escaped. ``names`` gives the row of each reference."""
    if not rows:
        return f'<p class="sc-note">{t("tuples.nothing")}</p>'
    columns = ("tuple", "match", "in_candidate", "in_references", "rule")
    head = "".join(f"<th scope=col>{t(f'tuples.{name}')}</th>" for name in columns)
    body = "".join(_row(row, names) for row in rows)
    return f'<table class="sc-table sc-tuples"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def labels(rows: Iterable[TupleRow]) -> dict[str, str]:
    """The tuples as plain text with their states, by the id of their row."""
    implicit_subject = t("tuples.implicit_subject")
    return {row.id: f"{tuple_text(row.parts, implicit_subject=implicit_subject)} ({t(f'focus.{row.state}')})" for row in rows}


def tuple_html(parts: Sequence[str]) -> str:
    """A tuple as escaped text."""
    return escape(tuple_text(parts, implicit_subject=t("tuples.implicit_subject")))


def literal(parts: Sequence[str]) -> str:
    """The tuple as it is scored, as a tooltip if it is shown in other words."""
    return f' title="{escape(tuple_text(parts, implicit_subject=PLACEHOLDER))}"' if PLACEHOLDER in parts else ""


def tuple_list(state: MatchState, label: str, found: Iterable[Sequence[str]], links: Links = MappingProxyType({})) -> str:
    """Tuples of one state under a heading, each in the colour of its kind; a tuple with a link opens Rules in a new tab."""
    items = "".join(
        f'<li class="sc-tuple sc-{KINDS[len(parts)]}">{_link_html(parts, *links.get(Unmatched(state, tuple(parts)), ("", False)))}</li>'
        for parts in found
    )
    return f'<div class="sc-listed"><p>{state_mark(state)}<span>{label}</span></p><ul>{items or "<li>–</li>"}</ul></div>'


def _link_html(parts: Sequence[str], address: str, why: bool) -> str:
    title = t("detail.why_rules" if why else "detail.rules_page")
    return f'<a href="{escape(address)}" target="_blank" title="{escape(title)}">{tuple_html(parts)}</a>' if address else tuple_html(parts)


def kinds(row: TupleRow) -> str:
    """The kind of a tuple, and its categories."""
    return ", ".join([t("legend.implied" if row.implied else f"legend.{row.kind}"), *(category(name).lower() for name in row.categories)])


def category(name: str) -> str:
    """The label of a category; own categories keep their names."""
    return t(f"categories.{name}") if name in design.CATEGORIES else name


def state_mark(state: MatchState) -> str:
    """The symbol of a state."""
    return f'<i class="sc-key sc-{state}" title="{t(f"legend.{state}")}">{design.MARKS[state]}</i>'


def button(row: TupleRow) -> str:
    """A tuple in the colour of its kind; a click puts it in focus."""
    return (
        f'<button type="button" class="sc-tuple sc-{row.kind}" data-focus="{row.id}"{literal(row.parts)}>{tuple_html(row.parts)}</button>'
    )


def _row(row: TupleRow, names: Mapping[int, int]) -> str:
    cells = {
        "tuple": f'<div class="sc-what">{state_mark(row.state)}<div>{button(row)}<small>{escape(kinds(row))}</small></div></div>',
        "match": _match(row),
        "in_candidate": _sources(row.in_candidate),
        "in_references": _sources(row.in_references, names),
        "rule": _rules(row),
    }
    return f"<tr>{''.join(_cell(column, cell) for column, cell in cells.items())}</tr>"


def _rules(row: TupleRow) -> str:
    """The first rules that yielded the tuple, and the number of others."""
    found = list(dict.fromkeys(map(rule_texts.name, rules(row))))
    return escape(", ".join(found[:2])) + (f" +{len(found) - 2}" if len(found) > 2 else "")


def _cell(column: str, cell: str) -> str:
    return f'<td class="sc-{column}-cell" data-label="{t(f"tuples.{column}")}">{cell}</td>'


def _match(row: TupleRow) -> str:
    if not row.partner:
        return f'<span class="sc-muted">{"<br>".join(map(escape, why(row, page.style())))}</span>'
    if row.partner == row.parts:
        return t("tuples.exact")
    return f"{t(f'tuples.{row.state}')}<br>{t('tuples.with', partner='')}<b{literal(row.partner)}>{tuple_html(row.partner)}</b>"


def _sources(sources: Sequence[Occurrence], names: Mapping[int, int] | None = None) -> str:
    """The words, and for references the rows of the captions with these words."""
    lines = []
    for words, where in captions_of(sources).items():
        numbers = f"<small>{', '.join(str(names[i] + 1) for i in where)}</small> " if names else ""
        lines.append(f'<span class="sc-words">{numbers}{escape(words)}</span>')
    return "".join(lines) or '<span class="sc-muted">–</span>'
