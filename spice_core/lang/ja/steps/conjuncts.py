"""Steps that join nouns with と or や ("and"): to the next noun, to things of the same kind, or to the noun after a clause."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import (
    first_word_of_phrase,
    is_animate,
    is_nominal,
    last_word_of_noun,
    particles_of,
    phrase_of,
)
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency

_COMPARISON_WORDS = frozenset("同じ 同様 そっくり 別 反対 親しい 近い 等しい".split())  # adjectives that take と


def join_conjuncts(graph: DependencyGraph) -> DependencyGraph:
    """Join a noun with と to the next noun.

    テーブルと|イスの置かれた部屋 ("room with a table and chairs").
    """
    tree = graph.tree()
    for edge in graph.edges:
        noun = edge.dependent
        if edge.relation == "obl:と" and is_nominal(graph.token(noun)) and (next_noun := _find_next_conjunct(graph, edge)):
            tree.attach(noun, next_noun, "conj:と")
    return graph.with_edges(tree.values())


def _find_next_conjunct(graph: DependencyGraph, edge: Dependency) -> int:
    """Return the argument that follows a noun with と as its conjunct, or 0."""
    last_word = last_word_of_noun(graph, edge.dependent)
    if graph.text(last_word) != "と":
        return 0
    arguments = graph.children(edge.head, "nsubj", "obj", "obl:に")
    argument = next((a for a in arguments if first_word_of_phrase(graph, a.dependent) == last_word + 1), None)
    if argument and (argument.relation == "nsubj" or _have_same_animacy(graph, edge.dependent, argument.dependent)):
        return argument.dependent
    return 0


def _have_same_animacy(graph: DependencyGraph, first: int, second: int) -> bool:
    """Return whether the nouns are both people or animals, or both things."""
    return is_animate(graph, first) == is_animate(graph, second)


def join_owned_things(graph: DependencyGraph) -> DependencyGraph:
    """Join a noun with と to the next thing of its kind rather than to that thing's material or owner.

    コップと|木の|皿 ("cup and wooden plate"), 男性と|帽子の|女性 ("man and woman with a hat").
    """
    tree = graph.tree()
    for edge in graph.edges:
        head_edge = tree.get(edge.head)
        if edge.relation.startswith("conj:") and head_edge and head_edge.relation == "nmod:の" and head_edge.head > edge.head:
            first, owner, thing = (phrase_of(graph, i) for i in (edge.dependent, edge.head, head_edge.head))
            if _owner_only_describes(first, owner) or first == thing or _differs_from_owner(first, owner, thing):
                tree.attach(edge.dependent, head_edge.head)
    return graph.with_edges(tree.values())


def _owner_only_describes(first: str, owner: str) -> bool:
    """Return whether an owner is only a material or description of the owned thing, unlike the noun with と before it.

    コップと|木の|皿 ("cup and wooden plate").
    """
    is_material = owner in word_lists.MATERIAL_WORDS and first not in word_lists.MATERIAL_WORDS
    return is_material or (_is_description(owner) and not _is_description(first))


def _differs_from_owner(first: str, owner: str, thing: str) -> bool:
    """Return whether a noun and an owned thing agree in animacy and both differ from the owner.

    男性と|帽子の|女性 ("man and woman with a hat").
    """
    if thing in word_lists.RELATIONAL_NOUNS | word_lists.PICTURE_NOUNS | word_lists.PART_NOUNS:
        return False
    return word_lists.is_animate(first) == word_lists.is_animate(thing) != word_lists.is_animate(owner)


def _is_description(text: str) -> bool:
    is_descriptive = word_lists.is_suffixed(text) or word_lists.is_quantity(text) or word_lists.is_attribute(text)
    return is_descriptive and text not in word_lists.PART_NOUNS


def join_conjuncts_across_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Join a noun with と to the noun after a clause, unless the noun with と belongs to a noun inside the clause.

    人々と|クロスのかかった机 ("people and a table with a cloth"), 打者と|ミットを構えた捕手 ("batter and catcher with his mitt ready").
    """
    tree = graph.tree()
    for edge in graph.edges:
        if edge.relation == "obl:と" and _joins_following_noun(graph, tree, edge):
            tree.attach(edge.dependent, tree[edge.head].head, "conj:と")
        elif edge.relation.startswith("conj:") and edge.head:
            _join_across_clause(graph, tree, edge)
    return graph.with_edges(tree.values())


def _join_across_clause(graph: DependencyGraph, tree: EditableTree, edge: Dependency) -> None:
    """Attach a conjunct to the noun after a clause instead of the noun in the clause."""
    thing = tree[edge.head]
    clause = tree.get(thing.head)
    if not clause or clause.relation != "acl" or not is_nominal(graph.token(clause.head)):
        return
    if _differs_from_thing_in_clause(graph, edge, thing, clause.head):
        tree.attach(edge.dependent, clause.head)


def _differs_from_thing_in_clause(graph: DependencyGraph, edge: Dependency, thing: Dependency, noun: int) -> bool:
    """Return whether a conjunct differs in animacy from the thing in a clause, so that the noun after the clause is its head."""
    if _have_same_animacy(graph, edge.dependent, edge.head):
        return False
    if thing.relation == "obj":
        return _have_same_animacy(graph, edge.dependent, noun)
    return thing.relation == "nsubj" and ("の" in particles_of(graph, edge.head) or graph.tag(thing.head).startswith("形容詞"))


def _joins_following_noun(graph: DependencyGraph, tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a noun with と before a clause is a conjunct of the noun after the clause.

    男性と|帽子をかぶった|女性 ("man and woman wearing a hat").
    """
    clause = tree.get(edge.head)
    if not clause or clause.relation != "acl" or not is_nominal(graph.token(edge.dependent)) or not is_nominal(graph.token(clause.head)):
        return False
    if graph.text(edge.dependent + 2) == "、":
        return _have_same_animacy(graph, edge.dependent, clause.head)
    if graph.tag(edge.head).startswith(("形容詞", "形状詞")):  # 男性と|小柄な女性 ("man and short woman")
        return graph.lemma(edge.head) not in _COMPARISON_WORDS
    is_argument = any(e.relation in ("obj", "obl:に", "nsubj") and e.dependent > edge.dependent for e in graph.children(edge.head))
    return (
        is_argument
        and graph.lemma(edge.head) not in word_lists.JOINT_ACTION_VERBS
        and _have_same_animacy(graph, edge.dependent, clause.head)
    )
