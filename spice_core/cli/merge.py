"""The command ``merge``: join the results of the shards of a run, in the order of the input."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from spice_core.catalogues import format_quantity
from spice_core.cli import arguments, output
from spice_core.cli.score import RunSummary
from spice_core.data.reader import RowError
from spice_core.data.results import RowFields, ScoredItem, complete_rows
from spice_core.errors import InputError, Message


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``merge``."""
    command = commands.add_parser("merge", help="join the results of score --shard")
    command.add_argument("inputs", nargs="+", metavar="SHARD", help="the results of each shard, as JSON lines")
    command.add_argument("--out", required=True, metavar="FILE", help="output file, equal to that of a run without shards")
    command.set_defaults(run=run_merge)


def run_merge(options: argparse.Namespace) -> int:
    """Write the rows of all shards in the order of the input, print a summary, and return 0.

    Raises InputError if a row is invalid or has another signature than the first, or if a shard or a row is missing.
    """
    output.check_distinct({"--out": options.out}, options.inputs)
    output.check_writable(options.out)
    paths, image_count = _ordered_shards([Path(name) for name in options.inputs])
    summary = RunSummary(RowFields(categories=True, lines=True))
    signature = ""
    with output.open_output(options.out) as file:
        for position in range(image_count):
            if position % len(paths) == 0:
                entries = [next(rows, None) for rows in paths.values()]
            path, entry = [*paths][position % len(paths)], entries[position % len(paths)]
            where = f"line {position // len(paths) + 1}"
            if entry is None:
                raise RowError(
                    path, where, InputError("", Message("found.end_of_file"), f"a row, because the run has {image_count:,} images")
                )
            row = {name: value for name, value in entry[0].items() if name != "shard"}
            try:
                item = ScoredItem.from_json(row)
            except InputError as error:
                raise RowError(path, where, error) from None
            signature = signature or item.signature
            if item.signature != signature:
                raise RowError(path, where, InputError("signature", item.signature, signature))
            summary.add(item)
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{summary}\n{format_quantity(summary.image_count, 'image')} of {format_quantity(len(paths), 'shard')}")
    return 0


def _ordered_shards(paths: list[Path]) -> tuple[dict[Path, Iterator[tuple[dict[str, object], int]]], int]:
    """Return the rows of the files in shard order, and the number of images of the run.

    Raises InputError if a shard is missing or given twice.
    """
    by_shard = {str(next(complete_rows(path), ({}, 0))[0].get("shard")): path for path in paths}
    counts = [name.partition(" of ")[2] for name in by_shard]
    names = [f"{n}/{len(paths)} of {counts[0]}" for n in range(1, len(paths) + 1)]
    if by_shard.keys() != {*names} or not counts[0].isdecimal():
        raise InputError("SHARD", ", ".join(by_shard), ", ".join(names))
    return {by_shard[name]: complete_rows(by_shard[name]) for name in names}, int(counts[0])
