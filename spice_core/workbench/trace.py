"""A caption through all stages: what each enhancement step changed, where each rule fired or nearly did, what each tuple adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spice_core.lang.pack import Language
from spice_core.rules.conditions import Effort, Failure
from spice_core.rules.ruleset import Rule, RuleSet
from spice_core.scene.graph import SceneGraph
from spice_core.scene.propositions import Parse, Proposition, ordered
from spice_core.scene.synonyms import Synonyms
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, Token
from spice_core.syntax.enhancement import Edges, Step


class Change(NamedTuple):
    """What one enhancement step did: edges that came, edges that went, edges with another relation (before, after)."""

    step: Step
    added: tuple[Dependency, ...]
    removed: tuple[Dependency, ...]
    relabelled: tuple[tuple[Dependency, Dependency], ...]
    edges: Edges

    @property
    def any(self) -> bool:
        """Whether the step did anything."""
        return bool(self.added or self.removed or self.relabelled)


class Firing(NamedTuple):
    """One match of a rule: the names of its pattern with the tokens (or, for a link, the text) bound to them, and its yield."""

    bindings: Mapping[str, Token | str]
    proposition: Proposition


@dataclass(frozen=True)
class RuleTrace:
    """What one rule did on a sentence: its firings or, without any, how far it came (None: no condition could be tried)."""

    rule: Rule
    firings: tuple[Firing, ...]
    nearly: Failure | None

    @property
    def conditions(self) -> int:
        """How many conditions the pattern has."""
        return len(self.rule.pattern.conditions)


@dataclass(frozen=True)
class SentenceTrace:
    """One sentence: its basic tree, the enhancement step by step, the graph that the rules read, the rules in order."""

    sentence: Sentence
    steps: tuple[Change, ...]
    graph: DependencyGraph
    rules: tuple[RuleTrace, ...]


class Growth(NamedTuple):
    """One proposition as the scene graph takes it in: the tuples that it adds; none where the graph had them already."""

    proposition: Proposition
    tuples: tuple[tuple[str, ...], ...]


def trace(pack: Language, rules: RuleSet, sentences: Iterable[Sentence]) -> tuple[SentenceTrace, ...]:
    """Every stage of each sentence, analysed but not yet enhanced. Raises RuleError where a pattern takes too many steps."""
    return tuple(_sentence(pack, rules, sentence, number) for number, sentence in enumerate(sentences))


def changes(before: Edges, steps: Iterable[tuple[Step, Edges]]) -> tuple[Change, ...]:
    """The difference that each step made; an edge between the same two words with one other relation counts as relabelled."""
    out = []
    for step, after in steps:
        came, went = [e for e in after if e not in before], [e for e in before if e not in after]
        renamed = []
        for old in list(went):
            new = [e for e in came if (e.head, e.dependent) == (old.head, old.dependent)]
            if new:
                renamed.append((old, new[0]))
                came.remove(new[0])
                went.remove(old)
        out.append(Change(step, tuple(came), tuple(went), tuple(renamed), after))
        before = after
    return tuple(out)


def rule_trace(rule: Rule, graph: DependencyGraph, sentence: int = 0, effort: Effort | None = None) -> RuleTrace:
    """What the rule did on this graph."""
    effort = effort or Effort.on(graph)
    fired = tuple(
        Firing({name: graph.token(v) if isinstance(v, int) else v for name, v in bound.items() if name in rule.pattern.named}, proposition)
        for bound, proposition in rule.firings(graph, sentence, effort)
    )
    return RuleTrace(rule, fired, None if fired else rule.pattern.failure(graph, {}, effort))


def growth(parse: Parse, synonyms: Synonyms, **options: object) -> list[Growth]:
    """The scene graph of one caption, proposition by proposition; ``options`` are those of SceneGraph."""
    graph, known, out = SceneGraph(synonyms, **options), set(), []
    for proposition in parse.propositions:
        graph.add(proposition)
        after = {t.words for t in graph.tuples()}
        out.append(Growth(proposition, ordered(after - known)))
        known = after
    return out


def nearest(rules: Sequence[RuleTrace]) -> list[RuleTrace]:
    """The rules that did not fire, the nearest first."""
    return sorted((rule for rule in rules if rule.nearly), key=lambda rule: rule.nearly.distance(rule.conditions))


def _sentence(pack: Language, rules: RuleSet, sentence: Sentence, number: int) -> SentenceTrace:
    steps = pack.trace(sentence, rules.steps)
    edges = steps[-1][1] if steps else sentence.basic
    graph = DependencyGraph(sentence.tokens, edges)
    effort = Effort.on(graph)
    traced = tuple(rule_trace(rule, graph, number, effort) for rule in rules.rules)
    return SentenceTrace(sentence, changes(_begin(sentence, rules), steps), graph, traced)


def _begin(sentence: Sentence, rules: RuleSet) -> Edges:
    """The edges that the steps begin with: the enhanced graph that a sentence came with, unless the rules name their steps."""
    return sentence.edges if rules.steps is None else sentence.basic
