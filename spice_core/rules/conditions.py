"""Conditions of patterns on tokens and edges, the search for matches, and the reasons why a search fails."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol

from spice_core.errors import Message, RuleError
from spice_core.rules.mismatches import BlockedBy, EdgeWithTokens, Mismatch, NoToken, OtherEdges, OtherValue, WrongOrder
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token

Bindings = dict[str, "int | str"]  # node names to token indices, link names to texts
_TOKEN_FIELDS = (("word", "text"), ("lemma", "lemma"), ("tag", "tag"))
TOKEN_ATTRIBUTES: dict[str, Callable[[Token], str]] = {name: itemgetter(Token._fields.index(field)) for name, field in _TOKEN_FIELDS}
MIN_STEP_LIMIT, STEPS_PER_TOKEN = 100_000, 50
_SECONDS_PER_STEP = 2e-5  # seconds of matching per allowed step
_REGEX_TIMEOUT_S = 0.1  # seconds for matching one text with one regular expression
_MAX_REGEX_CHARS, _MAX_REGEX_GROUPS, _MAX_REGEX_QUANTIFIERS = 1_000, 50, 6  # limits of one regular expression
_LOOKUPS_PER_STEP = 16  # number of tokens or edges examined that counts as one step
_SET_OR_ESCAPE = re.compile(r"\[\^?\]?(?:\\.?|[^\]\\])*(?:\]|$)|\\.", re.DOTALL)
_MAX_CACHED_TEXTS, _MAX_CACHED_TEXT_CHARS = 1 << 12, 100  # limits of the cache of a value: number of texts, and length of a text


class SearchBudget:
    """Limits on the steps of a search and on the time for matching.

    ``searched_object`` names what is searched in error messages (default: one sentence).
    """

    __slots__ = ("limit", "searched_object", "seconds", "steps")

    def __init__(self, limit: int = MIN_STEP_LIMIT, searched_object: str = "") -> None:
        self.steps, self.seconds, self.limit, self.searched_object = 0, 0.0, limit, searched_object

    @classmethod
    def for_graph(cls, graph: DependencyGraph) -> SearchBudget:
        """Return the budget of all rules for one sentence. The bundled rules take fewer than 5 steps per token on average."""
        return cls(max(MIN_STEP_LIMIT, STEPS_PER_TOKEN * len(graph.tokens)))

    def count_steps(self, count: int = 1) -> None:
        """Count steps. Raises RuleError if the limit is exceeded."""
        self.steps += count
        if self.steps > self.limit:
            raise RuleError(Message("pattern.steps", limit=self.limit, over=self.searched_object or Message("pattern.one_sentence")))

    def add_seconds(self, seconds: float) -> None:
        """Count the time of a match. Raises RuleError if matching takes longer than the step limit allows."""
        self.seconds += seconds
        if self.seconds > self.limit * _SECONDS_PER_STEP:
            raise RuleError(
                Message(
                    "pattern.seconds", seconds=self.limit * _SECONDS_PER_STEP, over=self.searched_object or Message("pattern.one_sentence")
                )
            )


class FullMatch(Protocol):
    """A compiled ``regex`` pattern's ``fullmatch`` that raises TimeoutError after ``timeout`` seconds."""

    def __call__(self, text: str, *, timeout: float, concurrent: bool) -> re.Match[str] | None: ...


