"""The base class of similarities for soft matching, and what they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from spice_core.metrics.config import TransientCaches
from spice_core.scene.graph import Mention, SceneTuple
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Token

if TYPE_CHECKING:
    import numpy as np


class Side(NamedTuple):
    """The tuples of a graph, and the parses merged into it."""

    tuples: tuple[SceneTuple, ...]
    parses: tuple[Parse, ...]


class Similarity(TransientCaches):
    """Base class for similarities of tuples and, optionally, of captions."""

    signature: str

    def prepare(self, parses: Iterable[Parse]) -> None:
        """Prepare captions for comparison, for example by encoding them in batches."""

    def matrix(self, candidate: Side, references: Side) -> np.ndarray:
        """Return the similarity matrix (candidate tuples, reference tuples), with values from 0 to 1."""
        raise NotImplementedError

    def caption_similarities(self, candidate: Side, references: Side) -> Sequence[float] | None:
        """Return the similarity of the candidate caption to each reference, or None if this similarity only compares tuples."""
        return None

    def hypernym_paths(self, a: SceneTuple, b: SceneTuple) -> tuple[tuple[str, ...], ...]:
        """Return the hypernym paths that explain why two tuples are similar, if there are any."""
        return ()


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the cosine of two unit vectors, or 0 if it is negative."""
    return min(1.0, max(0.0, float(a @ b)))


def mention_tokens(mention: Mention, length: int) -> tuple[Sequence[int], list[Token]]:
    """Return the parts of a mention of a tuple with ``length`` parts, and their tokens. A mention of an object has only the object."""
    proposition = mention.proposition
    parts = range(len(proposition.words)) if length > 1 else [mention.part]
    return parts, [token for i in parts if i < len(proposition.tokens) for token in proposition.tokens[i]]
