"""Linked views of one result: graphs, details and table share the focus; nothing is parsed again."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.inspect import captions, categories, detail, downloads, whatif
from pages.parts.kit import url
from pages.parts.kit.texts import t
from pages.parts.session import engine, links
from pages.parts.views import graphs, score, tuples
from spice_core.explain.evidence import Row, rows, text

NOTHING = ""


def numbers(scored: engine.Scored, *, key: str, scale: int) -> list[Row]:
    """Score, captions and categories; returns the tuples of the chosen category."""
    everything = listed(scored)
    left, right = st.columns(2, gap="medium")
    with left:
        score.header(scored.result, scale=scale)
        with st.container(horizontal=True, gap="small"):
            whatif.pin(scored, key=key)
            links.copy(scored, key=key)
            downloads.menu(scored, everything, key=key, scale=scale)
        captions.lines(scored)
    with right:
        return categories.choose(scored, everything, key=key, scale=scale)


@st.fragment
def views(scored: engine.Scored, counted: Sequence[Row], *, key: str) -> None:
    """The graphs and the tuple in focus, rerun alone on a click. Without a focus, the counted tuples are highlighted."""
    everything = listed(scored)
    focus = choose(everything, key=key)
    lit = [focus] if focus else [row.id for row in counted] if len(counted) < len(everything) else []
    graphs.show(scored, everything, detail.every(scored, everything), focus=focus, lit=lit, key=key)
    detail.show(scored, everything, focus, key=key)


@st.fragment
def table(scored: engine.Scored, counted: Sequence[Row], *, key: str) -> None:
    """The table of counted tuples, all or those in one state."""
    st.subheader(t("tuples.title"))
    tuples.table(tuples.chosen(counted, key=key), scored)


def listed(scored: engine.Scored) -> list[Row]:
    """The rows of a result, computed once."""
    if "rows" not in scored.kept:
        spice = engine.engine(scored.settings)
        scored.kept["rows"] = rows(scored.result, spice.synonyms, categories=spice.categories)
    return scored.kept["rows"]


def choose(everything: Sequence[Row], *, key: str) -> str:
    """The choice of view and focus, an alternative to clicking."""
    understood = t("tuples.understood")
    names = {
        NOTHING: t("focus.nothing"),
        **{row.id: f"{text(row.parts, understood=understood)} ({t(f'focus.{row.state}')})" for row in everything},
    }
    widget = f"{key}.focus"
    url.start(widget, "focus", names, NOTHING)
    if st.session_state[widget] not in names:
        st.session_state[widget] = NOTHING
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        graphs.choose_view(key=key)
        focus = st.selectbox(t("focus.title"), list(names), key=widget, format_func=names.__getitem__, width=360)
    url.keep("focus", focus)
    return focus
