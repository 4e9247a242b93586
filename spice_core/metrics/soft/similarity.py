"""What soft matching asks of a similarity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import Parse

if TYPE_CHECKING:
    import numpy as np


class Side(NamedTuple):
    """The tuples of a graph and the parses that it was merged from."""

    tuples: tuple[SceneTuple, ...]
    parses: tuple[Parse, ...]


class Similarity(Protocol):
    """How near tuples and captions are to each other."""

    signature: str

    def prepare(self, parses: Iterable[Parse]) -> None:
        """Make ready for captions that come soon, where that is faster together."""

    def matrix(self, candidate: Side, references: Side) -> np.ndarray:
        """Similarities from 0 to 1: (candidate tuples, reference tuples)."""

    def captions(self, candidate: Side, references: Side) -> Sequence[float] | None:
        """The similarity of the whole candidate caption with each reference; None where there is no such thing."""

    def paths(self, a: SceneTuple, b: SceneTuple) -> tuple[tuple[str, ...], ...]:
        """Why two tuples are near: chains of hypernyms, if any."""
