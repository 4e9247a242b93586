"""The command ``metrics``: compute SPICE, soft matching and text metrics on the same captions."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from spice_core.catalogues import format_quantity
from spice_core.cli import arguments, output
from spice_core.cli.score import check_items, source_from_options
from spice_core.data.csv_text import csv_lines
from spice_core.data.items import Item
from spice_core.data.json_stream import only_names_message
from spice_core.data.reader import input_errors, json_scanner, open_utf8, text_lines
from spice_core.errors import InputError, Message
from spice_core.lang import language
from spice_core.metrics.measure import corpus_scores, metric_signatures, segment_scores
from spice_core.metrics.registry import (
    DEFAULT_METRICS,
    METRICS,
    METRICS_ON_REQUEST,
    available_metrics,
    describe_unavailable_metrics,
    working_metrics,
)
from spice_core.metrics.spice import Spice
from spice_core.metrics.text.frequencies import BUNDLED_PATHS
from spice_core.stats.bootstrap import Estimate


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``metrics``."""
    command = commands.add_parser(
        "metrics",
        parents=[arguments.parsing_options(), arguments.input_options()],
        help="compute SPICE, soft matching, BLEU, METEOR, CIDEr-D and other metrics",
        description=arguments.INPUT_HELP,
        epilog="; ".join(f"{metric.name}: {metric.summary}" for metric in (*working_metrics(), *METRICS_ON_REQUEST.values())),
    )
    command.add_argument(
        "--metrics",
        nargs="+",
        default=["all"],
        metavar="NAME",
        help=f"{', '.join(METRICS)}, or all (default); also {', '.join(METRICS_ON_REQUEST)}; CIDEr-D:FILE uses stored document frequencies (bundled: {', '.join(BUNDLED_PATHS)})",
    )
    command.add_argument("--instances", metavar="FILE", help="COCO instances: CHAIR does not count the objects in an image as hallucinated")
    command.add_argument("--object-synonyms", metavar="FILE", help="other names of the categories of --instances: lines CATEGORY, NAME, …")
    arguments.add_matching_options(command)
    arguments.add_bootstrap(command)
    command.add_argument(
        "--out",
        metavar="FILE",
        help="write the scores of each image to this file: as CSV if its name ends in .csv, otherwise as JSON lines",
    )
    command.set_defaults(run=run_metrics)


def run_metrics(options: argparse.Namespace) -> int:
    """Score the captions of a file with the requested metrics and print the scores. Return 0, or 2 if bad rows stop the run."""
    arguments.check_bootstrap(options)
    outputs = {"--out": options.out, "--problems": options.problems}
    output.check_distinct(outputs, [options.input, *options.references, options.instances, *arguments.paths_in_options(options)])
    output.check_writable(*outputs.values())
    items = check_items(source_from_options(options), options)
    if items is None:
        return 2
    texts = [(_check_text(i, i.candidate, "test"), tuple(_check_text(i, r, "refs") for r in i.references)) for i in items]
    spice = Spice(arguments.config_from_options(options))
    names = metric_names(options)
    objects = _read_objects(items, options)
    scores = segment_scores(texts, names, spice=spice, objects=objects)
    if options.out:
        output.write_output(format_as_rows([i.image_id for i in items], scores, table=Path(options.out).suffix == ".csv"), options.out)
    estimates = corpus_scores(texts, scores, spice, resamples=options.resamples, seed=options.seed, objects=objects)
    digest = sha256(json.dumps([sorted(names) for names in objects]).encode()).hexdigest()[:8]
    print(
        format_as_text(estimates),
        f"{format_quantity(len(items), 'image')}, 95% intervals from {options.resamples} resamples",
        *(
            f"{signature}|objects:{digest}" if objects and signature.startswith("CHAIR") else signature
            for signature in metric_signatures(names, spice)
        ),
        sep="\n",
    )
    return 0


def _read_objects(items: Sequence[Item], options: argparse.Namespace) -> list[frozenset[str]]:
    """Return the objects in the image of each item, or an empty list without ``--instances``. Prints a notice about other images."""
    if not options.instances:
        if options.object_synonyms:
            raise InputError("--object-synonyms", options.object_synonyms, "also --instances")
        return []
    known = read_instances(Path(options.instances), options.object_synonyms and Path(options.object_synonyms))
    objects = [known.get(str(item.image_id), frozenset[str]()) for item in items]
    if missing := objects.count(frozenset()):
        print(f"spice-core: {options.instances}: no instances for {missing:,} of {format_quantity(len(items), 'image')}", file=sys.stderr)
    return objects


def metric_names(options: argparse.Namespace) -> list[str]:
    """Return the names of the requested metrics. For ``all``, print a line on standard error for each unavailable one."""
    if options.metrics and options.metrics != ["all"]:
        return list(options.metrics)
    pack = language(options.lang)
    for line in describe_unavailable_metrics(pack) if options.metrics else ():
        print(f"spice-core: {line}", file=sys.stderr)
    return available_metrics(pack, None if options.metrics else DEFAULT_METRICS)


def format_as_text(estimates: Mapping[str, Estimate]) -> str:
    """Return a line for each metric with its corpus score and, if defined, its interval."""
    name_width = max(map(len, estimates))
    ends = {name: "" if math.isnan(x.low) else f"  [{x.low:.3f}, {x.high:.3f}]" for name, x in estimates.items()}
    return "\n".join(f"{name:<{name_width}}  {x.value:.3f}{ends[name]}" for name, x in estimates.items())


def format_as_rows(images: Sequence[object], scores: Mapping[str, Sequence[float]], *, table: bool) -> str:
    """Return a row for each image as CSV or JSON lines.

    Undefined scores are empty in CSV and null in JSON.
    """
    heads = ("image_id", *scores)
    rows = zip(images, *([None if math.isnan(x) else x for x in values] for values in scores.values()))
    return "".join(csv_lines([heads, *rows]) if table else (json.dumps(dict(zip(heads, row)), ensure_ascii=False) + "\n" for row in rows))


def _check_text(item: Item, caption: object, field: str) -> str:
    if not isinstance(caption, str):
        raise InputError(f"image {item.image_id}, field {field}", "propositions", "captions; text metrics cannot read propositions")
    return caption


def read_instances(path: Path, synonyms: Path | None = None) -> dict[str, frozenset[str]]:
    """Return the names of the objects in each image by its id.

    Args:
        path: COCO's instances: a list ``annotations`` with ``image_id`` and ``category_id``, and a list ``categories`` with names.
        synonyms: CHAIR's list of synonyms. Each line begins with a category, whose other names follow after commas.

    Raises:
        InputError: a file cannot be read, or the first has no instances.
    """
    lines = text_lines(open_utf8(synonyms), synonyms) if synonyms else ()
    names_by_category = {names[0]: names for names in ([name.strip() for name in line.split(",")] for line in lines)}
    categories: dict[object, list[str]] = {}
    ids: dict[str, set[object]] = {}
    members: dict[str, None] = {}
    with open_utf8(path) as file, input_errors(path):
        for member, _, value in json_scanner(file, path).members():
            members[member] = None
            if member == "categories" and isinstance(value, dict) and isinstance(name := value.get("name"), str):
                categories[str(value.get("id"))] = names_by_category.get(name, [name])
            elif member == "annotations" and isinstance(value, dict) and "category_id" in value:
                ids.setdefault(str(value.get("image_id")), set()).add(str(value["category_id"]))
    if not categories or not ids:
        raise InputError(str(path), only_names_message(members), Message("expected.instances"))
    return {image: frozenset(name for id in found for name in categories.get(id, ())) for image, found in ids.items()}
