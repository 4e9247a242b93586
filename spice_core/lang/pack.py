"""What the core asks of a language."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

from spice_core.errors import InputError, UnknownNameError
from spice_core.rules import RuleSet
from spice_core.rules.rule_file import load_rules
from spice_core.scene.synonyms import Synonyms
from spice_core.syntax.document import Document, Sentence, Token
from spice_core.syntax.enhancement import Edges, Step


class Parser(Protocol):
    """Parses captions into documents with basic trees or enhanced graphs; ``signature`` gives its name and version."""

    signature: str

    def parse(self, captions: Iterable[str]) -> Iterator[Document]:
        """One document per caption, in order."""


class Argument(NamedTuple):
    """A predicate, the case of one argument, and the argument; ``read`` if the tree has the edge, otherwise it was inferred."""

    predicate: str
    case: str
    argument: str
    read: bool = True


class Structure(NamedTuple):
    """Structure of a sentence above the word level: units of several tokens, and predicate–argument pairs."""

    units: tuple[tuple[Token, ...], ...]
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class LanguagePack:
    """A language pack; its parts are named as ``module:function`` and loaded at first use.

    ``parsers`` and ``synonyms`` map a name to the function that loads it; a name with a colon
    (``spacy:en_core_web_sm``) is looked up by the part up to the colon, and the rest is passed to the function. The
    first entry of each mapping is the default. ``enhancement`` names the function that adds the graphs which the rules
    read; the function ``trace`` of its module does the same step by step. ``scripts`` are the first words of the Unicode
    names of the language's letters; ``described`` names the function behind ``structure``.
    """

    code: str
    name: str
    parsers: Mapping[str, str]
    rules: Mapping[str, Path]
    synonyms: Mapping[str, str]
    categories: Mapping[str, frozenset[str]]
    enhancement: str
    scripts: tuple[str, ...] = ()
    described: str = ""

    def parser(self, name: str | None = None) -> Parser:
        """The parser of this name, loaded once. Raises UnknownNameError."""
        return self._part("parser", self.parsers, name)

    def enhance(self, document: Document, steps: Sequence[str] | None = None) -> Document:
        """The document with the enhanced graphs that the rules read; ``steps`` names the steps to apply to the basic trees."""
        return resolve(self.enhancement)(document, steps)

    def trace(self, sentence: Sentence, steps: Sequence[str] | None = None) -> list[tuple[Step, Edges]]:
        """The enhancement of a sentence step by step: each step with the edges after it."""
        return resolve(f"{self.enhancement.partition(':')[0]}:trace")(sentence, steps)

    def fits(self, text: str) -> bool:
        """Whether at least half of the text's letters belong to the language's scripts; a text without letters fits."""
        letters = [unicodedata.name(c, "") for c in text if c.isalpha()]
        return 2 * sum(name.startswith(self.scripts) for name in letters) >= len(letters)

    def structure(self, sentence: Sentence) -> Structure | None:
        """The units and arguments of a parsed sentence; None if the language defines none."""
        return resolve(self.described)(sentence) if self.described else None

    def rule_set(self, name: str | None = None) -> RuleSet:
        """The bundled rule set of this name. Raises UnknownNameError."""
        name = name or next(iter(self.rules))
        if name not in self.rules:
            raise UnknownNameError(f"rule set for {self.name}", name, self.rules)
        return _rule_set(self.rules[name])

    def synonym_source(self, name: str | None = None) -> Synonyms:
        """The synonym source of this name, loaded once. Raises UnknownNameError."""
        return self._part("synonym source", self.synonyms, name)

    def _part(self, kind: str, known: Mapping[str, str], name: str | None):
        name = name or next(iter(known))
        prefix, colon, argument = name.partition(":")
        if prefix + colon not in known:
            raise UnknownNameError(f"{kind} for {self.name}", name, known)
        if colon and not argument:
            raise InputError(f"{kind} for {self.name}", name, "a name after the colon")
        return _load(known[prefix + colon], argument)


def resolve(path: str):
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


@cache
def _load(path: str, argument: str):
    return resolve(path)(*([argument] if argument else []))


@cache
def _rule_set(path: Path) -> RuleSet:
    return load_rules(path)
