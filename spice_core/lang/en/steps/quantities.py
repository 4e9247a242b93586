"""Step that makes the noun after "a group of", "lots of" or "one of" the head."""

from __future__ import annotations

from itertools import pairwise

from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token

_NUMBER_NOUNS = frozenset("couple pair dozen hundred thousand million".split())
_GROUP_NOUNS = _NUMBER_NOUNS | frozenset(
    "group bunch lot number variety few assortment array handful multitude plethora ton slew kind sort type bit range rest remainder "
    "majority minority".split()
)
_PARTITIVE_WORDS = frozenset("some all both several many plenty most each any none neither half".split())
_NONE_WORDS = frozenset("none neither".split())  # quantities that negate the noun
_COMPARING_WORDS = ("more", "less", "most", "least")
_MODIFIER_RELATIONS = ("amod", "advmod", "compound")
_NUMBER_WORDS = frozenset("one two three four five six seven eight nine ten".split())


def promote_counted_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Make the noun after "a group of", "lots of" or "one of" the head, with the quantity as its quantifier."""
    for quantity, of in pairwise(graph.tokens):
        if of.text.lower() != "of":
            continue
        lemma = _quantity_lemma(quantity)
        is_place = lemma == "lot" and graph.has_child(quantity.index, "compound")  # "a parking lot of cars"
        is_group = lemma in _NUMBER_NOUNS or (lemma in _GROUP_NOUNS and not is_place and not graph.has_child(quantity.index, "nummod"))
        is_side = lemma == "half" and graph.has_child(quantity.index, "amod")  # "the left half of"
        is_selected = _selects_member(graph, quantity) and lemma not in _PARTITIVE_WORDS
        if (lemma in _PARTITIVE_WORDS and not is_side) or lemma in _NUMBER_WORDS or is_group or is_selected:
            nouns = [e.dependent for e in graph.children(quantity.index, "nmod:of", "obl:of") if e.dependent > of.index]
            if nouns:
                graph = _promote_nouns(graph, quantity.index, of.index, nouns)
    return graph


def _selects_member(graph: DependencyGraph, word: Token) -> bool:
    """Return whether an adjective selects members of a group: "the smallest of the puppies", "the less crowded of …"."""
    comparison = graph.find_dependent_word(graph.children(word.index, "advmod"), words=_COMPARING_WORDS)
    return (graph.has_child(word.index, "det") and (word.tag in ("JJR", "JJS") or bool(comparison))) or word.tag == "JJS"


def _quantity_lemma(token: Token) -> str:
    return token.text.lower() if token.tag == "CD" else token.lemma


def _quantifier_relation(graph: DependencyGraph, quantity: int, preceding_words: list[int]) -> str:
    """Return the relation of a quantifier to its noun: ``det:qmod`` if it counts, ``det:none`` if it negates, otherwise ``det:group``."""
    token = graph.token(quantity)
    lemma = _quantity_lemma(token)
    is_count = (token.tag == "CD" and lemma in _NUMBER_WORDS) or (lemma in _NUMBER_NOUNS and (preceding_words or token.tag != "NNS"))
    return "det:qmod" if is_count else "det:none" if lemma in _NONE_WORDS else "det:group"


def _promote_nouns(graph: DependencyGraph, quantity: int, of: int, nouns: list[int]) -> DependencyGraph:
    """Move the edges of a quantity to the nouns, and merge its article or number, the quantity and "of" into one quantifier."""
    article = [e.dependent for e in graph.children(quantity, "det", "nummod") if e.dependent < quantity]
    words = [*article, quantity, of]
    noun_edges = (new_edge for e in graph.edges if e.dependent not in (of, *article) for new_edge in _distribute_edge(e, quantity, nouns))
    quantity_edges = (Dependency(noun, words[0], _quantifier_relation(graph, quantity, article)) for noun in nouns)
    return graph.with_unique_edges((*noun_edges, *quantity_edges, *(Dependency(words[0], word, "fixed") for word in words[1:])))


def _distribute_edge(edge: Dependency, quantity: int, nouns: list[int]) -> list[Dependency]:
    """Return the edges with each noun in place of the quantity, without edges from the quantity to these nouns and to preceding
    modifiers."""
    if edge.dependent == quantity:
        return [edge._replace(dependent=noun) for noun in nouns if noun != edge.head]
    if edge.head != quantity:
        return [edge]
    is_dropped = edge.dependent in nouns or (edge.dependent < quantity and edge.relation in _MODIFIER_RELATIONS)
    return [] if is_dropped else [edge._replace(head=noun) for noun in nouns]
