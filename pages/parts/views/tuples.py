"""The table of tuples with kind, state, partner, source and rules. A click on a tuple puts it in focus."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

import streamlit as st

from pages.parts.kit import choice, page, texts, url
from pages.parts.kit.texts import join_items, t
from pages.parts.state.engine import ScoredCaptions
from spice_core.data.work_file import UnmatchedTuple
from spice_core.draw import design
from spice_core.draw.texts import captions_of, match_reason_texts, rules_of_row
from spice_core.evaluation.outcomes import TuplePair
from spice_core.explain.evidence import Occurrence, TupleRow, tuple_text
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import KIND_BY_LENGTH, PLACEHOLDER

LinkByTuple = Mapping[UnmatchedTuple, tuple[str, bool]]  # the URL of the Rules page, and whether it opens "Why no tuple?"
_SORT_KEY_BY_ORDER: dict[str, Callable[[TupleRow], Any]] = {
    "state": lambda row: 0,  # the explanation's order, from matched to missing tuples
    "kind": lambda row: design.TUPLE_KINDS.index(row.kind),
    "references": lambda row: -len({source.caption for source in row.in_references}),
    "words": lambda row: [part.lower() for part in row.parts],
}
ROW_TEST_BY_GROUP: dict[str, Callable[[TupleRow], bool]] = {
    "all": lambda row: True,
    "matched": lambda row: row.state.matched,
    "extra": lambda row: not row.state.matched and row.side == "c",
    "missing": lambda row: not row.state.matched and row.side == "r",
}


def choose_state(rows: Sequence[TupleRow]) -> list[TupleRow]:
    """Show the filter by state. Return the tuples in the selected state."""
    members = {name: list(filter(belongs_to_group, rows)) for name, belongs_to_group in ROW_TEST_BY_GROUP.items()}
    widget = "inspect.show"
    url.init_from_param(widget, "show", ROW_TEST_BY_GROUP, "all")
    labels = {name: t(f"tuples.{name}", number=len(members[name])) for name in ROW_TEST_BY_GROUP}
    chosen_group = choice.segmented_control(t("tuples.show"), labels, key=widget, label_visibility="collapsed")
    url.set_param("show", chosen_group, "all")
    return members[chosen_group]


def search_rows(rows: Sequence[TupleRow]) -> list[TupleRow]:
    """Show the search field and the sort order. Return the matching tuples in that order."""
    options: dict[str, Any] = {"label_visibility": "collapsed", "width": 200}
    text_ = st.text_input(t("tuples.find"), key="inspect.find", placeholder=t("tuples.find"), max_chars=100, **options).strip().lower()
    orders = {name: t(f"tuples.by_{name}") for name in _SORT_KEY_BY_ORDER}
    order = choice.selectbox(t("tuples.order"), orders, key="inspect.order", **options)
    matching_rows = []
    for row in rows:
        source_words = [source.words for source in (*row.in_candidate, *row.in_references)]
        if text_ in " ".join([*row.parts, *row.partner, *source_words]).lower():
            matching_rows.append(row)
    return sorted(matching_rows, key=_SORT_KEY_BY_ORDER[order])


def show_table(rows: Sequence[TupleRow], scored_captions: ScoredCaptions) -> None:
    """Show the table, with a note on implicit subjects."""
    st.html(table_html(rows, names=dict(enumerate(scored_captions.used_indices))))
    if any(PLACEHOLDER in part for row in rows for part in (*row.parts, *row.partner)):
        st.html(f'<p class="sc-note">{t("tuples.implicit_subject_note", name=t("tuples.implicit_subject"), literal=PLACEHOLDER)}</p>')


def table_html(rows: Sequence[TupleRow], *, names: Mapping[int, int]) -> str:
    """Return the table as HTML with escaped captions. ``names`` maps each scored reference to its index in the form."""
    if not rows:
        return f'<p class="sc-note">{t("tuples.nothing")}</p>'
    columns = ("tuple", "match", "in_candidate", "in_references", "rule")
    head = "".join(f"<th scope=col>{t(f'tuples.{name}')}</th>" for name in columns)
    body = "".join(_row_html(row, names) for row in rows)
    return f'<table class="sc-table sc-tuples"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def tuple_labels(rows: Iterable[TupleRow]) -> dict[str, str]:
    """Return the tuples with their states as plain text, by row id."""
    implicit_subject = t("tuples.implicit_subject")
    return {row.id: f"{tuple_text(row.parts, implicit_subject=implicit_subject)} ({t(f'focus.{row.state}')})" for row in rows}


def tuple_words(parts: Sequence[str]) -> str:
    """Return a tuple as text in the interface language."""
    return tuple_text(parts, implicit_subject=t("tuples.implicit_subject"))


def change_text(tuple_pair: TuplePair) -> str:
    """Return a pair of tuples as one line, "umbrella: red → blue", or "umbrella: red" for a single tuple."""
    candidate, reference = (tuple_words(words) if words else "" for words in tuple_pair)
    if not candidate or not reference:
        return candidate or reference
    return f"{candidate} → {tuple_pair.reference[-1] if len(tuple_pair.candidate) == 2 else reference}"


def tuple_html(parts: Sequence[str]) -> str:
    """Return a tuple as escaped text."""
    return escape(tuple_words(parts))


def literal_title(parts: Sequence[str]) -> str:
    """Return a tooltip attribute with the tuple's scored form, or "" if it is displayed in that form."""
    return f' title="{escape(tuple_text(parts, implicit_subject=PLACEHOLDER))}"' if PLACEHOLDER in parts else ""


