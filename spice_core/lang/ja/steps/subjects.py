"""Steps that find implicit subjects, some as the 2023 program does."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.steps.program_2023 import SLOT_RELATIONS
from spice_core.lang.ja.trees import is_animate, is_passive, is_verb, is_verbal, particles_of
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Dependency

_CONNECTIVE_ENDING = re.compile(r".*(?:ので|のに|ば|[ただ]ら|(?<![てで])から|(?<!よう)と|間に?|うちに|後に?|あと)[、，]?.?")
ZERO_SUBJECT_RELATION = "nsubj:zero"  # relation of an implicit subject


def _subjects_by_predicate(graph: DependencyGraph) -> dict[int, list[int]]:
    subjects: dict[int, list[int]] = {}
    for edge in graph.edges_of("nsubj", ZERO_SUBJECT_RELATION):
        subjects.setdefault(edge.head, []).append(edge.dependent)
    return subjects


def _dependent_clauses(graph: DependencyGraph, is_clause: Callable[[int], bool], is_main_clause: Callable[[int], bool]) -> list[Dependency]:
    """Return the edges to adverbial clauses whose words pass these tests, in the order of the sentence."""
    clause_edges = (e for e in graph.edges_of("advcl") if e.head and is_clause(e.dependent) and is_main_clause(e.head))
    return sorted(clause_edges, key=lambda e: e.dependent)


def _heads_clause(graph: DependencyGraph, index: int) -> bool:
    """Return whether a word heads a clause: a verb, a noun with a copula, or an adjective with て, a subject or a comma."""
    token = graph.token(index)
    if is_verb(token):
        return True
    if not is_verbal(token):
        return graph.has_child(index, "cop") and graph.has_child(index, "nsubj")  # 犬は茶色で、 ("the dog is brown, and")
    is_connective = graph.text(index + 1) in ("で", "て") and index in graph.heads(index + 1)  # 新鮮で|おいしい ("fresh and tasty")
    has_comma = any(graph.text(e.dependent) == "、" for e in graph.children(index, "punct"))
    return is_connective or has_comma or graph.has_child(index, "nsubj")


class SubjectSharer:
    """Helper that adds implicit subjects to clauses, extending ``edges`` and ``subjects`` in place."""

    def __init__(self, graph: DependencyGraph):
        self.edges, self.subjects = list(graph.edges), _subjects_by_predicate(graph)
        self._graph = graph
        self.clauses = _dependent_clauses(graph, partial(_heads_clause, graph), lambda word: is_verbal(graph.token(word)))

    def give_subjects(self, clause: int, subjects: list[int]) -> None:
        """Give a clause these implicit subjects, unless it has a subject."""
        self.subjects[clause] = subjects
        self.edges.extend(Dependency(clause, s, ZERO_SUBJECT_RELATION) for s in subjects)

    def share(self, clauses: list[Dependency]) -> None:
        """Share subjects along these dependencies between clauses until nothing changes."""
        for edge in clauses:  # 客が|なめながら|上り、人々が騒ぐ ("a guest climbs, licking it, and people make noise")
            if self._accompanies(edge.dependent):
                self._take_subjects(edge.head, edge.dependent)
        is_growing = True
        while is_growing:
            took_downward = [
                self._take_subjects(e.dependent, e.head)
                for e in reversed(clauses)
                if not self._is_agentless(e) and not self._is_other_doer(e)
            ]
            took_upward = [self._take_subjects(e.head, e.dependent) for e in reversed(clauses) if not self._has_closed_subject(e)]
            is_growing = any(took_downward + took_upward)

    def connected_dependencies(self, clause: int) -> list[Dependency]:
        """Return the dependencies among all clauses connected with this one, in the order of ``clauses``."""
        dependencies, visited, stack = set[int](), {clause}, [clause]
        while stack:
            for position in self._positions_by_clause.get(stack.pop(), ()):
                dependencies.add(position)
                ends = {self.clauses[position].head, self.clauses[position].dependent} - visited
                visited |= ends
                stack += ends
        return [self.clauses[position] for position in sorted(dependencies)]

    @cached_property
    def _positions_by_clause(self) -> dict[int, list[int]]:
        """The positions in ``clauses`` of the dependencies that begin or end at a clause."""
        ends: dict[int, list[int]] = {}
        for position, e in enumerate(self.clauses):
            ends.setdefault(e.head, []).append(position)
            ends.setdefault(e.dependent, []).append(position)
        return ends

    def _take_subjects(self, taker: int, giver: int) -> bool:
        if taker in self.subjects or giver not in self.subjects:
            return False
        self.give_subjects(taker, self.subjects[giver])
        return True

    def _has_closed_subject(self, edge: Dependency) -> bool:
        """Return whether a clause and the main clause have different subjects.

        This holds for a subject without は and も in a reason or condition, for the weather, and for a thing that begins, ends or changes.
        雨が降っているので|傘を差す ("somebody holds an umbrella because it is raining").
        """
        subjects = self.subjects.get(edge.dependent, ())
        if self._is_connective_clause(edge.dependent):
            return all({"は", "も"}.isdisjoint(particles_of(self._graph, s)) for s in subjects)
        is_weather = any(self._graph.text(s) in word_lists.WEATHER_NOUNS for s in subjects)
        return self._is_left_by_event(edge) or (is_weather and self._is_action(edge.head))

    def _is_left_by_event(self, edge: Dependency) -> bool:
        """Return whether a thing with が begins, ends or changes, while the main clause needs a person.

        試合が中止になり、|家でゲームをした ("the match was cancelled, and somebody played games at home").
        """
        graph = self._graph
        things = [s for s in self.subjects.get(edge.dependent, ()) if "が" in particles_of(graph, s) and not is_animate(graph, s)]
        is_change = graph.lemma(edge.dependent) in ("なる", "始まる", "終わる")
        return is_change and bool(things) and graph.lemma(edge.head) in word_lists.PERSONAL_VERBS

    def _is_other_doer(self, edge: Dependency) -> bool:
        """Return whether the subject of the main clause is not the agent of the preceding condition.

        水を注ぐと|氷がとける ("the ice melts when somebody pours water"), 扉を開けたら|犬が来た ("when somebody opened the door, a dog
        came").
        """
        graph, subjects = self._graph, self.subjects.get(edge.head, ())
        has_later_subject = any(s > edge.dependent and "が" in particles_of(graph, s) for s in subjects)
        if has_later_subject and any(graph.text(a.dependent) in ("たら", "だら", "と") for a in graph.children(edge.dependent)):
            return True
        has_thing = any(not is_animate(graph, s) for s in subjects)
        return has_thing and self._is_connective_clause(edge.dependent) and self._is_action(edge.dependent)

    def _is_action(self, clause: int) -> bool:
        """Return whether a clause denotes an action on a thing."""
        return self._graph.lemma(clause) in word_lists.TRANSITIVE_VERBS and self._graph.has_child(clause, "obj")

    def _is_connective_clause(self, clause: int) -> bool:
        """Return whether a clause ends in ので, から, と, ば or たら, and so is a reason or condition."""
        ends = (e.dependent for e in self._graph.children(clause, "mark", "aux"))
        text = "".join(self._graph.texts_after(clause, max((0, *(end - clause for end in ends))) + 1))
        return _CONNECTIVE_ENDING.fullmatch(text) is not None

    def _accompanies(self, clause: int) -> bool:
        """Return whether a clause ends in ながら or つつ, and so has the subject of the clause that it depends on."""
        return any(self._graph.text(e.dependent) in ("ながら", "つつ") for e in self._graph.children(clause))

    def _is_agentless(self, edge: Dependency) -> bool:
        """Return whether the sentence omits the agent of a clause.

        並べて|置かれている ("has been put in a row"), 見て、|虹が出ている ("look, there is a rainbow").
        """
        graph, clause = self._graph, edge.dependent
        if graph.lemma(clause) in ("見る", "みる") and all(b.relation == "discourse" for b in graph.children_before(clause, clause)):
            return graph.has_child(clause, "punct")
        lacks_object = graph.lemma(clause) in word_lists.TRANSITIVE_VERBS and not graph.has_child(clause, "obj")
        return lacks_object and is_passive(graph, edge.head) and not is_passive(graph, clause)


def share_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Resolve zero anaphora: share subjects between each clause and the clause that it depends on."""
    sharer = SubjectSharer(graph)
    sharer.share(sharer.clauses)
    return graph.with_edges(sharer.edges)


def share_subjects_around_clauses(graph: DependencyGraph) -> DependencyGraph:
    """Share a person between a clause before a noun and the verb above.

    男性が|焼いたピザを|食べる ("a man eats the pizza that he baked"), 手に持ったボールを|男性が|投げる ("a man throws the ball that he
    holds").
    """
    subjects, out = _subjects_by_predicate(graph), list[Dependency]()
    for edge in graph.edges_of("acl"):
        clause = edge.dependent
        if not is_verb(graph.token(clause)) or not edge.head:
            continue
        for verb in _predicates_above(graph, edge.head, clause):
            giver, taker = (clause, verb) if clause in subjects else (verb, clause)
            giver_subjects = [s for s in subjects.get(giver, ()) if s != edge.head and is_animate(graph, s)]
            if giver_subjects and taker not in subjects and is_verb(graph.token(taker)):
                subjects[taker] = giver_subjects
                out += [Dependency(taker, s, ZERO_SUBJECT_RELATION) for s in giver_subjects]
    return graph.add(*out)


def _predicates_above(graph: DependencyGraph, noun: int, clause: int) -> list[int]:
    """Return the predicates of which a noun is an object or place, except the clause before the noun."""
    return [e.head for e in graph.parents(noun) if e.head != clause and (e.relation == "obj" or e.relation.startswith("obl:"))]


def copy_subjects(graph: DependencyGraph) -> DependencyGraph:
    """Resolve zero anaphora like the 2023 program, in which clauses inherit subjects even if they have one.

    A clause takes over the subject of its main clause. If the main clause has no subject, it takes over that of the clause.
    """
    subjects, out = _subjects_by_predicate(graph), list[Dependency]()
    is_verb_at = lambda word: is_verb(graph.token(word))
    for edge in _dependent_clauses(graph, is_verb_at, is_verb_at):
        giver, taker = (edge.head, edge.dependent) if edge.head in subjects else (edge.dependent, edge.head)
        for s in subjects.get(giver, ())[:1]:
            if s not in subjects.setdefault(taker, []):
                subjects[taker].append(s)
                out.append(Dependency(taker, s, ZERO_SUBJECT_RELATION))
    return graph.with_unique_edges((*graph.edges, *out))


def share_subjects_by_object(graph: DependencyGraph) -> DependencyGraph:
    """Give a predicate without a subject the subject of another predicate that has an object or oblique with the same text."""
    subjects, out = _subjects_by_predicate(graph), list[Dependency]()
    arguments = [e for e in graph.edges_of(*SLOT_RELATIONS) if e.head]
    for edge in arguments:
        if edge.head not in subjects:
            name = graph.text(edge.dependent)
            giver = next((a.head for a in arguments if a.head in subjects and graph.text(a.dependent) == name), None)
            if giver:
                subjects[edge.head] = subjects[giver][:1]
                out += [Dependency(edge.head, s, ZERO_SUBJECT_RELATION) for s in subjects[edge.head]]
    return graph.add(*out)


def merge_nodes_by_text(graph: DependencyGraph) -> DependencyGraph:
    """Share subjects and arguments among predicates with equal text, which are one node in the 2023 program."""
    nodes_by_text: dict[str, list[int]] = {}
    for token in graph.tokens:
        if is_verbal(token):
            nodes_by_text.setdefault(token.lemma, []).append(token.index)
    group_by_node = {i: group for group in nodes_by_text.values() if len(group) > 1 for i in group}
    argument_edges = graph.edges_of("nsubj", ZERO_SUBJECT_RELATION, *SLOT_RELATIONS) if group_by_node else []
    merged_edges = [e._replace(head=i) for e in argument_edges for i in group_by_node.get(e.head, ())]
    return graph.with_unique_edges((*graph.edges, *merged_edges)) if group_by_node else graph
