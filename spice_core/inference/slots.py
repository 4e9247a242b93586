"""Search for contradictions in slots: the same participant with another action, place or object, or the same action with another participant.

A caption need not say everything, so only fillers that exclude each other count, and only if both sides are clearly about the same
participant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spice_core.inference.conflicts import split_label
from spice_core.inference.lexicon import Lexicon
from spice_core.inference.prover import TupleIndex
from spice_core.inference.rules import InferenceRules, PropertyValues
from spice_core.inference.verdicts import Contradiction
from spice_core.scene.graph import Concept, Element, SceneTuple


class SlotSearch:
    """Search for tuples of one graph that fill a slot of the same participant, or the participant of the same event, otherwise."""

    def __init__(self, own_index: TupleIndex, other_index: TupleIndex, rules: InferenceRules, lexicon: Lexicon):
        self._own, self._other, self._rules, self._lexicon = own_index, other_index, rules, lexicon
        self._counterparts: dict[Element, Element | None] = {}
        self._values_by_tuple: dict[tuple[str, str], Mapping[PropertyValues, frozenset[str]]] = {}

    def find_contradiction(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the first contradiction between a tuple and the other graph, or None."""
        if tuple_.kind == "object" or not self._rules.slots:
            return None
        subject = tuple_.elements[0]
        counterpart = self._find_counterpart(subject)
        if counterpart:
            conflict = self._find_other_filler(
                tuple_, *(_tuples_about(*pair) for pair in ((self._own, subject), (self._other, counterpart)))
            )
        else:
            conflict = self._find_other_participant(tuple_)
        return Contradiction(tuple_, conflict, "exclusive") if conflict else None

    def _find_counterpart(self, subject: Element) -> Element | None:
        """Return the only possible counterpart of a thing on the other side if the thing is also its only counterpart, or None."""
        if subject not in self._counterparts:
            matching = self._find_same_named(subject.concept, self._other)
            is_clear = len(matching) == 1 and self._find_same_named(matching[0].concept, self._own) == [subject]
            self._counterparts[subject] = matching[0] if is_clear and self._is_one_for_one(subject, matching[0]) else None
        return self._counterparts[subject]

    def _find_same_named(self, concept: Concept, index: TupleIndex) -> list[Element]:
        """Return the things of one side with a name of the concept or a narrower name, else a broader name, else the other persons.

        A musician may be a man, but a woman cannot.
        """
        entails, is_a = self._lexicon.entails, self._lexicon.is_a
        same = [each for each in index.objects if each.concept.is_similar(concept) or entails(each.concept.words, concept.words)]
        found = same or [element for element in index.objects if entails(concept.words, element.concept.words)]
        persons = [each for each in index.objects if is_a(each.concept.words, "person")] if is_a(concept.words, "person") else []
        return found or ([] if any(self._excludes_participant(concept.words, each.concept.words) for each in persons) else persons)

    def _is_one_for_one(self, a: Element, b: Element) -> bool:
        """Return whether no caption marks either thing as one of several ("the other man"), and neither may be a member of the other."""
        attributes = [each for index in (self._own, self._other) for element in (a, b) for each in index.attributes.get(element, ())]
        if any(not attribute.concepts[1].words.isdisjoint(self._rules.words_of_class("member")) for attribute in attributes):
            return False
        return a.concept.is_similar(b.concept) or self._lexicon.is_plural(a) is self._lexicon.is_plural(b)

    def _find_other_filler(self, tuple_: SceneTuple, own_tuples: list[SceneTuple], others: list[SceneTuple]) -> SceneTuple | None:
        """Return a tuple about the same participant that excludes this tuple, or None.

        The result is None if either side fills the slot with values that exclude each other, because it then describes several things.
        """
        verbs = {part for label in tuple_.concepts[1].words for part in (label, split_label(label)[0])}
        for slot in (slot for slot in self._rules.slots if slot in ("action", "event", "place") or slot in verbs):
            for prop, value in self._values(tuple_, slot).items():
                rivals = [other for other in others if slot != "event" or _have_same_object(tuple_, other)]
                own_values = {each for own in own_tuples if (each := self._values(own, slot).get(prop))}
                other_values = {each: other for other in rivals if (each := self._values(other, slot).get(prop))}
                if len(own_values) == 1 and len(other_values) == 1 and value not in other_values:
                    return other_values.popitem()[1]
        return None

    def _values(self, tuple_: SceneTuple, slot: str) -> Mapping[PropertyValues, frozenset[str]]:
        """Return the values of a slot's properties in a tuple."""
        key = tuple_.id, slot
        if key not in self._values_by_tuple:
            values_of = self._rules.slots[slot]
            self._values_by_tuple[key] = dict(pair for word in sorted(self._fillers(tuple_, slot)) for pair in values_of.get(word, ()))
        return self._values_by_tuple[key]

    def _fillers(self, tuple_: SceneTuple, slot: str) -> Iterator[str]:
        """Yield the words that fill a slot in a tuple.

        These are the verb, with and without its object, the place, or the object of the verb after which the slot is named. The name of a
        thing and its other attributes may also tell what it does and where it is: a skier skis in the snow.
        """
        labels = tuple_.concepts[min(1, len(tuple_.concepts) - 1)].words
        if slot == "action" and not self._lexicon.is_a(tuple_.concepts[0].words, "being"):
            return  # posture is not informative for things: hydrants both sit and stand
        if tuple_.kind == "relation":
            yield from (filler for label in labels for filler in self._fillers_of_label(label, tuple_.concepts[2].words, slot))
        elif tuple_.kind == "object":
            yield from labels if self._lexicon.is_a(labels, "person") else ()
        elif slot in ("action", "event") or (slot == "place" and self._lexicon.is_a(labels, "place_adverb")):
            yield from (word for label in labels for word in (label, split_label(label)[0]))

    def _fillers_of_label(self, label: str, words: frozenset[str], slot: str) -> Iterator[str]:
        """Yield the words that fill a slot in a relation with this label and this object."""
        verb, place = split_label(label)
        if slot == "event" and not words.isdisjoint(self._rules.words_of_class("area")):
            return  # a place as large as a park is no conflict
        if slot in ("action", "event"):
            yield from (verb, *(f"{label} {word}" for word in words))
        elif slot != "place":
            yield from words if slot in (verb, label) else ()
        elif verb in self._rules.words_of_class("looking"):
            return
        elif label.rpartition(" ")[2] in self._rules.words_of_class("within_place"):
            yield from words
        elif {label, place} & self._rules.words_of_class("near_place"):
            yield from (f"near {word}" for word in words)

    def _find_other_participant(self, tuple_: SceneTuple) -> SceneTuple | None:
        """Return a tuple that states the same event with an excluding participant, or None.

        Each participant must lack a counterpart on the other side.
        """
        if not self._lexicon.is_action(tuple_):
            return None
        subject, labels = tuple_.concepts[0], tuple_.concepts[1]
        candidates = self._other.relations if tuple_.kind == "relation" else [a for group in self._other.attributes.values() for a in group]
        for other in candidates:
            first, label = other.concepts[:2]
            if not (labels.is_similar(label) and self._excludes_participant(subject.words, first.words)):
                continue
            if tuple_.kind == "relation" and not self._lexicon.may_be_same(tuple_.concepts[2], other.concepts[2]):
                continue
            is_absent = not any(self._lexicon.may_be_same(subject, element.concept) for element in self._other.objects)
            if is_absent and not any(self._lexicon.may_be_same(first, element.concept) for element in self._own.objects):
                return other
        return None

    def _excludes_participant(self, words: frozenset[str], others: frozenset[str]) -> bool:
        """Return whether two things are of mutually exclusive kinds."""
        for kinds in self._rules.exclusive_kinds:
            values = [{kind for kind in kinds if self._lexicon.is_a(side, kind)} for side in (words, others)]
            if all(len(value) == 1 for value in values) and values[0] != values[1]:
                return True
        return False


def _tuples_about(index: TupleIndex, element: Element) -> list[SceneTuple]:
    object_tuple = index.objects[element]
    return [*([object_tuple] if object_tuple else []), *index.about(element)]


def _have_same_object(a: SceneTuple, b: SceneTuple) -> bool:
    return len(a.concepts) == len(b.concepts) and (len(a.concepts) < 3 or a.concepts[2].is_similar(b.concepts[2]))
