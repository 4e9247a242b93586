"""Candidate patterns for words that should form a tuple: the arcs between the words, with gradually relaxed labels, tags and lemmas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

from spice_core.rules.conditions import EdgeTest, TokenTest, ValueMatcher
from spice_core.rules.ruleset import Rule
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency
from spice_core.workbench.sketch import Sketch, SketchArc, SketchClause

MAX_PATH_ARCS = 4
MAX_ARC_SETS = 3
MAX_LABEL_COMBINATIONS = 4  # maximum number of label combinations per template
MAX_RELAXED_TEST_SETS = 3  # number of test sets, loosest first, tried with relaxed labels
MAX_VISITED_PATHS = 2_000
PLAIN_VALUE_PATTERN = re.compile(r"[\w.-]+")  # a lemma or tag that needs no escapes in a pattern


@dataclass(frozen=True)
class TargetWords:
    """The words for a tuple, as token indices in its order, and the graph of their sentence."""

    graph: DependencyGraph
    words: tuple[int, ...]


@dataclass(frozen=True)
class RuleTemplate:
    """The tuple of a new rule, the name of each token in it, and the arc with the preposition in its label, if any."""

    yields: str
    names: Mapping[int, str]
    link: Dependency | None = None


class PatternVocabulary:
    """The tags, labels and link labels used by a rule set, most frequent first."""

    def __init__(self, rules: Iterable[Rule]):
        counts: dict[str, Counter[str]] = {"tag": Counter(), "label": Counter(), "link": Counter()}
        for rule in rules:
            for c in rule.pattern.conditions:
                if isinstance(c, TokenTest) and c.attribute == "tag" and not c.is_negated:
                    counts["tag"][c.value.source] += 1
                if isinstance(c, EdgeTest):
                    counts["link" if c.link else "label"][c.label.source] += 1
        self._values = {kind: [ValueMatcher(source) for source, _ in count.most_common()] for kind, count in counts.items()}

    def matching_values(self, kind: str, text: str) -> Iterator[str]:
        """Yield the values of a kind (``tag``, ``label`` or ``link``) that match a text."""
        return (value.source for value in self._values[kind] if value.match_text(text) is not None)

    def labels_for(self, relation: str, as_link: bool) -> list[str]:
        """Return the labels that match a relation, from specific to general."""
        base, _, subtype = relation.partition(":")
        exact_label = f"/{re.escape(base)}:({re.escape(subtype)})/" if as_link else label_pattern(relation)
        general_label = f"/{re.escape(base)}:(.+)/" if as_link else f"/{re.escape(base)}(?::.+)?/"
        return [
            label
            for label in dict.fromkeys([exact_label, *self.matching_values("link" if as_link else "label", relation), general_label])
            if is_label(label)
        ]


def label_pattern(relation: str) -> str:
    """Return the label of a pattern that matches exactly this relation."""
    return relation if re.fullmatch(r"[\w:]+", relation) else f"/{re.escape(relation)}/"


def is_label(label: str) -> bool:
    """Return whether a pattern can contain this label."""
    return "/" not in label.strip("/") and len(label) < 200


def induce_sketches(target: TargetWords, vocabulary: PatternVocabulary) -> Iterator[list[Sketch]]:
    """Yield a list of sketches, from specific to general, for each arc set that joins the words and each template."""
    graph = target.graph
    for words in [target.words, *_without_preposition(target)]:
        for arcs in islice(arc_sets(graph, words), MAX_ARC_SETS):
            for template in make_templates(graph, words, arcs):
                yield list(_sketches_of_template(graph, arcs, template, vocabulary))


def _without_preposition(target: TargetWords) -> Iterator[tuple[int, ...]]:
    """Yield the first and last of three words if a label to the last contains a preposition, as the second word of the three."""
    graph, (first_word, *inner_words, last_word) = target.graph, target.words
    dependents = {edge.dependent for edge in graph.children(last_word)}
    if inner_words and inner_words[0] in dependents and any(is_link(graph, edge) for edge in graph.parents(last_word)):
        yield first_word, last_word


def _sketches_of_template(
    graph: DependencyGraph, arcs: Sequence[Dependency], template: RuleTemplate, vocabulary: PatternVocabulary
) -> Iterator[Sketch]:
    """Yield the sketches of a template, from exact labels and all tests to more general labels and fewer tests."""
    names = template.names
    levels = [vocabulary.labels_for(edge.relation, edge == template.link) for edge in arcs]
    node_tests = list(_node_tests(graph, names, vocabulary))
    for position, labels in enumerate(islice(dict.fromkeys(_label_combinations(levels)), MAX_LABEL_COMBINATIONS) if all(levels) else ()):
        sketch_arcs = [
            SketchArc(names[e.head], names[e.dependent], label, "preposition" if e == template.link else "")
            for e, label in zip(arcs, labels)
        ]
        yield from (
            Sketch(sketch_arcs[0].head, tuple(sketch_arcs), clauses, template.yields)
            for clauses in (node_tests[-MAX_RELAXED_TEST_SETS:] if position else node_tests)
        )


def arc_sets(graph: DependencyGraph, words: Sequence[int]) -> Iterator[tuple[Dependency, ...]]:
    """Yield the smallest sets of arcs that join the words."""
    paths_by_pair = {pair: shortest_paths(graph, *pair) for pair in combinations(words, 2)}
    pairs = list(paths_by_pair) if len(words) == 2 else list(combinations(paths_by_pair, 2))
    sets: list[tuple[Dependency, ...]] = []
    for pair in pairs:
        path_choices = [paths_by_pair[pair]] if len(words) == 2 else [paths_by_pair[p] for p in pair]  # type: ignore[index]
        sets += [tuple(dict.fromkeys(edge for path in path_choice for edge in path)) for path_choice in product(*path_choices)]
    min_length = min(map(len, sets), default=0)
    return iter(dict.fromkeys(tuple(sorted(arc_set)) for arc_set in sets if len(arc_set) == min_length))


def shortest_paths(graph: DependencyGraph, start: int, end: int) -> list[tuple[Dependency, ...]]:
    """Return the shortest paths between two tokens along arcs in either direction, up to a maximum length."""
    border: list[tuple[int, tuple[Dependency, ...]]] = [(start, ())]
    for _ in range(MAX_PATH_ARCS):
        border = list(islice(_extend_paths(graph, border), MAX_VISITED_PATHS))
        if complete_paths := [path for node, path in border if node == end]:
            return complete_paths
    return []


def _extend_paths(graph: DependencyGraph, border: list[tuple[int, tuple[Dependency, ...]]]) -> Iterator[tuple[int, tuple[Dependency, ...]]]:
    for node, path in border:
        seen = {node, *(i for edge in path for i in (edge.head, edge.dependent))} - ({node} if not path else set())
        for edge in (*graph.children(node), *graph.parents(node)):
            other = edge.dependent if edge.head == node else edge.head
            if other and other != node and other not in seen:
                yield other, (*path, edge)


def make_templates(graph: DependencyGraph, words: Sequence[int], arcs: Sequence[Dependency]) -> Iterator[RuleTemplate]:
    """Yield the templates for words that arcs join.

    The middle word is the second of three words, or a word on the arcs. Each template has a middle word or, if a label names a preposition,
    the preposition or both as the relation. For two words, the last template has an object and its attribute.
    """
    link = next((edge for edge in arcs if edge.dependent == words[-1] and is_link(graph, edge)), None)
    inner_words = dict.fromkeys(i for edge in arcs for i in edge[:2] if i not in words)
    roles = ("subject", "relation", "object")
    relation = _name_tokens(arcs, dict(zip(words, roles if len(words) == 3 else ("subject", "object"))))
    first_slot, *inner_slots, last_slot = [f"{relation[word]}{_literal_text(graph, word)}" for word in words]
    for inner_slot in inner_slots or [relation[word] for word in inner_words]:
        if link:
            yield RuleTemplate(f"({first_slot}, {inner_slot} preposition, {last_slot})", relation, link)
        yield RuleTemplate(f"({first_slot}, {inner_slot}, {last_slot})", relation)
    if link and not inner_slots:
        yield RuleTemplate(f"({first_slot}, preposition, {last_slot})", relation, link)
    if len(words) == 2:
        attribute = _name_tokens(arcs, dict(zip(words, ("object", "attribute"))))
        yield RuleTemplate(f"(object{_literal_text(graph, words[0])}, attribute{_literal_text(graph, words[1])})", attribute)


def _literal_text(graph: DependencyGraph, word: int) -> str:
    return "+fixed" if any(edge.relation == "fixed" for edge in graph.children(word)) else ""


def is_link(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether an arc's subtype consists of words of the sentence: "on" in "nmod:on"."""
    subtype = edge.relation.partition(":")[2]
    return bool(subtype) and {part.lower() for part in subtype.split("_")} <= {t.text.lower() for t in graph.tokens}


