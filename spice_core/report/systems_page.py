"""Report of a comparison of systems on A4: standings, differences by category, why one of two wins, images, methods."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import NamedTuple

from spice_core.draw import design
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import plain
from spice_core.evaluation.system_questions import QUESTIONS, Question, Side
from spice_core.evaluation.systems import SystemComparison, SystemDifference
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import MIN_PAIRS, Estimate

_HERE = Path(__file__).parent
_ROW, _NAME, _WIDE = 22, 110, 680  # the chart: height of a row, width of its name, width of all


class Reason(NamedTuple):
    """Categories that decide an image, with the tuples in words that only the winner matches, and that only the other has wrong."""

    categories: str
    matched: Sequence[str]
    wrong: Sequence[str]


@dataclass(frozen=True)
class Example:
    """An image with its captions and F1 (baseline, other system), and the reasons why one of them wins."""

    image: str
    captions: tuple[str, str]
    f1: tuple[float, float]
    reasons: Sequence[Reason]


@dataclass(frozen=True)
class Comparison:
    """What the page tells: the systems, and the baseline against one other, with counts of images by category's label and question."""

    systems: SystemComparison
    other: str
    counts: Mapping[str, Mapping[Question, int]]
    wins: Mapping[Side, int]
    undecided: int
    examples: Mapping[Side, Sequence[Example]]
    lang: str = ""

    @property
    def names(self) -> dict[Side, str]:
        """The two systems."""
        return {Side.BASE: self.systems.baseline, Side.OTHER: self.other}


