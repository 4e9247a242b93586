"""Implicit subjects of clauses: participles, relative clauses, purpose clauses and complements.

The label of an added subject shows its source: ``nsubj:acl`` for the noun before a participle, ``nsubj:relcl`` for the
noun of a relative clause, and ``nsubj:control`` for an argument of the matrix clause. Labels of passive subjects end in
``:pass``.
"""

from __future__ import annotations

from spice_core.lang.en.discourse.mentions import kind_of_noun
from spice_core.lang.en.grammar import base_relation, has_subject, is_noun, is_predicate, subjects_of
from spice_core.lang.en.word_lists import ACTOR_NOUNS, PLACE_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_CLAUSE_RELATIONS = ("acl", "xcomp", "advcl", "dep", "parataxis")
_PATIENT_CLAUSE_RELATIONS = (*_CLAUSE_RELATIONS, "root", "conj", "amod")  # relations of participles that may have an agent
_OBJECT_CLAUSE_VERBS = frozenset("have see spot notice show depict picture photograph".split())  # verbs before an object with a place
_EVENT_NOUNS = frozenset(  # events rather than things in a place: "has lunch in the garden"
    "lunch dinner breakfast supper meal fun time rest nap drink coffee tea snack chat talk".split()
)
_SUBJECT_CONTROL_VERBS = frozenset("use get take make have".split())  # verbs whose subject controls a purpose clause: "uses a knife to cut"
_OBJECT_CONTROL_VERBS = frozenset(  # verbs whose object controls the clause, even if it is a thing: "a valve allows water to flow"
    "allow cause enable force get help want expect like need let keep leave set tell ask order urge push lead prepare get see watch hear "
    "feel find catch show send invite persuade encourage permit warn teach train direct trigger".split()
)
_PLACEMENT_VERBS = frozenset(
    "park seat perch locate place position situate gather dock moor stack pile set pose lean line sit stand lay".split()
)

# verbs whose agent can be a place: "a house surrounded by trees", "a car hit by a tree"
_STATIC_VERBS = frozenset(
    "surround cover hit block shade flank border frame enclose line separate divide hide obscure support shadow overshadow dwarf fill "
    "decorate light illuminate connect link join crush damage strike top back follow protect crowd overgrow dominate cause form create power".split()
)

_POSSESSION_VERBS = frozenset(
    "wear hold carry ride".split()
)  # verbs of possession: in "people wearing helmets standing next to bikes", the people stand

_BODILY_VERBS = frozenset(
    "hold ride wear play eat watch swing throw catch read smile talk walk ski surf skate hug pet feed kick graze sleep chew drink look pose "
    "brush jump carry balance sit stand run cut cook prepare try use do take make perform enjoy text snowboard skateboard swim demand protest chant shout "
    "celebrate cheer search greet fight march dance sing kneel pray smoke wait queue shop chat beg wave".split()
)


def mark_participle_agents(graph: DependencyGraph) -> DependencyGraph:
    """Make a by-phrase the agent of its participle ("surrounded by lemons"), unless it is a place.

    Also label the subject of a participle without an auxiliary as passive.
    """

    def relabel(edge: Dependency) -> Dependency:
        if not edge.head:
            return edge
        is_agent = _takes_agent(graph, edge) and not _is_locative_by_phrase(graph, edge)
        return edge._replace(relation="obl:agent" if is_agent else "obl:by")

    graph = graph.map_edges(relabel, "obl:by", "obl:agent")
    return graph.map_edges(lambda e: e._replace(relation="nsubj:pass") if _is_acted_on(graph, e.head) else e, "nsubj")


