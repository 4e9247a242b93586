"""The command ``import-wordnet``: import a copy of the Japanese WordNet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from spice_core.cli import arguments, output

_DESCRIPTION = """The command converts the Japanese WordNet 1.1 (wnjpn.db or wnjpn.db.gz, https://bond-lab.github.io/wnja/) to a small
file. The options --synonyms wordnet and --synonyms sudachi+wordnet then use the file."""


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``import-wordnet``."""
    command = commands.add_parser("import-wordnet", help="import the Japanese WordNet as a source of synonyms", description=_DESCRIPTION)
    command.add_argument("file", metavar="FILE", help="wnjpn.db or wnjpn.db.gz")
    command.add_argument(
        "--out",
        metavar="FILE",
        help="output file, for --synonyms wordnet:FILE (default: a file in the user's data folder, for --synonyms wordnet)",
    )
    command.add_argument("--silent", action="store_true", help="print no progress")
    command.set_defaults(run=run_import_wordnet)


def run_import_wordnet(options: argparse.Namespace) -> int:
    """Import the file and print its numbers of words, synsets, senses and links."""
    from spice_core.lang.ja.wordnet import wordnet_import

    output.check_distinct({"--out": options.out or wordnet_import.default_wordnet_path()}, [options.file])
    shows_progress = not options.silent and sys.stderr.isatty()
    counts = wordnet_import.import_wordnet(
        options.file, options.out, progress=_show_progress_bar if shows_progress else wordnet_import.no_progress
    )
    print(f"{options.out or wordnet_import.default_wordnet_path()}: {counts.words:,} words, {counts.synsets:,} synsets, ", end="")
    print(f"{counts.senses:,} senses, {counts.hypernyms:,} hypernym links")
    return 0


def _show_progress_bar(rows: Iterable[tuple[object, ...]], table: str, row_count: int) -> Iterable[tuple[object, ...]]:
    from tqdm import tqdm

    bar: Iterable[tuple[object, ...]] = tqdm(rows, total=row_count, desc=table, unit=" rows", file=sys.stderr)
    return bar