def report(content: Comparison, style: DisplayStyle = PLAIN) -> str:
    """The page, light and for print; no script, nothing fetched."""
    result = content.systems

    def say(key: str, **values: object) -> str:
        return escape(style.say(f"systems.{key}", **values))

    title = say("report_title", number=len(result.systems), images=result.images)
    css = style.font_css + design.css_tokens(style.palette) + (_HERE / "report.css").read_text(encoding="utf-8") + _CSS
    base, other = content.names.values()
    parts = [
        f"<h1>{title}</h1>",
        _standings(result, style),
        f"<h2>{say('pair', base=base, other=other)}</h2>",
        f"<p>{say('differences', base=base)}</p>{_chart(result, other, style)}",
        f"<h2>{say('questions')}</h2>{_counts(content, style)}",
        f"<p>{say('examples_note')}</p>",
        *(f"<h2>{say('largest', name=content.names[side])}</h2>{_examples(content, side, style)}" for side in Side),
        f"<h2>{say('categories')}</h2>{_categories(result, other, style)}",
        f"<h2>{say('methods')}</h2><p>{_methods(result, style)}</p>",
        f"<h2>{escape(style.say('score.signature'))}</h2>{_signatures(result)}",
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title><style>{css}</style>'
    return plain(
        f'<!doctype html>\n<html lang="{escape(style.lang)}">\n<head>{head}</head>\n<body><main>\n{"".join(parts)}\n</main></body>\n</html>\n'
    )


def _standings(result: SystemComparison, style: DisplayStyle) -> str:
    """F1, the difference from the baseline, p-values and record of each system."""
    rows = []
    for name in result.systems:
        d = result.differences.get(name, {}).get(OVERALL)
        against = _difference(d, style) if d else [style.say("systems.is_baseline"), "", "", ""]
        rows.append([name, _interval(result.means[name][OVERALL], style), *against])
    return _table([style.say(f"systems.{name}") for name in ("system", "f1", "difference", "p", "p_holm", "record")], rows)


def _categories(result: SystemComparison, other: str, style: DisplayStyle) -> str:
    """The same by category, each system in a group of its own, the compared one first; the baseline's means stand beside them."""
    heads = [style.say(f"systems.{name}") for name in ("category", "f1", "difference", "p", "p_holm", "record")]
    baseline = [
        [style.category(c), _interval(x, style), style.say("systems.is_baseline"), "", "", ""] for c, x in _of(result, result.baseline)
    ]
    groups = [(result.baseline, baseline)]
    for name in sorted(result.differences, key=lambda name: name != other):
        rows = [[style.category(c), _interval(x, style), *_difference(result.differences[name][c], style)] for c, x in _of(result, name)]
        groups.append((name, rows))
    body = "".join(
        f'<tbody><tr class="group"><th scope=rowgroup colspan="{len(heads)}">{escape(name)}</th></tr>{_rows(rows)}</tbody>'
        for name, rows in groups
    )
    return f'<table class="numbers">{_head(heads)}{body}</table>'


def _of(result: SystemComparison, name: str) -> list[tuple[str, Estimate]]:
    return [(c, x) for c, x in result.means[name].items() if c != OVERALL]


def _counts(content: Comparison, style: DisplayStyle) -> str:
    """The number of images behind each question of each category."""
    heads = [style.say("systems.category"), *(style.say(f"systems.{q.difference}_by", name=content.names[q.side]) for q in QUESTIONS)]
    rows = [[c, *(str(counts[q]) for q in QUESTIONS)] for c, counts in content.counts.items()]
    base, other = content.names.values()
    values = {"base": base, "other": other, "base_wins": content.wins[Side.BASE], "other_wins": content.wins[Side.OTHER]}
    note = style.say("systems.undecided_report", number=content.undecided, **values)
    return f"{_table(heads, rows, css_class='wrapped')}<p>{escape(note)}</p>"


def _examples(content: Comparison, side: Side, style: DisplayStyle) -> str:
    """The images with the largest difference on one side, with both captions and what decides them."""
    if not content.examples[side]:
        return f"<p>{escape(style.say('systems.no_example'))}</p>"
    lang, out = f' lang="{escape(content.lang)}"' if content.lang else "", []
    for each in content.examples[side]:
        lines = "".join(
            f"<dt>{escape(name)} <b>{escape(style.ratio(f1))}</b></dt><dd{lang}>{escape(caption)}</dd>"
            for name, caption, f1 in zip(content.names.values(), each.captions, each.f1)
        )
        reasons = "<br>".join(_reason(reason, content.names[side.opposite], style) for reason in each.reasons)
        change = _signed(each.f1[1] - each.f1[0], style)
        out.append(f'<li><p class="image">{escape(each.image)} <span>{change}</span></p><dl>{lines}</dl><p class="why">{reasons}</p></li>')
    return f'<ol class="examples">{"".join(out)}</ol>'


def _reason(reason: Reason, loser: str, style: DisplayStyle) -> str:
    wrong = [style.say("systems.wrong", name=loser, tuples=", ".join(reason.wrong))] if reason.wrong else []
    return f"<b>{escape(reason.categories)}</b> {escape(' · '.join(filter(None, [', '.join(reason.matched), *wrong])))}"


def _chart(result: SystemComparison, other: str, style: DisplayStyle) -> str:
    """Differences of one system from the baseline with their intervals, by category, around a line at zero."""
    found = {c: d.estimate for c, d in result.differences[other].items()}
    most = max([0.02, *(abs(end) for x in found.values() for end in x if not math.isnan(end))])
    centre, half = (_NAME + _WIDE) / 2, (_WIDE - _NAME) / 2 - 30

    def at(value: float) -> str:
        return f"{centre + value / most * half:.1f}"

    high = _ROW * len(found)
    lines = [f'<line class="zero" x1="{at(0)}" x2="{at(0)}" y1="0" y2="{high}"/>']
    for i, (category, x) in enumerate(found.items()):
        y, kind = (i + 0.5) * _ROW, design.KIND_OF.get(category, "attribute") if category != OVERALL else "ink"
        lines.append(f'<text x="0" y="{y + 4:.1f}">{escape(_cut(style.category(category)))}</text>')
        if math.isnan(x.value):
            lines.append(f'<text class="small" x="{at(0)}" y="{y + 4:.1f}" text-anchor="middle">{escape(style.ratio(x.value))}</text>')
            continue
        if not math.isnan(x.low):
            lines.append(f'<line stroke="var(--sc-{kind})" x1="{at(x.low)}" x2="{at(x.high)}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<circle fill="var(--sc-{kind})" cx="{at(x.value)}" cy="{y:.1f}" r="5"/>')
    ends = "".join(
        f'<text class="small" x="{at(end)}" y="{high + 16}" text-anchor="middle">{_signed(end, style)}</text>' for end in (-most, 0.0, most)
    )
    told = "; ".join(f"{style.category(c)} {_signed(x.value, style)} {_ends(x, style)}" for c, x in found.items())
    return f'<svg class="differences" viewBox="0 0 {_WIDE} {high + 22}" role="img" aria-label="{escape(told)}">{"".join(lines)}{ends}</svg>'


def _methods(result: SystemComparison, style: DisplayStyle) -> str:
    overall, categories = result.tests
    numbers = {"images": result.images, "resamples": f"{result.resamples:,}", "seed": result.seed, "base": result.baseline}
    text = [style.say("systems.methods_text", overall=overall, categories=categories, **numbers)]
    if result.too_few:
        text.append(style.say("systems.too_few", number=MIN_PAIRS, list=", ".join(map(style.category, result.too_few))))
    return escape(" ".join(text))


def _signatures(result: SystemComparison) -> str:
    """The settings, once where all systems have the same."""
    if len(found := dict.fromkeys(signature for each in result.signatures.values() for signature in each)) == 1:
        return f"<p><code>{escape(next(iter(found)))}</code></p>"
    return "".join(f"<p>{escape(name)} <code>{escape('; '.join(each))}</code></p>" for name, each in result.signatures.items())


def _difference(d: SystemDifference, style: DisplayStyle) -> list[str]:
    if math.isnan(d.estimate.value):
        return [style.ratio(d.p), "", "", ""]
    return [
        f"{_signed(d.estimate.value, style)} {_ends(d.estimate, style)}",
        _p_value(d.p, style),
        _p_value(d.p_holm, style),
        f"{d.wins} / {d.ties} / {d.losses}",
    ]


def _interval(x: Estimate, style: DisplayStyle) -> str:
    return f"{style.ratio(x.value)} {_ends(x, style)}".rstrip()


def _ends(x: Estimate, style: DisplayStyle) -> str:
    if math.isnan(x.low):
        return "" if math.isnan(x.value) else f"[{style.ratio(x.low)}]"
    return f"[{style.ratio(x.low)}, {style.ratio(x.high)}]"


def _p_value(p: float, style: DisplayStyle) -> str:
    return style.ratio(p) if math.isnan(p) else f"{p:.3f}"


def _signed(value: float, style: DisplayStyle) -> str:
    return f"{'+' if value > 0 else ''}{style.ratio(value)}"


def _cut(name: str, most: int = 15) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, css_class: str = "") -> str:
    return f'<table class="numbers {css_class}">{_head(heads)}<tbody>{_rows(rows)}</tbody></table>'


