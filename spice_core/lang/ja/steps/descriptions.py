"""Steps for descriptions other than plain adjectives, such as suffixed words, colours in く and results of てある."""

from __future__ import annotations

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.trees import (
    has_comma,
    is_animate,
    is_verb,
    particles_of,
    phrase_of,
)
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_PROPERTY_SUFFIXES = frozenset(
    "色 形 型 柄 模様 状 風 多色".split()
)  # suffixes of properties; after another word, they form nouns for things


def relabel_suffixed_descriptions(graph: DependencyGraph) -> DependencyGraph:
    """Relabel modifiers of a noun by their suffix: 石畳敷きの道 ("cobbled road"), 歩行者専用の道 ("road for pedestrians only").

    The bare word 色 ("colour") is a thing.
    """
    new_graph = graph.map_edges(lambda e: _edge_by_suffix(graph, e))
    noun_by_description = {e.dependent: e.head for e in new_graph.edges_of("amod", "nummod")}
    persons = [e for e in new_graph.edges_of("nmod:の") if graph.text(e.dependent) in ("男", "女")]  # 一人の|男の人 ("one man")
    noun_by_description |= {e.dependent: e.head for e in persons}

    def attach(edge: Dependency) -> Dependency:
        return (
            edge._replace(head=noun_by_description[edge.head])
            if edge.head in noun_by_description and edge.relation in ("amod", "nummod")
            else edge
        )

    return new_graph.map_edges(attach)


def _edge_by_suffix(graph: DependencyGraph, edge: Dependency) -> Dependency:
    """Return the edge to a modifier, with the relation given by its suffix."""
    if edge.relation not in ("nmod:の", "amod"):
        return edge
    text = phrase_of(graph, edge.dependent)
    if edge.relation == "nmod:の":
        is_description = word_lists.is_suffixed(text) or text in word_lists.COLOUR_WORDS
        return edge._replace(relation="amod") if is_description else edge
    is_thing = edge.relation == "amod" and text in _PROPERTY_SUFFIXES and "の" in particles_of(graph, edge.dependent)
    return edge._replace(relation="nmod:の") if is_thing else edge


def attach_resulting_colours(graph: DependencyGraph) -> DependencyGraph:
    """Attach a resulting colour in く to the thing that has it: 壁が|白く|塗られている ("the wall is painted white")."""
    out: list[Dependency] = []
    for edge in graph.edges_of("advcl", "advmod"):
        if edge.head and _is_result(graph, edge) and not graph.has_child_like(edge.dependent, "nsubj"):
            noun_edges = graph.children(edge.head, "obj") or graph.children(edge.head, "nsubj", "nsubj:zero")
            out += [Dependency(edge.dependent, a.dependent, "nsubj") for a in noun_edges]
    return graph.add(*out)


