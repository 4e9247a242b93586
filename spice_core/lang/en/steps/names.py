"""Steps for names: they choose the head of a name, and relate a name to a common noun for the same thing."""

from __future__ import annotations

from spice_core.lang.en.discourse.mentions import kind_of_noun
from spice_core.lang.en.grammar import base_relation, is_noun
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_TEXT_NOUNS = frozenset("word letter".split())
_NAMED_NOUNS = frozenset("star film movie band song album book novel play game ship boat yacht river planet comet".split())
_BEING_NOUNS = frozenset("angel archangel saint god goddess titan nymph cherub demon".split())
_NAMING_VERBS = frozenset("call name title entitle label dub nickname".split())
_TITLE_PREFIXES = frozenset("prime vice deputy assistant".split())  # parts of a title, such as "prime minister"
_TITLE_NOUNS = frozenset(
    "minister chancellor secretary president king queen prince princess pope sir lord lady saint general captain mayor senator governor professor".split()
)
_NAME_RELATIONS = ("flat", "compound", "punct")


def form_name_appositions(graph: DependencyGraph) -> DependencyGraph:
    """Make a common noun the head of the following name: "the painter Anna Keller poses"."""
    for token in graph.tokens[:-1]:
        noun = token.index
        if not _precedes_name(graph, noun):
            continue
        if name := _find_name_after(graph, noun):
            graph = _make_noun_head(graph, noun, name)
    return graph


def _precedes_name(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word is a common noun or title right before a name: "the painter Anna", "former Mayor Smith"."""
    token, next_token = graph.token(index), graph.token(index + 1)
    if token.tag not in ("NN", "NNP") or not next_token.tag.startswith("NN") or not next_token.text[:1].isupper():
        return False
    if next_token.tag != "NNP" or token.lemma.lower() in _TEXT_NOUNS:
        return token.lemma in _TEXT_NOUNS and token.text.islower()
    if token.tag == "NNP" or (index == 1 and token.lemma in _TITLE_NOUNS):
        return token.lemma.lower() in _TITLE_NOUNS and _has_modifier_before(graph, index)
    is_common_noun = token.text.islower() or index == 1
    return is_common_noun and (token.lemma in _NAMED_NOUNS | _BEING_NOUNS or kind_of_noun(token.lemma) != "thing")


def _has_modifier_before(graph: DependencyGraph, title: int) -> bool:
    """Return whether a title has a modifier before it: "French President", "former Mayor"."""
    previous = graph.token(title - 1) if title > 1 else None
    return (
        previous is not None
        and previous.tag in ("JJ", "NNP")
        and previous.text.lower() not in _TITLE_PREFIXES
        and previous.text not in ("The", "A")
    )


def _find_name_after(graph: DependencyGraph, noun: int) -> int:
    """Return the head of a name that follows a noun and depends on it or on the same head (0 if there is none)."""
    if any(e.dependent == noun + 1 for e in graph.children(noun, "flat")):
        return noun + 1
    name = next((e.dependent for e in graph.edges if _is_name_of(graph, e, noun)), 0)
    return name if all(graph.tag(i).startswith("NNP") for i in range(noun + 1, name)) else 0


def _is_name_of(graph: DependencyGraph, edge: Dependency, noun: int) -> bool:
    """Return whether an edge leads to the name of a preceding noun, which is part of the name or has the same role."""
    noun_edge = graph.incoming(noun)
    if noun_edge is None or edge.dependent <= noun or not is_noun(graph, edge.dependent):
        return False
    is_part = base_relation(noun_edge) in ("compound", "amod") and noun_edge.head == edge.dependent
    is_adjacent_name = (
        noun_edge.head == edge.head
        and base_relation(noun_edge) == base_relation(edge)
        and not graph.has_child(edge.dependent, "case", "cc", "det")
    )
    return is_part or is_adjacent_name


def _make_noun_head(graph: DependencyGraph, noun: int, name: int) -> DependencyGraph:
    """Make a noun the head of its name. The name keeps only the dependents that are parts of the name."""
    is_flat, is_part = graph.has_parent(name, "flat"), name in graph.heads(noun)

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent == name:
            return edge._replace(dependent=noun) if is_part else Dependency(noun, name, "appos")
        if edge.dependent == noun and is_part:
            return Dependency(noun, name, "appos")
        if edge.head == noun and is_flat and base_relation(edge) == "flat":
            return edge._replace(head=name)
        is_name_part = edge.dependent > noun and base_relation(edge) in _NAME_RELATIONS
        return edge._replace(head=noun) if edge.head == name and not is_name_part else edge

    return graph.map_edges(attach)


def attach_given_names(graph: DependencyGraph) -> DependencyGraph:
    """Attach the name after "called" and the like to the noun as an apposition: "a city called Bath"."""
    for token in graph.tokens:
        if token.tag in ("VBN", "VBD") and token.lemma in _NAMING_VERBS and (name := _find_given_name(graph, token.index)):
            graph = _attach_name_to_noun(graph, token.index - 1, token.index, name)
    return graph


def _find_given_name(graph: DependencyGraph, verb: int) -> int:
    """Return the name introduced by a participle such as "called" right after a noun, or 0."""
    if verb < 2 or not is_noun(graph, verb - 1) or graph.has_child(verb, "aux", "aux:pass"):
        return 0
    objects = (e.dependent for e in graph.children(verb, "obj", "xcomp", "ccomp", "obl") if e.dependent > verb)
    return next((i for i in objects if not graph.has_child(i, "case", "det", "mark")), 0)


def _attach_name_to_noun(graph: DependencyGraph, noun: int, verb: int, name: int) -> DependencyGraph:
    """Attach the name and the phrases of the participle to the noun, and label the participle as ``frame``."""
    is_root = 0 in graph.heads(verb)
    subject = graph.child_like(verb, "nsubj") or noun

    def attach(edge: Dependency) -> Dependency:
        if edge.dependent == name:
            return Dependency(noun, name, "appos")
        if edge.dependent == verb:
            return Dependency(noun, verb, "frame")
        if is_root and edge.head == verb and edge.dependent == subject:
            return Dependency(0, subject, "root")
        return Dependency(noun, edge.dependent, "nmod" if edge.relation == "obl" else edge.relation) if edge.head == verb else edge

    return graph.map_edges(attach)


def reverse_flat_names(graph: DependencyGraph) -> DependencyGraph:
    """Make the last word of a flat name its head: "Einstein" in "Albert Einstein"."""
    parts_by_first_name: dict[int, list[int]] = {}
    for edge in sorted(graph.edges, key=lambda edge: edge.dependent):
        if base_relation(edge) == "flat" and is_noun(graph, edge.dependent):
            parts_by_first_name.setdefault(edge.head, []).append(edge.dependent)
    for first_name, (*first_parts, last) in parts_by_first_name.items():
        if is_noun(graph, first_name):
            swap = {first_name: last}
            other_edges = (e for e in graph.edges if e.dependent not in (*first_parts, last))
            swapped_edges = [Dependency(swap.get(e.head, e.head), swap.get(e.dependent, e.dependent), e.relation) for e in other_edges]
            graph = graph.with_edges((*swapped_edges, *(Dependency(last, part, "compound") for part in (first_name, *first_parts))))
    return graph
