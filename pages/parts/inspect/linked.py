"""Linked views of one result: graphs, details and table share the focus; nothing is parsed again."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.inspect import downloads, parses, score_costs, to_rules, whatif
from pages.parts.kit import choice, url
from pages.parts.kit.texts import t
from pages.parts.state import engine, examples, links
from pages.parts.views import component, detail, graphs, present, score, sheet, tuples
from spice_core.draw.style import DisplayStyle
from spice_core.explain.evidence import TupleRow

NOTHING = ""
_DRAWING_S = 0.12  # a slow machine draws a hundred nodes meanwhile


def show_scores(scored: engine.Scored, *, key: str, style: DisplayStyle) -> DeltaGenerator:
    """The score and what cost most; returns the place beside it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key=f"{key}.line"):
        with st.container(key=f"{key}.numbers"):
            score.header(scored.result, style=style)
            score_costs.sentence(scored)
        return st.container(width="content", gap="xsmall", key=f"{key}.beside_numbers")


def show_actions(scored: engine.Scored, *, key: str, style: DisplayStyle) -> None:
    """What can be done with the result, and its parser."""
    with st.container(horizontal=True, gap="small", width="content", key=f"{key}.actions"):
        whatif.pin(scored, key=key)
        copy_button(scored, key=key)
        present.button(key=key)
        downloads.menu(scored, key=key, style=style)
    score_costs.parser(scored.settings, key=key)


def copy_button(scored: engine.Scored, *, key: str) -> None:
    """A button that copies the link to this result in the current view."""
    asked, inside = links.link_params(scored)
    problem = t("share.too_long") if len(asked.get("t", "")) > links.LONGEST - 200 else ""
    component.copy(asked, view=links.VIEW, inside=inside, problem=problem, key=key)


def present_result(scored: engine.Scored, *, key: str) -> None:
    """The result on the whole screen, where the address asks for it; from here the arrow keys turn to other examples."""
    if not present.active():
        return
    names = list(examples.examples())
    name = examples.example_of(scored.inputs)

    def go(by: int) -> None:
        examples.load(names[(names.index(name) + by if name else 0) % len(names)], key=key)

    def own(captions: engine.Inputs) -> None:
        examples.fill(captions, key=key)
        st.session_state.pop(f"{key}.scored", None)

    asked, _ = links.link_params(scored)
    title, line = examples.titles(name) if name else (t("page.inspect"), "")
    of = f"{names.index(name) + 1}/{len(names)}" if name else ""
    present.show(scored, present.Slide(title, of, line=line, link=asked), key=key, go=go, own=own)


def print_sheet(scored: engine.Scored, *, key: str) -> None:
    """The result as a sheet of paper."""
    asked, _ = links.link_params(scored)
    name = examples.example_of(scored.inputs)
    sheet.show_sheet(scored, title=examples.titles(name)[0] if name else scored.inputs.candidate[:80], question="", link=asked, key=key)


@st.fragment
def show_graphs(scored: engine.Scored, counted: Sequence[TupleRow], *, key: str) -> None:
    """The graphs and the tuple in focus, rerun alone on a click. Without a focus, the counted tuples are highlighted."""
    everything = scored.explanation.rows
    focus, row = choose(everything, key=key)
    lit = [focus] if focus else [row.id for row in counted] if len(counted) < len(everything) else []
    graphs.show(scored, focus=focus, lit=lit, key=key, switch=row)
    with st.container(key=f"{key}.detail"):
        show_detail(scored, focus, key=key)


def let_draw(scored: engine.Scored) -> None:
    """Wait a moment before new graphs are followed by what stands below them, which a browser would work on at the same time."""
    if st.runtime.exists() and "drawn" not in scored.cache:
        scored.cache["drawn"] = True
        time.sleep(_DRAWING_S)


@st.fragment
def show_table(scored: engine.Scored, counted: Sequence[TupleRow], *, key: str) -> None:
    """The table of counted tuples, all or those in one state."""
    st.subheader(t("tuples.title"))
    tuples.table(tuples.search(tuples.choose_state(counted, key=key), key=key), scored)


def show_detail(scored: engine.Scored, focus: str, *, key: str) -> None:
    """What explains the tuple in focus, and buttons to the parses behind it."""
    st.html(detail.row_html(scored, focus))
    if focus:
        row = scored.explanation.row_of[focus]
        sources = [*((0, s) for s in row.in_candidate), *((s.caption + 1, s) for s in row.in_references)]
        with st.container(horizontal=True, gap="small"):
            to_rules.offer(scored, row, key=key)
            parses.offer(scored, list(dict.fromkeys(position for position, _ in sources)), key=key)


def choose(everything: Sequence[TupleRow], *, key: str) -> tuple[str, DeltaGenerator]:
    """The choice of view and focus, an alternative to clicking; returns the focus and the line of both."""
    names = {NOTHING: t("focus.nothing"), **tuples.labels(everything)}
    widget = f"{key}.focus"
    url.init_from_param(widget, "focus", names, NOTHING)
    if st.session_state[widget] not in names:
        st.session_state[widget] = choice.last_choice(widget, names, NOTHING)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}.choices")
    with row:
        graphs.choose_view(key=key)
        focus = choice.in_list(t("focus.title"), names, key=widget, width=280, label_visibility="collapsed")
    url.set_param("focus", focus)
    return focus, row
