"""The graph of a step, drawn as on Inspect, with the explanation of the tuple in focus, and captions without marks."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.parts.kit import choice
from pages.parts.kit.texts import t
from pages.parts.state import links
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import detail, graphs, tuples

NO_FOCUS = ""


@st.fragment
def show_graph(
    scored_captions: ScoredCaptions, *, key: str, view: str = "union", is_plain: bool = False, highlighted_rows: Sequence[str] = ()
) -> None:
    """Draw a view. A click on a tuple, or its choice in the list below the drawing, puts the tuple in focus.

    Without a focus, the ``highlighted_rows`` stand out.
    """
    rows = scored_captions.explanation.rows
    names = {NO_FOCUS: t("focus.nothing"), **tuples.tuple_labels(rows)}
    widget = f"{key}.focus"
    if st.session_state.get(widget) not in names:
        st.session_state[widget] = choice.last_choice(widget, names, NO_FOCUS)
    focus = st.session_state[widget]
    graphs.show_view(
        scored_captions, focus=focus, highlighted_rows=[focus] if focus else highlighted_rows, key=key, view=view, is_plain=is_plain
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choice.selectbox(t("learn.focus"), names, key=widget, width=320)
        if address := links.inspect_address(scored_captions.inputs, scored_captions.settings):
            st.link_button(t("learn.inspect"), address, type="tertiary")
    st.html(detail.row_html(scored_captions, focus) if focus else detail.hint_html(t("learn.hint")))
    detail.send_details(scored_captions, key=key)


def show_captions(captions: dict[str, str], *, lang: str) -> None:
    """Show captions with their labels, without marks."""
    lines = "".join(f'<div><dt>{escape(name)}</dt><dd lang="{lang}">{escape(text)}</dd></div>' for name, text in captions.items())
    short_class = " sc-letters" if all(len(name) < 3 for name in captions) else ""
    st.html(f'<dl class="sc-captions sc-stacked{short_class}">{lines}</dl>')
