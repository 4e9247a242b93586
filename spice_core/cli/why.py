"""The command ``why``: why two words of a caption make a tuple, or why not."""

from __future__ import annotations

import argparse

from spice_core.cli import arguments
from spice_core.data.items import check_caption
from spice_core.errors import InputError
from spice_core.explain.evidence import tuple_text
from spice_core.metrics.spice import Spice
from spice_core.syntax.dependency_graph import DependencyGraph

_DESCRIPTION = """Prints the rules that relate two words of CAPTION with their tuples, then the other rules, nearest first, with the
first condition that failed and what was found instead."""


def add(commands: arguments.Commands) -> None:
    """Add the command ``why``."""
    command = commands.add_parser(
        "why", parents=[arguments.parsing()], help="why two words of a caption form a tuple, or why not", description=_DESCRIPTION
    )
    command.add_argument("caption", metavar="CAPTION")
    command.add_argument("words", metavar="WORD", nargs=2)
    command.set_defaults(run=why)


def why(options: argparse.Namespace) -> int:
    """Print the tuples that relate two words of a caption, or the conditions that stopped the rules."""
    for text, where in ((options.caption, "CAPTION"), *((word, "WORD") for word in options.words)):
        check_caption(text, where)
    spice = Spice(arguments.config(options))
    (parsed,) = spice.parse([options.caption])
    assert parsed.document is not None
    for number, sentence in enumerate(parsed.document.sentences):
        a, b = ([t.index for t in sentence.tokens if word.lower() in (t.text.lower(), t.lemma)] for word in options.words)
        pair = next(((i, j) for i in a for j in b if i != j), None)
        if pair:
            break
    else:
        raise InputError("WORD", " ".join(options.words), f"two words of one sentence of {options.caption!r}")
    graph = DependencyGraph.of(sentence)
    for p in parsed.propositions:
        if parsed.tree(p) == number and set(pair) <= {t.index for part in p.tokens for t in part}:
            print(f"{p.rule}: {tuple_text(p.words)}")
    for rule, failure in spice.rules.why_not(graph, *pair):
        print(f"{rule.name} does not apply: expected {failure.condition}; found {failure.observed}")
    return 0
