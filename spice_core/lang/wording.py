"""Wording of tuples as yes/no questions: the phrasings in the TOML file of each language, and the interface that a language implements.

A phrasing applies to a kind of tuple that has certain features; its text has slots, such as ``{the subject}``. The language determines
the features of a tuple and the text of each slot. The first phrasing that applies to a tuple gives its question.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import Parse

_FIELD_BY_KEY = {"of": "tuple_kind", "asks": "question", "given": "required_features", "unless": "excluded_features"}
_SLOT_PATTERN = re.compile(r"\{([^{}]+)\}")


class Wording(NamedTuple):
    """A tuple as a yes/no question.

    ``kind`` is its kind in DSG's terms, broad and detailed (``attribute``, ``color``), ``parts`` the tuple in DSG's notation,
    ``phrasing`` the name of the phrasing, and ``whole_id`` the id of the object that a part belongs to.
    """

    text: str
    kind: tuple[str, str]
    parts: tuple[str, ...]
    phrasing: str
    whole_id: str = ""


class Words(Protocol):
    """A tuple with its grammar, as one language reads it."""

    @property
    def features(self) -> frozenset[str]:
        """The features that phrasings test: number, part of speech, kind of word."""

    def slot(self, name: str) -> str:
        """Return the text of a slot. Raises KeyError if there is no such slot."""


class Wordings(Protocol):
    """The wording of the tuples of one graph in one language."""

    def __call__(self, tuples: Sequence[SceneTuple], parses: Sequence[Parse]) -> list[Wording]:
        """Return a question for each tuple of the graph of these captions, in order."""


@dataclass(frozen=True)
class Phrasing:
    """One way to word a question, for tuples of ``tuple_kind`` with all ``required_features`` and no ``excluded_features``.

    ``kind`` is the kind in DSG's terms, empty if the word decides; ``example`` is a caption, ``question`` the question that this phrasing
    gives for one of its tuples.
    """

    name: str
    reason: str
    tuple_kind: str
    text: str
    example: str
    question: str
    kind: str = ""
    required_features: frozenset[str] = frozenset()
    excluded_features: frozenset[str] = frozenset()

    def is_applicable(self, tuple_kind: str, features: frozenset[str]) -> bool:
        """Return whether the phrasing words a tuple of this kind with these features."""
        return self.tuple_kind == tuple_kind and self.required_features <= features and self.excluded_features.isdisjoint(features)

    def fill(self, words: Words) -> str:
        """Fill the slots of the text, and return it without double spaces and with an initial capital."""
        text = " ".join(_SLOT_PATTERN.sub(lambda slot: words.slot(slot[1]), self.text).split()).replace(" ?", "?")
        return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class PhraseBook:
    """The phrasings of a language in their order, and its word lists by name."""

    phrasings: tuple[Phrasing, ...]
    words: Mapping[str, frozenset[str]]
    tables: Mapping[str, Mapping[str, str]]

    def find_phrasing(self, tuple_kind: str, features: frozenset[str]) -> Phrasing:
        """Return the first phrasing for a tuple of this kind; the last of the kind has no conditions."""
        return next(phrasing for phrasing in self.phrasings if phrasing.is_applicable(tuple_kind, features))

    def lists_with_word(self, word: str, names: Sequence[str]) -> list[str]:
        """Return the names of the lists, among these, that contain the word."""
        return [name for name in names if word in self.words[name]]


@cache
def read_phrase_book(path: Path) -> PhraseBook:
    """Return the phrase book of a TOML file: tables ``phrasing``, ``words`` (separated by commas) and ``tables`` (word to text)."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    words = {name: frozenset(_split_list(text)) for name, text in content["words"].items()}
    tables = {name: MappingProxyType(dict(table)) for name, table in content.get("tables", {}).items()}
    return PhraseBook(tuple(map(_read_phrasing, content["phrasing"])), MappingProxyType(words), MappingProxyType(tables))


def _split_list(text: str) -> list[str]:
    return [word for part in text.split(",") if (word := " ".join(part.split()))]


def _read_phrasing(table: dict[str, str]) -> Phrasing:
    values = {_FIELD_BY_KEY.get(key, key): value for key, value in table.items()}
    features = {name: frozenset(_split_list(values.get(name, ""))) for name in ("required_features", "excluded_features")}
    return Phrasing(**{**values, **features})  # type: ignore[arg-type]
