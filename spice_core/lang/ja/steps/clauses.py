"""Steps for coordination, negation, clauses before nouns, descriptions and place words."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import (
    EdgesByHead,
    edges_by_dependent,
    edges_by_head,
    has_relation,
    is_nominal,
    is_verb,
    is_verbal,
    phrase_of,
    tree_of,
)
from spice_core.lang.ja.word_forms import NEGATION_RELATION
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens, edge_step


@edge_step
def share_conjunct_roles(tokens: Tokens, edges: Edges) -> Edges:
    """Give every conjunct the roles of the last one: タオルと|鏡が置いてある."""
    next_conjunct = {e.dependent: e.head for e in edges if e.relation.startswith("conj:")}
    if not next_conjunct:
        return edges
    by_dependent, out = edges_by_dependent(edges), list(edges)
    for conjunct, head in next_conjunct.items():
        while head in next_conjunct:
            head = next_conjunct[head]
        out += [e._replace(dependent=conjunct) for e in by_dependent.get(head, ()) if e.head and not e.relation.startswith("conj:")]
    return tuple(dict.fromkeys(out))


def attach_descriptions_of_places(graph: DependencyGraph) -> DependencyGraph:
    """Attach a clause or adnominal to the noun that it describes: A before "A の横" (切り立った|崖の横), B before "赤のB"."""

    def attach(edge: Dependency) -> Dependency:
        if (
            edge.relation in ("acl", "amod")
            and edge.head
            and (_describes_background(_phrase_at(graph, edge.head)) or _describes_patient(graph, edge))
        ):
            noun = next((m.dependent for m in graph.children(edge.head, "nmod:の") if m.dependent > edge.dependent), 0)
            return edge._replace(head=noun) if noun else edge
        head_edge = graph.incoming(edge.head)
        return (
            edge._replace(head=head_edge.head)
            if head_edge and head_edge.relation == "nmod:の" and _describes_noun_behind(graph, edge)
            else edge
        )

    return graph.map_edges(attach)


def _describes_patient(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a clause before "A の" and a noun of action describes what happened to A: 倒れた|街路樹の撤去作業."""
    action = graph.tag(edge.head) == "名詞-普通名詞-サ変可能" and graph.token(edge.dependent).lemma in word_lists.CHANGE_VERBS
    return action and not graph.has_child(edge.dependent, "obj")


def _phrase_at(graph: DependencyGraph, index: int) -> str:
    return phrase_of(graph.tokens, graph.edges_by_head, index)


