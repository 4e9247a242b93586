"""Steps of ``jaspice-2023`` alone, which imitate how the 2023 program reads KNP's analyses, even where it is wrong.

Source: Wada et al. (CoNLL 2023), its published scores and figure 3. Relations that start with ``quirk:`` are read by rules of the same name.
"""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import edges_by_head, is_nominal, is_verb, is_verbal, particles_of, phrase_of, tree_of
from spice_core.syntax.dependency_graph import EditableTree
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens, edge_step

SLOT_RELATIONS = frozenset(("obj", "obl:に", "obl:へ", "obl:と", "obl:から", "obl:より", "obl:で", "obl:は", "obl:外の関係"))
_CROWD_NOUNS = frozenset("大勢 多く".split())
_GOAL_RELATIONS = frozenset(("obl:に", "obl:へ", "obl:で", "obl:から"))
_NOMINALISED_RELATIONS = {"を": "obj", "が": "nsubj", "に": "obl:に"}


@edge_step
def keep_nearest_objects(tokens: Tokens, edges: Edges) -> Edges:
    """Keep only the nearest noun with を at each verb; attach a farther one to the verb above if that has none: 中を|服を|着た|人が|動く."""
    tree = tree_of(edges)
    for edge in sorted(edges, key=lambda edge: -edge.dependent):
        verb = edge.head
        while (
            edge.relation == "obj"
            and verb
            and any(_is_object_of(other, verb) and other.dependent > edge.dependent for other in tree.values())
        ):
            verb = _verb_above(tokens, tree, verb)
        if edge.relation == "obj" and verb != edge.head:
            tree[edge.dependent] = edge._replace(head=verb) if verb else edge._replace(relation="dep")
    return tuple(tree.values())


def _is_object_of(edge: Dependency, verb: int) -> bool:
    return edge.relation == "obj" and edge.head == verb


def _verb_above(tokens: Tokens, tree: EditableTree, index: int) -> int:
    """Return the nearest verb above a word, or 0 if there is none."""
    head = tree[index].head
    while head and not is_verb(tokens[head - 1]):
        head = tree[head].head
    return head


@edge_step
def mark_companions_before_places(tokens: Tokens, edges: Edges) -> Edges:
    """Make a person or animal with と before a place the companion of the verb, as KNP does: 熊と|川に|浸かる."""
    tree, by_head = tree_of(edges), edges_by_head(edges)

    def verb_of(edge: Dependency) -> int:
        """Return the verb whose place is coordinated with a noun with と, or 0 if that noun is not a companion."""
        if edge.relation != "conj:と" or not edge.head:
            return 0
        place = tree[edge.head]
        while place.relation == "nmod:の" and place.head > place.dependent:
            place = tree[place.head]
        animacy = [word_lists.is_animate(phrase_of(tokens, by_head, noun)) for noun in (edge.dependent, edge.head)]
        return place.head if place.relation in _GOAL_RELATIONS and is_verbal(tokens[place.head - 1]) and animacy == [True, False] else 0

    return tuple(Dependency(verb, e.dependent, "obl:と") if (verb := verb_of(e)) else e for e in edges)


@edge_step
def nominalise_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Make の after a clause a noun, as KNP does: 犬が|走るのを|見る."""
    tree = tree_of(edges)
    clauses = [
        (e.head, e.dependent)
        for e in edges
        if e.relation == "mark"
        and tokens[e.dependent - 1].tag == "助詞-準体助詞"
        and _following_text(tokens, e.dependent) in _NOMINALISED_RELATIONS
    ]
    for clause, noun in clauses:
        verb = tree[clause].head
        if verb > noun and is_verbal(tokens[verb - 1]):
            role = Dependency(verb, noun, _NOMINALISED_RELATIONS[_following_text(tokens, noun)])
            clause_edge = Dependency(noun, clause, "acl")
            edges = (*(clause_edge if e == tree[clause] else e for e in edges), role, Dependency(clause, noun, "obl:外の関係"))
    return edges


def _following_text(tokens: Tokens, index: int) -> str:
    return tokens[index].text if index < len(tokens) else ""


@edge_step
def relate_crowds(tokens: Tokens, edges: Edges) -> Edges:
    """Relate 大勢 and 多く to the noun after their の, since JUMAN++ does not count them as quantities: 大勢の|人."""
    by_head = edges_by_head(edges)
    return tuple(
        e._replace(relation="nmod:の")
        if e.relation in ("amod", "nummod")
        and tokens[e.dependent - 1].text in _CROWD_NOUNS
        and "の" in particles_of(tokens, by_head, e.dependent)
        else e
        for e in edges
    )


@edge_step
def break_off_at_to(tokens: Tokens, edges: Edges) -> Edges:
    """Drop the relations between bunsetsu after a noun with と, where the 2023 program stops. That noun and the next are objects."""
    texts = (*(t.text for t in tokens), "")
    to_edges = [e for e in edges if e.relation == "conj:と" and texts[e.dependent] == "と" and texts[e.dependent + 1] != "、"]
    if not to_edges:
        return edges
    to_edge = to_edges[0]
    case_nouns = {e.head for e in edges if e.relation == "case" and tokens[e.dependent - 1].text == "の"}
    other_edges = (
        e
        for e in edges
        if e.dependent < to_edge.dependent
        or not (e.relation in ("nmod:の", "nmod:場所", "advcl") or (e.relation in ("amod", "nummod") and e.dependent in case_nouns))
    )
    return (*other_edges, to_edge._replace(relation="quirk:と"))


@edge_step
def mark_first_mentions(tokens: Tokens, edges: Edges) -> Edges:
    """Mark a noun whose first mention has で, because the 2023 program never makes it an object: 川で|遊び、|川に|入る."""
    is_object: dict[str, bool] = {}
    slots = sorted(
        (e for e in edges if e.head and (e.relation in SLOT_RELATIONS or e.relation == "nsubj")),
        key=lambda e: (e.head, e.relation == "obl:で"),
    )
    for edge in slots:
        is_object.setdefault(tokens[edge.dependent - 1].lemma, edge.relation != "obl:で")
    noun_edges = (e for e in slots if e.relation in SLOT_RELATIONS and is_nominal(tokens[e.dependent - 1]))
    return (*edges, *(e._replace(relation="quirk:で") for e in noun_edges if not is_object[tokens[e.dependent - 1].lemma]))
