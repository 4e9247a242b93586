"""Dependency trees, and scene graphs side by side, merged, or reduced to their differences, with the same content in words."""

import base64
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from secrets import token_hex
from typing import Any

import networkx as nx
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.kit import choice, page, url
from pages.parts.kit import page as shell
from pages.parts.kit.texts import interface_language, t
from pages.parts.state.engine import ScoredCaptions
from pages.parts.views import component, detail
from spice_core.draw import trees
from spice_core.draw.frame import GraphPanel, drawing_data
from spice_core.draw.layout import GraphLayout, layout_side_by_side
from spice_core.draw.network import network_of_view, remove_states, result_networks, text_outline, union_network
from spice_core.draw.picture import ONE_COLUMN_MM, TWO_COLUMNS_MM, PictureOptions, render_picture
from spice_core.draw.screen import fit_screen, fit_width
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import describe_view, render_graph, result_svg
from spice_core.errors import SpiceError
from spice_core.scene.scores import format_count
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, Token

GRAPH_VIEWS = ("both", "union", "difference")
GRAPH_SIDES = ("candidate", "references")
_MAX_HEIGHT_RATIO = 20  # maximum ratio of height to width of a visible part
_FOLDED_PX = 400  # layout width of the merged graph in a narrow column
_NARROW_PX, _WIDE_PX, _PANEL_HEIGHT_PX = 440, 900, 362  # layout widths of each of two graphs and of a single graph, and height of a panel


def choose_view() -> str:
    """Show the view choice (side by side, merged, differences). Return the selected view."""
    widget = "inspect.view"
    url.init_from_param(widget, "view", GRAPH_VIEWS, "both")
    names = {name: t(f"graphs.{name}") for name in GRAPH_VIEWS}
    view = choice.segmented_control(t("graphs.view"), names, key=widget, width="content", label_visibility="collapsed")
    url.set_param("view", view, "both")
    return view


def show_view(
    scored_captions: ScoredCaptions,
    *,
    focus: str,
    highlighted_rows: Sequence[str],
    key: str,
    view: str = "",
    is_plain: bool = False,
    switch_place: DeltaGenerator | None = None,
) -> None:
    """Draw a view, by default the chosen view, and emphasise the nodes of the ``highlighted_rows``. A click moves the focus.

    Graphs that are too large for their panels show only matched nodes and their neighbours at first.
    ``is_plain`` hides matches.
    """
    view = view or choice.last_choice(f"{key}.view", GRAPH_VIEWS, GRAPH_VIEWS[0])
    is_full, sentence_id = bool(st.session_state.get(f"{key}.whole")), st.session_state.get(f"{key}.part", "")
    passages = (passage for sentences in scored_captions.explanation.passages for passage in sentences)
    sentence_rows = next((passage.rows for passage in passages if passage.id == sentence_id), ())
    drawing_, nodes, hidden_count, panels_and_layout = _draw_view(
        scored_captions, view, is_plain=is_plain, is_full=is_full, rows=sentence_rows or [focus]
    )
    if hidden_count:
        (switch_place or st).toggle(t("graphs.all", number=hidden_count), key=f"{key}.whole")
    rows = scored_captions.explanation.rows
    nodes_by_row = {row.id: [name for name, ids in nodes.items() if not ids.isdisjoint((*row.nodes, *row.evidence_nodes))] for row in rows}
    sentences = [] if is_plain else _sentence_parts(scored_captions, nodes_by_row)
    component.draw_graphs(
        drawing_,
        rows,
        nodes_by_row,
        result=detail.result_key(scored_captions),
        focus=focus,
        highlighted_rows=highlighted_rows,
        sentences=sentences,
        make_picture=partial(_picture_file, *panels_and_layout),
        key=key,
    )


def default_drawing(scored_captions: ScoredCaptions) -> dict[str, Any]:
    """Return the drawing of both graphs side by side, the first view of the page."""
    return _draw_view(scored_captions, "both", is_plain=False, is_full=False)[0]


