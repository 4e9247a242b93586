"""The pattern language: a small Semgrex over dependency graphs, with a matcher that explains failures.

    {}=verb >nsubj ({tag:/NN.*/}=subject >det {word:a}) !>cop {}

A node is ``{attribute:value; …}`` with an optional ``=name``. Attributes are ``word``, ``lemma`` and ``tag``. A value is a word, words
separated by bars, or a ``/regular expression/`` that must match the full text: ``tag:JJ`` matches only JJ, and ``tag:/JJ.*/`` also matches
JJR and JJS. ``!`` before a value negates it. After a node come its relations, each followed by a node or by a pattern in parentheses:

    A >label B      A governs B by a relation "label" (or "a|b", or a /regular expression/)
    A <label B      B governs A
    A . B           A stands directly before B          A .. B   A stands before B
    !>label B       there is no such B                  ?>label B   optional: B is bound if there is one

``>/obl:(.+)/=link`` binds ``link`` to the text of the first group. spaCy's DependencyMatcher also has such operators, but it matches only
trees, in which each word has one head. Words of the enhanced graph may have several heads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import NamedTuple, NoReturn

from spice_core.errors import Message, RuleError
from spice_core.rules.conditions import (
    TOKEN_ATTRIBUTES,
    Bindings,
    Condition,
    EdgeTest,
    Failure,
    Negation,
    Optional,
    OrderTest,
    SearchBudget,
    TokenTest,
    ValueMatcher,
    edge_matches,
    furthest_failure,
    solve,
)
from spice_core.syntax.dependency_graph import DependencyGraph

_MAX_TESTS = 100
_MAX_SHARED_VALUE_CHARS = 200  # maximum length of a value with a shared matcher
RELATION_ATTRIBUTE = "relation"


class PatternValue(NamedTuple):
    """A value in a pattern, with its position in the source and the attribute that it tests (``tag``, ``lemma``, ``word`` or ``relation``)."""

    attribute: str
    matcher: ValueMatcher
    position: int


class Pattern:
    """Compiled pattern.

    Attributes:
        conditions: The conditions, in the order of the search.
        names: The names of nodes and links.
        nodes: The names that are bound to tokens.
        explicit_names: The names that the pattern contains explicitly.
        required_nodes: The explicit names that every match binds to tokens.
        captures: The name of the dependent of each link, by link.
        values: The values of all tests and relations.
        labels: The labels of the required edges.
    """

    def __init__(self, source: str):
        """Compile ``source``. Raises RuleError with the position and the expected syntax."""
        reader = _PatternReader(source)
        self.source = source
        self.conditions = _order_conditions(reader.read())
        self.names = tuple(reader.names)
        self.nodes = frozenset(reader.names) - reader.links
        self.explicit_names = tuple(name for name in dict.fromkeys(reader.names) if name not in reader.nameless)
        flat_conditions = [c for g in self.conditions for c in (g.conditions if isinstance(g, Negation | Optional) else (g,))]
        self.captures = {c.link: c.dependent for c in flat_conditions if isinstance(c, EdgeTest) and c.link}
        self.values = tuple(reader.values)
        word_tests = [c for c in self.conditions if isinstance(c, TokenTest) and c.value.words and not c.is_negated]
        self._required_words = [(test.attribute, test.value.words) for test in word_tests]
        self.required_nodes = [name for name in self.explicit_names if any(_binds(c, name) for c in self.conditions)]
        self.labels = [c.label for c in self.conditions if isinstance(c, EdgeTest)]

    def may_match(self, graph: DependencyGraph) -> bool:
        """Return whether the graph has all words and labels required by every match (a fast check)."""
        for attribute, words in self._required_words:
            if words.isdisjoint(map(TOKEN_ATTRIBUTES[attribute], graph.tokens)):
                return False
        return all([label.matches_any(graph.relations) for label in self.labels])

    def search(self, graph: DependencyGraph, budget: SearchBudget | None = None) -> Iterator[Bindings]:
        """Yield all bindings of names to token indices, and of links to texts, that satisfy every condition.

        Steps count towards ``budget``, which several searches may share. Raises RuleError if the budget is exceeded.
        """
        budget = budget or SearchBudget.for_graph(graph)
        for label in self.labels:
            if not edge_matches(graph, label, budget).edges:
                return iter(())
        return solve(self.conditions, graph, {}, budget)

    def failure(self, graph: DependencyGraph, bindings: Bindings, budget: SearchBudget | None = None) -> Failure | None:
        """Return the furthest failure given these bindings, or None if the pattern matches."""
        return furthest_failure(self.conditions, graph, bindings, budget or SearchBudget.for_graph(graph))


def _binds(condition: Condition, name: str) -> bool:
    """Return whether a condition requires a token with this name."""
    if isinstance(condition, EdgeTest):
        return name in (condition.head, condition.dependent)
    if isinstance(condition, OrderTest):
        return name in (condition.first, condition.second)
    return isinstance(condition, TokenTest) and condition.node == name


def _value_matcher(source: str) -> ValueMatcher:
    """Return the matcher of a value. Patterns share matchers of short values."""
    return _shared_matcher(source) if len(source) <= _MAX_SHARED_VALUE_CHARS else ValueMatcher(source)


_shared_matcher = lru_cache(maxsize=256)(ValueMatcher)


def _order_conditions(conditions: list[Condition]) -> tuple[Condition, ...]:
    """Sort conditions for the search: edges with their node tests, then order tests and negations, then optional groups.

    If possible, each edge has a node that an earlier edge binds.
    """
    edges = [c for c in conditions if isinstance(c, EdgeTest)]
    token_tests = [c for c in conditions if isinstance(c, TokenTest)]
    last_conditions = [c for c in conditions if isinstance(c, OrderTest | Negation | Optional)]
    out: list[Condition] = []
    bound_names: set[str] = set()
    while edges:
        edge = next((e for e in edges if e.head in bound_names or e.dependent in bound_names), edges[0])
        edges.remove(edge)
        bound_names |= {edge.head, edge.dependent}
        out += [edge, *(t for t in token_tests if t.node in bound_names)]
        token_tests = [t for t in token_tests if t.node not in bound_names]
    return (*out, *token_tests, *sorted(last_conditions, key=lambda c: isinstance(c, Optional)))


class _PatternReader:
    _NODE = re.compile(r"\{([^{}]*)\}(?:=(\w+))?")
    _TEST = re.compile(r"\s*(\w+)\s*:\s*(!?)\s*(/(?:[^/\\]|\\.)*/|[^\s;/]+)\s*")
    _RELATION = re.compile(r"([!?]?)([<>])\s*(/(?:[^/\\]|\\.)*/|[\w:|]+)(?:=(\w+))?")
    _ORDER = re.compile(r"(\.\.?)(?=\s)")
    _SPACE, _OPEN, _CLOSE = re.compile(r"\s*"), re.compile(r"\("), re.compile(r"\)")

    def __init__(self, source: str):
        self.source, self.position = source, 0
        self.given = set(re.findall(r"=(\w+)", source))  # names in the source, reserved against generated names
        self.size = 0
        self.names: list[str] = []
        self.links: set[str] = set()
        self.nameless: set[str] = set()
        self.values: list[PatternValue] = []

    def read(self) -> list[Condition]:
        """Read the conditions of the entire pattern, at least one."""
        conditions: list[Condition] = []
        name = self.read_pattern(conditions)
        if self.position < len(self.source):
            self.raise_error("relation")
        return conditions or [TokenTest(name, "word", ValueMatcher("/.*/"))]

    def read_pattern(self, out: list[Condition]) -> str:
        """Read a node and its relations, add their conditions to ``out``, and return the node's name."""
        name = self.read_node(out)
        while True:
            self.match_expression(self._SPACE)
            if match := self.match_expression(self._RELATION):
                self.read_relation(name, match, out)
            elif match := self.match_expression(self._ORDER):
                other = self.read_target(out)
                self.require(other != name, match.start(), "different_names")
                out.append(OrderTest(name, other, match.group(1) == "."))
            else:
                return name

    def read_relation(self, name: str, match: re.Match[str], out: list[Condition]) -> None:
        """Read a relation with its target's conditions, as a group if it has a flag (``!`` or ``?``)."""
        flag, direction, label, link = match.groups()
        value = self.compile_value(RELATION_ATTRIBUTE, label, match.start(3))
        conditions: list[Condition] = []
        self.require(not link or link in self.links or link not in self.names, match.start(4), "not_a_word")
        if link:
            self.links.add(link)
        other = self.read_target(conditions)
        self.require(other != name, match.start(), "different_names")
        head, dependent = (name, other) if direction == ">" else (other, name)
        conditions.insert(0, EdgeTest(head, dependent, value, link))
        if link:
            self.names.append(link)
        if not flag:
            out += conditions
        else:
            out.append((Negation if flag == "!" else Optional)(_order_conditions(conditions)))

    def read_target(self, out: list[Condition]) -> str:
        """Read a node or a pattern in parentheses, and return the name of its first node."""
        self.match_expression(self._SPACE)
        if not self.match_expression(self._OPEN):
            return self.read_node(out)
        name = self.read_pattern(out)
        if not self.match_expression(self._CLOSE):
            self.raise_error("close")
        return name

    def read_node(self, out: list[Condition]) -> str:
        """Read a node with its tests, and return its name."""
        self.match_expression(self._SPACE)
        start = self.position + 1
        match = self.match_expression(self._NODE) or self.raise_error("node")
        self.count_element(start - 1)
        body, name = match.groups()
        self.require(name not in self.links, match.end() - len(name or ""), "not_a_link")
        if name is None:
            used_names = self.given | self.nameless
            name = next(n for n in (f"word{i}" for i in count(1)) if n not in used_names)
            self.nameless.add(name)
        if name not in self.names:
            self.names.append(name)
        self.read_tests(name, body, start, out)
        return name

    def read_tests(self, name: str, body: str, start: int, out: list[Condition]) -> None:
        """Read the tests between the braces of a node, which begin at ``start``."""
        offset = 0
        while body[offset:].strip():
            test = self._TEST.match(body, offset)
            if not test or test.group(1) not in TOKEN_ATTRIBUTES:
                self.position = start + offset
                self.raise_error("test", names=", ".join(TOKEN_ATTRIBUTES))
            self.count_element(start + offset)
            value = self.compile_value(test.group(1), test.group(3), start + test.start(3))
            out.append(TokenTest(name, test.group(1), value, bool(test.group(2))))
            offset = test.end()
            if body[offset:].strip() and body[offset] != ";":
                self.position = start + offset
                self.raise_error("semicolon")
            offset += 1

    def compile_value(self, attribute: str, source: str, position: int) -> ValueMatcher:
        """Compile the value of an attribute, or of a relation, at this position."""
        try:
            self.values.append(PatternValue(attribute, _value_matcher(source), position))
            return self.values[-1].matcher
        except re.error as error:
            self.position = position
            if isinstance(error.msg, Message):
                self.raise_error("bounded_expression", limit=error.msg)
            self.raise_error("expression", reason=str(error))

    def match_expression(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match an expression at the current position and advance, or return None."""
        match = pattern.match(self.source, self.position)
        if match:
            self.position = match.end()
        return match

    def count_element(self, position: int) -> None:
        """Count a node or test. Raises RuleError if there are too many, because the recursion depth of a search grows with them."""
        self.size += 1
        self.require(self.size <= _MAX_TESTS, position, "size", number=_MAX_TESTS)

    def require(self, is_valid: bool, position: int, expected: str, **values: object) -> None:
        """Raise RuleError for this position unless ``is_valid``."""
        if not is_valid:
            self.position = position
            self.raise_error(expected, **values)

    def raise_error(self, expected: str, **values: object) -> NoReturn:
        """Raise RuleError for the current position. ``expected`` is the key of the message."""
        found = self.source[self.position : self.position + 20] or Message("found.end")
        expected_text = Message(f"pattern.{expected}", **values)
        message = Message("pattern.position", position=self.position + 1, found=found, expected=expected_text)
        raise RuleError(message, part="pattern", position=self.position)
