"""The parts of a result as HTML, for the report and for notebooks: score, captions, categories, graphs, legend, tuples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import networkx as nx

from spice_core.draw import design
from spice_core.draw.labels import shortened
from spice_core.draw.sides import beside
from spice_core.draw.style import DisplayStyle
from spice_core.draw.svg import VIEWS, described, drawn
from spice_core.draw.texts import captions_of, kind, rules, why
from spice_core.explain.evidence import Occurrence, Span, TupleRow, text
from spice_core.metrics.result import SpiceResult
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import counted

_NARROW = 660  # layouts up to this width are placed side by side
_DESCRIBED = 20_000  # characters of a graph in words


def said(style: DisplayStyle, key: str, **values: object) -> str:
    """The text of this key, escaped."""
    return escape(style.say(key, **values))


def score(result: SpiceResult, style: DisplayStyle) -> str:
    """F1, precision and recall, and how many tuples matched."""
    overall, number = result.overall, counted(result.overall.matched)
    found = said(style, "score.found", matched=number, total=overall.candidate)
    covered = said(style, "score.covered", matched=counted(overall.recalled), total=overall.reference)
    values = {"f1": result.f1, "precision": result.precision, "recall": result.recall}
    metric = result.metric_name
    pairs = "".join(
        f"<div><dt>{said(style, f'score.{name}', metric=metric)}</dt><dd>{escape(style.ratio(value))}</dd></div>"
        for name, value in values.items()
    )
    return f'<dl class="score">{pairs}</dl><p>{found} · {covered}</p>'


def captions(spans: Sequence[Iterable[Span]], style: DisplayStyle, lang: str) -> str:
    """Each caption, the candidate first, with the words of tuples marked; the captions are in ``lang``."""
    names = [style.say("captions.candidate")]
    names += [style.say("captions.reference", number=number) for number in range(1, len(spans))]
    lang = escape(lang)
    lines = zip(names, spans)
    return "".join(
        f'<div><dt>{escape(name)}</dt><dd lang="{lang}">{"".join(_span(s, style) for s in line)}</dd></div>' for name, line in lines
    )


def _span(span: Span, style: DisplayStyle) -> str:
    if not span.kind:
        return escape(span.text)
    title = f"{said(style, f'legend.{span.kind}')}, {said(style, f'legend.{span.state}')}"
    return f'<mark class="{span.kind} {span.state}" title="{title}">{escape(span.text)}</mark>'


def categories(result: SpiceResult, style: DisplayStyle) -> str:
    """Ratios and counts of every category, as a table."""
    heads = ("report.category", "categories.f1", "score.precision", "score.recall")
    counts = ("categories.matched", "categories.candidate", "categories.references")
    lines = []
    for name, score in result.scores.items():
        ratios = [style.ratio(value) for value in (score.f1, score.precision, score.recall)]
        cells = [*ratios, counted(score.matched), str(score.candidate), str(score.reference)]
        lines.append(f"<tr><th scope=row>{escape(style.category(name))}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    return _table("numbers", (style.say(key) for key in (*heads, *counts)), lines)


def graphs(result: SpiceResult, both: tuple[nx.DiGraph, nx.DiGraph], style: DisplayStyle, *, prefix: str = "") -> str:
    """Both networks of a result side by side, or one below the other if they are wide; ``prefix`` makes ids unique on a page."""
    candidate, references, places = beside(*both)
    style = replace(style, font_css="")
    wide, figures = places.width > _NARROW, []
    for view in VIEWS[:2]:
        about: dict[str, Any] = {
            "description": shortened(described(result, view, style), _DESCRIBED),
            "lang": result.signature.lang,
            "name": f"{prefix}{view}",
        }
        cut = "height" if wide else ""
        picture = drawn((candidate, references), places, style, view=view, cut=cut, **about)
        figures.append(f"<figure><figcaption>{said(style, f'graphs.{view}')}</figcaption>{picture}</figure>")
    return f'<div class="graphs{" wide" if wide else ""}">{"".join(figures)}</div>'


def legend(style: DisplayStyle, *, states: Iterable[MatchState], implied: bool) -> str:
    """The legend of shapes, borders and marks, with those states of some schemes and the action attributes that are there."""
    keys = [(kind, "", kind) for kind in design.KINDS] + [(s, design.MARKS[s], s) for s in design.legend_states(states)]
    if implied:
        keys.insert(len(design.KINDS), ("attribute implied", "", "implied_help"))
    items = "".join(f'<li><i class="key {look_}">{mark}</i>{said(style, f"legend.{name}")}</li>' for look_, mark, name in keys)
    return f'<ul class="legend">{items}<li>{said(style, "legend.badge")}</li></ul>'


def tuples(rows: Sequence[TupleRow], style: DisplayStyle, lang: str) -> str:
    """The rows of an explanation, whose words are in ``lang``, as a table."""
    if not rows:
        return f"<p>{said(style, 'tuples.nothing')}</p>"
    heads = ("tuple", "match", "in_candidate", "in_references", "rule")
    return _table("tuples", (style.say(f"tuples.{name}") for name in heads), [_row(row, style, lang) for row in rows])


def _row(row: TupleRow, style: DisplayStyle, lang: str) -> str:
    kinds = ", ".join([kind(row, style), *(style.category(name) for name in row.categories)])
    mark = f'<i class="key {row.state}" title="{said(style, f"legend.{row.state}")}">{design.MARKS[row.state]}</i>'
    name = (
        f'<b class="{row.kind}" lang="{escape(lang)}">{escape(text(row.parts, implicit_subject=style.say("tuples.implicit_subject")))}</b>'
    )
    cells = [f'<div class="what">{mark}<div>{name}<small>{escape(kinds)}</small></div></div>', "<br>".join(map(escape, why(row, style)))]
    cells += [_words(row.in_candidate, numbered=False), _words(row.in_references, numbered=True)]
    cells.append(", ".join(f"<code>{escape(rule)}</code>" for rule in rules(row)))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _words(sources: Sequence[Occurrence], *, numbered: bool) -> str:
    found = captions_of(sources).items()
    captions = {words: ", ".join(str(i + 1) for i in where) for words, where in found}
    return "<br>".join(f"<small>{captions[w]}</small> {escape(w)}" if numbered else escape(w) for w in captions) or "–"


def _table(name: str, heads: Iterable[str], lines: Iterable[str]) -> str:
    head = "".join(f"<th scope=col>{escape(text_)}</th>" for text_ in heads)
    return f'<div class="scroll"><table class="{name}"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
