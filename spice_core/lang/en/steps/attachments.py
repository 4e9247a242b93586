"""Steps that move phrases between a verb and its object (paths, things that are joined, places), and a step that removes comparisons."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun, subjects_of
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_MOVING_VERBS = frozenset(
    "chase follow push pull drag drive walk ride lead throw toss roll kick steer herd fly sail row wheel tow haul guide escort pursue".split()
)
_PATH_RELATIONS = frozenset(
    "nmod:around nmod:across nmod:through nmod:along nmod:toward nmod:towards nmod:into nmod:onto nmod:past nmod:down".split()
)
_JOINING_VERBS = frozenset(
    "connect link join compare share combine mix replace blend pair confuse equip provide supply swap exchange".split()
)
_PLACING_VERBS = frozenset("put place set lay hang store stick load pack drop leave arrange".split())
_PLACE_RELATIONS = frozenset("nmod:on nmod:in nmod:at nmod:under nmod:behind nmod:beside nmod:near nmod:next_to".split())
_STATIC_PLACE_RELATIONS = tuple(f"obl:{p}" for p in "on in at under behind near beside next_to in_front_of inside around".split())


def attach_phrases_to_verbs(graph: DependencyGraph) -> DependencyGraph:
    """Attach to the verb the path of its object ("chases a cat around the garden"), or the thing with which the object is joined.

    Also attach to a verb such as "put" the place after its coordinated objects.
    """

    def attach(edge: Dependency) -> Dependency:
        verb = graph.head(edge.head, "obj")
        if edge.relation in _PLACE_RELATIONS and (verb := verb or graph.head(graph.head(edge.head, "conj"), "obj")):
            is_placed = graph.lemma(verb) in _PLACING_VERBS and graph.has_child(verb, "obj") and graph.has_parent(edge.head, "conj")
            return Dependency(verb, edge.dependent, edge.relation.replace("nmod", "obl")) if is_placed else edge
        verbs = _JOINING_VERBS if edge.relation == "nmod:with" else _MOVING_VERBS if edge.relation in _PATH_RELATIONS else ()
        if not verb or graph.lemma(verb) not in verbs or graph.tag(verb)[:1] != "V":
            return edge
        return Dependency(verb, edge.dependent, edge.relation.replace("nmod", "obl"))

    return graph.map_edges(attach, "nmod:with", *_PATH_RELATIONS, *_PLACE_RELATIONS)


def remove_comparisons(graph: DependencyGraph) -> DependencyGraph:
    """Remove the relation to the noun after "than", and move the phrases of that noun to the noun before "than".

    In "more bikes than cars on a street", the bikes are on the street.
    """
    comparison_by_noun = {e.dependent: e for e in graph.edges_of("nmod:than", "obl:than")}
    if not comparison_by_noun:
        return graph

    def attach(edge: Dependency) -> Dependency:
        if comparison_by_noun.get(edge.dependent) == edge:
            return edge._replace(relation="dep")
        comparison = comparison_by_noun.get(edge.head)
        return (
            edge._replace(head=comparison.head)
            if comparison and comparison.relation == "nmod:than" and edge.relation.startswith("nmod:")
            else edge
        )

    return graph.map_edges(attach)


def attach_places_without_actor(graph: DependencyGraph) -> DependencyGraph:
    """Attach a place to the object or place before it if no noun names the actor: "she blew out the candles on a cake"."""
    if "denied" not in graph.relations and not any(token.tag == "PRP" for token in graph.tokens):
        return graph
    actorless_edges = [
        e for e in graph.edges_of("obj", *_STATIC_PLACE_RELATIONS) if is_noun(graph, e.dependent) and _lacks_actor(graph, e.head)
    ]
    object_by_verb = {e.head: e.dependent for e in sorted(actorless_edges, key=lambda e: (e.relation == "obj", -e.dependent))}
    if not object_by_verb:
        return graph

    def attach(edge: Dependency) -> Dependency:
        object_ = object_by_verb.get(edge.head, 0)
        if not 0 < object_ < edge.dependent:
            return edge
        static_places = [o.dependent for o in graph.children(edge.head, *_STATIC_PLACE_RELATIONS) if object_ < o.dependent < edge.dependent]
        return Dependency(max(static_places, default=object_), edge.dependent, edge.relation.replace("obl", "nmod"))

    return graph.map_edges(attach, *_STATIC_PLACE_RELATIONS)


def _lacks_actor(graph: DependencyGraph, verb: int) -> bool:
    """Return whether the subject of a verb is a pronoun or "nobody" rather than a noun."""
    subjects = subjects_of(graph, verb)
    return (bool(subjects) or graph.has_child(verb, "denied")) and not any(is_noun(graph, subject) for subject in subjects)
