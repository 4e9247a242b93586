"""The graph component: draws with vis-network and reports the clicked tuple."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from pages.parts.kit.texts import t
from spice_core.draw import frame, trees
from spice_core.explain.evidence import TupleRow
from spice_core.syntax.document import Token

_BAR = ("find", "found", "none", "before", "next", "all", "sentences")
_SCRIPTS = Path(__file__).parents[3] / "assets" / "scripts"


@cache
def _components() -> dict[str, Callable]:
    """The components by name, registered once: those that load the drawing library, draw, keep explanations, copy a link, ask, choose words, ask before leaving, keep captions, scroll, and open fields."""
    html = {
        "graphs": "<nav></nav><main></main>",
        "copy": '<div><button type="button"></button><span role="status"></span></div>',
        "grid": '<div tabindex="-1"><table></table></div>',
        "bars": "<section></section>",
        "words": '<div role="toolbar"></div><div class="state"><p role="status"></p><button type="button" class="clear"></button></div><figure></figure>',
    }
    styles = {
        "graphs": frame.css() + style("bar"),
        "copy": style("copy"),
        "grid": style("grid"),
        "bars": style("bars"),
        "words": trees.css() + style("words"),
    }
    scripts = {
        "graphs": frame.script() + script("bar") + script("linked"),
        **{name: script("el") + script(name) for name in ("grid", "bars", "words")},
    }
    return {
        name: st.components.v2.component(f"spice_{name}", html=html.get(name), css=styles.get(name), js=scripts.get(name) or script(name))
        for name in ("library", "graphs", "details", "copy", "grid", "bars", "words", "leave", "tab", "reveal", "fields")
    }


def library() -> None:
    """Send the drawing library to the page, once per session."""
    _components()["library"](key="library", data=frame.vis(), height=1)


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
    answers it without the server once it has the :func:`details` of the same ``result``. A step to a sentence puts its id into ``key``.part.
    """
    owners = {node: row for row in reversed([*nodes]) for node in nodes[row]} | {row: row for row in nodes if row in nodes[row]}
    held = {node: row.id for row in reversed(rows) for node in row.nodes}
    near = {row.id: [held[host] for host in row.hosts if host in held] for row in rows}

    def clicked() -> None:
        clicked_row = st.session_state[f"{key}.graphs"].row
        st.session_state[f"{key}.focus"] = clicked_row if clicked_row in nodes else ""

    def stepped() -> None:
        st.session_state[f"{key}.part"] = st.session_state[f"{key}.graphs"].part

    data = {**drawing, "row": focus, "focus": [n for row in lit for n in nodes[row]], "rows": nodes, "near": near, "owners": owners}
    data |= {"result": result, "details": f"{key}.details", "parts": parts, "bar": {name: t(f"bar.{name}") for name in _BAR}}
    _components()["graphs"](key=f"{key}.graphs", data=data, on_row_change=clicked, on_part_change=stepped)


def details(texts: Mapping[str, str], *, result: str, key: str) -> None:
    """Send the text of each row's drawer, after the drawing: they take longer to write than it does."""
    name = f"{key}.details"
    _components()["details"](key=name, data={"key": name, "result": result, "details": dict(texts)}, height=1)


def copy(asked: Mapping[str, str], *, view: Sequence[str], inside: bool, problem: str = "", key: str) -> None:
    """A button that copies the link to what is shown: ``asked`` and the parameters ``view`` of the address as it is at the click."""
    texts = {
        "label": t("share.link"),
        "failed": t("share.by_hand"),
        "problem": problem,
        "done": t("share.inside" if inside else "share.example"),
    }
    _components()["copy"](key=f"{key}.copy", data={"asked": dict(asked), "view": list(view), **texts}, width="content")


class Cell(NamedTuple):
    """A button of a grid: what it asks for, how many there are, both in words, and whether it is chosen."""

    id: str
    number: int
    title: str
    on: bool


def grid(
    caption: str, heads: Sequence[tuple[str, str]], rows: Sequence[tuple[str, Sequence[Cell]]], *, ask: Callable[[str], None], key: str
) -> None:
    """A table of numbers that are buttons; ``heads`` are the columns, each with an explanation. A click calls ``ask`` with a cell's id."""
    known = {cell.id for _, cells in rows for cell in cells}

    def clicked() -> None:
        if (chosen := st.session_state[key].asked) in known:
            ask(chosen)

    written = [[name, *(cell._asdict() for cell in cells)] for name, cells in rows]
    _components()["grid"](key=key, data={"caption": caption, "heads": heads, "rows": written}, on_asked_change=clicked)


