"""Conventions that the tuple of a proposed rule must follow: what a predicate or an attribute may be, and of which things."""

from __future__ import annotations

from collections.abc import Callable

from spice_core.rules.conditions import Bindings
from spice_core.rules.ruleset import Rule
from spice_core.syntax.dependency_graph import DependencyGraph

_NOUN_CLASSES, _ATTRIBUTE_CLASSES = ("NOUN", "PROPN", "NUM"), ("ADJ", "NUM", "NOUN", "PROPN")
_NOUN_MODIFIERS = ("compound", "nmod", "flat", "appos", "amod", "nummod", "nsubj", "acl")
_CLAUSE_RELATIONS = ("xcomp", "advcl", "conj", "ccomp", "parataxis", "acl")
_OBJECTS, _OBLIQUES = ("obj", "dobj", "iobj"), ("obl", "nmod")


class TupleConventions:
    """Checks whether a rule's tuple follows the conventions of gold graphs.

    Attributes:
        graph: The graph of the sentence.
        word_class: The function that returns the part of speech (UPOS) for a tag.
        joins_prepositions: Whether the label of a relation contains the preposition after its verb ("sit on").
    """

    def __init__(self, graph: DependencyGraph, word_class: Callable[[str], str], *, joins_prepositions: bool):
        self.graph, self.word_class, self.joins_prepositions = graph, word_class, joins_prepositions

    def are_followed(self, rule: Rule, bindings: Bindings) -> bool:
        """Return whether things are nouns, a predicate is a verb or a preposition of the subject, and an attribute describes its object.

        A predicate that the rule states literally, such as "have", is accepted between words that an edge joins.
        """
        parts = [[bindings.get(name, name) for name, _ in part] for part in rule.template]
        subject, last = parts[0][0], parts[-1][0]
        if len(parts) < 2 or not (isinstance(subject, int) and isinstance(last, int) and self._is_noun(subject)):
            return False
        if len(parts) == 2:
            return self._is_attribute(subject, last)
        if not self._is_noun(last):
            return False
        verbs, links = [value for value in parts[1] if isinstance(value, int)], [value for value in parts[1] if isinstance(value, str)]
        if any(link.startswith('"') for link in links):
            return any({e.head, e.dependent} == {subject, last} for e in self.graph.edges)
        if not verbs:
            return self._is_preposition(subject, last, links[0])
        return len(verbs) == 1 and self._is_predicate(verbs[0]) and self._relates(subject, verbs[0], last, bool(links))

    def _is_noun(self, word: int) -> bool:
        return self._class(word) in _NOUN_CLASSES

    def _class(self, word: int) -> str:
        return self.word_class(self.graph.tag(word))

    def _is_predicate(self, word: int) -> bool:
        """Return whether a word is a verb, or a noun used as a verb, such as 料理 (cooking) with a subject or object."""
        has_arguments = self.graph.has_child_like(word, "nsubj", "obj") and not self.graph.has_child(word, "cop")
        return self._class(word) == "VERB" or (not self.joins_prepositions and self._class(word) == "NOUN" and has_arguments)

    def _is_attribute(self, noun: int, word: int) -> bool:
        if self._is_predicate(word):
            return self._is_subject(noun, word)
        edges = [e for e in self.graph.edges if {e.head, e.dependent} == {noun, word}]
        has_case = self.graph.has_child(word, "case") and self._class(word) != "ADJ"
        is_direct = any(
            _base_relation(e.relation) in _NOUN_MODIFIERS and (e.head == noun or _base_relation(e.relation) == "nsubj") for e in edges
        )
        is_adjective = self._class(word) == "ADJ" and self._is_subject(noun, word)
        return self._class(word) in _ATTRIBUTE_CLASSES and not has_case and (is_direct or is_adjective)

    def _is_preposition(self, subject: int, noun: int, link: str) -> bool:
        """Return whether the preposition links a noun to the subject, or to the subject's predicate adjective."""
        heads = [e.head for e in self.graph.parents(noun) if e.relation.partition(":")[2].replace("_", " ") == link and e.head]
        predicates = (head for head in heads if self._class(head) == "ADJ" and not self.graph.has_parent(head, "amod"))
        return subject in heads or any(self._is_subject(subject, head) for head in predicates)

    def _relates(self, subject: int, verb: int, noun: int, has_link: bool) -> bool:
        if has_link and not self.joins_prepositions:
            return False
        is_agent = any(e.relation.endswith(":agent") for e in self.graph.children(verb) if e.dependent == subject)
        objects = _OBLIQUES if has_link else _OBJECTS if self.joins_prepositions else (*_OBJECTS, *_OBLIQUES)
        governed = {_base_relation(e.relation) for e in self.graph.children(verb) if e.dependent == noun}
        if is_agent:
            return any(relation.startswith("nsubj") for relation in governed)
        is_relative = not has_link and any(_base_relation(e.relation) == "acl" and e.head == noun for e in self.graph.parents(verb))
        is_governed = not governed.isdisjoint(objects)
        return self._is_subject(subject, verb) and (
            is_governed or (is_relative and any(e.dependent == subject for e in self.graph.children_like(verb, "nsubj")))
        )

    def _is_subject(self, noun: int, word: int, seen: frozenset[int] = frozenset()) -> bool:
        """Return whether a noun is the subject of a verb or adjective, directly or through a clause."""
        subjects = [e.dependent for e in self.graph.children_like(word, "nsubj")]
        if noun in subjects:
            return True
        parents = [e for e in self.graph.parents(word) if e.head and e.head not in seen]
        if any(e.head == noun and _base_relation(e.relation) in ("acl", "amod") for e in parents):
            return not subjects
        return not subjects and any(
            _base_relation(e.relation) in _CLAUSE_RELATIONS and not self._is_noun(e.head) and self._is_subject(noun, e.head, seen | {word})
            for e in parents
        )


def _base_relation(relation: str) -> str:
    return relation.partition(":")[0]
