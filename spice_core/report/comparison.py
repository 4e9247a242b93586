"""Comparison of systems by category as text, LaTeX, CSV or HTML."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spice_core.catalogues import format_quantity
from spice_core.data.csv_text import csv_lines
from spice_core.evaluation.systems import SystemComparison, SystemDifference
from spice_core.report.tables import align_columns, tex_comment, tex_row
from spice_core.stats.bootstrap import MIN_PAIRS, Estimate

_MAX_SHOWN_IDS = 5  # maximum number of ids in the warning about missing images


class TextTable(NamedTuple):
    """A table of texts: title, column headings and rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def comparison_warnings(result: SystemComparison) -> Iterator[str]:
    """Yield warnings about images missing in some systems, too few images for p-values, and different settings."""
    for name, ids in result.omitted_images.items():
        if ids:
            id_text = ", ".join(map(str, ids[:_MAX_SHOWN_IDS])) + (", …" if len(ids) > _MAX_SHOWN_IDS else "")
            yield f"{name}: {format_quantity(len(ids), 'image')} omitted, because other systems lack them ({id_text})"
    if result.categories_with_too_few_images:
        yield f"p-values and intervals need at least {MIN_PAIRS} images with a score of both systems (n/a: {', '.join(_column_headings(result, result.categories_with_too_few_images))})"
    if len(signatures := dict.fromkeys(s for group in result.signatures.values() for s in group)) > 1:
        yield f"found {len(signatures)} signatures, expected the same settings for all systems: {'; '.join(signatures)}"


def comparison_tables(result: SystemComparison) -> list[TextTable]:
    """Return three tables by system and category: F1, differences from the baseline, and images won, tied and lost.

    The categories have the order of Table 2 of the SPICE paper.
    """
    heads = _column_headings(result, result.categories)
    means = tuple((name, *(_interval_text(result.means[name][c]) for c in result.categories)) for name in result.systems)
    other_systems = [name for name in result.systems if name != result.baseline]
    differences = tuple((name, *(_difference_text(result.differences[name][c]) for c in result.categories)) for name in other_systems)
    records = ((name, (result.differences[name][c] for c in result.categories)) for name in other_systems)
    wins = tuple((name, *(f"{d.wins}/{d.ties}/{d.losses}" for d in row)) for name, row in records)
    correction = "p-values corrected by Holm's method over {} tests of SPICE and {} tests of categories".format(*result.test_counts)
    return [
        TextTable(f"F1 on {format_quantity(result.images, 'image')}, 95% intervals", ("system", *heads), means),
        TextTable(f"difference from {result.baseline}, paired bootstrap; {correction}", ("system", *heads), differences),
        TextTable(f"images won / tied / lost against {result.baseline}", ("system", *heads), wins),
    ]


def format_as_text(result: SystemComparison) -> str:
    """Return the tables as text with aligned columns."""
    parts = []
    for table in comparison_tables(result):
        parts.append("\n".join([table.title, *align_columns([table.heads, *table.rows], str.rjust)]))
    return "\n\n".join(parts) + "\n"


def format_as_latex(result: SystemComparison) -> str:
    """Return the tables in LaTeX, for the package booktabs."""
    parts = []
    for table in comparison_tables(result):
        opening = rf"\begin{{tabular}}{{l{'r' * (len(table.heads) - 1)}}}"
        parts += [tex_comment(table.title), opening, r"\toprule", tex_row(table.heads), r"\midrule"]
        parts += [*map(tex_row, table.rows), r"\bottomrule", r"\end{tabular}", ""]
    return "\n".join(parts)


def format_as_html(result: SystemComparison) -> str:
    """Return the tables in HTML, without styles."""
    parts = []
    for table in comparison_tables(result):
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in table.heads)
        body = "\n".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
        parts.append(f"<table>\n<caption>{html.escape(table.title)}</caption>\n<tr>{head}</tr>\n{body}\n</table>\n")
    return "".join(parts)


def format_as_csv(result: SystemComparison) -> str:
    """Return CSV with one row per system and category, and numbers in full precision."""
    heads = "system category f1 low high baseline difference difference_low difference_high p p_holm wins ties losses images signature"
    rows: list[list[object]] = [[*heads.split()]]
    for name in result.systems:
        for category in result.categories:
            row: list[object] = [name, category, *result.means[name][category], result.baseline]
            if difference := result.differences.get(name, {}).get(category):
                row += [*difference.estimate, difference.p, difference.p_holm, difference.wins, difference.ties, difference.losses]
            else:
                row += [""] * 8
            rows.append([*row, result.images, "; ".join(result.signatures[name])])
    return "".join(csv_lines(rows))


FORMATTERS = {"text": format_as_text, "latex": format_as_latex, "csv": format_as_csv, "html": format_as_html}


def _column_headings(result: SystemComparison, categories: Sequence[str]) -> tuple[str, ...]:
    by_meaning = any("|scheme:entailed" in signature for signatures in result.signatures.values() for signature in signatures)
    return tuple(("SPICE, by meaning" if by_meaning else "SPICE") if category == "All" else category for category in categories)


def _interval_text(x: Estimate) -> str:
    if math.isnan(x.value):
        return "n/a"
    return f"{x.value:.3f} [n/a]" if math.isnan(x.low) else f"{x.value:.3f} [{x.low:.3f}, {x.high:.3f}]"


def _difference_text(difference: SystemDifference) -> str:
    if math.isnan(difference.estimate.value):
        return "n/a"
    return (
        f"{difference.estimate.value:+.3f} (p n/a)"
        if math.isnan(difference.p)
        else f"{difference.estimate.value:+.3f} (p {difference.p:.3f}, Holm {difference.p_holm:.3f})"
    )
