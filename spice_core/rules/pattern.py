"""The pattern language: a small Semgrex over a dependency graph, with a matcher that can say why it fails.

    {tag:/NN.*/}=subject <nsubj ({}=verb !>cop {} ?>compound:prt {}=particle) .. {tag:CD}

A node is ``{attribute:value; …}`` with an optional ``=name``; attributes are ``word``, ``lemma`` and ``tag``; a value is
a word or a ``/regular expression/`` that must fit the whole; ``!`` before the value refuses it. After a node come its
relations, each followed by a node or by a pattern in parentheses:

    A >label B      A governs B by a relation "label" (or "a|b", or a /regular expression/)
    A <label B      B governs A
    A . B           A stands directly before B          A .. B   A stands before B
    !>label B       there is no such B                  ?>label B   B where there is one, else nothing

``>/obl:(.+)/=link`` binds ``link`` to the text of the first group. spaCy's DependencyMatcher knows such operators too,
but only on basic trees with one head a word; the enhanced graph has several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from spice_core.document import Token
from spice_core.errors import RuleError
from spice_core.rules.graph import DependencyGraph

Bindings = dict[str, "int | str"]
ATTRIBUTES = {"word": 1, "lemma": 2, "tag": 3}  # fields of Token
STEP_LIMIT = 100_000


class Value:
    """A word or a /regular expression/, remembered per text it was tried on."""

    __slots__ = ("source", "_full", "_seen")

    def __init__(self, source: str):
        self.source = source
        regular = len(source) > 1 and source.startswith("/") and source.endswith("/")
        self._full = re.compile(source[1:-1] if regular else re.sub(r"\\\|", "|", re.escape(source))).fullmatch
        self._seen: dict[str, str | None] = {}

    def fit(self, text: str) -> str | None:
        """None where the text does not fit; otherwise the first group's text ("" without one)."""
        try:
            return self._seen[text]
        except KeyError:
            found = self._full(text)
            answer = None if found is None else (found.group(1) or "" if found.re.groups else "")
            self._seen[text] = answer
            return answer


@dataclass(frozen=True, slots=True)
class Test:
    """The token bound to ``node`` must have (or, refused, must not have) this attribute value."""

    node: str
    attribute: str
    value: Value
    refused: bool = False

    def __str__(self) -> str:
        return f"{self.attribute} of {self.node} {'is not' if self.refused else 'is'} {self.value.source}"

    def holds(self, token: Token) -> bool:
        return (self.value.fit(token[ATTRIBUTES[self.attribute]]) is not None) is not self.refused


@dataclass(frozen=True, slots=True)
class Edge:
    """``head`` must govern ``dependent`` by a relation that fits the label."""

    head: str
    dependent: str
    label: Value
    link: str | None = None

    def __str__(self) -> str:
        return f"{self.head} governs {self.dependent} by {self.label.source}"


@dataclass(frozen=True, slots=True)
class Order:
    """``first`` must stand before ``second``, or directly before it."""

    first: str
    second: str
    direct: bool

    def __str__(self) -> str:
        return f"{self.first} stands {'directly ' if self.direct else ''}before {self.second}"


@dataclass(frozen=True, slots=True)
class Group:
    """Conditions that must not hold together (``absent``), or that bind their names where they can (optional)."""

    conditions: tuple[Condition, ...]
    absent: bool

    def __str__(self) -> str:
        what = " and ".join(map(str, self.conditions))
        return f"it is not so that {what}" if self.absent else f"optionally, {what}"


Condition = Test | Edge | Order | Group


@dataclass(frozen=True, slots=True)
class Failure:
    """How far a pattern came: the bindings that held, the first condition that did not, and what was there instead."""

    satisfied: int
    bindings: Mapping[str, int | str]
    condition: Condition
    found: str


class Pattern:
    """A compiled pattern: its conditions in order, and the search over a graph."""

    def __init__(self, source: str):
        """Compile ``source``. Raises RuleError with the position and what was expected there."""
        self.source = source
        reader = _Reader(source)
        self.conditions: tuple[Condition, ...] = tuple(_ordered(reader.read(), reader.first))
        self.names: tuple[str, ...] = tuple(reader.names)
        self.nodes: frozenset[str] = frozenset(reader.names) - reader.links
        self.first = reader.first
        self._labels = [c.label for c in self.conditions if isinstance(c, Edge)]

    def search(self, graph: DependencyGraph, bound: Bindings | None = None) -> Iterator[Bindings]:
        """All bindings of names to token indices (and links to texts) under which every condition holds."""
        for label in self._labels:
            if not any(label.fit(relation) is not None for relation in graph.relations):
                return
        yield from _Search(graph).run(self.conditions, 0, dict(bound or {}), self.first)

    def failure(self, graph: DependencyGraph, bound: Bindings) -> Failure | None:
        """The furthest failure with these names bound beforehand; None where the pattern matches."""
        search = _Search(graph, watch=True)
        for _ in search.run(self.conditions, 0, dict(bound), self.first):
            return None
        return search.furthest


