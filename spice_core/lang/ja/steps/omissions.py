"""Steps for omitted words: particles (犬いる), the を of 眼鏡も, and a verb that a clause shares with a later clause."""

from __future__ import annotations

from collections.abc import Mapping

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

GAPPED_SUBJECT_RELATION, GAPPED_ARGUMENT_RELATION = (
    "nsubj:gapped",
    "gapped",
)  # a subject that shares the verb of a later clause, and its other arguments
_NOUN_TAGS = ("名詞-普通名詞-一般", "名詞-普通名詞-サ変可能", "名詞-固有名詞", "名詞-転成", "代名詞", "接尾辞-名詞的-一般")
_LOOSE_RELATIONS = ("advmod", "obl", "nmod", "conj:、", "dep")
_PLACE_RELATIONS = ("obl:に", "obl:で")
_BARE_NOUN_RELATIONS = ("advmod", "nsubj", "obj", "conj:、")
_INTERVENING_RELATIONS = ("advmod", "compound", "nummod", "nummod:floated", "case", "det")
_FOCUS_PARTICLES = frozenset("も は だけ ばかり しか さえ すら".split())


@edge_step
def attach_bare_arguments(tokens: Tokens, edges: Edges) -> Edges:
    """Make a noun without a particle the object, subject or goal of its verb: 犬|いる, 男の子|アイス|食べてる."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for edge in _split_off_people(tokens, tree, by_head):
        tree[edge.dependent] = edge
    for edge in edges:
        if (
            edge.relation == "compound"
            and edge.head > edge.dependent
            and tokens[edge.head - 1].tag.startswith("形容詞")
            and is_nominal(tokens[edge.dependent - 1])
        ):
            tree.relabel(edge.dependent, "nsubj")  # 犬|かわいい
    for edge in sorted(tree.values(), key=lambda edge: -edge.dependent):
        if _is_first_part(tokens, tree, edge):
            tree[edge.dependent] = Dependency(_find_last_part(tree, edge.dependent + 1), edge.dependent, "compound")  # バースデー|ケーキ
            continue
        verb = _find_verb_of_bare_noun(tokens, tree, edge)
        if verb and (role := _role_of_bare_noun(tokens, tree.edges_by_head, edge.dependent, verb)):
            tree[edge.dependent] = Dependency(verb, edge.dependent, role)
    return tuple(tree.values())


def _split_off_people(tokens: Tokens, tree: EditableTree, by_head: EdgesByHead) -> list[Dependency]:
    """Return edges that separate a person from the thing right after it if neither has a particle: 男の子|アイス|食べてる."""
    return [
        Dependency(tree[e.head].head, e.dependent, "advmod")
        for e in tree.values()
        if e.relation == "compound"
        and e.head == e.dependent + 1
        and not particles_of(tokens, by_head, e.head)
        and word_lists.is_animate(phrase_of(tokens, by_head, e.dependent))
        and not word_lists.is_animate(tokens[e.head - 1].text)
        and tokens[e.head - 1].tag.startswith("名詞-普通名詞")
        and tree[e.head].relation in _LOOSE_RELATIONS
        and tree[e.head].head > e.head
        and is_verb(tokens[tree[e.head].head - 1])
    ]


def _is_first_part(tokens: Tokens, tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a thing stands right before another noun, and so is the first part of a compound."""
    noun = edge.dependent
    if edge.relation not in ("advmod", "obl") or edge.head <= noun + 1 or not tokens[noun - 1].tag.startswith("名詞-普通名詞-一般"):
        return False
    text = phrase_of(tokens, tree.edges_by_head, noun)
    precedes_noun = tokens[noun].tag.startswith("名詞-普通名詞-一般") and not _is_adverb(tokens[noun].text)
    return precedes_noun and not (word_lists.is_animate(text) or _is_adverb(text))


def _find_last_part(tree: EditableTree, index: int) -> int:
    while tree[index].relation == "compound" and tree[index].head > index:
        index = tree[index].head
    return index


def _find_verb_of_bare_noun(tokens: Tokens, tree: EditableTree, edge: Dependency) -> int:
    """Return the predicate that a noun without a particle may be an argument of, or 0 if there is none."""
    noun = edge.dependent
    is_loose = edge.relation in _LOOSE_RELATIONS and edge.head > noun and tokens[noun - 1].tag.startswith(_NOUN_TAGS)
    if not is_loose or particles_of(tokens, tree.edges_by_head, noun) or _is_adverb(phrase_of(tokens, tree.edges_by_head, noun)):
        return 0
    return edge.head if is_verbal(tokens[edge.head - 1]) else _find_verb_above(tokens, tree, edge)


