"""The command ``parse``: propositions and tuples of captions."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TextIO

from spice_core.cli import arguments
from spice_core.data.factual import write_graph
from spice_core.data.items import check_caption, in_utf8
from spice_core.data.reader import readable
from spice_core.files import check_regular
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse
from spice_core.syntax import conllu


def add(commands: arguments.Commands) -> None:
    """Add the command ``parse``."""
    command = commands.add_parser("parse", parents=[arguments.parsing()], help="propositions and tuples of captions")
    command.add_argument("file", metavar="FILE", help="one caption per line; - for standard input")
    command.add_argument("--conllu", action="store_true", help="FILE holds trees in CoNLL-U, used unchanged")
    command.add_argument("--factual", action="store_true", help="add the scene graph in FACTUAL's notation and conventions")
    command.set_defaults(run=parse)


def parse(options: argparse.Namespace) -> int:
    """Parse captions, one per line, or read trees in CoNLL-U; print one JSON line per caption."""
    spice = Spice(arguments.config(options))
    for parsed in _parses(spice, options):
        graph = spice.graph([parsed])
        row = {
            "caption": parsed.caption,
            "propositions": [list(p.words) for p in parsed.propositions],
            "tuples": [list(t.words) for t in graph.tuples()],
        }
        if options.factual:
            row["scene_graph"] = write_graph(language(options.lang).in_factual_style(parsed).propositions)
        print(json.dumps(row, ensure_ascii=False))
    return 0


def _parses(spice: Spice, options: argparse.Namespace) -> Iterator[Parse]:
    if not options.conllu:
        captions = [check_caption(line.rstrip("\r\n"), f"{options.file}, line {n}") for n, line in enumerate(_lines(options.file), 1)]
        # the parser normalises white space; the output keeps the caption as it was given
        for caption, parsed in zip(captions, spice.parse(captions)):
            yield replace(parsed, caption=caption)
        return
    for document in conllu.read(_lines(options.file), name=options.file):
        yield spice.parse_document(document)


def _lines(name: str) -> Iterator[str]:
    with readable(name), _opened(name) as file:
        for number, line in enumerate(file, 1):
            yield in_utf8(line, f"{name}, line {number}")


def _opened(name: str) -> TextIO:
    if name == "-" and isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
        return sys.stdin
    check_regular(name)
    return open(name, encoding="utf-8-sig", errors="surrogateescape")
