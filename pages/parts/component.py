"""The graphs in the page: a component that draws with vis-network and tells which tuple was clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from spice_core.draw import frame

SCRIPTS = Path(__file__).parents[2] / "assets" / "scripts"


@cache
def _components() -> tuple[Callable, Callable]:
    """What hands the drawing library to the page, and what draws; registered once."""
    library = st.components.v2.component("spice_library", js=_script("library"))
    linked = st.components.v2.component("spice_graphs", html="<main></main>", css=frame.style(), js=frame.script() + _script("linked"))
    return library, linked


def library() -> None:
    """Hand the drawing library to the page; an unchanged message is sent once a visit."""
    _components()[0](key="library", data=frame.vis(), height=1)


def graphs(
    drawing: Mapping[str, object],
    *,
    key: str,
    row: str,
    lit: Sequence[str],
    rows: Mapping[str, Sequence[str]],
    chosen: Callable[[str], None],
) -> None:
    """The drawing, with the nodes ``lit``; ``row`` is the id of the row in focus, if one is.

    ``rows`` maps the id of each row to the nodes that show it; ``chosen`` hears the row of a clicked node, or ``""`` for the ground.
    """
    owners = {node: name for name, nodes in reversed(rows.items()) for node in nodes}

    def clicked() -> None:
        told = st.session_state[key].row
        chosen(told if told in rows else "")

    data = {**drawing, "row": row, "focus": lit, "rows": rows, "owners": owners}
    _components()[1](key=key, data=data, on_row_change=clicked)


def _script(name: str) -> str:
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
