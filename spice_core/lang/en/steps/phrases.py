"""Steps for multiword prepositions, compounds, parts and wholes, pictures, shapes and coordination."""

from __future__ import annotations

from itertools import pairwise

from spice_core.lang.en.discourse.mentions import kind_of_noun
from spice_core.lang.en.grammar import base_relation, has_subject, is_noun, is_predicate, is_subject
from spice_core.lang.en.steps.prepositions import GOVERNING_OR_SIDE_PREPOSITIONS, PREPOSITION_BEGINNINGS, join_multiword_prepositions
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency

_NOMINAL_RELATIONS = ("nmod", "obl")
_PREPOSITION_PAIRS = frozenset("next to, close to, across from, away from, far from, ahead of, near to, out of, off of".split(", "))
_PREPOSITION_BIGRAMS = PREPOSITION_BEGINNINGS | GOVERNING_OR_SIDE_PREPOSITIONS | {tuple(pair.split()) for pair in _PREPOSITION_PAIRS}
_PICTURE_NOUNS = frozenset(
    "close view picture photo photograph image shot painting drawing closeup close-up pic portrait scene headshot selfie watercolor sketch "
    "illustration render rendering etching engraving print woodcut lithograph fresco mosaic mural cartoon footage video clip snapshot sound noise recording".split()
)
_PICTURE_MAKING_VERBS = frozenset("take paint draw sketch sign date print publish etch engrave photograph shoot".split())
_PLACE_RELATIONS = frozenset(f"obl:{p}" for p in "on in along across through outside inside near beside under behind".split())
_STATIC_PLACE_RELATIONS = frozenset(f"nmod:{p}" for p in "on in at near under behind beside by next_to in_front_of".split())
_LIKENESS_NOUNS = frozenset("bust statue statuette figure figurine netsuke carving sculpture miniature doll puppet effigy".split())


_PRESENT_VERB_TAGS = ("VBG", "VBZ", "VBP")
_CLAUSE_ARGUMENTS = ("nsubj", "obj", "compound:prt", "xcomp", "ccomp")

# --- prepositions ----------------------------------------------------------------------------------------------------


def join_prepositions(graph: DependencyGraph) -> DependencyGraph:
    """Join "next to", "in front of", "left of", and sequences of prepositions ("out of", "from behind")."""
    if not _may_join_prepositions(graph):
        return graph
    lower_tokens = tuple(t._replace(text=t.text.lower()) for t in graph.tokens)
    tree = join_multiword_prepositions(DependencyGraph(lower_tokens, graph.edges), GOVERNING_OR_SIDE_PREPOSITIONS).tree()
    for first, second in pairwise(graph.tokens):
        if first.index in tree and second.index in tree and second.tag != "POS":
            _join_cases(tree, first.index, second.index)
    for first, second in pairwise(lower_tokens):
        if first.index in tree and second.index in tree and f"{first.text} {second.text}" in _PREPOSITION_PAIRS:
            _join_pair(tree, first.index, second.index)
    return graph.with_edges(tree.values())


def _may_join_prepositions(graph: DependencyGraph) -> bool:
    """Return whether the sentence may contain a multiword preposition."""
    words = [token.text.lower() for token in graph.tokens]
    relation_by_word = {e.dependent: e.relation for e in graph.edges}
    if len(relation_by_word) < len(graph.edges) or not _PREPOSITION_BIGRAMS.isdisjoint(pairwise(words)):
        return True
    prepositions = [word for word, relation in relation_by_word.items() if relation == "case"]
    return any(relation_by_word.get(word - 1) in ("case", "fixed") for word in prepositions)


def _join_cases(tree: EditableTree, first: int, second: int) -> None:
    """Attach a preposition as ``fixed`` to the preposition right before it if both belong to one noun."""
    first_edge, second_edge = tree[first], tree[second]
    if second_edge.relation != "case":
        return
    if first_edge.relation == "case" and first_edge.head == second_edge.head > second:
        tree.attach(second, first, "fixed")


def _join_pair(tree: EditableTree, first: int, second: int) -> None:
    """Join a pair such as "next to" if its first word and the noun of the second have the same head."""
    first_edge, second_edge = tree[first], tree[second]
    if second_edge.relation == "case" and first_edge.head == tree[second_edge.head].head and first_edge.relation != "fixed":
        tree.attach(first, second_edge.head, "case")
        tree.attach(second, first, "fixed")


