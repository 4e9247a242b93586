"""Steps that put case markers into relations: arguments, topics, initial places."""

from __future__ import annotations

from functools import cache, partial

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import EdgesBelow, edges_below, has_relation, is_nominal, is_verb, is_verbal, particles_of, phrase_of, tree_of
from spice_core.syntax.dependency_graph import EditableTree
from spice_core.syntax.document import Dependency, Token
from spice_core.syntax.enhancement import Edges, Tokens, edge_step

_CASE_PARTICLES = frozenset("が を に へ と から より で まで の にて や とか か および 及び".split())
_JOINING_PARTICLES = frozenset("と や とか か および 及び".split())
_ARGUMENT_RELATIONS = frozenset(
    ("nsubj", "obj", "iobj", "obl", "nmod", "advmod", "advcl", "dislocated", "dep", "nsubj:pass", "parataxis", "ccomp")
)


@edge_step
def set_case_relations(tokens: Tokens, edges: Edges) -> Edges:
    """Set the relation of a noun by its particle; topics fill the free argument position."""
    below = edges_below(edges)
    subjects = {e.head for e in edges if "が" in particles_of(tokens, below, e.dependent)[:1] and is_nominal(tokens[e.dependent - 1])}
    return tuple(
        e._replace(relation=_case_relation(tokens, below, e, subjects))
        if e.head
        and e.relation in _ARGUMENT_RELATIONS
        and (is_nominal(tokens[e.dependent - 1]) or _is_adjective_stem(tokens[e.dependent - 1], e.relation))
        else e
        for e in edges
    )


def _is_adjective_stem(token: Token, relation: str) -> bool:
    """Return whether an adjective stem is used as a noun: たくさんの, 大きめの."""
    stem = token.tag.startswith("形状詞") or token.text in ("だらけ", "まみれ")
    return stem and relation in ("nmod", "nsubj", "obj", "obl")


def _case_relation(tokens: Tokens, below: EdgesBelow, edge: Dependency, subjects: set[int]) -> str:
    """The relation of the noun to its governor."""
    particles = particles_of(tokens, below, edge.dependent)
    governor, text = tokens[edge.head - 1], phrase_of(tokens, below, edge.dependent)
    if particles[:1] == ["か"] and text in word_lists.INTERROGATIVE:  # 何かを
        particles = particles[1:]
    case = next((p for p in particles if p in _CASE_PARTICLES), None)
    if edge.relation == "advcl" and has_relation(below, edge.dependent, "cop") and has_relation(below, edge.dependent, "nsubj"):
        return "advcl"  # 赤い屋根が|特徴で、
    if case == "の" and tokens[edge.dependent - 1].tag.startswith("形状詞") and _has_argument(tokens, below, edge.dependent):
        return "acl"  # 人で|いっぱいの電車
    if case == "の":
        described = word_lists.is_attribute(text) or word_lists.is_quantity(text)
        return "nsubj" if is_verbal(governor) and (not described or _is_part_of_clause(tokens, edge)) else "nmod:の"
    if word_lists.is_time(text) and case in (None, "に", "で"):
        return "obl:時間"
    if (
        _is_universal_pronoun(text, particles)
        or (text in ("何", "誰") and particles[:1] == ["も"] and edge.head in subjects)
        or (word_lists.is_quantity(text) and case in (None, "で") and is_verbal(governor))
    ):
        return "nummod:floated"
    if case in _JOINING_PARTICLES and word_lists.is_quantity(text) and _is_floated_quantity(tokens, below, edge.dependent):
        return "nummod:floated"  # 本が|二冊とペンが一本
    if case in _JOINING_PARTICLES and is_nominal(governor):
        return f"conj:{case}"
    if case == "が":
        return "nsubj"
    if case == "を":
        return "obj"
    if text in word_lists.ADVERBIAL_WORDS or (case == "と" and tokens[edge.dependent - 1].tag.startswith("副詞")):
        return "advmod"
    if case:
        return "obl:" + {"にて": "で"}.get(case, case)
    if particles and len(particles[0]) > 2:
        return f"obl:{particles[0]}"
    return _bare_noun_relation(tokens, below, edge, particles, text, subjects)


def _has_argument(tokens: Tokens, below: EdgesBelow, index: int) -> bool:
    return any(e.dependent < index and particles_of(tokens, below, e.dependent)[:1] in (["で"], ["に"]) for e in below.get(index, ()))


