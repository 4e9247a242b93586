"""Verdicts on unmatched tuples: entailed by the other side, contradicted by it, or not mentioned there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spice_core.scene.graph import SceneTuple

if TYPE_CHECKING:
    from spice_core.inference.prover import Proof


class Entailment(NamedTuple):
    """Tuple that follows from the other side, with the proof."""

    tuple_: SceneTuple
    proof: Proof


class Contradiction(NamedTuple):
    """Tuple that cannot hold if a given tuple of the other side holds.

    ``kind`` is ``exclusive`` (another value of the same property), ``exchanged`` (the subject and the object of a relation are exchanged)
    or ``negated`` (one side affirms what the other negates).
    """

    tuple_: SceneTuple
    conflicting_tuple: SceneTuple
    kind: str


class Verdicts(NamedTuple):
    """Entailments and contradictions of both sides, those of the candidate's tuples first.

    ``is_judged`` is False if the scheme does not compare by meaning.
    """

    entailments: tuple[Entailment, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    is_judged: bool = False

    @property
    def entailed(self) -> tuple[Entailment, ...]:
        """Alias of ``entailments``."""
        return self.entailments