class _Search:
    """One backtracking search; ``watch`` remembers the condition that stopped the furthest attempt."""

    def __init__(self, graph: DependencyGraph, watch: bool = False):
        self.graph, self.watch, self.steps = graph, watch, 0
        self.furthest: Failure | None = None

    def run(self, conditions: tuple[Condition, ...], at: int, bound: Bindings, first: str) -> Iterator[Bindings]:
        self.steps += 1
        if self.steps > STEP_LIMIT:
            raise RuleError(f"the pattern takes more than {STEP_LIMIT} steps on one sentence; bind its nodes more closely")
        if at == len(conditions):
            yield bound
            return
        condition, stuck = conditions[at], True
        for extended in self.ways(condition, bound):
            stuck = False
            yield from self.run(conditions, at + 1, extended, first)
        if stuck and self.watch and (self.furthest is None or at > self.furthest.satisfied):
            self.furthest = Failure(at, bound, condition, self.found(condition, bound))

    def ways(self, condition: Condition, bound: Bindings) -> Iterator[Bindings]:
        """The bindings that satisfy one condition, extended where it binds something new."""
        graph = self.graph
        if isinstance(condition, Test):
            index = bound.get(condition.node)
            if index is not None:
                if condition.holds(graph.tokens[index - 1]):
                    yield bound
            else:
                for token in graph.tokens:
                    if condition.holds(token):
                        yield {**bound, condition.node: token.index}
        elif isinstance(condition, Edge):
            head, dependent = bound.get(condition.head), bound.get(condition.dependent)
            edges = graph.children(head) if head is not None else graph.parents(dependent) if dependent is not None else graph.edges
            for edge in edges:
                if (dependent is None or edge.dependent == dependent) and edge.head:
                    link = condition.label.fit(edge.relation)
                    if link is not None:
                        extended = {**bound, condition.head: edge.head, condition.dependent: edge.dependent}
                        if condition.link:
                            extended[condition.link] = link.replace("_", " ")
                        yield extended
        elif isinstance(condition, Order):
            yield from self.in_order(condition, bound)
        else:
            found = next(self.run(condition.conditions, 0, bound, ""), None) if not self.watch else self.quietly(condition, bound)
            if condition.absent:
                if found is None:
                    yield bound
            else:
                yield bound if found is None else found

    def in_order(self, condition: Order, bound: Bindings) -> Iterator[Bindings]:
        firsts, seconds = ([bound[n]] if n in bound else [t.index for t in self.graph.tokens] for n in (condition.first, condition.second))
        for a in firsts:
            for b in seconds:
                if a + 1 == b or (a < b and not condition.direct):
                    yield {**bound, condition.first: a, condition.second: b}

    def quietly(self, group: Group, bound: Bindings) -> Bindings | None:
        """The first way through a group, without remembering its failures."""
        return next(_Search(self.graph).run(group.conditions, 0, bound, ""), None)

    def found(self, condition: Condition, bound: Bindings) -> str:
        """What stands where the condition failed."""
        graph = self.graph
        if isinstance(condition, Test):
            if condition.node not in bound:
                return "no such token"
            token = graph.token(bound[condition.node])
            return f"{condition.attribute} of {token.text} is {token[ATTRIBUTES[condition.attribute]]}"
        if isinstance(condition, Edge):
            head, dependent = bound.get(condition.head), bound.get(condition.dependent)
            edges = graph.children(head) if head is not None else graph.parents(dependent) if dependent is not None else ()
            there = [e for e in edges if dependent is None or e.dependent == dependent]
            return _edges(graph, there or edges) if edges else "no edge at all"
        if isinstance(condition, Order):
            return f"{condition.second} does not follow {condition.first}"
        way = self.quietly(condition, bound) or {}
        return "there is " + ", ".join(graph.token(i).text for n, i in way.items() if n not in bound and isinstance(i, int))


def _edges(graph: DependencyGraph, edges) -> str:
    name = lambda index: graph.token(index).text if index else "the root"  # noqa: E731
    return ", ".join(f"{name(e.head)} –{e.relation}→ {name(e.dependent)}" for e in edges)


