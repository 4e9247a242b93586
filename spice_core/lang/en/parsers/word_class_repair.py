"""Repairs of words with a wrong part of speech, such as nouns or verbs that the network tags as adjectives.

Each repair preserves the tree: it has one root, and one edge for each word, in the order of the words.
"""

from __future__ import annotations

from spice_core.lang.en.grammar import attach_all, edge_of, is_noun
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_PREDICATIVE_ADJECTIVES = frozenset("asleep awake afloat ablaze aglow adrift ajar aloft alive".split())
_PRONOMINAL_ADJECTIVES = frozenset("other same latter former next last first second third only many few".split())  # "the other"
_SHAPE_ADJECTIVES = frozenset("shaped sized themed flavored flavoured colored coloured".split())
_ARGUMENT_RELATIONS = ("obj", "obl", "nmod", "nsubj", "nsubj:pass", "iobj")
_ADJECTIVE_DEPENDENT_RELATIONS = ("cop", "nsubj", "nsubj:pass", "conj")
_GATHERING_NOUNS = frozenset("crowd swarm cluster flock line mob rush march parade stream".split())
_GATHERING_PREPOSITIONS = frozenset("around round onto into through over toward towards along past to".split())


def _read_predicative_adjectives(graph: DependencyGraph) -> DependencyGraph:
    """Read "asleep" and the like as adjectives: "a puppy asleep on a rug"."""
    words = [t.index for t in graph.tokens if t.text.lower() in _PREDICATIVE_ADJECTIVES and t.tag[:1] == "V"]
    clauses = [e._replace(relation="amod") for e in map(graph.incoming, words) if e and e.relation == "acl"]
    return graph.revise(clauses, dict.fromkeys(words, "JJ"))


def _read_adjectives_as_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Read an adjective in the position of a noun as a noun: "wins the final", "greets the faithful", "in matte black"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for token in graph.tokens:
        e = graph.incoming(token.index) if token.tag == "JJ" else None
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
    if edge.relation == "amod" and 0 < edge.head < graph.child(word, "case"):
        return "nmod"
    if edge.relation in ("obj", "advmod") and graph.child(word, "compound") == word - 1 and graph.tag(edge.head)[:1] == "V":
        return "obj"
    articles = [graph.word(o.dependent) for o in graph.children(word, "det")]
    return edge.relation if edge.relation in _ARGUMENT_RELATIONS and articles == ["the"] else ""


def _read_modifier_as_verb(graph: DependencyGraph) -> DependencyGraph:
    """Make a modifier between a plural subject and a predicate noun the verb if there is no copula: "mourners light candles"."""
    noun = graph.child(0, "root")
    verb, subject = noun - 1, noun - 2
    if subject < 1 or not is_noun(graph, noun) or graph.tag(subject) != "NNS" or graph.has_child(noun, "cop", "det", "case"):
        return graph
    if edge_of(graph, subject) != Dependency(noun, subject, "nsubj") or edge_of(graph, verb)[::2] not in (
        (noun, "amod"),
        (noun, "compound"),
    ):
        return graph
    if graph.tag(verb) not in ("JJ", "NN") or graph.children(verb):
        return graph
    following_edges = [e for e in graph.children(noun) if e.dependent > noun and e.relation in ("nmod", "advcl", "punct", "obl")]
    noun_edges = [e._replace(relation="obl") if e.relation == "nmod" else e for e in attach_all(following_edges, verb)]
    clause_edges = [Dependency(0, verb, "root"), Dependency(verb, noun, "obj"), Dependency(verb, subject, "nsubj")]
    return graph.revise([*noun_edges, *clause_edges], {verb: "VBP"})


def _coordinate_counted_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Coordinate a counted plural with a counted noun right after it: "2 cats 1 dog"."""
    new_edges = list[Dependency]()
    for edge in graph.edges_of("compound"):
        number_index = edge.head - 1
        if (
            graph.tag(edge.dependent) != "NNS"
            or number_index != edge.dependent + 1
            or graph.tag(number_index) != "CD"
            or not graph.has_child(edge.dependent, "nummod")
        ):
            continue
        head_edge = edge_of(graph, edge.head)
        new_edges += [
            head_edge._replace(dependent=edge.dependent),
            Dependency(edge.dependent, edge.head, "conj"),
            Dependency(edge.head, number_index, "nummod"),
        ]
        new_edges += attach_all([o for o in graph.children(edge.head) if o.dependent < edge.dependent], edge.dependent)
    return graph.revise(new_edges)


def _read_back_as_noun(graph: DependencyGraph) -> DependencyGraph:
    """Read "back" after "her" as a part of the body: "she sits there, her back turned"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for edge in graph.edges_of("advmod"):
        owner = edge.dependent - 1
        role = graph.incoming(owner)
        is_noun_role = role and role.head == edge.head and role.relation in ("nsubj", "conj") and graph.word(edge.dependent) == "back"
        if role and is_noun_role and graph.word(owner) == "her":
            new_edges += [Dependency(edge.dependent, owner, "nmod:poss"), edge._replace(relation=role.relation)]
            new_edges += [o._replace(relation="nmod") for o in graph.children(edge.dependent, "obl")]
            tags |= {owner: "PRP$", edge.dependent: "NN"}
    return graph.revise(new_edges, tags)


