"""Dependency graphs drawn as trees, with highlights."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts.kit import page as shell
from pages.parts.kit.texts import t
from pages.parts.views.graphs import MIN_LETTER_SCALE
from spice_core.draw import trees
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, Token

# Height of a picture's title, scrollbar and gap together, of the gap alone, and of the border and padding around all pictures.
_FRAME_MARGIN_PX, _GAP_PX, _BORDER_PX = 52, 14, 18


def draw_tree(graph: DependencyGraph, title: str, *, lang: str, words: Iterable[int] = (), marked_edges: Iterable[Dependency] = ()) -> None:
    """Draw a graph as a tree with some words and edges highlighted."""
    draw_trees([(title, graph, tuple(words), tuple(marked_edges))], lang=lang)


def tree_svg(graph: DependencyGraph, *, marked_edges: Collection[Dependency], lang: str) -> str:
    """Return a graph as SVG with some edges highlighted. The picture shrinks to fit its box as long as its letters stay readable."""
    svg = trees.tree_svg(trees.graph_tree(graph.tokens, graph.edges, highlighted_edges=marked_edges), lang=lang, compact=True)
    width = float(re.findall(r' width="([\d.]+)"', svg)[0])
    size = f"max-width: 100%; min-width: {MIN_LETTER_SCALE * width:.0f}px; height: auto"
    return re.sub(r"max-width: none; height: [\d.]+px", size, svg, count=1)


def draw_trees(pictures: Iterable[tuple[str, DependencyGraph, Sequence[int], Sequence[Dependency]]], *, lang: str) -> None:
    """Draw several graphs, one below the other. A picture consists of title, graph, highlighted words and highlighted edges."""
    pictures_ = [
        (title, trees.graph_tree(graph.tokens, graph.edges, words=words, highlighted_edges=marked_edges))
        for title, graph, words, marked_edges in pictures
    ]
    _show_frame(pictures_, lang=lang)


def draw_unit_trees(pictures: Iterable[tuple[str, Sentence, Sequence[Sequence[Token]]]], *, lang: str) -> None:
    """Draw trees over units of several tokens, such as bunsetsu. A picture consists of title, sentence and units."""
    _show_frame([(title, trees.unit_tree(sentence, units)) for title, sentence, units in pictures], lang=lang)


def without_full_stop(sentence: Sentence) -> DependencyGraph:
    """Return the basic tree without the final full stop, which only takes up space."""
    tokens = sentence.tokens[:-1] if len(sentence.tokens) > 1 and sentence.tokens[-1].text in (".", "。") else sentence.tokens
    last_index = tokens[-1].index
    return DependencyGraph(tokens, tuple(edge for edge in sentence.basic if edge.head <= last_index and edge.dependent <= last_index))


def _show_frame(pictures: Sequence[tuple[str, trees.DisplacyTree]], *, lang: str) -> None:
    page = trees.tree_page(pictures, replace(shell.display_style(), font_css=shell.font_css()), lang=lang)
    heights = [float(height) for height in re.findall(r'<svg[^>]* height="([\d.]+)"', page)]
    st.iframe(page, height=round(sum(heights)) + _FRAME_MARGIN_PX * len(heights) - _GAP_PX + _BORDER_PX, alt=t("parse.frame"))