def _head(heads: Iterable[str]) -> str:
    return f"<thead><tr>{''.join(f'<th scope=col>{escape(head)}</th>' for head in heads)}</tr></thead>"


def _rows(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"<tr><th scope=row>{escape(row[0])}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in row[1:])}</tr>" for row in rows)


_CSS = """
:root { color-scheme: light; } html { font-size: 12px; } main { max-width: 182mm; }
.numbers th, .numbers td { padding: 3px 0 3px 8px; } .numbers tr > :first-child { padding-left: 0; } .numbers tbody th { white-space: normal; }
.numbers thead th { vertical-align: bottom; white-space: normal; } .wrapped tr > :first-child { min-width: 84px; } .wrapped thead th { font-size: 11px; } .numbers .group th { font-weight: 600; padding-top: 10px; } tbody, .examples li { break-inside: avoid; }
.differences { width: 100%; height: auto; } .differences text { font-size: 13px; fill: var(--sc-ink); } .differences .small { font-size: 11px; fill: var(--sc-muted); }
.differences line { stroke-width: 2; } .differences .zero { stroke: var(--sc-muted); stroke-width: 1; }
.examples { list-style: none; margin: 0; padding: 0; } .examples li { border-bottom: 1px solid var(--sc-line); padding: 6px 0; }
.examples dl { display: grid; grid-template-columns: minmax(90px, max-content) 1fr; gap: 0 12px; } .examples dt { color: var(--sc-muted); max-width: 50mm; overflow-wrap: anywhere; }
.examples dd { font-family: var(--sc-reading); overflow-wrap: anywhere; } .examples b { font-weight: 600; color: var(--sc-ink); font-variant-numeric: tabular-nums; }
.image { font-weight: 600; overflow-wrap: anywhere; } .image span { font-variant-numeric: tabular-nums; font-weight: 400; } .why { color: var(--sc-muted); overflow-wrap: anywhere; }
"""