def _draw_view(
    scored_captions: ScoredCaptions, view: str, *, is_plain: bool, is_full: bool, rows: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, set[str]], int, tuple[list[GraphPanel], GraphLayout]]:
    """Return the drawing of a view, the elements behind each node, the number of omitted nodes, and the panels with their layout.

    Nodes of ``rows`` stay visible.
    """
    style = page.display_style()
    cache_key: tuple[object, ...] = (view, style, is_full, is_plain)
    known_rows = (scored_captions.explanation.row_by_node[row] for row in rows if row in scored_captions.explanation.row_by_node)
    required_nodes = {node for row in known_rows for node in row.nodes}
    if cache_key in scored_captions.cache and required_nodes:
        _, elements, hidden_count, _ = scored_captions.cache[cache_key]
        cache_key = (
            (*cache_key, *sorted(required_nodes)) if hidden_count and not required_nodes <= set().union(*elements.values()) else cache_key
        )
    if cache_key not in scored_captions.cache:
        graphs = [network_of_view(*networks_of(scored_captions), name) for name in _panel_names(view)]
        if is_plain:
            graphs = [remove_states(graph) for graph in graphs]
        drawn_graphs, layout = fit_screen(
            graphs, _NARROW_PX if len(graphs) > 1 else _WIDE_PX, _PANEL_HEIGHT_PX / trees.MIN_LETTER_SCALE, required_nodes=required_nodes
        )
        hidden_count = sum(map(len, graphs)) - sum(map(len, drawn_graphs))
        if is_whole := bool(hidden_count and is_full):
            drawn_graphs, layout = fit_width(graphs, _WIDE_PX)
        panels = _graph_panels(scored_captions, view, drawn_graphs)
        scored_captions.cache[cache_key] = (
            drawing_data(panels, layout, style, max_height_px=0 if is_whole else _PANEL_HEIGHT_PX),
            {name: set(ids) for graph in drawn_graphs for name, ids in graph.nodes(data="ids")},
            hidden_count,
            (panels, layout),
        )
    return scored_captions.cache[cache_key]


def _picture_file(panels: Sequence[GraphPanel], layout: GraphLayout, choice: Any) -> dict[str, str] | None:
    """Return a picture with the options sent by a browser, or None if they are invalid."""
    options = _read_options(choice)
    if options is None:
        return None
    content = render_picture(panels, layout, replace(page.display_style(), theme="light"), options)
    url = f"data:application/octet-stream;base64,{base64.b64encode(content).decode()}"
    return {"id": token_hex(4), "name": f"scene-graph-{options.width_mm}mm.{options.format}", "url": url}


def _read_options(choice: Any) -> PictureOptions | None:
    """Return the picture options sent by a browser, or None if they are invalid."""
    try:
        name, _, scale = str(choice["format"]).partition("/")
        views = [view and tuple(map(float, view)) for view in choice["views"]]
        focused, faded = (frozenset(map(str, choice[name])) for name in ("focused", "faded"))
        options = PictureOptions(name, int(choice["width"]), bool(choice["legend"]), int(scale or 2), views, focused, faded)
    except (SpiceError, KeyError, TypeError, ValueError):
        return None
    is_valid = options.width_mm in (ONE_COLUMN_MM, TWO_COLUMNS_MM) and options.scale in (2, 3)
    return options if is_valid and all(len(view) == 4 and view[3] < _MAX_HEIGHT_RATIO * view[2] for view in filter(None, views)) else None


def _sentence_parts(scored_captions: ScoredCaptions, nodes_by_row: Mapping[str, Sequence[str]]) -> list[dict[str, object]]:
    """Return the sentences of captions with several sentences, each with the nodes of its tuples."""
    parts: list[dict[str, object]] = []
    for name, sentences in zip(scored_captions.caption_labels, scored_captions.explanation.passages):
        for index, passage in enumerate(sentences, 1):
            if len(sentences) > 1 and passage.rows:
                nodes = [node for row in passage.rows for node in nodes_by_row[row]]
                count = f"{format_count(passage.score.matched)}/{passage.score.tuples}"
                title = t("sentences.part", caption=name, number=index, total=len(sentences))
                parts.append({"id": passage.id, "title": title, "text": passage.score.text, "count": count, "nodes": nodes})
    return parts


def layout_of(scored_captions: ScoredCaptions) -> tuple[nx.DiGraph, nx.DiGraph, GraphLayout]:
    """Return both graphs with their layout side by side."""
    return scored_captions.cached(("sides", interface_language()), lambda: layout_side_by_side(*networks_of(scored_captions)))


