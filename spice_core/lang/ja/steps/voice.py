"""The step for passives, causatives and てもらう."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import is_animate, particles_of
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_PASSIVE, _CAUSATIVE, _RECEIVING = ("れる", "られる"), ("せる", "させる"), ("もらう", "いただく")
_AGENT_RELATIONS = ("obl:から", "obl:による", "obl:に")
_AGENT_PARTICLES = frozenset(("から", "による", "に", "を"))


def assign_logical_roles(graph: DependencyGraph) -> DependencyGraph:
    """Make the agent of a passive or of てもらう, or the person who is made to act, the subject.

    犬が|猫に|追われる ("the dog is chased by the cat"), 母親が|子供に|食べさせる ("the mother makes the child eat").
    """
    for aux in graph.edges_of("aux"):
        lemma, has_object = graph.lemma(aux.dependent), graph.has_child(aux.head, "obj")
        if lemma in _CAUSATIVE:
            is_transitive = has_object and graph.lemma(aux.head) in word_lists.TRANSITIVE_VERBS
            graph = _relate_causative(graph, aux, "obl:に" if is_transitive else "obj")
        elif lemma in _PASSIVE or lemma in _RECEIVING:
            is_placed = graph.lemma(aux.head) in word_lists.PLACEMENT_VERBS
            agents = _find_people(graph, aux.head, *(_AGENT_RELATIONS[:2] if is_placed else _AGENT_RELATIONS))
            graph = _exchange_roles(graph, aux.head, agents, "obj" if lemma in _PASSIVE and not has_object else "obl:に")
    return graph


def _find_people(graph: DependencyGraph, verb: int, *relations: str) -> list[Dependency]:
    people = [e for e in graph.children(verb, *relations) if is_animate(graph, e.dependent)]
    return people if any(not _AGENT_PARTICLES.isdisjoint(particles_of(graph, e.dependent)) for e in people) else []


def _exchange_roles(graph: DependencyGraph, verb: int, agents: list[Dependency], relation: str) -> DependencyGraph:
    """Make the agents the subjects of a verb, and give the former subjects this relation."""

    def exchange(edge: Dependency) -> Dependency:
        if edge in agents:
            return edge._replace(relation="nsubj")
        return edge._replace(relation=relation) if edge.head == verb and edge.relation.startswith("nsubj") else edge

    return graph.map_edges(exchange) if agents else graph


def _relate_causative(graph: DependencyGraph, aux: Dependency, relation: str) -> DependencyGraph:
    """Make the people with this relation the subjects of a verb, and relate the causer to them by the verb with させる."""
    actors = _find_people(graph, aux.head, relation)
    causers = [e for e in graph.children_like(aux.head, "nsubj") if actors]
    kept_edges = [e for e in graph.edges if e not in causers and e not in actors]
    new_edges = [e._replace(head=aux.dependent) for e in causers]
    for edge in actors:
        new_edges += [edge._replace(relation="nsubj"), Dependency(aux.dependent, edge.dependent, "obj")]
    return graph.with_edges((*kept_edges, *new_edges, *([Dependency(aux.dependent, aux.head, "compound")] if actors else [])))