def _name_tokens(arcs: Sequence[Dependency], names: dict[int, str]) -> dict[int, str]:
    """Return a name for each token of the arcs, reusing ``names``."""
    inner_indices = dict.fromkeys(i for edge in arcs for i in edge[:2] if i not in names)
    return names | {i: f"between{n or ''}" for n, i in enumerate(inner_indices)}


def _label_combinations(levels: list[list[str]]) -> Iterator[tuple[str, ...]]:
    """Yield label combinations: all exact, then one relaxed, finally all as general as possible."""
    yield tuple(level[0] if level else "" for level in levels)
    for place, level in enumerate(levels):
        for label in level[1:]:
            yield tuple(label if i == place else other[0] for i, other in enumerate(levels) if other)
    yield tuple(level[-1] if level else "" for level in levels)


def _node_tests(graph: DependencyGraph, names: Mapping[int, str], vocabulary: PatternVocabulary) -> Iterator[tuple[SketchClause, ...]]:
    """Yield the tests of the nodes, strictest first.

    The first sets of tests are the tags of all nodes with the lemma of one node. Then come the exact tags, the tag expressions of the
    vocabulary, these expressions for all nodes but one, and no tests.
    """
    tokens = [(name, graph.token(i)) for i, name in names.items()]
    tag_tests = tuple(SketchClause(name, f"tag:{t.tag}") for name, t in tokens if PLAIN_VALUE_PATTERN.fullmatch(t.tag))
    kinds = tuple(SketchClause(name, f"tag:{kind}") for name, t in tokens for kind in islice(vocabulary.matching_values("tag", t.tag), 1))
    for name, token in tokens:
        if PLAIN_VALUE_PATTERN.fullmatch(token.lemma):
            yield (SketchClause(name, f"lemma:{token.lemma}"), *tag_tests)
    yield tag_tests
    yield kinds
    yield from (tuple(c for c in kinds if c != omitted_kind) for omitted_kind in kinds)
    yield ()
