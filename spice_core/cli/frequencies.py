"""The command ``frequencies``: count the document frequencies of n-grams, so that CIDEr-D can score a single image."""

from __future__ import annotations

import argparse
from pathlib import Path

from spice_core.catalogues import format_quantity
from spice_core.cli import arguments, output
from spice_core.data.sources import ReferenceCorpus
from spice_core.lang import LANGUAGES, language
from spice_core.metrics.text.frequencies import DocumentFrequencies

_DESCRIPTION = """The command counts in how many images each n-gram of the references occurs. INPUT may be COCO annotations, a table of
captions such as Clotho's, or any other file that contains references. `metrics --metrics CIDEr-D:FILE` uses the output."""


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``frequencies``."""
    command = commands.add_parser("frequencies", help="count document frequencies for CIDEr-D", description=_DESCRIPTION)
    command.add_argument("input", metavar="INPUT")
    command.add_argument("--lang", default="en", help=f"language of the captions: {', '.join(LANGUAGES)} (default: en)")
    command.add_argument("--split", default="", metavar="NAME", help="count only images of this split")
    command.add_argument(
        "--columns", nargs="+", default=[], metavar="FIELD=NAME[,NAME]", help="columns of a table: image_id=file_name captions=a,b"
    )
    command.add_argument("--out", metavar="FILE", required=True, help="output file, as JSON; gzipped if its name ends in .gz")
    command.set_defaults(run=run_frequencies)


@arguments.report_cleaned_texts()
def run_frequencies(options: argparse.Namespace) -> int:
    """Count document frequencies, write them to a file, print a summary, and return 0."""
    output.check_distinct({"--out": options.out}, [options.input])
    output.check_writable(options.out)
    columns = {name: values.split(",") for name, _, values in (column.partition("=") for column in options.columns)}
    corpus = ReferenceCorpus(Path(options.input), columns=columns, split=options.split)
    images = corpus.captions()
    frequencies = DocumentFrequencies.of_captions(images, language(options.lang))
    frequencies.save(options.out)
    arguments.print_notices(corpus.notices)
    arguments.print_encodings(corpus.encodings)
    print(
        f"{options.out}: {format_quantity(frequencies.images, 'image')}, {format_quantity(sum(map(len, images)), 'caption')}, {len(frequencies.counts):,} n-grams, {frequencies.digest}"
    )
    return 0
