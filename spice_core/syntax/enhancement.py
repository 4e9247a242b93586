"""Named enhancement steps, which turn a basic tree into the graph that the rules read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from spice_core.errors import UnknownNameError
from spice_core.syntax.document import Dependency, Sentence, Token

Tokens = tuple[Token, ...]
Edges = tuple[Dependency, ...]


class Step(NamedTuple):
    """One named step of the enhancement."""

    name: str
    reason: str
    apply: Callable[[Tokens, Edges], Edges]


def traced(steps: Iterable[Step], tokens: Tokens, edges: Edges) -> list[tuple[Step, Edges]]:
    """The steps in order, each with the edges after it."""
    out = []
    for step in steps:
        edges = step.apply(tokens, edges)
        out.append((step, edges))
    return out


def enhanced(sentence: Sentence, steps: Iterable[Step], edges: Edges) -> Sentence:
    """The sentence with the enhanced graph made by applying the steps to the edges."""
    for step in steps:
        edges = step.apply(sentence.tokens, edges)
    return replace(sentence, enhanced=edges)


def selected(steps: Iterable[Step], names: Sequence[str]) -> list[Step]:
    """The steps of these names, in the order of ``names``. Raises UnknownNameError."""
    by_name = {step.name: step for step in steps}
    for name in names:
        if name not in by_name:
            raise UnknownNameError("enhancement step", name, by_name)
    return [by_name[name] for name in names]
