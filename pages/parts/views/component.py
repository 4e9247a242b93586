"""The graph component: draws with vis-network and reports the clicked tuple."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from pages.parts.kit.texts import t
from spice_core.draw import frame
from spice_core.explain.evidence import TupleRow

_BAR = ("find", "found", "none", "before", "next", "all", "sentences")
SCRIPTS = Path(__file__).parents[3] / "assets" / "scripts"


@cache
def _components() -> tuple[Callable, Callable, Callable, Callable]:
    """The components that load the drawing library, draw, copy a link, and keep explanations; registered once."""
    library = st.components.v2.component("spice_library", js=_script("library"))
    linked = st.components.v2.component(
        "spice_graphs",
        html="<nav></nav><main></main>",
        css=frame.css() + _style("bar"),
        js=frame.script() + _script("bar") + _script("linked"),
    )
    html = '<div><button type="button"></button><span role="status"></span></div>'
    copied = st.components.v2.component("spice_copy", html=html, css=_style("copy"), js=_script("copy"))
    details = st.components.v2.component("spice_details", js=_script("details"))
    return library, linked, copied, details


def library() -> None:
    """Send the drawing library to the page, once per session."""
    _components()[0](key="library", data=frame.vis(), height=1)


def graphs(
    drawing: Mapping[str, object],
    rows: Sequence[TupleRow],
    nodes: Mapping[str, Sequence[str]],
    *,
    result: str,
    focus: str,
    lit: Sequence[str],
    parts: Sequence[Mapping[str, object]],
    key: str,
) -> None:
    """Draw the graphs with the nodes of the rows ``lit`` highlighted and ``focus`` marked in the whole page.

    ``nodes`` maps the id of each row to its nodes; ``parts`` are the sentences of long captions with their nodes, to step through.
    A click puts the id of its row, or "" for the background, into the session state of the focus box (``key``.focus). The browser
    answers it without the server once it has the :func:`details` of the same ``result``.
    """
    owners = {node: row for row in reversed([*nodes]) for node in nodes[row]} | {row: row for row in nodes if row in nodes[row]}
    held = {node: row.id for row in reversed(rows) for node in row.nodes}
    near = {row.id: [held[host] for host in row.hosts if host in held] for row in rows}

    def clicked() -> None:
        clicked_row = st.session_state[f"{key}.graphs"].row
        st.session_state[f"{key}.focus"] = clicked_row if clicked_row in nodes else ""

    data = {**drawing, "row": focus, "focus": [n for row in lit for n in nodes[row]], "rows": nodes, "near": near, "owners": owners}
    data |= {"result": result, "details": f"{key}.details", "parts": parts, "bar": {name: t(f"bar.{name}") for name in _BAR}}
    _components()[1](key=f"{key}.graphs", data=data, on_row_change=clicked)


def details(texts: Mapping[str, str], *, result: str, key: str) -> None:
    """Send the text of each row's drawer, after the drawing: they take longer to write than it does."""
    name = f"{key}.details"
    _components()[3](key=name, data={"key": name, "result": result, "details": dict(texts)}, height=1)


def copy(asked: Mapping[str, str], *, view: Sequence[str], inside: bool, problem: str = "", key: str) -> None:
    """A button that copies the link to what is shown: ``asked`` and the parameters ``view`` of the address as it is at the click."""
    texts = {
        "label": t("share.link"),
        "failed": t("share.by_hand"),
        "problem": problem,
        "done": t("share.inside" if inside else "share.example"),
    }
    _components()[2](key=f"{key}.copy", data={"asked": dict(asked), "view": list(view), **texts}, width="content")


def _style(name: str) -> str:
    return (SCRIPTS / f"{name}.css").read_text(encoding="utf-8")


def _script(name: str) -> str:
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