def _coordinate_described_nouns(graph: DependencyGraph) -> DependencyGraph:
    """Coordinate two nouns with adjectives if nothing stands between their phrases: "blue sky green grass"."""
    new_edges = list[Dependency]()
    for edge in graph.edges_of("compound"):
        noun, adjective = edge.dependent, edge.dependent + 1
        adjectives = [o for o in graph.edges_of("amod") if o.dependent == noun - 1 and o.head in (noun, edge.head)]
        if (
            adjective >= edge.head
            or edge_of(graph, adjective) != Dependency(edge.head, adjective, "amod")
            or graph.tag(adjective) != "JJ"
            or not adjectives
        ):
            continue
        head_edge = edge_of(graph, edge.head)
        new_edges += [head_edge._replace(dependent=noun), Dependency(noun, edge.head, "conj")]
        new_edges += attach_all([o for o in graph.children(edge.head) if o.dependent < noun], noun)
    return graph.revise(new_edges)


def _read_shape_as_modifier(graph: DependencyGraph) -> DependencyGraph:
    """Read "shaped" and the like between two nouns as an adjective: "a bear shaped cake"."""
    root = graph.child(0, "root")
    model, noun = root - 1, graph.child(root, "obj")
    is_bare = not graph.has_child(noun, "det", "nummod", "nmod:poss") and not graph.has_child(root, "aux", "aux:pass", "cop")
    if graph.word(root) not in _SHAPE_ADJECTIVES or not noun or edge_of(graph, model) != Dependency(root, model, "nsubj") or not is_bare:
        return graph
    first_dependent = min((e.dependent for e in graph.children(noun)), default=noun)
    if min(first_dependent, noun) != root + 1:
        return graph
    following_edges = [e._replace(relation="nmod") if e.relation == "obl" else e for e in graph.children(root) if e.dependent > noun]
    preceding_edges = [e for e in graph.children(model) if e.dependent < model]
    noun_edges = [Dependency(0, noun, "root"), Dependency(noun, root, "amod"), Dependency(noun, model, "compound")]
    return graph.revise([*noun_edges, *attach_all([*following_edges, *preceding_edges], noun)], {root: "JJ"})


def _read_missing_apostrophe(graph: DependencyGraph) -> DependencyGraph:
    """Read "mans" or "womans" before a noun as a possessive: "a mans hand"."""
    owners = [e for e in graph.edges_of("compound") if graph.word(e.dependent) in ("mans", "womans") and e.dependent < e.head]
    return graph.revise([e._replace(relation="nmod:poss") for e in owners], {e.dependent: "NNS" for e in owners})


def _read_gathering_as_verb(graph: DependencyGraph) -> DependencyGraph:
    """Read a noun such as "crowd" as the verb of the plural before it: "tourists crowd around a guide"."""
    verb = graph.child(0, "root")
    subject, place = verb - 1, graph.incoming(verb + 1)
    if graph.word(verb) not in _GATHERING_NOUNS or place is None or graph.word(verb + 1) not in _GATHERING_PREPOSITIONS:
        return graph
    if edge_of(graph, subject)[::2] != (verb, "compound") or graph.tag(subject) != "NNS" or graph.has_child(verb, "cop", "case"):
        return graph
    preceding_edges = attach_all([e for e in graph.children(verb) if e.dependent < subject], subject)
    phrases = [e._replace(relation="obl") for e in graph.children(verb, "nmod")]
    return graph.revise([*preceding_edges, *phrases, Dependency(verb, subject, "nsubj")], {verb: "VBP"})


def _read_material_as_noun(graph: DependencyGraph) -> DependencyGraph:
    """Read a participle after a comma as an adjective of the material right after it: "a model with workers, painted wood"."""
    new_edges, tags = list[Dependency](), dict[int, str]()
    for edge in graph.edges_of("amod", "acl") if "," in graph.words else ():
        noun = graph.child(edge.dependent, "obj")
        follows_comma = edge.head < edge.dependent - 1 and graph.word(edge.dependent - 1) == "," and graph.tag(edge.dependent) == "VBN"
        if follows_comma and noun == edge.dependent + 1 and graph.tag(noun) == "NN" and not graph.has_child(noun, "det"):
            new_edges += [Dependency(edge.head, noun, "conj"), Dependency(noun, edge.dependent, "amod")]
            tags[edge.dependent] = "JJ"
    return graph.revise(new_edges, tags) if new_edges else graph


def _read_titled_adjective_as_noun(graph: DependencyGraph) -> DependencyGraph:
    """Read an adjective at the beginning as a noun if a phrase depends on it: "Self-portrait with a hat"."""
    root = graph.child(0, "root")
    if root != 1 or graph.tag(root) != "JJ" or not graph.has_child(root, "nmod") or graph.has_child(root, "nsubj", "cop", "obl"):
        return graph
    return graph.revise((), {root: "NN"})


WORD_CLASS_REPAIRS = (
    _read_material_as_noun,
    _read_titled_adjective_as_noun,
    _read_gathering_as_verb,
    _read_predicative_adjectives,
    _read_adjectives_as_nouns,
    _read_modifier_as_verb,
    _coordinate_counted_nouns,
    _read_back_as_noun,
    _coordinate_described_nouns,
    _read_shape_as_modifier,
    _read_missing_apostrophe,
)
