"""Agreement of metrics with human judgements as text, JSON or CSV."""

from __future__ import annotations

import json
import math
from dataclasses import fields

from spice_core.data.csv_text import csv_lines
from spice_core.evaluation.agreement import Agreement
from spice_core.report.tables import align_columns
from spice_core.stats.bootstrap import MIN_PAIRS


def format_as_text(result: Agreement) -> str:
    """Return a table with aligned columns: coefficients × 100 with 95% intervals, share of ties, and number of items left out.

    Asterisks mark significant differences from the baseline.
    """
    names = list(next(iter(result.coefficients.values())))
    rows = [["", *names, "ties", "left out"]]
    for metric, row in result.coefficients.items():
        cells = [
            f"{100 * x.value:.1f} [{100 * x.low:.1f}, {100 * x.high:.1f}]{_significance_mark(result, metric, n)}" for n, x in row.items()
        ]
        rows.append([metric, *cells, f"{100 * result.ties[metric]:.1f}%", str(result.undefined[metric])])
    summary = f"{result.items} {result.level}s, {result.judgements} judgements; coefficients × 100, 95% intervals from"
    legend = f"* differs from {result.baseline}, p < .05; ** p < .01"
    notes = [f"p-values need at least {MIN_PAIRS} {result.level}s with scores of both metrics"] if result.has_too_few_items else []
    return "\n".join([*align_columns(rows), f"{summary} {result.resamples} resamples", legend, *notes, ""])


def format_as_json(result: Agreement) -> str:
    """Return all fields of the result as JSON, with undefined p-values as null."""
    fields_by_name = {field.name: getattr(result, field.name) for field in fields(result)}
    fields_by_name["coefficients"] = {m: {n: x._asdict() for n, x in row.items()} for m, row in result.coefficients.items()}
    fields_by_name["differences"] = {
        m: {n: {"difference": d.estimate._asdict(), "p": None if math.isnan(d.p) else d.p} for n, d in row.items()}
        for m, row in result.differences.items()
    }
    return json.dumps(fields_by_name, ensure_ascii=False) + "\n"


def format_as_csv(result: Agreement) -> str:
    """Return CSV with one row per metric and coefficient."""
    rows: list[list[object]] = [[*"metric figure value low high baseline difference difference_low difference_high p".split()]]
    for metric, row in result.coefficients.items():
        for name, value in row.items():
            difference = result.differences.get(metric, {}).get(name)
            rows.append([metric, name, *value, result.baseline, *([*difference.estimate, difference.p] if difference else [""] * 4)])
    return "".join(csv_lines(rows))


FORMATTERS = {"text": format_as_text, "json": format_as_json, "csv": format_as_csv}


def _significance_mark(result: Agreement, metric: str, name: str) -> str:
    p = result.differences[metric][name].p if metric in result.differences else 1
    return "**" if p < 0.01 else "*" if p < 0.05 else ""
