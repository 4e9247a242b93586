"""The examples with pictures of their graphs, grouped by what they teach."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import interface, t
from pages.parts.session import examples
from pages.parts.views import graphs
from spice_core.draw import design

PICTURES = Path(__file__).parents[3] / "assets" / "gallery"
_COLUMNS = 3


def choose(*, key: str) -> None:
    """A button that opens the gallery."""
    if st.button(t("examples.button"), key=f"{key}.gallery"):
        st.dialog(t("examples.title"), width="large")(_opened)(key)


def _opened(key: str) -> None:
    for group in examples.groups():
        st.html(f'<h3 class="sc-small">{escape(group["group"][interface()])}</h3>')
        columns = st.columns(_COLUMNS, gap="small")
        for place, example in enumerate(group["examples"]):
            with columns[place % _COLUMNS], st.container(border=True, key=f"card.{example['id']}"):
                _card(example["id"], key=key)


def _card(name: str, *, key: str) -> None:
    title, teaches = examples.titles(name)
    st.html(f'<figure class="sc-picture"><img src="{picture(name, page.theme())}" alt=""></figure>')
    if st.button(title, key=f"{key}.example.{name}", type="tertiary", on_click=examples.load, args=(name,), kwargs={"key": key}):
        st.rerun()  # the whole page, not the dialog alone
    st.html(f'<p class="sc-note">{escape(teaches)}</p>')


@cache
def picture(name: str, theme: str) -> str:
    """The graph of an example as a data URL, in the colours of a theme."""
    drawn = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    drawn = re.sub(r"var\(--sc-([\w-]+)\)", lambda found: design.colours(theme)[found[1]], drawn)
    return graphs.inside(drawn)