def _takes_agent(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a by-phrase depends on a passive participle."""
    if edge.relation == "obl:agent":
        return True
    is_participle = graph.tag(edge.head) in ("VBN", "VBD") and not graph.has_child(edge.head, "obj")
    return is_participle and any(base_relation(parent) in _PATIENT_CLAUSE_RELATIONS for parent in graph.parents(edge.head))


def _is_locative_by_phrase(graph: DependencyGraph, edge: Dependency) -> bool:
    """Return whether a by-phrase is a location, or "by itself"."""
    verb, noun = graph.lemma(edge.head), graph.lemma(edge.dependent)
    return verb in _PLACEMENT_VERBS or (noun in PLACE_NOUNS and verb not in _STATIC_VERBS) or noun.endswith(("self", "selves"))


def _is_acted_on(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a verb is passive, so that its subject is not the agent."""
    if graph.has_child(verb, "obj", "aux", "cop"):
        return False
    return graph.tag(verb) == "VBN" or graph.has_child(verb, "obl:agent")


def fill_relative_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Give each noun with a relative clause the role of "that", "which" or "who", or the missing role.

    The step is code, because the role depends on all arguments of the clause.
    """
    if "acl:relcl" not in graph.relations:
        return graph
    for noun, verb, _ in [e for e in graph.edges_of("acl:relcl") if e.head]:
        # A conjunct of a clause with "where" or "when" has no gap.
        if not any(_has_place_adverb(graph, clause) for clause in graph.heads_by(verb, "conj")):
            graph = _fill_gap(graph, noun, verb)
    return graph.with_unique_edges(graph.edges)


def _fill_gap(graph: DependencyGraph, noun: int, verb: int) -> DependencyGraph:
    """Give a noun its role in the relative clause with this verb."""
    children = graph.children(verb)
    pronoun = next((e for e in children if _is_relative(graph, e.dependent)), None)
    graph_without_pronoun = graph.remove(pronoun) if pronoun and not pronoun.relation.startswith("mark") else graph
    if whose := _find_whose_edge(graph, verb):
        return graph_without_pronoun.replace(whose, whose._replace(dependent=noun))
    if pronoun and pronoun.relation.startswith(("nsubj", "obl")):
        return graph_without_pronoun.add(_role_edge(pronoun, verb, noun))
    if not has_subject(graph, verb):
        return (
            graph_without_pronoun
            if _has_place_adverb(graph, verb)
            else graph_without_pronoun.add(
                Dependency(verb, noun, "nsubj:relcl:pass" if _is_passive(graph_without_pronoun, verb) else "nsubj:relcl")
            )
        )
    return graph_without_pronoun if _has_no_gap(graph, verb) else graph_without_pronoun.add(Dependency(verb, noun, "obj"))


def _role_edge(pronoun: Dependency, verb: int, noun: int) -> Dependency:
    """Return the edge that gives the noun the role of the pronoun. The label of a subject becomes ``nsubj:relcl``."""
    return Dependency(verb, noun, pronoun.relation.replace("nsubj", "nsubj:relcl"))


def _find_whose_edge(graph: DependencyGraph, verb: int) -> Dependency | None:
    """Return the edge from an argument of the verb to "whose", or None if there is none."""
    arguments = {e.dependent for e in graph.children(verb)}
    return next((e for e in graph.edges_of("nmod:poss") if e.head in arguments and graph.tag(e.dependent) == "WP$"), None)


def _has_place_adverb(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a clause has "where", "when" or the like, so that it has no gap."""
    return any(graph.tag(e.dependent) == "WRB" for e in graph.children(verb))


def _is_relative(graph: DependencyGraph, index: int) -> bool:
    return graph.tag(index) in ("WDT", "WP") or (graph.lemma(index) == "that" and graph.tag(index) in ("IN", "DT"))


def _has_no_gap(graph: DependencyGraph, verb: int) -> bool:
    """Return whether a relative clause has no gap for its noun."""
    arguments = graph.children(verb, "obj", "ccomp", "xcomp", "cop")
    return _has_place_adverb(graph, verb) or any(not _is_relative(graph, e.dependent) for e in arguments)


def attach_participles_to_actors(graph: DependencyGraph) -> DependencyGraph:
    """Move a participle that needs a person or animal as its subject from a place or thing to the actor above.

    In "a man in a defensive stance holding a racquet", the man holds the racquet.
    """

    def attach(edge: Dependency) -> Dependency:
        if graph.lemma(edge.dependent) not in _BODILY_VERBS or graph.tag(edge.dependent) != "VBG":
            return edge
        return edge._replace(head=_find_nearest_actor(graph, edge.head) or edge.head)

    return graph.map_edges(attach, "acl")


def _find_nearest_actor(graph: DependencyGraph, noun: int) -> int:
    """Return the nearest person or animal among a noun and the nouns above it, or 0."""
    for _ in range(len(graph.tokens) + 1):
        if not noun or graph.lemma(noun) in ACTOR_NOUNS or kind_of_noun(graph.lemma(noun)) != "thing":
            break
        noun = _find_noun_above(graph, noun)
    return noun


def _find_noun_above(graph: DependencyGraph, noun: int) -> int:
    """Return the noun that a noun's phrase modifies, or the subject of the verb that it modifies, or 0."""
    e = next((e for e in graph.parents(noun) if e.relation != "conj"), None)
    is_worn = e is not None and e.relation == "obj" and graph.lemma(e.head) in _POSSESSION_VERBS
    if not e or not e.head or not (is_worn or e.relation.startswith(("nmod:", "obl:"))) or e.relation == "nmod:poss":
        return 0
    if is_noun(graph, e.head):
        return e.head
    if subject := graph.child_like(e.head, "nsubj"):
        return subject
    clause = next((c for c in graph.parents(e.head) if c.relation != "conj"), None)
    return clause.head if clause and clause.relation.startswith("acl") else 0


def add_controlled_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Add subjects of participles, purpose clauses, "while" clauses and open complements, from the root down.

    The step is code, because a clause may take the subject that the step added to the clause above it.
    """
    for clause in _clauses_from_root(graph):
        verb = clause.dependent
        if _lacks_subject(graph, clause):
            kind, words = _find_controllers(graph, clause)
            label = f"nsubj:{kind}:pass" if _is_passive(graph, verb) else f"nsubj:{kind}"
            graph = graph.add(*(Dependency(verb, word, label) for word in words if word != verb))
    return graph.with_unique_edges(graph.edges)


def _clauses_from_root(graph: DependencyGraph) -> list[Dependency]:
    """Return the edges to clauses that may lack a subject, in breadth-first order from the root."""
    clauses = {e for e in graph.edges if e.head and e.relation != "acl:relcl" and base_relation(e) in _CLAUSE_RELATIONS}
    heads = {e.head for e in clauses}
    ordered_clauses = (e for head in graph.breadth_first() if head in heads for e in sorted(graph.children(head))) if clauses else ()
    return [e for e in dict.fromkeys(ordered_clauses) if e in clauses]


def _lacks_subject(graph: DependencyGraph, clause: Dependency) -> bool:
    """Return whether the predicate of a clause has no subject, or shares the subject of a coordinated participle."""
    verb = clause.dependent
    is_nominal_complement = clause.relation == "xcomp" and graph.has_child(verb, "cop")  # "wants to be a player"
    subjects = graph.children_like(verb, "nsubj", "csubj", "expl")
    shares_subject = clause.relation == "acl" and all(e.relation.startswith("nsubj:acl") for e in subjects)  # "men and women walking"
    return (is_nominal_complement or is_predicate(graph, verb)) and (shares_subject or not subjects)


def _find_controllers(graph: DependencyGraph, clause: Dependency) -> tuple[str, list[int]]:
    """Return the subtype of the added subject relation ("acl" or "control") and the words that become subjects of the clause."""
    head = clause.head
    if is_noun(graph, head) and not (graph.has_child(head, "cop") and has_subject(graph, head)):  # "behind him is a man waving"
        return "acl", [] if _is_purpose_of_thing(graph, clause) else [head]
    if clause.relation == "xcomp" and (objects := _acting_objects(graph, clause)):
        return "control", objects
    words = subjects_of(graph, head)
    if not words and graph.tag(head).startswith("J"):
        words = [e.head for e in graph.parents(head, "amod")]
    return "control", words


def _acting_objects(graph: DependencyGraph, clause: Dependency) -> list[int]:
    """Return the objects of the matrix verb that are subjects of its complement: the batter in "helps the batter to hit"."""
    head, verb = clause.head, clause.dependent
    awaited_object = next((e.dependent for e in graph.children(head, "obl:for") if graph.child(verb, "mark") == e.dependent + 1), 0)
    objects = [awaited_object] if awaited_object else [e.dependent for e in graph.children(head, "obj") if is_noun(graph, e.dependent)]
    is_infinitive = any(graph.tag(e.dependent) == "TO" for e in graph.children(verb, "mark"))
    if not is_infinitive or awaited_object:
        return [] if graph.lemma(head) in _SUBJECT_CONTROL_VERBS and graph.tag(verb) == "VBG" else objects
    if graph.lemma(head) in _SUBJECT_CONTROL_VERBS:
        return []
    return [noun for noun in objects if graph.lemma(head) in _OBJECT_CONTROL_VERBS or kind_of_noun(graph.lemma(noun)) != "thing"]


def _is_purpose_of_thing(graph: DependencyGraph, clause: Dependency) -> bool:
    """Return whether a clause states the purpose of a thing: in "a tree to climb", the tree does not climb."""
    if clause.relation != "acl" or graph.lemma(clause.head) in ACTOR_NOUNS or kind_of_noun(graph.lemma(clause.head)) == "person":
        return False
    return any(graph.tag(e.dependent) == "TO" for e in graph.children(clause.dependent, "mark"))


def form_with_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Attach the subject of a clause with "with", "without" or "for" to the word that the clause modifies, like a phrase.

    Examples are "a bay with the sun rising" and "waits for her to come".
    """
    out = []
    for clause in graph.edges if "mark" in graph.relations else ():
        mark_word = graph.word(graph.child(clause.dependent, "mark"))
        if (
            mark_word not in ("with", "without", "for")
            or not clause.head
            or base_relation(clause) not in ("advcl", "acl", "xcomp", "ccomp")
        ):
            continue
        head = clause.head
        phrase = f"{'obl' if graph.tag(head)[:1] in ('V', 'J', 'R') else 'nmod'}:{mark_word}"
        out += [Dependency(head, subject, phrase) for subject in subjects_of(graph, clause.dependent)]
    return graph.add(*out)


def attach_places_after_have(graph: DependencyGraph) -> DependencyGraph:
    """Attach a place after the object of "have", "see" and the like to that object.

    The step is code, because of several objects only the last counts.
    """
    object_by_verb = {
        e.head: e.dependent for e in graph.edges_of("obj") if graph.lemma(e.head) in _OBJECT_CLAUSE_VERBS and is_noun(graph, e.dependent)
    }
    object_by_verb = {
        verb: noun for verb, noun in object_by_verb.items() if graph.lemma(verb) != "have" or graph.lemma(noun) not in _EVENT_NOUNS
    }

    def attach(edge: Dependency) -> Dependency:
        object_ = object_by_verb.get(edge.head, 0)
        if (
            not object_ or not edge.relation.startswith("obl:") or edge.dependent < object_ or edge.relation == "obl:to"
        ):  # "shows a slice to a woman"
            return edge
        return Dependency(object_, edge.dependent, f"nmod:{edge.relation.partition(':')[2]}")

    return graph.map_edges(attach) if object_by_verb else graph


def _is_passive(graph: DependencyGraph, verb: int) -> bool:
    if graph.has_child(verb, "aux:pass"):
        return True
    if graph.tag(verb) not in ("VBN", "VBD") or graph.has_child(verb, "obj"):
        return False
    return not any(graph.lemma(e.dependent) == "have" for e in graph.children(verb, "aux"))
