"""Precision, recall and F1 by category; choosing a category shows only its tuples."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from pages.parts.kit import url
from pages.parts.kit.html import number, table
from pages.parts.kit.texts import t
from pages.parts.session.engine import Scored
from pages.parts.views import tuples
from spice_core.draw import charts
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import TupleRow
from spice_core.scene.scores import OVERALL, Score, counted


def chosen_rows(scored: Scored, *, key: str) -> list[TupleRow]:
    """The tuples of the category that is chosen below, or in the address."""
    names, widget = _names(scored.result.scores), f"{key}.category"
    url.start(widget, "category", names, None)
    if st.session_state[widget] not in names:
        st.session_state[widget] = None
    chosen = st.session_state[widget]
    return [row for row in scored.explanation.rows if chosen in (None, row.kind.capitalize(), *row.categories)]


def choose(scored: Scored, *, key: str, style: DisplayStyle) -> None:
    """A clickable chart and buttons for the same choice."""
    scores = scored.result.scores
    names, widget = _names(scores), f"{key}.category"

    def clicked() -> None:
        points = st.session_state[f"{key}.chart"].selection.points
        st.session_state[widget] = list(names)[points[0]["point_index"]] if points else None

    chosen = st.session_state[widget]
    st.html(f'<div class="sc-titled"><h3 class="sc-small">{t("categories.title")}</h3><span>{t("categories.counts")}</span></div>')
    cache_key = ("chart", style, chosen)
    if cache_key not in scored.cache:
        scored.cache[cache_key] = charts.categories(scores, names, style=style, chosen=chosen)
    listed = ", ".join(f"{name} {number(scores[k].f1, style=style)}" for k, name in names.items())
    options: dict[str, Any] = {"theme": None, "config": {"displayModeBar": False}, "alt": t("categories.alt", values=listed)}
    st.plotly_chart(scored.cache[cache_key], key=f"{key}.chart", on_select=clicked, selection_mode="points", **options)
    st.pills(t("categories.only"), list(names), key=widget, format_func=names.__getitem__, label_visibility="collapsed")
    with st.expander(t("categories.table")):
        _table(scores, names, style)
    url.keep("category", chosen, None)


def _names(scores: Mapping[str, Score]) -> dict[str, str]:
    """Labels of the categories, in the page's order."""
    order = ["Object", "Relation", "Attribute", *(k for k in scores if k not in ("Object", "Relation", "Attribute", OVERALL))]
    return {k: tuples.category(k) for k in order if k in scores}


def _table(scores: Mapping[str, Score], names: Mapping[str, str], style: DisplayStyle) -> None:
    """The same as a table: F1, precision, recall and counts."""
    heads = [t(f"categories.{k}") for k in ("category", "f1")] + [t("score.precision"), t("score.recall")]
    heads += [t(f"categories.{k}") for k in ("matched", "candidate", "references")]
    body = (_score_row(name, scores[k], style) for k, name in {OVERALL: tuples.category(OVERALL), **names}.items())
    st.html(table(heads, body) + f'<p class="sc-note">{t("categories.note")}</p>')


def _score_row(name: str, score: Score, style: DisplayStyle) -> list[str]:
    ratios = [number(value, style=style) for value in (score.f1, score.precision, score.recall)]
    return [escape(name), *ratios, counted(score.matched), str(score.candidate), str(score.reference)]
