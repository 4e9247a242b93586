"""Steps that attach topics, subjects and places to the main clause instead of a clause inside it."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import (
    PLACE_RELATIONS,
    first_word_of_phrase,
    has_comma,
    is_animate,
    is_nominal,
    is_passive,
    is_verb,
    is_verbal,
    particles_of,
)
from spice_core.syntax.dependency_graph import DependencyGraph, EditableTree
from spice_core.syntax.document import Dependency

_EXISTENCE_VERBS = frozenset("いる ある 居る 有る おる".split())
_BODILY_VERBS = frozenset(
    "座る 立つ 歩く 走る 寝る 眠る 泳ぐ 飛ぶ 跳ぶ 遊ぶ 乗る しゃがむ 佇む たたずむ 寝そべる 横たわる 腰掛ける 着陸する 離陸する".split()
)


def attach_main_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Attach a topic, or a person before a clause about another person, to the main verb.

    少年は|柵に集まった子供を|見ている ("the boy watches the children who have gathered at the fence").
    """
    tree = graph.tree()
    for edge in graph.edges:
        if edge.relation != "nsubj" or not edge.head or tree[edge.head].relation != "acl" or edge.dependent > edge.head:
            continue
        governor = _find_governor(tree, edge.head)
        if governor and not tree.has_child(governor, "nsubj") and _belongs_to_governor(tree, edge, tree[edge.head].head, governor):
            tree.attach(edge.dependent, governor)
    return graph.with_edges(tree.values())


def _find_governor(tree: EditableTree, clause: int) -> int:
    """Return the predicate above the noun after a clause, or 0 if there is none."""
    edge = tree[tree[clause].head] if tree[clause].head else None
    while edge and edge.head and (edge.relation.startswith(("conj:", "nmod")) or edge.relation == "compound"):
        edge = tree[edge.head]
    if not edge or not (edge.relation == "obj" or edge.relation.startswith("obl:")):
        return 0
    return edge.head if is_verbal(tree.token(edge.head)) else 0


def _belongs_to_governor(tree: EditableTree, subject: Dependency, noun: int, main_verb: int) -> bool:
    """Return whether the subject of a clause before a noun belongs to the predicate above."""
    particles = particles_of(tree, subject.dependent)
    if "は" in particles:
        return True
    if "が" not in particles:
        return False
    if any(e.dependent > subject.dependent for e in tree.children(subject.head, "nsubj")):
        return True  # 自転車が|雪の積もった道に|停まる ("a bicycle stands on a snowy road")
    has_animate_subject = is_animate(tree, subject.dependent)
    # 男性が|並べられた本を|見る ("a man looks at the books in a row"), 車が|舗装されていない場所に|駐車されている ("a car is parked on unpaved ground")
    if is_passive(tree, subject.head):
        return has_animate_subject or is_passive(tree, main_verb)
    # 猫が|黒い鞄を|のぞく ("a cat looks into a black bag")
    is_complete = not is_verb(tree.token(subject.head)) or _needs_no_person(tree, subject.head, noun, main_verb)
    return has_animate_subject and is_complete


def _needs_no_person(tree: EditableTree, clause: int, noun: int, main_verb: int) -> bool:
    """Return whether a clause before a noun is complete without a person as its subject.

    女性が|皿にのったピザを|切る ("a woman cuts the pizza that lies on a plate").
    """
    verb, has_object, has_goal = tree.lemma(clause), tree.has_child(clause, "obj"), tree.has_child(clause, "obl:に")
    if is_animate(tree, noun):
        return has_object or verb not in word_lists.TRANSITIVE_VERBS
    if has_goal and any(o.dependent == noun for o in tree.children(main_verb, "obj")):
        return True  # 船員が|箱に詰めた氷を|積み込む ("sailors load ice packed in boxes")
    if verb in word_lists.CHANGE_VERBS and not has_object:
        return True  # 警察官が|止まった車を|見る ("a policeman looks at a stopped car")
    return has_goal and verb in word_lists.POSITION_VERBS


