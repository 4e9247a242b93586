"""The table of tuples: what each is, whether and why it matched, and where it was read."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.parts.words import t
from spice_core.draw import look
from spice_core.draw.evidence import Reason, Row, Source, text
from spice_core.propositions import PLACEHOLDER

GROUPS = {"all": look.STATES, "matched": ("same", "synonym", "partial"), "extra": ("extra",), "missing": ("missing",)}


def table(rows: Sequence[Row], *, key: str) -> None:
    """All rows, or those of the chosen state."""
    members = {name: [row for row in rows if row.state in states] for name, states in GROUPS.items()}
    chosen = st.segmented_control(
        t("tuples.show"),
        list(GROUPS),
        default="all",
        required=True,
        key=f"{key}.show",
        label_visibility="collapsed",
        format_func=lambda name: t(f"tuples.{name}", number=len(members[name])),
    )
    shown = members[chosen or "all"]
    st.html(html(shown))
    if any(PLACEHOLDER in part for row in shown for part in (*row.parts, *row.partner)):
        st.html(f'<p class="sc-note">{t("tuples.understood_note", name=t("tuples.understood"), literal=PLACEHOLDER)}</p>')


def html(rows: Sequence[Row]) -> str:
    """The table as HTML; every text of the captions is escaped."""
    if not rows:
        return f'<p class="sc-note">{t("tuples.nothing")}</p>'
    columns = ("tuple", "match", "in_candidate", "in_references", "rule")
    head = "".join(f"<th scope=col>{t(f'tuples.{name}')}</th>" for name in columns)
    return f'<table class="sc-table sc-tuples"><thead><tr>{head}</tr></thead><tbody>{"".join(map(_row, rows))}</tbody></table>'


def _row(row: Row) -> str:
    kind = ", ".join([t(f"legend.{row.kind}"), *(t(f"categories.{c}").lower() if c in _KNOWN else c for c in row.categories)])
    state = f'<i class="sc-key sc-{row.state}" title="{t(f"legend.{row.state}")}">{look.MARKS[row.state]}</i>'
    name = f'<span class="sc-tuple sc-{row.kind}"{_literal(row.parts)}>{_tuple(row.parts)}</span>'
    cells = {
        "tuple": f'<div class="sc-what">{state}<div>{name}<small>{escape(kind)}</small></div></div>',
        "match": _match(row),
        "in_candidate": _sources(row.in_candidate, numbered=False),
        "in_references": _sources(row.in_references, numbered=True),
        "rule": ", ".join(escape(rule) for rule in dict.fromkeys(s.rule for s in (*row.in_candidate, *row.in_references))),
    }
    return f"<tr>{''.join(_cell(column, cell) for column, cell in cells.items())}</tr>"


def _tuple(parts: Sequence[str]) -> str:
    return escape(text(parts, understood=t("tuples.understood")))


def _literal(parts: Sequence[str]) -> str:
    """The tuple as it is scored, as a hint where it is shown in other words."""
    return f' title="{escape(text(parts, understood=PLACEHOLDER))}"' if PLACEHOLDER in parts else ""


def _cell(column: str, cell: str) -> str:
    return f'<td class="sc-{column}-cell" data-label="{t(f"tuples.{column}")}">{cell}</td>'


_KNOWN = ("Color", "Cardinality", "Size")


def _match(row: Row) -> str:
    if row.state in ("extra", "missing"):
        return f'<span class="sc-muted">{t(f"tuples.{row.state}_why")}</span>'
    lines = [] if row.partner == row.parts else [f"{t('tuples.with', partner='')}<b{_literal(row.partner)}>{_tuple(row.partner)}</b>"]
    why = [t("tuples.same")] if row.state == "same" else []
    return "<br>".join([*why, *lines, *filter(None, map(_reason, row.reasons))])


def _reason(reason: Reason) -> str:
    if reason.word:
        return ""
    if reason.synset is None:
        return f'<span class="sc-sense">{t("tuples.differs", mine=_tuple([reason.mine]), theirs=_tuple([reason.theirs]))}</span>'
    sense = reason.synset
    facts = {"mine": f"“{escape(reason.mine)}”", "theirs": f"“{escape(reason.theirs)}”", "gloss": escape(sense.gloss)}
    key = "tuples.accident" if sense.accidental else "tuples.sense"
    return f'<span class="sc-sense">{t(key, name=f"<code>{escape(sense.name)}</code>", **facts)}</span>'


def _sources(sources: Sequence[Source], *, numbered: bool) -> str:
    """The words, and for references the numbers of the captions that have them."""
    captions: dict[str, list[int]] = {}
    for source in sources:
        where = captions.setdefault(source.words, [])
        if source.caption not in where:
            where.append(source.caption)
    lines = []
    for words, where in captions.items():
        numbers = f"<small>{', '.join(str(i + 1) for i in where)}</small> " if numbered else ""
        lines.append(f'<span class="sc-words">{numbers}{escape(words)}</span>')
    return "".join(lines) or '<span class="sc-muted">–</span>'
