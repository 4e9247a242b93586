"""Steps that attach topics, subjects and places to the main clause instead of a clause inside it."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.steps.clauses import is_passive
from spice_core.lang.ja.trees import (
    EdgesByHead,
    edges_by_head,
    has_relation,
    is_nominal,
    is_verb,
    is_verbal,
    particles_of,
    phrase_of,
    tree_of,
)
from spice_core.syntax.dependency_graph import EditableTree
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens, edge_step

_EXISTENCE_VERBS = frozenset("いる ある 居る 有る おる".split())
_PLACE_RELATIONS = ("obl:で", "obl:に")


@edge_step
def attach_main_subjects(tokens: Tokens, edges: Edges) -> Edges:
    """Give a topic, or a person before a clause about another, to the main verb: 少年は|柵に集まった子供を|見ている."""
    tree = tree_of(edges)
    for edge in edges:
        if edge.relation != "nsubj" or not edge.head or tree[edge.head].relation != "acl" or edge.dependent > edge.head:
            continue
        governor = _find_governor(tokens, tree, edge.head)
        if (
            governor
            and not has_relation(tree.edges_by_head, governor, "nsubj")
            and _belongs_to_governor(tokens, tree.edges_by_head, edge, tree[edge.head].head, governor)
        ):
            tree[edge.dependent] = edge._replace(head=governor)
    return tuple(tree.values())


def _find_governor(tokens: Tokens, tree: EditableTree, clause: int) -> int:
    """Return the predicate above the noun after a clause, or 0 if there is none."""
    edge = tree[tree[clause].head] if tree[clause].head else None
    while edge and edge.head and (edge.relation.startswith(("conj:", "nmod")) or edge.relation == "compound"):
        edge = tree[edge.head]
    argument = edge is not None and (edge.relation == "obj" or edge.relation.startswith("obl:"))
    return edge.head if edge and argument and is_verbal(tokens[edge.head - 1]) else 0


def _belongs_to_governor(tokens: Tokens, by_head: EdgesByHead, subject: Dependency, noun: int, main_verb: int) -> bool:
    """Return whether the subject of a clause before a noun belongs to the predicate above."""
    particles = particles_of(tokens, by_head, subject.dependent)
    if "は" in particles:
        return True
    if "が" not in particles:
        return False
    if any(e.relation == "nsubj" and e.dependent > subject.dependent for e in by_head.get(subject.head, ())):
        return True  # 自転車が|雪の積もった道に|停まる
    verb, is_animate = tokens[subject.head - 1], _is_animate(tokens, by_head, subject.dependent)
    if is_passive(tokens, by_head, verb.index):  # 車が|舗装されていない場所に|駐車されている, 男性が|並べられた本を|見る
        return is_passive(tokens, by_head, main_verb) or is_animate
    if not is_animate:
        return _stands_before_description(tokens, subject)
    if not is_verb(verb):  # 猫が|黒い鞄を|のぞく
        return True
    if not _is_animate(tokens, by_head, noun):  # 女性が|皿にのったピザを|切る
        if any(o.relation == "obj" and o.dependent == noun for o in by_head.get(main_verb, ())) and has_relation(
            by_head, verb.index, "obl:に"
        ):
            return True  # 船員が|箱に詰めた氷を|積み込む
        if verb.lemma in word_lists.CHANGE_VERBS and not has_relation(by_head, verb.index, "obj"):
            return True  # 警察官が|止まった車を|見る
        return verb.lemma in word_lists.POSITION_VERBS and has_relation(by_head, verb.index, "obl:に")
    return is_verb(verb) and (verb.lemma not in word_lists.TRANSITIVE_VERBS or has_relation(by_head, verb.index, "obj"))


def _stands_before_description(tokens: Tokens, subject: Dependency) -> bool:
    """Return whether a thing stands before an adjective that describes another: 電車が|静かなホームに|止まる, but not 車両が|長い電車."""
    is_colour_or_size = tokens[subject.head - 1].lemma in word_lists.COLOUR_WORDS | word_lists.SIZE_WORDS | _SURROUNDINGS_ADJECTIVES
    return (
        is_colour_or_size and subject.head == subject.dependent + 2 and tokens[subject.dependent - 1].text not in word_lists.DESCRIBED_NOUNS
    )


_SURROUNDINGS_ADJECTIVES = frozenset("静か 暗い 明るい 古い 新しい".split())  # words that describe places


def _is_animate(tokens: Tokens, by_head: EdgesByHead, index: int) -> bool:
    return word_lists.is_animate(phrase_of(tokens, by_head, index))


@edge_step
def attach_places(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a place before a clause to the main verb if the place belongs to that verb: 路上に|ギターを弾いている人が|いる."""
    tree = tree_of(edges)
    for edge in edges:
        if edge.relation in (*_PLACE_RELATIONS, "obj") and edge.head and is_nominal(tokens[edge.dependent - 1]):
            by_head = tree.edges_by_head
            if edge.relation == "obj" and not _is_path(tokens, by_head, edge):
                continue
            if word_lists.is_animate(phrase_of(tokens, by_head, edge.dependent)) and is_passive(tokens, by_head, edge.head):
                continue  # お母さんに|抱っこされた
            if _is_cause(tokens, edge):
                continue
            if (
                not _opens_clause(tokens, by_head, edge.dependent)
                and not _is_place_of_possession(tokens, tree, edge)
                and not _is_place_of_state(tokens, tree, edge)
                and not _verb_of_subject_before(tokens, tree, edge)
            ):
                continue
            verb = _verb_of_subject_before(tokens, tree, edge) or edge.head
            while main_verb := _find_place_taker(tokens, tree, by_head, verb, edge):
                verb = main_verb
            tree[edge.dependent] = edge._replace(head=verb)
    return tuple(tree.values())


