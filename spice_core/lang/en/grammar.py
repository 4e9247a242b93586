"""Queries about nouns, subjects and predicates of a dependency graph, for English steps."""

from __future__ import annotations

from collections.abc import Iterable

from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency


def is_noun(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word is tagged as a noun."""
    return graph.tag(index).startswith("NN")


def edge_of(graph: DependencyGraph, index: int) -> Dependency:
    """Return the edge into a word of a basic tree, whose edges are in the order of their words."""
    return graph.edges[index - 1]


def is_predicate(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word is tagged as a verb or an adjective."""
    return graph.tag(index)[:1] in ("V", "J")


def is_subject(edge: Dependency) -> bool:
    """Return whether an edge leads to a subject of any kind."""
    return edge.relation.startswith("nsubj")


def subjects_of(graph: DependencyGraph, index: int) -> list[int]:
    """Return the subjects of a predicate, in order."""
    return [e.dependent for e in graph.children_like(index, "nsubj")]


def has_subject(graph: DependencyGraph, index: int) -> bool:
    """Return whether a predicate has a subject."""
    return graph.has_child_like(index, "nsubj")


def is_request(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a main verb is a request: "create an image", "can you draw a cat"."""
    if graph.tag(verb) != "VB" or not graph.has_parent(verb, "root", "conj") or graph.has_child(verb, "mark"):
        return False
    return all(graph.word(subject) == "you" for subject in subjects_of(graph, verb))


def base_relation(edge: Dependency | None) -> str:
    """Return the relation of an edge without its subtype, or "" if there is no edge."""
    return edge.relation.partition(":")[0] if edge else ""


def attach_all(edges: Iterable[Dependency], head: int) -> list[Dependency]:
    """Return the edges with ``head`` as their head, except an edge from ``head`` to itself."""
    return [e._replace(head=head) for e in edges if e.dependent != head]
