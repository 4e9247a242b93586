"""Plural nouns as copies, after Schuster et al. (2015): three men are three nodes, and each rides a different horse.

An edge ``copies:3`` leads from a noun to the word that counts it, or to the subject whose number it takes over. The rules then
yield a proposition for each copy.
"""

from __future__ import annotations

from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token

MAX_COPIES = 12  # maximum number of copies of a noun
_NUMBER_BY_WORD = {word: n for n, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_NUMBER_BY_QUANTITY = {"both": 2, "couple": 2, "pair": 2, "triple": 3, "dozen": 12}
_PLURAL_TAGS = ("NNS", "NNPS")
_SUBJECT_RELATIONS = ("nsubj", "nsubj:pass")
_ARGUMENT_RELATIONS = ("obj", "iobj", "obl", "nmod")


def add_copy_counts(graph: DependencyGraph) -> DependencyGraph:
    """Add the number of copies to each plural noun that has a number or quantifier, or whose clause has such a subject."""
    count_by_noun = {t.index: count for t in graph.tokens if t.tag in _PLURAL_TAGS and (count := _find_copy_count(graph, t.index))}
    number_by_noun = {noun: (count, noun) for noun, (count, _) in count_by_noun.items()}
    for predicate, subject in _predicates_with_subjects(graph) if number_by_noun else ():
        if subject not in number_by_noun:
            continue
        for edge in graph.children(predicate):
            if _is_argument(edge) and graph.tag(edge.dependent) in _PLURAL_TAGS and edge.dependent != subject:
                count_by_noun.setdefault(edge.dependent, number_by_noun[subject])
    return graph.add(*(Dependency(noun, predicate, f"copies:{count}") for noun, (count, predicate) in sorted(count_by_noun.items())))


def _find_copy_count(graph: DependencyGraph, noun: int) -> tuple[int, int] | None:
    """Return the number of copies and the word that states it, or None if the sentence states no number above one."""
    for edge in graph.children(noun, "nummod", "det", "det:predet", "det:qmod"):
        words = [edge.dependent, *(f.dependent for f in graph.children(edge.dependent, "fixed"))]
        count = next((n for word in words if (n := _number_of_token(graph.token(word)))), 0)
        if count > 1:
            return min(count, MAX_COPIES), edge.dependent
    return None


def _number_of_token(token: Token) -> int:
    word = token.text.lower()
    if word.isdecimal() and len(word) < 5:
        return int(word)
    return _NUMBER_BY_WORD.get(word) or _NUMBER_BY_QUANTITY.get(token.lemma, 0)


def _predicates_with_subjects(graph: DependencyGraph) -> list[tuple[int, int]]:
    """Return pairs of a predicate and its subject, and of a participle and the noun that it modifies."""
    subjects = [(e.head, e.dependent) for e in graph.edges_of(*_SUBJECT_RELATIONS)]
    return subjects + [(e.dependent, e.head) for e in graph.edges_of("acl")]


def _is_argument(edge: Dependency) -> bool:
    base, _, preposition = edge.relation.partition(":")
    return base in _ARGUMENT_RELATIONS and preposition != "poss"
