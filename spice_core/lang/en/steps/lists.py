"""Steps for lists of nouns without "and", as in prompts ("castle, oil painting, soft light"), and for nouns between commas."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun, is_request
from spice_core.lang.en.steps.commas import starts_after_comma
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_ITEM_RELATIONS = ("det", "nmod:poss", "nummod", "case")
_STYLE_NOUNS = frozenset(
    "painting photography photo photograph render illustration drawing sketch watercolor style art artwork lighting light lens focus "
    "background aesthetic composition detail color colour palette mood bokeh shot angle resolution quality texture grain".split()
)


def split_lists(graph: DependencyGraph) -> DependencyGraph:
    """Separate items after commas without "and", so that modifiers stay with their items."""
    if graph.words.isdisjoint((",", "one")):
        return graph
    root = graph.child(0, "root")
    list_edge_by_edge = {e: Dependency(root, e.dependent, "list") for e in graph.edges_of("conj", "appos") if _is_item(graph, e, root)}
    graph = graph.map_edges(lambda e: list_edge_by_edge.get(e, e)) if list_edge_by_edge else graph
    return graph.map_edges(lambda e: _read_as_adjective(graph, e, root), "conj") if is_noun(graph, root) else graph


def _read_as_adjective(graph: DependencyGraph, edge: Dependency, root: int) -> Dependency:
    """Attach a lone adjective after a comma to the main noun."""
    if edge.relation != "conj" or not is_noun(graph, edge.head) or graph.tag(edge.dependent) not in ("JJ", "VBN"):
        return edge
    is_lone = starts_after_comma(graph, edge.dependent) and not graph.has_child(edge.dependent, "nsubj", "cc", "obl")
    return Dependency(root, edge.dependent, "amod") if is_lone else edge


def _is_item(graph: DependencyGraph, edge: Dependency, root: int) -> bool:
    """Return whether a noun after a comma is an item of a list rather than a conjunct or apposition of the noun before it."""
    if edge.dependent == root or not _is_noun_after_comma(graph, edge):
        return False
    conjuncts = [o.dependent for o in graph.children(edge.head, "conj") if graph.has_child(o.dependent, "cc")]
    if conjuncts and not _ends_in_style(graph, edge.head, min(conjuncts)):
        return min(conjuncts) < edge.dependent and not graph.has_child(edge.dependent, "case")  # "cream and nuts, fork on the side"
    if graph.lemma(edge.dependent) in _STYLE_NOUNS:
        return True
    has_determiner = any(graph.word(o.dependent) != "no" for o in graph.children(edge.dependent, *_ITEM_RELATIONS))
    return edge.relation != "appos" and not has_determiner and (is_noun(graph, root) or is_request(graph, root))


def _ends_in_style(graph: DependencyGraph, head: int, conjunct: int) -> bool:
    """Return whether a coordination is followed by the style of the picture, as in prompts: "stars and nebulas, digital art"."""
    later_edges = [e for e in graph.children(head, "conj", "appos") if e.dependent > conjunct]
    return any(graph.lemma(e.dependent) in _STYLE_NOUNS and _is_noun_after_comma(graph, e) for e in later_edges)


def _is_noun_after_comma(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether an edge joins two nouns, and the second follows a comma without "and"."""
    if not 0 < edge.head < edge.dependent or not is_noun(graph, edge.head) or not is_noun(graph, edge.dependent):
        return False
    return starts_after_comma(graph, edge.dependent) and not graph.has_child(edge.dependent, "cc")


def form_comma_appositions(graph: DependencyGraph) -> DependencyGraph:
    """Make a noun between two commas, without "and", an apposition: "My dog, Rex, sleeps"."""
    commas = {e.dependent for e in graph.edges if graph.token(e.dependent).text == ","}
    if len(commas) < 2:
        return graph

    def relabel(edge: Dependency) -> Dependency:
        if _last_word_of_phrase(graph, edge.dependent) + 1 not in commas or not any(edge.head < c < edge.dependent for c in commas):
            return edge
        return edge._replace(relation="appos") if _is_apposition(graph, edge) else edge

    return graph.map_edges(relabel, "conj", "nmod")


def _last_word_of_phrase(graph: DependencyGraph, index: int) -> int:
    """Return the last word of a noun phrase, including name parts and postmodifiers."""
    last_index, words = index, [index]
    while words:
        word = words.pop()
        last_index = max(last_index, word)
        words += [e.dependent for e in graph.children_like(word, "flat", "nmod") if e.dependent > word]
    return last_index


def _is_apposition(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a noun is attached to a noun without a preposition and without coordination."""
    if not (is_noun(graph, edge.head) and is_noun(graph, edge.dependent)) or graph.has_child(edge.dependent, "case"):
        return False
    if graph.has_child(edge.head, "cc") or graph.has_child(edge.dependent, "cc"):
        return False
    return not any(graph.has_parent(o.dependent, "conj") for o in graph.children(edge.head) if o.dependent != edge.dependent)
