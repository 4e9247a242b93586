"""Alternative readings of garden-path sentences: another main verb, another end of a noun phrase, another subject."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from spice_core.lang.en.grammar import attach_all, edge_of, is_noun
from spice_core.lang.en.lemmas import Lemmas
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency, Token, find_cycle

_FINITE_VERB_TAGS = ("VBZ", "VBP", "VBD")
_PAST_TAGS = ("VBN", "VBD")
_CLAUSE_RELATIONS = ("conj", "advcl", "ccomp", "xcomp", "parataxis")
_MODIFIER_RELATIONS = ("compound", "nmod", "amod")
_VERB_RELATION_BY_NOUN_RELATION, _NOUN_RELATION_BY_VERB_RELATION = {"nmod": "obl", "acl": "advcl"}, {"obl": "nmod", "advcl": "acl"}


def garden_path_readings(graph: DependencyGraph) -> Iterator[DependencyGraph]:
    """Yield variants of the tree in which one word or clause is parsed differently, each with one root."""
    for token in graph.tokens:
        for find_readings in _READINGS:
            yield from filter(_is_tree, find_readings(graph, token))


def _is_tree(graph: DependencyGraph) -> bool:
    return [e.head for e in graph.edges].count(0) == 1 and not find_cycle(graph.edges)


def _reanalyse_verb_as_noun(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a plural verb after a singular subject a noun, and the noun before it part of its compound: "a view of a hotdog stand"."""
    verb, noun = token.index, token.index - 1
    subject = graph.last_child(verb, "nsubj")
    if token.tag not in ("VBP", "VB") or not 0 < subject <= noun or not is_noun(graph, noun):
        return
    if graph.tag(subject) != "NN" or graph.has_child(subject, "conj"):
        return
    phrase_edges = attach_all(graph.children(noun), verb)
    following_edges = [
        e._replace(relation=_NOUN_RELATION_BY_VERB_RELATION.get(e.relation, e.relation)) for e in graph.children_after(verb, verb)
    ]
    moved_edges = (
        [] if noun == subject else [edge_of(graph, noun)._replace(dependent=verb), edge_of(graph, verb)._replace(dependent=subject)]
    )
    yield revise_sentence(graph, {verb: "NN"}, [*phrase_edges, *following_edges, *moved_edges, Dependency(verb, noun, "compound")])