def _describes_noun_behind(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a word before "A の B" describes B, because A only describes B as well: 赤, 夏, 木, 縞模様."""
    text = _phrase_at(graph, edge.head)
    if edge.relation == "nmod:の":
        return _is_pattern(text) and _is_description(_phrase_at(graph, edge.dependent))
    clause = edge.relation == "acl" and is_verb(graph.token(edge.dependent))
    return (edge.relation in ("acl", "amod") and _is_description(text)) or (clause and _is_time_or_material(text))


def _describes_background(text: str) -> bool:
    """Return whether a clause before "A の text" describes A: the text is a place, or a view of A."""
    return text in word_lists.RELATIONAL_NOUNS | word_lists.PICTURE_NOUNS or text.endswith(("姿", "景", "写真", "絵"))


def _is_pattern(text: str) -> bool:
    return text in word_lists.SHAPE_WORDS or text.endswith(("模様", "柄"))


def _is_description(text: str) -> bool:
    return text in word_lists.COLOUR_WORDS or word_lists.is_quantity(text) or word_lists.is_suffixed(text) or text.endswith("造り")


def _is_time_or_material(text: str) -> bool:
    """Return whether a clause with a verb before "text の B" describes B: 寿司が並んだ|木の皿."""
    return word_lists.is_time(text) or text in word_lists.MATERIAL_WORDS


@edge_step
def separate_negated_words(tokens: Tokens, edges: Edges) -> Edges:
    """Relabel the edges from predicates to ない, ず and ません as advmod:ない, so that negated predicates differ from affirmative ones."""
    return tuple(
        e._replace(relation="advmod:ない")
        if e.relation in ("aux", "mark", "fixed", "advcl")
        and e.head
        and tokens[e.dependent - 1].lemma in _NEGATION_WORDS
        and e.dependent > e.head
        else e
        for e in edges
    )


@edge_step
def relate_negations(tokens: Tokens, edges: Edges) -> Edges:
    """Relate ない, ず and ません to the predicate that they negate, so that its negative form becomes its dictionary form."""
    limited_words = {e.head for e in edges if e.dependent < len(tokens) and tokens[e.dependent].text == "しか"}  # 一つしかない is 一つある
    denied_edges = separate_negated_words(DependencyGraph(tokens, edges)).edges
    return tuple(
        e._replace(relation=NEGATION_RELATION) if e.relation == "advmod:ない" and e.head not in limited_words else e for e in denied_edges
    )


_NEGATION_WORDS = frozenset(("ない", "ぬ", "ず", "ん", "無い"))


@edge_step
def fill_relative_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Give the noun after a clause its role in the clause: subject, object, or 外の関係."""
    by_head = edges_by_head(edges)
    tree = tree_of(edges)
    out = list(edges)
    for edge in edges:
        predicate = tokens[edge.dependent - 1]
        if edge.relation == "advcl" and edge.head and predicate.tag.startswith("形容詞") and predicate.text == predicate.lemma:
            noun = tree[edge.head]  # 四角い|白いお皿
            if noun.relation == "acl" and edge.dependent == edge.head - 1:
                out.append(Dependency(edge.dependent, noun.head, "nsubj"))
        elif (
            edge.relation == "acl"
            and edge.head
            and is_nominal(tokens[edge.head - 1])
            and (is_verbal(predicate) or has_relation(by_head, edge.dependent, "cop"))
        ):
            role = _role_in_clause(tokens, by_head, edge.dependent, edge.head)
            if role:
                out.append(Dependency(edge.dependent, edge.head, role))
                out += [Dependency(part, edge.head, "obl:外の関係") for part in _clauses_about_parts(tokens, by_head, edge.dependent)]
    return tuple(dict.fromkeys(out))


def _role_in_clause(tokens: Tokens, by_head: EdgesByHead, predicate: int, noun: int) -> str | None:
    """Return the role of the noun in the clause before it, or None if it is a formal noun."""
    relations = {e.relation for e in by_head.get(predicate, ())}
    if tokens[noun - 1].lemma in word_lists.FORMAL_NOUNS:
        return None
    if "nsubj" in relations:
        return "obl:外の関係"
    verb = tokens[predicate - 1]
    if verb.lemma in ("差す", "さす") and tokens[noun - 1].text in word_lists.LIGHT_NOUNS:
        return "nsubj"  # 窓から|差す光
    if (
        verb.lemma in word_lists.TRANSITIVE_VERBS
        and "obj" not in relations
        and not is_passive(tokens, by_head, predicate)
        and not _is_animate_noun(tokens, by_head, noun)
    ):
        return "obj"
    return "nsubj"


def _clauses_about_parts(tokens: Tokens, by_head: EdgesByHead, predicate: int) -> list[int]:
    """Return the adjectives before a clause that describe a part of the same noun: 毛が|長くて|耳の垂れた犬."""
    first_index = min([predicate, *(e.dependent for e in by_head.get(predicate, ()) if e.dependent < predicate)])
    preceding_clauses = {e.dependent for e in by_head.get(predicate, ()) if e.relation == "advcl" and e.dependent < predicate}
    preceding_clauses |= {first_index - 2} if first_index > 2 and tokens[first_index - 2].text == "て" else set()  # 鼻が|長く|て|足の太い象
    return [i for i in sorted(preceding_clauses) if tokens[i - 1].tag.startswith("形容詞") and has_relation(by_head, i, "nsubj")]


def is_passive(tokens: Tokens, by_head: EdgesByHead, verb: int) -> bool:
    return any(e.relation == "aux" and tokens[e.dependent - 1].lemma in ("れる", "られる") for e in by_head.get(verb, ()))


def _is_animate_noun(tokens: Tokens, by_head: EdgesByHead, noun: int) -> bool:
    return word_lists.is_animate(tokens[noun - 1].text) or phrase_of(tokens, by_head, noun) in word_lists.ANIMATE_NOUNS


_DETERMINER_WORDS = frozenset("この その あの どの ある 或る こんな そんな あんな どんな 各 同".split())


@edge_step
def relabel_descriptions(tokens: Tokens, edges: Edges) -> Edges:
    """Relabel modifiers of a noun: オレンジ色の (amod), 二頭の (nummod), 小さな (amod)."""
    by_head = edges_by_head(edges)
    out = []
    for edge in edges:
        if edge.relation == "nmod:の" and edge.head:
            text = phrase_of(tokens, by_head, edge.dependent)
            head = _find_described_noun(tokens, edges, edge)
            if word_lists.is_quantity(text):
                edge = Dependency(head, edge.dependent, "nummod")
            elif (
                (word_lists.is_attribute(text) or tokens[edge.dependent - 1].tag.startswith("副詞"))  # ふわふわの|毛
                and not _is_described(by_head, edge.dependent)
                and tokens[head - 1].text not in word_lists.RELATIONAL_NOUNS
            ):
                edge = Dependency(head, edge.dependent, "amod")
        elif edge.relation in ("amod", "det") and tokens[edge.dependent - 1].text in _DETERMINER_WORDS:
            edge = edge._replace(relation="det")
        out.append(edge)
    return tuple(out)


def _find_described_noun(tokens: Tokens, edges: Edges, edge: Dependency) -> int:
    """Return the noun that a description with の belongs to: its head, or the noun after the clause if the head is a predicate (二頭の|走る|犬)."""
    clause = (e.head for e in edges if e.dependent == edge.head and e.relation == "acl") if is_verbal(tokens[edge.head - 1]) else ()
    return next(iter(clause), edge.head)


def _is_described(by_head: EdgesByHead, index: int) -> bool:
    """Return whether the word is itself modified: such a word is a thing, not a description."""
    return any(e.relation in ("acl", "amod", "nmod:の") for e in by_head.get(index, ()))


@edge_step
def make_place_relations(tokens: Tokens, edges: Edges) -> Edges:
    """Make a place word between two nouns their relation: 箱の|中の|缶."""
    by_head = edges_by_head(edges)
    return tuple(
        e._replace(relation="nmod:場所")
        if e.relation == "nmod:の" and phrase_of(tokens, by_head, e.dependent) in word_lists.PLACE_NOUNS
        else e
        for e in edges
    )
