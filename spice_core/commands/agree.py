"""The command ``agree``: judgements of people in, a table of how each metric agrees with them out."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from spice_core.agreement import Agreement, with_choices, with_ratings
from spice_core.commands import output, resampling
from spice_core.commands.score import settings
from spice_core.data.ratings import Choice, Rated, read_judgements
from spice_core.errors import InputError
from spice_core.metric import Spice
from spice_core.metrics import NAMES, PLUS, SOFT, SPICE, measure, signatures

DEFAULT = (SPICE, SOFT, PLUS)


def agree(options: argparse.Namespace) -> int:
    """Score the captions of one file or several, and compare with what people said; returns 0."""
    resampling.check(options)
    if options.first is not None and options.first < 1:
        raise InputError("--first", options.first, "1 or more")
    output.check(options.out, options.scores)
    judged = [row for name in options.files for row in read_judgements(Path(name), options.first)][: options.first]
    if len({type(row) for row in judged}) > 1:
        raise InputError(" ".join(options.files), "ratings and choices", "files of one kind")
    names = NAMES if options.metrics == ["all"] else options.metrics
    spice = Spice(**dict(settings(options)))
    more = {"baseline": options.baseline, "resamples": options.resamples, "seed": options.seed}
    if isinstance(judged[0], Choice):
        sides = [
            measure([(getattr(c, side), c.references) for c in judged], names, spice=spice, categories=options.subset) for side in "ab"
        ]
        found, scores = with_choices(judged, *sides, **more), {f"{m} {side}": s[m] for side, s in zip("ab", sides) for m in s}
    else:
        scores = rated_scores(judged, names, spice, categories=options.subset, both=options.symmetric)
        found = with_ratings(judged, scores, level=options.level, **more)
    said = "".join(f"{each}\n" for each in signatures(names, spice)) if options.format == "text" else ""
    text = FORMATS[options.format](found) + said
    if options.scores:
        output.put(json.dumps(scores, ensure_ascii=False), options.scores)
    output.put(text, options.out)
    return 0


def rated_scores(rated: list[Rated], names: Sequence[str], spice: Spice, *, both: bool = False, **how) -> dict[str, list[float]]:
    """The scores of rated captions; with ``both``, each the mean with that of its one reference against it; ``how`` as for ``measure``."""
    there = measure([(r.candidate, r.references) for r in rated], names, spice=spice, **how)
    if not both:
        return there
    if any(len(r.references) != 1 for r in rated):
        raise InputError("--symmetric", "captions with several references", "one reference each")
    back = measure([(r.references[0], (r.candidate,)) for r in rated], names, spice=spice, **how)
    return {name: [(a + b) / 2 for a, b in zip(there[name], back[name])] for name in there}


def as_text(found: Agreement) -> str:
    """Columns in step, figures times one hundred, 95 % intervals, p of the difference to the baseline."""
    names = list(next(iter(found.figures.values())))
    rows = [["", *names, "ties", "left out"]]
    for metric, figures in found.figures.items():
        cells = [f"{100 * x.mean:.1f} [{100 * x.low:.1f}, {100 * x.high:.1f}]{_mark(found, metric, n)}" for n, x in figures.items()]
        rows.append([metric, *cells, f"{100 * found.ties[metric]:.1f} %", str(found.missing[metric])])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in rows]
    about = f"{found.items} {found.level}s, {found.judgements} judgements; × 100, 95 % intervals of"
    return "\n".join([*lines, f"{about} {found.resamples} resamples", f"* differs from {found.baseline}, p < .05; ** p < .01", ""])


def as_json(found: Agreement) -> str:
    """All figures."""
    plain = asdict(found)
    for part in ("figures", "differences"):
        values = {m: {n: v._asdict() for n, v in figures.items()} for m, figures in getattr(found, part).items()}
        plain[part] = (
            values
            if part == "figures"
            else {m: {n: {"difference": v["interval"]._asdict(), "p": v["p"]} for n, v in d.items()} for m, d in values.items()}
        )
    return json.dumps(plain, ensure_ascii=False) + "\n"


def as_csv(found: Agreement) -> str:
    """One row for each metric and figure."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow("metric figure value low high baseline difference difference_low difference_high p".split())
    for metric, figures in found.figures.items():
        for name, value in figures.items():
            difference = found.differences.get(metric, {}).get(name)
            rows.writerow([metric, name, *value, found.baseline, *((*difference.interval, difference.p) if difference else [""] * 4)])
    return out.getvalue()


FORMATS = {"text": as_text, "json": as_json, "csv": as_csv}


def _mark(found: Agreement, metric: str, name: str) -> str:
    p = found.differences[metric][name].p if metric in found.differences else 1
    return "**" if p < 0.01 else "*" if p < 0.05 else ""
