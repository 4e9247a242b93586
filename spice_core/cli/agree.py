"""The command ``agree``: measure the agreement of metrics with human judgements."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import fields
from pathlib import Path

from spice_core.cli import arguments, output
from spice_core.cli.metrics import metric_names as names_of
from spice_core.data.csv_text import csv_lines
from spice_core.data.ratings import RATING_FIELDS, Preference, RatedCaption, read_judgements
from spice_core.errors import InputError, Message
from spice_core.evaluation.agreement import Agreement, correlate, pairwise_accuracy, score_rated_captions
from spice_core.metrics.measure import metric_signatures, segment_scores
from spice_core.metrics.registry import DEFAULT_METRICS, METRICS
from spice_core.metrics.spice import Spice
from spice_core.report.tables import align_columns
from spice_core.stats.bootstrap import MIN_PAIRS


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``agree``."""
    command = commands.add_parser(
        "agree", parents=[arguments.parsing_options()], help="measure the agreement of metrics with human ratings or preferences"
    )
    command.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="rows with ratings (candidate, references, ratings) or preferences (a, b, references, choice)",
    )
    command.add_argument(
        "--references",
        metavar="FILE",
        help="reference captions by image, such as COCO annotations, for rows with image_id, candidate, rating",
    )
    command.add_argument("--columns", nargs="+", default=[], metavar="FIELD=NAME[,NAME]", help=f"columns of {', '.join(RATING_FIELDS)}")
    command.add_argument(
        "--metrics", nargs="+", metavar="NAME", help=f"{', '.join(METRICS)}, or all (default: {' '.join(DEFAULT_METRICS)})"
    )
    command.add_argument("--subset", action="store_true", help="add SPICE by category")
    arguments.add_matching_options(command)
    command.add_argument(
        "--level",
        choices=("caption", "system"),
        default="caption",
        help="correlate the scores of captions, or the means of systems (default: caption)",
    )
    command.add_argument(
        "--symmetric",
        action="store_true",
        help="average the scores of each pair in both directions, for ratings of the similarity of two captions",
    )
    command.add_argument("--limit", type=int, metavar="N", help="read only the first N rows")
    command.add_argument("--baseline", default="", metavar="METRIC", help="metric with which the others are compared (default: the first)")
    arguments.add_bootstrap(command)
    command.add_argument("--format", choices=FORMATTERS, default="text", help="output format (default: text)")
    command.add_argument("--out", metavar="FILE", help="write the table here")
    command.add_argument("--scores", metavar="FILE", help="write the scores of all captions to this file, as JSON")
    command.set_defaults(run=run_agree)


def run_agree(options: argparse.Namespace) -> int:
    """Score the captions in the files, write the agreement of the scores with the human judgements, and return 0."""
    arguments.check_bootstrap(options)
    if options.limit is not None and options.limit < 1:
        raise InputError("--limit", options.limit, "1 or more")
    outputs = {"--out": options.out, "--scores": options.scores}
    output.check_distinct(outputs, [*options.files, *filter(None, [options.references]), *arguments.paths_in_options(options)])
    output.check_writable(*outputs.values())
    preferences, rated_captions = _read_judgement_files(options)
    names = names_of(options)
    spice = Spice(arguments.config_from_options(options))
    statistics_options = {"baseline": options.baseline, "resamples": options.resamples, "seed": options.seed}
    if preferences:
        score_lists = [
            segment_scores([(getattr(p, side), p.references) for p in preferences], names, spice=spice, categories=options.subset)
            for side in "ab"
        ]
        agreement = pairwise_accuracy(preferences, *score_lists, **statistics_options)
        scores = {f"{m} {side}": s[m] for side, s in zip("ab", score_lists) for m in s}
    else:
        scores = score_rated_captions(rated_captions, names, spice, categories=options.subset, symmetric=options.symmetric)
        agreement = correlate(rated_captions, scores, level=options.level, **statistics_options)
    footer = "".join(f"{signature}\n" for signature in metric_signatures(names, spice)) if options.format == "text" else ""
    text = FORMATTERS[options.format](agreement) + footer
    if options.scores:
        output.write_output(json.dumps(scores, ensure_ascii=False), options.scores)
    output.write_output(text, options.out)
    return 0


def _read_judgement_files(options: argparse.Namespace) -> tuple[list[Preference], list[RatedCaption]]:
    """Read preferences or ratings from the files. Raises InputError if the files contain both."""
    encodings: dict[str, str] = {}
    notices: list[Message] = []
    columns = {name: values.split(",") for name, _, values in (c.partition("=") for c in options.columns)}
    references = Path(options.references) if options.references else None
    judgements = [
        row
        for name in options.files
        for row in read_judgements(Path(name), options.limit, encodings, notices, references=references, columns=columns)
    ][: options.limit]
    arguments.print_encodings(encodings)
    arguments.print_notices(notices)
    preferences, rated_captions = (
        [row for row in judgements if isinstance(row, Preference)],
        [row for row in judgements if isinstance(row, RatedCaption)],
    )
    if preferences and rated_captions:
        raise InputError(" ".join(options.files), "ratings and preferences", "only one of them")
    return preferences, rated_captions


def format_as_text(result: Agreement) -> str:
    """Return a table with aligned columns: coefficients × 100 with 95% intervals, share of ties, and number of excluded items.

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
