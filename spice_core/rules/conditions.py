"""What a pattern asks for: conditions on tokens and edges, the search that satisfies them, and what stood in the way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from spice_core.document import Dependency, Token
from spice_core.errors import RuleError
from spice_core.rules.graph import DependencyGraph

Bindings = dict[str, "int | str"]  # names of nodes to token indices, names of links to texts
ATTRIBUTES = {name: Token._fields.index(field) for name, field in (("word", "text"), ("lemma", "lemma"), ("tag", "tag"))}
STEP_LIMIT = 100_000
_QUANTIFIERS = 6  # of one regular expression; with no repeated group they bound the time that it takes


class Effort:
    """The steps of a search, bounded so that a pattern with many free nodes ends; ``over`` says what is searched."""

    __slots__ = ("limit", "over", "steps")

    def __init__(self, limit: int = STEP_LIMIT, over: str = "one sentence") -> None:
        self.steps, self.limit, self.over = 0, limit, over

    def step(self) -> None:
        """Count one step. Raises RuleError past the limit."""
        self.steps += 1
        if self.steps > self.limit:
            raise RuleError(f"the pattern takes more than {self.limit} steps on {self.over}; bind its nodes more closely")


class Value:
    """A word, words separated by bars, or a /regular expression/; remembers the texts it was tried on."""

    __slots__ = ("_full", "_seen", "source")

    def __init__(self, source: str):
        self.source = source
        regular = len(source) > 1 and source.startswith("/") and source.endswith("/")
        self._full = re.compile(_bounded(source[1:-1]) if regular else "|".join(map(re.escape, source.split("|")))).fullmatch
        self._seen: dict[str, str | None] = {}

    def fit(self, text: str) -> str | None:
        """None where the text does not fit; otherwise the text of the first group ("" without one)."""
        try:
            return self._seen[text]
        except KeyError:
            found = self._full(text)
            answer = None if found is None else (found.group(1) or "" if found.re.groups else "")
            self._seen[text] = answer
            return answer


class Condition(Protocol):
    """One condition; as a string it reads as a statement."""

    def ways(self, graph: DependencyGraph, bound: Bindings, effort: Effort) -> Iterator[Bindings]:
        """The bindings that satisfy it, extended where it binds something new."""

    def found(self, graph: DependencyGraph, bound: Bindings) -> str:
        """What stands where it failed."""


@dataclass(frozen=True, slots=True)
class Test:
    """The token bound to ``node`` must have (or, refused, must not have) this attribute value."""

    node: str
    attribute: str
    value: Value
    refused: bool = False

    def __str__(self) -> str:
        return f"{self.attribute} of {self.node} {'is not' if self.refused else 'is'} {self.value.source}"

    def ways(self, graph: DependencyGraph, bound: Bindings, effort: Effort) -> Iterator[Bindings]:
        index = bound.get(self.node)
        if index is None:
            yield from ({**bound, self.node: token.index} for token in graph.tokens if self._holds(token))
        elif self._holds(graph.token(index)):
            yield bound

    def found(self, graph: DependencyGraph, bound: Bindings) -> str:
        if self.node not in bound:
            return "no such token"
        token = graph.token(bound[self.node])
        return f"{self.attribute} of {token.text} is {token[ATTRIBUTES[self.attribute]]}"

    def _holds(self, token: Token) -> bool:
        return (self.value.fit(token[ATTRIBUTES[self.attribute]]) is not None) is not self.refused


@dataclass(frozen=True, slots=True)
class Edge:
    """``head`` must govern ``dependent`` by a relation that fits the label; ``link`` is bound to the label's group."""

    head: str
    dependent: str
    label: Value
    link: str | None = None

    def __str__(self) -> str:
        return f"{self.head} governs {self.dependent} by {self.label.source}"

    def ways(self, graph: DependencyGraph, bound: Bindings, effort: Effort) -> Iterator[Bindings]:
        dependent = bound.get(self.dependent)
        for edge in self._edges(graph, bound):
            if (dependent is None or edge.dependent == dependent) and edge.head:
                link = self.label.fit(edge.relation)
                if link is not None:
                    extended = {**bound, self.head: edge.head, self.dependent: edge.dependent}
                    if self.link:
                        extended[self.link] = link.replace("_", " ")
                    yield extended

    def found(self, graph: DependencyGraph, bound: Bindings) -> str:
        edges = [e for e in self._edges(graph, bound) if e.head]
        between = [e for e in edges if e.dependent == bound.get(self.dependent, e.dependent)]
        return ", ".join(_shown(graph, e) for e in between or edges) or "no edge at all"

    def _edges(self, graph: DependencyGraph, bound: Bindings) -> Iterable[Dependency]:
        """The edges to look at: those at a bound end, otherwise all."""
        if self.head in bound:
            return graph.children(bound[self.head])
        if self.dependent in bound:
            return graph.parents(bound[self.dependent])
        return graph.edges


