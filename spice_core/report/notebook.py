"""Display of a result or an explanation in a notebook, as HTML without scripts or external resources.

The styles of the HTML do not affect the notebook, and the notebook's styles do not affect the HTML. If a viewer removes all styles, the
result is visible as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from itertools import islice
from typing import Any

from spice_core.data.graph_parts import replace_invalid_characters
from spice_core.draw import design
from spice_core.draw.network import limit_nodes, result_networks
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.explain.evidence import Span, caption_spans
from spice_core.explain.explanation import Explanation
from spice_core.metrics.result import SpiceResult
from spice_core.report import fragments
from spice_core.report.fragments import style_sheet

_MAX_NODES, _MAX_REFERENCES, _MAX_ROWS, _MAX_CAPTION_CHARS = 60, 10, 100, 1_500  # limits of a graph, a result, the table and a caption


@dataclass(frozen=True)
class StyledResult:
    """A result or an explanation with display settings."""

    value: SpiceResult | Explanation
    style: DisplayStyle

    def _repr_html_(self) -> str:
        return notebook_html(self.value, self.style)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        self.value._repr_pretty_(printer, cycle)


def show(
    value: SpiceResult | Explanation, *, lang: str = PLAIN.lang, percent: bool = False, palette: str = design.DEFAULT_PALETTE
) -> StyledResult:
    """Return an object that notebooks display in another language, in percent, or in the papers' colours (``palette="paper"``)."""
    return StyledResult(value, DisplayStyle(lang=lang, percent=percent, palette=palette))


def notebook_html(value: SpiceResult | Explanation, style: DisplayStyle = PLAIN) -> str:
    """Return the HTML of a result: score, captions with marked words, graphs and signature.

    The HTML of an explanation also has the tuples with reasons.

    Long captions end with an ellipsis. Notes tell how many references, nodes and tuples are not shown. The theme of the style is ignored:
    the HTML follows the theme of the notebook or of the reader's system.
    """
    result = value.result if isinstance(value, Explanation) else value
    style = replace(style, theme="auto", font_css="")
    tokens = design.css_tokens(style.palette).removeprefix(":root {").removesuffix("}")
    parts, text = "".join(_html_parts(value, result, style)), str(result)
    text = text if len(text) <= 2 * _MAX_CAPTION_CHARS else text[: 2 * _MAX_CAPTION_CHARS] + "…"
    lang = escape(style.lang)
    page = (
        f"<style>{style_sheet('notebook').replace('%% tokens %%', tokens)}</style>"
        f'<pre class="spice-core-text">{escape(text)}</pre>'
        f'<div class="spice-core" lang="{lang}" hidden style="display:none">{parts}</div>'
    )
    return replace_invalid_characters(page)


def _html_parts(value: SpiceResult | Explanation, result: SpiceResult, style: DisplayStyle) -> Iterator[str]:
    lang, signature = result.signature.lang, str(result.signature)
    yield f'<div class="top">{fragments.score_html(result, style)}{_category_scores(result, style)}</div>'
    captions = caption_spans(result)[: _MAX_REFERENCES + 1]
    yield f'<dl class="captions">{fragments.captions_html([list(_truncate_spans(line)) for line in captions], style, lang)}</dl>'
    yield _more_note("notebook.more_references", len(result.references) - _MAX_REFERENCES, style)
    networks = result_networks(result, implicit_subject=style.format_text("tuples.implicit_subject"))
    candidate, references = (limit_nodes(graph, _MAX_NODES) for graph in networks)
    tuples = (*result.candidate_tuples, *result.reference_tuples)
    name = sha256("|".join((signature, *(p.caption for p in (result.candidate, *result.references)))).encode("utf-8", "replace"))
    yield fragments.graphs_html(result, (candidate, references), style, prefix=f"spice-{name.hexdigest()[:8]}-")
    yield _more_note("notebook.more_nodes", sum(map(len, networks)) - len(candidate) - len(references), style)
    yield fragments.legend_html(style, states=map(result.state, tuples), has_implied=any(t.is_implied for t in tuples))
    if isinstance(value, Explanation):
        yield fragments.tuples_html(value.rows[:_MAX_ROWS], style, lang)
        yield _more_note("notebook.more_tuples", len(value.rows) - _MAX_ROWS, style)
    yield f'<p class="signature"><code>{escape(signature)}</code></p>'


def _category_scores(result: SpiceResult, style: DisplayStyle) -> str:
    """Return the F1 of the first twelve categories with reference tuples, as HTML."""
    scores = [(name, score.f1) for name, score in islice(result.scores.items(), 1, 13) if score.defined]
    pairs = (f"<span>{escape(style.category_label(name))} <b>{escape(style.format_ratio(f1))}</b></span>" for name, f1 in scores)
    return f'<p class="by-category">{" ".join(pairs)}</p>'


def _more_note(key: str, count: int, style: DisplayStyle) -> str:
    return f"<p>{escape(style.format_text(key, number=count))}</p>" if count > 0 else ""


def _truncate_spans(line: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of a caption, truncated with an ellipsis."""
    remaining_chars = _MAX_CAPTION_CHARS
    for span in line:
        if len(span.text) > remaining_chars:
            yield span._replace(text=span.text[:remaining_chars] + "…")
            return
        yield span
        remaining_chars -= len(span.text)
