"""The command ``parse``: write the propositions and tuples of captions, or convert scene graphs between formats."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from spice_core.cli import arguments
from spice_core.data import graph_parts, graphml, visual_genome
from spice_core.data.factual import read_pairs, write_graph
from spice_core.data.items import check_caption, check_utf8
from spice_core.data.reader import input_errors, open_unpacked
from spice_core.data.results import RowWriter
from spice_core.errors import InputError, Message
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.rules.rule_file import write_tree
from spice_core.scene.propositions import Parse
from spice_core.syntax import conllu
from spice_core.syntax.dependency_graph import DependencyGraph

_LINE_SOURCES = ("captions", "conllu")
_GRAPH_SOURCES = ("visual-genome", "stanford", "sng")  # one reader detects all of these formats
SOURCE_FORMATS = (*_LINE_SOURCES, "factual", *_GRAPH_SOURCES, "graphml")
OUTPUT_FORMATS = ("json", "factual", "visual-genome", "dot", "graphml", "conllu", "tree")
NumberedParse = tuple[int | str, Parse]  # an image id or a number, and the parse


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``parse``."""
    command = commands.add_parser(
        "parse",
        parents=[arguments.parsing_options()],
        help="print the propositions and tuples of captions, or convert scene graphs between formats",
    )
    command.add_argument(
        "file", metavar="FILE", help="one caption per line, or a file of trees or graphs; - for captions or trees from standard input"
    )
    command.add_argument("--from", dest="source", choices=SOURCE_FORMATS, default="captions", help="format of FILE (default: captions)")
    command.add_argument(
        "--format",
        choices=OUTPUT_FORMATS,
        default="json",
        help="output format (default: json, one line per caption; tree: one line per sentence, as in the examples of rule files)",
    )
    command.set_defaults(run=run_parse)


@arguments.report_cleaned_texts()
def run_parse(options: argparse.Namespace) -> int:
    """Parse captions, or read trees or graphs. Write propositions and tuples, or trees or graphs in another format. Return 0."""
    if options.source not in _LINE_SOURCES and options.format in ("conllu", "tree"):
        raise InputError("--from", Message("found.no_trees"), Message("expected.trees_to_write", format=options.format))
    spice = Spice(arguments.config_from_options(options))
    graphs = _numbered_parses(spice, options)
    if options.format == "visual-genome":
        with RowWriter(sys.stdout, lines=False) as out:
            for id, parse in graphs:
                out.write(json.dumps(visual_genome.write_scene_graphs(parse.propositions, id), ensure_ascii=False))
        return 0
    for text in (
        graphml.generate_graphml(parse for _, parse in graphs) if options.format == "graphml" else _iterate_outputs(spice, graphs, options)
    ):
        sys.stdout.write(text)
    return 0


def _iterate_outputs(spice: Spice, graphs: Iterable[NumberedParse], options: argparse.Namespace) -> Iterator[str]:
    for id, parse in graphs:
        if options.format == "dot":
            yield graph_parts.write_dot(parse)
        elif options.format == "conllu":
            yield conllu.write(parse.document) if parse.document else ""
        elif options.format == "tree":
            for sentence in parse.document.sentences if parse.document else ():
                yield write_tree(DependencyGraph.from_sentence(sentence)) + "\n"
        elif options.format == "factual":
            yield _json_line({"caption": parse.caption, "scene_graph": _factual_text(parse, options)})
        else:
            row: dict[str, object] = {
                **({"image_id": id} if options.source in _GRAPH_SOURCES else {}),
                "caption": parse.caption,
                "propositions": [list(p.words) for p in parse.propositions],
                "tuples": [list(t.words) for t in spice.graph([parse]).tuples()],
            }
            yield _json_line(row)


def _json_line(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _factual_text(parse: Parse, options: argparse.Namespace) -> str:
    """Return the graph in FACTUAL's notation, with FACTUAL's conventions for a graph parsed from a caption or a tree."""
    return write_graph((language(options.lang).to_factual_style(parse) if parse.document else parse).propositions)


def _numbered_parses(spice: Spice, options: argparse.Namespace) -> Iterator[NumberedParse]:
    """Iterate over the parses of the file, each with its image id (Visual Genome) or its number from 1."""
    if options.source in _GRAPH_SOURCES:
        return visual_genome.read_scene_graphs(Path(options.file))
    return enumerate(_iterate_parses(spice, options), 1)


def _iterate_parses(spice: Spice, options: argparse.Namespace) -> Iterator[Parse]:
    if options.source == "factual":
        for caption, parse in read_pairs(Path(options.file)):
            yield replace(parse, caption=caption)
    elif options.source == "graphml":
        yield from graphml.read_graphml(Path(options.file))
    elif options.source == "conllu":
        for document in conllu.read(_iterate_lines(options.file), name=options.file):
            yield spice.parse_document(document)
    else:
        captions = [
            check_caption(line.rstrip("\r\n"), f"{options.file}, line {n}") for n, line in enumerate(_iterate_lines(options.file), 1)
        ]
        # the parser normalises white space, but the output keeps the original caption
        for caption, parse in zip(captions, spice.parse(captions)):
            yield replace(parse, caption=caption)


def _iterate_lines(name: str) -> Iterator[str]:
    with input_errors(name), _open_input(name) as file:
        for line_number, line in enumerate(file, 1):
            yield check_utf8(line, f"{name}, line {line_number}")


def _open_input(name: str) -> TextIO:
    if name == "-" and isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
        return sys.stdin
    return io.TextIOWrapper(open_unpacked(Path(name)), encoding="utf-8-sig", errors="surrogateescape")
