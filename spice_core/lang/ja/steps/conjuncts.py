"""Steps that join nouns with と, や or または: to the noun right after them, to things of the same kind, or to the noun after a clause."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import FUNCTION_RELATIONS, EdgesByHead, edges_by_head, is_nominal, is_verb, particles_of, phrase_of, tree_of
from spice_core.syntax.dependency_graph import EditableTree
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens, edge_step

_COMPARISON_WORDS = frozenset("同じ 同様 そっくり 別 反対 親しい 近い 等しい".split())  # adjectives that take と
_SHARED_VERBS = frozenset("飲む 食べる 作る 楽しむ 味わう 歌う 観る".split())  # verbs for what people do together to a thing
_JOINING_PARTICLES = ("と", "や", "とか", "か", "および", "及び", "または")


@edge_step
def join_conjuncts(tokens: Tokens, edges: Edges) -> Edges:
    """Join a noun with と or または to the noun right after it: テーブルと|イスの置かれた部屋, 猫または|犬."""
    tree = tree_of(edges)
    by_head = edges_by_head(edges)
    for edge in edges:
        if verb := _verb_of_companion(tokens, tree, by_head, edge):
            tree[edge.dependent] = Dependency(verb, edge.dependent, "obl:と")
            continue
        if (
            edge.relation in ("compound", "nmod")
            and edge.dependent < len(tokens)
            and tree[edge.dependent + 1].relation == "cc"
            and is_nominal(tokens[edge.head - 1])
        ):
            tree[edge.dependent] = edge._replace(relation="conj:または")
        if edge.relation != "obl:と" or not is_nominal(tokens[edge.dependent - 1]):
            continue
        start = last_word_of_noun(tokens, by_head, edge.dependent) + 1
        if tokens[start - 2].text != "と":
            continue
        after = (
            a
            for a in edges
            if a.head == edge.head
            and a.dependent > edge.dependent
            and a.relation in ("nsubj", "obj", "obl:に")
            and _first_word_of_noun(by_head, a.dependent) == start
        )
        argument = next(after, None)
        if argument and (argument.relation == "nsubj" or _are_same_animacy(tokens, by_head, edge.dependent, argument.dependent)):
            tree[edge.dependent] = Dependency(argument.dependent, edge.dependent, "conj:と")
    return tuple(tree.values())


def _verb_of_companion(tokens: Tokens, tree: EditableTree, by_head: EdgesByHead, edge: Dependency) -> int:
    """Return the verb for what a person does with its subject, or 0 if there is none: 夫と|ビールを|飲む, 友人と|駅前の店で|食べる."""
    if edge.relation != "conj:と" or not edge.head or phrase_of(tokens, by_head, edge.dependent) not in word_lists.PERSON_NOUNS:
        return 0
    thing = tree[edge.head]
    if word_lists.is_animate(phrase_of(tokens, by_head, edge.head)):
        return 0
    if thing.relation == "obj" and tokens[thing.head - 1].lemma in _SHARED_VERBS:
        return thing.head
    place = tree.get(thing.head) if thing.relation == "nmod:の" else None
    return place.head if place and place.relation == "obl:で" else 0


def last_word_of_noun(tokens: Tokens, by_head: EdgesByHead, index: int) -> int:
    """Return the last function word of a noun, or the noun itself if it has none."""
    return max([index, *(e.dependent for e in by_head.get(index, ()) if e.relation in FUNCTION_RELATIONS and e.dependent > index)])


def _first_word_of_noun(by_head: EdgesByHead, index: int) -> int:
    """Return the first word of a noun with its modifiers."""
    return min([index, *(_first_word_of_noun(by_head, e.dependent) for e in by_head.get(index, ()) if e.dependent < index)])


def _are_same_animacy(tokens: Tokens, by_head: EdgesByHead, *nouns: int) -> bool:
    """Return whether the nouns are all people and animals, or all things."""
    return len({word_lists.is_animate(phrase_of(tokens, by_head, noun)) for noun in nouns}) == 1


@edge_step
def join_owned_things(tokens: Tokens, edges: Edges) -> Edges:
    """Join a noun with と to the next thing of its kind, not to the material or owner of that thing: コップと|木の|皿, 男性と|帽子の|女性."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for edge in edges:
        head_edge = tree.get(edge.head)
        if not edge.relation.startswith("conj:") or not head_edge or head_edge.relation != "nmod:の" or head_edge.head < edge.head:
            continue
        first, second, owned_thing = (phrase_of(tokens, by_head, i) for i in (edge.dependent, edge.head, head_edge.head))
        is_material = second in word_lists.MATERIAL_WORDS and first not in word_lists.MATERIAL_WORDS
        is_material = is_material or (_is_description(second) and not _is_description(first))
        animacy = [word_lists.is_animate(word) for word in (first, second, owned_thing)]
        is_separate = owned_thing in word_lists.RELATIONAL_NOUNS | word_lists.PICTURE_NOUNS or owned_thing in word_lists.PART_NOUNS
        if is_material or first == owned_thing or (animacy[0] == animacy[2] != animacy[1] and not is_separate):
            tree[edge.dependent] = edge._replace(head=head_edge.head)
    return tuple(tree.values())


def _is_description(text: str) -> bool:
    is_descriptive = word_lists.is_suffixed(text) or word_lists.is_quantity(text) or word_lists.is_attribute(text)
    return is_descriptive and text not in word_lists.PART_NOUNS


