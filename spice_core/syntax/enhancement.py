"""Enhancement steps, which turn a basic tree into the graph that the rules read, and the discourse steps that precede them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from spice_core.errors import Message, UnknownNameError
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Document, Sentence, Token

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


StepType = TypeVar("StepType", bound=Step | DiscourseStep)


def trace_edges(steps: Iterable[Step], tokens: Tokens, edges: Edges) -> list[tuple[Step, Edges]]:
    """Return the steps in order, each with the edges after it."""
    graph, out = DependencyGraph(tokens, edges), []
    for step in steps:
        graph = step.apply(graph)
        out.append((step, graph.edges))
    return out


def enhance_sentence(sentence: Sentence, steps: Iterable[Step], edges: Edges) -> Sentence:
    """Return the sentence with the enhanced graph that the steps make from the edges."""
    graph = DependencyGraph(sentence.resolved_tokens, edges)
    for step in steps:
        graph = step.apply(graph)
    return replace(sentence, enhanced=graph.edges)


def apply_discourse(document: Document, steps: Iterable[DiscourseStep]) -> Document:
    """Return the document after the discourse steps."""
    sentences = document.sentences
    for step in steps:
        sentences = step.apply(sentences)
    return document if sentences is document.sentences else replace(document, sentences=sentences)


def select_steps(steps: Iterable[StepType], names: Sequence[str]) -> list[StepType]:
    """Return the steps with these names, in the order of ``names``. Raises UnknownNameError."""
    by_name = {step.name: step for step in steps}
    for name in names:
        if name not in by_name:
            raise UnknownNameError(Message("kind.step"), name, by_name)
    return [by_name[name] for name in names]


def divide_steps(steps: Iterable[Step], discourse: Iterable[DiscourseStep], names: Sequence[str]) -> tuple[list[DiscourseStep], list[Step]]:
    """Return the discourse steps and the enhancement steps with these names. Raises UnknownNameError."""
    all_steps: list[Step | DiscourseStep] = [*discourse, *steps]
    selected_steps = select_steps(all_steps, names)
    return [s for s in selected_steps if isinstance(s, DiscourseStep)], [s for s in selected_steps if isinstance(s, Step)]
