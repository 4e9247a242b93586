"""The interface of similarities for soft matching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import Parse

if TYPE_CHECKING:
    import numpy as np


class Side(NamedTuple):
    """The tuples of a graph, and the parses that the graph was merged from."""

    tuples: tuple[SceneTuple, ...]
    parses: tuple[Parse, ...]


class Similarity(Protocol):
    """Similarity of tuples and of captions."""

    signature: str

    def prepare(self, parses: Iterable[Parse]) -> None:
        """Prepare captions for comparison, for example by encoding them in batches."""

    def matrix(self, candidate: Side, references: Side) -> np.ndarray:
        """Return the similarity matrix (candidate tuples, reference tuples), with values from 0 to 1."""

    def caption_similarities(self, candidate: Side, references: Side) -> Sequence[float] | None:
        """Return the similarity of the candidate caption to each reference, or None if this similarity only compares tuples."""

    def hypernym_paths(self, a: SceneTuple, b: SceneTuple) -> tuple[tuple[str, ...], ...]:
        """Return the hypernym paths that explain why two tuples are similar, if there are any."""
