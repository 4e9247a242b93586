"""Printed results: captions, graphs, tuples, calculation and link on one page, or a worksheet with blanks and solutions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

import streamlit as st

from pages.parts.kit import page
from pages.parts.kit.choice import download_button
from pages.parts.kit.texts import t
from pages.parts.state.engine import CaptionInputs, ScoredCaptions, caption_labels
from pages.parts.views import captions, component, graphs, present, tuples
from pages.parts.views.score import metric_label
from spice_core.draw.layout import layout_graphs
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import graph_extents, render_graph
from spice_core.explain.evidence import TupleRow, tuple_text
from spice_core.scene.scores import OVERALL, format_count

_MAX_TUPLES = 36  # number of tuples that fit on a page with the graphs
_MAX_TUPLES_IN_WIDE_COLUMNS = 24
_LINE_WIDTH_PX = 688  # width of a line on paper
_MAX_GRAPH_HEIGHT_PX = 700  # maximum height of a graph that is readable in its frame
_MAX_GRAPH_SCALE = 1.3  # maximum size of a graph on paper, relative to its layout
_LARGE_GRAPH_PX = 1000  # layout width of a large graph, later scaled to a line


def show_sheet(
    scored_captions: ScoredCaptions, *, title: str, question: str, link: Mapping[str, str], source: str = "coco", key: str
) -> None:
    """Show the choice of result or worksheet, and a download. The browser prints the sheet instead of the page."""
    with st.expander(t("sheet.title")):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            is_worksheet = st.toggle(t("sheet.worksheet"), key=f"{key}.worksheet")
            with_solutions = is_worksheet and st.toggle(t("sheet.solutions"), key=f"{key}.solutions")
        cache_key = ("sheet", title, question, present.address_and_code(link)[0], is_worksheet, with_solutions, page.display_style())
        options: dict[str, Any] = {"title": title, "question": question, "link": link, "is_worksheet": is_worksheet, "source": source}
        pages_ = scored_captions.cached(cache_key, lambda: pages_html(scored_captions, with_solutions=with_solutions, **options))
        _offer_file(pages_, t("sheet.note"), scored_captions.inputs.digest(scored_captions.settings)[:8], key)
    _show_paper(pages_, key)


class SetQuestion(NamedTuple):
    """A question of a class set: its text, its captions, and a function that returns their result and the answer."""

    question: str
    inputs: CaptionInputs
    solve: Callable[[], tuple[ScoredCaptions, str]]


def show_set(questions: Sequence[SetQuestion], scored_captions: ScoredCaptions, *, link: Mapping[str, str], key: str) -> None:
    """Show a download of a class set's questions, optionally with solutions. The browser prints them instead of the page.

    ``scored_captions`` is the result of any of the questions.
    """
    with st.expander(t("sheet.title")):
        parts = [_set_page(questions, scored_captions, link, is_solved=False)]
        if st.toggle(t("sheet.solutions"), key=f"{key}.solutions"):
            with st.spinner(t("states.loading")):
                parts.append(_set_page(questions, scored_captions, link, is_solved=True))
        _offer_file("".join(parts), t("sheet.set_note"), "set", key)
    _show_paper("".join(parts), key)


def _set_page(questions: Sequence[SetQuestion], scored_captions: ScoredCaptions, link: Mapping[str, str], *, is_solved: bool) -> str:
    """Return all questions of a class set, with blanks or with answers, tuples and sums."""
    style, lang, items = replace(page.display_style(), theme="light"), scored_captions.settings.lang, []
    for number, (question, inputs, solve) in enumerate(questions, 1):
        blank = "_" * 24
        if is_solved:
            solved_captions, answer = solve()
            rest = _rows_html(solved_captions) + _sums_html(solved_captions, style, False)
        else:
            answer, rest = blank, ""
        lines = zip(caption_labels(range(len(inputs.references))), map(escape, (inputs.candidate, *inputs.references)))
        answer_html = f'<p class="sc-answer">{escape(t("sheet.answer", answer=answer))}</p>' if answer else ""
        items.append(
            f'<div class="sc-item"><p class="sc-question"><b>{number}</b> {escape(question)}</p>{_lines_html(lines, lang)}{answer_html}{rest}</div>'
        )
    title = t("sheet.set_solutions" if is_solved else "sheet.set", number=len(questions))
    return f'<section class="sc-page sc-set"><h1>{title}</h1>{"".join(items)}{_foot_html(scored_captions, link, "set")}</section>'


def _offer_file(pages: str, note: str, name: str, key: str) -> None:
    st.html(f'<p class="sc-note">{note}</p>')
    download_button(t("sheet.save"), _file_html(pages), f"spice-sheet-{name}.html", "text/html", key=f"{key}.sheet", type="secondary")


def _show_paper(pages: str, key: str) -> None:
    with st.container(key="sheet"):
        component.registered_component("sheet")(key=f"{key}.paper", data=pages)  # st.html does not show drawings


def pages_html(
    scored_captions: ScoredCaptions,
    *,
    title: str,
    question: str,
    link: Mapping[str, str],
    is_worksheet: bool = False,
    with_solutions: bool = False,
    source: str = "coco",
) -> str:
    """Return the pages: the result, or a worksheet with blanks and, on request, a page of solutions."""
    versions = [is_worksheet, *([False] if with_solutions else [])]
    return "".join(_page_html(scored_captions, title, question, link, source, is_worksheet=version) for version in versions)


def _page_html(
    scored_captions: ScoredCaptions, title: str, question: str, link: Mapping[str, str], source: str, *, is_worksheet: bool
) -> str:
    style = replace(page.display_style(), theme="light")
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="sc-question">{escape(question)}</p>' if question else "",
        _captions_html(scored_captions, is_worksheet),
    ]
    graph_html = '<div class="sc-frame"></div>' * 2 if is_worksheet else _graphs_html(scored_captions, style)
    blank_count = min(max(len(scored_captions.result.candidate_tuples), 4) + 2, 16)
    text_blocks = [
        f'<ol class="sc-rows sc-blank">{"<li></li>" * blank_count}</ol>' if is_worksheet else _rows_html(scored_captions),
        _sums_html(scored_captions, style, is_worksheet),
        "" if is_worksheet else _categories_html(scored_captions, style),
        _foot_html(scored_captions, link, source),
    ]
    parts += [*text_blocks, graph_html] if _is_large(scored_captions) and not is_worksheet else [graph_html, *text_blocks]
    return f'<section class="sc-page">{"".join(parts)}</section>'


def _captions_html(scored_captions: ScoredCaptions, is_worksheet: bool) -> str:
    texts = [
        escape(c) for c in (scored_captions.inputs.candidate, *(scored_captions.inputs.references[i] for i in scored_captions.used_indices))
    ]
    marked_html = [html for _, html in captions.named_captions_html(scored_captions, is_plain=False)]
    lines = zip(scored_captions.caption_labels, texts if is_worksheet else marked_html)
    return _lines_html(lines, scored_captions.settings.lang)


def _lines_html(lines: Iterable[tuple[str, str]], lang: str) -> str:
    return f'<dl class="sc-lines">{"".join(f"<div><dt>{escape(name)}</dt><dd lang={lang}>{html}</dd></div>" for name, html in lines)}</dl>'


def _graphs_html(scored_captions: ScoredCaptions, style: DisplayStyle) -> str:
    """Return both graphs as HTML, side by side or, if large, one below the other."""
    *networks, shared_layout = graphs.layout_of(scored_captions)
    is_large = _is_large(scored_captions)
    frames = []
    for graph, side in zip(networks, graphs.GRAPH_SIDES):
        places = layout_graphs(graph, max_width=_LARGE_GRAPH_PX) if is_large else shared_layout
        picture = render_graph(graph, places, style, view=side, name=f"sheet-{side}", lang=scored_captions.settings.lang)
        wide = graph_extents(graph, places)[2]
        style_text = f"width: min(100%, {wide:.0f}px)" if is_large else f"max-width: {wide * _MAX_GRAPH_SCALE:.0f}px"
        frames.append(f'<div class="sc-frame{" sc-large" if is_large else ""}"><div style="{style_text}">{picture}</div></div>')
    return "".join(frames)


def _is_large(scored_captions: ScoredCaptions) -> bool:
    *networks, shared_layout = graphs.layout_of(scored_captions)
    sizes = (graph_extents(graph, shared_layout)[2:] for graph in networks)  # a wide graph is shrunk to the width of a line
    return any(height * min(1, _LINE_WIDTH_PX / max(width, 1)) > _MAX_GRAPH_HEIGHT_PX for width, height in sizes)


def _rows_html(scored_captions: ScoredCaptions) -> str:
    rows = scored_captions.explanation.rows
    items = "".join(f"<li>{_row_html(row)}</li>" for row in rows[:_MAX_TUPLES])
    more_rows = f"<li>{t('sheet.more', number=len(rows) - _MAX_TUPLES)}</li>" if len(rows) > _MAX_TUPLES else ""
    return f'<ol class="sc-rows{" sc-many" if len(rows) > _MAX_TUPLES_IN_WIDE_COLUMNS else ""}">{items}{more_rows}</ol>'


def _row_html(row: TupleRow) -> str:
    name = t("tuples.implicit_subject")
    partner = f" = {escape(tuple_text(row.partner, implicit_subject=name))}" if row.partner and row.partner != row.parts else ""
    return f'{tuples.state_mark(row.state)} <span class="sc-tuple">{tuples.tuple_html(row.parts)}{partner}</span>'


def _sums_html(scored_captions: ScoredCaptions, style: DisplayStyle, is_worksheet: bool) -> str:
    """Return precision, recall and F1 as fractions, or as blanks to fill in."""
    if is_worksheet:
        line = "P = ____ / ____ &emsp; R = ____ / ____ &emsp; F1 = ________"
    else:
        score = scored_captions.result.overall
        matched_count, recalled_count = format_count(score.matched), format_count(score.recalled)
        product = "2 × P × R / (P + R)" if score.covered is not None else f"2 × {matched_count} / ({score.candidate} + {score.reference})"
        line = (
            f"P = {matched_count} / {score.candidate} = {style.format_ratio(score.precision)} &emsp; "
            f"R = {recalled_count} / {score.reference} = {style.format_ratio(score.recall)} &emsp; "
            f"F1 = {product} = <b>{style.format_ratio(score.f1)}</b>"
        )
    return f'<p class="sc-sums">{escape(metric_label(scored_captions.result))}: {line}</p>'


def _categories_html(scored_captions: ScoredCaptions, style: DisplayStyle) -> str:
    names_by_category = (
        (tuples.category_label(name), style.format_ratio(score.f1))
        for name, score in scored_captions.result.scores.items()
        if name != OVERALL
    )
    return f'<p class="sc-note">{" · ".join(f"{escape(name)} {value}" for name, value in names_by_category)}</p>'


def _foot_html(scored_captions: ScoredCaptions, link: Mapping[str, str], source: str) -> str:
    """Return signature, link, QR code and caption source (``coco``, ``set`` or ``own``)."""
    address, code = present.address_and_code(link)
    return (
        f'<footer><div><p class="sc-note">{escape(str(scored_captions.result.signature))}</p><p class="sc-note">{escape(address)}</p>'
        f'<p class="sc-note">{t(f"sheet.source_{source}")}</p></div><div class="sc-code">{code}</div></footer>'
    )


def _file_html(sheets: str) -> str:
    css = page.printed_sheet_css()
    return f'<!doctype html><html lang="{page.display_style().lang}"><meta charset="utf-8"><title>SPICE</title><style>{css}</style><body><div class="sc-sheet">{sheets}</div></body></html>'
