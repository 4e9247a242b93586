"""Repairs of contradictions between tags and edges, which the network predicts independently for each word.

Each repair preserves the tree: it has one root, and one edge for each word, in the order of the words.
"""

from __future__ import annotations

import re

from spice_core.lang.en.grammar import attach_all, edge_of, is_noun
from spice_core.lang.en.parsers.likely_trees import is_tree
from spice_core.lang.en.word_lists import COLOUR_WORDS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_ADVERB = re.compile(
    r"([a-z]+)-(?:by|to|in)-\1|(?:in|out)doors|(?:up|down)stairs|(?:up|down|in|out|for|back|side)wards"
)  # words that the network may mistake for nouns
_GERUND_VERB_STEMS = ("enjoy", "practi", "love", "loving", "like", "hat", "start", "begin", "stop", "quit", "go")
_CLAUSE_CONJUNCTIONS = ("and", "but", "while")
_PRESENT_TAGS = ("VBZ", "VBP")
_VERB_TAG_BY_NOUN_TAG = {"NN": "VBP", "NNS": "VBZ"}  # correct tags of verbs by the tagger's wrong tag
_CLAUSE_RELATIONS = ("root", "conj", "advcl", "parataxis", "ccomp")
_NOUN_DEPENDENT_RELATIONS = ("cop", "det", "case", "amod", "nummod", "compound", "nmod:poss", "nmod")
_PRONOMINAL_ADJECTIVES = frozenset("other same latter former next last first second third only many few little".split())  # "the other"
_ARGUMENT_RELATIONS = ("obj", "obl", "nmod", "nsubj", "nsubj:pass", "iobj")
_ADJECTIVE_DEPENDENT_RELATIONS = ("cop", "nsubj", "nsubj:pass", "conj")


def repair_tree(graph: DependencyGraph) -> DependencyGraph:
    """Return the tree with repaired edges and tags."""
    for repair in REPAIRS:
        graph = repair(graph)
    return graph


def find_conjunction(graph: DependencyGraph) -> int:
    """Return the conjunction between two finite clauses, each with a subject, that make up the sentence (0 if there is none)."""
    if graph.words.isdisjoint(_CLAUSE_CONJUNCTIONS) or not graph.has_child_like(graph.child(0, "root"), "nsubj", "expl"):
        return 0
    for conjunction in (e.dependent for e in graph.edges_of("cc", "mark") if e.dependent < e.head):
        is_clause = graph.word(conjunction) in _CLAUSE_CONJUNCTIONS and _precedes_clause(graph, conjunction)
        if is_clause and all(e.head < conjunction for e in graph.edges[: conjunction - 1] if e.relation != "punct"):
            return conjunction
    return 0


def _precedes_clause(graph: DependencyGraph, conjunction: int) -> bool:
    """Return whether a conjunction is followed by a subject and a finite verb."""
    edges = graph.edges[conjunction:]
    subject = next((e.dependent for e in edges if e.relation.startswith(("nsubj", "expl")) and e.head > conjunction), 0)
    is_phrase = all(conjunction < e.head <= subject for e in graph.edges[conjunction : subject - 1])
    return bool(subject) and is_phrase and any(t.tag in ("VBZ", "VBP", "VBD") for t in graph.tokens[subject:])


