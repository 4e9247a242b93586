"""The scene graphs: side by side, merged, or only the differences; and the same in words."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import networkx as nx
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.kit import choice, page, url
from pages.parts.kit.texts import interface, t
from pages.parts.state.engine import Scored
from pages.parts.views import component, detail
from spice_core.draw.frame import Panel, drawing
from spice_core.draw.layout import Layout
from spice_core.draw.network import difference, networks, outline, union, unmarked
from spice_core.draw.screen import fitting, full
from spice_core.draw.sides import beside
from spice_core.explain.evidence import TupleRow
from spice_core.report import fragments
from spice_core.scene.scores import counted

VIEWS = ("both", "union", "difference")
SIDES = ("candidate", "references")
_SMALLEST = 11 / 13  # letters on a screen, over what they measure in a layout
_NARROW, _WIDE, _HIGH = 440, 900, 570  # room for a graph of two and for one alone, as they are laid out; height of a panel on the screen


def choose_view(*, key: str) -> str:
    """The choice of the view: side by side, merged, or differences."""
    widget = f"{key}.view"
    url.init_from_param(widget, "view", VIEWS, "both")
    names = {name: t(f"graphs.{name}") for name in VIEWS}
    view = choice.one_of(t("graphs.view"), names, key=widget, width="content", label_visibility="collapsed")
    url.set_param("view", view, "both")
    return view


def show(
    scored: Scored, *, focus: str, lit: Sequence[str], key: str, view: str = "", plain: bool = False, switch: DeltaGenerator | None = None
) -> None:
    """Draw a view, or the chosen one, with the nodes of the rows ``lit`` highlighted; a click moves the focus.

    Graphs that cannot be read in their panels begin with what matched and its neighbours. A ``plain`` graph does not show what matched.
    """
    view = view or choice.last_choice(f"{key}.view", VIEWS, VIEWS[0])
    whole, part = bool(st.session_state.get(f"{key}.whole")), st.session_state.get(f"{key}.part", "")
    drawn, nodes, hidden = _draw(scored, view, plain=plain, whole=whole, rows=_rows_of(scored, part) or [focus])
    if hidden:
        (switch or st).toggle(t("graphs.all", number=hidden), key=f"{key}.whole")
    rows = scored.explanation.rows
    by_row = {row.id: [name for name, ids in nodes.items() if not ids.isdisjoint((*row.nodes, *row.given))] for row in rows}
    parts = [] if plain else _parts(scored, by_row)
    component.graphs(drawn, rows, by_row, result=detail.result(scored), focus=focus, lit=lit, parts=parts, key=key)


def default_drawing(scored: Scored) -> dict[str, Any]:
    """The drawing of both graphs side by side, as the page begins with it."""
    return _draw(scored, "both", plain=False, whole=False)[0]


def _rows_of(scored: Scored, part: str) -> Sequence[str]:
    """The rows of a sentence by its id."""
    return next((passage.rows for sentences in scored.explanation.passages for passage in sentences if passage.id == part), ())


def _draw(
    scored: Scored, view: str, *, plain: bool, whole: bool, rows: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, set[str]], int]:
    """The drawing of a view with the nodes of these rows, the elements behind each node, and the number of nodes that have no room."""
    style = page.style()
    cache_key: tuple[object, ...] = (view, style, whole, plain)
    wanted = {node for row in rows if row in scored.explanation.row_of for node in scored.explanation.row_of[row].nodes}
    if cache_key in scored.cache and wanted:
        _, shown, hidden = scored.cache[cache_key]
        cache_key = (*cache_key, *sorted(wanted)) if hidden and not wanted <= set().union(*shown.values()) else cache_key
    if cache_key not in scored.cache:
        graphs = _graphs(scored, view)
        graphs = [unmarked(graph) for graph in graphs] if plain else graphs
        parts, places = fitting(graphs, _NARROW if len(graphs) > 1 else _WIDE, _HIGH / _SMALLEST, wanted=wanted)
        hidden = sum(map(len, graphs)) - sum(map(len, parts))
        if hidden and whole:
            parts, places = full(graphs, _WIDE)
        made = drawing(_panels(scored, view, parts), places, style, high=0 if hidden and whole else _HIGH)
        scored.cache[cache_key] = made, {name: set(ids) for graph in parts for name, ids in graph.nodes(data="ids")}, hidden
    return scored.cache[cache_key]


def _parts(scored: Scored, by_row: Mapping[str, Sequence[str]]) -> list[dict[str, object]]:
    """The sentences of captions that have several, each with the nodes of its tuples."""
    parts: list[dict[str, object]] = []
    for name, sentences in zip(scored.captions, scored.explanation.passages):
        for number, passage in enumerate(sentences, 1):
            if len(sentences) > 1 and passage.rows:
                nodes = [node for row in passage.rows for node in by_row[row]]
                count = f"{counted(passage.score.matched)}/{passage.score.tuples}"
                title = t("sentences.part", caption=name, number=number, total=len(sentences))
                parts.append({"id": passage.id, "title": title, "text": passage.score.text, "count": count, "nodes": nodes})
    return parts


def layout_side_by_side(scored: Scored) -> tuple[nx.DiGraph, nx.DiGraph, Layout]:
    """Both graphs as they stand side by side, and their layout."""
    cache_key = ("sides", interface())
    if cache_key not in scored.cache:
        scored.cache[cache_key] = beside(*networks_of(scored))
    return scored.cache[cache_key]


def _graphs(scored: Scored, view: str) -> list[nx.DiGraph]:
    """The networks of a view."""
    cache_key = (view, interface())
    if cache_key not in scored.cache:
        one = {"union": union, "difference": difference, "candidate": lambda c, r: c, "references": lambda c, r: r}
        scored.cache[cache_key] = [one[view](*networks_of(scored))] if view in one else list(networks_of(scored))
    return scored.cache[cache_key]


def networks_of(scored: Scored) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Both networks of a result, made once."""
    cache_key = ("networks", interface())
    if cache_key not in scored.cache:
        scored.cache[cache_key] = networks(scored.result, implicit_subject=t("tuples.implicit_subject"))
    return scored.cache[cache_key]