def _find_verb_above(tokens: Tokens, tree: EditableTree, edge: Dependency) -> int:
    """Return the predicate above the noun that a noun without a particle is attached to, or 0 if they belong together."""
    head_edge, text = tree[edge.head], phrase_of(tokens, tree.edges_by_head, edge.head)
    if not head_edge.head:
        return 0
    if word_lists.is_quantity(text) and is_verbal(tokens[head_edge.head - 1]):
        return head_edge.head  # 人|一人|いない
    if (
        not head_edge.relation.startswith("obl")
        or not is_verb(tokens[head_edge.head - 1])
        or not particles_of(tokens, tree.edges_by_head, edge.head)
    ):
        return 0
    is_same_animacy = word_lists.is_animate(phrase_of(tokens, tree.edges_by_head, edge.dependent)) == word_lists.is_animate(text)
    return head_edge.head if not is_same_animacy or head_edge.relation == "obl:と" else 0  # 少女、|犬と|遊ぶ


def _is_adverb(text: str) -> bool:
    return (
        text in word_lists.RELATIONAL_NOUNS
        or word_lists.is_quantity(text)
        or word_lists.is_time(text)
        or text in word_lists.ADVERBIAL_WORDS
    )


def _role_of_bare_noun(tokens: Tokens, by_head: EdgesByHead, noun: int, verb: int) -> str:
    """Return the relation of a noun without a particle to its verb, or an empty string if it has none."""
    is_animate = word_lists.is_animate(phrase_of(tokens, by_head, noun))
    subject = has_relation(by_head, verb, "nsubj")
    if not _stands_before(tokens, by_head, noun, verb):
        topic = is_animate and subject and _has_comma(tokens, by_head, noun) and _begins_caption(by_head, noun)
        return "obl:は" if topic else "nsubj" if is_animate and not subject else ""  # うちの犬、|風呂が嫌い
    if takes_object(tokens, by_head, verb) and (subject or not is_animate):
        return "obj"
    if tokens[verb - 1].lemma in word_lists.MOTION_VERBS and not is_animate:
        return "obl:に"
    return "" if subject else "nsubj"


def _begins_caption(by_head: EdgesByHead, noun: int) -> bool:
    """Return whether only modifiers of a noun stand before it."""
    phrase = {e.dependent for e in by_head.get(noun, ()) if e.dependent < noun}
    phrase |= {e.dependent for position in phrase for e in by_head.get(position, ())}
    return all(i in phrase for i in range(1, noun))


def _stands_before(tokens: Tokens, by_head: EdgesByHead, noun: int, verb: int) -> bool:
    """Return whether nothing but a number or an adverb stands between a noun and its verb."""
    words, stack = {noun, verb}, [noun, verb]
    while stack:
        dependents = {e.dependent for e in by_head.get(stack.pop(), ()) if e.relation in _INTERVENING_RELATIONS} - words
        words |= dependents
        stack += dependents
    return all(i in words for i in range(noun, verb))


def takes_object(tokens: Tokens, by_head: EdgesByHead, verb: int) -> bool:
    """Return whether a verb still lacks its object: it is transitive, active, and has none."""
    if tokens[verb - 1].lemma not in word_lists.TRANSITIVE_VERBS or has_relation(by_head, verb, "obj") or is_passive(tokens, by_head, verb):
        return False
    return not any(e.relation == "aux" and tokens[e.dependent - 1].lemma in ("ある", "有る") for e in by_head.get(verb, ()))  # 掛けてある


@edge_step
def attach_focused_objects(tokens: Tokens, edges: Edges) -> Edges:
    """Make a thing with も, は or だけ the object of a verb that lacks one: 眼鏡も|かけている, ヘルメットは|かぶっていない."""
    tree, by_head = tree_of(edges), edges_by_head(edges)
    for edge in edges:
        if edge.relation not in ("nsubj", "obl:は") or not edge.head or not takes_object(tokens, by_head, edge.head):
            continue
        particles = particles_of(tokens, by_head, edge.dependent)
        thing = is_nominal(tokens[edge.dependent - 1]) and not word_lists.is_animate(phrase_of(tokens, by_head, edge.dependent))
        if thing and particles and particles[0] in _FOCUS_PARTICLES:
            tree[edge.dependent] = edge._replace(relation="obj")
    return tuple(tree.values())