@dataclass(frozen=True, slots=True)
class Order:
    """``first`` must stand before ``second``, or directly before it."""

    first: str
    second: str
    direct: bool

    def __str__(self) -> str:
        return f"{self.first} stands {'directly ' if self.direct else ''}before {self.second}"

    def ways(self, graph: DependencyGraph, bound: Bindings, effort: Effort) -> Iterator[Bindings]:
        everywhere = range(1, len(graph.tokens) + 1)
        for a in [bound[self.first]] if self.first in bound else everywhere:
            for b in [bound[self.second]] if self.second in bound else everywhere:
                if b == a + 1 if self.direct else b > a:
                    yield {**bound, self.first: a, self.second: b}

    def found(self, graph: DependencyGraph, bound: Bindings) -> str:
        return f"{self.second} does not follow {self.first}"


@dataclass(frozen=True, slots=True)
class Group:
    """Conditions that must not hold together (absent), or that bind their names where they can (optional)."""

    conditions: tuple[Condition, ...]
    absent: bool

    def __str__(self) -> str:
        together = " and ".join(map(str, self.conditions))
        return f"it is not so that {together}" if self.absent else f"optionally, {together}"

    def ways(self, graph: DependencyGraph, bound: Bindings, effort: Effort) -> Iterator[Bindings]:
        way = next(solve(self.conditions, graph, bound, effort), None)
        if way is None:
            yield bound
        elif not self.absent:
            yield way

    def found(self, graph: DependencyGraph, bound: Bindings) -> str:
        way = next(solve(self.conditions, graph, bound, Effort()), {})
        return "there is " + ", ".join(graph.token(i).text for name, i in way.items() if name not in bound and isinstance(i, int))


@dataclass(frozen=True, slots=True)
class Failure:
    """How far a search came: the conditions satisfied, the first one that was not, and what was there instead."""

    satisfied: int
    bindings: Mapping[str, int | str]
    condition: Condition
    found: str

    def distance(self, conditions: int) -> tuple[bool, int, int]:
        """How far the search was from success, to be sorted by: nothing satisfied comes last, few left to satisfy first."""
        return self.satisfied == 0, conditions - self.satisfied, -self.satisfied


def solve(conditions: tuple[Condition, ...], graph: DependencyGraph, bound: Bindings, effort: Effort, at: int = 0) -> Iterator[Bindings]:
    """All bindings under which every condition from ``at`` on holds. Raises RuleError past the step limit."""
    effort.step()
    if at == len(conditions):
        yield bound
        return
    for extended in conditions[at].ways(graph, bound, effort):
        yield from solve(conditions, graph, extended, effort, at + 1)


def furthest(conditions: tuple[Condition, ...], graph: DependencyGraph, bound: Bindings) -> Failure | None:
    """The failure of the attempt that satisfied most conditions; None where all can be satisfied."""
    effort = Effort()

    def attempt(at: int, bound: Bindings) -> Failure | None:
        effort.step()
        if at == len(conditions):
            return None
        best = None
        for extended in conditions[at].ways(graph, bound, effort):
            failure = attempt(at + 1, extended)
            if failure is None:
                return None
            best = failure if best is None or failure.satisfied > best.satisfied else best
        return best or Failure(at, bound, conditions[at], conditions[at].found(graph, bound))

    return attempt(0, bound)


def _bounded(expression: str) -> str:
    """The regular expression, if no text can make it run on and on. Raises re.error."""
    bare = re.sub(r"\\[1-9]|\(\?P=", "\0", expression)
    bare = re.sub(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.", "x", bare)
    if "\0" in bare:
        raise re.error("no reference back to a group")
    if re.search(r"\)[*+{]", bare):
        raise re.error("no group that is repeated")
    if len(re.findall(r"[*+{]|(?<!\()\?", bare)) > _QUANTIFIERS:
        raise re.error(f"at most {_QUANTIFIERS} of * + ? {{}}")
    return expression


def _shown(graph: DependencyGraph, edge: Dependency) -> str:
    return f"{graph.token(edge.head).text} –{edge.relation}→ {graph.token(edge.dependent).text}"
