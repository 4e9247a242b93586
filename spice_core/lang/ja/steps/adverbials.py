"""The step for clauses before まま ("while") and similar nouns."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import is_verbal, nearest_above, particles_of
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency, Token

_ADVERBIAL_CLAUSE_NOUNS = frozenset(
    "間 あいだ まま ため 為 時 とき 際 後 あと なか うち 途中 最中 瞬間 ほど くらい とおり たび 度 一方 代わり かわり".split()
)
_PLACES_OF_HELD_OBJECTS = [[word, "に"] for word in ("手", "片手", "両手", "背", "背景", "バック", "前", "後ろ", "横", "先頭", "中心")]
_HANDLING_VERBS = frozenset("取る とる する 握る 渡す 向ける 見る 回す 伸ばす 運ぶ 動かす 押す 引く 出す 進める 並べる".split())
_LINKING_RELATIONS = ("advcl", "advmod", "obl", "nmod", "dep", "nsubj", "conj:、")


def relate_adverbial_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Relate a clause before a noun such as まま or とき to the predicate above, and detach an object that is only held.

    スーツを着た|まま|泳ぐ ("swim in a suit"), 飲み物を|手に ("drink in hand").
    """
    tree = graph.tree()
    for edge in graph.edges_of("obj"):
        if _is_held_object(graph, edge):
            tree.relabel(edge.dependent, "orphan")
    for noun in graph.tokens:
        if noun.text == "まま" and (modifier := graph.child(noun.index, "nmod:の")):
            tree.relabel(modifier, "orphan")  # 浴衣の|まま|食べる ("eat in a yukata")
            tree.relabel(noun.index, "det")
        elif noun.text in _ADVERBIAL_CLAUSE_NOUNS:
            _relate_clause_before_carrier(graph, tree, noun)
    return graph.with_edges(tree.values())


def _relate_clause_before_carrier(graph: DependencyGraph, tree: EditableTree, noun: Token) -> None:
    """Attach the clause before a noun such as まま to the predicate above the noun, unless the noun has the particle が, を or の."""
    clauses = [e.dependent for e in graph.children(noun.index, "acl") if is_verbal(graph.token(e.dependent))]
    is_linked = tree[noun.index].head > noun.index and tree[noun.index].relation.startswith(_LINKING_RELATIONS)
    verb = nearest_above(tree, noun.index, is_verbal) if clauses and is_linked else 0
    if not verb or not {"が", "を", "の"}.isdisjoint(particles_of(graph, noun.index)):
        return
    clause = max(clauses)
    if noun.text == "まま" and graph.lemma(verb) == "なる":  # 置かれたままに|なっている ("is left lying there")
        tree.take_over(verb, clause, "aux")
    else:
        tree.attach(clause, verb, "advcl")
        tree.attach(noun.index, clause, "mark")


def _is_held_object(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a noun with を directly precedes a phrase such as 手に ("in hand") and is not a required object of the verb.

    旗を|手に|歩く ("walk with a flag in hand").
    """
    next_texts = graph.texts_after(edge.dependent, 3)
    if next_texts[:1] != ["を"] or next_texts[1:] not in _PLACES_OF_HELD_OBJECTS:
        return False
    has_other_object = any(o.dependent != edge.dependent for o in graph.children(edge.head, "obj"))
    return has_other_object or graph.lemma(edge.head) not in word_lists.PLACEMENT_VERBS | word_lists.HOLDING_VERBS | _HANDLING_VERBS
