"""Report of a scored data set as one self-contained page: means, distribution, categories, frequent errors, worst captions."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType

from spice_core.draw import design
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.stats.bootstrap import Estimate

_HERE = Path(__file__).parent
_LEFT, _WIDE, _ROW, _CUT = 150, 400, 26, 18  # place and length of a bar, its height with the space, characters of its name


@dataclass(frozen=True)
class Summary:
    """What the page tells: figures, groups with their numbers of images, captions with references and F1.

    ``notes`` are images with their candidate, the cause that someone gave and their note; ``pareto`` are causes of unmatched tuples, the
    most frequent first, with the numbers of tuples decided by people and only suggested.
    """

    name: str
    images: int
    means: Mapping[str, Estimate]
    categories: Mapping[str, Estimate]
    histogram: Sequence[int]
    frequent: Mapping[str, Sequence[tuple[str, int]]]
    worst: Sequence[tuple[str, str, Sequence[str], float]]
    signature: str
    causes: Sequence[tuple[str, int]] = field(default=())
    notes: Sequence[tuple[str, str, str, str]] = field(default=())
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    pareto: Sequence[tuple[str, int, int]] = field(default=())


def report(summary: Summary, style: DisplayStyle = PLAIN) -> str:
    """The page, in the reader's system theme; no script, nothing fetched."""

    def say(key: str, **values: object) -> str:
        return escape(style.say(key, **values))

    title = say("batch.report_title", name=summary.name, number=summary.images)
    css = style.font_css + design.css_tokens(style.palette) + (_HERE / "report.css").read_text(encoding="utf-8") + _CSS
    figures = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{style.ratio(x.value)} <small>{_ends(x, style)}</small></dd></div>"
        for name, x in summary.means.items()
    )
    means = _table(
        (say("categories.category"), say("batch.mean")),
        ((name, f"{style.ratio(x.value)} {_ends(x, style)}") for name, x in summary.categories.items()),
    )
    groups = "".join(
        f"<div><h2>{escape(name)}</h2>{_table((), ((n, str(c)) for n, c in rows))}</div>" for name, rows in summary.frequent.items()
    )
    causes = f"<h2>{say('batch.causes')}</h2>{_table((), ((n, str(c)) for n, c in summary.causes))}" if summary.causes else ""
    pareto = f"<h2>{say('pareto.title')}</h2>{_pareto(summary.pareto, style)}" if summary.pareto else ""
    marks = ("", say("categories.candidate"), say("batch.column_tag"), say("batch.note"))
    notes = f"<h2>{say('batch.notes')}</h2>{_table(marks, summary.notes, figures=False)}" if summary.notes else ""
    heads = ("", say("categories.candidate"), say("categories.references"), "F1")
    worst = _table(
        heads, ((i, candidate, " / ".join(refs), style.ratio(f1)) for i, candidate, refs, f1 in summary.worst), pictures=summary.pictures
    )
    body = (
        f'<h1>{title}</h1><section class="two"><div><dl class="score">{figures}</dl><h2>{say("batch.distribution")}</h2>{_bars(summary.histogram, style.scale)}</div>'
        f'<div>{means}</div></section><section class="three">{groups}</section>{pareto}{causes}{notes}<h2>{say("batch.worst")}</h2>{worst}'
        f"<h2>{say('score.signature')}</h2><p><code>{escape(summary.signature)}</code></p>"
    )
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title><style>{css}</style>'
    return f'<!doctype html>\n<html lang="{escape(style.lang)}">\n<head>{head}</head>\n<body><main>\n{body}\n</main></body>\n</html>\n'


_CSS = """
.three { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 0 32px; }
.bars { width: 100%; height: 150px; } .bars rect { fill: var(--sc-muted); } .bars text { font-size: 13px; fill: var(--sc-muted); }
.bars.pareto { height: auto; }
.score small { font-size: 13px; color: var(--sc-muted); font-weight: 400; }
.score { flex-wrap: wrap; } .score dd { white-space: nowrap; }
td img { display: block; max-width: 96px; max-height: 96px; margin-bottom: 4px; }
th, td { overflow-wrap: break-word; }
.figures td:last-child { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
"""


