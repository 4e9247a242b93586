"""The commands ``gold`` and ``factual``, which compare parses with hand-made graphs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from spice_core.catalogues import format_quantity
from spice_core.cli import arguments
from spice_core.data.factual import is_set_match, read_pairs, write_graph
from spice_core.data.gold import GoldGraph, read_cases
from spice_core.errors import InputError, Message
from spice_core.evaluation.gold import compare_gold
from spice_core.explain.evidence import tuple_text
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse

_Row = TypeVar("_Row")


@arguments.report_cleaned_texts()
def run_gold(options: argparse.Namespace) -> int:
    """Compare a gold file's graphs with parses of its captions. Print scores by kind and rule, and the differences."""
    graphs = _check_nonempty(options.file, read_cases(Path(options.file), place_links=options.place_links))
    split_graphs = [g for g in graphs if options.split in (None, g.split)]
    if not split_graphs:
        raise InputError("--split", options.split, " or ".join(sorted({g.split for g in graphs} - {""})) or "a file with splits")
    spice = Spice(arguments.config_from_options(options))
    report = compare_gold(split_graphs, _parse_graphs(spice, split_graphs))
    print(report)
    if not options.silent:
        for difference in report.differences:
            print(f"\n{difference.caption}")
            for words, rules in difference.extra.items():
                print(f"  extra    {tuple_text(words)}  ({', '.join(rules)})")
            for words in difference.missing:
                print(f"  missing  {tuple_text(words)}")
    print(f"\n{format_quantity(len(split_graphs), 'caption')}, {len(report.differences)} differ; {spice.signature}")
    return 0


@arguments.report_cleaned_texts()
def run_factual(options: argparse.Namespace) -> int:
    """Compare FACTUAL's graphs with parses in its conventions. Print the differences, the mean F1 and the share of equal graphs."""
    rows, pack = _check_nonempty(options.file, read_pairs(Path(options.file))), language(options.lang)
    # FACTUAL reports the original SPICE's scores, so this command uses its scheme and synonyms. The defaults need actions and parts of
    # speech, which FACTUAL's graphs lack.
    spice = Spice(replace(arguments.config_from_options(options), scheme="spice", synonyms=next(iter(pack.synonyms))))
    parses = [pack.to_factual_style(parse) for parse in spice.parse(caption for caption, _ in rows)]
    scores = [spice.compare(parse, [graph]).f1 for parse, (_, graph) in zip(parses, rows)]
    equal_flags = [is_set_match(parse, graph) for parse, (_, graph) in zip(parses, rows)]
    if not options.silent:
        for parse, (caption, graph), score, is_equal in zip(parses, rows, scores, equal_flags):
            if not is_equal:
                print(f"{score:.3f} {caption}\n  parsed {write_graph(parse.propositions)}\n  gold   {write_graph(graph.propositions)}")
    count = len(rows)
    print(
        f"SPICE {sum(scores) / count:.4f}, set match {sum(equal_flags) / count:.4f} over {format_quantity(count, 'graph')}; {spice.signature}"
    )
    return 0


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the commands ``gold`` and ``factual``."""
    parsing_options = arguments.parsing_options()
    command = commands.add_parser("gold", parents=[parsing_options], help="compute precision and recall of tuples against gold graphs")
    command.add_argument(
        "file",
        metavar="FILE",
        help='JSON lines {"caption": …, "tuples": [["dog"], ["dog", "on", "sofa"]]}, or trees (.conllu) with "# tuples = [["dog"], …]"',
    )
    command.add_argument("--split", help="compare only the graphs of this split: dev or test")
    command.add_argument("--place-links", action="store_true", help="Japanese: add the tuples in the field place_links to the gold tuples")
    command.add_argument("--silent", action="store_true", help="print only the figures, not the differences")
    command.set_defaults(run=run_gold)

    command = commands.add_parser(
        "factual", parents=[parsing_options], help="compare parses with FACTUAL scene graphs, by SPICE and set match"
    )
    command.add_argument("file", metavar="FILE", help="JSON lines or a table with the fields caption and scene_graph; may be gzipped")
    command.add_argument("--silent", action="store_true", help="print only the figures, not the differences")
    command.set_defaults(run=run_factual)


def _parse_graphs(spice: Spice, graphs: Sequence[GoldGraph]) -> list[Parse]:
    """Return the parse of each caption. If the gold graph comes with a tree, this tree replaces the parser's."""
    parses = spice.parse(graph.caption for graph in graphs if graph.document is None)
    return [spice.parse_document(graph.document) if graph.document else next(parses) for graph in graphs]


def _check_nonempty(file: str, rows: list[_Row]) -> list[_Row]:
    if not rows:
        raise InputError(file, Message("found.no_row"), "captions with graphs")
    return rows
