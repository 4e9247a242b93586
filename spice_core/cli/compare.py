"""The command ``compare``: compare result files in a table with the scores of each system by category."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from spice_core.cli import arguments, output
from spice_core.errors import InputError
from spice_core.evaluation.systems import compare_systems as compared
from spice_core.evaluation.systems import read_system
from spice_core.report.comparison import FORMATTERS, comparison_warnings


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``compare``."""
    command = commands.add_parser("compare", help="compare the result files of several systems")
    command.add_argument(
        "results",
        metavar="RESULTS",
        nargs="+",
        help="result files that score wrote, one for each system; the table has categories if score ran with --subset",
    )
    command.add_argument("--names", nargs="+", metavar="NAME", help="names of the systems (default: the file names)")
    command.add_argument("--baseline", metavar="NAME", help="name or file of the baseline system (default: the first)")
    command.add_argument("--format", choices=FORMATTERS, default="text", help="output format (default: text)")
    command.add_argument("--out", metavar="FILE", help="write the table here")
    arguments.add_bootstrap(command)
    command.set_defaults(run=run_compare)


def run_compare(options: argparse.Namespace) -> int:
    """Compare result files, write the table, and return 0."""
    if options.names and len(options.names) != len(options.results):
        raise InputError("--names", " ".join(options.names), f"{len(options.results)} names")
    arguments.check_bootstrap(options)
    output.check_distinct({"--out": options.out}, options.results)
    output.check_writable(options.out)
    systems = [read_system(Path(path), name) for path, name in zip(options.results, options.names or [None] * len(options.results))]
    name_by_path = dict(zip(options.results, (system.name for system in systems)))
    result = compared(systems, name_by_path.get(options.baseline, options.baseline), resamples=options.resamples, seed=options.seed)
    output.write_output(FORMATTERS[options.format](result), options.out)
    for line in comparison_warnings(result):
        print(f"spice-core: {line}", file=sys.stderr)
    return 0
