"""Judgement of a rule by the tuples that it adds to parsed captions, some of which have gold graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import NamedTuple

from spice_core.data.gold import GoldGraph
from spice_core.rules.conditions import Bindings, ValueMatcher
from spice_core.rules.ruleset import Rule, expand_antecedents
from spice_core.scene.propositions import Parse, TupleWords, add_implied_objects
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document, Sentence
from spice_core.workbench.corpus import search_budget

_MAX_CACHED_TEMPLATES = 40
NORMAL_QUANTILE_95 = 1.96  # quantile of the normal distribution for a 95% interval


class CaptionSentence(NamedTuple):
    """A sentence: its caption's position, its number in the caption, and its graph."""

    position: int
    number: int
    sentence: Sentence
    graph: DependencyGraph


class RuleFiring(NamedTuple):
    """A firing of a rule: the sentence, the words bound to names, and the tuples."""

    place: CaptionSentence
    bindings: Bindings
    tuples: frozenset[TupleWords]


@dataclass(frozen=True)
class RuleVerdict:
    """The effect of a rule: its number of hits, and its new tuples with the positions of their captions.

    Gold graphs distinguish correct (``right_tuples``) from wrong tuples. Tuples that they do not judge are unknown.

    Hits are counted in captions without gold graphs, or in all captions if all have gold graphs.
    """

    hit_count: int
    right_tuples: frozenset[tuple[int, TupleWords]]
    wrong_tuples: frozenset[tuple[int, TupleWords]]
    unknown_tuples: frozenset[tuple[int, TupleWords]]

    @property
    def precision(self) -> float | None:
        """Share of judged tuples that are correct, or None if no tuple was judged."""
        judged_count = len(self.right_tuples) + len(self.wrong_tuples)
        return len(self.right_tuples) / judged_count if judged_count else None

    @property
    def rank(self) -> tuple[float, int]:
        """Sort key, which is highest for the best rule: the lower end of the 95% interval of precision, then the number of hits.

        The lower end is used because few tuples are weak evidence.
        """
        return wilson_lower_bound(len(self.right_tuples), len(self.right_tuples) + len(self.wrong_tuples)), self.hit_count


def wilson_lower_bound(hit_count: int, total: int) -> float:
    """Return the lower end of Wilson's 95% interval of a share, or 0 if ``total`` is 0."""
    if not total:
        return 0.0
    share, spread = hit_count / total, NORMAL_QUANTILE_95 * NORMAL_QUANTILE_95 / total
    return (share + spread / 2 - NORMAL_QUANTILE_95 * sqrt(share * (1 - share) / total + spread / total / 4)) / (1 + spread)


class IndexedCaptions:
    """The sentences of parsed captions, indexed by relation."""

    def __init__(self, gold: Sequence[GoldGraph], documents: Iterable[Document]):
        """Store the enhanced ``documents``: those of the gold graphs in order, then documents without gold graphs."""
        self.gold, self.documents = tuple(gold), tuple(documents)
        self._by_label: dict[str, frozenset[int]] = {}
        self._tuples: dict[object, dict[object, frozenset[TupleWords]]] = {}

    @cached_property
    def places(self) -> tuple[CaptionSentence, ...]:
        """All sentences."""
        pairs = ((n, i, s) for n, document in enumerate(self.documents) for i, s in enumerate(document.sentences))
        return tuple(CaptionSentence(n, i, s, DependencyGraph.from_sentence(s)) for n, i, s in pairs)

    @cached_property
    def _by_relation(self) -> dict[str, set[int]]:
        """The indices of the sentences with each relation."""
        indices: dict[str, set[int]] = {}
        for place_index, place in enumerate(self.places):
            for relation in place.graph.relations:
                indices.setdefault(relation, set()).add(place_index)
        return indices

    def _indices_with_label(self, label: ValueMatcher) -> frozenset[int]:
        """Return the indices of the sentences with this arc label."""
        if label.source not in self._by_label:
            matching_numbers = (numbers for relation, numbers in self._by_relation.items() if label.match_text(relation) is not None)
            self._by_label[label.source] = frozenset().union(*matching_numbers)
        return self._by_label[label.source]

    def find_firings(self, rule: Rule) -> list[RuleFiring]:
        """Return the firings of a rule. Raises RuleError if the rule takes too many steps."""
        budget = search_budget(len(self.documents))
        labels = rule.pattern.labels
        numbers = sorted(frozenset.intersection(*map(self._indices_with_label, labels))) if labels else range(len(self.places))
        used_names = [name for part in rule.template for name, _ in part]
        used_names += [rule.pattern.captures[name] for name in used_names if name in rule.pattern.captures]
        rule_form = (rule.yields, rule.phrase, rule.separator, rule.lower_case)
        cached_tuples = self._tuples.setdefault(rule_form, {})
        out = []
        for index in numbers:
            place = self.places[index]
            for bindings in rule.pattern.search(place.graph, budget):
                key = (index, *map(bindings.get, used_names))
                if key not in cached_tuples:
                    cached_tuples[key] = _match_tuples(rule, place, bindings)
                if cached_tuples[key]:
                    out.append(RuleFiring(place, bindings, cached_tuples[key]))
        for oldest_form in list(self._tuples)[:-_MAX_CACHED_TEMPLATES]:
            self._tuples.pop(oldest_form, None)
        return out