def networks_of(scored_captions: ScoredCaptions) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Return both networks of a result, built once."""
    return scored_captions.cached(
        ("networks", interface_language()), lambda: result_networks(scored_captions.result, implicit_subject=t("tuples.implicit_subject"))
    )


def _panel_names(view: str) -> tuple[str, ...]:
    return GRAPH_SIDES if view == "both" else (view,)


def _graph_panels(scored_captions: ScoredCaptions, view: str, graphs: Sequence[nx.DiGraph]) -> list[GraphPanel]:
    """Return the networks of a view with titles and text equivalents."""
    result = scored_captions.result
    tuple_count, reference_count = len(result.reference_tuples), len(result.references)
    reference_note = t("graphs.many" if reference_count > 1 else "graphs.single", tuples=tuple_count, captions=reference_count)
    notes = {"candidate": t("graphs.one", tuples=len(result.candidate_tuples)), "references": reference_note}
    panels = []
    for graph, name in zip(graphs, _panel_names(view)):
        lines = [line for side in GRAPH_SIDES if name == side or name not in GRAPH_SIDES for line in graph_in_words(scored_captions, side)]
        alt = t("graphs.alt", outline="; ".join(lines) or t("graphs.empty"))
        panels.append(GraphPanel(graph, t(f"graphs.{name}"), notes.get(name) or t(f"graphs.{name}_note"), alt, t(f"graphs.none_{name}")))
    return panels


def view_picture(scored_captions: ScoredCaptions, view: str) -> str:
    """Return a view as an SVG picture."""
    return _cached_picture(scored_captions, view, partial(result_svg, scored_captions.result, view=view))


def folded_picture(scored_captions: ScoredCaptions) -> str:
    """Return the merged graph as an SVG picture, folded to fit a narrow column."""

    def render(style: DisplayStyle) -> str:
        (graph,), layout = fit_width([union_network(*networks_of(scored_captions))], _FOLDED_PX)
        description = describe_view(scored_captions.result, "union", style)
        return render_graph(graph, layout, style, view="union", description=description, lang=scored_captions.settings.lang, margin=6)

    return _cached_picture(scored_captions, "folded", render)


def _cached_picture(scored_captions: ScoredCaptions, name: str, render: Callable[..., str]) -> str:
    """Return a picture with embedded fonts, because pictures cannot use the page's fonts."""
    style = page.display_style()
    embed = lambda: replace(style, font_css=page.embedded_fonts(render(style=style)))
    return scored_captions.cached(("picture", name, style), lambda: render(style=embed()))


def data_url(svg: str) -> str:
    """Return an SVG picture as a data URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def graph_in_words(scored_captions: ScoredCaptions, side: str) -> list[str]:
    """Return one side's graph in words, one line per object and relation."""
    graph = scored_captions.result.candidate_graph if side == "candidate" else scored_captions.result.reference_graph
    return text_outline(graph, implicit_subject=t("tuples.implicit_subject"))


def show_outlines(scored_captions: ScoredCaptions) -> None:
    """Show both graphs in words, as an alternative to the drawing."""
    for column, side in zip(st.columns(2, gap="small"), GRAPH_SIDES):
        lines = "".join(f"<li>{escape(line)}</li>" for line in graph_in_words(scored_captions, side)) or f"<li>{t('graphs.empty')}</li>"
        column.html(f'<h4 class="sc-small">{t(f"graphs.{side}")}</h4><ul class="sc-outline">{lines}</ul>')


# Height of a picture's title, scrollbar and gap together, of the gap alone, and of the border and padding around all pictures.
_FRAME_MARGIN_PX, _GAP_PX, _BORDER_PX = 52, 14, 18


def tree_svg(graph: DependencyGraph, *, highlighted_edges: Collection[Dependency], lang: str) -> str:
    """Return a graph as SVG with some edges highlighted."""
    return trees.shrinkable_svg(trees.graph_tree(graph.tokens, graph.edges, highlighted_edges=highlighted_edges), lang=lang)


def draw_trees(pictures: Iterable[tuple[str, DependencyGraph, Sequence[int], Sequence[Dependency]]], *, lang: str) -> None:
    """Draw several graphs, one below the other. A picture consists of title, graph, highlighted words and highlighted edges."""
    pictures_ = [
        (title, trees.graph_tree(graph.tokens, graph.edges, words=words, highlighted_edges=highlighted_edges))
        for title, graph, words, highlighted_edges in pictures
    ]
    _show_frame(pictures_, lang=lang)


def draw_unit_trees(pictures: Iterable[tuple[str, Sentence, Sequence[Sequence[Token]]]], *, lang: str) -> None:
    """Draw trees over units of several tokens, such as bunsetsu. A picture consists of title, sentence and units."""
    _show_frame([(title, trees.unit_tree(sentence, units)) for title, sentence, units in pictures], lang=lang)


def without_full_stop(sentence: Sentence) -> DependencyGraph:
    """Return the basic tree without the final full stop."""
    tokens = sentence.tokens[:-1] if len(sentence.tokens) > 1 and sentence.tokens[-1].text in (".", "。") else sentence.tokens
    last_index = tokens[-1].index
    return DependencyGraph(tokens, tuple(edge for edge in sentence.basic if edge.head <= last_index and edge.dependent <= last_index))


def _show_frame(pictures: Sequence[tuple[str, trees.DisplacyTree]], *, lang: str) -> None:
    page = trees.tree_page(pictures, replace(shell.display_style(), font_css=shell.font_css()), lang=lang)
    heights = [float(height) for height in re.findall(r'<svg[^>]* height="([\d.]+)"', page)]
    st.iframe(page, height=round(sum(heights)) + _FRAME_MARGIN_PX * len(heights) - _GAP_PX + _BORDER_PX, alt=t("parse.frame"))
