"""Options that several commands share."""

from __future__ import annotations

import argparse

from spice_core.errors import InputError


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


def settings(options: argparse.Namespace) -> tuple[tuple[str, object], ...]:
    """The arguments of Spice from the options, as pairs."""
    synonyms = "none" if getattr(options, "no_synsets", False) else getattr(options, "synonyms", None)
    return (("lang", options.lang), ("analyser", options.analyser), ("rules", options.rules), ("synonyms", synonyms))
