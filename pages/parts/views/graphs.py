"""The scene graphs: side by side, merged, or only the differences; and the same in words."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import networkx as nx
import streamlit as st

from pages.parts.kit import choice, page, url
from pages.parts.kit.texts import interface, t
from pages.parts.session.engine import Scored
from pages.parts.views import component, detail
from spice_core.draw import design
from spice_core.draw.frame import Panel, drawing
from spice_core.draw.layout import Layout, layout
from spice_core.draw.network import difference, nearby, networks, outline, union, unmarked
from spice_core.draw.sides import beside
from spice_core.explain.evidence import TupleRow
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import counted

VIEWS = ("both", "union", "difference")
SIDES = ("candidate", "references")


def choose_view(*, key: str) -> str:
    """The choice of the view: side by side, merged, or differences."""
    widget = f"{key}.view"
    url.start(widget, "view", VIEWS, "both")
    view = choice.one_of(t("graphs.view"), {name: t(f"graphs.{name}") for name in VIEWS}, key=widget, width="content")
    url.keep("view", view, "both")
    return view


def show(scored: Scored, *, focus: str, lit: Sequence[str], key: str, view: str = "", plain: bool = False) -> None:
    """Draw a view, or the chosen one, with the nodes of the rows ``lit`` highlighted; a click moves the focus.

    A large graph begins with what matched and its objects. A ``plain`` graph does not show what matched.
    """
    view = view or choice.last(f"{key}.view", VIEWS, VIEWS[0])
    graphs = _graphs(scored, view)
    hidden = sum(n for _, n in map(nearby, graphs))
    whole = not hidden or st.toggle(t("graphs.all", number=hidden), key=f"{key}.whole")
    style = page.style()
    cache_key = (view, style, whole, plain)
    if cache_key not in scored.cache:
        graphs = graphs if whole else [nearby(graph)[0] for graph in graphs]
        graphs = [unmarked(graph) for graph in graphs] if plain else graphs
        *graphs, placed = _placed(scored, view, graphs, known=whole and not plain)
        drawn = drawing(_panels(scored, view, graphs), placed, style)
        scored.cache[cache_key] = drawn, {name: set(ids) for graph in graphs for name, ids in graph.nodes(data="ids")}
    drawn, nodes = scored.cache[cache_key]
    rows = scored.explanation.rows
    by_row = {row.id: [name for name, ids in nodes.items() if not ids.isdisjoint(row.nodes)] for row in rows}
    parts = [] if plain else _parts(scored, by_row)
    component.graphs(drawn, rows, by_row, result=detail.result(scored), focus=focus, lit=lit, parts=parts, key=key)


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


def _placed(scored: Scored, view: str, graphs: Sequence[nx.DiGraph], *, known: bool) -> tuple[Any, ...]:
    """The graphs of a view and their layout; ``known`` graphs are those of the whole result, whose layout is made once."""
    if view == "both":
        return sides(scored) if known else beside(*graphs)
    return (*graphs, places(scored) if known else layout(*graphs))


def sides(scored: Scored) -> tuple[nx.DiGraph, nx.DiGraph, Layout]:
    """Both graphs as they stand side by side, and their layout."""
    cache_key = ("sides", interface())
    if cache_key not in scored.cache:
        scored.cache[cache_key] = beside(*both(scored))
    return scored.cache[cache_key]


def places(scored: Scored) -> Layout:
    """Where the nodes of both graphs stand."""
    cache_key = ("places", interface())
    if cache_key not in scored.cache:
        scored.cache[cache_key] = layout(*both(scored))
    return scored.cache[cache_key]


def _graphs(scored: Scored, view: str) -> list[nx.DiGraph]:
    """The networks of a view."""
    cache_key = (view, interface())
    if cache_key not in scored.cache:
        one = {"union": union, "difference": difference, "candidate": lambda c, r: c, "references": lambda c, r: r}
        scored.cache[cache_key] = [one[view](*both(scored))] if view in one else list(both(scored))
    return scored.cache[cache_key]


def both(scored: Scored) -> tuple[nx.DiGraph, nx.DiGraph]:
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


def inside(drawn: str) -> str:
    """An SVG picture as a data URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}"


def graph_in_words(scored: Scored, side: str) -> list[str]:
    """The graph of one side in words, one line per object and relation."""
    graph = scored.result.candidate_graph if side == "candidate" else scored.result.reference_graph
    return outline(graph, implicit_subject=t("tuples.implicit_subject"))


def legend(rows: Sequence[TupleRow]) -> None:
    """The legend of shapes, colours, borders and marks."""
    partial = any(row.state is MatchState.PARTIAL for row in rows)
    kinds = "".join(f'<li><i class="sc-key sc-{k}"></i>{t(f"legend.{k}")}</li>' for k in design.KINDS)
    if any(row.implied for row in rows):
        kinds += f'<li><i class="sc-key sc-attribute sc-implied"></i>{t("legend.implied_help")}</li>'
    states = "".join(
        f'<li><i class="sc-key sc-{s}">{design.MARKS[s]}</i>{t(f"legend.{s}")}</li>'
        for s in MatchState
        if s is not MatchState.PARTIAL or partial
    )
    st.html(f'<ul class="sc-legend">{kinds}{states}<li>{t("legend.badge")}</li></ul>')


def outlines(scored: Scored) -> None:
    """Both graphs in words, as an alternative to the drawing."""
    for column, side in zip(st.columns(2, gap="small"), SIDES):
        lines = "".join(f"<li>{escape(line)}</li>" for line in graph_in_words(scored, side)) or f"<li>{t('graphs.empty')}</li>"
        column.html(f'<h4 class="sc-small">{t(f"graphs.{side}")}</h4><ul class="sc-outline">{lines}</ul>')
