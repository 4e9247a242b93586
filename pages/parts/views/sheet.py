"""A result on paper: one page with captions, graphs, tuples, sums and link; as a worksheet with blanks, and its solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from html import escape
from typing import Any

import networkx as nx
import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.texts import t
from pages.parts.state.engine import Scored
from pages.parts.views import captions, component, graphs, present, tuples
from spice_core.draw.layout import Layout, layout
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import extents, one
from spice_core.explain.evidence import TupleRow, tuple_text
from spice_core.scene.scores import OVERALL, counted

_MOST_ROWS = 36  # tuples that a page holds beside its graphs
_LINE = 688  # width of a line of the paper in pixels of the drawing
_TALLEST = 700  # height of a graph that can be read in its frame
_ROOM = 1000  # width of a large graph before it is made as wide as a line


def show_sheet(found: Scored, *, title: str, question: str, link: Mapping[str, str], key: str) -> None:
    """What is printed in place of the page, with the choice between result and worksheet, and a file to save."""
    with st.expander(t("sheet.title")):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            blank = st.toggle(t("sheet.worksheet"), key=f"{key}.worksheet")
            solved = blank and st.toggle(t("sheet.solutions"), key=f"{key}.solutions")
        cache_key = ("sheet", title, question, tuple(link.items()), blank, solved, page.style())
        if cache_key not in found.cache:
            found.cache[cache_key] = pages(found, title=title, question=question, link=link, blank=blank, solved=bool(solved))
        made: str = found.cache[cache_key]
        st.html(f'<p class="sc-note">{t("sheet.note")}</p>')
        name = f"spice-sheet-{found.inputs.digest(found.settings)[:8]}.html"
        st.download_button(t("sheet.save"), _file(made), name, "text/html", key=f"{key}.sheet", on_click="ignore")
    with st.container(key="sheet"):
        _paper()(key=f"{key}.paper", data=made)


@cache
def _paper() -> Callable[..., Any]:
    """The component that holds the sheet, registered once; what st.html shows has no drawings."""
    script = component.script("sheet")
    return st.components.v2.component("spice_sheet", html='<div class="sc-sheet"></div>', css=page.sheet_css(), js=script)


def pages(found: Scored, *, title: str, question: str, link: Mapping[str, str], blank: bool = False, solved: bool = False) -> str:
    """The pages: the result, or a worksheet with blanks, if asked for with a page of solutions."""
    sheets = [_page(found, title, question, link, blank=blank)]
    return "".join(sheets + ([_page(found, title, question, link, blank=False)] if solved else []))


def _page(found: Scored, title: str, question: str, link: Mapping[str, str], *, blank: bool) -> str:
    style = replace(page.style(), theme="light")
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="sc-question">{escape(question)}</p>' if question else "",
        _captions(found, blank),
    ]
    drawn = '<div class="sc-frame"></div>' * 2 if blank else _graphs(found, style)
    counted = [
        _blank_rows(found) if blank else _rows(found),
        _sums(found, style, blank),
        "" if blank else _categories(found, style),
        _foot(found, link),
    ]
    parts += [*counted, drawn] if _is_large(found) and not blank else [drawn, *counted]
    return f'<section class="sc-page">{"".join(parts)}</section>'


def _captions(found: Scored, blank: bool) -> str:
    lang = found.settings.lang
    texts = [escape(c) for c in (found.inputs.candidate, *(found.inputs.references[i] for i in found.used))]
    marked = [html for _, html in captions.as_html(found, plain=False)]
    lines = zip(found.captions, texts if blank else marked)
    return f'<dl class="sc-lines">{"".join(f"<div><dt>{escape(name)}</dt><dd lang={lang}>{html}</dd></div>" for name, html in lines)}</dl>'


def _graphs(found: Scored, style: DisplayStyle) -> str:
    """The candidate's graph and that of the references: as they stand side by side, or each as wide as the paper if they are large."""
    *both, shared = graphs.layout_side_by_side(found)
    large = _is_large(found)
    frames = []
    for graph, side in zip(both, graphs.SIDES):
        places = layout(graph, room=_ROOM) if large else shared
        picture = one(graph, places, style, title=t(f"graphs.{side}"), description="", name=f"sheet-{side}", lang=found.settings.lang)
        width = f' style="width: min(100%, {extents(graph, places)[2]:.0f}px)"' if large else ""
        frames.append(f'<div class="sc-frame{" sc-large" if large else ""}"><div{width}>{picture}</div></div>')
    return "".join(frames)