class Bar(NamedTuple):
    """A row of bars: what it asks for, its name, the kind that colours it, its ratios (0–1, None without any), F1 and counts in figures."""

    id: str
    name: str
    kind: str
    f1: float | None
    precision: float | None
    recall: float | None
    ratio: str
    counts: str
    chosen: bool


def bars(caption: str, rows: Sequence[Bar], *, hint: str, ask: Callable[[str], None], key: str) -> None:
    """Rows with a bar each. A click calls ``ask`` with a row's id."""
    known = {row.id for row in rows}

    def clicked() -> None:
        if (chosen := st.session_state[key].asked) in known:
            ask(chosen)

    data = {"caption": caption, "hint": hint, "chosen": any(row.chosen for row in rows), "rows": [row._asdict() for row in rows]}
    _components()["bars"](key=key, data=data, on_asked_change=clicked)


class Tree(NamedTuple):
    """The tree of a sentence, by its number from 0: its title and its picture as SVG."""

    sentence: int
    title: str
    svg: str


def words(caption: Sequence[Sequence[Token]], tree: Tree, *, chosen: str, lang: str, ask: Callable[[object], None], key: str) -> None:
    """The words of each sentence of a caption, and a tree, to choose two or three by clicks; ``chosen`` is such as 0.6-7-10.

    A click calls ``ask`` with the words that are chosen then, in that form: unchecked, since a browser sent it.
    """
    lines = [
        [(token.index, token.text, number > 0 and line[number - 1].end == token.start) for number, token in enumerate(line)]
        for line in caption
    ]
    text = {name: t(f"choose.{name}", words="%") for name in ("label", "clear", "none", "one", "two", "three")}
    text |= {name: t(f"choose.{name}", number="%") for name in ("sentence", "show")}
    data = {"lines": lines, "key": repr(lines), "lang": lang, "chosen": chosen, **tree._asdict()}
    data["text"] = {**text, "parts": [t(f"choose.{name}") for name in ("first", "second", "third")]}
    _components()["words"](key=key, data=data, on_asked_change=lambda: ask(st.session_state[key].asked))


def leave(*, unsaved: bool, save: str, key: str) -> None:
    """Let the browser ask before the page is closed or loaded anew, while something is not saved by the button ``save``."""
    _components()["leave"](key=key, data={"unsaved": unsaved, "save": save.replace(".", "-")}, height=1)


def tab(kept: Mapping[str, object], rules: Mapping[str, str], *, ask: str, found: Callable[[object], None], key: str) -> None:
    """Let the browser's tab keep something over a reload, if it is not empty, and edited ``rules``; ``found`` is called with what it kept before.

    That is asked once for each ``ask`` that is not empty; what comes is unchecked, since a browser sent it.
    """
    name = f"{key}.tab"
    data = {"key": key, "kept": dict(kept), "rules": dict(rules), "ask": ask}
    _components()["tab"](key=name, data=data, on_found_change=lambda: found(st.session_state[name].found), height=1)


def fields(scored: Sequence[str], *, edit: str, typed: Callable[[object], None], key: str) -> None:
    """Let a click open the field of a caption whose marked words are shown, and dim the result while the fields differ from ``scored``.

    ``typed`` is called with what was typed and not scored: {"captions": texts, "fill": whether the fields do not hold it}, unchecked.
    """
    name, data = f"{key}.written", {"key": key, "scored": list(scored), "edit": edit}
    _components()["fields"](key=name, data=data, on_typed_change=lambda: typed(st.session_state[name].typed), height=1)


def reveal(place: str, mark: int) -> None:
    """Scroll to the container with this key whenever ``mark`` changes."""
    _components()["reveal"](key=f"{place}.reveal", data={"place": place, "mark": mark}, height=1)


def style(name: str) -> str:
    """A style sheet of ours, by name."""
    return (_SCRIPTS / f"{name}.css").read_text(encoding="utf-8")


def script(name: str) -> str:
    """A script of ours, by name."""
    return (_SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