def _is_result(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether an adjective in く or a colour with に is the state of a thing that results from the verb."""
    adjective = graph.token(edge.dependent)
    return adjective.lemma in word_lists.COLOUR_WORDS and (adjective.text.endswith("く") or graph.text(edge.dependent + 1) == "に")


def promote_resultative_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Make the noun after a clause in てある its subject, as in the passive: 壁に|掛けてある|絵 ("picture hung on the wall")."""
    auxiliary_edges = (e for e in graph.edges_of("aux") if graph.lemma(e.dependent) == "ある")
    noun_by_verb = {e.head: graph.head(e.head, "acl") for e in auxiliary_edges if is_verb(graph.token(e.head))}
    return graph.relabel({e for e in graph.edges_of("obj") if noun_by_verb.get(e.head) == e.dependent}, "nsubj")


def resolve_double_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Make a topic the owner of the described subject, or the person or animal that has a feeling.

    象は|鼻が|長い ("the elephant's trunk is long"), 犬は|風呂が|嫌いだ ("the dog dislikes baths").
    """
    subject_edges = graph.edges_of("nsubj")
    marked_edges = {e for e in subject_edges if graph.lemma(e.head) in word_lists.FEELING_WORDS and _has_subject_particle(graph, e)}
    topic_by_predicate = _topics_by_predicate(graph, marked_edges)
    felt_edges = {e for e in marked_edges if e.head in topic_by_predicate}
    described_edges = [e for e in subject_edges if e.head in topic_by_predicate and e not in felt_edges and _describes_subject(graph, e)]
    new_edge_by_edge = {
        topic_by_predicate[e.head]: Dependency(e.dependent, topic_by_predicate[e.head].dependent, "nmod:の") for e in described_edges
    }
    new_edge_by_edge |= {topic_by_predicate[e.head]: topic_by_predicate[e.head]._replace(relation="nsubj") for e in felt_edges}
    new_edge_by_edge |= {e: e._replace(relation="obj") for e in felt_edges}
    return graph.map_edges(lambda e: new_edge_by_edge.get(e, e))


def _topics_by_predicate(graph: DependencyGraph, marked_edges: set[Dependency]) -> dict[int, Dependency]:
    """Return the edge to the topic of each predicate: an edge obl:は or, for a feeling, a subject without が beside the noun with が."""
    feelings = {e.head for e in marked_edges}
    subject_edges = (e for e in graph.edges_of("nsubj") if e.head in feelings and e not in marked_edges)
    return {e.head: e for e in (*subject_edges, *graph.edges_of("obl:は")) if _is_topic(graph, e.dependent)}


def _has_subject_particle(graph: DependencyGraph, edge: Dependency) -> bool:
    return "が" in particles_of(graph, edge.dependent)


def _is_topic(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a noun has は or, without any particle, a comma: 象は ("the elephant"), うちの犬、 ("our dog,")."""
    particles = particles_of(graph, noun)
    return "は" in particles or (not particles and has_comma(graph, noun))


def _describes_subject(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a predicate is a property of its subject: an adjective, or a verb for parts (耳が|垂れている, "the ears hang down")."""
    predicate = graph.token(edge.head)
    if not is_verb(predicate):
        return predicate.tag.startswith(("形容詞", "形状詞"))
    is_intransitive = not graph.has_child(edge.head, "obj", "obl:に") and predicate.lemma not in word_lists.TRANSITIVE_VERBS
    return is_intransitive and graph.word(edge.dependent) in word_lists.DESCRIBED_NOUNS


def attach_owners(graph: DependencyGraph) -> DependencyGraph:
    """Attach an owner before an adjective to the noun after the adjective.

    女性の|赤い帽子 ("woman's red hat"), パソコンの|黒い画面 ("black screen of a computer"), 長い耳の|白いウサギ ("white rabbit with long
    ears").
    """

    def attach(edge: Dependency) -> Dependency:
        clause = graph.incoming(edge.head)
        is_owned = clause is not None and clause.relation == "acl" and _is_owner_before_adjective(graph, edge)
        return Dependency(clause.head, edge.dependent, "nmod:の") if clause and is_owned else edge

    return graph.map_edges(attach)


def _is_owner_before_adjective(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a noun with の before an adjective is the owner of the noun that the adjective modifies."""
    adjective, noun = graph.token(edge.head), graph.token(edge.dependent)
    if edge.relation == "nmod:の":
        return adjective.tag.startswith("形容詞")
    if edge.relation != "nsubj" or particles_of(graph, noun.index) != ["の"]:
        return False
    if adjective.tag.startswith("形状詞"):
        return True
    is_colour_or_size = adjective.lemma in word_lists.COLOUR_WORDS | word_lists.SIZE_WORDS and noun.text not in word_lists.DESCRIBED_NOUNS
    return (is_colour_or_size or is_animate(graph, noun.index)) and adjective.tag.startswith("形容詞")


def make_parts_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Make a part with の the subject of the clause after it, and do not treat an adverb with と as a conjunct.

    窓の|ある部屋 ("room with windows"), こんがりと ("to a golden brown").
    """
    adverbs = {e for e in graph.edges if e.relation.startswith("conj:") and graph.tag(e.dependent).startswith("副詞")}
    parts = {e for e in graph.edges_of("nmod:の") if _is_part_before_verb(graph, e)}
    return graph.relabel(adverbs, "advmod").relabel(parts, "nsubj")


def _is_part_before_verb(graph: DependencyGraph, edge: Dependency) -> bool:
    is_part = graph.text(edge.dependent) in word_lists.PART_NOUNS and graph.text(edge.dependent + 1) == "の"
    return is_part and edge.head == edge.dependent + 2 and is_verb(graph.token(edge.head))


def drop_formal_arguments(graph: DependencyGraph) -> DependencyGraph:
    """Relabel formal nouns that only carry the preceding clause, so that they are no arguments.

    滑っている|ところを|見守る ("watch somebody skate"), 遊ぶ様子を描いた|絵 ("picture of somebody who plays").
    """
    dropped_edges = _find_formal_arguments(graph)
    showing_verbs = {e.head for e in dropped_edges if e.relation == "obj" and graph.lemma(e.head) in word_lists.DEPICTION_VERBS}
    clause_edges = graph.edges_of("acl")
    pictures = {e for e in clause_edges if e.dependent in showing_verbs and word_lists.is_picture(graph.text(e.head))}
    outer_nouns = {
        e.dependent for e in dropped_edges if graph.text(e.dependent) not in word_lists.FORMAL_NOUNS
    }  # these nouns do not belong to their relative clause
    outer_edges = {e for e in clause_edges if e.head in outer_nouns} - pictures
    return graph.relabel(dropped_edges, "advmod").relabel(pictures, "det").relabel(outer_edges, "dep")


def _find_formal_arguments(graph: DependencyGraph) -> set[Dependency]:
    """Return the edges to arguments that are formal nouns after a clause with a verb."""
    nouns = {e.head for e in graph.edges_of("acl") if is_verb(graph.token(e.dependent))}
    nouns = {noun for noun in nouns if graph.text(noun) in _CONTENT_CLAUSE_NOUNS}
    return {e for noun in nouns for e in graph.parents_like(noun, "nsubj", "obj", "obl")}


_CONTENT_CLAUSE_NOUNS = frozenset("ところ 所 様子 こと 姿 状態 場面".split())
