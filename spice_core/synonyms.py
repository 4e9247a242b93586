"""What the graph asks of a synonym source, and the source that knows no synonyms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class SynsetLike(Protocol):
    """One sense: its name, its words, what it means, and whether it joins its words only by accident of ids."""

    id: int
    name: str
    lemmas: tuple[str, ...]
    gloss: str
    accidental: bool


@dataclass(frozen=True, slots=True)
class Sense:
    """A sense with no more to it than an explanation needs."""

    id: int
    name: str
    lemmas: tuple[str, ...]
    gloss: str
    accidental: bool = False


class Synonyms(Protocol):
    """A source of synset ids for words and phrases (spec section 5).

    A source may offer two more methods (``spice_core.taxonomy``): ``hypernyms(id)``, the ids of the senses directly above
    one, and ``rank(phrase, id)``, the place of a sense among those of a word, 1 for the most used.
    """

    signature: str

    def ids(self, phrase: str) -> frozenset[int]:
        """The ids of all synsets of ``phrase``; words that share an id are synonyms."""

    def synset(self, id: int) -> SynsetLike:
        """The sense behind an id, for explanations."""


class NoSynonyms:
    """No word has a synonym: only equal words match ("SPICE-exact", spec section 6)."""

    signature = "none"

    def ids(self, phrase: str) -> frozenset[int]:
        return frozenset()

    def synset(self, id: int) -> SynsetLike:
        raise KeyError(id)
