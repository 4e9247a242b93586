"""Sources of synonyms, and how their senses stand to each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
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

    A source may offer two more methods (``spice_core.scene.synonyms``): ``hypernyms(id)``, the ids of the senses directly above
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


REACH = 3  # steps of a chain
COMMON = 3  # senses of a word beyond these are too rare for a chain to mean anything


def hypernyms(source: Synonyms, id: int) -> frozenset[int]:
    """The ids of the senses directly above one; none where the source knows no hypernyms."""
    known = getattr(source, "hypernyms", None)
    return known(id) if known else frozenset()


def rank(source: Synonyms, phrase: str, id: int) -> int | None:
    """The place of a sense among those of its part of speech in a word, 1 for the most used; None where the source has none."""
    known = getattr(source, "rank", None)
    return known(phrase, id) if known else None


def common(source: Synonyms, words: Iterable[str]) -> frozenset[int]:
    """The common senses of these words; all where the source does not rank them."""
    return frozenset(id for word in words for id in source.ids(word) if id >= 0 and (rank(source, word, id) or 1) <= COMMON)


def path(source: Synonyms, below: Iterable[int], above: Iterable[int], limit: int = REACH) -> tuple[int, ...]:
    """The shortest chain of senses from one of ``below`` up to one of ``above``, both ends included; () without one.

    A chain takes one to ``limit`` steps: senses in common are no chain. Of several shortest chains, the one from the
    lowest id.
    """
    climbed = _climb(source, frozenset(below), limit)
    chains = (climbed[id] for id in frozenset(above) if id in climbed)
    return min((c for c in chains if len(c) > 1), key=lambda c: (len(c), c), default=())


def meeting(source: Synonyms, a: Iterable[int], b: Iterable[int], limit: int = 1) -> int | None:
    """The nearest sense that is above one of ``a`` and above one of ``b``, at most ``limit`` steps each; None without one."""
    mine, theirs = (_climb(source, frozenset(ids), limit) for ids in (a, b))
    both = [id for id in mine if id in theirs and len(mine[id]) > 1 and len(theirs[id]) > 1]
    return min(both, key=lambda id: (len(mine[id]) + len(theirs[id]), id), default=None)


@lru_cache(maxsize=1 << 12)
def _climb(source: Synonyms, below: frozenset[int], limit: int) -> dict[int, tuple[int, ...]]:
    """Every sense within reach above these, with the chain that leads there first."""
    reached = {id: (id,) for id in sorted(below)}
    edge = list(reached.values())
    for _ in range(limit):
        edge = [(*chain, id) for chain in edge for id in sorted(hypernyms(source, chain[-1])) if id not in reached]
        for chain in edge:
            reached.setdefault(chain[-1], chain)
    return reached
