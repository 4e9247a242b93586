"""Enhancement steps, which turn a basic tree into the graph that the rules read, and the discourse steps that precede them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, Token

Tokens = tuple[Token, ...]
Edges = tuple[Dependency, ...]
Sentences = tuple[Sentence, ...]


class Step(NamedTuple):
    """A named step of the enhancement of a sentence."""

    name: str
    reason: str
    apply: Callable[[DependencyGraph], DependencyGraph]


class DiscourseStep(NamedTuple):
    """A named step that changes the sentences of a caption before each sentence is enhanced."""

    name: str
    reason: str
    apply: Callable[[Sentences], Sentences]


def enhance_sentence(sentence: Sentence, steps: Iterable[Step], edges: Edges) -> Sentence:
    """Return the sentence with the enhanced graph that the steps make from the edges."""
    graph = DependencyGraph(sentence.resolved_tokens, edges)
    for step in steps:
        graph = step.apply(graph)
    return replace(sentence, enhanced=graph.edges)