def attach_places(graph: DependencyGraph) -> DependencyGraph:
    """Attach a place before a clause to the main verb if it belongs there.

    路上に|ギターを弾いている人が|いる ("in the street is a person who plays the guitar").
    """
    tree = graph.tree()
    for edge in graph.edges_of(*PLACE_RELATIONS, "obj"):
        if not edge.head or not is_nominal(graph.token(edge.dependent)) or _belongs_to_clause(tree, edge):
            continue
        if _opens_clause(tree, edge.dependent):
            tree.attach(edge.dependent, _find_last_place_taker(tree, edge.head, edge), edge.relation)
    return graph.with_edges(tree.values())


def _belongs_to_clause(tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a noun belongs to its clause as an object, the agent of a passive or a cause."""
    if edge.relation == "obj" and not _is_path(tree, edge):
        return True
    is_agent = is_animate(tree, edge.dependent) and is_passive(tree, edge.head)  # お母さんに|抱っこされた ("carried by one's mother")
    return is_agent or _is_cause(tree, edge)


def _is_cause(tree: EditableTree, edge: Dependency) -> bool:
    """Return whether で marks the cause of the event of the next verb: 台風の影響で|倒れた木 ("tree felled by a typhoon")."""
    is_event = tree.lemma(edge.head) in word_lists.CHANGE_VERBS | {"なる"}
    return is_event and edge.relation == "obl:で" and tree.text(edge.dependent) in word_lists.CAUSE_NOUNS


def _is_path(tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a noun with を is a path, because the same verb has a later object.

    道を|傘をさして|歩く ("walk along a road with an umbrella").
    """
    return any(o.dependent > edge.dependent for o in tree.children(edge.head, "obj"))


def _opens_clause(tree: EditableTree, index: int) -> bool:
    """Return whether a word and its modifiers begin the caption or a clause."""
    last_index = first_word_of_phrase(tree, index) - 1
    return not last_index or tree.text(last_index) in ("、", "，", "。", ",") or tree.tag(last_index).startswith("助詞-接続助詞")


def _find_last_place_taker(tree: EditableTree, verb: int, place_edge: Dependency) -> int:
    """Return the topmost verb to which the place belongs rather than to the verb below, or this verb."""
    for _ in tree:
        taker = _find_place_taker(tree, verb, place_edge)
        if not taker:
            break
        verb = taker
    return verb


def _find_place_taker(tree: EditableTree, verb: int, place_edge: Dependency) -> int:
    """Return the verb above to which the place belongs, or 0 if it belongs to this verb."""
    verb_edge = tree[verb]
    if verb_edge.relation == "advcl" and verb_edge.head and is_verb(tree.token(verb_edge.head)):
        return verb_edge.head if _takes_from_clause(tree, verb, verb_edge.head, place_edge) else 0
    if verb_edge.relation != "acl" or not verb_edge.head:
        return 0
    main_verb = _find_verb_above(tree, verb_edge.head)
    return main_verb if main_verb and _takes_from_noun_clause(tree, verb, main_verb, place_edge) else 0


def _takes_from_clause(tree: EditableTree, verb: int, main_verb: int, place_edge: Dependency) -> bool:
    """Return whether a place in a clause belongs to the next verb, because the clauses share a subject or one has none."""
    if place_edge.relation == "obj" and not tree.has_child(main_verb, "obj"):
        return True
    if tree.has_child(verb, "nsubj") and tree.has_child(main_verb, "nsubj"):
        return False
    return place_edge.relation == "obl:で"


def _takes_from_noun_clause(tree: EditableTree, verb: int, main_verb: int, place_edge: Dependency) -> bool:
    """Return whether a place before a relative clause belongs to the verb above the noun."""
    is_existential = tree.lemma(main_verb) in _EXISTENCE_VERBS
    if place_edge.relation == "obj":
        return not is_existential and not tree.has_child(main_verb, "obj")
    is_set_off = _is_set_off(tree, place_edge)
    if tree.has_child(verb, "nsubj") and not (is_existential or is_set_off or _needs_place(tree, main_verb, verb)):
        return False
    if place_edge.relation == "obl:で":
        return not is_existential
    return is_set_off or not _keeps_goal(tree, verb, place_edge)


def _needs_place(tree: EditableTree, main_verb: int, verb: int) -> bool:
    """Return whether a noun with に is likelier to belong to the main verb.

    交差点に|写真がプリントされたバスが|停まる ("a bus with a printed photo stops at a crossing").
    """
    place_verbs = word_lists.LOCATIVE_VERBS | word_lists.PLACEMENT_VERBS
    return (
        tree.lemma(main_verb) in place_verbs
        and not tree.has_child(main_verb, "obl:に")
        and tree.lemma(verb) not in place_verbs | word_lists.RESULT_VERBS
    )


def _find_verb_above(tree: EditableTree, noun: int) -> int:
    """Return the verb with this noun, its last conjunct or the noun that it modifies as the subject, or 0."""
    noun_edge = tree[noun]
    while noun_edge.relation.startswith(("conj:", "nmod")) and noun_edge.head:
        noun_edge = tree[noun_edge.head]
    is_subject = noun_edge.relation == "nsubj" and noun_edge.head and is_verb(tree.token(noun_edge.head))
    return noun_edge.head if is_subject else 0


def _is_set_off(tree: EditableTree, place_edge: Dependency) -> bool:
    """Return whether a place is followed by a comma or は."""
    return "は" in particles_of(tree, place_edge.dependent) or has_comma(tree, place_edge.dependent)


def _keeps_goal(tree: EditableTree, verb: int, place_edge: Dependency) -> bool:
    """Return whether に marks the goal of the verb's object or the place of its subject."""
    relations = [e.relation for e in tree.children(verb) if e.dependent != place_edge.dependent]
    if "obl:に" in relations:
        return False
    lemma = tree.lemma(verb)
    if "obj" in relations:
        is_part = tree.text(place_edge.dependent) in word_lists.PART_NOUNS
        return lemma in word_lists.PLACEMENT_VERBS or (lemma in word_lists.HOLDING_VERBS and is_part)
    return lemma in word_lists.LOCATIVE_VERBS | word_lists.PLACEMENT_VERBS or (is_passive(tree, verb) and lemma in word_lists.RESULT_VERBS)


def attach_clauses_to_people(graph: DependencyGraph) -> DependencyGraph:
    """Attach a clause to the noun that can perform its action, on either side of a の.

    カッパを着た|サンダル履きの人 ("person in sandals who wears a raincoat"), 座っている|女の子の帽子 ("hat of the sitting girl"),
    着陸する|日本航空の旅客機 ("landing plane of Japan Airlines").
    """
    tree = graph.tree()
    for edge in graph.edges_of("acl"):
        noun = edge.head
        if graph.text(noun) in ("男", "女") and tree[noun].relation == "nmod:の":
            tree.attach(edge.dependent, tree[noun].head)  # 帽子をかぶった|男の人 ("man with a hat")
        elif noun and graph.lemma(edge.dependent) in _BODILY_VERBS and not is_animate(graph, noun):
            owner = next((e.dependent for e in tree.children(noun, "nmod:の") if e.dependent > edge.dependent), 0)
            if owner and (is_animate(graph, owner) or graph.text(noun) in word_lists.PART_NOUNS):
                tree.attach(edge.dependent, owner)
            elif tree.tag(noun).startswith("名詞-固有名詞") and tree[noun].relation == "nmod:の":
                tree.attach(edge.dependent, tree[noun].head)
        elif noun and graph.lemma(edge.dependent) in word_lists.HOLDING_VERBS and not is_animate(graph, noun):
            while tree[noun].relation == "nmod:の" and not is_animate(graph, noun):
                noun = tree[noun].head
            if is_animate(graph, noun):
                tree.attach(edge.dependent, noun)
    return graph.with_edges(tree.values())
