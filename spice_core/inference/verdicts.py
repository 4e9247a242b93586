"""Verdicts on unmatched tuples: entailed by the other side, contradicted by it, or not mentioned there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spice_core.scene.graph import SceneTuple
from spice_core.scene.matching import MatchState

if TYPE_CHECKING:
    from spice_core.inference.prover import Proof

# Credits of the candidate's and the references' tuples, chosen by agreement with ratings (docs/rules.md#matching-by-meaning)
CREDITS = {MatchState.NARROWER: {"c": 0.25, "r": 0.5}, MatchState.SAME_KIND: {"c": 0.1, "r": 0.1}}


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


class Relative(NamedTuple):
    """Tuple with a related tuple of the other side: one that it entails (``narrower``), or one of the ``same_kind``."""

    tuple_: SceneTuple
    related_tuple: SceneTuple
    state: MatchState

    @property
    def credit(self) -> float:
        """The credit of the tuple, as a share of 1."""
        return CREDITS[self.state][self.tuple_.id[0]]


class Verdicts(NamedTuple):
    """Entailments, contradictions and relatives of both sides, those of the candidate's tuples first.

    ``is_judged`` is False if the scheme does not compare by meaning.
    """

    entailments: tuple[Entailment, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    relatives: tuple[Relative, ...] = ()
    is_judged: bool = False

    @property
    def entailed(self) -> tuple[Entailment, ...]:
        """Alias of ``entailments``."""
        return self.entailments