def _ordered(conditions: list[Condition], first: str) -> list[Condition]:
    """Edges first (each joined to a bound node), every test as soon as its node is bound, groups and orders last."""
    edges = [c for c in conditions if isinstance(c, Edge)]
    tests = [c for c in conditions if isinstance(c, Test)]
    late = [c for c in conditions if isinstance(c, (Order, Group))]
    out: list[Condition] = []
    bound: set[str] = set()

    def take_tests() -> None:
        for test in [t for t in tests if t.node in bound]:
            tests.remove(test)
            out.append(test)

    while edges:
        edge = next((e for e in edges if e.head in bound or e.dependent in bound), edges[0])
        edges.remove(edge)
        out.append(edge)
        bound |= {edge.head, edge.dependent}
        take_tests()
    return out + tests + sorted(late, key=lambda c: isinstance(c, Group) and not c.absent)


class _Reader:
    """A recursive-descent reader of one pattern."""

    _NODE = re.compile(r"\{([^{}]*)\}(?:=(\w+))?")
    _RELATION = re.compile(r"([!?]?)([<>])\s*(/(?:[^/\\]|\\.)*/|[\w:|]+)(?:=(\w+))?")
    _ORDER = re.compile(r"(\.\.?)(?=\s)")
    _TEST = re.compile(r"\s*(\w+)\s*:\s*(!?)\s*(/(?:[^/\\]|\\.)*/|[^\s;/]+)\s*")

    def __init__(self, source: str):
        self.source, self.position = source, 0
        self.names: list[str] = []
        self.links: set[str] = set()
        self.first = ""
        self._anonymous = 0

    def read(self) -> list[Condition]:
        conditions: list[Condition] = []
        self.first = self.pattern(conditions)
        self.space()
        if self.position < len(self.source):
            self.fail("a relation such as >amod, or the end")
        if not conditions:
            conditions.append(Test(self.first, "word", Value("/.*/")))
        return conditions

    def pattern(self, out: list[Condition]) -> str:
        """A node and its relations; returns the node's name."""
        name = self.node(out)
        while True:
            self.space()
            if found := self.take(self._RELATION):
                flag, direction, label, link = found.groups()
                conditions: list[Condition] = []
                value = self.value(label, found.start(3))
                other = self.target(conditions)
                head, dependent = (name, other) if direction == ">" else (other, name)
                conditions.insert(0, Edge(head, dependent, value, link))
                if link:
                    self.links.add(link)
                    self.names.append(link)
                out += [Group(tuple(_ordered(conditions, name)), flag == "!")] if flag else conditions
            elif found := self.take(self._ORDER):
                out.append(Order(name, self.target(out), found.group(1) == "."))
            else:
                return name

    def target(self, out: list[Condition]) -> str:
        self.space()
        if not self.take(re.compile(r"\(")):
            return self.node(out)
        name = self.pattern(out)
        self.space()
        if not self.take(re.compile(r"\)")):
            self.fail("a closing parenthesis or a relation")
        return name

    def node(self, out: list[Condition]) -> str:
        self.space()
        start = self.position
        found = self.take(self._NODE)
        if not found:
            self.fail("a node such as {tag:NN}=noun")
        body, name = found.groups()
        if name is None:
            self._anonymous += 1
            name = f"word{self._anonymous}"
        if name not in self.names:
            self.names.append(name)
        at = start + 1
        while body.strip():
            test = self._TEST.match(body)
            if not test or test.group(1) not in ATTRIBUTES:
                self.position = at
                self.fail(f"a test such as tag:NN (attributes: {', '.join(ATTRIBUTES)})")
            out.append(Test(name, test.group(1), self.value(test.group(3), at + test.start(3)), bool(test.group(2))))
            at += test.end()
            body = body[test.end() :]
            if body.startswith(";"):
                body, at = body[1:], at + 1
            elif body.strip():
                self.position = at
                self.fail("a semicolon between tests")
        return name

    def value(self, source: str, position: int) -> Value:
        try:
            return Value(source)
        except re.error as error:
            self.position = position
            self.fail(f"a regular expression ({error})")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.source, self.position)
        if found:
            self.position = found.end()
        return found

    def space(self) -> None:
        self.take(re.compile(r"\s*"))

    def fail(self, expected: str):
        found = self.source[self.position : self.position + 20] or "the end"
        raise RuleError(f"position {self.position + 1}: found {found!r}, expected {expected}\n  {self.source}\n  {' ' * self.position}^")
