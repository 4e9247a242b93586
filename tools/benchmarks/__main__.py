"""Measure what docs/deployment.md and other documents report: ``python -m tools.benchmarks MEASURE [options]``.

Without a measure, the names of all measures are printed; with ``MEASURE --help``, its options. Before and after each measure, the load of
the machine is printed. Quote ratios and figures only from an idle machine.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path

MEASURES = {  # the module that defines each measure
    "ratios": "commands",
    "runs": "commands",
    "rewards": "library",
    "exact": "library",
    "fuzz_captions": "library",
    "fuzz_files": "fuzz_files",
    "visitors": "visitors",
    "redraw": "browser",
}


def find_measure(name: str) -> Callable[..., object]:
    measure: Callable[..., object] = getattr(import_module(f"tools.benchmarks.{MEASURES[name]}"), name)
    return measure


def make_measure_parser(name: str) -> ArgumentParser:
    """Return a parser with an option for each parameter of a measure, a required path if it has no default."""
    measure = find_measure(name)
    parser = ArgumentParser(f"python -m tools.benchmarks {name}", description=measure.__doc__, formatter_class=RawDescriptionHelpFormatter)
    for parameter in signature(measure).parameters.values():
        flag, default = "--" + parameter.name.replace("_", "-"), parameter.default
        if default is Parameter.empty:
            parser.add_argument(flag, type=Path, required=True)
        elif isinstance(default, bool):
            parser.add_argument(flag, action="store_true")
        elif isinstance(default, tuple):
            parser.add_argument(flag, nargs="+", type=type(default[0]), default=default, help=f"default: {default}")
        else:
            parser.add_argument(flag, type=type(default), default=default, help=f"default: {default or 'none'}")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Run the named measure, and return the exit code."""
    name, *options = [argument.replace("-", "_") for argument in arguments[:1]] + list(arguments[1:]) or [""]
    if name not in MEASURES:
        print("expected one of:", *MEASURES, file=sys.stderr)
        return 2
    values = vars(make_measure_parser(name).parse_args(options))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before", flush=True)
    has_failed = find_measure(name)(**values)
    print(f"load {os.getloadavg()[0]:.1f} after")
    return int(bool(has_failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
