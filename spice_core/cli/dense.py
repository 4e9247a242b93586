"""The command ``dense``: SPICE of descriptions of events or regions at thresholds of overlap."""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path
from statistics import fmean

from spice_core.catalogues import format_quantity
from spice_core.cli import arguments
from spice_core.errors import InputError, Message
from spice_core.evaluation.dense import IMAGE_THRESHOLDS, VIDEO_THRESHOLDS, dense_scores, read_descriptions
from spice_core.metrics.spice import Spice


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``dense``."""
    command = commands.add_parser(
        "dense",
        parents=[arguments.parsing_options()],
        help="score dense captions: events of videos or regions of images, at thresholds of overlap",
    )
    command.add_argument("input", metavar="INPUT", help="results of ActivityNet, or images with regions as in Visual Genome")
    command.add_argument("--references", nargs="+", required=True, metavar="FILE", help="annotations; several files are averaged")
    command.add_argument(
        "--thresholds", nargs="+", type=float, metavar="IOU", help="minimum overlaps (default: .3 .5 .7 .9; regions: .3 to .7)"
    )
    arguments.add_matching_options(command)
    command.set_defaults(run=run_dense)


@arguments.report_cleaned_texts()
def run_dense(options: argparse.Namespace) -> int:
    """Print the score at each threshold and the mean, and return 0."""
    descriptions, *references = (read_descriptions(Path(name)) for name in (options.input, *options.references))
    known_ids = {*chain(*references)}
    if not known_ids & descriptions.keys():
        raise InputError(options.input, ", ".join([*descriptions][:3]), Message("expected.same_ids_file"))
    has_regions = any(len(d.ranges) == 2 for listed in descriptions.values() for d in listed)
    thresholds = options.thresholds or (IMAGE_THRESHOLDS if has_regions else VIDEO_THRESHOLDS)
    spice = Spice(arguments.config_from_options(options))
    means = {threshold: fmean(scores.values()) for threshold, scores in dense_scores(spice, descriptions, references, thresholds).items()}
    for threshold, mean in means.items():
        print(f"IoU {threshold:<6} {mean:.3f}")
    print(f"mean       {fmean(means.values()):.3f}\n{spice.signature}")
    missing_count = len(known_ids - descriptions.keys())
    print(f"{format_quantity(len(known_ids), 'image')}, {missing_count:,} without descriptions score 0")
    return 0