def _match_tuples(rule: Rule, place: CaptionSentence, bindings: Bindings) -> frozenset[TupleWords]:
    """Return the tuples of one match, including its objects."""
    proposition = rule.proposition(place.graph, bindings, place.number)
    if proposition is None:
        return frozenset()
    propositions = expand_antecedents(proposition, place.sentence) if place.sentence.antecedents else [proposition]
    return add_implied_objects(p.words for p in propositions)


class JudgedCaptions:
    """Captions with their tuples under the active rules. A rule is judged by the tuples it adds."""

    def __init__(self, captions: IndexedCaptions, parses: Iterable[Parse], *, excluded_rule: str = ""):
        """Store the tuples of the captions' ``parses`` under the active rules, except those that only ``excluded_rule`` yields."""
        self.captions = captions
        self.known_tuples = tuple(
            add_implied_objects(p.words for p in parse.propositions if not excluded_rule or p.rule != excluded_rule) for parse in parses
        )

    def added_tuples(self, firings: Iterable[RuleFiring]) -> set[tuple[int, TupleWords]]:
        """Return the tuples added by these firings, with the positions of their captions."""
        return {(f.place.position, words) for f in firings for words in f.tuples if words not in self.known_tuples[f.place.position]}

    def verdict(self, firings: Sequence[RuleFiring]) -> RuleVerdict:
        """Judge these firings, ignoring optional gold tuples and captions without a gold graph."""
        gold = self.captions.gold
        added_tuples = self.added_tuples(firings)
        right_tuples = frozenset((n, words) for n, words in added_tuples if n < len(gold) and words in gold[n].tuples)
        wrong_tuples = frozenset(
            (n, words) for n, words in added_tuples - right_tuples if n < len(gold) and words not in gold[n].optional_tuples
        )
        hits = sum(f.place.position >= len(gold) for f in firings) if len(gold) < len(self.known_tuples) else len(firings)
        return RuleVerdict(hits, right_tuples, wrong_tuples, frozenset(added_tuples - right_tuples - wrong_tuples))

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of true positives, predicted tuples and gold tuples under the active rules."""
        pairs = [(known_tuples - graph.optional_tuples, graph.tuples) for known_tuples, graph in zip(self.known_tuples, self.captions.gold)]
        return sum(len(a & b) for a, b in pairs), sum(len(a) for a, _ in pairs), sum(len(b) for _, b in pairs)

    def f1(self, verdict: RuleVerdict | None = None) -> float:
        """Return the F1 (0–1) on the gold graphs, with the added tuples of ``verdict``, if given."""
        tp, predicted_count, gold_count = self.counts
        right_count, wrong_count = (len(verdict.right_tuples), len(verdict.wrong_tuples)) if verdict else (0, 0)
        return 2 * (tp + right_count) / (predicted_count + right_count + wrong_count + gold_count) if tp + right_count else 0.0
