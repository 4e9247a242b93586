"""Steps for phrases of manner, time and denied alternatives: まま, 楽しそうに, 歩道ではなく."""

from __future__ import annotations

import re

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import (
    FUNCTION_RELATIONS,
    EdgesByHead,
    edges_by_head,
    has_relation,
    is_nominal,
    is_verb,
    is_verbal,
    nearest_above,
    particles_of,
    tree_of,
)
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens, edge_step

_CLAUSE_CARRIER_NOUNS = frozenset(
    "間 あいだ まま ため 為 時 とき 際 後 あと なか うち 途中 最中 瞬間 ほど くらい とおり たび 度 一方 代わり かわり".split()
)
_AT_HAND = [[word, "に"] for word in ("手", "片手", "両手", "背", "背景", "バック", "前", "後ろ", "横", "先頭", "中心")]
_HANDLING_VERBS = frozenset("取る とる する 握る 渡す 向ける 見る 回す 伸ばす 運ぶ 動かす 押す 引く 出す 進める 並べる".split())
_LINKING_RELATIONS = ("advcl", "advmod", "obl", "nmod", "dep", "nsubj", "conj:、")


@edge_step
def relate_adverbial_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Relate a clause before まま, とき or なか to the predicate above (スーツを着た|まま|泳ぐ), and separate 飲み物を|手に."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for e in edges:
        if e.relation == "obj" and _is_at_hand(tokens, by_head, e):
            tree.relabel(e.dependent, "orphan")
    for noun in tokens:
        edge = tree[noun.index]
        if noun.text == "まま" and (no_edges := [e for e in by_head.get(noun.index, ()) if e.relation == "nmod:の"]):
            tree.relabel(no_edges[0].dependent, "orphan")  # 浴衣の|まま|食べる
            tree.relabel(noun.index, "det")
        is_carrying = (
            (noun.text in _CLAUSE_CARRIER_NOUNS or _is_amid_clause(tokens, by_head, noun))
            and edge.head > noun.index
            and edge.relation.startswith(_LINKING_RELATIONS)
        )
        clauses = [e.dependent for e in by_head.get(noun.index, ()) if e.relation == "acl" and is_verbal(tokens[e.dependent - 1])]
        verb = nearest_above(tokens, tree, noun.index, is_verbal) if is_carrying and clauses else 0
        if verb and not {"が", "を", "の"} & set(particles_of(tokens, by_head, noun.index)):
            clause = max(clauses)
            if noun.text == "まま" and tokens[verb - 1].lemma == "なる":  # 置かれたままに|なっている
                tree.take_over(verb, clause, "aux")
                continue
            tree[clause] = Dependency(verb, clause, "advcl")
            tree[noun.index] = Dependency(clause, noun.index, "mark")
    return tuple(tree.values())


def _is_at_hand(tokens: Tokens, by_head: EdgesByHead, edge: Dependency) -> bool:
    """Return whether a noun with を stands right before 手に or 背に, and the verb does not move it there: 旗を|手に|歩く."""
    after = [t.text for t in tokens[edge.dependent : edge.dependent + 3]]
    if after[:1] != ["を"] or after[1:] not in _AT_HAND:
        return False
    has_other_object = any(o.relation == "obj" and o.dependent != edge.dependent for o in by_head.get(edge.head, ()))
    return has_other_object or tokens[edge.head - 1].lemma not in word_lists.PLACEMENT_VERBS | word_lists.HOLDING_VERBS | _HANDLING_VERBS


def _is_amid_clause(tokens: Tokens, by_head: EdgesByHead, noun: Token) -> bool:
    """Return whether 中 follows a clause with a subject: 雨が降る|中、歩く."""
    clauses = [e.dependent for e in by_head.get(noun.index, ()) if e.relation == "acl"]
    return noun.text == "中" and any(has_relation(by_head, clause, "nsubj") for clause in clauses)


@edge_step
def make_manner_adverbs(tokens: Tokens, edges: Edges) -> Edges:
    """Make そうに an adverb, whose arguments belong to the verb: 楽しそうに|遊ぶ, ソファに|窮屈そうに|座る."""
    tree = tree_of(edges)
    for edge in edges:
        after = [t.text for t in tokens[edge.dependent : edge.dependent + 2]]
        if (
            edge.head > edge.dependent
            and is_verbal(tokens[edge.dependent - 1])
            and after == ["そう", "に"]
            and is_verb(tokens[edge.head - 1])
        ):
            for argument in list(tree.children(edge.dependent)):
                if argument.relation not in FUNCTION_RELATIONS and argument.relation != "compound":
                    tree.attach(argument.dependent, edge.head)
            tree.relabel(edge.dependent, "advmod")
    return tuple(tree.values())


@edge_step
def drop_denied_alternatives(tokens: Tokens, edges: Edges) -> Edges:
    """Drop the denied part of "not A but B": 歩道では|なく|車道を, 犬では|なく|猫."""
    tree = tree_of(edges)
    for edge in edges:
        if edge.head > edge.dependent and is_nominal(tokens[edge.dependent - 1]) and _is_denied(tokens, edge.dependent):
            tree.relabel(edge.dependent, "absent")
    return tuple(tree.values())


def _is_denied(tokens: Tokens, noun: int) -> bool:
    """Return whether ではなく or じゃなくて follows a noun."""
    text = " ".join(t.text for t in tokens[noun : noun + 3])
    return re.match(r"(?:で は|じゃ) な(?:く|い|くて)\b", text) is not None
