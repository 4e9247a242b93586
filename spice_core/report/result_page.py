"""Report of a result as one self-contained page: no script, nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path

from spice_core.draw import design
from spice_core.draw.layout import layout
from spice_core.draw.network import networks
from spice_core.draw.svg import described, drawn
from spice_core.draw.texts import ENGLISH, WORDS, Texts, Words, captions_of, category, counted, kind, plain, ratio, rules, say, why
from spice_core.explain.evidence import Occurrence, Span, TupleRow, text
from spice_core.explain.explanation import Explanation
from spice_core.metrics.result import SpiceResult
from spice_core.scene.matching import MatchState

_HERE = Path(__file__).parent
_NARROW = 660  # layouts up to this width are placed side by side


def report(
    explanation: Explanation,
    *,
    texts: Texts = ENGLISH,
    words: Words = WORDS,
    font_css: str = "",
    lang: str = "en",
    paper: bool = False,
    scale: int = 1,
) -> str:
    """The page: captions with marked words, scores, both graphs, tuples with the evidence for their matches, signature.

    ``texts`` and ``words`` are the page's texts, in the language ``lang``.
    ``font_css`` may hold ``@font-face`` rules with embedded fonts. The page follows the reader's system theme.
    """
    result = explanation.result
    parts = {
        "lang": escape(lang),
        "title": _said(texts, "report.title"),
        "style": font_css + design.css_tokens(paper=paper) + _file("report.css"),
        "score": _score(result, texts, scale),
        "captions": _captions(explanation, texts),
        "categories": _categories(result, texts, scale),
        "graphs": _graphs(result, words, say(texts, "tuples.understood"), paper=paper),
        "legend": _legend(explanation.rows, texts),
        "tuples": _tuples(explanation.rows, texts, result.signature.lang),
        "signature": escape(str(result.signature)),
    }
    parts |= {
        name: _said(texts, name) for name in ("report.captions", "categories.title", "graphs.title", "tuples.title", "score.signature")
    }
    return plain(re.sub(r"%% ([\w.]+) %%", lambda found: parts[found[1]], _file("report.html")))


def _said(texts: Texts, key: str, **values: object) -> str:
    return escape(say(texts, key, **values))


def _score(result: SpiceResult, texts: Texts, scale: int) -> str:
    overall, number = result.overall, counted(result.overall.matched)
    found = _said(texts, "score.found", matched=number, total=overall.candidate)
    covered = _said(texts, "score.covered", matched=number, total=overall.reference)
    values = {"f1": result.f1, "precision": result.precision, "recall": result.recall}
    undefined = say(texts, "categories.undefined")
    pairs = "".join(
        f"<div><dt>{_said(texts, f'score.{name}')}</dt><dd>{escape(ratio(value, undefined, scale=scale))}</dd></div>"
        for name, value in values.items()
    )
    return f'<dl class="score">{pairs}</dl><p>{found} · {covered}</p>'


def _captions(explanation: Explanation, texts: Texts) -> str:
    """Each caption, with the words of tuples marked."""
    result, names = explanation.result, [say(texts, "captions.candidate")]
    names += [say(texts, "captions.reference", number=number) for number in range(1, len(result.references) + 1)]
    lang = escape(result.signature.lang)
    lines = zip(names, explanation.captions)
    return "".join(
        f'<div><dt>{escape(name)}</dt><dd lang="{lang}">{"".join(_span(s, texts) for s in line)}</dd></div>' for name, line in lines
    )


def _span(span: Span, texts: Texts) -> str:
    if not span.kind:
        return escape(span.text)
    title = f"{_said(texts, f'legend.{span.kind}')}, {_said(texts, f'legend.{span.state}')}"
    return f'<mark class="{span.kind} {span.state}" title="{title}">{escape(span.text)}</mark>'


def _categories(result: SpiceResult, texts: Texts, scale: int) -> str:
    heads = ("report.category", "categories.f1", "score.precision", "score.recall")
    heads += ("categories.matched", "categories.candidate", "categories.references")
    lines, undefined = [], say(texts, "categories.undefined")
    for name, score in result.scores.items():
        ratios = [ratio(value, undefined, scale=scale) for value in (score.f1, score.precision, score.recall)]
        cells = [*ratios, counted(score.matched), str(score.candidate), str(score.reference)]
        lines.append(f"<tr><th scope=row>{escape(category(texts, name))}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    return _table("numbers", (say(texts, key) for key in heads), lines)


def _graphs(result: SpiceResult, words: Words, understood: str, *, paper: bool) -> str:
    """Both graphs in the same layout: side by side, or one below the other if they are wide."""
    graphs = networks(result, understood=understood)
    places = layout(*graphs)
    figures = []
    for side, view in enumerate(("candidate", "references")):
        style = {"theme": "auto", "paper": paper, "words": words, "name": view, "lang": result.signature.lang}
        style |= {"cut": "height" if places.width > _NARROW else "", "told": described(result, view, words, understood)}
        picture = drawn(graphs, places, view=view, **style)
        title, note = escape(words.titles[side]), escape(words.notes[side])
        figures.append(f"<figure><figcaption>{title} <span>{note}</span></figcaption>{picture}</figure>")
    return f'<div class="graphs{" wide" if places.width > _NARROW else ""}">{"".join(figures)}</div>'


def _legend(rows: Sequence[TupleRow], texts: Texts) -> str:
    """The legend of shapes, borders and marks."""
    partial = any(row.state is MatchState.PARTIAL for row in rows)
    keys = [(kind, "", kind) for kind in design.KINDS] + [
        (s, design.MARKS[s], s) for s in MatchState if s is not MatchState.PARTIAL or partial
    ]
    if any(row.implied for row in rows):
        keys.insert(len(design.KINDS), ("attribute implied", "", "implied_help"))
    items = "".join(f'<li><i class="key {look_}">{mark}</i>{_said(texts, f"legend.{name}")}</li>' for look_, mark, name in keys)
    return f'<ul class="legend">{items}<li>{_said(texts, "legend.badge")}</li></ul>'


def _tuples(rows: Sequence[TupleRow], texts: Texts, lang: str) -> str:
    if not rows:
        return f"<p>{_said(texts, 'tuples.nothing')}</p>"
    heads = ("tuple", "match", "in_candidate", "in_references", "rule")
    return _table("tuples", (say(texts, f"tuples.{name}") for name in heads), [_row(row, texts, lang) for row in rows])


def _row(row: TupleRow, texts: Texts, lang: str) -> str:
    kinds = ", ".join([kind(row, texts), *(category(texts, name) for name in row.categories)])
    mark = f'<i class="key {row.state}" title="{_said(texts, f"legend.{row.state}")}">{design.MARKS[row.state]}</i>'
    name = f'<b class="{row.kind}" lang="{escape(lang)}">{escape(text(row.parts, understood=say(texts, "tuples.understood")))}</b>'
    cells = [f'<div class="what">{mark}<div>{name}<small>{escape(kinds)}</small></div></div>', "<br>".join(map(escape, why(row, texts)))]
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