def _restore_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Make the word right before a finite verb its subject ("a player dunks", "a local rides a donkey").

    Also read a word with a subject as a verb ("an owl hoots").
    """
    subject_by_verb = {
        e.head: e.dependent
        for e in graph.edges_of("compound", "amod")
        if e.dependent == e.head - 1 and (_is_finite_clause(graph, e.head) or _is_only_verb(graph, e.head))
    }

    def change(edge: Dependency) -> Dependency:
        if subject_by_verb.get(edge.head) == edge.dependent:
            return edge._replace(relation="nsubj")
        if edge.head in subject_by_verb and edge.relation in ("det", "amod", "nummod", "nmod:poss"):
            return edge._replace(head=subject_by_verb[edge.head])
        if edge.head in subject_by_verb and edge.relation == "nmod":
            return edge._replace(relation="obl")
        return edge._replace(relation="advcl") if edge.dependent in subject_by_verb and edge.relation in ("nmod", "obl", "dep") else edge

    if subject_by_verb:
        adjectives = {word: "NN" for word in subject_by_verb.values() if graph.tag(word).startswith("JJ")}
        graph = graph.map_edges(change).revise(tags=adjectives)
    listed = (e for e in graph.edges_of("conj") if graph.tag(e.head) in _PRESENT_TAGS)
    words = [e.head for e in graph.edges_of("nsubj")]
    words += [e.dependent for e in listed if not 0 < graph.child(e.head, "obj", "obl", "xcomp") < e.dependent]  # "smiles and waves"
    verbs = [word for word in words if not graph.has_child(word, *_NOUN_DEPENDENT_RELATIONS)]
    return graph.revise(tags={verb: _VERB_TAG_BY_NOUN_TAG.get(graph.tag(verb), graph.tag(verb)) for verb in verbs})


def _is_finite_clause(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a word is the finite verb of the main clause or of another clause, such as a clause with "as" or "while"."""
    if graph.tag(verb) not in _PRESENT_TAGS:
        return False
    return graph.has_parent(verb, *_CLAUSE_RELATIONS) or any(e.relation == "mark" for e in graph.children_before(verb, verb))


def _is_only_verb(graph: DependencyGraph, word: int) -> bool:
    if graph.tag(word) != "NNS" or not graph.has_parent(word, "root") or any(t.tag.startswith("VB") for t in graph.tokens):
        return False
    return any(graph.word(e.dependent) in ("a", "an") for e in graph.children(word, "det")) and graph.word(word - 1) not in ("few", "dozen")


def _reanalyse_adjectives_as_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Tag an adjective in the position of a noun as a noun: "wins the final", "an adult dives", "in matte black"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for token in graph.tokens:
        e = graph.incoming(token.index) if token.tag.startswith("JJ") else None
        role = _role_as_noun(graph, e) if e else ""
        if e and role:
            tags[token.index] = "NN"
            new_edges.append(e._replace(relation=role))
    return graph.revise(new_edges, tags)


def _role_as_noun(graph: DependencyGraph, edge: Dependency) -> str:
    """Return the relation that an adjective would have as a noun, or "" if it cannot be a noun."""
    word = edge.dependent
    if (
        graph.word(word) in _PRONOMINAL_ADJECTIVES
        or graph.has_child(word, *_ADJECTIVE_DEPENDENT_RELATIONS)
        or (word < len(graph.tokens) and is_noun(graph, word + 1))
    ):
        return ""
    return edge.relation if edge.relation in _ARGUMENT_RELATIONS and graph.has_child(word, "det") else ""


def _reanalyse_words_in_ing(graph: DependencyGraph) -> DependencyGraph:
    """Tag the object of "enjoy" or the like as a verb ("enjoys swimming"), and a word in -ing before its noun as an adjective.

    The lemma of the adjective also ends in -ing: "kneeling angels".
    """
    gerunds = [e for e in graph.edges_of("obj") if graph.word(e.head).startswith(_GERUND_VERB_STEMS) and e.dependent == e.head + 1]
    gerunds = [
        e for e in gerunds if graph.word(e.dependent).endswith("ing") and not graph.has_child(e.dependent, *_NOUN_DEPENDENT_RELATIONS)
    ]
    graph = graph.revise((), {e.dependent: "VBG" for e in gerunds})
    participles = [e.dependent for e in graph.edges_of("amod") if graph.tag(e.dependent) == "VBG" and e.head == e.dependent + 1]
    words = [word for word in participles if not graph.has_child(word, "obl", "obj")]
    return graph.revise((), dict.fromkeys(words, "JJ")) if words else graph


