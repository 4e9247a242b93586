"""Report of a result as a self-contained page without scripts or external resources."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from spice_core.data.graph_parts import replace_invalid_characters
from spice_core.draw import design
from spice_core.draw.network import result_networks
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.explain.explanation import Explanation
from spice_core.report import fragments
from spice_core.report.fragments import render_template, style_sheet


def result_page_html(explanation: Explanation, style: DisplayStyle = PLAIN) -> str:
    """Return the page as HTML: captions, scores, both graphs, tuples with the evidence for matches, and signature.

    The theme of the style is ignored: the page follows the system theme of the reader.
    """
    result, style = explanation.result, replace(style, theme="auto")
    graphs = result_networks(result, implicit_subject=style.format_text("tuples.implicit_subject"))
    parts = {
        "graphs": fragments.graphs_html(result, graphs, style),
        "legend": _legend_of_result(explanation, style),
        "tuples": fragments.tuples_html(explanation.rows, style, result.signature.lang),
    }
    css = page_css(style, "report")
    return replace_invalid_characters(
        render_template("result", style=style, css=css, result=result, captions=explanation.captions, lang=result.signature.lang, **parts)
    )


def header_and_footer(explanation: Explanation, style: DisplayStyle) -> tuple[str, str]:
    """Return the HTML above a drawing (captions with marked words, score) and the HTML below it (legend, signature)."""
    result = explanation.result
    captions = fragments.captions_html(explanation.captions, style, result.signature.lang)
    header = f'<dl class="captions">{captions}</dl>{fragments.score_html(result, style)}'
    footer = f"{_legend_of_result(explanation, style)}<small>{escape(str(result.signature))}</small>"
    return f'<div class="around">{header}</div>', f'<div class="around">{footer}</div>'


def page_css(style: DisplayStyle, *sheets: str) -> str:
    """Return the CSS of a page, with fonts, colours and the named style sheets."""
    return style.font_css + design.css_tokens(style.palette) + design.language_css() + "".join(map(style_sheet, sheets))


def _legend_of_result(explanation: Explanation, style: DisplayStyle) -> str:
    rows = explanation.rows
    return fragments.legend_html(style, states=(row.state for row in rows), has_implied=any(row.is_implied for row in rows))
