"""Tables of a result: its tuples as CSV for spreadsheets, and its scores as LaTeX for papers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from spice_core.data.csv_text import csv_lines
from spice_core.draw.style import PLAIN, DisplayStyle
from spice_core.draw.texts import captions_of, kind_text, match_reason_texts, rules_of_row
from spice_core.explain.evidence import Occurrence, TupleRow, tuple_text
from spice_core.explain.explanation import Explanation
from spice_core.metrics.result import SpiceResult
from spice_core.scene.scores import OVERALL, format_count

_COLUMN_KEYS = ("tuples.tuple", "report.kind", "report.state", "report.partner", "tuples.match")
_WHERE_KEYS = ("tuples.in_candidate", "tuples.in_references", "tuples.rule", "categories.title")
_SCORE_KEYS = ("report.category", "score.precision", "score.recall", "categories.f1")
_COUNT_KEYS = ("categories.matched", "categories.candidate", "categories.references")
_TEX_ESCAPES = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "\n": " ", "\r": " "}
)


def tuples_csv(explanation: Explanation, style: DisplayStyle = PLAIN) -> bytes:
    """Return the tuples of an explanation as CSV for spreadsheets, in UTF-8 with byte order mark, one row per tuple."""
    return table_csv(
        [style.format_text(key) for key in (*_COLUMN_KEYS, *_WHERE_KEYS)], (_row_cells(row, style) for row in explanation.rows)
    )


def table_csv(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Return a table as CSV in UTF-8 with byte order mark."""
    return "".join(csv_lines([heads, *rows], line_end="\r\n")).encode("utf-8-sig", errors="replace")


def align_columns(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.ljust) -> list[str]:
    """Return rows as lines with aligned columns. The first column is flush left."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join([row[0].ljust(widths[0]), *map(align, row[1:], widths[1:])]).rstrip() for row in rows]


def scores_latex(result: SpiceResult, style: DisplayStyle = PLAIN) -> str:
    """Return the scores as a LaTeX table for the package booktabs, with one row per category and the candidate as its caption.

    Undefined ratios are dashes.
    """
    lines = [
        tex_comment(str(result.signature)),
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_tex(result.candidate.caption)}}}",
        r"\begin{tabular}{lrrrrrr}",
        r"\toprule",
        tex_row(style.format_text(key) for key in (*_SCORE_KEYS, *_COUNT_KEYS)),
        r"\midrule",
    ]
    for name, score in result.scores.items():
        ratios = (style.format_ratio(r, "–") for r in (score.precision, score.recall, score.f1))
        lines.append(
            tex_row([_published_category(name, style), *ratios, format_count(score.matched), str(score.candidate), str(score.reference)])
        )
        if name == OVERALL:
            lines.append(r"\midrule")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def _published_category(name: str, style: DisplayStyle) -> str:
    """Return a category's name in the SPICE paper, such as Cardinality, or its label in styles other than English."""
    return name if style.lang == "en" else style.category_label(name)


def escape_tex(text: str) -> str:
    """Escape the special characters of LaTeX in a text."""
    return text.translate(_TEX_ESCAPES)


def tex_comment(text: str) -> str:
    """Return a text as a comment of one line in LaTeX."""
    return f"% {' '.join(text.split())}"


def tex_row(cells: Iterable[str]) -> str:
    """Return a row of a table in LaTeX, with typographic minus signs."""
    texts = (re.sub(r"^-(?=\d)", "$-$", escape_tex(cell)) for cell in cells)
    return " & ".join(re.sub(r"^([\[*])", r"{\1}", text) for text in texts) + r" \\"  # LaTeX reads * or [ after \\ as an argument


def _row_cells(row: TupleRow, style: DisplayStyle) -> list[str]:
    implicit_subject = style.format_text("tuples.implicit_subject")
    texts = [tuple_text(row.parts, implicit_subject=implicit_subject), kind_text(row, style), style.format_text(f"legend.{row.state}")]
    texts += [tuple_text(row.partner, implicit_subject=implicit_subject), "; ".join(match_reason_texts(row, style))]
    sources = [_format_sources(row.in_candidate, numbered=False), _format_sources(row.in_references, numbered=True)]
    return [*texts, *sources, ", ".join(rules_of_row(row)), ", ".join(_published_category(name, style) for name in row.categories)]


def _format_sources(sources: Iterable[Occurrence], *, numbered: bool) -> str:
    """Return the words of a tuple in each caption, with caption numbers if ``numbered``: "girl (1, 3); child (2)"."""
    positions = captions_of(tuple(sources))
    return "; ".join(f"{words} ({', '.join(str(i + 1) for i in indices)})" if numbered else words for words, indices in positions.items())
