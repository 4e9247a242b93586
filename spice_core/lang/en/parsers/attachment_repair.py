"""Repairs of subjects, agents and other words that the network attaches to the wrong verb or noun.

Each repair preserves the tree: it has one root, and one edge for each word, in the order of the words.
"""

from __future__ import annotations

from spice_core.lang.en.grammar import edge_of, is_noun
from spice_core.lang.en.word_lists import GROUP_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_COMPLEMENT_RELATIONS = ("ccomp", "xcomp")
_FINITE_VERB_TAGS = ("VBZ", "VBP", "VBD")
_ACTION_WORDS = frozenset(
    "singing dancing laughing smiling talking chatting crying whistling jumping running walking waving cheering clapping".split()
)


def is_above(graph: DependencyGraph, word: int, descendant: int) -> bool:
    """Return whether ``word`` is ``descendant`` or above it in the tree."""
    while descendant and descendant != word:
        descendant = edge_of(graph, descendant).head
    return descendant == word


def _move_second_subject(graph: DependencyGraph) -> DependencyGraph:
    """Turn a second subject, which follows the verb, into the subject of the complement after it ("I saw a man fall").

    If no complement follows, turn the second subject into the object of the verb ("this page shows kings").
    """
    new_edges = []
    for edge in graph.edges_of("nsubj"):
        if not graph.child(edge.head, "nsubj") < edge.head < edge.dependent < len(graph.tokens):
            continue
        next_edge = edge_of(graph, edge.dependent + 1)
        if next_edge.relation in _COMPLEMENT_RELATIONS and next_edge.head == edge.head:
            new_edges.append(edge._replace(head=next_edge.dependent))
        elif graph.tag(edge.head) in _FINITE_VERB_TAGS and not graph.has_child(edge.head, "obj", "cop", *_COMPLEMENT_RELATIONS):
            new_edges.append(edge._replace(relation="obj"))
    return graph.revise(new_edges) if new_edges else graph


def _coordinate_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Coordinate a noun with the singular subject of a plural verb: "a boy with a cap and a girl with a hat wait"."""
    verb = graph.child(0, "root")
    subject = graph.child(verb, "nsubj")
    if graph.tag(verb) not in ("VB", "VBP") or not subject or graph.has_child(verb, "aux", "cop") or not _is_single(graph, subject):
        return graph
    subject_edges = [
        e for e in graph.edges_of("conj") if subject < e.dependent < verb and edge_of(graph, e.head) == Dependency(subject, e.head, "nmod")
    ]
    if (
        len(subject_edges) != 1
        or not graph.has_child(subject_edges[0].dependent, "det")
        or graph.has_child(subject_edges[0].dependent, "case")
    ):
        return graph
    return graph.revise([subject_edges[0]._replace(head=subject)], {verb: "VBP"})


def _is_single(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a noun names a single thing or person: it is singular, and has a determiner but no conjunct."""
    is_singular = graph.tag(noun) == "NN" and graph.word(noun) not in GROUP_NOUNS and graph.has_child(noun, "det")
    return is_singular and not graph.has_child(noun, "conj")


def _give_agent_to_participle(graph: DependencyGraph) -> DependencyGraph:
    """Attach a noun after "by" to the participle right before "by": "carrying a cross, followed by a crowd"."""
    new_edges: list[Dependency] = []
    for edge in graph.edges_of("obj") if "by" in graph.words else ():
        preposition = graph.child(edge.dependent, "case")
        if (
            graph.word(preposition) == "by"
            and preposition > 1
            and graph.tag(preposition - 1) == "VBN"
            and edge.head != preposition - 1
            and not is_above(graph, edge.dependent, preposition - 1)
        ):
            participle, head_edge = edge_of(graph, preposition - 1), edge_of(graph, edge.head)
            new_edges.append(Dependency(preposition - 1, edge.dependent, "obl"))
            if participle.head == edge.head and head_edge.relation == "acl" and is_noun(graph, head_edge.head):
                new_edges.append(Dependency(head_edge.head, preposition - 1, "acl"))
    return graph.revise(new_edges) if new_edges else graph


def _read_action_after_object(graph: DependencyGraph) -> DependencyGraph:
    """Coordinate a bare action with the verb instead of the verb's object: "is watering plants and singing"."""
    new_edges = []
    for edge in () if graph.words.isdisjoint(_ACTION_WORDS) else graph.edges_of("conj"):
        head_edge, is_bare = edge_of(graph, edge.head), all(o.relation in ("cc", "punct") for o in graph.children(edge.dependent))
        if graph.word(edge.dependent) in _ACTION_WORDS and is_bare and head_edge.relation == "obj" and graph.tag(head_edge.head) == "VBG":
            new_edges.append(edge._replace(head=head_edge.head))
    return graph.revise(new_edges, {e.dependent: "VBG" for e in new_edges}) if new_edges else graph


def _read_view_as_noun(graph: DependencyGraph) -> DependencyGraph:
    """Make a first word "view", or a first word in -ing before "of", a noun: "View from a window", "Drawing of a hand"."""
    view = graph.child(0, "root")
    if view != 1 or graph.has_child(view, "obj", "ccomp") or len(graph.tokens) == 1:
        return graph
    if (graph.word(view), graph.tag(view)) != ("view", "VB") and (graph.tag(view), graph.word(2)) != ("VBG", "of"):
        return graph
    return graph.revise([e._replace(relation="nmod") for e in graph.children(view, "obl")], {view: "NN"})


def _read_participles_as_adjectives(graph: DependencyGraph) -> DependencyGraph:
    """Tag a word in -ing right before its noun as an adjective, so that its lemma also ends in -ing: "kneeling angels"."""
    participles = [e.dependent for e in graph.edges_of("amod") if graph.tag(e.dependent) == "VBG" and e.head == e.dependent + 1]
    words = [word for word in participles if not graph.has_child(word, "obl", "obj")]
    return graph.revise((), dict.fromkeys(words, "JJ")) if words else graph


ATTACHMENT_REPAIRS = (
    _move_second_subject,
    _coordinate_subjects,
    _give_agent_to_participle,
    _read_action_after_object,
    _read_view_as_noun,
    _read_participles_as_adjectives,
)
