"""The command ``frequencies``: document frequencies of n-grams, with which CIDEr-D scores a single image."""

from __future__ import annotations

import argparse
from pathlib import Path

from spice_core.cli import arguments, output
from spice_core.data.reference_corpus import ReferenceCorpus
from spice_core.lang import LANGUAGES, language
from spice_core.metrics.text.frequencies import DocumentFrequencies

_DESCRIPTION = """Counts in how many images each n-gram of the references occurs. INPUT is COCO annotations, a table of captions such as
Clotho's, or another layout of references or of captions to score; `metrics --metrics CIDEr-D:FILE` reads what is written."""


def add(commands: arguments.Commands) -> None:
    """Add the command ``frequencies``."""
    command = commands.add_parser("frequencies", help="count document frequencies for CIDEr-D", description=_DESCRIPTION)
    command.add_argument("input", metavar="INPUT")
    command.add_argument("--lang", default="en", help=f"language of the captions: {', '.join(LANGUAGES)} (default: en)")
    command.add_argument("--split", default="", metavar="NAME", help="only images of this split")
    command.add_argument("--columns", nargs="+", default=[], metavar="FIELD=NAME[,NAME]", help="image_id=file_name captions=a,b")
    command.add_argument("--out", metavar="FILE", required=True, help="where they go, as JSON; packed if it ends in .gz")
    command.set_defaults(run=frequencies)


def frequencies(options: argparse.Namespace) -> int:
    """Count, write, and say what was counted."""
    output.check_apart({"--out": options.out}, [options.input])
    output.check(options.out)
    columns = {name: values.split(",") for name, _, values in (each.partition("=") for each in options.columns)}
    corpus = ReferenceCorpus(Path(options.input), columns=columns, split=options.split)
    images = corpus.captions()
    found = DocumentFrequencies.of_captions(images, language(options.lang))
    found.save(options.out)
    arguments.say(corpus.notices)
    arguments.say_encodings(corpus.encodings)
    print(f"{options.out}: {found.images:,} images, {sum(map(len, images)):,} captions, {len(found.counts):,} n-grams, {found.digest}")
    return 0
