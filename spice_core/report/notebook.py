"""A result or an explanation in a notebook: one piece of HTML that brings its styles, runs no script and fetches nothing.

The styles apply within the piece alone, and those of the notebook end at its border. Where a reader of notebooks removes all
styles, the result as text is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from itertools import islice
from typing import Any

from spice_core.draw import design
from spice_core.draw.network import networks, within
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import plain
from spice_core.explain.evidence import Span, spans
from spice_core.explain.explanation import Explanation
from spice_core.metrics.result import SpiceResult
from spice_core.report import fragments
from spice_core.report.templates import style_sheet

_NODES, _REFERENCES, _ROWS, _CHARACTERS = 60, 10, 100, 1_500  # of a graph, shown, of the table, of one caption


@dataclass(frozen=True)
class Shown:
    """A result or an explanation with the style of its display."""

    value: SpiceResult | Explanation
    style: DisplayStyle

    def _repr_html_(self) -> str:
        return display(self.value, self.style)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        self.value._repr_pretty_(printer, cycle)


def show(value: SpiceResult | Explanation, *, lang: str = PLAIN.lang, percent: bool = False, palette: str = design.DEFAULT) -> Shown:
    """A display in another language, in percent, or in the colours of the papers (``palette="paper"``)."""
    return Shown(value, DisplayStyle(lang=lang, percent=percent, palette=palette))


def display(value: SpiceResult | Explanation, style: DisplayStyle = PLAIN) -> str:
    """The HTML: score, captions with marked words, both graphs and the signature; of an explanation also the tuples with reasons.

    Of long captions, many references and large graphs the beginning is shown, and how much is not. The theme is the notebook's,
    or else the reader's, whatever the style's.
    """
    result = value.result if isinstance(value, Explanation) else value
    style = replace(style, theme="auto", font_css="")
    tokens = design.css_tokens(style.palette).removeprefix(":root {").removesuffix("}")
    parts = "".join(_parts(value, result, style))
    lang = escape(style.lang)
    page = (
        f"<style>{style_sheet('notebook').replace('%% tokens %%', tokens)}</style>"
        f'<pre class="spice-core-text">{escape(_cut_text(str(result)))}</pre>'
        f'<div class="spice-core" lang="{lang}" hidden style="display:none">{parts}</div>'
    )
    return plain(page)


def _parts(value: SpiceResult | Explanation, result: SpiceResult, style: DisplayStyle) -> Iterator[str]:
    lang, signature = result.signature.lang, str(result.signature)
    yield f'<div class="top">{fragments.score(result, style)}{_by_category(result, style)}</div>'
    captions = spans(result)[: _REFERENCES + 1]
    yield f'<dl class="captions">{fragments.captions([list(_cut(line)) for line in captions], style, lang)}</dl>'
    yield _more("notebook.more_references", len(result.references) - _REFERENCES, style)
    whole = networks(result, implicit_subject=style.say("tuples.implicit_subject"))
    candidate, references = (within(graph, _NODES) for graph in whole)
    tuples = (*result.candidate_tuples, *result.reference_tuples)
    name = sha256("|".join((signature, *(p.caption for p in (result.candidate, *result.references)))).encode("utf-8", "replace"))
    yield fragments.graphs(result, (candidate, references), style, prefix=f"spice-{name.hexdigest()[:8]}-")
    yield _more("notebook.more_nodes", sum(map(len, whole)) - len(candidate) - len(references), style)
    yield fragments.legend(style, states=map(result.state, tuples), implied=any(t.implied for t in tuples))
    if isinstance(value, Explanation):
        yield fragments.tuples(value.rows[:_ROWS], style, lang)
        yield _more("notebook.more_tuples", len(value.rows) - _ROWS, style)
    yield f'<p class="signature"><code>{escape(signature)}</code></p>'


def _by_category(result: SpiceResult, style: DisplayStyle) -> str:
    """F1 of each category that is defined, in one line."""
    found = [(name, score.f1) for name, score in islice(result.scores.items(), 1, 13) if score.defined]
    pairs = (f"<span>{escape(style.category(name))} <b>{escape(style.ratio(f1))}</b></span>" for name, f1 in found)
    return f'<p class="by-category">{" ".join(pairs)}</p>'


def _more(key: str, number: int, style: DisplayStyle) -> str:
    return f"<p>{escape(style.say(key, number=number))}</p>" if number > 0 else ""


def _cut(line: Sequence[Span]) -> Iterator[Span]:
    """The spans of a caption up to a number of characters, then an ellipsis."""
    left = _CHARACTERS
    for span in line:
        if len(span.text) > left:
            yield span._replace(text=span.text[:left] + "…")
            return
        yield span
        left -= len(span.text)


def _cut_text(text: str) -> str:
    return text if len(text) <= 2 * _CHARACTERS else text[: 2 * _CHARACTERS] + "…"