@edge_step
def join_conjuncts_across_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Join a person with と to the noun after a clause about a thing: 人々と|クロスのかかった机, 打者と|ミットを構えた捕手."""
    tree = tree_of(edges)
    by_head = edges_by_head(edges)
    for edge in edges:
        if edge.relation == "obl:と" and _joins_following_noun(tokens, tree, by_head, edge):
            tree[edge.dependent] = Dependency(tree[edge.head].head, edge.dependent, "conj:と")
        if not edge.relation.startswith("conj:") or not edge.head:
            continue
        thing, clause = tree[edge.head], tree.get(tree[edge.head].head)
        if clause and edge.relation == "conj:と" and _is_set_off_before_clause(tokens, by_head, edge.dependent, clause):
            tree[edge.dependent] = edge._replace(head=clause.head)  # 箱と、|紙に包まれた小箱
            continue
        if clause and clause.relation == "acl" and (clause_verb := _clause_right_before(tokens, tree, edge.dependent, clause.head)):
            tree[clause_verb] = Dependency(edge.dependent, clause_verb, "acl")  # 刻んだ|ねぎと|皮をむいた|玉ねぎ
            tree[edge.dependent] = edge._replace(head=clause.head)
            continue
        if (
            not clause
            or clause.relation != "acl"
            or not is_nominal(tokens[clause.head - 1])
            or _are_same_animacy(tokens, by_head, edge.dependent, edge.head)
        ):
            continue
        is_shared_object = thing.relation == "obj" and _are_same_animacy(tokens, by_head, edge.dependent, clause.head)
        describes = thing.relation == "nsubj" and (
            "の" in particles_of(tokens, by_head, edge.head) or tokens[thing.head - 1].tag.startswith("形容詞")
        )
        if is_shared_object or describes:
            tree[edge.dependent] = edge._replace(head=clause.head)
    return tuple(tree.values())


def _is_set_off_before_clause(tokens: Tokens, by_head: EdgesByHead, noun: int, clause: Dependency) -> bool:
    """Return whether a comma stands between a noun with と and a clause about a noun of the same kind."""
    is_before_clause = clause.relation == "acl" and is_verb(tokens[clause.dependent - 1]) and is_nominal(tokens[clause.head - 1])
    return (
        is_before_clause
        and tokens[last_word_of_noun(tokens, by_head, noun) - 1].text == "、"
        and _are_same_animacy(tokens, by_head, noun, clause.head)
    )


def _clause_right_before(tokens: Tokens, tree: EditableTree, noun: int, head: int) -> int:
    """Return the verb right before a noun whose clause is attached to a later noun, or 0 if there is none."""
    if noun < 2 or not is_nominal(tokens[head - 1]):
        return 0
    previous_edge = tree[noun - 1]
    verb = previous_edge.head if previous_edge.relation == "aux" else noun - 1
    verb_edge = tree.get(verb)
    return verb if verb_edge and verb_edge.relation == "acl" and verb_edge.head == head and is_verb(tokens[verb - 1]) else 0


def _joins_following_noun(tokens: Tokens, tree: EditableTree, by_head: EdgesByHead, edge: Dependency) -> bool:
    """Return whether a noun with と before a clause is joined to the noun after it: 男性と|帽子をかぶった|女性."""
    clause = tree.get(edge.head)
    if not clause or clause.relation != "acl" or not is_nominal(tokens[edge.dependent - 1]) or not is_nominal(tokens[clause.head - 1]):
        return False
    if edge.dependent + 1 < len(tokens) and tokens[edge.dependent + 1].text == "、":
        return _are_same_animacy(tokens, by_head, edge.dependent, clause.head)
    if tokens[edge.head - 1].tag.startswith(("形容詞", "形状詞")):  # 男性と|小柄な女性
        return tokens[edge.head - 1].lemma not in _COMPARISON_WORDS
    is_argument = any(e.relation in ("obj", "obl:に", "nsubj") and e.dependent > edge.dependent for e in by_head.get(edge.head, ()))
    return (
        is_argument
        and tokens[edge.head - 1].lemma not in word_lists.JOINT_ACTION_VERBS
        and _are_same_animacy(tokens, by_head, edge.dependent, clause.head)
    )


@edge_step
def attach_descriptions_to_conjuncts(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a description with の to the next conjunct, not to the last: 一匹の|犬と二匹の猫."""
    tree = tree_of(edges)
    by_head = edges_by_head(edges)
    for edge in edges:
        if edge.relation != "nmod:の" or not edge.head:
            continue
        text = phrase_of(tokens, by_head, edge.dependent)
        if not (word_lists.is_quantity(text) or word_lists.is_attribute(text)):
            continue
        nearer_nouns = [
            c.dependent
            for c in edges
            if c.relation.startswith("conj:") and edge.dependent < c.dependent < edge.head and _leads_to_noun(tree, c, edge.head)
        ]
        if nearer_nouns:
            tree[edge.dependent] = edge._replace(head=min(nearer_nouns))
    return tuple(tree.values())


def _leads_to_noun(tree: EditableTree, edge: Dependency, noun: int) -> bool:
    """Return whether a conjunct belongs to the list that ends in the noun."""
    while edge.relation.startswith("conj:") and edge.head != noun:
        edge = tree[edge.head]
    return edge.relation.startswith("conj:")
