"""Steps of ``jaspice-2023`` alone, which imitate how the 2023 program reads KNP's analyses, even where it is wrong.

Source: Wada et al. (CoNLL 2023), its published scores and figure 3. Rules whose names start with ``quirk-`` read the relations that start
with ``quirk:``.
"""

from __future__ import annotations

from spice_core.lang.ja.trees import is_animate, is_nominal, is_verb, is_verbal, particles_of
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency

SLOT_RELATIONS = frozenset(("obj", "obl:に", "obl:へ", "obl:と", "obl:から", "obl:より", "obl:で", "obl:は", "obl:外の関係"))
_CROWD_NOUNS = frozenset("大勢 多く".split())
_GOAL_RELATIONS = frozenset(("obl:に", "obl:へ", "obl:で", "obl:から"))
_NOMINALISED_RELATIONS = {"を": "obj", "が": "nsubj", "に": "obl:に"}


def keep_nearest_objects(graph: DependencyGraph) -> DependencyGraph:
    """Keep only the nearest noun with を at each verb, attaching others to a verb above without a nearer object.

    中を|服を|着た|人が|動く ("inside moves a person who wears clothes").
    """
    tree = graph.tree()
    for edge in sorted(graph.edges_of("obj"), key=lambda edge: -edge.dependent):
        if edge.head and _has_nearer_object(tree, edge.head, edge.dependent):
            verbs_above = (word for word in tree.ancestors(edge.head) if is_verb(graph.token(word)))
            verb = next((v for v in verbs_above if not _has_nearer_object(tree, v, edge.dependent)), 0)
            tree[edge.dependent] = edge._replace(head=verb) if verb else edge._replace(relation="dep")
    return graph.with_edges(tree.values())


def _has_nearer_object(tree: EditableTree, verb: int, noun: int) -> bool:
    return any(e.dependent > noun for e in tree.children(verb, "obj"))


def mark_companions_before_places(graph: DependencyGraph) -> DependencyGraph:
    """Make a person or animal with と before a place the verb's companion, as KNP does.

    熊と|川に|浸かる ("bathe in a river with a bear").
    """
    tree = graph.tree()

    def relate(edge: Dependency) -> Dependency:
        if not edge.head or not is_animate(graph, edge.dependent) or is_animate(graph, edge.head):
            return edge
        place = tree[edge.head]
        while place.relation == "nmod:の" and place.head > place.dependent:
            place = tree[place.head]
        is_place = place.relation in _GOAL_RELATIONS and is_verbal(graph.token(place.head))
        return Dependency(place.head, edge.dependent, "obl:と") if is_place else edge

    return graph.map_edges(relate, "conj:と")


def nominalise_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Make の after a clause a noun, as KNP does: 犬が|走るのを|見る ("see a dog run")."""
    tree = graph.tree()
    for clause, noun, _ in graph.edges_of("mark"):
        role = _NOMINALISED_RELATIONS.get(graph.text(noun + 1)) if graph.tag(noun) == "助詞-準体助詞" else None
        verb = tree[clause].head
        if role and verb > noun and is_verbal(graph.token(verb)):
            edges = [Dependency(noun, clause, "acl") if e == tree[clause] else e for e in graph.edges]
            graph = graph.with_edges((*edges, Dependency(verb, noun, role), Dependency(clause, noun, "obl:外の関係")))
    return graph


def relate_crowds(graph: DependencyGraph) -> DependencyGraph:
    """Relabel 大勢の and 多くの ("many") as nmod:の, because JUMAN++ does not treat them as quantities: 大勢の|人 ("many people")."""
    crowds = (e for e in graph.edges_of("amod", "nummod") if graph.text(e.dependent) in _CROWD_NOUNS)
    return graph.relabel({e for e in crowds if "の" in particles_of(graph, e.dependent)}, "nmod:の")


def break_off_at_to(graph: DependencyGraph) -> DependencyGraph:
    """Drop modifiers and clauses from the first noun with と onwards, where the 2023 program stops, and relabel this noun as quirk:と."""
    to_edges = (e for e in graph.edges_of("conj:と") if graph.text(e.dependent + 1) == "と" and graph.text(e.dependent + 2) != "、")
    to_edge = next(to_edges, None)
    if to_edge is None:
        return graph
    case_nouns = {e.head for e in graph.edges_of("case") if graph.text(e.dependent) == "の"}
    dropped_edges = {
        e
        for e in graph.edges
        if e.dependent >= to_edge.dependent
        and (e.relation in ("nmod:の", "nmod:場所", "advcl") or (e.relation in ("amod", "nummod") and e.dependent in case_nouns))
    }
    return graph.with_edges((*(e for e in graph.edges if e not in dropped_edges), to_edge._replace(relation="quirk:と")))


def mark_first_mentions(graph: DependencyGraph) -> DependencyGraph:
    """Mark a noun whose first mention has で, because the 2023 program never makes it an object: 公園で|走る ("run in the park")."""
    slots = sorted((e for e in graph.edges_of("nsubj", *SLOT_RELATIONS) if e.head), key=lambda e: (e.head, e.relation == "obl:で"))
    is_object: dict[str, bool] = {}
    for edge in slots:
        is_object.setdefault(graph.lemma(edge.dependent), edge.relation != "obl:で")
    nouns = (e for e in slots if e.relation != "nsubj" and is_nominal(graph.token(e.dependent)))
    return graph.add(*(e._replace(relation="quirk:で") for e in nouns if not is_object[graph.lemma(e.dependent)]))