def tuple_list(state: MatchState, label: str, tuples_: Iterable[Sequence[str]], links: LinkByTuple = MappingProxyType({})) -> str:
    """Return tuples of one state under a heading, coloured by kind. Links open Rules in a new tab."""
    items = ""
    for parts in tuples_:
        address, explains_rules = links.get(UnmatchedTuple(state, tuple(parts)), ("", False))
        title = t("detail.why_rules" if explains_rules else "detail.rules_page")
        start, end = (f'<a href="{escape(address)}" target="_blank" title="{escape(title)}">', "</a>") if address else ("", "")
        items += f'<li class="sc-tuple sc-{KIND_BY_LENGTH[len(parts)]}">{start}{tuple_html(parts)}{end}</li>'
    return f'<div class="sc-listed"><p>{state_mark(state)}<span>{label}</span></p><ul>{items or "<li>–</li>"}</ul></div>'


def kind_text(row: TupleRow) -> str:
    """Return the kind of a tuple, its categories and, for details, its weight."""
    details = [t("legend.detail", weight=f"{row.weight:.2g}")] if row.weight < 1 else []
    kind = t("legend.implied" if row.is_implied else f"legend.{row.kind}")
    return join_items([kind, *(category_label(name).lower() for name in row.categories), *details])


def category_label(category: str) -> str:
    """Return the label of a category in the interface language. Custom categories are their own labels."""
    return t(f"categories.{category}") if category in design.TRANSLATED_CATEGORIES else category


def sort_categories(names: Iterable[str]) -> list[str]:
    """Return categories in the order of all pages, custom categories last."""
    return sorted(names, key=lambda name: (*design.TRANSLATED_CATEGORIES, name).index(name))


def state_mark(state: MatchState) -> str:
    """Return the symbol of a state as HTML."""
    return f'<i class="sc-key sc-{state}" title="{t(f"legend.{state}")}">{design.MARK_BY_STATE[state]}</i>'


def tuple_button(row: TupleRow) -> str:
    """Return a tuple as a button coloured by kind. A click puts the tuple in focus."""
    return f'<button type="button" class="sc-tuple sc-{row.kind}" data-focus="{row.id}"{literal_title(row.parts)}>{tuple_html(row.parts)}</button>'


def _row_html(row: TupleRow, names: Mapping[int, int]) -> str:
    rules = list(dict.fromkeys(map(texts.display_name, rules_of_row(row))))
    cells = {
        "tuple": f'<div class="sc-what">{state_mark(row.state)}<div>{tuple_button(row)}<small>{escape(kind_text(row))}</small></div></div>',
        "match": _match_html(row),
        "in_candidate": _sources_html(row.in_candidate),
        "in_references": _sources_html(row.in_references, names),
        "rule": escape(join_items(rules[:2])) + (f" +{len(rules) - 2}" if len(rules) > 2 else ""),
    }
    return f"<tr>{''.join(_cell_html(column, cell) for column, cell in cells.items())}</tr>"


def _cell_html(column: str, cell: str) -> str:
    return f'<td class="sc-{column}-cell" data-label="{t(f"tuples.{column}")}">{cell}</td>'


def _match_html(row: TupleRow) -> str:
    if not row.partner:
        return f'<span class="sc-muted">{"<br>".join(map(escape, match_reason_texts(row, page.display_style())))}</span>'
    if row.partner == row.parts:
        return t("tuples.exact")
    return f"{t(f'tuples.{row.state}')}<br>{t('tuples.with', partner='')}<b{literal_title(row.partner)}>{tuple_html(row.partner)}</b>"


def _sources_html(sources: Sequence[Occurrence], names: Mapping[int, int] | None = None) -> str:
    lines = []
    for words, places in captions_of(sources).items():
        numbers = f"<small>{', '.join(str(names[i] + 1) for i in places)}</small> " if names else ""
        lines.append(f'<span class="sc-words">{numbers}{escape(words)}</span>')
    return "".join(lines) or '<span class="sc-muted">–</span>'
