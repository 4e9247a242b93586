"""The examples with pictures of their graphs, by what they teach."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import interface, t
from pages.parts.state import examples
from pages.parts.views import graphs
from spice_core.draw import design

_SHOWN = 120  # characters of one's own candidate
PICTURES = Path(__file__).parents[3] / "assets" / "gallery"


def choose(*, key: str) -> None:
    """A switch that opens the gallery."""
    st.toggle(t("examples.button"), key=f"{key}.gallery")


def strip(*, key: str) -> None:
    """The examples in a row that scrolls; it stays open while one tries them."""
    if not st.session_state.get(f"{key}.gallery"):
        return
    with st.container(horizontal=True, gap="small", key=f"{key}.strip"):
        own = st.session_state.get(f"{key}.own")
        with st.container(border=own is not None, key="card.own"):  # its place is there without it, so that no other card moves
            if own:
                st.html(f'<p class="sc-note">{t("examples.own_group")}</p>')
                st.button(t("examples.own"), key=f"{key}.own_captions", type="tertiary", on_click=examples.restore, kwargs={"key": key})
                st.html(f'<p class="sc-note">{escape(own.candidate[:_SHOWN])}{"…" if len(own.candidate) > _SHOWN else ""}</p>')
        for group in examples.groups():
            for example in group["examples"]:
                with st.container(border=True, key=f"card.{example['id']}"):
                    st.html(f'<p class="sc-note">{escape(group["group"][interface()])}</p>')
                    _card(example["id"], key=key)


def _card(name: str, *, key: str) -> None:
    title, teaches = examples.titles(name)
    st.html(f'<figure class="sc-picture"><img src="{picture(name, page.theme())}" alt=""></figure>')
    st.button(title, key=f"{key}.example.{name}", type="tertiary", on_click=examples.load, args=(name,), kwargs={"key": key})
    st.html(f'<p class="sc-note">{escape(teaches)}</p>')


@cache
def picture(name: str, theme: str) -> str:
    """The graph of an example as a data URL, in the colours of a theme."""
    drawn = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    drawn = re.sub(r"var\(--sc-([\w-]+)\)", lambda found: design.colours(theme)[found[1]], drawn)
    return graphs.data_url(drawn)
