"""Results made from propositions, for tests that need no parser."""

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


TOWER_CAPTION = "a tall clock tower with trees all around"
WORDS_BY_RULE = {  # the words in the notation of the URL: sentences are numbered from 0, words from 1
    "preposition": (TOWER_CAPTION, "0.4-5-6"),
    "adjective": (TOWER_CAPTION, "0.4-2"),
    "compound": (TOWER_CAPTION, "0.4-3"),
    "subject-preposition": ("A grey and white cat watches from between parked cars.", "0.5-6-10"),
    "participle-preposition": ("A giraffe reaching for a tree branch on a sandy zoo lot.", "0.2-3-7"),
    "participle-object": ("a close up of a dog riding a skate board", "0.6-7-10"),
    "number": ("Four vases with purple flower in it. There are two different shapes and sizes.", "0.2-1"),
    "subject-object": ("A crowd looks on as a young man does a skateboard trick.", "0.8-9-12"),
    "possessive": ("A man is laying down in a pavement balancing a ball on his foot while others watch.", "0.2-14"),
    "predicate-adjective": ("The workers are busy serving meals under the tent.", "0.2-4"),
}
