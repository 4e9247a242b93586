"""The gallery: examples with pictures of their graphs, grouped by topic."""

import re
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.html import escape_markdown
from pages.parts.kit.texts import interface_language, t
from pages.parts.state import examples
from pages.parts.state.engine import CaptionInputs
from pages.parts.state.inspect_state import inspect_state
from pages.parts.views import graphs
from spice_core.draw import design

PICTURES_FOLDER = Path(__file__).parents[3] / "assets" / "gallery"


def offer_previous_captions(captions: CaptionInputs) -> None:
    """Show a button that restores the captions replaced by an example, "New" or an edit, if any."""
    if (previous := inspect_state().custom_inputs) not in (None, captions):
        caption = escape_markdown(previous.candidate)
        st.button(t("examples.back"), key="inspect.back", type="tertiary", on_click=examples.restore_captions, help=caption)


def show_strip() -> None:
    """If the gallery is open, show the examples in a scrolling row."""
    if not st.session_state.get("inspect.gallery"):
        return
    with st.container(horizontal=True, gap="small", key="inspect.strip"):
        for group in examples.example_groups():
            for example in group["examples"]:
                with st.container(border=True, key=f"card.{example['id']}"):
                    st.html(f'<p class="sc-note">{escape(group["group"][interface_language()])}</p>')
                    _show_card(example["id"])


def _show_card(example_id: str) -> None:
    title, teaches = examples.example_titles(example_id)
    st.html(f'<figure class="sc-picture"><img src="{picture_url(example_id, page.current_theme())}" alt=""></figure>')
    st.button(title, key=f"inspect.example.{example_id}", type="tertiary", on_click=examples.load_example, args=(example_id,))
    st.html(f'<p class="sc-note">{escape(teaches)}</p>')


@cache
def picture_url(example_id: str, theme: str) -> str:
    """Return a picture of an example's graph, in the colours of a theme, as a data URL."""
    svg = (PICTURES_FOLDER / f"{example_id}.svg").read_text(encoding="utf-8")
    svg = re.sub(r"var\(--sc-([\w-]+)\)", lambda match: design.theme_colours(theme)[match[1]], svg)
    return graphs.data_url(svg)
