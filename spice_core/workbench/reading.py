"""A pattern as nested phrases: its nodes from the top, each with required, optional and forbidden relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from spice_core.rules.conditions import Condition, EdgeTest, Negation, Optional, OrderTest, TokenTest
from spice_core.rules.pattern import Pattern

MUST, MAY, MUST_NOT = "must", "may", "must_not"


@dataclass
class Phrase:
    """A node of a pattern: its name, its tests, and its relations."""

    name: str
    tests: list[TokenTest] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


@dataclass(frozen=True)
class Relation:
    """A relation of a phrase: whether it is required, its label, whether the phrase is the governor, and the other end."""

    mode: str
    label: str
    governs: bool
    other: Phrase


@dataclass(frozen=True)
class Reading:
    """The top phrases of a pattern, which no other phrase contains, and the order of words."""

    phrases: tuple[Phrase, ...]
    orders: tuple[OrderTest, ...]


def reading(pattern: Pattern) -> Reading:
    """Return a pattern as phrases; a node with two incoming relations appears in the first one, with all its conditions."""
    phrases: dict[str, Phrase] = {}
    inner = _joined(pattern.conditions, MUST, phrases, set())
    orders = tuple(c for c in pattern.conditions if isinstance(c, OrderTest))
    return Reading(tuple(phrase for name, phrase in phrases.items() if name not in inner), orders)


def _joined(conditions: Sequence[Condition], mode: str, phrases: dict[str, Phrase], inner: set[str]) -> set[str]:
    """Join the phrases of conditions by their relations; return the names that appear inside another phrase."""
    for one in conditions:
        match one:
            case TokenTest():
                _phrase(one.node, phrases).tests.append(one)
            case EdgeTest():
                _join(one, mode, phrases, inner)
            case Negation() | Optional():
                _joined(one.conditions, MUST_NOT if isinstance(one, Negation) else MAY, phrases, inner)
    return inner


def _join(edge: EdgeTest, mode: str, phrases: dict[str, Phrase], inner: set[str]) -> None:
    """Attach the end that is not yet inside a phrase to the other end, and a group to the part outside it."""
    group = mode != MUST and edge.head not in phrases and edge.dependent in phrases
    head, dependent = _phrase(edge.head, phrases), _phrase(edge.dependent, phrases)
    governs = not group and edge.dependent not in inner and not _contains(dependent, head)
    if not governs and (edge.head in inner or _contains(head, dependent)):
        dependent = Phrase(edge.dependent)  # its relations appear where it was named first
        governs = True
    upper, lower = (head, dependent) if governs else (dependent, head)
    upper.relations.append(Relation(mode, edge.label.source, governs, lower))
    if phrases[lower.name] is lower:
        inner.add(lower.name)


def _contains(phrase: Phrase, other: Phrase) -> bool:
    return phrase is other or any(_contains(relation.other, other) for relation in phrase.relations)


def _phrase(name: str, phrases: dict[str, Phrase]) -> Phrase:
    return phrases.setdefault(name, Phrase(name))
