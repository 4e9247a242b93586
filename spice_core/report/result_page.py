"""Report of a result as one self-contained page: no script, nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path

from spice_core.draw import design
from spice_core.draw.network import networks
from spice_core.draw.sides import beside
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.svg import VIEWS, described, drawn
from spice_core.draw.texts import captions_of, kind, plain, rules, why
from spice_core.explain.evidence import Occurrence, Span, TupleRow, text
from spice_core.explain.explanation import Explanation
from spice_core.lang import language
from spice_core.metrics.result import SpiceResult
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import counted

_HERE = Path(__file__).parent
_NARROW = 660  # layouts up to this width are placed side by side


def report(explanation: Explanation, style: DisplayStyle = PLAIN) -> str:
    """The page: captions with marked words, scores, both graphs, tuples with the evidence for their matches, signature.

    The page follows the reader's system theme, whatever the style's.
    """
    result, style = explanation.result, replace(style, theme="auto")
    parts = {
        "lang": escape(style.lang),
        "title": _text(style, "report.title"),
        "style": style.font_css + design.css_tokens(style.palette) + _file("report.css"),
        "score": _score(result, style),
        "captions": _captions(explanation, style),
        "categories": _categories(result, style),
        "graphs": _graphs(result, style),
        "legend": _legend(explanation.rows, style),
        "tuples": _tuples(explanation.rows, style, result.signature.lang),
        "signature": escape(str(result.signature)),
    }
    headings = ("report.captions", "categories.title", "graphs.title", "tuples.title", "score.signature")
    parts |= {name: _text(style, name) for name in headings}
    return plain(re.sub(r"%% ([\w.]+) %%", lambda found: parts[found[1]], _file("report.html")))


def _text(style: DisplayStyle, key: str, **values: object) -> str:
    return escape(style.say(key, **values))


def _score(result: SpiceResult, style: DisplayStyle) -> str:
    overall, number = result.overall, counted(result.overall.matched)
    found = _text(style, "score.found", matched=number, total=overall.candidate)
    covered = _text(style, "score.covered", matched=number, total=overall.reference)
    values = {"f1": result.f1, "precision": result.precision, "recall": result.recall}
    metric = language(result.signature.lang).metric_name
    pairs = "".join(
        f"<div><dt>{_text(style, f'score.{name}', metric=metric)}</dt><dd>{escape(style.ratio(value))}</dd></div>"
        for name, value in values.items()
    )
    return f'<dl class="score">{pairs}</dl><p>{found} · {covered}</p>'


def _captions(explanation: Explanation, style: DisplayStyle) -> str:
    """Each caption, with the words of tuples marked."""
    result, names = explanation.result, [style.say("captions.candidate")]
    names += [style.say("captions.reference", number=number) for number in range(1, len(result.references) + 1)]
    lang = escape(result.signature.lang)
    lines = zip(names, explanation.captions)
    return "".join(
        f'<div><dt>{escape(name)}</dt><dd lang="{lang}">{"".join(_span(s, style) for s in line)}</dd></div>' for name, line in lines
    )


def _span(span: Span, style: DisplayStyle) -> str:
    if not span.kind:
        return escape(span.text)
    title = f"{_text(style, f'legend.{span.kind}')}, {_text(style, f'legend.{span.state}')}"
    return f'<mark class="{span.kind} {span.state}" title="{title}">{escape(span.text)}</mark>'


def _categories(result: SpiceResult, style: DisplayStyle) -> str:
    heads = ("report.category", "categories.f1", "score.precision", "score.recall")
    counts = ("categories.matched", "categories.candidate", "categories.references")
    lines = []
    for name, score in result.scores.items():
        ratios = [style.ratio(value) for value in (score.f1, score.precision, score.recall)]
        cells = [*ratios, counted(score.matched), str(score.candidate), str(score.reference)]
        lines.append(f"<tr><th scope=row>{escape(style.category(name))}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    return _table("numbers", (style.say(key) for key in (*heads, *counts)), lines)


def _graphs(result: SpiceResult, style: DisplayStyle) -> str:
    """Both graphs side by side, or one below the other if they are wide."""
    *graphs, places = beside(*networks(result, implicit_subject=style.say("tuples.implicit_subject")))
    style = replace(style, font_css="")
    wide, figures = places.width > _NARROW, []
    for view in VIEWS[:2]:
        description, cut = described(result, view, style), "height" if wide else ""
        picture = drawn(
            (graphs[0], graphs[1]), places, style, view=view, description=description, name=view, lang=result.signature.lang, cut=cut
        )
        figures.append(f"<figure><figcaption>{_text(style, f'graphs.{view}')}</figcaption>{picture}</figure>")
    return f'<div class="graphs{" wide" if wide else ""}">{"".join(figures)}</div>'


def _legend(rows: Sequence[TupleRow], style: DisplayStyle) -> str:
    """The legend of shapes, borders and marks."""
    partial = any(row.state is MatchState.PARTIAL for row in rows)
    keys = [(kind, "", kind) for kind in design.KINDS] + [
        (s, design.MARKS[s], s) for s in MatchState if s is not MatchState.PARTIAL or partial
    ]
    if any(row.implied for row in rows):
        keys.insert(len(design.KINDS), ("attribute implied", "", "implied_help"))
    items = "".join(f'<li><i class="key {look_}">{mark}</i>{_text(style, f"legend.{name}")}</li>' for look_, mark, name in keys)
    return f'<ul class="legend">{items}<li>{_text(style, "legend.badge")}</li></ul>'


def _tuples(rows: Sequence[TupleRow], style: DisplayStyle, lang: str) -> str:
    if not rows:
        return f"<p>{_text(style, 'tuples.nothing')}</p>"
    heads = ("tuple", "match", "in_candidate", "in_references", "rule")
    return _table("tuples", (style.say(f"tuples.{name}") for name in heads), [_row(row, style, lang) for row in rows])


def _row(row: TupleRow, style: DisplayStyle, lang: str) -> str:
    kinds = ", ".join([kind(row, style), *(style.category(name) for name in row.categories)])
    mark = f'<i class="key {row.state}" title="{_text(style, f"legend.{row.state}")}">{design.MARKS[row.state]}</i>'
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


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
