"""Step for states, actions and places after the noun of a "with" phrase: "with the hood open", "with a camera on a stand"."""

from __future__ import annotations

from spice_core.lang.en.discourse.mentions import kind_of_noun
from spice_core.lang.en.grammar import is_noun
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_ADJECTIVES_WITH = frozenset(
    "happy angry pleased satisfied bored upset content comfortable familiar friendly consistent compatible parallel level even flush "
    "perpendicular equal identical similar synonymous popular patient gentle generous careful busy ready good finished engaged".split()
)
_STATE_PLACES = frozenset("hand arm mouth lap air background foreground".split())
_INANIMATE_VERBS = frozenset("sit stand lie lay hang lean rest run drive fly sail float move travel go come hover".split())


def form_with_phrases(graph: DependencyGraph) -> DependencyGraph:
    """Attach a state, action or place to the noun after "with": "with the hood open"."""
    return _attach_to_described_nouns(_attach_places(_form_with_clauses(graph)))


def _attach_places(graph: DependencyGraph) -> DependencyGraph:
    """Attach a place right after a "with" phrase to the phrase's noun if the verb has a place or the phrase is a state.

    Examples are "sits on the street with a camera on a stand", "stands with its paws on a rock" and "plays with a ball in the air".
    """
    with_nouns = {e.head for e in graph.edges_of("case") if graph.word(e.dependent) == "with"}

    def attach(e: Dependency) -> Dependency:
        first_word = min((o.dependent for o in graph.children(e.dependent, "case")), default=1)
        thing = first_word - 1
        if thing not in with_nouns or graph.incoming(thing) != Dependency(e.head, thing, "obl") or graph.word(first_word) == "with":
            return e
        has_place = any(e.head < o.dependent < thing for o in graph.children(e.head, "obl"))
        is_state = graph.has_child(thing, "nmod:poss") or graph.lemma(e.dependent) in _STATE_PLACES or _refers_back(graph, e.dependent)
        return Dependency(thing, e.dependent, "nmod") if has_place or is_state else e

    return graph.map_edges(attach, "obl") if with_nouns else graph


def _attach_to_described_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Attach a "with" phrase after a predicate adjective to its subject: "the sky is blue with clouds"."""
    with_nouns = {e.head for e in graph.edges_of("case") if graph.word(e.dependent) == "with"}

    def attach(e: Dependency) -> Dependency:
        if e.dependent not in with_nouns or graph.tag(e.head) not in ("JJ", "JJR") or graph.lemma(e.head) in _ADJECTIVES_WITH:
            return e
        subject = 0 if graph.lemma(e.head).endswith("ed") else graph.child(e.head, "nsubj")
        follows_predicate = subject and subject < e.head < e.dependent and graph.has_child(e.head, "cop")
        return Dependency(subject, e.dependent, "nmod") if follows_predicate else e

    return graph.map_edges(attach, "obl") if with_nouns else graph


def _form_with_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Make the words after the noun of a "with" phrase its state where possible: "with the hood open, a car stands"."""
    for token in graph.tokens:
        if token.text.lower() in ("with", "without") and (e := graph.incoming(token.index)) and e.relation in ("case", "mark"):
            graph = _form_with_clause(graph, e)
    return graph


def _form_with_clause(graph: DependencyGraph, edge: Dependency) -> DependencyGraph:
    """Make the words after the noun of a "with" phrase its state, and the noun a dependent of the verb. ``edge`` leads to "with"."""
    noun, noun_edge = edge.head, graph.incoming(edge.head)
    if noun_edge and noun_edge.relation == "acl" and edge.relation == "mark":  # In "with smoke rising", "with" depends on "rising".
        noun, noun_edge = noun_edge.head, graph.incoming(noun_edge.head)
        if noun_edge and noun_edge.relation == "obl" and edge.dependent < noun:
            return _replace_edges(graph, Dependency(noun, edge.dependent, "case"))
    if noun_edge is None or not is_noun(graph, noun) or edge.dependent > noun:
        return graph
    return _read_subject_of_state(graph, edge, noun_edge) if noun_edge.relation == "nsubj" else _attach_state(graph, noun_edge)


