"""Conversion of a pattern to nested phrases, each a node with its required, optional and forbidden relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from spice_core.rules.conditions import Condition, EdgeTest, Negation, Optional, OrderTest, TokenTest
from spice_core.rules.pattern import Pattern

MUST_MODE, MAY_MODE, MUST_NOT_MODE = "must", "may", "must_not"


@dataclass
class PatternPhrase:
    """A node of a pattern, with its tests and relations."""

    name: str
    tests: list[TokenTest] = field(default_factory=list)
    relations: list[PhraseRelation] = field(default_factory=list)


@dataclass(frozen=True)
class PhraseRelation:
    """A relation of a phrase: its mode (required, optional or forbidden), its label, whether the phrase governs, and the other end."""

    mode: str
    label: str
    governs: bool
    other: PatternPhrase


@dataclass(frozen=True)
class PatternReading:
    """The phrases of a pattern that no other phrase contains, and the conditions on the order of words."""

    phrases: tuple[PatternPhrase, ...]
    orders: tuple[OrderTest, ...]


def read_pattern_phrases(pattern: Pattern) -> PatternReading:
    """Return a pattern as phrases. A node with two incoming relations appears in the first relation, with all its conditions."""
    phrases: dict[str, PatternPhrase] = {}
    inner_nodes = _join_conditions(pattern.conditions, MUST_MODE, phrases, set())
    orders = tuple(c for c in pattern.conditions if isinstance(c, OrderTest))
    return PatternReading(tuple(phrase for name, phrase in phrases.items() if name not in inner_nodes), orders)


def _join_conditions(conditions: Sequence[Condition], mode: str, phrases: dict[str, PatternPhrase], inner_nodes: set[str]) -> set[str]:
    """Join the phrases of conditions by their relations, and return the names that appear inside another phrase."""
    for condition in conditions:
        match condition:
            case TokenTest():
                _get_phrase(condition.node, phrases).tests.append(condition)
            case EdgeTest():
                _join_edge(condition, mode, phrases, inner_nodes)
            case Negation() | Optional():
                _join_conditions(condition.conditions, MUST_NOT_MODE if isinstance(condition, Negation) else MAY_MODE, phrases, inner_nodes)
    return inner_nodes


def _join_edge(edge: EdgeTest, mode: str, phrases: dict[str, PatternPhrase], inner_nodes: set[str]) -> None:
    """Attach one end of an edge to the other end. The attached end is inside a group or, without a group, not yet inside a phrase."""
    group = mode != MUST_MODE and edge.head not in phrases and edge.dependent in phrases
    head, dependent = _get_phrase(edge.head, phrases), _get_phrase(edge.dependent, phrases)
    governs = not group and edge.dependent not in inner_nodes and not _contains(dependent, head)
    if not governs and (edge.head in inner_nodes or _contains(head, dependent)):
        dependent = PatternPhrase(edge.dependent)  # an empty phrase, because its relations appear at its first mention
        governs = True
    upper, lower = (head, dependent) if governs else (dependent, head)
    upper.relations.append(PhraseRelation(mode, edge.label.source, governs, lower))
    if phrases[lower.name] is lower:
        inner_nodes.add(lower.name)


def _contains(phrase: PatternPhrase, other: PatternPhrase) -> bool:
    return phrase is other or any(_contains(relation.other, other) for relation in phrase.relations)


def _get_phrase(name: str, phrases: dict[str, PatternPhrase]) -> PatternPhrase:
    return phrases.setdefault(name, PatternPhrase(name))
