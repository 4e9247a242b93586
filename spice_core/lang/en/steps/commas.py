"""Step for text after commas: phrases about the main noun, and clauses without a finite verb."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun, is_subject
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_MODIFIER_RELATIONS = ("amod", "compound", "det", "nummod", "nmod:poss")


def attach_comma_phrases(graph: DependencyGraph) -> DependencyGraph:
    """Attach a phrase after a comma to the noun it modifies, and an action to the preceding noun: ", steam rising from a pot"."""
    if not any(token.text == "," for token in graph.tokens):
        return graph
    return _attach_to_described_noun(_form_absolute_clauses(graph))


def starts_after_comma(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a comma stands right before a noun and its modifiers."""
    first_word = min((e.dependent for e in graph.children(noun, *_MODIFIER_RELATIONS)), default=noun)
    first_word = min(first_word, noun, *(e.dependent for e in graph.children(first_word, "advmod")))  # "highly detailed art"
    return first_word > 1 and graph.word(first_word - 1) == ","


def _attach_to_described_noun(graph: DependencyGraph) -> DependencyGraph:
    """Attach a phrase after a comma to the subject or main noun: "it is small, with a sink", "a fox reading a book, in the style of Potter"."""

    def attach(edge: Dependency) -> Dependency:
        if not _follows_comma(graph, edge.dependent):
            return edge
        whole = _find_described_noun(graph, edge)
        return Dependency(whole, edge.dependent, "nmod") if whole and whole != edge.head else edge

    return graph.map_edges(attach, "obl", "nmod")


def _follows_comma(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a comma stands right before the preposition of a noun."""
    case = graph.child(noun, "case")
    return 1 < case < noun and graph.word(case - 1) == ","


def _find_described_noun(graph: DependencyGraph, edge: Dependency) -> int:
    """Return the noun that a phrase after a comma modifies: the subject of an adjective, or the main noun, or 0."""
    case, head = graph.word(graph.child(edge.dependent, "case")), edge.head
    if case == "with" and graph.tag(head).startswith("J"):
        return graph.child(head, "nsubj")
    clause = graph.incoming(head)
    if clause is None or clause.relation != "acl":
        return 0
    clause_edge = graph.incoming(clause.head)
    if clause_edge and clause_edge.relation == "root":
        return clause.head if case == "with" or graph.lemma(edge.dependent) == "style" else 0
    is_nested = (
        clause_edge is not None
        and clause_edge.relation == "nmod"
        and graph.has_parent(clause_edge.head, "root")
        and is_noun(graph, clause_edge.head)
    )
    return clause_edge.head if clause_edge and is_nested else 0


def _form_absolute_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Make a bare noun after a comma the subject of the action right after it: "a chef at work, steam rising from a pot"."""
    root, replacements = graph.child(0, "root"), dict[Dependency, Dependency]()
    for edge in graph.edges:
        noun = edge.dependent - 1 - (graph.tag(edge.dependent - 1) == "RB")  # "her attention fully captured"
        is_participle = graph.tag(edge.dependent) in ("VBG", "VBN") and edge.relation in ("acl", "advcl")
        noun_edge = graph.incoming(noun) if is_participle and noun > 1 else None
        if (
            noun_edge is None
            or (edge.head == noun and graph.tag(noun_edge.head)[:1] != "V")
            or not is_noun(graph, noun)
            or noun_edge.relation not in ("obj", "conj", "appos", "list", "obl", "nmod", "nsubj", "nsubj:pass")
            or (is_subject(noun_edge) and noun < noun_edge.head)
        ):
            continue
        if starts_after_comma(graph, noun) and noun != root and not graph.has_child(noun, "case", "cc"):
            replacements |= {edge: Dependency(noun, edge.dependent, "acl"), noun_edge: Dependency(root, noun, "list")}
    return graph.map_edges(lambda e: replacements.get(e, e)) if replacements else graph
