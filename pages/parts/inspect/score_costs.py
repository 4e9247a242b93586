"""What cost most, in a sentence; and the parser of the score, with what it is for and a switch to the other one."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.parts.kit.texts import t
from pages.parts.state import settings
from pages.parts.state.engine import Scored
from pages.parts.views import tuples
from spice_core import SpiceConfig
from spice_core.explain.evidence import TupleRow
from spice_core.lang import language

_OF_PAPERS = {"en": ("parser", "spice-2016"), "ja": ("rules", "jaspice-2023")}  # the setting whose scores papers report, by language


def sentence(scored: Scored) -> None:
    """One extra and one missing tuple, and the number of others: each a button that puts its tuple in focus."""
    rows, of = scored.explanation.rows, len(scored.used)
    said = [_lacking("precision", [row for row in rows if row.side == "c" and not row.state.matched])]
    missing = sorted((row for row in rows if row.side == "r" and not row.state.matched), key=_mentions, reverse=True)
    said.append(_lacking("recall" if of > 1 else "recall_single", missing, of=str(of)))
    if any(said):
        st.html(f'<p class="sc-costs">{" ".join(said)}</p>')


def _mentions(row: TupleRow) -> int:
    """How many references mention a tuple."""
    return len({source.caption for source in row.in_references})


def _lacking(name: str, rows: Sequence[TupleRow], **values: str) -> str:
    """What the first of these tuples cost, and how many more there are; empty if there is none."""
    if not rows:
        return ""
    key = f"costs.{name}_more" if len(rows) > 1 else f"costs.{name}"
    return t(key, tuple=tuples.button(rows[0]), number=str(len(rows) - 1), said=str(_mentions(rows[0])), **values)


def parser(chosen: SpiceConfig, *, key: str) -> None:
    """The parser, or rules, of the score with what they are for, and a button that switches to those of papers or back."""
    part, papers = _OF_PAPERS.get(chosen.lang, ("", ""))
    if not part:
        return
    named, usual = getattr(chosen, part), getattr(settings.default_config(chosen.lang), part)
    purpose = {papers: t("costs.for_papers"), usual: t("costs.for_graphs")}.get(named, "")
    other = usual if named == papers else papers

    def switch() -> None:
        rules = other if other in language(chosen.lang).rules else chosen.rules
        found = SpiceConfig(chosen.lang, rules=rules).resolved()
        for name, value in {"rules": rules, part: other, "synonyms": found.synonyms}.items():
            st.session_state[f"{key}.{chosen.lang}.{name}"] = value

    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"{key}.parser"):
        own = t("costs.own_rules", name=escape(chosen.rules)) if chosen.rules_text else ""
        st.html(f'<p class="sc-note">{t(f"settings.{part}")} <b>{escape(named)}</b>{purpose}{own}</p>', width="content")
        label = t("costs.switch", name=other)
        about = t("costs.for_papers" if other == papers else "costs.for_graphs")
        st.button(label, key=f"{key}.other_parser", type="tertiary", on_click=switch, help=label + about)