def _is_part_of_clause(tokens: Tokens, edge: Dependency) -> bool:
    """Return whether a part stands right before the clause about it: 髪の|長い女性, 窓の|ない部屋, but not 階段の|赤い手すり."""
    lemma = tokens[edge.head - 1].lemma
    parts = word_lists.PART_NOUNS if lemma in ("ない", "無い") else word_lists.BODY_PART_NOUNS if lemma in word_lists.SIZE_WORDS else ()
    return edge.head == edge.dependent + 2 and tokens[edge.dependent - 1].text in parts


def _is_universal_pronoun(text: str, particles: list[str]) -> bool:
    """Return whether a pronoun with も stands beside the noun that it counts: 果物は|どれも|新鮮だ."""
    return text in ("どれ", "どちら", "みんな", "みな", "皆") and particles[:1] == ["も"]


def _is_floated_quantity(tokens: Tokens, below: EdgesBelow, quantity: int) -> bool:
    """Return whether a quantity stands right after the noun that it counts and its particle."""
    before = _index_before_compound(below, quantity)
    return before > 0 and tokens[before - 1].text in ("が", "を")


def _index_before_compound(below: EdgesBelow, index: int) -> int:
    """The index of the word directly before a word and its compound parts."""
    parts = {e.dependent for e in below.get(index, ()) if e.relation == "compound"}
    index -= 1
    while index in parts:
        index -= 1
    return index


def _bare_noun_relation(tokens: Tokens, below: EdgesBelow, edge: Dependency, particles: list[str], text: str, subjects: set[int]) -> str:
    """The relation of a noun without case particle: a topic, a quantity, a conjunct, or an adverb."""
    governor = tokens[edge.head - 1]
    if word_lists.is_quantity(text):
        return "nummod:floated"
    if particles:  # は, も, だけ
        if edge.head not in subjects and edge.relation != "obj":
            return "nsubj"
        return "obj" if edge.relation == "obj" else "obl:は"
    following = tokens[edge.dependent].text if edge.dependent < len(tokens) else ""
    if is_nominal(governor) and following in ("、", "，", "・", "と"):
        return "conj:、"
    if edge.relation == "nmod" and is_nominal(governor) and _index_before_compound(below, edge.head) == edge.dependent:
        return "compound"
    if text in word_lists.PLACE_NOUNS and any(e.relation in ("nmod", "nmod:の") for e in below.get(edge.dependent, ())):
        return "obl:に"
    return "advmod" if edge.relation in ("obl", "advcl", "advmod") else edge.relation


@edge_step
def return_arguments_to_verbs(tokens: Tokens, edges: Edges) -> Edges:
    """Give a verb before a noun the arguments before it that GiNZA attaches to the noun: 絵本を|読み聞かせる|母親, 雨の中、|走る|男性."""
    tree, below = tree_of(edges), edges_below(edges)
    clauses = {e.head: e.dependent for e in reversed(edges) if e.relation == "acl" and is_verb(tokens[e.dependent - 1])}
    for e in edges:
        clause = clauses.get(e.head, 0)
        if not clause or e.dependent >= clause or e.relation not in ("obj", "obl", "nmod", "nsubj", "advmod") or e.head < clause:
            continue
        if particles_of(tokens, below, e.head) and is_verbal(tokens[tree[e.head].head - 1]):
            continue  # the verb above may take it as well
        particles = particles_of(tokens, below, e.dependent)[:1]
        text = tokens[e.dependent - 1].text
        place = not particles and text in word_lists.PLACE_NOUNS and has_relation(below, e.dependent, "nmod")
        place = place or (not particles and word_lists.is_time(text))
        if place or particles in (["を"], ["に"], ["へ"], ["から"], ["で"]):
            tree[e.dependent] = Dependency(clause, e.dependent, "obl" if e.relation == "nmod" else e.relation)
    return tuple(tree.values())


@edge_step
def resolve_reasons_and_likenesses(tokens: Tokens, edges: Edges) -> Edges:
    """Make the noun before のため an object by itself, and drop what the picture is only likened to: 工事の|ため, 雪の|ように|白い."""
    tree = tree_of(edges)
    for e in edges:
        if e.relation == "nmod:の" and tokens[e.head - 1].text in ("ため", "為") and e.dependent < e.head:
            tree.relabel(e.dependent, "orphan")
        if e.relation in ("nmod:の", "nsubj") and [t.text for t in tokens[e.dependent : e.dependent + 2]] == ["の", "よう"]:
            tree.relabel(e.dependent, "absent")
            tree.relabel(e.dependent + 2, "advmod")
    return tuple(tree.values())


