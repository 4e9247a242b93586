"""Report of a result as one self-contained page: no script, nothing fetched."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path

from spice_core.draw import design
from spice_core.draw.network import networks
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import plain
from spice_core.explain.explanation import Explanation
from spice_core.report import fragments

_HERE = Path(__file__).parent


def report(explanation: Explanation, style: DisplayStyle = PLAIN) -> str:
    """The page: captions with marked words, scores, both graphs, tuples with the evidence for their matches, signature.

    The page follows the reader's system theme, whatever the style's.
    """
    result, style, rows = explanation.result, replace(style, theme="auto"), explanation.rows
    both = networks(result, implicit_subject=style.say("tuples.implicit_subject"))
    parts = {
        "lang": escape(style.lang),
        "title": fragments.said(style, "report.title"),
        "style": style.font_css + design.css_tokens(style.palette) + _file("report.css"),
        "score": fragments.score(result, style),
        "captions": fragments.captions(explanation.captions, style, result.signature.lang),
        "categories": fragments.categories(result, style),
        "graphs": fragments.graphs(result, both, style),
        "legend": _legend(explanation, style),
        "tuples": fragments.tuples(rows, style, result.signature.lang),
        "signature": escape(str(result.signature)),
    }
    headings = ("report.captions", "categories.title", "graphs.title", "tuples.title", "score.signature")
    parts |= {name: fragments.said(style, name) for name in headings}
    return plain(re.sub(r"%% ([\w.]+) %%", lambda found: parts[found[1]], _file("report.html")))


def around(explanation: Explanation, style: DisplayStyle) -> tuple[str, str]:
    """What stands above a drawing of a result, captions with marked words and the score; and below it, the legend and the signature."""
    lang = explanation.result.signature.lang
    captions = f'<dl class="captions">{fragments.captions(explanation.captions, style, lang)}</dl>'
    signature = f"<small>{escape(str(explanation.result.signature))}</small>"
    above, below = captions + fragments.score(explanation.result, style), _legend(explanation, style) + signature
    return f'<div class="around">{above}</div>', f'<div class="around">{below}</div>'


def css() -> str:
    """The styles of the report."""
    return _file("report.css")


def _legend(explanation: Explanation, style: DisplayStyle) -> str:
    rows = explanation.rows
    return fragments.legend(style, states=(row.state for row in rows), implied=any(row.implied for row in rows))


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
