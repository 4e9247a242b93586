"""Steps that join multiword prepositions and fold prepositions into relations."""

from __future__ import annotations

from itertools import pairwise

from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency


def _split_phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(", "))


_THREE_WORD_PREPOSITIONS = _split_phrases(
    "in front of, on top of, in place of, in spite of, in addition to, in case of, by means of, on behalf of"
)
# In a basic tree, the first word of these prepositions governs the noun ("wall" is an nmod of "next") or depends on it.
_GOVERNING_PREPOSITIONS = _split_phrases(
    "next to, close to, outside of, across from, away from, aside from, far from, near to, ahead of, apart from"
)
_ADVERBIAL_PREPOSITIONS = _split_phrases(
    "out of, off of, inside of, alongside of, because of, instead of, such as, except for, due to, according to, as of, compared to"
)
_SIDE_PREPOSITIONS = _split_phrases("left of, right of, closer to, nearer to, infront of")
GOVERNING_OR_SIDE_PREPOSITIONS = _GOVERNING_PREPOSITIONS | _SIDE_PREPOSITIONS
PREPOSITION_BEGINNINGS = _GOVERNING_PREPOSITIONS | _ADVERBIAL_PREPOSITIONS | {phrase[:2] for phrase in _THREE_WORD_PREPOSITIONS}
_UNFOLDED_RELATIONS = frozenset(("root", "acl", "acl:relcl", "advcl", "ccomp", "conj", "parataxis", "obl"))
_FOLDED_RELATIONS = ("nmod", "obl", "acl", "advcl")


def join_multiword_prepositions(
    graph: DependencyGraph, governing_pairs: frozenset[tuple[str, ...]] = _GOVERNING_PREPOSITIONS
) -> DependencyGraph:
    """Make "next to" and "in front of" one preposition: the first word is ``case``, the others ``fixed`` below it.

    ``governing_pairs`` are the pairs whose first word may govern the noun.
    """
    words = tuple(t.text for t in graph.tokens)
    pairs = [(i, pair) for i, pair in enumerate(pairwise(words), 1) if pair in PREPOSITION_BEGINNINGS | governing_pairs]
    if not pairs:
        return graph
    tree = graph.tree()
    for i, pair in pairs:
        if words[i - 1 : i + 2] in _THREE_WORD_PREPOSITIONS:
            _join_three_words(tree, i)
        elif pair in _SIDE_PREPOSITIONS and graph.has_child(i, "case", "det"):  # "to the left of": a noun
            continue
        elif pair in governing_pairs or pair in _ADVERBIAL_PREPOSITIONS:
            _join_two_words(tree, i, is_governing=pair in governing_pairs)
    return graph.with_edges(tree.values())


def _join_three_words(tree: EditableTree, first: int) -> None:
    """Join "in front of": in "in front of a wall", "wall", an nmod of "front", replaces "front"."""
    second, third = first + 1, first + 2
    noun = tree[third].head
    if tree[first].head == second and noun > third and tree[noun].head == second and tree[noun].relation in ("nmod", "obl"):
        _replace_word(tree, second, noun, first)
        tree.attach(second, first, "fixed")
        tree.attach(third, first, "fixed")


def _join_two_words(tree: EditableTree, first: int, *, is_governing: bool) -> None:
    """Join "next to" or "out of": in "next to a wall", "wall" replaces "next"; in "out of", "out" becomes a case."""
    second_index = first + 1
    noun = tree[second_index].head
    if noun <= second_index or tree[second_index].relation != "case":
        return
    if is_governing and tree[noun].head == first and tree[noun].relation in ("nmod", "obl"):
        _replace_word(tree, first, noun, first)
    elif tree[first].head == noun and tree[first].relation in ("case", "advmod"):
        tree.attach(first, noun, "case")
    else:
        return
    tree.attach(second_index, first, "fixed")


def _replace_word(tree: EditableTree, word: int, noun: int, case: int) -> None:
    """Replace a word with the noun, which inherits its dependents. The word ``case`` becomes the noun's preposition."""
    head, _, relation = tree[word]
    for edge in list(tree.children(word)):
        tree.attach(edge.dependent, noun)
    tree.attach(noun, head, relation if relation in _UNFOLDED_RELATIONS else "nmod")
    tree.attach(case, noun, "case")


def fold_prepositions_into_labels(graph: DependencyGraph) -> DependencyGraph:
    """Add a word's last preposition to its relation (obl:on, nmod:in_front_of). "By" below a passive gives obl:agent."""
    last_case_by_noun = {e.head: e.dependent for e in sorted(graph.edges_of("case"))}

    def relabel(edge: Dependency) -> Dependency:
        if edge.relation not in _FOLDED_RELATIONS or edge.dependent not in last_case_by_noun:
            return edge
        base, name = edge.relation, graph.phrase(last_case_by_noun[edge.dependent])
        if base in ("nmod", "obl"):
            base = "obl" if graph.tag(edge.head)[:1] in ("V", "J", "R") else "nmod"
            name = "agent" if name == "by" and graph.has_child(edge.head, "nsubj:pass", "aux:pass") else name
        return edge._replace(relation=f"{base}:{name}")

    return graph.map_edges(relabel) if last_case_by_noun else graph