def _panels(scored: Scored, view: str, graphs: Sequence[nx.DiGraph]) -> list[Panel]:
    """The networks of a view with titles and text equivalents."""
    sides = [graph_in_words(scored, side) for side in SIDES]
    notes = (t("graphs.one", tuples=len(scored.result.candidate_tuples)), _note(scored))
    if view in SIDES:
        side = SIDES.index(view)
        alt = t("graphs.alt", outline="; ".join(sides[side]) or t("graphs.empty"))
        return [Panel(graphs[0], t(f"graphs.{view}"), notes[side], alt, t(f"graphs.none_{view}"))]
    if view != "both":
        alt = t("graphs.alt", outline="; ".join([*sides[0], *sides[1]]) or t("graphs.empty"))
        return [Panel(graphs[0], t(f"graphs.{view}"), t(f"graphs.{view}_note"), alt, t(f"graphs.none_{view}"))]
    return [
        Panel(graph, t(f"graphs.{side}"), note, t("graphs.alt", outline="; ".join(lines) or t("graphs.empty")), t(f"graphs.none_{side}"))
        for graph, side, note, lines in zip(graphs, SIDES, notes, sides)
    ]


def _note(scored: Scored) -> str:
    several = len(scored.result.references)
    return t("graphs.many" if several > 1 else "graphs.single", tuples=len(scored.result.reference_tuples), captions=several)


def data_url(drawn: str) -> str:
    """An SVG picture as a data URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}"


def graph_in_words(scored: Scored, side: str) -> list[str]:
    """The graph of one side in words, one line per object and relation."""
    graph = scored.result.candidate_graph if side == "candidate" else scored.result.reference_graph
    return outline(graph, implicit_subject=t("tuples.implicit_subject"))


def legend(rows: Sequence[TupleRow]) -> None:
    """Show the legend of shapes, colours, borders and marks; rare states only where they occur."""
    st.html(fragments.legend(page.style(), states=(row.state for row in rows), implied=any(row.implied for row in rows), prefix="sc-"))


def outlines(scored: Scored) -> None:
    """Both graphs in words, as an alternative to the drawing."""
    for column, side in zip(st.columns(2, gap="small"), SIDES):
        lines = "".join(f"<li>{escape(line)}</li>" for line in graph_in_words(scored, side)) or f"<li>{t('graphs.empty')}</li>"
        column.html(f'<h4 class="sc-small">{t(f"graphs.{side}")}</h4><ul class="sc-outline">{lines}</ul>')
