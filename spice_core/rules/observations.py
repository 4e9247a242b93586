"""Observations at failed conditions of a search. The string form of each completes the phrase "found …"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from spice_core.syntax.document import Token


class EdgeWithTokens(NamedTuple):
    """An edge with its tokens."""

    head: Token
    relation: str
    dependent: Token

    def __str__(self) -> str:
        return f"{self.head.text} –{self.relation}→ {self.dependent.text}"


@dataclass(frozen=True, slots=True)
class NoToken:
    """Observation that no token has the value."""

    def __str__(self) -> str:
        return "no such token"


@dataclass(frozen=True, slots=True)
class OtherValue:
    """Observation that the token has another value of the attribute."""

    attribute: str
    token: Token
    value: str

    def __str__(self) -> str:
        return f"{self.attribute} of {self.token.text} is {self.value}"


@dataclass(frozen=True, slots=True)
class OtherEdges:
    """Observation of edges other than the expected edge.

    They are the edges of the bound tokens, or all edges of the graph if ``is_anywhere``.
    """

    edges: tuple[EdgeWithTokens, ...]
    is_anywhere: bool = False

    def __str__(self) -> str:
        return ", ".join(map(str, self.edges)) or "no edge at all"


@dataclass(frozen=True, slots=True)
class BlockedBy:
    """Observation of tokens that satisfy negated conditions."""

    tokens: tuple[Token, ...]

    def __str__(self) -> str:
        return ", ".join(token.text for token in self.tokens)


@dataclass(frozen=True, slots=True)
class WrongOrder:
    """Observation that two nodes are in the wrong order: the second does not follow the first."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.second} does not follow {self.first}"


Observation = NoToken | OtherValue | OtherEdges | BlockedBy | WrongOrder