def _is_large(found: Scored) -> bool:
    """Whether a graph is too large for a frame on the page of its captions."""
    *both, shared = graphs.layout_side_by_side(found)
    return any(_height(graph, shared) > _TALLEST for graph in both)


def _height(graph: nx.DiGraph, places: Layout) -> float:
    """The height of a graph on paper, no wider than a line."""
    _, _, width, height = extents(graph, places)
    return height * min(1, _LINE / max(width, 1))


def _rows(found: Scored) -> str:
    """Each tuple with its mark and its partner; of very many, the first."""
    rows = found.explanation.rows
    items = "".join(f"<li>{_row(row)}</li>" for row in rows[:_MOST_ROWS])
    more = f"<li>{t('sheet.more', number=len(rows) - _MOST_ROWS)}</li>" if len(rows) > _MOST_ROWS else ""
    return f'<ol class="sc-rows">{items}{more}</ol>'


def _row(row: TupleRow) -> str:
    name = t("tuples.implicit_subject")
    partner = f" = {escape(tuple_text(row.partner, implicit_subject=name))}" if row.partner and row.partner != row.parts else ""
    return f'{tuples.state_mark(row.state)} <span class="sc-tuple">{tuples.tuple_html(row.parts)}{partner}</span>'


def _blank_rows(found: Scored) -> str:
    number_of = min(max(len(found.result.candidate_tuples), 4) + 2, 16)
    return f'<ol class="sc-rows sc-blank">{"<li></li>" * number_of}</ol>'


def _sums(found: Scored, style: DisplayStyle, blank: bool) -> str:
    """P, R and F1 written out, or to fill in."""
    if blank:
        line = "P = ____ / ____ &emsp; R = ____ / ____ &emsp; F1 = ________"
    else:
        s = found.result.overall
        matched, covered = counted(s.matched), counted(s.recalled)
        product = "2 × P × R / (P + R)" if s.covered is not None else f"2 × {matched} / ({s.candidate} + {s.reference})"
        line = (
            f"P = {matched} / {s.candidate} = {style.ratio(s.precision)} &emsp; "
            f"R = {covered} / {s.reference} = {style.ratio(s.recall)} &emsp; "
            f"F1 = {product} = <b>{style.ratio(s.f1)}</b>"
        )
    return f'<p class="sc-sums">{escape(found.result.metric_name)}: {line}</p>'


def _categories(found: Scored, style: DisplayStyle) -> str:
    listed = ((tuples.category(name), style.ratio(score.f1)) for name, score in found.result.scores.items() if name != OVERALL)
    return f'<p class="sc-note">{" · ".join(f"{escape(name)} {value}" for name, value in listed)}</p>'


def _foot(found: Scored, link: Mapping[str, str]) -> str:
    address, code = present.code_of(link)
    return (
        f'<footer><div><p class="sc-note">{escape(str(found.result.signature))}</p><p class="sc-note">{escape(address)}</p>'
        f'<p class="sc-note">{t("sheet.licence")}</p></div><div class="sc-code">{code}</div></footer>'
    )


def _file(made: str) -> str:
    """The pages as a file of their own."""
    css = page.sheet_css()
    return f'<!doctype html><html lang="{page.style().lang}"><meta charset="utf-8"><title>SPICE</title><style>{css}</style><body><div class="sc-sheet">{made}</div></body></html>'
