"""The command ``why``: explain why two words of a caption form a tuple or not."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

from spice_core.cli import arguments
from spice_core.data.items import check_caption
from spice_core.errors import InputError
from spice_core.explain.evidence import tuple_text
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.rules.mismatches import EdgeWithTokens
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document
from spice_core.workbench.trace import SentenceTrace, StepEffect, trace_sentences

_DESCRIPTION = """The command first prints the rules that relate the two words of CAPTION, with their tuples. Then it prints the
enhancement steps that changed an edge of either word, including edges to other words. If no rule relates the words, it finally prints the
rules that came closest to applying, each with the first condition that failed and what was found instead."""
_MAX_SHOWN_RULES = 5  # maximum number of printed rules that do not apply, without --all


def add_command(commands: arguments.CommandParsers) -> None:
    """Add the command ``why``."""
    command = commands.add_parser(
        "why",
        parents=[arguments.parsing_options()],
        help="explain why two words of a caption do or do not form a tuple",
        description=_DESCRIPTION,
    )
    command.add_argument("caption", metavar="CAPTION")
    command.add_argument("words", metavar="WORD", nargs=2)
    command.add_argument(
        "--all", action="store_true", help="print all rules that do not apply, not only the closest, even if a rule relates the words"
    )
    command.set_defaults(run=run_why)


@arguments.report_cleaned_texts()
def run_why(options: argparse.Namespace) -> int:
    """Print the tuples that relate two words of a caption, the steps that changed the words' edges, and the failed conditions."""
    caption, *words = (
        check_caption(text, where) for text, where in ((options.caption, "CAPTION"), *((word, "WORD") for word in options.words))
    )
    spice = Spice(arguments.config_from_options(options))
    (parse,) = spice.parse([caption])
    assert parse.document is not None
    sentence_index, pair = _find_words(parse.document, words)
    graph = DependencyGraph.from_sentence(parse.document.sentences[sentence_index])
    tuples = [
        p for p in parse.propositions if parse.tree(p) == sentence_index and set(pair) <= {t.index for part in p.tokens for t in part}
    ]
    for p in tuples:
        print(f"{p.rule}: {tuple_text(p.words)}")
    for line in () if tuples else _preposition_hints(graph, pair):
        print(line)
    for line in _step_lines(_trace(spice, caption, sentence_index), pair):
        print(line)
    if options.all or not tuples:
        for rule, failure in spice.rules.find_failures(graph, *pair)[: None if options.all else _MAX_SHOWN_RULES]:
            print(f"{rule.name} does not apply: expected {failure.condition}; found {failure.mismatch}")
    return 0


def _preposition_hints(graph: DependencyGraph, pair: tuple[int, int]) -> Iterator[str]:
    """Yield a hint for each preposition of the pair: in rules, a preposition is part of an edge label, not a word."""
    for index in pair:
        if noun := graph.head(index, "case"):
            pairs = " or ".join(f"{graph.word(head)} {graph.word(noun)}" for head in graph.heads(noun) if head)
            yield f"{graph.word(index)} is a preposition: ask about the words that it joins" + (f" ({pairs})" if pairs else "")


def _trace(spice: Spice, caption: str, sentence: int) -> SentenceTrace:
    """Trace one sentence of a caption from the parser's tree to the graph that the rules read."""
    (document,) = spice.parser.parse([caption])
    return trace_sentences(language(spice.lang), spice.rules, document.sentences)[sentence]


def _step_lines(trace: SentenceTrace, pair: tuple[int, int]) -> Iterator[str]:
    """Yield a line for each enhancement step that changed an edge of a word of the pair."""
    for effect in trace.steps:
        if changes := list(_iterate_changes(trace, effect, set(pair))):
            yield f"step {effect.step.name}: {'; '.join(changes)}"


def _iterate_changes(trace: SentenceTrace, effect: StepEffect, words: set[int]) -> Iterator[str]:
    """Yield a step's changes to edges of these words."""

    def texts(edges: Iterable[Dependency]) -> list[str]:
        changed_edges = (e for e in edges if words & {e.head, e.dependent} and e.head)
        return [str(EdgeWithTokens(trace.graph.token(e.head), e.relation, trace.graph.token(e.dependent))) for e in changed_edges]

    yield from (f"removed {edge}" for edge in texts(effect.removed_edges))
    yield from (f"added {edge}" for edge in texts(effect.added_edges))
    yield from (f"renamed {old} to {new.relation}" for before, new in effect.relabelled_edges for old in texts([before]))


def _find_words(document: Document, words: Sequence[str]) -> tuple[int, tuple[int, int]]:
    """Return the index of the first sentence that contains both words (as text or lemma), and their token indices.

    Raises InputError if no sentence has both words.
    """
    for sentence_index, sentence in enumerate(document.sentences):
        a, b = ([t.index for t in sentence.tokens if word.lower() in (t.text.lower(), t.lemma)] for word in words)
        if pair := next(((i, j) for i in a for j in b if i != j), None):
            return sentence_index, pair
    raise InputError("WORD", " ".join(words), f"two words of one sentence of {document.text!r}")
