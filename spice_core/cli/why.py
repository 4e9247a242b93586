"""The command ``why``: why two words of a caption make a tuple, or why not."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from spice_core.cli import arguments
from spice_core.data.items import check_caption
from spice_core.errors import InputError
from spice_core.explain.evidence import tuple_text
from spice_core.metrics.spice import Spice
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document

_DESCRIPTION = """Prints the rules that relate two words of CAPTION with their tuples, then the other rules, nearest first, with the
first condition that failed and what was found instead."""


def add(commands: arguments.CommandParsers) -> None:
    """Add the command ``why``."""
    command = commands.add_parser(
        "why", parents=[arguments.parsing_options()], help="why two words of a caption form a tuple, or why not", description=_DESCRIPTION
    )
    command.add_argument("caption", metavar="CAPTION")
    command.add_argument("words", metavar="WORD", nargs=2)
    command.set_defaults(run=run_why)


def run_why(options: argparse.Namespace) -> int:
    """Print the tuples that relate two words of a caption, or the conditions that stopped the rules."""
    for text, where in ((options.caption, "CAPTION"), *((word, "WORD") for word in options.words)):
        check_caption(text, where)
    spice = Spice(arguments.config_from_options(options))
    (parsed,) = spice.parse([options.caption])
    assert parsed.document is not None
    number, pair = _find_words(parsed.document, options.words)
    graph = DependencyGraph.of(parsed.document.sentences[number])
    for p in parsed.propositions:
        if parsed.tree(p) == number and set(pair) <= {t.index for part in p.tokens for t in part}:
            print(f"{p.rule}: {tuple_text(p.words)}")
    for rule, failure in spice.rules.why_not(graph, *pair):
        print(f"{rule.name} does not apply: expected {failure.condition}; found {failure.observed}")
    return 0


def _find_words(document: Document, words: Sequence[str]) -> tuple[int, tuple[int, int]]:
    """Return the first sentence with both words, by text or lemma, and their places. Raises InputError."""
    for number, sentence in enumerate(document.sentences):
        a, b = ([t.index for t in sentence.tokens if word.lower() in (t.text.lower(), t.lemma)] for word in words)
        if pair := next(((i, j) for i in a for j in b if i != j), None):
            return number, pair
    raise InputError("WORD", " ".join(words), f"two words of one sentence of {document.text!r}")
