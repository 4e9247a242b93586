"""Steps of the original SPICE for conjuncts, quantifiers and pronouns, and of Schuster et al. (2015) for plurals."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from spice_core.lang.en.grammar import is_predicate
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token

# --- coordination ------------------------------------------------------------------------------------------------


def share_conjunct_edges(graph: DependencyGraph) -> DependencyGraph:
    """Give each conjunct the head of the first conjunct and, if it lacks a subject, the first conjunct's subject."""
    if "conj" not in graph.relations:
        return graph
    conjunction_by_head = {e.head: graph.word(e.dependent) for e in graph.edges_of("cc")}
    out = []
    for edge in graph.edges:
        if edge.relation != "conj":
            out.append(edge)
            continue
        out.append(edge._replace(relation=f"conj:{conjunction_by_head.get(edge.dependent, 'and')}"))
        out += _edges_shared_with(graph, edge)
    return graph.with_unique_edges(out)


def _edges_shared_with(graph: DependencyGraph, edge: Dependency) -> list[Dependency]:
    """Return the edges that a conjunct inherits from the first conjunct."""
    governor = graph.incoming(edge.head)
    governor_edges = [governor._replace(dependent=edge.dependent)] if governor and governor.head and governor.relation != "conj" else []
    if not is_predicate(graph, edge.dependent) or graph.has_child(edge.dependent, "nsubj", "nsubj:pass"):
        return governor_edges
    return governor_edges + [s._replace(head=edge.dependent) for s in graph.children(edge.head, "nsubj", "nsubj:pass")]


# --- quantifiers -------------------------------------------------------------------------------------------------

_QUANTITY_NOUNS = frozenset(
    "lot assortment number couple bunch handful litany sheaf slew dozen series variety multitude wad clutch wave mountain array "
    "spate string ton range plethora heap sort form kind type version bit pair triple total".split()
)
_PLURAL_QUANTITY_NOUNS = frozenset(
    "lots many several plenty tons dozens multitudes mountains loads pairs tens hundreds thousands millions billions trillions".split()
)
_PARTITIVE_WORDS = frozenset(
    "some all both neither everyone nobody one two three four five six seven eight nine ten hundred thousand million billion trillion".split()
)


_QuantityMatcher = Callable[[DependencyGraph, Token, Token, list[Dependency]], "list[int] | None"]


def promote_quantified_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Make the noun after "of" the head of "a couple of men", "lots of men", "two of the men".

    The words before the noun become one quantifier: the first word depends on the noun as ``det:qmod``, and the other words
    depend on the first as ``fixed``.
    """
    places = [(quantity, of.index) for quantity, of in pairwise(graph.tokens) if of.text.lower() == "of"]
    for match_quantity in (_match_article_quantity, _match_plural_quantity, _match_partitive) if places else ():
        graph = _fold_quantities(graph, places, match_quantity)
    return graph


def _fold_quantities(graph: DependencyGraph, places: list[tuple[Token, int]], match_quantity: _QuantityMatcher) -> DependencyGraph:
    """Convert the matching quantities to quantifiers, up to the first quantity without a governor."""
    for quantity, of in places:
        noun = next((e.dependent for e in graph.children(quantity.index, "nmod:of", "obl:of") if e.dependent > of), 0)
        preceding_edges = [e for e in graph.children(quantity.index) if e.dependent < quantity.index]
        words = match_quantity(graph, quantity, graph.token(noun), preceding_edges) if noun else None
        if words is None:
            continue
        if not graph.parents(quantity.index):
            break
        graph = _attach_quantity(graph, [*words, quantity.index, of], noun)
    return graph


def _match_article_quantity(graph: DependencyGraph, quantity: Token, noun: Token, preceding_edges: list[Dependency]) -> list[int] | None:
    """Return the article and adjectives of a quantity ("a large number of men"), or None if it does not match."""
    if quantity.lemma not in _QUANTITY_NOUNS or not noun.tag.startswith(("NN", "PRP")):
        return None
    words = sorted(e.dependent for e in preceding_edges if e.relation in ("det", "amod"))
    return words if words and graph.lemma(words[0]) in ("a", "an") else None


def _match_plural_quantity(graph: DependencyGraph, quantity: Token, noun: Token, preceding_edges: list[Dependency]) -> list[int] | None:
    """Return the words before a plural quantity ("two dozens of eggs", "in lots of rooms"), or None if it does not match."""
    if quantity.text.lower() not in _PLURAL_QUANTITY_NOUNS or not noun.tag.startswith(("NN", "PRP")):
        return None
    return sorted(e.dependent for e in preceding_edges if e.relation in ("case", "nummod", "amod"))


def _match_partitive(graph: DependencyGraph, quantity: Token, noun: Token, preceding_edges: list[Dependency]) -> list[int] | None:
    """Return the preposition before a partitive ("with two of the men", "some of them"), or None if it does not match."""
    if quantity.text.lower() not in _PARTITIVE_WORDS and not quantity.text.isdecimal():
        return None
    has_determiner = noun.tag.startswith("NN") and graph.has_child(noun.index, "det")
    if not (has_determiner or noun.tag.startswith("PRP")):
        return None
    return sorted(e.dependent for e in preceding_edges if e.relation == "case")


def _attach_quantity(graph: DependencyGraph, words: list[int], noun: int) -> DependencyGraph:
    """Make a quantifier, which ends in the quantity and "of", a dependent of the noun, and the noun a dependent of the
    quantity's first governor."""
    *determiners, quantity, of = words
    incoming = min(graph.parents(quantity))
    phrase = {noun, *determiners}
    other_edges = (e for e in graph.edges if e.dependent not in (quantity, of) and not (e.head == quantity and e.dependent in phrase))
    first_word, *other_words = words
    folded_edges = (Dependency(noun, first_word, "det:qmod"), *(Dependency(first_word, word, "fixed") for word in other_words))
    return graph.with_unique_edges((*other_edges, incoming._replace(dependent=noun), *folded_edges))