class ValueMatcher:
    """Matcher of a word, of words separated by bars, or of a /regular expression/, with a cache for recent texts.

    ``words`` is empty for a regular expression.
    """

    __slots__ = ("_cached_matches", "_regex_match", "source", "words")

    def __init__(self, source: str):
        """Compile a value. Raises re.error if the value is a regular expression that is invalid or too large."""
        self.source, self.words = source, frozenset[str]()
        self._regex_match: FullMatch | None = None
        self._cached_matches: dict[str, str | None] = {}
        if len(source) > 1 and source.startswith("/") and source.endswith("/"):
            import regex  # unlike re, the regex library can interrupt a match

            self._regex_match = regex.compile(_check_regex(source[1:-1])).fullmatch
        else:
            self.words = frozenset(source.split("|"))

    def match_text(self, text: str, budget: SearchBudget | None = None) -> str | None:
        """Return the text of the first group ("" without groups), or None for no match.

        The time of the match counts towards ``budget``. Raises RuleError if the match takes too long.
        """
        if self._regex_match is None:
            return "" if text in self.words else None
        try:
            return self._cached_matches[text]
        except KeyError:
            answer = self._match_full(self._regex_match, text, budget)
            if len(self._cached_matches) >= _MAX_CACHED_TEXTS:
                self._cached_matches.clear()
            if len(text) <= _MAX_CACHED_TEXT_CHARS:
                self._cached_matches[text] = answer
            return answer

    def matches_any(self, texts: Collection[str]) -> bool:
        """Return whether one of the texts matches."""
        return not self.words.isdisjoint(texts) if self.words else any(self.match_text(text) is not None for text in texts)

    def match_texts(self, texts: Collection[str], budget: SearchBudget | None = None) -> dict[str, str]:
        """Return the texts that match, each with the result of ``match_text``."""
        if self._regex_match is None:
            return dict.fromkeys(self.words.intersection(texts), "")
        return {text: captured_text for text in texts if (captured_text := self.match_text(text, budget)) is not None}

    def _match_full(self, full_match: FullMatch, text: str, budget: SearchBudget | None) -> str | None:
        start_time = time.thread_time()
        try:
            # not concurrent: waiting for the GIL again may take longer than the match
            match = full_match(text, timeout=_REGEX_TIMEOUT_S, concurrent=False)
        except TimeoutError:
            raise RuleError(Message("pattern.slow", source=self.source, text=text[:20])) from None
        if budget:
            budget.add_seconds(time.thread_time() - start_time)
        return None if match is None else (match.group(1) or "" if match.re.groups else "")


class EdgeMatches:
    """A graph's edges that match a label, each with the text of the label's group.

    Edges from the root are omitted.
    """

    __slots__ = ("_by_dependent", "_by_head", "edges")

    def __init__(self, label: ValueMatcher, graph: DependencyGraph, budget: SearchBudget | None = None):
        links = label.match_texts(graph.relations, budget)
        self.edges = [(edge, links[edge.relation]) for edge in graph.edges if edge.relation in links and edge.head] if links else []
        self._by_head: dict[int, list[tuple[Dependency, str]]] | None = None
        self._by_dependent: dict[int, list[tuple[Dependency, str]]] | None = None

    def from_head(self, head: int) -> list[tuple[Dependency, str]]:
        """Return the matching edges from a word, in the order of the graph's edges."""
        if self._by_head is None:
            self._by_head = {}
            for match in self.edges:
                self._by_head.setdefault(match[0].head, []).append(match)
        return self._by_head.get(head, _NO_MATCHES)

    def to_dependent(self, dependent: int) -> list[tuple[Dependency, str]]:
        """Return the matching edges to a word, in the order of the graph's edges."""
        if self._by_dependent is None:
            self._by_dependent = {}
            for match in self.edges:
                self._by_dependent.setdefault(match[0].dependent, []).append(match)
        return self._by_dependent.get(dependent, _NO_MATCHES)


_NO_MATCHES: list[tuple[Dependency, str]] = []


def edge_matches(graph: DependencyGraph, label: ValueMatcher, budget: SearchBudget | None = None) -> EdgeMatches:
    """Return the edges of a graph that match a label, which are cached on the graph."""
    matches: EdgeMatches | None = graph.cache.get(label)
    if matches is None:
        matches = graph.cache[label] = EdgeMatches(label, graph, budget)
    return matches


class Condition(Protocol):
    """A condition of a pattern. Its string form is a statement."""

    def extend(self, graph: DependencyGraph, bindings: Bindings, budget: SearchBudget) -> Sequence[Bindings]:
        """Return each extension of the bindings that satisfies the condition."""

    def find_mismatch(self, graph: DependencyGraph, bindings: Bindings) -> Mismatch:
        """Return what the graph has instead of what the condition requires."""


