"""Repairs of contradictions between tags and edges, which the network predicts independently for each word.

Each repair preserves the tree: it has one root, and one edge for each word, in the order of the words.
"""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_PRESENT_TAGS = ("VBZ", "VBP")
_VERB_TAG_BY_NOUN_TAG = {"NN": "VBP", "NNS": "VBZ"}  # corrected tags of words that are verbs in the tree, by the tagger's tag
_CLAUSE_RELATIONS = ("root", "conj", "advcl", "parataxis", "ccomp")
_NOUN_DEPENDENT_RELATIONS = ("cop", "det", "case", "amod", "nummod", "compound", "nmod:poss", "nmod")
_PRONOMINAL_ADJECTIVES = frozenset("other same latter former next last first second third only many few".split())  # "the other"
_ARGUMENT_RELATIONS = ("obj", "obl", "nmod", "nsubj", "nsubj:pass", "iobj")
_ADJECTIVE_DEPENDENT_RELATIONS = ("cop", "nsubj", "nsubj:pass", "conj")


def repair_tree(graph: DependencyGraph) -> DependencyGraph:
    """Return the tree with repaired edges and tags."""
    for repair in REPAIRS:
        graph = repair(graph)
    return graph


def _restore_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Read the noun right before a finite verb as its subject ("a player dunks"), and a word with a subject as a verb ("an owl hoots")."""
    subject_by_verb = {
        e.head: e.dependent for e in graph.edges_of("compound") if e.dependent == e.head - 1 and _is_finite_clause(graph, e.head)
    }

    def change(edge: Dependency) -> Dependency:
        if subject_by_verb.get(edge.head) == edge.dependent:
            return edge._replace(relation="nsubj")
        if edge.head in subject_by_verb and edge.relation in ("det", "amod", "nummod", "nmod:poss"):
            return edge._replace(head=subject_by_verb[edge.head])
        return edge._replace(relation="advcl") if edge.dependent in subject_by_verb and edge.relation in ("nmod", "obl", "dep") else edge

    if subject_by_verb:
        graph = graph.map_edges(change)
    verbs = {e.head for e in graph.edges_of("nsubj") if not graph.has_child(e.head, *_NOUN_DEPENDENT_RELATIONS)}
    return graph.revise(tags={verb: _VERB_TAG_BY_NOUN_TAG.get(graph.tag(verb), graph.tag(verb)) for verb in verbs})


def _is_finite_clause(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a word is the finite verb of the main clause or of another clause, such as a clause with "as" or "while"."""
    if graph.tag(verb) not in _PRESENT_TAGS:
        return False
    return graph.has_parent(verb, *_CLAUSE_RELATIONS) or any(e.relation == "mark" for e in graph.children_before(verb, verb))


def _read_adjectives_as_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Read an adjective in the position of a noun as a noun: "wins the final", "greets the faithful", "in matte black"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for token in graph.tokens:
        e = graph.incoming(token.index) if token.tag == "JJ" else None
        role = _role_as_noun(graph, e) if e else ""
        if e and role:
            tags[token.index] = "NN"
            new_edges.append(e._replace(relation=role))
    return graph.revise(new_edges, tags)


def _role_as_noun(graph: DependencyGraph, edge: Dependency) -> str:
    """Return the relation that an adjective would have as a noun, or "" if it cannot be a noun."""
    word = edge.dependent
    if (
        graph.word(word) in _PRONOMINAL_ADJECTIVES
        or graph.has_child(word, *_ADJECTIVE_DEPENDENT_RELATIONS)
        or (word < len(graph.tokens) and is_noun(graph, word + 1))
    ):
        return ""
    if edge.relation == "amod" and 0 < edge.head < graph.child(word, "case"):
        return "nmod"
    if edge.relation in ("obj", "advmod") and graph.child(word, "compound") == word - 1 and graph.tag(edge.head)[:1] == "V":
        return "obj"
    articles = [graph.word(o.dependent) for o in graph.children(word, "det")]
    return edge.relation if edge.relation in _ARGUMENT_RELATIONS and articles == ["the"] else ""


def _read_participles_as_adjectives(graph: DependencyGraph) -> DependencyGraph:
    """Tag a word in -ing right before its noun as an adjective, so that its lemma also ends in -ing: "kneeling angels"."""
    participles = [e.dependent for e in graph.edges_of("amod") if graph.tag(e.dependent) == "VBG" and e.head == e.dependent + 1]
    words = [word for word in participles if not graph.has_child(word, "obl", "obj")]
    return graph.revise((), dict.fromkeys(words, "JJ")) if words else graph


def _read_objects_of_prepositions_as_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Tag an adjective with a preposition as a noun: "in blue", "on the left"."""
    objects = (
        e.dependent for e in graph.edges_of("nmod", "obl") if graph.tag(e.dependent) == "JJ" and graph.has_child(e.dependent, "case")
    )
    return graph.revise(tags=dict.fromkeys(objects, "NN"))


def _read_left_as_direction(graph: DependencyGraph) -> DependencyGraph:
    """Read "left" after a verb, or after the object of a request, as a direction: "turns left", "push the block left"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for edge in graph.edges_of("xcomp", "acl", "amod") if "left" in graph.words else ():
        direction, verb = edge.dependent, edge.head if edge.relation == "xcomp" else graph.head(edge.head, "obj")
        is_request = direction > edge.head and graph.tag(verb) == "VB" and not graph.children(direction)
        if graph.word(direction) == "left" and (is_request or edge.relation == "xcomp"):
            tags[direction] = "JJ"
            new_edges += [Dependency(verb, direction, "xcomp"), *(o._replace(head=verb) for o in graph.children(direction, "obl"))]
    return graph.revise(new_edges, tags)


REPAIRS = (
    _restore_clauses,
    _read_adjectives_as_nouns,
    _read_participles_as_adjectives,
    _read_objects_of_prepositions_as_nouns,
    _read_left_as_direction,
)
