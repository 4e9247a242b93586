"""Named steps of an enhancement: how a basic tree becomes, one step after another, the graph that the rules read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from spice_core.document import Dependency, Token
from spice_core.errors import UnknownNameError

Tokens = tuple[Token, ...]
Edges = tuple[Dependency, ...]


class Step(NamedTuple):
    """One named step of the enhancement."""

    name: str
    reason: str
    apply: Callable[[Tokens, Edges], Edges]


def selected(steps: Iterable[Step], names: Sequence[str]) -> list[Step]:
    """The steps of these names, in the order of ``names``. Raises UnknownNameError."""
    by_name = {step.name: step for step in steps}
    for name in names:
        if name not in by_name:
            raise UnknownNameError("enhancement step", name, by_name)
    return [by_name[name] for name in names]
