"""Linked views of one result: graphs, details and table share the focus. No view parses the captions again."""

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

NO_FOCUS = ""
_DRAWING_PAUSE_S = 0.12  # enough time for a slow machine to draw a hundred nodes


def show_scores(scored_captions: engine.ScoredCaptions, *, key: str, style: DisplayStyle) -> DeltaGenerator:
    """Show the score with an extra and a missing tuple. Return the container beside them."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key=f"{key}.line"):
        with st.container(key=f"{key}.numbers"):
            score.show_header(scored_captions.result, style=style)
            score_costs.show_costs(scored_captions)
        return st.container(width="content", gap="xsmall", key=f"{key}.beside_numbers")


def show_actions(scored_captions: engine.ScoredCaptions, *, key: str, style: DisplayStyle) -> None:
    """Show the parser and the buttons Pin, Copy link, Present and Download."""
    with st.container(horizontal=True, gap="small", width="content", key=f"{key}.actions"):
        whatif.show_pin_button(scored_captions, key=key)
        show_copy_button(scored_captions, key=key)
        present.show_button(key=key)
        downloads.show_menu(scored_captions, key=key, style=style)
    score_costs.show_parser(scored_captions.settings, key=key)


def show_copy_button(scored_captions: engine.ScoredCaptions, *, key: str) -> None:
    """Show a button that copies the link to this result in the current view."""
    params, folded_params = links.link_params(scored_captions)
    problem = t("share.too_long") if len(params.get("t", "")) > links.MAX_LINK_CHARS - 200 else ""
    component.show_copy_button(params, view=links.VIEW_PARAMS, contains_captions=folded_params, problem=problem, key=key)


def present_result(scored_captions: engine.ScoredCaptions, *, key: str) -> None:
    """If the URL requests it, present the result on the full screen. The arrow keys switch between examples."""
    if not present.is_active():
        return
    names = list(examples.examples_by_id())
    name = examples.example_id_of(scored_captions.inputs)

    def show_neighbour(offset: int) -> None:
        examples.load_example(names[(names.index(name) + offset if name else 0) % len(names)], key=key)

    def use_captions(captions: engine.CaptionInputs) -> None:
        examples.fill_form(captions, key=key)
        st.session_state.pop(f"{key}.scored", None)

    params, _ = links.link_params(scored_captions)
    title, line = examples.example_titles(name) if name else (t("page.inspect"), "")
    position_text = f"{names.index(name) + 1}/{len(names)}" if name else ""
    present.show_presentation(
        scored_captions,
        present.PresentedSlide(title, position_text, line=line, link=params),
        key=key,
        turn_slide=show_neighbour,
        use_captions=use_captions,
    )


def print_sheet(scored_captions: engine.ScoredCaptions, *, key: str) -> None:
    """Show the result as a printable sheet."""
    params, _ = links.link_params(scored_captions)
    name = examples.example_id_of(scored_captions.inputs)
    sheet.show_sheet(
        scored_captions,
        title=examples.example_titles(name)[0] if name else scored_captions.inputs.candidate[:80],
        question="",
        link=params,
        key=key,
    )


@st.fragment
def show_graphs(scored_captions: engine.ScoredCaptions, category_rows: Sequence[TupleRow], *, key: str) -> None:
    """Show the graphs and the tuple in focus. Without a focus, highlight the tuples of the chosen category, if any.

    A click reruns only this fragment.
    """
    all_rows = scored_captions.explanation.rows
    focus, row = choose_view_and_focus(all_rows, key=key)
    highlighted_ids = [focus] if focus else [row.id for row in category_rows] if len(category_rows) < len(all_rows) else []
    graphs.show_view(scored_captions, focus=focus, highlighted_rows=highlighted_ids, key=key, switch_place=row)
    with st.container(key=f"{key}.detail"):
        show_detail(scored_captions, focus, key=key)


def wait_for_drawing(scored_captions: engine.ScoredCaptions) -> None:
    """Wait briefly the first time a result is shown, so that the browser draws its graphs before the elements below arrive."""
    if st.runtime.exists() and "drawn" not in scored_captions.cache:
        scored_captions.cache["drawn"] = True
        time.sleep(_DRAWING_PAUSE_S)


@st.fragment
def show_table(scored_captions: engine.ScoredCaptions, category_rows: Sequence[TupleRow], *, key: str) -> None:
    """Show a table of the tuples of the chosen category that match the chosen state and the search."""
    st.subheader(t("tuples.title"))
    tuples.show_table(tuples.search_rows(tuples.choose_state(category_rows, key=key), key=key), scored_captions)


def show_detail(scored_captions: engine.ScoredCaptions, focus: str, *, key: str) -> None:
    """Show the explanation of the tuple in focus, a link to Rules, and buttons that open the parses of the captions with this tuple."""
    st.html(detail.row_html(scored_captions, focus))
    if focus:
        row = scored_captions.explanation.row_by_node[focus]
        sources = [*((0, s) for s in row.in_candidate), *((s.caption + 1, s) for s in row.in_references)]
        with st.container(horizontal=True, gap="small", key=f"{key}.sources"):
            to_rules.offer_rules_link(scored_captions, row, key=key)
            parses.offer_parses(scored_captions, list(dict.fromkeys(position for position, _ in sources)), key=key)


def choose_view_and_focus(rows: Sequence[TupleRow], *, key: str) -> tuple[str, DeltaGenerator]:
    """Show the choices of view and focus, as an alternative to clicking. Return the focus and the container of the choices."""
    names = {NO_FOCUS: t("focus.nothing"), **tuples.tuple_labels(rows)}
    widget = f"{key}.focus"
    url.init_from_param(widget, "focus", names, NO_FOCUS)
    if st.session_state[widget] not in names:
        st.session_state[widget] = choice.last_choice(widget, names, NO_FOCUS)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}.choices")
    with row:
        graphs.choose_view(key=key)
        focus = choice.selectbox(t("focus.title"), names, key=widget, width=280, label_visibility="collapsed")
    url.set_param("focus", focus)
    return focus, row
