"""Templates of reports, and parts of a result as HTML for reports and notebooks: score, captions, graphs, legend and tuples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

from spice_core.draw import design
from spice_core.draw.labels import shorten_text
from spice_core.draw.layout import layout_side_by_side
from spice_core.draw.network import NETWORK_VIEWS
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import describe_view, render_graph
from spice_core.draw.texts import captions_of, kind_text, match_reason_texts, rules_of_row
from spice_core.explain.evidence import Occurrence, Span, TupleRow, tuple_text
from spice_core.metrics.result import SpiceResult
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import format_count

if TYPE_CHECKING:
    from jinja2 import Environment


def render_template(name: str, **values: object) -> str:
    """Return the template ``name``.html filled with ``values``."""
    return _jinja_environment().get_template(f"{name}.html").render(values)


def template_macro(name: str) -> Callable[..., str]:
    """Return a macro of parts.html as a function whose result is not escaped again."""
    function: Callable[..., str] = getattr(_jinja_environment().get_template("parts.html").module, name)
    return function


@cache
def style_sheet(name: str) -> str:
    """Return the text of the style sheet ``name``.css."""
    return (Path(__file__).with_name("templates") / f"{name}.css").read_text(encoding="utf-8")


@cache
def _jinja_environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # scoring needs no templates

    environment = Environment(
        loader=PackageLoader("spice_core.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"count_text": format_count, "say": lambda key, style: style.format_text(key)}
    return environment


_NARROW_PX = 660  # maximum width of a layout for graphs side by side
_MAX_DESCRIPTION_CHARS = 20_000


class LegendEntry(NamedTuple):
    """An entry of the legend: the CSS classes, the mark and the key of its text."""

    css_classes: tuple[str, ...]
    mark: str
    text_key: str


def score_html(result: SpiceResult, style: DisplayStyle) -> str:
    """Return F1, precision, recall and the numbers of matched tuples as HTML."""
    return template_macro("score")(result, style)


def captions_html(spans: Sequence[Iterable[Span]], style: DisplayStyle, lang: str) -> str:
    """Return the captions as HTML, the candidate first, with the words of tuples marked.

    ``lang`` is the language of the captions.
    """
    return template_macro("captions")(spans, style, lang)


def graphs_html(result: SpiceResult, networks: tuple[nx.DiGraph, nx.DiGraph], style: DisplayStyle, *, prefix: str = "") -> str:
    """Return the networks of candidate and references as HTML, side by side or, if wide, stacked.

    ``prefix`` makes ids unique on a page.
    """
    *graphs, places = layout_side_by_side(*networks)
    style, is_wide = replace(style, font_css=""), places.width > _NARROW_PX

    def make_figure(graph: nx.DiGraph, view: str) -> tuple[str, str]:
        description = shorten_text(describe_view(result, view, style), _MAX_DESCRIPTION_CHARS)
        lang, name, crop = result.signature.lang, f"{prefix}{view}", "height" if is_wide else ""
        picture = render_graph(graph, places, style, view=view, description=description, name=name, lang=lang, cropped_sides=crop)
        return style.format_text(f"graphs.{view}"), picture

    return template_macro("graphs")([*map(make_figure, graphs, NETWORK_VIEWS)], is_wide)


def legend_html(style: DisplayStyle, *, states: Iterable[MatchState], has_implied: bool, prefix: str = "") -> str:
    """Return the legend of shapes, borders and marks as HTML.

    Args:
        style: Language and texts.
        states: Match states that occur. States of specific schemes are explained only if they occur.
        has_implied: Whether implied attributes occur.
        prefix: Prefix of each CSS class.
    """
    entries = [LegendEntry((kind,), "", kind) for kind in design.TUPLE_KINDS]
    if has_implied:
        entries.append(LegendEntry(("attribute", "implied"), "", "implied_help"))
    entries += [LegendEntry((state,), design.MARK_BY_STATE[state], state) for state in design.legend_states(states)]
    return template_macro("legend")(entries, style, prefix=prefix)


def tuples_html(rows: Sequence[TupleRow], style: DisplayStyle, lang: str) -> str:
    """Return the rows of an explanation as an HTML table, with words in the language ``lang``."""
    return template_macro("tuples")([_row_cells(row, style) for row in rows], style, lang)


def _row_cells(row: TupleRow, style: DisplayStyle) -> dict[str, object]:
    return {
        "state": row.state,
        "mark": design.MARK_BY_STATE[row.state],
        "kind": row.kind,
        "text": tuple_text(row.parts, implicit_subject=style.format_text("tuples.implicit_subject")),
        "kinds": ", ".join([kind_text(row, style), *(style.category_label(name) for name in row.categories)]),
        "reasons": list(match_reason_texts(row, style)),
        "in_candidate": list(captions_of(row.in_candidate)),
        "in_references": _number_sources(row.in_references),
        "rules": rules_of_row(row),
    }


def _number_sources(sources: Sequence[Occurrence]) -> list[tuple[str, str]]:
    """Return the words of a tuple in each caption, with the caption numbers."""
    return [(words, ", ".join(str(i + 1) for i in captions)) for words, captions in captions_of(sources).items()]
