"""Report of a scored data set as one self-contained page: means, distribution, categories, frequent errors, worst captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from spice_core.draw import design
from spice_core.draw.texts import ratio
from spice_core.stats.bootstrap import Estimate

_HERE = Path(__file__).parent
# The page's texts in English, under the keys of the app's catalogue.
ENGLISH: Mapping[str, str] = {
    "report_title": "SPICE of {name}, {number} images",
    "mean": "Mean F1",
    "category": "Category",
    "distribution": "Distribution of F1",
    "errors": "What goes wrong",
    "worst": "Lowest first",
    "causes": "Causes",
    "notes": "Causes and notes",
    "column_tag": "Cause",
    "note": "Note",
    "references": "References",
    "candidate": "Candidate",
    "signature": "Signature",
}


@dataclass(frozen=True)
class Summary:
    """What the page tells: figures, groups with their numbers of images, captions with references and F1.

    ``notes`` are images with their candidate, the cause that someone gave and their note.
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


def report(
    told: Summary, *, texts: Mapping[str, str] = ENGLISH, font_css: str = "", lang: str = "en", paper: bool = False, scale: int = 1
) -> str:
    """The page, in the reader's system theme; no script, nothing fetched. ``texts`` have the keys of ENGLISH."""

    def say(key: str, **values: object) -> str:
        return escape(texts.get(key, ENGLISH[key]).format(**values))

    title = say("report_title", name=told.name, number=told.images)
    style = font_css + design.css_tokens(paper=paper) + (_HERE / "report.css").read_text(encoding="utf-8") + _CSS
    figures = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{ratio(x.value, scale=scale)} <small>{_ends(x, scale)}</small></dd></div>"
        for name, x in told.means.items()
    )
    means = _table(
        (say("category"), say("mean")), ((name, f"{ratio(x.value, scale=scale)} {_ends(x, scale)}") for name, x in told.categories.items())
    )
    groups = "".join(
        f"<div><h2>{escape(name)}</h2>{_table((), ((n, str(c)) for n, c in rows))}</div>" for name, rows in told.frequent.items()
    )
    causes = f"<h2>{say('causes')}</h2>{_table((), ((n, str(c)) for n, c in told.causes))}" if told.causes else ""
    marks = ("", say("candidate"), say("column_tag"), say("note"))
    notes = f"<h2>{say('notes')}</h2>{_table(marks, told.notes, figures=False)}" if told.notes else ""
    heads = ("", say("candidate"), say("references"), "F1")
    worst = _table(heads, ((i, said, " / ".join(refs), ratio(f1, scale=scale)) for i, said, refs, f1 in told.worst))
    body = (
        f'<h1>{title}</h1><section class="two"><div><dl class="score">{figures}</dl><h2>{say("distribution")}</h2>{_bars(told.histogram, scale)}</div>'
        f'<div>{means}</div></section><section class="three">{groups}</section>{causes}{notes}<h2>{say("worst")}</h2>{worst}'
        f"<h2>{say('signature')}</h2><p><code>{escape(told.signature)}</code></p>"
    )
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title><style>{style}</style>'
    return f'<!doctype html>\n<html lang="{escape(lang)}">\n<head>{head}</head>\n<body><main>\n{body}\n</main></body>\n</html>\n'


_CSS = """
.three { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 0 32px; }
.bars { width: 100%; height: 150px; } .bars rect { fill: var(--sc-muted); } .bars text { font-size: 13px; fill: var(--sc-muted); }
.score small { font-size: 13px; color: var(--sc-muted); font-weight: 400; }
.score { flex-wrap: wrap; } .score dd { white-space: nowrap; }
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


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]], *, figures: bool = True) -> str:
    """A table; in the last column are ``figures``, or text."""
    head = "".join(f"<th scope=col>{text}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
    name = ' class="figures"' if figures else ""
    return f'<div class="scroll"><table{name}>{f"<thead><tr>{head}</tr></thead>" if head else ""}<tbody>{body}</tbody></table></div>'


def _ends(x: Estimate, scale: int) -> str:
    return f"[{ratio(x.low, scale=scale)}, {ratio(x.high, scale=scale)}]"