@edge_step
def attach_stray_arguments(tokens: Tokens, edges: Edges) -> Edges:
    """Attach an argument that the parser gave to a noun with a particle, or to an adjective before one, to the predicate above.

    馬が|牧草地で草を|食む; 黒色に|白い文字が|書かれた
    """
    tree = tree_of(edges)
    particles = cache(partial(particles_of, tokens, edges_below(edges)))
    for e in edges:
        if e.relation == "nsubj" or e.relation == "obj" or e.relation.startswith("obl:"):
            head = e.head
            while head and tokens[head - 1].tag.startswith("副詞") and tree[head].head and tree[head].relation == "advmod":
                head = tree[head].head  # 海が|とても|青い
            while head and is_nominal(tokens[head - 1]) and particles(head) and tree[head].head and tree[head].relation != "advcl":
                head = tree[head].head
            adjective = (
                tokens[head - 1].tag.startswith("形容詞") and tree[head].relation == "acl" and e.relation in ("obl:に", "obl:で", "obj")
            )
            while adjective and tree[head].head and not is_verb(tokens[head - 1]):  # 黒色に|白い文字が|書かれた
                head = tree[head].head
            if e.head and _is_result(tokens, tree, e):  # 髪を|短く|切る
                head = tree[head].head
            if head != e.head and is_verbal(tokens[head - 1]):
                tree[e.dependent] = e._replace(head=head)
    return tuple(tree.values())


def _is_result(tokens: Tokens, tree: EditableTree, edge: Dependency) -> bool:
    """Return whether a noun with を stands before an adjective in く that says what the verb behind it does to the noun."""
    adjective, above = tokens[edge.head - 1], tree[edge.head]
    in_ku = adjective.tag.startswith("形容詞") and adjective.text.endswith("く")
    return edge.relation == "obj" and in_ku and above.relation in ("advcl", "advmod") and above.head == edge.head + 1


_PLACE_RELATIONS = ("obl:で", "obl:に")


@edge_step
def attach_initial_places(tokens: Tokens, edges: Edges) -> Edges:
    """Attach a place at the start of the caption to the main verb: 道路で|ヘルメットを被り|スケートボードに乗る."""
    tree = tree_of(edges)
    below = edges_below(edges)
    for e in edges:
        if e.relation in _PLACE_RELATIONS and e.head and _is_initial(below, e.dependent):
            verb = e.head
            while (main := _find_place_taker(tokens, tree, below, verb, e)) is not None:
                verb = main
            tree[e.dependent] = e._replace(head=verb)
    return tuple(tree.values())


def _is_initial(below: EdgesBelow, index: int) -> bool:
    """Return whether the word is preceded only by its own modifiers."""
    first, stack = index, [index]
    while stack:
        for e in below.get(stack.pop(), ()):
            if e.dependent < index:
                first = min(first, e.dependent)
                stack.append(e.dependent)
    return first == 1


def _find_place_taker(tokens: Tokens, tree: EditableTree, below: EdgesBelow, verb: int, place: Dependency) -> int | None:
    """The verb above that takes the place instead; None if this verb keeps it."""
    above, relation = tree[verb], place.relation
    relations = {e.relation for e in below.get(verb, ())}
    if above.relation == "advcl" and above.head and is_verb(tokens[above.head - 1]) and relation == "obl:で":
        return None if "nsubj" in relations and has_relation(below, above.head, "nsubj") else above.head
    if "nsubj" in relations or (relation == "obl:に" and _takes_goal(tokens[verb - 1], tokens[place.dependent - 1], relations)):
        return None
    if above.relation == "acl" and above.head:
        outer = tree[above.head]
        while outer.relation.startswith("conj:"):
            outer = tree[outer.head]
        if outer.head and outer.relation == "nsubj" and is_verb(tokens[outer.head - 1]):
            existential = tokens[outer.head - 1].lemma in ("いる", "ある", "居る")
            return None if existential and relation == "obl:で" else outer.head
    return None


def _takes_goal(verb: Token, place: Token, relations: set[str]) -> bool:
    """Return whether に marks the goal of this verb's object, or a part of the body."""
    return (
        "obj" not in relations
        or verb.lemma in word_lists.PLACEMENT_VERBS
        or (verb.lemma in word_lists.HOLDING_VERBS and place.text in word_lists.PART_NOUNS)
    )