def _is_cause(tokens: Tokens, edge: Dependency) -> bool:
    """Return whether で marks the cause of the event that the next verb names: 台風の影響で|倒れた木."""
    verb, causes = tokens[edge.head - 1], edge.relation == "obl:で" and tokens[edge.dependent - 1].text in word_lists.CAUSE_NOUNS
    return causes and verb.lemma in word_lists.CHANGE_VERBS | {"なる"}


def _verb_of_subject_before(tokens: Tokens, tree: EditableTree, edge: Dependency) -> int:
    """Return the main verb whose subject precedes a place in で and a clause about an event, or 0 if there is none: 猫が|窓辺で|降る雪を|見る."""
    is_change = tokens[edge.head - 1].lemma in word_lists.CHANGE_VERBS and not has_relation(tree.edges_by_head, edge.head, "obj")
    if edge.relation != "obl:で" or not is_change or tree[edge.head].relation != "acl":
        return 0
    main_verb = _find_governor(tokens, tree, edge.head)
    return main_verb if any(e.relation == "nsubj" and e.dependent < edge.dependent for e in tree.edges_by_head.get(main_verb, ())) else 0


def _is_place_of_possession(tokens: Tokens, tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a place in で precedes a clause about what the subject has while it stands or sits there: 室内で|傘を持ち|立つ."""
    head_edge = tree[edge.head]
    holding_clause = (
        edge.relation == "obl:で"
        and tokens[edge.head - 1].lemma in word_lists.HOLDING_VERBS
        and head_edge.relation == "advcl"
        and head_edge.head
    )
    return bool(holding_clause) and tokens[head_edge.head - 1].lemma in word_lists.LOCATIVE_VERBS


def _is_place_of_state(tokens: Tokens, tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a place precedes the state of a subject that does something there: 窓辺で|丸く|なって|寝る."""
    head_edge = tree[edge.head]
    return (
        tokens[edge.head - 1].tag.startswith("形容詞")
        and head_edge.relation == "advcl"
        and head_edge.head > 0
        and is_verb(tokens[head_edge.head - 1])
    )


def _is_path(tokens: Tokens, by_head: EdgesByHead, edge: Dependency) -> bool:
    """Return whether を marks a path in addition to the object of the same verb: 道を|傘をさして|歩く."""
    return any(o.relation == "obj" and o.dependent > edge.dependent for o in by_head.get(edge.head, ()))


def _opens_clause(tokens: Tokens, by_head: EdgesByHead, index: int) -> bool:
    """Return whether a word with its modifiers stands at the start of the caption or of a clause."""
    first_index = _first_index_in_subtree(by_head, index)
    if first_index == 1:
        return True
    previous = tokens[first_index - 2]
    return previous.text in ("、", "，", "。", ",") or previous.tag.startswith("助詞-接続助詞")


def _first_index_in_subtree(by_head: EdgesByHead, index: int) -> int:
    return min([index, *(_first_index_in_subtree(by_head, e.dependent) for e in by_head.get(index, ()) if e.dependent < index)])


def _find_place_taker(tokens: Tokens, tree: EditableTree, by_head: EdgesByHead, verb: int, place: Dependency) -> int:
    """Return the verb above that takes the place instead, or 0 if this verb keeps it."""
    verb_edge = tree[verb]
    if place.relation == "obl:で" and tokens[verb - 1].lemma in word_lists.DEPICTION_VERBS:
        return 0  # クレヨンで|描かれた、雲の上で|眠るクマ
    if verb_edge.relation == "advcl" and verb_edge.head and is_verb(tokens[verb_edge.head - 1]):
        return verb_edge.head if _takes_from_clause(tokens, by_head, verb, verb_edge.head, place) else 0
    if verb_edge.relation != "acl" or not verb_edge.head:
        return 0
    main_verb = _find_verb_above(tokens, tree, verb_edge.head)
    return main_verb if main_verb and _takes_from_noun_clause(tokens, by_head, verb, main_verb, place) else 0


def _takes_from_clause(tokens: Tokens, by_head: EdgesByHead, verb: int, main_verb: int, place: Dependency) -> bool:
    """Return whether a verb takes the place of the clause before it: the clauses share a subject, or one has none."""
    if place.relation == "obj" and not has_relation(by_head, main_verb, "obj"):
        return True
    if any(tokens[e.dependent - 1].text in ("たら", "だら", "ば") for e in by_head.get(verb, ())):
        return False  # 店で|注文したら、わかった
    if has_relation(by_head, verb, "nsubj") and has_relation(by_head, main_verb, "nsubj"):
        return False
    return place.relation == "obl:で" or _locates_subject(tokens, by_head, verb, main_verb, place)


def _takes_from_noun_clause(tokens: Tokens, by_head: EdgesByHead, verb: int, main_verb: int, place: Dependency) -> bool:
    """Return whether the verb above a noun takes the place before the clause that describes the noun."""
    existential = tokens[main_verb - 1].lemma in _EXISTENCE_VERBS
    if place.relation == "obj":
        return not existential and not has_relation(by_head, main_verb, "obj")
    is_set_off = _is_set_off(tokens, by_head, place)
    if place.relation == "obl:で" and tokens[main_verb - 1].lemma in word_lists.DEPICTION_VERBS:
        return False  # 絵には、|畑で|働く人が|描かれている
    if has_relation(by_head, verb, "nsubj") and not (existential or is_set_off or _needs_place(tokens, by_head, main_verb, verb)):
        return False
    if place.relation == "obl:で":
        return not existential
    return is_set_off or not (_stands_next_to(tokens, by_head, verb, main_verb, place) or _keeps_goal(tokens, by_head, verb, place))


def _stands_next_to(tokens: Tokens, by_head: EdgesByHead, verb: int, main_verb: int, place: Dependency) -> bool:
    """Return whether に stands right before a verb, and the main verb does not say where something is: 試合に|負けた選手が|うつむく."""
    place_verbs = word_lists.LOCATIVE_VERBS | word_lists.PLACEMENT_VERBS | word_lists.POSITION_VERBS | _EXISTENCE_VERBS
    return verb == place.dependent + 2 and not is_passive(tokens, by_head, verb) and tokens[main_verb - 1].lemma not in place_verbs


def _needs_place(tokens: Tokens, by_head: EdgesByHead, main_verb: int, verb: int) -> bool:
    """Return whether a noun with に is more likely to belong to the main verb: 交差点に|写真がプリントされたバスが|停まる."""
    place_verbs = word_lists.LOCATIVE_VERBS | word_lists.PLACEMENT_VERBS
    return (
        tokens[main_verb - 1].lemma in place_verbs
        and not has_relation(by_head, main_verb, "obl:に")
        and tokens[verb - 1].lemma not in place_verbs | word_lists.RESULT_VERBS
    )


def _locates_subject(tokens: Tokens, by_head: EdgesByHead, verb: int, main_verb: int, place: Dependency) -> bool:
    """Return whether に marks the place of the main verb's subject, not where this verb puts its object: 路上に|帽子をかぶって|座る."""
    if (
        place.relation != "obl:に"
        or has_relation(by_head, main_verb, "obl:に")
        or tokens[main_verb - 1].lemma not in word_lists.LOCATIVE_VERBS
    ):
        return False
    return has_relation(by_head, verb, "obj") and tokens[verb - 1].lemma not in word_lists.PLACEMENT_VERBS


def _find_verb_above(tokens: Tokens, tree: EditableTree, noun: int) -> int:
    """Return the verb whose subject is the noun after a clause or a conjunct of that noun, or 0 if there is none."""
    noun_edge = tree[noun]
    while noun_edge.relation.startswith(("conj:", "nmod")) and noun_edge.head:
        noun_edge = tree[noun_edge.head]
    subject = noun_edge.relation == "nsubj" and noun_edge.head and is_verb(tokens[noun_edge.head - 1])
    return noun_edge.head if subject else 0


def _is_set_off(tokens: Tokens, by_head: EdgesByHead, place: Dependency) -> bool:
    """Return whether a comma or は sets the place off."""
    if "は" in particles_of(tokens, by_head, place.dependent):
        return True
    return any(e.relation == "punct" and tokens[e.dependent - 1].text in ("、", "，") for e in by_head.get(place.dependent, ()))


def _keeps_goal(tokens: Tokens, by_head: EdgesByHead, verb: int, place: Dependency) -> bool:
    """Return whether に marks where this verb puts its object, or where its subject is."""
    relations = [e.relation for e in by_head.get(verb, ()) if e.dependent != place.dependent]
    if "obl:に" in relations:
        return False
    lemma = tokens[verb - 1].lemma
    if "obj" in relations:
        part = tokens[place.dependent - 1].text in word_lists.PART_NOUNS
        return lemma in word_lists.PLACEMENT_VERBS or (lemma in word_lists.HOLDING_VERBS and part)
    return lemma in word_lists.LOCATIVE_VERBS | word_lists.PLACEMENT_VERBS or (
        is_passive(tokens, by_head, verb) and lemma in word_lists.RESULT_VERBS
    )


@edge_step
def attach_clauses_to_people(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a clause about clothes or actions to the person, not to the thing before の: カッパを着た|サンダル履きの人."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for edge in edges:
        noun = edge.head
        if edge.relation == "acl" and noun and tokens[noun - 1].text in ("男", "女") and tree[noun].relation == "nmod:の":
            tree[edge.dependent] = edge._replace(head=tree[noun].head)  # 帽子をかぶった|男の人
            continue
        if (
            edge.relation != "acl"
            or not noun
            or tokens[edge.dependent - 1].lemma not in word_lists.HOLDING_VERBS
            or _is_animate(tokens, by_head, noun)
        ):
            continue
        while tree[noun].relation == "nmod:の" and not _is_animate(tokens, by_head, noun):
            noun = tree[noun].head
        if _is_animate(tokens, by_head, noun):
            tree[edge.dependent] = edge._replace(head=noun)
    return tuple(tree.values())
