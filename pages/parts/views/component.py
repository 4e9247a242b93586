"""The graphs in the page: a component that draws with vis-network and tells which tuple was clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from spice_core.draw import frame
from spice_core.explain.evidence import Row

SCRIPTS = Path(__file__).parents[3] / "assets" / "scripts"


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
    rows: Sequence[Row],
    nodes: Mapping[str, Sequence[str]],
    details: Mapping[str, str],
    *,
    focus: str,
    lit: Sequence[str],
    key: str,
) -> None:
    """The drawing, with the nodes of the rows ``lit`` lit and ``focus`` marked in the whole page.

    ``nodes`` maps the id of each row to the nodes that show it, ``details`` to what the drawer says of it, so that a click is
    answered before the server has heard of it. A click puts the id of its row, or "" for the ground, into the
    session state of the focus box (``key``.focus).
    """
    owners = {node: row for row in reversed(nodes) for node in nodes[row]} | {row: row for row in nodes if row in nodes[row]}
    held = {node: row.id for row in reversed(rows) for node in row.nodes}
    near = {row.id: [held[host] for host in row.hosts if host in held] for row in rows}

    def clicked() -> None:
        told = st.session_state[f"{key}.graphs"].row
        st.session_state[f"{key}.focus"] = told if told in nodes else ""

    data = {**drawing, "row": focus, "focus": [n for row in lit for n in nodes[row]], "rows": nodes, "near": near, "owners": owners}
    data |= {"details": details}
    _components()[1](key=f"{key}.graphs", data=data, on_row_change=clicked)


def _script(name: str) -> str:
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