def _reanalyse_noun_as_main_verb(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make the last noun of a phrase the main verb: "a goalie in white runs for a ball"."""
    head, noun = edge_of(graph, token.index).head, token.index - 1
    if token.tag not in ("NN", "NNS") or not head or not _has_preposition_and_modifier(graph, token.index):
        return
    clause = 0 if is_noun(graph, head) else head
    if not clause and (is_noun(graph, noun) or graph.lemma(noun - 1) != "in"):
        return
    subject = graph.last_child(clause, "nsubj") or _topmost_noun(graph, edge_of(graph, clause).head if clause else head)
    if 0 < subject <= noun and (graph.tag(subject) == "NNS") != (token.tag == "NNS"):
        tags = {token.index: "VBZ" if token.tag == "NNS" else "VBP"}
        yield revise_sentence(
            graph, tags if is_noun(graph, noun) else {**tags, noun: "NN"}, _edges_of_main_verb(graph, token.index, subject, clause)
        )


def _has_preposition_and_modifier(graph: DependencyGraph, noun: int) -> bool:
    """Return whether a noun has a preposition and is directly preceded by a modifier."""
    has_modifier = any(e.dependent == noun - 1 and e.relation in ("amod", "compound") for e in graph.children(noun))
    return has_modifier and any(e.relation == "case" for e in graph.children_before(noun, noun))


def _edges_of_main_verb(graph: DependencyGraph, verb: int, subject: int, clause: int) -> list[Dependency]:
    """Return the new edges after the last word of a phrase becomes the main verb of a subject.

    ``clause`` is the verb of a clause that describes the subject, or 0 if there is none.
    """
    subject_edge, noun = edge_of(graph, subject), verb - 1
    is_of_clause = clause != 0 and subject_edge.head == clause
    old_edge = edge_of(graph, clause) if is_of_clause else subject_edge
    new_edges = attach_all(graph.children_before(verb, verb), noun)
    new_edges += [
        e._replace(head=verb, relation=_VERB_RELATION_BY_NOUN_RELATION.get(e.relation, e.relation))
        for word in {subject, clause, verb} - {0}
        for e in graph.children_after(word, verb)
    ]
    new_edges += [edge_of(graph, verb)._replace(dependent=noun), old_edge._replace(dependent=verb), Dependency(verb, subject, "nsubj")]
    return [*new_edges, Dependency(subject, clause, "acl")] if is_of_clause else new_edges


def _reanalyse_participle_as_action(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a word in -ing at the end of a noun phrase the action of the right noun above it: "in a red shirt cooking"."""
    verb, noun = token.index, token.index - 1
    if not is_noun(graph, verb) or not has_ending(token, "ing") or not is_noun(graph, noun):
        return
    edge, preceding_edges = edge_of(graph, verb), graph.children_before(verb, verb)
    if not any(e.dependent == noun and e.relation in _MODIFIER_RELATIONS for e in preceding_edges):
        return
    phrase_edges = [*attach_all(preceding_edges, noun), edge._replace(dependent=noun)]
    for head in dict.fromkeys((edge.head, noun)):
        if head:
            relation = "acl" if is_noun(graph, head) else "advcl"
            yield revise_sentence(graph, {verb: "VBG"}, [*phrase_edges, Dependency(head, verb, relation)])


def _reanalyse_participle_as_compound(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make the object of a participle a noun with the participle and the preceding noun as modifiers: "on a people lined street"."""
    edge, noun, first_noun = edge_of(graph, token.index), token.index + 1, token.index - 1
    if token.tag not in ("VBN", "VBG") or edge.relation != "acl" or not is_noun(graph, first_noun):
        return
    first_edge = edge_of(graph, first_noun)
    if edge.head in (first_noun, first_edge.head) and Dependency(token.index, noun, "obj") in graph.children(token.index):
        noun_edges = attach_all((e for e in graph.children(first_noun) if e is not edge), noun)
        noun_edges += [first_edge._replace(dependent=noun), Dependency(token.index, first_noun, "compound")]
        yield revise_sentence(graph, {}, [*noun_edges, Dependency(noun, token.index, "amod")])


def _reanalyse_past_as_participle(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a past tense a participle of its subject, and a later verb the main verb: "the kids dressed as pirates bury treasure"."""
    subject = graph.last_child(token.index, "nsubj")
    if token.tag not in _PAST_TAGS or not 0 < subject < token.index:
        return
    for edge in graph.children_after(token.index, token.index):
        if edge.relation in _CLAUSE_RELATIONS and graph.tag(edge.dependent) in _FINITE_VERB_TAGS:
            main_edges = [edge_of(graph, token.index)._replace(dependent=edge.dependent), Dependency(edge.dependent, subject, "nsubj")]
            subject_edges, tags = _reattach_former_subject(graph, token, edge.dependent)
            yield revise_sentence(
                graph, {token.index: "VBN", **tags}, [*main_edges, Dependency(subject, token.index, "acl"), *subject_edges]
            )


def _reanalyse_main_verb_as_participle(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make the main verb a participle of the preceding noun, within the subject: "a table by a wall covered with ivy"."""
    verb, previous_word = token.index, token.index - 1
    subject = graph.last_child(verb, "nsubj") or graph.last_child(verb, "nsubj:pass")
    if token.tag not in _PAST_TAGS or not 0 < subject < previous_word or graph.has_child_like(verb, "aux"):
        return
    if is_noun(graph, previous_word) and subject in _ancestors(graph, previous_word):
        subject_edges = attach_all(graph.children_before(verb, subject), subject)
        new_subject_edge = edge_of(graph, verb)._replace(dependent=subject)
        yield revise_sentence(graph, {verb: "VBN"}, [*subject_edges, new_subject_edge, Dependency(previous_word, verb, "acl")])


def _reattach_former_subject(graph: DependencyGraph, participle: Token, verb: int) -> tuple[list[Dependency], dict[int, str]]:
    """Return the edges and tags that attach the former subject of the main verb: as a conjunct, in a phrase, or as an object."""
    subject = graph.last_child(verb, "nsubj")
    if not subject:
        return [], {}
    if link := next((e for e in graph.children_before(verb, subject) if e.relation in ("cc", "mark")), None):
        return _reattach_noun(graph, participle.index, subject, link), {}
    verbs = [t for t in graph.tokens[participle.index : subject - 1] if t.tag.startswith("VB") or has_ending(t, "ing")]
    taker = (verbs or [participle])[-1].index
    return [Dependency(taker, subject, "obj")], {taker: "VBG"} if is_noun(graph, taker) else {}


def _reattach_noun(graph: DependencyGraph, participle: int, noun: int, link: Dependency) -> list[Dependency]:
    """Return the edges that coordinate a noun after a conjunction with the noun before it, or attach a noun with its preposition."""
    preceding_arguments = [e.dependent for e in graph.children_before(participle, noun) if e.relation in ("obj", "obl")]
    if link.relation == "cc" and preceding_arguments:
        return [Dependency(preceding_arguments[-1], noun, "conj"), link._replace(head=noun)]
    return [Dependency(participle, noun, "obl"), Dependency(noun, link.dependent, "case")]


def _reanalyse_noun_as_subject(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a noun before a verb without a subject that subject: "as one person confronts the camera", "watches a friend slide"."""
    edge = edge_of(graph, token.index)
    relations = {"advcl": ("obl",), "ccomp": ("obj", "obl")}.get(edge.relation, ())
    if not relations or not token.tag.startswith("VB") or graph.has_child_like(token.index, "nsubj", "expl"):
        return
    for e in reversed(graph.children(edge.head, *relations)):
        if edge.head < e.dependent < token.index and not graph.has_child(e.dependent, "case"):
            yield revise_sentence(graph, {}, [Dependency(token.index, e.dependent, "nsubj")])


def _reanalyse_plural_as_recipient(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a plural before an object the indirect object: "feeding ducks bread"."""
    edge = edge_of(graph, token.index)
    if token.tag == "NNS" and edge == Dependency(token.index + 1, token.index, "compound"):
        head_edge = edge_of(graph, edge.head)
        if head_edge.relation == "obj":
            preceding_edges = attach_all(graph.children_before(edge.head, token.index), token.index)
            yield revise_sentence(graph, {}, [*preceding_edges, Dependency(head_edge.head, token.index, "iobj")])


def _reanalyse_state_or_object(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make an adverbial adjective a complement ("falls asleep"), a complement an adverbial, or an unattached noun an object."""
    edge = edge_of(graph, token.index)
    other_relation = {("JJ", "advmod"): "xcomp", ("JJ", "xcomp"): "advcl", ("NN", "dep"): "obj"}.get((token.tag[:2], edge.relation))
    if other_relation:
        yield revise_sentence(graph, {}, [edge._replace(relation=other_relation)])


def _reanalyse_place_as_object(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make an oblique without a preposition the object of the verb before it."""
    edge = edge_of(graph, token.index)
    if is_noun(graph, token.index) and edge.relation == "obl" and not graph.has_child(token.index, "case"):
        verb = next((t.index for t in reversed(graph.tokens[: token.index - 1]) if t.tag.startswith("VB")), edge.head)
        yield revise_sentence(graph, {}, [Dependency(verb, token.index, "obj")])


def _reanalyse_verb_as_object(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Tag an object as a plural noun if it is tagged as a finite verb."""
    if edge_of(graph, token.index).relation == "obj" and token.tag == "VBZ":
        yield revise_sentence(graph, {token.index: "NNS"}, [])


def _reanalyse_aside_as_relative_clause(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make a parenthetical clause a relative clause of the noun before its subject: "a place they know"."""
    if edge_of(graph, token.index).relation == "parataxis" and (subject := graph.last_child(token.index, "nsubj")):
        nouns = [t.index for t in graph.tokens[: subject - 1] if is_noun(graph, t.index)]
        yield from (revise_sentence(graph, {}, [Dependency(noun, token.index, "acl:relcl")]) for noun in nouns[-1:])


def _reanalyse_verb_as_possessive(graph: DependencyGraph, token: Token) -> Iterator[DependencyGraph]:
    """Make the copula "'s" a possessive marker: "out of it's center"."""
    owner, edge = token.index - 1, edge_of(graph, token.index)
    if owner and token.tag == "VBZ" and token.text in ("'s", "’s") and edge.relation == "cop":
        case_edges = attach_all(graph.children(owner, "case"), edge.head)
        new_edges = [*case_edges, Dependency(edge.head, owner, "nmod:poss"), Dependency(owner, token.index, "case")]
        yield revise_sentence(graph, {token.index: "POS"}, new_edges)


_READINGS = (
    *(
        _reanalyse_verb_as_noun,
        _reanalyse_noun_as_main_verb,
        _reanalyse_participle_as_action,
        _reanalyse_participle_as_compound,
        _reanalyse_past_as_participle,
        _reanalyse_main_verb_as_participle,
    ),
    *(
        _reanalyse_noun_as_subject,
        _reanalyse_plural_as_recipient,
        _reanalyse_state_or_object,
        _reanalyse_place_as_object,
        _reanalyse_verb_as_object,
        _reanalyse_aside_as_relative_clause,
        _reanalyse_verb_as_possessive,
    ),
)


def _ancestors(graph: DependencyGraph, index: int) -> list[int]:
    """Return the head of a word, the head of that head, and so on, except the root node 0."""
    out = []
    while index := edge_of(graph, index).head:
        out.append(index)
    return out


def _topmost_noun(graph: DependencyGraph, index: int) -> int:
    """Return the topmost noun of nested phrases, or 0 if ``index`` is 0."""
    while index and edge_of(graph, index).relation == "nmod":
        index = edge_of(graph, index).head
    return index


_LEMMAS_PATH = Path(__file__).parents[1] / "models" / "caption" / "lemmas.json"


def revise_sentence(graph: DependencyGraph, tags: Mapping[int, str], edges: Iterable[Dependency]) -> DependencyGraph:
    """Return the tree with new tags (by word index), matching lemmas, and new edges in place of their dependents' edges."""
    tokens = (
        t._replace(tag=tags[t.index], lemma=_load_lemmas().lemma(t.text, tags[t.index])) if t.index in tags else t for t in graph.tokens
    )
    return DependencyGraph(tuple(tokens), graph.revise(edges).edges)


@cache
def _load_lemmas() -> Lemmas:
    return Lemmas.read(_LEMMAS_PATH, use_wordnet=True)


def has_ending(token: Token, ending: str) -> bool:
    """Return whether the word has this ending and a stem of more than two letters."""
    return token.text.lower().endswith(ending) and len(token.text) > len(ending) + 2