@dataclass(frozen=True, slots=True)
class TokenTest:
    """Condition that the token of ``node`` has this attribute value, or a different one if negated."""

    node: str
    attribute: str
    value: ValueMatcher
    is_negated: bool = False

    def __str__(self) -> str:
        return f"{self.attribute} of {self.node} {'is not' if self.is_negated else 'is'} {self.value.source}"

    def extend(self, graph: DependencyGraph, bindings: Bindings, budget: SearchBudget) -> Sequence[Bindings]:
        index = bindings.get(self.node)
        if isinstance(index, int):
            return (bindings,) if self._is_satisfied(graph.tokens[index - 1], budget) else ()
        budget.count_steps(len(graph.tokens) // _LOOKUPS_PER_STEP if bindings else 0)
        return [{**bindings, self.node: token.index} for token in graph.tokens if self._is_satisfied(token, budget)]

    def find_mismatch(self, graph: DependencyGraph, bindings: Bindings) -> NoToken | OtherValue:
        index = bindings.get(self.node)
        if not isinstance(index, int):
            return NoToken()
        token = graph.token(index)
        return OtherValue(self.attribute, token, TOKEN_ATTRIBUTES[self.attribute](token))

    def _is_satisfied(self, token: Token, budget: SearchBudget) -> bool:
        return (self.value.match_text(TOKEN_ATTRIBUTES[self.attribute](token), budget) is not None) is not self.is_negated


@dataclass(frozen=True, slots=True)
class EdgeTest:
    """Condition that ``head`` governs ``dependent`` by a relation that matches the label.

    ``link`` is bound to the text of the label's group.
    """

    head: str
    dependent: str
    label: ValueMatcher
    link: str | None = None

    def __str__(self) -> str:
        return f"{self.head} governs {self.dependent} by {self.label.source}"

    def extend(self, graph: DependencyGraph, bindings: Bindings, budget: SearchBudget) -> Sequence[Bindings]:
        matches = edge_matches(graph, self.label, budget)
        head, dependent = bindings.get(self.head), bindings.get(self.dependent)
        if isinstance(head, int):
            candidates = matches.from_head(head)
        elif isinstance(dependent, int):
            candidates = matches.to_dependent(dependent)
        else:
            candidates = matches.edges
        if bindings and len(candidates) >= _LOOKUPS_PER_STEP:
            budget.count_steps(len(candidates) // _LOOKUPS_PER_STEP)
        out = []
        for edge, link in candidates:
            if dependent is None or edge.dependent == dependent:
                new_bindings = {**bindings, self.head: edge.head, self.dependent: edge.dependent}
                if self.link:
                    new_bindings[self.link] = link.replace("_", " ")
                out.append(new_bindings)
        return out

    def find_mismatch(self, graph: DependencyGraph, bindings: Bindings) -> OtherEdges:
        edges = [e for e in self._candidate_edges(graph, bindings) if e.head]
        edges_between = [e for e in edges if e.dependent == bindings.get(self.dependent, e.dependent)]
        arcs = (EdgeWithTokens(graph.token(e.head), e.relation, graph.token(e.dependent)) for e in edges_between or edges)
        end = bindings.get(self.head, bindings.get(self.dependent))
        return OtherEdges(tuple(arcs), graph.token(end) if isinstance(end, int) else None, is_head=self.head in bindings)

    def _candidate_edges(self, graph: DependencyGraph, bindings: Bindings) -> Sequence[Dependency]:
        """Return the edges of the bound head or dependent, or all edges of the graph if neither is bound."""
        if isinstance(head := bindings.get(self.head), int):
            return graph.children(head)
        if isinstance(dependent := bindings.get(self.dependent), int):
            return graph.parents(dependent)
        return graph.edges


@dataclass(frozen=True, slots=True)
class OrderTest:
    """Condition that ``first`` precedes ``second``, directly if ``is_adjacent``."""

    first: str
    second: str
    is_adjacent: bool

    def __str__(self) -> str:
        return f"{self.first} stands {'directly ' if self.is_adjacent else ''}before {self.second}"

    def extend(self, graph: DependencyGraph, bindings: Bindings, budget: SearchBudget) -> Sequence[Bindings]:
        end = len(graph.tokens) + 1
        first, second = bindings.get(self.first), bindings.get(self.second)
        out = []
        for a in [first] if isinstance(first, int) else range(1, end):
            positions = range(a + 1, min(a + 2, end) if self.is_adjacent else end)
            partners = positions if second is None else [second] if second in positions else []
            out += [{**bindings, self.first: a, self.second: b} for b in partners]
            if len(out) > budget.limit:  # each extension takes a step
                budget.count_steps(len(out))
        return out

    def find_mismatch(self, graph: DependencyGraph, bindings: Bindings) -> WrongOrder:
        return WrongOrder(self.first, self.second)


@dataclass(frozen=True, slots=True)
class Negation:
    """Condition that other conditions do not all hold together."""

    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f"not ({' and '.join(map(str, self.conditions))})"

    def extend(self, graph: DependencyGraph, bindings: Bindings, budget: SearchBudget) -> Sequence[Bindings]:
        first = self.conditions[0]
        if isinstance(first, EdgeTest) and not edge_matches(graph, first.label, budget).edges:
            return (bindings,)
        return (bindings,) if next(solve(self.conditions, graph, bindings, budget), None) is None else ()

    def find_mismatch(self, graph: DependencyGraph, bindings: Bindings) -> BlockedBy:
        solution = next(solve(self.conditions, graph, bindings, SearchBudget()), {})
        tokens = {name: graph.token(i) for name, i in solution.items() if isinstance(i, int)}
        return BlockedBy(tuple(token for name, token in tokens.items() if name not in bindings) or tuple(tokens.values()))


@dataclass(frozen=True, slots=True)
class Optional:
    """Group of conditions that binds names if all hold, and never fails."""

    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f"optionally, {' and '.join(map(str, self.conditions))}"

    def extend(self, graph: DependencyGraph, bindings: Bindings, budget: SearchBudget) -> Sequence[Bindings]:
        return (next(solve(self.conditions, graph, bindings, budget), bindings),)

    def find_mismatch(self, graph: DependencyGraph, bindings: Bindings) -> NoToken:
        return NoToken()


@dataclass(frozen=True, slots=True)
class Failure:
    """The furthest point of a failed search: number of satisfied conditions, bindings, failed condition, mismatch."""

    satisfied_count: int
    bindings: Mapping[str, int | str]
    condition: Condition
    mismatch: Mismatch

    def sort_key(self, condition_count: int) -> tuple[bool, int, int]:
        """Return a sort key by closeness to success.

        Failures with the fewest open conditions come first, and failures without a satisfied condition come last.
        """
        return self.satisfied_count == 0, condition_count - self.satisfied_count, -self.satisfied_count


def solve(
    conditions: tuple[Condition, ...], graph: DependencyGraph, bindings: Bindings, budget: SearchBudget, index: int = 0
) -> Iterator[Bindings]:
    """Yield all bindings that satisfy every condition from ``index`` on. Raises RuleError if the step limit is exceeded."""
    budget.count_steps()
    for position in range(index, len(conditions)):
        extensions = conditions[position].extend(graph, bindings, budget)
        if len(extensions) != 1:
            for new_bindings in extensions:
                yield from solve(conditions, graph, new_bindings, budget, position + 1)
            return
        budget.count_steps()
        bindings = extensions[0]
    yield bindings


def furthest_failure(conditions: tuple[Condition, ...], graph: DependencyGraph, bindings: Bindings, budget: SearchBudget) -> Failure | None:
    """Return the failure after the most satisfied conditions, or None if all can be satisfied."""

    def attempt_from(index: int, bindings: Bindings) -> Failure | None:
        budget.count_steps()
        if index == len(conditions):
            return None
        best_failure = None
        for new_bindings in conditions[index].extend(graph, bindings, budget):
            failure = attempt_from(index + 1, new_bindings)
            if failure is None:
                return None
            best_failure = failure if best_failure is None or failure.satisfied_count > best_failure.satisfied_count else best_failure
        return best_failure or Failure(index, bindings, conditions[index], conditions[index].find_mismatch(graph, bindings))

    return attempt_from(0, bindings)


def _check_regex(expression: str) -> str:
    """Raise re.error if a regular expression is invalid or too large."""
    if len(expression) > _MAX_REGEX_CHARS:
        raise re.error(Message("pattern.length", number=_MAX_REGEX_CHARS))
    stripped_regex = re.sub(r"\\[1-9]|\(\?P=", "\0", expression)
    sets = [re.sub(r"\\.", "", part[1:]) for part in _SET_OR_ESCAPE.findall(stripped_regex) if part.startswith("[")]
    stripped_regex = _SET_OR_ESCAPE.sub("x", stripped_regex)
    refused_syntax = {
        "no_reference": "\0" in stripped_regex,
        "no_flags": re.search(r"\((?!\?(?::|<?[=!]|P<))[?*]", stripped_regex),
        "in_set": any(re.search(r"\[|--|&&|\|\||~~", members) for members in sets),
        "braces": re.search(r"\{(?!\d{1,3}(?:,\d{0,3})?\})", stripped_regex),
        "no_repetition": re.search(r"\)[*+{]", stripped_regex),
        "groups": stripped_regex.count("(") > _MAX_REGEX_GROUPS,
        "quantifiers": len(re.findall(r"[*+{]|(?<!\()\?", stripped_regex)) > _MAX_REGEX_QUANTIFIERS,
    }
    for expected, found in refused_syntax.items():
        if found:
            raise re.error(Message(f"pattern.{expected}", number=_MAX_REGEX_GROUPS if expected == "groups" else _MAX_REGEX_QUANTIFIERS))
    re.compile(expression)  # ``re`` rejects escapes that only the regex library supports, such as ``\X``
    return expression
