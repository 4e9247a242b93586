"""Wording of tuples as yes/no questions, by phrasings from the TOML file of a language.

A phrasing applies to tuples of one kind with certain features. Its text has slots, such as ``{the subject}``. The language determines the
features of a tuple and the text of each slot. The first applicable phrasing words the question.
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

    Attributes:
        text: The question.
        kind: The broad and the detailed kind of the tuple in Davidsonian scene graphs (DSG), such as ``attribute`` and ``color``.
        parts: The tuple in DSG's notation.
        phrasing: The name of the phrasing.
        whole_id: The id of the object of which the tuple names a part or quotes the text, or "".
    """

    text: str
    kind: tuple[str, str]
    parts: tuple[str, ...]
    phrasing: str
    whole_id: str = ""


class Words(Protocol):
    """The grammatical features of a tuple in one language, and the texts that fill slots."""

    @property
    def features(self) -> frozenset[str]:
        """The names of the features that the tuple has. Phrasings test them."""

    def slot(self, name: str) -> str:
        """Return the text of a slot. Raises KeyError if there is no such slot."""


class Wordings(Protocol):
    """Function that words the tuples of a graph in one language."""

    def __call__(self, tuples: Sequence[SceneTuple], parses: Sequence[Parse]) -> list[Wording]:
        """Return a question for each tuple of a graph, given the parses that the graph was merged from."""


@dataclass(frozen=True)
class Phrasing:
    """One way to word a question about tuples of one kind.

    Attributes:
        name: The name of the phrasing.
        reason: Why this phrasing exists.
        tuple_kind: The kind of tuple that the phrasing applies to.
        text: The question, with slots.
        example: A caption.
        question: The question that this phrasing gives for a tuple of the caption.
        kind: The broad and the detailed kind in DSG, joined by " - ", or "" if the kind depends on the word.
        required_features: Features that a tuple must have.
        excluded_features: Features that a tuple must not have.
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
        """Return whether the phrasing applies to a tuple of this kind with these features."""
        return self.tuple_kind == tuple_kind and self.required_features <= features and self.excluded_features.isdisjoint(features)

    def fill(self, words: Words) -> str:
        """Return the text with its slots filled, without double spaces and with an initial capital."""
        text = " ".join(_SLOT_PATTERN.sub(lambda slot: words.slot(slot[1]), self.text).split()).replace(" ?", "?")
        return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class PhraseBook:
    """The phrasings of a language in order of precedence, with its word lists and tables by name."""

    phrasings: tuple[Phrasing, ...]
    words: Mapping[str, frozenset[str]]
    tables: Mapping[str, Mapping[str, str]]

    def find_phrasing(self, tuple_kind: str, features: frozenset[str]) -> Phrasing:
        """Return the first applicable phrasing for a tuple. The last phrasing of each kind has no conditions."""
        return next(phrasing for phrasing in self.phrasings if phrasing.is_applicable(tuple_kind, features))

    def lists_with_word(self, word: str, names: Sequence[str]) -> list[str]:
        """Return those of the named lists that contain the word."""
        return [name for name in names if word in self.words[name]]


@cache
def read_phrase_book(path: Path) -> PhraseBook:
    """Read a phrase book from a TOML file with ``phrasing``, ``words`` (separated by commas) and ``tables`` (from word to text)."""
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