def attach_to_depicted_things(graph: DependencyGraph) -> DependencyGraph:
    """Move places and participles from a picture to the depicted thing: "on a mat" to the cat in "a picture of a cat on a mat"."""
    thing_by_picture = {e.head: e.dependent for e in graph.edges_of("nmod:of") if graph.lemma(e.head) in _PICTURE_NOUNS | _LIKENESS_NOUNS}

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent in thing_by_picture and is_subject(edge) and _is_participle(graph, edge.head):
            return edge._replace(dependent=thing_by_picture[edge.dependent])
        depicted_thing = thing_by_picture.get(edge.head, 0)
        return edge._replace(head=depicted_thing) if 0 < depicted_thing < edge.dependent and _belongs_to_depicted(graph, edge) else edge

    return graph.map_edges(attach) if thing_by_picture else graph


def _belongs_to_depicted(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a phrase or clause after the depicted thing modifies that thing rather than the picture."""
    if graph.lemma(edge.dependent) == "style" or (edge.relation == "nmod:by" and _is_picture_maker(graph, edge.dependent)):
        return False
    if edge.relation.startswith("nmod:") and edge.relation != "nmod:poss":
        return True
    return edge.relation in ("acl", "acl:relcl", "advcl") and not _describes_making(graph, edge.head, edge.dependent)


def _describes_making(graph: DependencyGraph, picture: int, verb: int) -> bool:
    """Return whether a participle tells how a picture was made."""
    return graph.tag(verb) == "VBN" and graph.lemma(picture) in _PICTURE_NOUNS and graph.lemma(verb) in _PICTURE_MAKING_VERBS


def _is_participle(graph: DependencyGraph, verb: int) -> bool:
    has_participle_form = graph.tag(verb) == "VBN" or (graph.tag(verb) == "VBD" and graph.word(verb).endswith("ed"))
    return has_participle_form and not graph.has_child(verb, "aux", "aux:pass", "cop")


def _is_picture_maker(graph: DependencyGraph, index: int) -> bool:
    """Return whether the noun after "by" is the maker of a picture, a person or a name: "a portrait of a girl by Goya"."""
    return graph.tag(index) == "NNP" or kind_of_noun(graph.lemma(index)) in ("he", "she", "person")


# --- coordination ----------------------------------------------------------------------------------------------------


def share_coordinated_roles(graph: DependencyGraph) -> DependencyGraph:
    """Share the first conjunct's governor and subject, and modifiers after the last conjunct, among all conjuncts.

    The step is code, because it adds an edge for each of any number of conjuncts, and the edits of rule files replace edges.
    """
    if "conj" not in graph.relations:
        return graph
    original_graph = graph
    for first_conjunct, conjuncts in _find_coordinations(graph):
        graph = graph.add(*_places_after_verbs(graph, first_conjunct, conjuncts))
        graph = graph.add(*_places_after_nouns(graph, first_conjunct, conjuncts))
        graph = graph.add(*_places_before_be(graph, first_conjunct, conjuncts))
        for previous, other in pairwise((first_conjunct, *conjuncts)):
            graph = graph.add(
                *(_edge_from_governor(original_graph, e, other) for e in graph.parents(first_conjunct) if e.head not in (0, other))
            )
            graph = graph.add(*_shared_edges(graph, first_conjunct, other, conjuncts[-1], previous))
    return graph.with_unique_edges(graph.edges)


def _find_coordinations(graph: DependencyGraph) -> list[tuple[int, list[int]]]:
    """Return the first conjunct and the other conjuncts of each coordination, from the root down."""
    groups: dict[int, list[int]] = {}
    for e in sorted(graph.edges_of("conj"), key=lambda edge: edge.dependent):
        first_conjunct = e.head
        while (edge := graph.incoming(first_conjunct)) and edge.relation == "conj":
            first_conjunct = edge.head
        groups.setdefault(first_conjunct, []).append(e.dependent)
    return sorted(groups.items(), key=lambda group: _depth_in_tree(graph, group[0]))


def _depth_in_tree(graph: DependencyGraph, word: int) -> int:
    depth = 0
    while word and depth <= len(graph.edges_by_dependent) and (edge := graph.incoming(word)):
        word, depth = edge.head, depth + 1
    return depth


def _places_after_verbs(graph: DependencyGraph, first_conjunct: int, conjuncts: list[int]) -> list[Dependency]:
    """Return edges from the first verb to the places after the last verb: "kids run and jump on the beach"."""
    last = conjuncts[-1]
    if any(graph.tag(i)[:1] != "V" for i in (first_conjunct, *conjuncts)) or graph.has_child_like(last, *_CLAUSE_ARGUMENTS):
        return []
    dependents = (e for e in graph.children(first_conjunct) if e.dependent > first_conjunct and e.dependent not in conjuncts)
    if any(e.relation not in ("punct", "cc", "advmod", "compound:prt") for e in dependents):
        return []
    return [e._replace(head=first_conjunct) for e in graph.children(last) if e.relation in _PLACE_RELATIONS and e.dependent > last]


def _places_after_nouns(graph: DependencyGraph, first_conjunct: int, conjuncts: list[int]) -> list[Dependency]:
    """Return edges from the first noun to the places after the last noun, if no other noun has a place: "a boy and a girl on a swing"."""
    last, nouns = conjuncts[-1], (first_conjunct, *conjuncts)
    if graph.parents(first_conjunct)[0].relation not in ("root", "nsubj", "nsubj:pass") or not all(is_noun(graph, i) for i in nouns):
        return []
    if any(_has_phrase_or_clause(graph, noun) for noun in nouns[:-1]) or graph.has_child(last, "nmod:poss"):
        return []
    return [e._replace(head=first_conjunct) for e in graph.children(last) if e.relation in _STATIC_PLACE_RELATIONS and e.dependent > last]


def _places_before_be(graph: DependencyGraph, first: int, conjuncts: list[int]) -> list[Dependency]:
    """Return edges from the second and later nouns after "be" to the places before "be": "on the table are a cup and a plate"."""
    be = max((e.dependent for e in graph.children(first, "cop", "frame") if e.dependent < first), default=0)
    be = be or next((e.head for e in graph.parents(first, "nsubj") if graph.has_child(e.head, "expl")), 0)  # "on the table there are …"
    if not be or graph.has_child_like(first, "nsubj") or not all(is_noun(graph, i) for i in (first, *conjuncts)):
        return []
    places = [e for e in graph.children_like(first, "nmod:") if e.dependent < be and e.relation not in ("nmod:of", "nmod:poss")]
    return [e._replace(head=noun) for e in places for noun in conjuncts]


def _has_phrase_or_clause(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a phrase (except an "of" phrase) or a clause modifies a noun."""
    return any(e.relation != "nmod:of" for e in graph.children_like(noun, "nmod", "acl"))


def _edge_from_governor(graph: DependencyGraph, edge: Dependency, other_index: int) -> Dependency:
    """Return the edge from the governor of the first conjunct to another conjunct, with the preposition of that conjunct if it has one."""
    if base_relation(edge) not in _NOMINAL_RELATIONS or edge.relation == "nmod:poss":
        return edge._replace(dependent=other_index)
    case = next((c.dependent for c in graph.children(other_index, "case") if graph.tag(c.dependent) != "POS"), 0)
    return (
        Dependency(edge.head, other_index, f"{base_relation(edge)}:{graph.phrase(case)}") if case else edge._replace(dependent=other_index)
    )


def _shared_edges(graph: DependencyGraph, first_conjunct: int, other_index: int, last: int, previous: int) -> list[Dependency]:
    """Return the edges that a conjunct shares: to the subject, to a copula, and to the first conjunct's modifiers after the last conjunct."""
    subjects = _shared_subjects(graph, first_conjunct, other_index, previous)
    takes_copula = is_noun(graph, other_index) and not has_subject(graph, other_index)
    out = []
    for edge in (*subjects, *graph.children(first_conjunct)):
        if edge.relation == "cop" and takes_copula:
            out.append(edge._replace(head=other_index))
        if edge in subjects or (edge.dependent > last and _may_modify_all_conjuncts(edge)):
            is_passive = edge.relation == "nsubj:pass" and graph.tag(other_index) in _PRESENT_VERB_TAGS
            out.append(Dependency(other_index, edge.dependent, "nsubj" if is_passive else edge.relation))
    return out


def _shared_subjects(graph: DependencyGraph, first_conjunct: int, other_index: int, previous: int) -> list[Dependency]:
    """Return the subject edges that a conjunct without subject shares: those of the previous conjunct, or else of the first."""
    if has_subject(graph, other_index):
        return []
    if is_noun(graph, other_index):
        return graph.children_like(first_conjunct, "nsubj") if graph.has_child(first_conjunct, "cop") else []
    return (
        (graph.children_like(previous, "nsubj") or graph.children_like(first_conjunct, "nsubj")) if is_predicate(graph, other_index) else []
    )


def _may_modify_all_conjuncts(edge: Dependency) -> bool:
    """Return whether an edge leads to a phrase, clause or object that may belong to all conjuncts, not to an "of" phrase or an owner."""
    return edge.relation.startswith(("nmod", "obl", "acl", "obj")) and edge.relation not in ("nmod:of", "nmod:poss")
