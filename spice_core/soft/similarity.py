"""What soft matching asks of a similarity, and the similarities by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from spice_core.errors import UnknownNameError
from spice_core.graph import SceneTuple
from spice_core.metric import Spice
from spice_core.propositions import Parse

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


def similarity(name: str | None, spice: Spice) -> Similarity:
    """The similarity of this name for the metric's language; None takes the language's first. Raises UnknownNameError."""
    known = _KNOWN[spice.lang]
    name = name or next(iter(known))
    if name not in known:
        raise UnknownNameError(f"similarity for {spice.lang}", name, known)
    return known[name](spice)


def names(lang: str) -> tuple[str, ...]:
    """The names of a language's similarities, the default first."""
    return tuple(_KNOWN[lang])


def _minilm(spice: Spice) -> Similarity:
    from spice_core.soft.context import InContext
    from spice_core.soft.encoder import encoder

    return InContext(encoder())


def _static(spice: Spice) -> Similarity:
    from spice_core.soft.static import static
    from spice_core.soft.words import PhraseVectors

    return PhraseVectors(static())


def _words(spice: Spice) -> Similarity:
    from spice_core.lang.ja.vectors import vectors
    from spice_core.soft.words import WordVectors

    return WordVectors(vectors())


def _hypernyms(spice: Spice) -> Similarity:
    from spice_core.soft.hypernyms import Hypernyms

    return Hypernyms(spice.synonyms)


_KNOWN: dict[str, dict[str, Callable[[Spice], Similarity]]] = {
    "en": {"minilm": _minilm, "static": _static, "hypernyms": _hypernyms},
    "ja": {"words": _words, "hypernyms": _hypernyms},
}