def _reanalyse_objects_of_prepositions_as_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Tag an adjective with a preposition as a noun: "in blue and green", "on the left", "is in the stable"."""
    objects = [
        t.index
        for t in graph.tokens
        if t.tag == "JJ"
        and graph.has_child(t.index, "case")
        and (graph.has_parent(t.index, "nmod", "obl") or graph.has_child(t.index, "det"))
    ]
    colours = [
        e
        for e in graph.edges_of("conj")
        if {graph.word(e.head), graph.word(e.dependent)} <= COLOUR_WORDS and graph.has_child(e.head, "case")
    ]
    colours = [e for e in colours if not graph.has_child_like(e.dependent, "nmod", "obl", "acl") and not _modifies_noun(graph, e)]
    return graph.revise(tags=dict.fromkeys((*objects, *(e.dependent for e in colours)), "NN"))


def _modifies_noun(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a noun follows the coordination of an adjective: "in red and green light"."""
    last = max(e.dependent for e in graph.children(edge.head, "conj"))
    return last < len(graph.tokens) and is_noun(graph, last + 1)


def _reanalyse_left_as_direction(graph: DependencyGraph) -> DependencyGraph:
    """Tag "left" after a verb, or after the object of a request, as an adverb: "turns left", "push the block left"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for edge in graph.edges_of("xcomp", "acl", "amod") if "left" in graph.words else ():
        direction, verb = edge.dependent, edge.head if edge.relation == "xcomp" else graph.head(edge.head, "obj")
        is_request = direction > edge.head and graph.tag(verb) == "VB" and not graph.children(direction)
        if graph.word(direction) == "left" and graph.word(direction + 1) != "of" and (is_request or edge.relation == "xcomp"):
            tags[direction] = "JJ"
            new_edges += [Dependency(verb, direction, "xcomp"), *(o._replace(head=verb) for o in graph.children(direction, "obl"))]
    return graph.revise(new_edges, tags)


def _reanalyse_nouns_as_adverbs(graph: DependencyGraph) -> DependencyGraph:
    """Tag "side by side", "face-to-face" and "indoors" as adverbs where the network chose nouns or verbs."""
    adverbs = [e for e in graph.edges if graph.tag(e.dependent).startswith("NN") and _ADVERB.fullmatch(graph.word(e.dependent))]
    graph = graph.revise((e._replace(relation="advmod") for e in adverbs if e.relation == "obj"), {e.dependent: "RB" for e in adverbs})
    for first, preposition, last in zip(graph.tokens, graph.tokens[1:], graph.tokens[2:]):
        words = {first.index, preposition.index, last.index}
        if first.text.lower() != last.text.lower() or preposition.tag not in ("IN", "TO") or not first.text.isalpha():
            continue
        adverb, edge = first.index, edge_of(graph, first.index)
        noun = graph.child(adverb, "nsubj", "compound")
        is_noun_phrase = graph.has_child(adverb, "case") or (not noun and graph.has_child(adverb, "det", "nummod", "amod"))
        is_phrase = edge_of(graph, preposition.index).head == last.index != noun and edge_of(graph, last.index).head in (adverb, edge.head)
        if not is_phrase or is_noun_phrase or graph.word(adverb - 1) == "from":
            continue
        if graph.has_child(adverb, "cop") or (edge.head and not noun):
            new_edges, head = [edge if graph.has_child(adverb, "cop") else edge._replace(relation="advmod")], edge.head or adverb
        elif noun:
            new_edges, head = [edge._replace(dependent=noun), Dependency(noun, adverb, "advmod")], noun
        else:
            continue
        following_edges = [e for word in words for e in graph.children(word) if e.dependent not in {*words, noun}]
        new_edges += attach_all(following_edges, adverb if graph.has_child(adverb, "cop") else head)
        new_edges += [Dependency(adverb, word, "compound:prt") for word in (preposition.index, last.index)]
        revised_graph = graph.revise(new_edges, {adverb: "RB"})
        graph = revised_graph if is_tree([e.head for e in revised_graph.edges]) else graph
    return graph


REPAIRS = (
    _restore_clauses,
    _reanalyse_adjectives_as_nouns,
    _reanalyse_words_in_ing,
    _reanalyse_objects_of_prepositions_as_nouns,
    _reanalyse_left_as_direction,
    _reanalyse_nouns_as_adverbs,
)
