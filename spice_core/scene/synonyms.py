"""Sources of synonyms, and relations between their senses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple, Protocol, TypeGuard, TypeVar, runtime_checkable

from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Token

SourceType = TypeVar("SourceType")


class SynsetLike(Protocol):
    """A sense: its id, name, words, gloss, and whether it is only a collision of ids."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def lemmas(self) -> tuple[str, ...]: ...
    @property
    def gloss(self) -> str: ...
    @property
    def collision(self) -> bool: ...


@runtime_checkable
class TaggedSynset(Protocol):
    """A sense with its part of speech (n, v, a, s, r)."""

    @property
    def pos(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Sense:
    """A sense with only the fields that explanations need."""

    id: int
    name: str
    lemmas: tuple[str, ...]
    gloss: str
    collision: bool = False


class Synonyms(Protocol):
    """A source of synset ids for words and phrases.

    A source may also implement ``HypernymSource``, ``RankedSource``, ``TagSource``, ``TaggedSource``, ``ExistenceSource`` or ``RephrasingSource``.
    """

    signature: str

    def __hash__(self) -> int: ...

    def ids(self, phrase: str) -> frozenset[int]:
        """Return the ids of all synsets of ``phrase``. Words that share an id are synonyms."""

    def synset(self, id: int) -> SynsetLike:
        """Return the sense with this id, for explanations."""


class HypernymSource(Protocol):
    """A source with hypernyms."""

    def hypernyms(self, id: int) -> frozenset[int]:
        """Return the ids of the direct hypernyms of a sense."""


class RankedSource(Protocol):
    """A source that ranks the senses of a word by frequency."""

    def sense_rank(self, phrase: str, id: int) -> int | None:
        """Return the rank of a sense among the senses of a word, from 1 for the most frequent, or None if it is unknown."""


class TagSource(Protocol):
    """A source that derives the parts of speech of its senses from the parser's tags."""

    def parts_of_speech(self, tokens: Iterable[Token]) -> str:
        """Return the parts of speech (among n, v, a, r) of tokens."""


class TaggedSource(Protocol):
    """A source that distinguishes the senses of a word by part of speech, or rare senses from others."""

    def senses(self, phrase: str, pos: str) -> Senses:
        """Return the senses of a phrase in these parts of speech (from n, v, a, r)."""


class ExistenceSource(Protocol):
    """A source that recognises words that only assert existence."""

    def is_existence(self, phrase: str) -> bool:
        """Return whether a word only asserts existence."""


class RephrasingSource(Protocol):
    """A source that rephrases captions before they are compared."""

    def rephrase(self, parse: Parse) -> Iterable[Proposition]:
        """Return the propositions of a caption, rephrased for comparison."""


class Senses(NamedTuple):
    """The synset ids of a phrase, and the rare ones, by which two phrases do not match if they are rare for both."""

    ids: frozenset[int]
    rare_ids: frozenset[int] = frozenset()


class NoSynonyms:
    """A source without synonyms, so that only identical words match ("SPICE-exact")."""

    signature = "none"

    def ids(self, phrase: str) -> frozenset[int]:
        return frozenset()

    def synset(self, id: int) -> SynsetLike:
        raise KeyError(id)


def _implements(source: Synonyms, protocol: type[SourceType]) -> TypeGuard[SourceType]:
    """Return whether a source has the methods of a protocol (much faster than ``isinstance``)."""
    return all(hasattr(source, name) for name in _protocol_methods(protocol))  # type: ignore[arg-type]  # classes can be hashed


@cache
def _protocol_methods(protocol: type) -> tuple[str, ...]:
    return tuple(name for name in vars(protocol) if not name.startswith("_"))


def rephrase(source: Synonyms, parse: Parse) -> Parse:
    """Return the parse with its propositions rephrased if the source rephrases captions."""
    return replace(parse, propositions=tuple(source.rephrase(parse))) if _implements(source, RephrasingSource) else parse


MAX_PATH_STEPS = 3
MAX_ORDINARY_RANK = 2  # maximum frequency rank of a sense that is not rare
MAX_COMMON_RANK = 3  # maximum frequency rank of a common sense; rarer ones give meaningless paths


def hypernyms_of(source: Synonyms, id: int) -> frozenset[int]:
    """Return the ids of the direct hypernyms, or an empty set if the source has no hypernyms."""
    return source.hypernyms(id) if _implements(source, HypernymSource) else frozenset()


def sense_rank_of(source: Synonyms, phrase: str, id: int) -> int | None:
    """Return the rank of a sense among the senses of a word with the same part of speech, from 1 for the most frequent.

    The result is None if the source does not rank senses.
    """
    return source.sense_rank(phrase, id) if _implements(source, RankedSource) else None


def senses_of(source: Synonyms, phrase: str, pos: str) -> Senses:
    """Return the senses of a phrase in these parts of speech, or all senses if the source does not distinguish them."""
    return source.senses(phrase, pos) if _implements(source, TaggedSource) else Senses(source.ids(phrase))


def parts_of_speech(source: Synonyms, tokens: Iterable[Token]) -> str:
    """Return the parts of speech (among n, v, a, r) of tokens, or "" if the source does not read tags."""
    return source.parts_of_speech(tokens) if _implements(source, TagSource) else ""


def is_existence(source: Synonyms, phrase: str) -> bool:
    """Return whether a word only asserts existence, or False if the source cannot tell."""
    return source.is_existence(phrase) if _implements(source, ExistenceSource) else False


def common_senses(source: Synonyms, words: Iterable[str]) -> frozenset[int]:
    """Return the ids of these words' common senses, or of all senses if the source does not rank them."""
    return frozenset(
        id for word in words for id in source.ids(word) if id >= 0 and (sense_rank_of(source, word, id) or 1) <= MAX_COMMON_RANK
    )


def all_hypernyms(source: Synonyms, word: str) -> frozenset[int]:
    """Return the ids of the hypernyms of a word's common senses within ``MAX_PATH_STEPS`` steps."""
    senses = common_senses(source, (word,))
    return frozenset(_hypernym_paths(source, senses, MAX_PATH_STEPS)) - senses


def hypernym_path(source: Synonyms, narrower: Iterable[int], broader: Iterable[int], limit: int = MAX_PATH_STEPS) -> tuple[int, ...]:
    """Return the shortest hypernym path from one of ``narrower`` up to one of ``broader``, or () if there is no path.

    A path includes both ends and has one to ``limit`` steps, so that a shared sense is not a path. Of several shortest paths, the path with
    the lowest ids is returned.
    """
    path_by_synset = _hypernym_paths(source, frozenset(narrower), limit)
    chains = (path_by_synset[id] for id in frozenset(broader) if id in path_by_synset)
    return min((c for c in chains if len(c) > 1), key=lambda c: (len(c), c), default=())


def lowest_common_hypernym(source: Synonyms, a: Iterable[int], b: Iterable[int]) -> int | None:
    """Return the common hypernym of ``a`` and ``b`` that is one step above both, the one with the lowest id, or None."""
    first_paths, second_paths = (_hypernym_paths(source, frozenset(ids), 1) for ids in (a, b))
    shared_ids = [id for id in first_paths if id in second_paths and len(first_paths[id]) > 1 and len(second_paths[id]) > 1]
    return min(shared_ids, default=None)


@lru_cache(maxsize=1 << 12)
def _hypernym_paths(source: Synonyms, start: frozenset[int], limit: int) -> dict[int, tuple[int, ...]]:
    """Return the start senses and their hypernyms within ``limit`` steps, each with its first path."""
    path_by_synset: dict[int, tuple[int, ...]] = {id: (id,) for id in sorted(start)}
    frontier = list(path_by_synset.values())
    for _ in range(limit):
        frontier = [(*chain, id) for chain in frontier for id in sorted(hypernyms_of(source, chain[-1])) if id not in path_by_synset]
        for chain in frontier:
            path_by_synset.setdefault(chain[-1], chain)
    return path_by_synset
