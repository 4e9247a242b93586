"""Editable patterns, whose parts can be changed separately."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from spice_core.rules.conditions import Condition, EdgeTest, Negation, Optional, OrderTest, TokenTest
from spice_core.rules.ruleset import Rule

NAMELESS_NODE = re.compile(r"word\d+")  # the name of a node that is unnamed in its pattern


class SketchArc(NamedTuple):
    """An edge between two named nodes. ``link`` names the text of the label's group."""

    head: str
    dependent: str
    label: str
    link: str = ""


class SketchClause(NamedTuple):
    """Another condition on a node, as written after it: a test (``lemma:!be``) or a relation (``!>cop {}``)."""

    node: str
    text: str

    @property
    def is_test(self) -> bool:
        """Whether the clause is a test of the node itself, such as ``lemma:!be``, rather than a relation."""
        return self.text[0].isalpha()

    @property
    def source(self) -> str:
        """The condition as a separate pattern."""
        return f"{{{self.text}}}={self.node}" if self.is_test else f"{{}}={self.node} {self.text}"


@dataclass(frozen=True)
class Sketch:
    """An editable pattern with its template.

    Attributes:
        first_node: The name of the node that comes first in the text.
        arcs: The edges that join the nodes.
        clauses: Other conditions on the nodes.
        yields: The text of the template.
    """

    first_node: str
    arcs: tuple[SketchArc, ...]
    clauses: tuple[SketchClause, ...]
    yields: str

    @property
    def source(self) -> str:
        """The text of the pattern."""
        return self._node_text(self.first_node, set(), list(self.arcs), is_outer=True)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return tuple(dict.fromkeys([self.first_node, *(name for arc in self.arcs for name in arc[:2])]))

    @property
    def labels(self) -> frozenset[str]:
        """The labels of the arcs."""
        return frozenset(arc.label for arc in self.arcs)

    @property
    def size(self) -> int:
        """The number of arcs and clauses."""
        return len(self.arcs) + len(self.clauses)

    def with_clause(self, clause: SketchClause) -> Sketch:
        """Return the sketch with another clause."""
        return replace(self, clauses=(*self.clauses, clause))

    def without_constraint(self, part: SketchArc | SketchClause) -> Sketch:
        """Return the sketch without this clause, or with a label that matches any relation for this arc."""
        if isinstance(part, SketchClause):
            return replace(self, clauses=tuple(c for c in self.clauses if c != part))
        return self.with_label(part, "/.+/" if not part.link else "/(.+)/")

    def with_label(self, arc: SketchArc, label: str) -> Sketch:
        """Return the sketch with another label for an arc."""
        return replace(self, arcs=tuple(a._replace(label=label) if a == arc else a for a in self.arcs))

    def _node_text(self, name: str, written_nodes: set[str], remaining: list[SketchArc], *, is_outer: bool = False) -> str:
        if name in written_nodes:
            return f"{{}}={name}"
        written_nodes.add(name)
        clauses = [c for c in self.clauses if c.node == name]
        parts = [f"{{{'; '.join(c.text for c in clauses if c.is_test)}}}={name}"]
        while arc := next((a for a in remaining if name in a[:2]), None):
            remaining.remove(arc)
            sign, other = (">", arc.dependent) if arc.head == name else ("<", arc.head)
            parts.append(f"{sign}{arc.label}{f'={arc.link}' if arc.link else ''} {self._node_text(other, written_nodes, remaining)}")
        parts += [c.text for c in clauses if not c.is_test]
        return " ".join(parts) if is_outer or len(parts) == 1 else f"({' '.join(parts)})"


def make_sketch(rule: Rule) -> Sketch | None:
    """Return the sketch of a rule, or None if clauses cannot express its conditions."""
    conditions = rule.pattern.conditions
    arcs = tuple(SketchArc(c.head, c.dependent, c.label.source, c.link or "") for c in conditions if isinstance(c, EdgeTest))
    nodes = dict.fromkeys(name for arc in arcs for name in arc[:2]) or dict.fromkeys(
        n for n in rule.pattern.names if n in rule.pattern.nodes
    )
    token_clauses = [make_clause(c, nodes) for c in conditions if not isinstance(c, EdgeTest)]
    clauses = tuple(c for c in token_clauses if c)
    return Sketch(next(iter(nodes)), arcs, clauses, rule.yields) if nodes and len(clauses) == len(token_clauses) else None


def make_clause(condition: Condition, nodes: dict[str, None]) -> SketchClause | None:
    """Return a condition as a clause on one of these nodes, or None if that is impossible."""
    match condition:
        case TokenTest() if condition.node in nodes:
            return SketchClause(condition.node, _join_tests(condition))
        case OrderTest() if {condition.first, condition.second} <= set(nodes):
            return SketchClause(condition.first, f"{'.' if condition.is_adjacent else '..'} {{}}={condition.second}")
        case Negation() | Optional():
            return _clause_of_group(condition, nodes)
    return None


def clauses_of(rules: tuple[Rule, ...]) -> Iterator[tuple[SketchClause, Rule]]:
    """Yield the clauses of all rules, each with its rule."""
    for rule in rules:
        nodes = dict.fromkeys(rule.pattern.nodes)
        yield from (
            (found_clause, rule) for c in rule.pattern.conditions if not isinstance(c, EdgeTest) and (found_clause := make_clause(c, nodes))
        )


def _clause_of_group(group: Negation | Optional, nodes: dict[str, None]) -> SketchClause | None:
    """Return a clause for a negated or optional relation to an unnamed word, or None for other groups."""
    (edge, *token_tests) = group.conditions
    if not isinstance(edge, EdgeTest) or edge.link or not all(isinstance(t, TokenTest) for t in token_tests):
        return None
    end_names = [name for name in (edge.head, edge.dependent) if name in nodes and not NAMELESS_NODE.fullmatch(name)]
    if len(end_names) != 1:
        return None
    sign, body = ">" if edge.head == end_names[0] else "<", "; ".join(_join_tests(t) for t in token_tests if isinstance(t, TokenTest))
    return SketchClause(end_names[0], f"{'!' if isinstance(group, Negation) else '?'}{sign}{edge.label.source} {{{body}}}")


def _join_tests(test: TokenTest) -> str:
    return f"{test.attribute}:{'!' if test.is_negated else ''}{test.value.source}"
