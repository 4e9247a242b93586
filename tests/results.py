"""Results made from propositions, for tests that need no parser."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.metrics.result import SpiceResult

CANDIDATE = [["girl"], ["girl", "young"], ["girl", "hold", "racquet"], ["girl", "on", "court"], ["hat"]]
REFERENCES = [
    [["girl", "young"], ["girl", "hold", "racket"], ["court", "blue"], ["girl", "two"]],
    [["woman", "hold", "racket"], ["racket", "on", "court"], ["girl", "near", "net"], ["girl", "on", "court"]],
]


class OneSynset:
    """A synonym resource in which racket and racquet share a sense."""

    signature = "test"

    def ids(self, phrase: str) -> frozenset[int]:
        return frozenset({7} if phrase in ("racket", "racquet") else ())

    def synset(self, id: int) -> object:
        return RacketSense()


class RacketSense:
    """The sense of a racket."""

    id, name, lemmas, gloss, collision = 7, "racket.n.04", ("racket", "racquet"), "a sports implement", False


@pytest.fixture(scope="session")
def synonyms() -> OneSynset:
    return OneSynset()


@pytest.fixture(scope="session")
def result(synonyms: OneSynset) -> SpiceResult:
    """A result with matches by the same word and by a synonym, an extra tuple, and several missing tuples."""
    return Spice(synonyms=synonyms).compute(CANDIDATE, REFERENCES)
