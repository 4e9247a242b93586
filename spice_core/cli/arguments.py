"""Options that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from spice_core.errors import InputError
from spice_core.lang import language
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.registry import DEFAULT, available, unavailable


class OldName(argparse.Action):
    """An option under a name that it had until 0.2: read, with one line on its new name."""

    def __init__(self, option_strings: Sequence[str], dest: str, *, new: str, **settings: Any):
        super().__init__(option_strings, dest, help=argparse.SUPPRESS, default=argparse.SUPPRESS, **settings)
        self._new = new

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None) -> None:
        """Set the value, and say what the option is called now."""
        print(f"spice-core: {option} is now {self._new}", file=sys.stderr)
        setattr(namespace, self.dest, values)


def check(options: argparse.Namespace) -> None:
    """Raise InputError for an invalid number of resamples or seed."""
    if options.resamples < 1:
        raise InputError("--resamples", options.resamples, "1 or more")
    if options.seed < 0:
        raise InputError("--seed", options.seed, "0 or more")


def add_options(command: argparse.ArgumentParser) -> None:
    """Add these options to a command."""
    command.add_argument("--resamples", type=int, default=1000, metavar="N", help="of the bootstrap (default: 1000)")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the bootstrap (default: 0)")


def say_encodings(encodings: Mapping[str, str]) -> None:
    """A line on standard error for each file that was not in UTF-8, with the encoding that it was read in."""
    for file, encoding in encodings.items():
        print(f"spice-core: {file} was read as {encoding}", file=sys.stderr)


def metrics(options: argparse.Namespace) -> list[str]:
    """The names of the metrics asked for; of ``all``, each that the language lacks gets a line on standard error."""
    if options.metrics and options.metrics != ["all"]:
        return list(options.metrics)
    pack = language(options.lang)
    for line in unavailable(pack) if options.metrics else ():
        print(f"spice-core: {line}", file=sys.stderr)
    return available(pack, None if options.metrics else DEFAULT)


def config(options: argparse.Namespace) -> SpiceConfig:
    """The settings of the metric from the options, with all names and the text of a rule file."""
    synonyms = "none" if getattr(options, "no_synsets", False) else getattr(options, "synonyms", "")
    return SpiceConfig(options.lang, options.parser, options.rules, synonyms).resolved()
