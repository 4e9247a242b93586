"""Trace of a caption: the changes by each enhancement step, the firings or failures of each rule, and the growth of the scene graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spice_core.lang.enhancement import DiscourseStep, Edges, Step
from spice_core.lang.pack import LanguagePack
from spice_core.rules.conditions import Failure, SearchBudget
from spice_core.rules.ruleset import Rule, RuleSet
from spice_core.scene.graph import SPICE_SCHEME, SceneGraph, Scheme
from spice_core.scene.propositions import Parse, Proposition, sort_tuples
from spice_core.scene.synonyms import Synonyms, rephrase
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Antecedent, Dependency, Document, Sentence, Token


class StepEffect(NamedTuple):
    """Effect of an enhancement step: added, removed and relabelled edges (before, after), and all edges after it."""

    step: Step
    added_edges: tuple[Dependency, ...]
    removed_edges: tuple[Dependency, ...]
    relabelled_edges: tuple[tuple[Dependency, Dependency], ...]
    edges: Edges

    @property
    def has_changes(self) -> bool:
        """Whether the step changed anything."""
        return bool(self.added_edges or self.removed_edges or self.relabelled_edges)


class PronounResolution(NamedTuple):
    """A word that a discourse step resolves to another word."""

    step: DiscourseStep
    token: Token
    antecedent: Antecedent


class TracedFiring(NamedTuple):
    """A match of a rule, with its bindings (tokens, or texts for links) and its proposition."""

    bindings: Mapping[str, Token | str]
    proposition: Proposition


@dataclass(frozen=True)
class RuleTrace:
    """Trace of a rule on a sentence: its firings, or else its nearest failure."""

    rule: Rule
    firings: tuple[TracedFiring, ...]
    nearest_failure: Failure | None

    @property
    def condition_count(self) -> int:
        """The number of conditions of the pattern."""
        return len(self.rule.pattern.conditions)


@dataclass(frozen=True)
class SentenceTrace:
    """Trace of a sentence: enhancement steps, final graph, rules in order, and resolved words."""

    sentence: Sentence
    steps: tuple[StepEffect, ...]
    graph: DependencyGraph
    rules: tuple[RuleTrace, ...]
    resolutions: tuple[PronounResolution, ...] = ()


class MergeStep(NamedTuple):
    """A proposition with the tuples that it adds to the scene graph."""

    proposition: Proposition
    tuples: tuple[tuple[str, ...], ...]


def trace_sentences(pack: LanguagePack, rules: RuleSet, sentences: Iterable[Sentence]) -> tuple[SentenceTrace, ...]:
    """Trace parsed sentences that are not enhanced. Raises RuleError if a pattern takes too many steps."""
    document = Document("", tuple(sentences))
    discourse_effects = pack.enhancer.trace_discourse(document, rules.steps)
    after = discourse_effects[-1][1] if discourse_effects else document
    resolutions = _resolutions_by_step(document, discourse_effects)
    return tuple(
        _trace_sentence(pack, rules, sentence, sentence_index, resolutions[sentence_index])
        for sentence_index, sentence in enumerate(after.sentences)
    )


def _resolutions_by_step(document: Document, steps: Sequence[tuple[DiscourseStep, Document]]) -> list[tuple[PronounResolution, ...]]:
    """Return the words resolved by each discourse step, by sentence."""
    out: list[tuple[PronounResolution, ...]] = [() for _ in (steps[-1][1] if steps else document).sentences]
    original_document = document
    for step, after in steps:
        for sentence_index, (old, new) in enumerate(zip(original_document.sentences, after.sentences)):
            new_antecedents = (a for a in new.antecedents if a not in old.antecedents)
            out[sentence_index] += tuple(PronounResolution(step, new.tokens[a.index - 1], a) for a in new_antecedents)
        original_document = after
    return out


def step_effects(before: Edges, steps: Iterable[tuple[Step, Edges]]) -> tuple[StepEffect, ...]:
    """Return the effect of each step. An edge replaced by one between the same words counts as relabelled."""
    out = []
    for step, after in steps:
        added_edges, removed_edges = [e for e in after if e not in before], [e for e in before if e not in after]
        renamed_edges = []
        for old_edge in list(removed_edges):
            new_edges = [e for e in added_edges if (e.head, e.dependent) == (old_edge.head, old_edge.dependent)]
            if new_edges:
                renamed_edges.append((old_edge, new_edges[0]))
                added_edges.remove(new_edges[0])
                removed_edges.remove(old_edge)
        out.append(StepEffect(step, tuple(added_edges), tuple(removed_edges), tuple(renamed_edges), after))
        before = after
    return tuple(out)


def rule_trace(rule: Rule, graph: DependencyGraph, sentence: int = 0, budget: SearchBudget | None = None) -> RuleTrace:
    """Return the trace of a rule on a graph."""
    budget = budget or SearchBudget.for_graph(graph)
    firings = tuple(
        TracedFiring(
            {name: graph.token(v) if isinstance(v, int) else v for name, v in bindings.items() if name in rule.pattern.explicit_names},
            proposition,
        )
        for bindings, proposition in rule.firings(graph, sentence, budget)
    )
    return RuleTrace(rule, firings, None if firings else rule.pattern.failure(graph, {}, budget))


def trace_merging(parse: Parse, synonyms: Synonyms, scheme: Scheme = SPICE_SCHEME) -> list[MergeStep]:
    """Return the tuples that each proposition adds to the scene graph of one caption."""
    graph, out = SceneGraph(synonyms, scheme=scheme), []
    parse = rephrase(synonyms, parse)
    graph.keep_apart([parse])
    earlier_tuples: set[tuple[str, ...]] = set()
    for proposition in parse.propositions:
        graph.add(proposition)
        after = {t.words for t in graph.tuples()}
        out.append(MergeStep(proposition, sort_tuples(after - earlier_tuples)))
        earlier_tuples = after
    return out


def rank_failed_traces(rules: Sequence[RuleTrace]) -> list[RuleTrace]:
    """Return the traces of rules that did not fire, starting with the rule nearest to a match."""
    failed_rules = [(rule, rule.nearest_failure) for rule in rules if rule.nearest_failure]
    return [rule for rule, failure in sorted(failed_rules, key=lambda pair: pair[1].sort_key(pair[0].condition_count))]


def _trace_sentence(
    pack: LanguagePack, rules: RuleSet, sentence: Sentence, sentence_index: int, resolutions: tuple[PronounResolution, ...] = ()
) -> SentenceTrace:
    steps = pack.enhancer.trace(sentence, rules.steps)
    edges = steps[-1][1] if steps else sentence.basic
    (enhanced_sentence,) = pack.enhance(Document("", (sentence,)), rules.steps).sentences
    graph = DependencyGraph(enhanced_sentence.resolved_tokens, edges)
    budget = SearchBudget.for_graph(graph)
    traces = tuple(rule_trace(rule, graph, sentence_index, budget) for rule in rules.rules)
    initial_edges = sentence.edges if rules.steps is None else sentence.basic  # rules with their own steps start from the basic tree
    return SentenceTrace(sentence, step_effects(initial_edges, steps), graph, traces, resolutions)
