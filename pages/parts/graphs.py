"""The scene graphs in the page: side by side, as one, or where they differ; and the same in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from pages.parts import address, component, shell
from pages.parts.engine import Scored
from pages.parts.words import interface, t
from spice_core.draw import look
from spice_core.draw.evidence import Row
from spice_core.draw.frame import Panel, Words, drawing
from spice_core.draw.layout import layout
from spice_core.draw.network import networks, outline

VIEWS = ("both", "union", "difference")


def choose_view(*, key: str) -> str:
    """The choice of how the two graphs are set beside each other."""
    widget = f"{key}.view"
    address.start(widget, "view", VIEWS, "both")
    look = {"required": True, "width": "content"}
    view = st.segmented_control(t("graphs.view"), VIEWS, key=widget, format_func=lambda name: t(f"graphs.{name}"), **look)
    address.keep("view", view, "both")
    return view


def show(scored: Scored, rows: Sequence[Row], *, focus: str, lit: Sequence[Row], key: str, chosen: Callable[[str], None]) -> None:
    """The drawing of the chosen view, the nodes of ``lit`` rows lit; ``chosen`` hears which row is clicked."""
    view = st.session_state[f"{key}.view"]
    made = (view, interface(), shell.paper())
    if made not in scored.kept:
        panels, owners = _panels(scored, view)
        places = layout(*networks(scored.result, understood=t("tuples.understood")))
        scored.kept[made] = drawing(panels, places, words=words(), paper=shell.paper()), owners
    drawn, nodes = scored.kept[made]
    by_row = {row.id: [name for name, ids in nodes.items() if not ids.isdisjoint(row.nodes)] for row in rows}
    component.graphs(drawn, key=f"{key}.graphs", row=focus, lit=[n for row in lit for n in by_row[row.id]], rows=by_row, chosen=chosen)


def words() -> Words:
    """The texts inside a drawing."""
    return Words((t("graphs.smaller"), t("graphs.larger"), t("graphs.fit")), {s: t(f"legend.{s}") for s in look.STATES})


def _panels(scored: Scored, view: str) -> tuple[list[Panel], dict[str, set[str]]]:
    """The panels of a view, and for each node the elements that it stands for."""
    result, understood = scored.result, t("tuples.understood")
    if view == "both":
        graphs = networks(result, understood=understood)
        told = [graph_in_words(scored, side) for side in ("candidate", "references")]
        notes = (t("graphs.one", tuples=len(result.candidate_tuples)), _note(scored))
        panels = [
            Panel(graph, t(f"graphs.{side}"), note, t("graphs.alt", outline="; ".join(lines) or t("graphs.empty")), t(f"graphs.none_{side}"))
            for graph, side, note, lines in zip(graphs, ("candidate", "references"), notes, told)
        ]
    else:
        graph = networks(result, understood=understood)[1]
        alt = t("graphs.alt", outline="; ".join(l for side in ("candidate", "references") for l in graph_in_words(scored, side)))
        graphs, panels = [graph], [Panel(graph, t(f"graphs.{view}"), t(f"graphs.{view}_note"), alt, t(f"graphs.none_{view}"))]
    return panels, {name: set(facts["ids"]) for graph in graphs for name, facts in graph.nodes(data=True)}


def _note(scored: Scored) -> str:
    several = len(scored.result.references)
    return t("graphs.many" if several > 1 else "graphs.single", tuples=len(scored.result.reference_tuples), captions=several)


def graph_in_words(scored: Scored, side: str) -> list[str]:
    """The graph of a side, a line for each object and each relation."""
    graph = scored.result.candidate_graph if side == "candidate" else scored.result.reference_graph
    return outline(graph, understood=t("tuples.understood"))


def legend(rows: Sequence[Row]) -> None:
    """What shapes, colours, borders and marks mean, in text."""
    partial = any(row.state == "partial" for row in rows)
    kinds = "".join(f'<li><i class="sc-key sc-{k}"></i>{t(f"legend.{k}")}</li>' for k in look.KINDS)
    states = "".join(
        f'<li><i class="sc-key sc-{s}">{look.MARKS[s]}</i>{t(f"legend.{s}")}</li>' for s in look.STATES if s != "partial" or partial
    )
    st.html(f'<ul class="sc-legend">{kinds}{states}<li>{t("legend.badge")}</li></ul>')


def outlines(scored: Scored) -> None:
    """Both graphs in words, for those who read rather than look."""
    for column, side in zip(st.columns(2, gap="small"), ("candidate", "references")):
        lines = "".join(f"<li>{escape(line)}</li>" for line in graph_in_words(scored, side)) or f"<li>{t('graphs.empty')}</li>"
        column.html(f'<h4 class="sc-small">{t(f"graphs.{side}")}</h4><ul class="sc-outline">{lines}</ul>')
