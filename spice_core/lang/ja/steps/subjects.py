"""Steps that find implicit subjects, some in the way of the 2023 program."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.steps.clauses import is_passive
from spice_core.lang.ja.steps.program_2023 import SLOT_RELATIONS
from spice_core.lang.ja.trees import (
    EdgesByHead,
    edges_by_dependent,
    edges_by_head,
    has_relation,
    is_verb,
    is_verbal,
    particles_of,
    phrase_of,
)
from spice_core.syntax.document import Dependency
from spice_core.syntax.enhancement import Edges, Tokens, edge_step

_CONNECTIVE_ENDING = re.compile(r".*(?:ので|のに|ば|[ただ]ら|(?<![てで])から|(?<!よう)と|間に?|うちに|後に?|あと)[、，]?.?")
ZERO_SUBJECT_RELATION = "nsubj:zero"  # relation of an implicit subject


def _subjects_by_predicate(edges: Iterable[Dependency]) -> dict[int, list[int]]:
    subjects: dict[int, list[int]] = {}
    for edge in edges:
        if edge.relation in ("nsubj", ZERO_SUBJECT_RELATION):
            subjects.setdefault(edge.head, []).append(edge.dependent)
    return subjects


def _chained_clauses(tokens: Tokens, edges: Edges) -> list[Dependency]:
    """Return the edges from a verb to the verb of an adverbial clause, in the order of the sentence."""
    return sorted(
        (e for e in edges if e.relation == "advcl" and e.head and is_verb(tokens[e.dependent - 1]) and is_verb(tokens[e.head - 1])),
        key=lambda e: e.dependent,
    )


def _dependent_clauses(tokens: Tokens, edges: Edges, by_head: EdgesByHead) -> list[Dependency]:
    """Return the edges to adverbial clauses in the order of the sentence, including copular clauses and adjectives before a comma."""

    def is_clause_head(index: int) -> bool:
        token = tokens[index - 1]
        if is_verb(token):
            return True
        if not is_verbal(token):
            return has_relation(by_head, index, "cop") and has_relation(by_head, index, "nsubj")  # 犬は茶色で、
        is_connective = any(
            e.dependent == index + 1 and tokens[index].text in ("で", "て") for e in by_head.get(index, ())
        )  # 新鮮で|おいしい
        return (
            is_connective
            or has_relation(by_head, index, "nsubj")
            or any(e.relation == "punct" and tokens[e.dependent - 1].text == "、" for e in by_head.get(index, ()))
        )

    clause_edges = (e for e in edges if e.relation == "advcl" and e.head and is_clause_head(e.dependent) and is_verbal(tokens[e.head - 1]))
    return sorted(clause_edges, key=lambda e: e.dependent)


class SubjectSharer:
    """Adds implicit subjects to clauses without one; extends ``edges`` and ``subjects`` in place."""

    def __init__(self, tokens: Tokens, edges: Edges):
        self.edges, self.subjects = list(edges), _subjects_by_predicate(edges)
        self._tokens, self._below = tokens, edges_by_head(edges)
        self.clauses = _dependent_clauses(tokens, edges, self._below)

    def give_subjects(self, clause: int, subjects: list[int]) -> None:
        """Give implicit subjects to a clause that has none."""
        self.subjects[clause] = subjects
        self.edges.extend(Dependency(clause, s, ZERO_SUBJECT_RELATION) for s in subjects)

    def share(self, clauses: list[Dependency]) -> None:
        """Share subjects along these dependencies between clauses until nothing changes."""
        for edge in clauses:  # 客が飴を|なめながら|石段を上り、人々が騒ぐ
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

    def dependencies_to(self, clause: int) -> list[Dependency]:
        """Return the dependencies between clauses that lead to this one, in the order of ``clauses``."""
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
        """Return whether a reason or condition has a subject with が, which is not that of the main clause: 雨が降っているので|傘を差す."""
        if not self._is_connective_clause(edge.dependent):
            if self._is_left_by_event(edge):
                return True
            return any(
                self._tokens[s - 1].text in word_lists.WEATHER_NOUNS for s in self.subjects.get(edge.dependent, ())
            ) and self._is_action(edge.head)
        return not any({"は", "も"} & set(particles_of(self._tokens, self._below, s)) for s in self.subjects.get(edge.dependent, ()))

    def _is_left_by_event(self, edge: Dependency) -> bool:
        """Return whether a thing with が is the subject of an event, and the other clause needs a person: 試合が中止になり、|家でゲームをした."""
        things = [s for s in self.subjects.get(edge.dependent, ()) if "が" in particles_of(self._tokens, self._below, s)]
        things = [s for s in things if not word_lists.is_animate(phrase_of(self._tokens, self._below, s))]
        is_change = self._tokens[edge.dependent - 1].lemma in ("なる", "始まる", "終わる")
        return is_change and bool(things) and self._tokens[edge.head - 1].lemma in word_lists.PERSONAL_VERBS

    def _is_other_doer(self, edge: Dependency) -> bool:
        """Return whether a noun with が after a condition is not the agent of the condition: 水を注ぐと|氷がとける, 扉を開けたら|犬が来た."""
        tokens, by_head = self._tokens, self._below
        later_subjects = [s for s in self.subjects.get(edge.head, ()) if s > edge.dependent and "が" in particles_of(tokens, by_head, s)]
        if later_subjects and any(tokens[a.dependent - 1].text in ("たら", "だら", "と") for a in by_head.get(edge.dependent, ())):
            return True
        things = [s for s in self.subjects.get(edge.head, ()) if not word_lists.is_animate(phrase_of(tokens, by_head, s))]
        return bool(things) and self._is_connective_clause(edge.dependent) and self._is_action(edge.dependent)

    def _is_action(self, clause: int) -> bool:
        """Return whether a clause names an action on a thing."""
        return self._tokens[clause - 1].lemma in word_lists.TRANSITIVE_VERBS and has_relation(self._below, clause, "obj")

    def _is_connective_clause(self, clause: int) -> bool:
        """Return whether a clause ends in ので, から, と, ば or たら, and so is a reason or condition."""
        ends = [e.dependent for e in self._below.get(clause, ()) if e.dependent > clause and e.relation in ("mark", "aux")]
        text = "".join(t.text for t in self._tokens[clause : max(ends, default=clause) + 1])
        return _CONNECTIVE_ENDING.fullmatch(text) is not None

    def _accompanies(self, clause: int) -> bool:
        """Return whether a clause ends in ながら or つつ, and so has the subject of the clause that it depends on."""
        return any(self._tokens[e.dependent - 1].text in ("ながら", "つつ") for e in self._below.get(clause, ()))

    def _is_agentless(self, edge: Dependency) -> bool:
        """Return whether the sentence does not name who performs the action of a clause: 並べて|置かれている, 見て、|虹が出ている."""
        tokens, by_head = self._tokens, self._below
        if tokens[edge.dependent - 1].lemma in ("見る", "みる") and not any(
            b.dependent < edge.dependent and b.relation != "discourse" for b in by_head[edge.dependent]
        ):
            return any(b.relation == "punct" for b in by_head[edge.dependent])
        is_active = tokens[edge.dependent - 1].lemma in word_lists.TRANSITIVE_VERBS and not has_relation(by_head, edge.dependent, "obj")
        return is_active and is_passive(tokens, by_head, edge.head) and not is_passive(tokens, by_head, edge.dependent)


@edge_step
def share_subjects(tokens: Tokens, edges: Edges) -> Edges:
    """Resolve zero anaphora: give a clause without a subject the subject of its coordinate clause."""
    sharer = SubjectSharer(tokens, edges)
    sharer.share(sharer.clauses)
    return tuple(sharer.edges)


@edge_step
def share_subjects_around_clauses(tokens: Tokens, edges: Edges) -> Edges:
    """Share a person between a clause before a noun and the verb above: 男性が|焼いたピザを|食べる, 手に持ったボールを|男性が|投げる."""
    subjects, by_head, heads = _subjects_by_predicate(edges), edges_by_head(edges), edges_by_dependent(edges)
    out = list(edges)
    for edge in edges:
        clause = edge.dependent
        if edge.relation != "acl" or not is_verb(tokens[clause - 1]) or not edge.head:
            continue
        for verb in _predicates_above(heads.get(edge.head, ()), clause):
            giver, taker = (clause, verb) if clause in subjects else (verb, clause)
            giver_subjects = [s for s in subjects.get(giver, ()) if s != edge.head and word_lists.is_animate(phrase_of(tokens, by_head, s))]
            if giver_subjects and taker not in subjects and is_verb(tokens[taker - 1]):
                subjects[taker] = giver_subjects
                out += [Dependency(taker, s, ZERO_SUBJECT_RELATION) for s in giver_subjects]
    return tuple(out)


def _predicates_above(clause_edges: Iterable[Dependency], clause: int) -> list[int]:
    """Return the predicates of which a noun is an object or place, except the clause before the noun."""
    return [e.head for e in clause_edges if e.head != clause and (e.relation == "obj" or e.relation.startswith("obl:"))]


@edge_step
def copy_subjects(tokens: Tokens, edges: Edges) -> Edges:
    """Resolve zero anaphora like the 2023 program: clauses copy the subject of another even if they have one."""
    subjects = _subjects_by_predicate(edges)
    out = list(edges)
    for edge in _chained_clauses(tokens, edges):
        giver, taker = (edge.head, edge.dependent) if edge.head in subjects else (edge.dependent, edge.head)
        for s in subjects.get(giver, ())[:1]:
            if s not in subjects.setdefault(taker, []):
                subjects[taker].append(s)
                out.append(Dependency(taker, s, ZERO_SUBJECT_RELATION))
    return tuple(dict.fromkeys(out))


@edge_step
def share_subjects_by_object(tokens: Tokens, edges: Edges) -> Edges:
    """Resolve zero anaphora through a shared object: give predicates with a common object the same subject."""
    subjects = _subjects_by_predicate(edges)
    out = list(edges)
    arguments = [e for e in edges if e.head and e.relation in SLOT_RELATIONS]
    for edge in arguments:
        if edge.head not in subjects:
            name = tokens[edge.dependent - 1].text
            giver = next((a.head for a in arguments if a.head in subjects and tokens[a.dependent - 1].text == name), None)
            if giver:
                subjects[edge.head] = subjects[giver][:1]
                out += [Dependency(edge.head, s, ZERO_SUBJECT_RELATION) for s in subjects[edge.head]]
    return tuple(out)


@edge_step
def merge_nodes_by_text(tokens: Tokens, edges: Edges) -> Edges:
    """Share subjects and arguments among predicates with equal text, which are one node in the 2023 program."""
    nodes_by_text: dict[str, list[int]] = {}
    for token in tokens:
        if is_verbal(token):
            nodes_by_text.setdefault(token.lemma, []).append(token.index)
    groups = {i: group for group in nodes_by_text.values() if len(group) > 1 for i in group}
    if not groups:
        return edges
    merged_edges = [
        e._replace(head=i)
        for e in edges
        if e.head in groups and (e.relation in ("nsubj", ZERO_SUBJECT_RELATION) or e.relation in SLOT_RELATIONS)
        for i in groups[e.head]
    ]
    return tuple(dict.fromkeys([*edges, *merged_edges]))