def _replace_edges(graph: DependencyGraph, *edges: Dependency) -> DependencyGraph:
    """Return the tree with these edges instead of the previous edges of their dependents."""
    edge_by_dependent = {e.dependent: e for e in edges}
    return graph.map_edges(lambda e: edge_by_dependent.get(e.dependent, e))


def _read_subject_of_state(graph: DependencyGraph, edge: Dependency, noun_edge: Dependency) -> DependencyGraph:
    """Correct the tree if the noun after "with" is the subject of the next state, or a second subject of the main verb."""
    if noun_edge.head == noun_edge.dependent + 1 and graph.has_parent(noun_edge.head, "advcl", "acl", "xcomp"):
        return _replace_edges(graph, Dependency(noun_edge.head, edge.dependent, "mark"))
    if len(graph.children(noun_edge.head, "nsubj")) > 1:
        return _replace_edges(graph, noun_edge._replace(relation="obl"), Dependency(noun_edge.dependent, edge.dependent, "case"))
    return graph


def _attach_state(graph: DependencyGraph, noun_edge: Dependency) -> DependencyGraph:
    """Attach the state or action right after the noun of a "with" phrase to that noun."""
    noun = noun_edge.dependent
    state = graph.incoming(noun + 1) if noun < len(graph.tokens) else None
    if state is None:
        return graph
    acl = Dependency(noun, noun + 1, "acl")
    whole = noun_edge.head if noun_edge.relation == "nmod" else graph.head(noun_edge.head, "acl")
    if whole and _is_root_state(graph, noun, whole, state.dependent):
        return _replace_edges(graph, Dependency(0, whole, "root"), acl)
    if noun_edge.relation == "nmod":
        return _replace_edges(graph, acl) if state.head == noun_edge.head and _describes_noun_of_phrase(graph, state) else graph
    if noun_edge.relation != "obl" or state.head != noun_edge.head:
        return graph
    return _replace_edges(graph, acl) if _is_state(graph, state, noun) else graph


def _is_root_state(graph: DependencyGraph, noun: int, whole: int, verb: int) -> bool:
    """Return whether a root participle is the state of the noun in a "with" phrase: "a figure with his hand raised"."""
    if graph.has_child(verb, "aux", "aux:pass", "obj") or not any(e.head == 0 for e in graph.parents(verb)):
        return False
    if not graph.has_parent(whole, "nsubj", "nsubj:pass") or graph.head(whole, "nsubj", "nsubj:pass") != verb:
        return False
    is_owned = graph.has_child(noun, "nmod:poss") or _mentions_whole(graph, verb)
    return (is_owned and graph.tag(verb) in ("VBN", "VBD")) or (graph.tag(verb) == "VBN" and kind_of_noun(graph.lemma(whole)) == "thing")


def _mentions_whole(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a phrase of a participle has a pronoun or possessive: "with a bandana tied around its neck"."""
    return any(_refers_back(graph, e.dependent) for e in graph.children(verb, "obl"))


def _refers_back(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a phrase is a pronoun or contains one: "it", "its neck", "front of them"."""
    return any(graph.tag(i) in ("PRP", "PRP$") for i in (noun, *(e.dependent for e in graph.children(noun, "nmod", "nmod:poss"))))


def _describes_noun_of_phrase(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a participle after a "with" phrase modifies the phrase's noun: a state, or an action if a thing precedes "with"."""
    if edge.relation == "acl" and graph.tag(edge.dependent) == "VBN":
        return graph.has_child(edge.dependent - 1, "nmod:poss") or _mentions_whole(graph, edge.dependent)  # "with her hair tied back"
    if edge.relation != "acl" or graph.tag(edge.dependent) != "VBG" or graph.lemma(edge.dependent) in _INANIMATE_VERBS:
        return False
    return kind_of_noun(graph.lemma(edge.head)) == "thing"


def _is_state(graph: DependencyGraph, edge: Dependency, noun: int) -> bool:
    """Return whether a word after the noun of a "with" phrase is a state of that noun rather than an action of the subject."""
    tag = graph.tag(edge.dependent)
    if edge.relation not in ("advcl", "advmod", "xcomp", "acl", "amod"):
        return False
    return tag in ("JJ", "VBN") or (tag == "VBG" and (edge.dependent < edge.head or graph.has_child(noun, "nmod:poss")))
