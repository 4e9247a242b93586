"""Alternative readings of a word: for tags that taggers confuse, the other tag with the edges that fit it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spice_core.lang.en.grammar import attach_all, edge_of, is_noun
from spice_core.lang.en.readings.garden_paths import garden_path_readings, has_ending, revise_sentence
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Sentence, Token

_NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
_MODIFIER_RELATIONS = ("amod", "compound")
_SUBJECT_RELATIONS = (*_MODIFIER_RELATIONS, "nsubj")
_PRENOMINAL_RELATIONS = ("det", "amod", "nummod", "compound", "nmod:poss", "case", "cc")
_PRE_PARTICIPLE_RELATIONS = ("det", "case", "mark", "nmod:poss", "amod")
_NOUN_ONLY_RELATIONS = ("det", "nummod", "nmod:poss", "case", "cop")
_CLAUSE_RELATIONS = ("conj", "acl", "advcl", "xcomp", "ccomp", "parataxis")
_NOUN_RELATION_BY_CLAUSE_RELATION = {"acl": "nmod", "advcl": "obl", "xcomp": "obl"}


def word_readings(sentence: Sentence) -> Iterator[Sentence]:
    """Yield variants of the sentence in which one word or clause is parsed differently, such as a noun as a verb."""
    graph = DependencyGraph(sentence.tokens, sentence.basic)
    for token in graph.tokens:
        for find_readings in (
            _reanalyse_modifier_as_verb,
            _reanalyse_noun_as_verb,
            _reanalyse_participle_as_modifier,
            _reanalyse_past_as_participle,
        ):
            yield from (_with_tree(sentence, other) for other in find_readings(graph, token))
    yield from (_with_tree(sentence, other) for other in garden_path_readings(graph))


def _with_tree(sentence: Sentence, tree: DependencyGraph) -> Sentence:
    return replace(sentence, tokens=tree.tokens, basic=tree.edges, enhanced=None)


def _reanalyse_modifier_as_verb(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a modifier in -ing or -ed the verb of the noun after it: "men are seen loading boxes", "a man riding waves"."""
    edge = edge_of(graph, token.index)
    tag = "VBG" if has_ending(token, "ing") else "VBD" if has_ending(token, "ed") else ""
    if not tag or edge.relation not in _MODIFIER_RELATIONS or edge.head <= token.index:
        return
    head_edge, preceding_edges = edge_of(graph, edge.head), graph.children_before(edge.head, token.index)
    object_edge = Dependency(token.index, edge.head, "obj")
    if subject := next((e.dependent for e in preceding_edges if e.relation in _SUBJECT_RELATIONS and is_noun(graph, e.dependent)), 0):
        subject_edges = [*attach_all(preceding_edges, subject), head_edge._replace(dependent=subject)]
        yield revise_sentence(graph, {token.index: tag}, [*subject_edges, Dependency(subject, token.index, "acl"), object_edge])
    elif not any(e.relation in _NOUN_ONLY_RELATIONS for e in preceding_edges):
        for relation in _clause_relations(graph, head_edge):
            yield revise_sentence(graph, {token.index: tag}, [Dependency(head_edge.head, token.index, relation), object_edge])


def _clause_relations(graph: DependencyGraph, head_edge: Dependency) -> list[str]:
    """Return the relations that a verb could have in place of the dependent of this edge."""
    if not head_edge.head:
        return ["root"]
    if head_edge.relation in _CLAUSE_RELATIONS:
        return [head_edge.relation]
    return ["acl"] if is_noun(graph, head_edge.head) else ["xcomp", "advcl"]


def _reanalyse_noun_as_verb(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a noun the verb of the preceding noun if the two agree in number: "a boy jumps", "two dogs run"."""
    verb, subject = token.index, token.index - 1
    if token.tag not in _NOUN_TAGS or Dependency(verb, subject, "compound") not in graph.children(verb):
        return
    preceding_edges = [e for e in graph.children_before(verb, subject) if e.relation in _PRENOMINAL_RELATIONS]
    if not _agree_in_number(graph, subject, token, preceding_edges) or any(e.relation == "case" for e in preceding_edges):
        return
    place_edges = [e._replace(relation="obl") for e in graph.children_after(verb, verb) if e.relation == "nmod"]
    new_edges = [*attach_all(preceding_edges, subject), *place_edges, Dependency(verb, subject, "nsubj")]
    yield revise_sentence(graph, {verb: "VBZ" if token.tag == "NNS" else "VBP"}, new_edges)


def _agree_in_number(graph: DependencyGraph, subject: int, verb: Token, preceding_edges: list[Dependency]) -> bool:
    """Return whether a subject with these modifiers agrees in number with a verb tagged as a noun."""
    if verb.tag == "NNS":
        return any(e.relation == "det" and graph.lemma(e.dependent) in ("a", "an", "one") for e in preceding_edges)
    return verb.tag in ("NN", "NNP") and graph.tag(subject) == "NNS"


def _reanalyse_participle_as_modifier(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a participle after an article or preposition a modifier of the next noun: "with rolling luggage"."""
    edge, noun = edge_of(graph, token.index), token.index + 1
    children = graph.children(token.index)
    if token.tag not in ("VBG", "VBN", "VBD") or Dependency(token.index, noun, "obj") not in children:
        return
    if any(e.relation in _PRE_PARTICIPLE_RELATIONS for e in graph.children_before(token.index, token.index)):
        noun_edge = edge._replace(dependent=noun, relation=_NOUN_RELATION_BY_CLAUSE_RELATION.get(edge.relation, edge.relation))
        noun_edges = [e._replace(relation="case") if e.relation == "mark" else e for e in attach_all(children, noun)]
        yield revise_sentence(graph, {token.index: "JJ"}, [*noun_edges, noun_edge, Dependency(noun, token.index, "amod")])


def _reanalyse_past_as_participle(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a past tense a participle of the preceding noun, or the reverse: "a man dressed as a clown"."""
    verb, edge = token.index, edge_of(graph, token.index)
    if not has_ending(token, "ed"):
        return
    if token.tag == "VBN" and edge.relation == "acl" and edge_of(graph, edge.head).relation == "root":
        verb_edges = attach_all(graph.children_after(edge.head, verb), verb)
        yield revise_sentence(graph, {verb: "VBD"}, [Dependency(0, verb, "root"), Dependency(verb, edge.head, "nsubj"), *verb_edges])
    elif token.tag == "VBD":
        subjects = [e.dependent for e in graph.children_before(verb, verb) if e.relation == "nsubj"]
        for subject in subjects[:1]:
            yield revise_sentence(graph, {verb: "VBN"}, [edge._replace(dependent=subject), Dependency(subject, verb, "acl")])
