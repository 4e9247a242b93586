"""Reasons why a condition of a search fails. The string form of each completes the phrase "found …"."""

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
    """Mismatch because no token satisfies the condition."""

    def __str__(self) -> str:
        return "no token that satisfies the condition"


@dataclass(frozen=True, slots=True)
class OtherValue:
    """Mismatch because the token has another value of the attribute."""

    attribute: str
    token: Token
    value: str

    def __str__(self) -> str:
        return f'"{self.token.text}" with the {self.attribute} {self.value}'


@dataclass(frozen=True, slots=True)
class OtherEdges:
    """Mismatch because there are only edges other than the expected edge.

    They are edges of ``token``, or all edges of the graph if ``token`` is None. ``token`` is the bound head, or the bound dependent if
    the head is unbound.
    """

    edges: tuple[EdgeWithTokens, ...]
    token: Token | None = None
    is_head: bool = False

    def __str__(self) -> str:
        place = f' {"from" if self.is_head else "to"} "{self.token.text}"' if self.token else ""
        return ", ".join(map(str, self.edges)) or f"no edge{place}"

    @property
    def is_unbound(self) -> bool:
        """Whether neither end of the expected edge is bound."""
        return self.token is None


@dataclass(frozen=True, slots=True)
class BlockedBy:
    """Mismatch because tokens satisfy a negated condition."""

    tokens: tuple[Token, ...]

    def __str__(self) -> str:
        return ", ".join(f'"{token.text}"' for token in self.tokens)


@dataclass(frozen=True, slots=True)
class WrongOrder:
    """Mismatch because the second of two nodes does not follow the first."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.second} does not follow {self.first}"


Mismatch = NoToken | OtherValue | OtherEdges | BlockedBy | WrongOrder
