"""How metrics agree with people, as text, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import fields

from spice_core.evaluation.agreement import Agreement
from spice_core.stats.bootstrap import MIN_PAIRS


def as_text(found: Agreement) -> str:
    """Aligned columns: coefficients × 100, 95 % intervals, p-value of the difference from the baseline."""
    names = list(next(iter(found.coefficients.values())))
    rows = [["", *names, "ties", "left out"]]
    for metric, row in found.coefficients.items():
        cells = [f"{100 * x.value:.1f} [{100 * x.low:.1f}, {100 * x.high:.1f}]{_mark(found, metric, n)}" for n, x in row.items()]
        rows.append([metric, *cells, f"{100 * found.ties[metric]:.1f} %", str(found.undefined[metric])])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows]
    about = f"{found.items} {found.level}s, {found.judgements} judgements; × 100, 95 % intervals of"
    legend = f"* differs from {found.baseline}, p < .05; ** p < .01"
    notes = [f"p needs at least {MIN_PAIRS} {found.level}s with a score of both metrics"] if found.too_few else []
    return "\n".join([*lines, f"{about} {found.resamples} resamples", legend, *notes, ""])


def as_json(found: Agreement) -> str:
    """All coefficients, as JSON."""
    plain = {each.name: getattr(found, each.name) for each in fields(found)}
    plain["coefficients"] = {m: {n: x._asdict() for n, x in row.items()} for m, row in found.coefficients.items()}
    plain["differences"] = {
        m: {n: {"difference": d.estimate._asdict(), "p": None if math.isnan(d.p) else d.p} for n, d in row.items()}
        for m, row in found.differences.items()
    }
    return json.dumps(plain, ensure_ascii=False) + "\n"


def as_csv(found: Agreement) -> str:
    """One row per metric and coefficient."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow("metric figure value low high baseline difference difference_low difference_high p".split())
    for metric, row in found.coefficients.items():
        for name, value in row.items():
            difference = found.differences.get(metric, {}).get(name)
            p = "" if difference is None or math.isnan(difference.p) else difference.p
            rows.writerow([metric, name, *value, found.baseline, *(difference.estimate if difference else [""] * 3), p])
    return out.getvalue()


FORMATS = {"text": as_text, "json": as_json, "csv": as_csv}


def _mark(found: Agreement, metric: str, name: str) -> str:
    p = found.differences[metric][name].p if metric in found.differences else 1
    return "**" if p < 0.01 else "*" if p < 0.05 else ""
