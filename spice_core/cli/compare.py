"""The command ``compare``: result files in, a table of systems by category out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from spice_core.cli import arguments
from spice_core.cli.output import put
from spice_core.errors import InputError
from spice_core.evaluation.systems import compare as compared
from spice_core.evaluation.systems import read_system
from spice_core.report.comparison import FORMATS, remarks


def compare(options: argparse.Namespace) -> int:
    """Compare result files; returns 0."""
    if options.names and len(options.names) != len(options.results):
        raise InputError("--names", " ".join(options.names), f"{len(options.results)} names")
    arguments.check(options)
    systems = [read_system(Path(path), name) for path, name in zip(options.results, options.names or [None] * len(options.results))]
    named = dict(zip(options.results, (system.name for system in systems)))
    result = compared(systems, named.get(options.baseline, options.baseline), resamples=options.resamples, seed=options.seed)
    put(FORMATS[options.format](result), options.out)
    for line in remarks(result):
        print(f"spice-core: {line}", file=sys.stderr)
    return 0
