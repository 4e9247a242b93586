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
from spice_core.scene.matching import MatchState

_HERE = Path(__file__).parent


def report(explanation: Explanation, style: DisplayStyle = PLAIN) -> str:
    """The page: captions with marked words, scores, both graphs, tuples with the evidence for their matches, signature.

    The page follows the reader's system theme, whatever the style's.
    """
    result, style, rows = explanation.result, replace(style, theme="auto"), explanation.rows
    both = networks(result, implicit_subject=style.say("tuples.implicit_subject"))
    partial, implied = any(row.state is MatchState.PARTIAL for row in rows), any(row.implied for row in rows)
    parts = {
        "lang": escape(style.lang),
        "title": fragments.said(style, "report.title"),
        "style": style.font_css + design.css_tokens(style.palette) + _file("report.css"),
        "score": fragments.score(result, style),
        "captions": fragments.captions(explanation.captions, style, result.signature.lang),
        "categories": fragments.categories(result, style),
        "graphs": fragments.graphs(result, both, style),
        "legend": fragments.legend(style, partial=partial, implied=implied),
        "tuples": fragments.tuples(rows, style, result.signature.lang),
        "signature": escape(str(result.signature)),
    }
    headings = ("report.captions", "categories.title", "graphs.title", "tuples.title", "score.signature")
    parts |= {name: fragments.said(style, name) for name in headings}
    return plain(re.sub(r"%% ([\w.]+) %%", lambda found: parts[found[1]], _file("report.html")))


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