@edge_step
def separate_gapped_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Separate clauses that share the verb of the last clause: 右には犬が、|左には猫が|いる; 右に犬、|左に猫が|いる."""
    by_head = edges_by_head(edges)
    list_edges = {e.dependent: e for e in edges if e.relation == "conj:、"}
    replacements: dict[Dependency, list[Dependency]] = {}
    for verb in sorted({e.head for e in edges if e.relation in ("nsubj", "obj") and e.head}):
        arguments = sorted((e for e in by_head[verb] if _is_argument(e) and e.dependent < verb), key=lambda e: e.dependent)
        replacements |= _find_things_without_particles(tokens, by_head, verb, _listed_before_clause(by_head, list_edges, verb))
        shared_arguments, groups = _group_arguments(tokens, by_head, arguments)
        for group in groups:
            replacements |= _find_gapped_arguments(by_head, group, shared_arguments)
    return tuple(new_edge for e in edges for new_edge in replacements.get(e, (e,))) if replacements else edges


def _find_gapped_arguments(
    by_head: EdgesByHead, group: list[Dependency], shared_arguments: list[Dependency]
) -> dict[Dependency, list[Dependency]]:
    """Return the edges that replace each argument of a clause without a verb: the subject keeps its verb and gets the other arguments."""
    subject = next(e for e in group if e.relation == "nsubj")
    conjuncts = (c.dependent for c in by_head.get(subject.dependent, ()) if c.relation.startswith("conj:"))
    owners = [subject.dependent, *conjuncts]
    owner_edges = {e: [Dependency(o, e.dependent, GAPPED_ARGUMENT_RELATION) for o in owners] for e in group if e != subject}
    object_edges = [Dependency(o, e.dependent, GAPPED_ARGUMENT_RELATION) for o in owners for e in shared_arguments]
    return {**owner_edges, subject: [subject._replace(relation=GAPPED_SUBJECT_RELATION), *object_edges]}


def _is_argument(edge: Dependency) -> bool:
    return edge.relation in ("nsubj", "obj") or (edge.relation.startswith("obl:") and edge.relation != "obl:時間")


def _group_arguments(tokens: Tokens, by_head: EdgesByHead, arguments: list[Dependency]) -> tuple[list[Dependency], list[list[Dependency]]]:
    """Return the arguments that all clauses share, and the arguments of each clause but the last, which repeat the same relations."""
    ends = [i for i, e in enumerate(arguments[:-1], 1) if _has_comma(tokens, by_head, e.dependent)]
    group_size = len(arguments) - ends[-1] if ends else 0
    pattern = [e.relation for e in arguments[len(arguments) - group_size :]]
    if group_size < 2 or pattern.count("nsubj") != 1:
        return [], []
    groups, start = [], len(arguments) - group_size
    while start - group_size >= 0 and start in ends and [e.relation for e in arguments[start - group_size : start]] == pattern:
        groups.append(arguments[start - group_size : start])
        start -= group_size
    return (arguments[:start], groups) if groups else ([], [])


def _has_comma(tokens: Tokens, by_head: EdgesByHead, noun: int) -> bool:
    return any(e.relation == "punct" and e.dependent > noun and tokens[e.dependent - 1].text in "、，" for e in by_head.get(noun, ()))


def _listed_before_clause(by_head: EdgesByHead, list_edges: Mapping[int, Dependency], verb: int) -> list[Dependency]:
    """Return the noun before a clause that GiNZA coordinates with the noun after it: 左手に弓、|右手に矢を|持つ天使."""
    first_index = min((e.dependent for e in by_head[verb]), default=verb)
    return [e for e in (list_edges.get(first_index - 2),) if e and e.head > verb]


def _find_things_without_particles(
    tokens: Tokens, by_head: EdgesByHead, verb: int, other_edges: list[Dependency]
) -> dict[Dependency, list[Dependency]]:
    """Return the edges that replace a thing without が and its place before a clause with another place: 右に犬、|左に猫が|いる."""
    replacements: dict[Dependency, list[Dependency]] = {}
    places = [e for e in by_head[verb] if e.relation in _PLACE_RELATIONS]
    last_place = max((e.dependent for e in places), default=0)
    list_items = [c for p in places for c in by_head.get(p.dependent, ()) if c.relation == "conj:、"]
    for edge in (*by_head[verb], *list_items, *other_edges):
        noun_places = (
            _places_before(by_head, edge.dependent) if edge.relation in _BARE_NOUN_RELATIONS and edge.dependent <= last_place else []
        )
        if not noun_places or not _has_comma(tokens, by_head, edge.dependent) or particles_of(tokens, by_head, edge.dependent):
            continue
        if has_relation(by_head, verb, "obj") and not word_lists.is_animate(phrase_of(tokens, by_head, edge.dependent)):
            replacements[edge] = [Dependency(verb, edge.dependent, "obj")]  # 右手に傘、|左手に鞄を|持つ
            replacements |= {p: [p._replace(head=verb)] for p in noun_places}
        else:
            replacements[edge] = [Dependency(verb, edge.dependent, GAPPED_SUBJECT_RELATION)]
            replacements |= {p: [p._replace(relation=GAPPED_ARGUMENT_RELATION)] for p in noun_places}
    return replacements


def _places_before(by_head: EdgesByHead, noun: int) -> list[Dependency]:
    """Return the edges from a noun to its places before it."""
    return [p for p in by_head.get(noun, ()) if p.relation in _PLACE_RELATIONS and p.dependent < noun]


@edge_step
def separate_verbless_places(tokens: Tokens, edges: Edges) -> Edges:
    """Make the place of a noun without a verb a separate object: 手前に|花束、奥に|花嫁."""
    predicate_heads = {e.head for e in edges if e.relation in ("cop", "aux", "nsubj")}
    counted_nouns = {e.head for e in edges if e.relation == "nummod:floated"}  # 皿の上に|ケーキが|三つ
    by_head = edges_by_head(edges)
    return tuple(
        e._replace(relation="orphan")
        if e.relation in _PLACE_RELATIONS
        and e.head
        and e.head not in predicate_heads
        and tokens[e.head - 1].tag.startswith("名詞-普通名詞-一般")
        and (e.head in counted_nouns or not particles_of(tokens, by_head, e.head))
        else e
        for e in edges
    )
