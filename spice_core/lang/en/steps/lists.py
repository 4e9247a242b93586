"""Lists of items without "and", as in prompts: "castle, oil painting, soft light"."""

from __future__ import annotations

from spice_core.lang.en.grammar import is_noun, is_request
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_OF_ITEM = ("det", "nmod:poss", "nummod", "case")
_STYLES = frozenset(
    "painting photography photo photograph render illustration drawing sketch watercolor style art artwork lighting light lens focus "
    "background aesthetic composition detail color colour palette mood bokeh shot angle resolution quality texture grain".split()
)


def lists(graph: DependencyGraph) -> DependencyGraph:
    """Let bare items after commas, without "and", stand alone: what is said of one is not said of the others."""
    root = graph.child(0, "root")
    items = {e: Dependency(root, e.dependent, "list") for e in graph.edges_of("conj", "appos") if _is_item(graph, e, root)}
    return graph.map_edges(lambda e: items.get(e, e)) if items else graph


def _is_item(graph: DependencyGraph, e: Dependency, root: int) -> bool:
    """Return whether a noun behind a comma belongs to a list rather than to the noun before it."""
    if not (e.head and e.head < e.dependent and is_noun(graph, e.head) and is_noun(graph, e.dependent)) or e.dependent == root:
        return False
    if not _follows_comma(graph, e.dependent) or graph.has_child(e.dependent, "cc"):
        return False
    joined = [o.dependent for o in graph.children(e.head, "conj") if graph.has_child(o.dependent, "cc")]
    if joined:
        return min(joined) < e.dependent and not graph.has_child(e.dependent, "case")  # "cream and nuts, fork on the side"
    determined = any(graph.word(o.dependent) != "no" for o in graph.children(e.dependent, *_OF_ITEM))
    if e.relation == "appos" or determined:
        return graph.lemma(e.dependent) in _STYLES
    return is_noun(graph, root) or is_request(graph, root) or graph.lemma(e.dependent) in _STYLES


def _follows_comma(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a comma stands right before a noun and its modifiers."""
    first = min((e.dependent for e in graph.children(noun, "amod", "compound", "det", "nummod", "nmod:poss")), default=noun)
    return min(first, noun) > 1 and graph.word(min(first, noun) - 1) == ","