def _bars(counts: Sequence[int], scale: int) -> str:
    most, width = max([1, *counts]), 400 / max(len(counts), 1)
    rects = "".join(
        f'<rect x="{i * width + 1:.1f}" y="{120 - 110 * n / most:.1f}" width="{width - 2:.1f}" height="{110 * n / most:.1f}"><title>{n}</title></rect>'
        for i, n in enumerate(counts)
    )
    ends = f'<text x="0" y="138">0</text><text x="400" y="138" text-anchor="end">{scale}</text>'
    return f'<svg class="bars" viewBox="0 0 400 144" role="img" aria-label="{", ".join(map(str, counts))}">{rects}{ends}</svg>'


def _pareto(causes: Sequence[tuple[str, int, int]], style: DisplayStyle) -> str:
    """The causes as bars with the line of their cumulative share, and as a table."""
    totals = [decided + suggested for _, decided, suggested in causes]
    whole = sum(totals)
    shares = [sum_ / whole for sum_ in accumulate(totals)]
    bars = "".join(
        _cause(name, _ROW * i, decided / whole, total / whole) for i, ((name, decided, _), total) in enumerate(zip(causes, totals))
    )
    points = " ".join(f"{_LEFT + _WIDE * share:.1f},{_ROW * (i + 0.5):.1f}" for i, share in enumerate(shares))
    line = f'<polyline points="{points}" fill="none" stroke="var(--sc-ink)" stroke-width="1.5"/>'
    alt = escape("; ".join(f"{name} {total}" for (name, _, _), total in zip(causes, totals)))
    box = f'viewBox="0 0 {_LEFT + _WIDE + 4} {_ROW * len(causes)}" role="img" aria-label="{alt}"'
    heads = [escape(style.say(f"pareto.{name}")) for name in ("cause", "decided", "suggested", "total", "cumulative")]
    rows = ((name, str(a), str(b), str(n), f"{100 * share:.1f}%") for (name, a, b), n, share in zip(causes, totals, shares))
    return f'<section class="two"><div><svg class="bars pareto" {box}>{bars}{line}</svg></div><div>{_table(heads, rows)}</div></section>'


def _cause(name: str, y: float, decided: float, all_: float) -> str:
    """A cause with its bar: the share of tuples, those decided in full colour."""
    place = f'x="{_LEFT}" y="{y + 4}" height="{_ROW - 8}"'
    short = escape(name if len(name) <= _CUT else f"{name[: _CUT - 1]}…")
    label = f'<text x="{_LEFT - 8}" y="{y + 17}" text-anchor="end">{short}</text>'
    return f'{label}<rect {place} width="{_WIDE * all_:.1f}" opacity=".35"/><rect {place} width="{_WIDE * decided:.1f}"/>'


def _table(
    heads: Iterable[str], rows: Iterable[Sequence[str]], *, figures: bool = True, pictures: Mapping[str, bytes] = MappingProxyType({})
) -> str:
    """A table; in the last column are ``figures``, or text, and in the first the picture of that name."""
    head = "".join(f"<th scope=col>{text}</th>" for text in heads)
    cells = ([_picture(pictures.get(row[0])) + escape(row[0]), *map(escape, row[1:])] for row in rows)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    name = ' class="figures"' if figures else ""
    return f'<div class="scroll"><table{name}>{f"<thead><tr>{head}</tr></thead>" if head else ""}<tbody>{body}</tbody></table></div>'


def _ends(x: Estimate, style: DisplayStyle) -> str:
    return f"[{style.ratio(x.low)}, {style.ratio(x.high)}]"


def _picture(jpeg: bytes | None) -> str:
    """An image inside the page, if there is one; what it shows stands beside it."""
    return f'<img src="data:image/jpeg;base64,{b64encode(jpeg).decode()}" alt="">' if jpeg else ""
