"""Rules, whose templates yield a proposition for each match of their patterns, and rule sets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import permutations, product
from operator import or_

from spice_core.errors import Message, RuleError
from spice_core.rules.conditions import Bindings, Failure, SearchBudget
from spice_core.rules.edit_step import EditStep, RuleSetStep
from spice_core.rules.pattern import Pattern
from spice_core.scene.propositions import Proposition
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Document, Sentence, Token

_MAX_CACHED_RELATIONS = 1 << 12  # maximum number of cached relations of an index


@dataclass(frozen=True, slots=True)
class Example:
    """A caption with its stored enhanced graph and the tuples that the rule yields. A near miss has no tuples."""

    caption: str
    graph: DependencyGraph
    tuples: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """Rule whose template yields a proposition for each match of its pattern."""

    name: str
    reason: str
    pattern: Pattern
    template: tuple[tuple[tuple[str, str], ...], ...]
    yields: str
    example: Example
    near_miss: Example
    phrase: str = ""
    separator: str = " "
    lower_case: bool = False

    @property
    def form(self) -> tuple[str, ...]:
        """Everything that affects the propositions besides the graph: name, pattern, template, form of words."""
        return (self.name, self.pattern.source, self.yields, self.phrase, self.separator, str(self.lower_case))

    def apply(self, graph: DependencyGraph, sentence: int = 0, budget: SearchBudget | None = None) -> Iterator[Proposition]:
        """Yield the propositions of this rule for one sentence."""
        return (proposition for _, proposition in self.firings(graph, sentence, budget))

    def firings(
        self, graph: DependencyGraph, sentence: int = 0, budget: SearchBudget | None = None
    ) -> Iterator[tuple[Bindings, Proposition]]:
        """Yield the matches of the pattern with the proposition of each."""
        for bindings in self.pattern.search(graph, budget):
            proposition = self.proposition(graph, bindings, sentence)
            if proposition is None:
                continue
            if graph.copies_by_token:
                yield from ((bindings, expanded_copy) for expanded_copy in expand_copies(proposition, graph.copies_by_token))
            else:
                yield bindings, proposition

    def find_failure(self, graph: DependencyGraph, a: int, b: int, budget: SearchBudget | None = None) -> Failure | None:
        """Return the furthest failure in relating tokens ``a`` and ``b``, or None.

        The result is None if the pattern matches with these tokens, or if the template has fewer than two parts.
        """
        names = [next((name for name, _ in part if name in self.pattern.nodes), None) for part in self.template]
        failures = []
        for first, second in permutations(filter(None, names), 2):
            failure = self.pattern.failure(graph, {first: a, second: b}, budget)
            if failure is None:
                return None
            failures.append(failure)
        return max(failures, key=lambda f: f.satisfied_count, default=None)

    def proposition(self, graph: DependencyGraph, bindings: Bindings, sentence: int = 0) -> Proposition | None:
        """Return the proposition of a match, or None if a part is empty."""
        words, tokens = [], []
        for part in self.template:
            text, indices = self._fill_name(graph, bindings, *part[0])
            if len(part) > 1:
                atoms = [(text, indices), *(self._fill_name(graph, bindings, name, relation) for name, relation in part[1:])]
                text, indices = (
                    self.separator.join([text for text, _ in atoms if text]),
                    [i for _, part_indices in atoms for i in part_indices],
                )
            if not text:
                return None
            words.append(text)
            tokens.append(tuple([graph.tokens[i - 1] for i in sorted(indices)]))
        return Proposition(tuple(words), self.name, sentence, tuple(tokens))

    def _fill_name(self, graph: DependencyGraph, bindings: Bindings, name: str, relation: str) -> tuple[str, list[int]]:
        """Return text and token indices of a template name, both empty if the name is unbound."""
        value = bindings.get(name)
        if not isinstance(value, int):
            if name.startswith('"'):
                return name[1:-1], []
            noun = bindings.get(self.pattern.captures.get(name, ""))
            return (value, _preposition_words(graph, noun)) if value and isinstance(noun, int) else ("", [])
        token_indices = [value]
        for relation_name in (relation, self.phrase):
            if relation_name in graph.relations:
                token_indices += [i for i in _dependents_with_relation(graph, value, relation_name) if i not in token_indices]
        if len(token_indices) == 1:
            lemma = graph.tokens[value - 1].lemma
            return lemma.lower() if self.lower_case else lemma, token_indices
        token_indices.sort()
        words = [graph.token(i).lemma if i == value else graph.token(i).text for i in token_indices]
        return self.separator.join(map(str.lower, words) if self.lower_case else words), token_indices


class RuleIndex:
    """Index of rules by the edge labels that they require, to find rules that may match a graph."""

    def __init__(self, rules: Sequence[Rule]):
        labels = dict.fromkeys(label for rule in rules for label in rule.pattern.labels)
        self._bits = {label: 1 << label_index for label_index, label in enumerate(labels)}
        self._required_labels = [(reduce(or_, map(self._bits.__getitem__, rule.pattern.labels), 0), rule) for rule in rules]
        self._bits_by_relation: dict[str, int] = {}

    def candidates(self, graph: DependencyGraph, budget: SearchBudget) -> list[Rule]:
        """Return the rules for which the graph has an edge with each required label, in order."""
        label_bits = reduce(or_, (self._label_bits(relation, budget) for relation in graph.relations), 0)
        return [rule for required_bits, rule in self._required_labels if required_bits & label_bits == required_bits]

    def _label_bits(self, relation: str, budget: SearchBudget) -> int:
        """Return the bits of the labels that match a relation, cached for recent relations."""
        try:
            return self._bits_by_relation[relation]
        except KeyError:
            if len(self._bits_by_relation) >= _MAX_CACHED_RELATIONS:
                self._bits_by_relation.clear()
            bits = (bit for label, bit in self._bits.items() if label.match_text(relation, budget) is not None)
            relation_bits = self._bits_by_relation[relation] = reduce(or_, bits, 0)
            return relation_bits


@dataclass(frozen=True)
class RuleSet:
    """A named, ordered set of rules.

    Attributes:
        name: The name of the rule set.
        rules: The rules, in order.
        scheme: The name of the scheme by which graphs are merged and counted.
        steps: The enhancement steps that make the graph, or None for the language's default steps. A step of the language is given by its
            name.
        synonyms: The name of the synonym source, or "" for the language's default source.
        version: The version of spice_core that wrote the file, or "" if unknown.
        step_examples: The example and the near miss of each step of the file, by name.
    """

    name: str
    rules: tuple[Rule, ...]
    scheme: str = "spice"
    steps: tuple[RuleSetStep, ...] | None = None
    synonyms: str = ""
    version: str = ""
    step_examples: Mapping[str, tuple[Example, Example]] = field(default_factory=dict, compare=False)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 digest of everything that affects the propositions: ordered patterns and templates, steps, form of words."""
        rules = [(r.pattern.source, r.yields, r.phrase, r.separator, *(["lower_case"] if r.lower_case else ())) for r in self.rules]
        steps = self.steps and [[step.edits] if isinstance(step, EditStep) else step for step in self.steps]
        return hashlib.sha256(json.dumps([steps, rules]).encode()).hexdigest()

    @cached_property
    def _index(self) -> RuleIndex:
        return RuleIndex(self.rules)

    @property
    def signature(self) -> str:
        """The name and the first digits of the digest."""
        return f"{self.name}-{self.digest[:8]}"

    def apply(self, document: Document, budget: SearchBudget | None = None) -> tuple[Proposition, ...]:
        """Apply the rules in order to the enhanced graph of each sentence, and return all propositions of the document.

        Raises RuleError if the rules take too many steps for one sentence, or for all documents that share ``budget``.
        """
        out: list[Proposition] = []
        for sentence_index, sentence in enumerate(document.sentences):
            graph = DependencyGraph.from_sentence(sentence)
            shared_budget = budget or SearchBudget.for_graph(graph)
            for rule in self._index.candidates(graph, shared_budget):
                out += apply_rule(rule, sentence, graph, sentence_index, shared_budget)
        return tuple(out)

    def find_failures(self, graph: DependencyGraph, a: int, b: int) -> list[tuple[Rule, Failure]]:
        """Return the rules that do not relate the tokens ``a`` and ``b``, with their failures, nearest first."""
        budget = SearchBudget.for_graph(graph)
        failures = [(rule, rule.find_failure(graph, a, b, budget)) for rule in self.rules]
        failed_rules = [(rule, failure) for rule, failure in failures if failure]
        return sorted(failed_rules, key=lambda pair: pair[1].sort_key(len(pair[0].pattern.conditions)))

    def without(self, *names: str) -> RuleSet:
        """Return the rule set without the named rules. Raises RuleError if a rule does not exist."""
        if not names:
            return self
        rule_names = {rule.name for rule in self.rules}
        if unknown_names := set(names) - rule_names:
            raise RuleError(Message("rule.unknown", names=", ".join(sorted(unknown_names)), known=", ".join(sorted(rule_names))))
        rules = tuple(rule for rule in self.rules if rule.name not in names)
        return replace(self, name=f"{self.name}-{'-'.join(sorted(set(names)))}", rules=rules)


