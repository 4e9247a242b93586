"""Search for contradictions by filled slots: one side says that somebody does something else, somewhere else, to something else.

A caption need not say everything, so only fillers that exclude each other count, and only if both sides are clearly about the same
participant.
"""

from __future__ import annotations

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

    def find(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the first contradiction between a tuple and the other graph, or None."""
        if tuple_.kind == "object" or not self._rules.slots:
            return None
        subject = tuple_.elements[0]
        counterpart = self._find_counterpart(subject)
        if counterpart:
            conflict = self._find_other_filler(tuple_, self._own.about(subject), self._other.about(counterpart))
        else:
            conflict = self._find_other_participant(tuple_)
        return Contradiction(tuple_, conflict, "exclusive") if conflict else None

    def _find_counterpart(self, subject: Element) -> Element | None:
        """Return the only thing of the other side that may be the same thing, if this thing is also the only one for it, or None."""
        if subject not in self._counterparts:
            matching = [element for element in self._other.objects if self._may_be_same(subject.concept, element.concept)]
            rivals = [element for element in self._own.objects if matching and self._may_be_same(element.concept, matching[0].concept)]
            is_clear = len(matching) == 1 and len(rivals) == 1 and not any(map(self._is_member, (subject, matching[0])))
            self._counterparts[subject] = matching[0] if is_clear else None
        return self._counterparts[subject]

    def _may_be_same(self, a: Concept, b: Concept) -> bool:
        return a.is_similar(b) or bool(self._lexicon.entails(a.words, b.words) or self._lexicon.entails(b.words, a.words))

    def _is_member(self, element: Element) -> bool:
        """Return whether a caption calls a thing one of several, such as "the other man"."""
        attributes = (*self._own.attributes.get(element, ()), *self._other.attributes.get(element, ()))
        return any(not attribute.concepts[1].words.isdisjoint(self._rules.words_of_class("member")) for attribute in attributes)

    def _find_other_filler(self, tuple_: SceneTuple, own_tuples: list[SceneTuple], others: list[SceneTuple]) -> SceneTuple | None:
        """Return a tuple about the same participant that excludes a tuple, or None.

        The result is None if either side fills the slot with values that exclude each other, because it then describes several things.
        """
        for slot, properties in self._rules.slots.items():
            filler = self._filler(tuple_, slot)
            fillers = [(self._filler(other, slot), other) for other in others] if filler else []
            own_fillers = [self._filler(other, slot) for other in own_tuples] if filler else []
            for prop in properties:
                value = self._value(filler, prop)
                other_values = {value_: other for filler_, other in fillers if (value_ := self._value(filler_, prop))}
                own_values = {value_ for filler_ in own_fillers if (value_ := self._value(filler_, prop))}
                if value and len(own_values) == 1 and len(other_values) == 1 and value not in other_values:
                    return next(iter(other_values.values()))
        return None

    def _filler(self, tuple_: SceneTuple, slot: str) -> frozenset[str]:
        """Return the words that fill a slot in a tuple: the verb, the place, or the object of the verb after which the slot is named."""
        labels = tuple_.concepts[1].words
        if slot == "action":
            return frozenset(split_label(label)[0] for label in labels)
        if tuple_.kind != "relation":
            return frozenset()
        if slot == "place":
            is_place = any(label.rpartition(" ")[2] in self._rules.words_of_class("within_place") for label in labels)
        else:
            is_place = any(split_label(label)[0] == slot for label in labels)
        return tuple_.concepts[2].words if is_place else frozenset()

    def _value(self, words: frozenset[str], prop: PropertyValues) -> frozenset[str]:
        return next((value for value in prop if not value.isdisjoint(words)), frozenset()) if words else words

    def _find_other_participant(self, tuple_: SceneTuple) -> SceneTuple | None:
        """Return a tuple that states the same event of a participant that excludes that of a tuple, or None.

        Each participant must lack a counterpart on the other side.
        """
        if not self._is_action(tuple_):
            return None
        subject, labels = tuple_.concepts[0], tuple_.concepts[1]
        candidates = self._other.relations if tuple_.kind == "relation" else [a for group in self._other.attributes.values() for a in group]
        for other in candidates:
            first, label = other.concepts[:2]
            if not (labels.is_similar(label) and self._excludes_participant(subject.words, first.words)):
                continue
            if tuple_.kind == "relation" and not self._may_be_same(tuple_.concepts[2], other.concepts[2]):
                continue
            is_absent = not any(self._may_be_same(subject, element.concept) for element in self._other.objects)
            if is_absent and not any(self._may_be_same(first, element.concept) for element in self._own.objects):
                return other
        return None

    def _excludes_participant(self, words: frozenset[str], others: frozenset[str]) -> bool:
        """Return whether two things belong to different kinds that exclude each other."""
        for kinds in self._rules.exclusive_kinds:
            values = [{kind for kind in kinds if self._lexicon.is_a(side, kind)} for side in (words, others)]
            if all(len(value) == 1 for value in values) and values[0] != values[1]:
                return True
        return False

    def _is_action(self, tuple_: SceneTuple) -> bool:
        """Return whether a caption states an attribute or a relation by a verb."""
        places = (mention.proposition.tokens[1:2] for mention in tuple_.mentions)
        return any(self._lexicon.word_class(token.tag) == "VERB" for place in places for tokens in place for token in tokens)
