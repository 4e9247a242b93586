"""Command ``import-wordnet``: a user's own Japanese WordNet, read once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from spice_core.cli import arguments, output

_DESCRIPTION = """Reads the Japanese WordNet 1.1 (wnjpn.db or wnjpn.db.gz, https://bond-lab.github.io/wnja/) into a small file;
--synonyms wordnet and sudachi+wordnet use it from then on."""


def add(commands: arguments.Commands) -> None:
    """Add the command ``import-wordnet``."""
    command = commands.add_parser("import-wordnet", help="import the Japanese WordNet as a source of synonyms", description=_DESCRIPTION)
    command.add_argument("file", metavar="FILE", help="wnjpn.db or wnjpn.db.gz")
    command.add_argument(
        "--out", metavar="FILE", help="where the small file goes (default: the user's data folder); name it with wordnet:FILE"
    )
    command.add_argument("--silent", action="store_true", help="no progress")
    command.set_defaults(run=import_wordnet)


def import_wordnet(options: argparse.Namespace) -> int:
    """Import the file and say what it holds."""
    from spice_core.lang.ja import wordnet_import

    output.check_apart({"--out": options.out or wordnet_import.home()}, [options.file])
    shown = not options.silent and sys.stderr.isatty()
    counts = wordnet_import.import_wordnet(options.file, options.out, progress=_bar if shown else wordnet_import.no_progress)
    print(f"{options.out or wordnet_import.home()}: {counts.words:,} words, {counts.synsets:,} synsets, ", end="")
    print(f"{counts.senses:,} senses, {counts.hypernyms:,} hypernym links")
    return 0


def _bar(rows: Iterable[tuple[object, ...]], table: str, number: int) -> Iterable[tuple[object, ...]]:
    from tqdm import tqdm

    bar: Iterable[tuple[object, ...]] = tqdm(rows, total=number, desc=table, unit=" rows", file=sys.stderr)
    return bar