def apply_rule(rule: Rule, sentence: Sentence, graph: DependencyGraph, sentence_index: int, budget: SearchBudget) -> list[Proposition]:
    """Return the propositions of a rule for a sentence.

    A plural pronoun with several antecedents yields a proposition for each of them.
    """
    propositions = [proposition for _, proposition in rule.firings(graph, sentence_index, budget)]
    return (
        [expanded_proposition for p in propositions for expanded_proposition in expand_antecedents(p, sentence)]
        if sentence.antecedents
        else propositions
    )


def expand_antecedents(proposition: Proposition, sentence: Sentence) -> list[Proposition]:
    """Return a proposition for each antecedent of its words: a man and a woman for "they"."""
    out = [proposition]
    for antecedent in sentence.antecedents:
        for part, tokens in enumerate(proposition.tokens if len(antecedent.heads) > 1 else ()):
            if [t.index for t in tokens] == [antecedent.index]:
                variants = [antecedent.resolve_token(tokens[0], i) for i in range(len(antecedent.heads))]
                out = [_replace_part(p, part, token) for p in out for token in variants]
    return [p for p in out if len(p.words) < 3 or p.words[0] != p.words[2] or p is proposition]


def expand_copies(proposition: Proposition, copies: Mapping[int, int]) -> Iterator[Proposition]:
    """Yield a proposition for each copy of the subject and the object (man, man 2, man 3).

    If there are equally many subjects and objects, they are paired (each man rides one horse). Otherwise each subject is combined with each
    object.
    """
    numbers = [copies.get(part[-1].index, 1) if part else 1 for part in proposition.tokens[::2]]
    if max(numbers, default=1) == 1:
        yield proposition
        return
    are_paired = len(numbers) == 2 and numbers[0] == numbers[1]
    index_combinations = ((i,) * 2 for i in range(numbers[0])) if are_paired else product(*map(range, numbers))
    for indices in index_combinations:
        words = list(proposition.words)
        words[::2] = [f"{word} {i + 1}" if i else word for word, i in zip(words[::2], indices)]
        yield replace(proposition, words=tuple(words))


def _replace_part(proposition: Proposition, part_index: int, token: Token) -> Proposition:
    words, tokens = list(proposition.words), list(proposition.tokens)
    words[part_index], tokens[part_index] = token.lemma, (token,)
    return replace(proposition, words=tuple(words), tokens=tuple(tokens))


def _dependents_with_relation(graph: DependencyGraph, head: int, relation: str) -> list[int]:
    return sorted(e.dependent for e in graph.children(head) if e.relation == relation) if relation in graph.relations else []


def _preposition_words(graph: DependencyGraph, noun: int) -> list[int]:
    """Return the indices of a preposition's words: the noun's last case marker and its fixed dependents."""
    last_case = _dependents_with_relation(graph, noun, "case")[-1:]
    return [*last_case, *(i for case in last_case for i in _dependents_with_relation(graph, case, "fixed"))]