# --- pronouns ----------------------------------------------------------------------------------------------------

_SINGULAR_PRONOUNS = frozenset("he him his she her it its one".split())
_SINGULAR_NOUN_TAGS = ("NN", "NNP")
_NOUN_TAGS = ("NN", "NNP", "NNS", "NNPS")


def replace_pronouns(graph: DependencyGraph) -> DependencyGraph:
    """Replace each pronoun by its antecedent, unless it is the first word or has none before it."""
    for token in graph.tokens[1:]:
        if token.tag in ("PRP", "PRP$") and (antecedent := _find_antecedent(graph, token)):
            graph = graph.substitute({token.index: antecedent})
    return graph


def _find_antecedent(graph: DependencyGraph, pronoun: Token) -> int:
    """Return the first noun in breadth-first order if it precedes the pronoun, or 0.

    For a singular pronoun, only singular nouns count.
    """
    tags = _SINGULAR_NOUN_TAGS if pronoun.text.lower() in _SINGULAR_PRONOUNS else _NOUN_TAGS
    noun = next((word for word in graph.breadth_first() if graph.tag(word) in tags), 0)
    return noun if noun < pronoun.index else 0


MAX_COPIES = 12
_NUMBER_BY_WORD = {word: n for n, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_NUMBER_BY_QUANTITY = {"both": 2, "couple": 2, "pair": 2, "triple": 3, "dozen": 12}
_PLURAL_TAGS = ("NNS", "NNPS")
_SUBJECT_RELATIONS = ("nsubj", "nsubj:pass")
_ARGUMENT_RELATIONS = ("obj", "iobj", "obl", "nmod")


def add_copy_counts(graph: DependencyGraph) -> DependencyGraph:
    """Add an edge ``copies:3`` from each plural noun to its number, or to the counted subject of its clause."""
    count_by_noun = {t.index: count for t in graph.tokens if t.tag in _PLURAL_TAGS and (count := _find_copy_count(graph, t.index))}
    number_by_noun = {noun: (count, noun) for noun, (count, _) in count_by_noun.items()}
    for predicate, subject in _predicates_with_subjects(graph) if number_by_noun else ():
        if subject not in number_by_noun:
            continue
        for edge in graph.children(predicate):
            if _is_argument(edge) and graph.tag(edge.dependent) in _PLURAL_TAGS and edge.dependent != subject:
                count_by_noun.setdefault(edge.dependent, number_by_noun[subject])
    return graph.add(*(Dependency(noun, predicate, f"copies:{count}") for noun, (count, predicate) in sorted(count_by_noun.items())))


def _find_copy_count(graph: DependencyGraph, noun: int) -> tuple[int, int] | None:
    for edge in graph.children(noun, "nummod", "det", "det:predet", "det:qmod"):
        words = [edge.dependent, *(f.dependent for f in graph.children(edge.dependent, "fixed"))]
        count = next((n for word in words if (n := _number_of_token(graph.token(word)))), 0)
        if count > 1:
            return min(count, MAX_COPIES), edge.dependent
    return None


def _number_of_token(token: Token) -> int:
    word = token.text.lower()
    if word.isdecimal() and len(word) < 5:
        return int(word)
    return _NUMBER_BY_WORD.get(word) or _NUMBER_BY_QUANTITY.get(token.lemma, 0)


def _predicates_with_subjects(graph: DependencyGraph) -> list[tuple[int, int]]:
    """Return pairs of a predicate and its subject, and of a participle and the noun that it modifies."""
    subjects = [(e.head, e.dependent) for e in graph.edges_of(*_SUBJECT_RELATIONS)]
    return subjects + [(e.dependent, e.head) for e in graph.edges_of("acl")]


def _is_argument(edge: Dependency) -> bool:
    base, _, preposition = edge.relation.partition(":")
    return base in _ARGUMENT_RELATIONS and preposition != "poss"
