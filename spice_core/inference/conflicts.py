"""Search for contradictions between two scene graphs.

A tuple contradicts another only if both are clearly about the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from spice_core.inference.lexicon import Lexicon
from spice_core.inference.prover import Proof, Prover, TupleIndex
from spice_core.inference.rules import InferenceRules, PropertyValues
from spice_core.inference.verdicts import Contradiction
from spice_core.scene.graph import Concept, Element, Mention, SceneTuple
from spice_core.syntax.document import Token


class ConflictSearch:
    """Search for tuples in one graph that exclude a tuple of the other."""

    def __init__(self, own_index: TupleIndex, other_index: TupleIndex, rules: InferenceRules, lexicon: Lexicon, prover: Prover):
        self._own_side, self._other_side = _Side(own_index, lexicon), _Side(other_index, lexicon)
        self._rules, self._lexicon, self._prover = rules, lexicon, prover

    def find_contradiction(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the first contradiction between a tuple and the other graph, or None."""
        if tuple_.kind == "object":
            return None
        find_conflict = self._find_conflicting_value if tuple_.kind == "attribute" else self._find_conflicting_relation
        return find_conflict(tuple_)

    def _find_conflicting_value(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the contradiction between an attribute and another value of the same property, or None."""
        properties = [(prop, value) for word in sorted(tuple_.concepts[1].words) for prop, value in self._rules.values_of.get(word, ())]
        if not properties or not self._own_side.is_description(tuple_):
            return None
        own_thing, other_thing = (side.only_thing(tuple_.concepts[0]) for side in (self._own_side, self._other_side))
        if not own_thing or not other_thing or not self._may_be_same_thing(own_thing, other_thing):
            return None
        for prop, value in dict.fromkeys(properties):
            if not value.isdisjoint(self._rules.words_of_class("side")):  # "left" identifies one of two hands rather than describing it
                continue
            values = (
                side.values(element, prop, self._rules) for side, element in ((self._own_side, own_thing), (self._other_side, other_thing))
            )
            conflict = self._find_other_value(tuple_, prop, *values)
            if conflict and conflict[1] != value and not self._is_unclear(own_thing, other_thing, prop, value, conflict[1]):
                return Contradiction(tuple_, conflict[0], "exclusive")
        return None

    def _find_other_value(
        self, tuple_: SceneTuple, prop: PropertyValues, own_attributes: Sequence[SceneTuple], other_attributes: Sequence[SceneTuple]
    ) -> tuple[SceneTuple, frozenset[str]] | None:
        """Return the other side's only attribute without a counterpart, with its value, or None.

        The result is None unless both sides agree on all other attributes: a white and black cat is not white and brown, but a yellow and
        red train may be called red. The result is also None if a word such as "striped" describes either thing.
        """
        remaining = [attribute for attribute in own_attributes if attribute is not tuple_]
        named_words = frozenset[str]().union(*(attribute.concepts[1].words for attribute in remaining))
        different = [attribute for attribute in other_attributes if attribute.concepts[1].words.isdisjoint(named_words)]
        if len(own_attributes) != len(other_attributes) or len(remaining) == len(own_attributes) or len(different) != 1:
            return None
        words = {word for attribute in (*own_attributes, *other_attributes) for word in attribute.concepts[1].words}
        value = self._rules.value(prop, different[0].concepts[1].words)
        return (different[0], value) if value and words.isdisjoint(self._rules.words_of_class("patterned")) else None

    def _is_unclear(
        self, own_thing: Element, other_thing: Element, prop: PropertyValues, value: frozenset[str], other_value: frozenset[str]
    ) -> bool:
        """Return whether two values may belong to different members of a group, or to a thing and its part."""
        if any(not words.isdisjoint(self._rules.words_of_class("selective")) for words in prop):
            # "two chocolate donuts" or "a man beside two donuts" may mean two of six donuts
            sides = (self._own_side, own_thing), (self._other_side, other_thing)
            return any(
                sum(map(side.is_description, side.index.attributes[element])) > 1 or element in side.index.relations_by_object
                for side, element in sides
            )
        # some apples of a group may be red and others green
        is_group = self._lexicon.is_plural(own_thing) or self._lexicon.is_plural(other_thing)
        return is_group or self._may_describe_part(own_thing, other_thing, prop, value, other_value)

    def _may_be_same_thing(self, own_thing: Element, other_thing: Element) -> bool:
        """Return whether two things with the same name may be identical, given their owners and locations."""
        for find_concepts in (self._owners, self._landmarks):
            concepts, other_concepts = (
                list(find_concepts(side, element)) for side, element in ((self._own_side, own_thing), (self._other_side, other_thing))
            )
            if concepts and other_concepts and not any(self._lexicon.may_be_same(a, b) for a in concepts for b in other_concepts):
                return False
        return True

    def _landmarks(self, side: _Side, element: Element) -> Iterator[Concept]:
        """Yield the things that locate a thing, except settings such as a street.

        A cat on a sill and a cat at a door may be two cats, but a cat in a street and a cat on a road may be the same cat.
        """
        places, settings = self._rules.words_of_class("place"), self._rules.words_of_class("setting")
        for relation in side.index.relations_by_subject.get(element, ()):
            _, label, landmark = relation.concepts
            if any(not self._words_of_relation(word).isdisjoint(places) for word in label.words) and landmark.words.isdisjoint(settings):
                yield landmark

    def _owners(self, side: _Side, element: Element) -> Iterator[Concept]:
        """Yield the things that have, wear or hold a thing."""
        is_a, is_worn = self._lexicon.is_a, self._lexicon.is_a(element.concept.words, "clothing")
        for relation in side.index.relations_by_object.get(element, ()):
            label = relation.concepts[1].words
            if "of" not in label and (is_a(label, "owning") or (is_worn and is_a(label, "wearing"))):
                yield relation.concepts[0]
        relations = side.index.relations_by_subject.get(element, ())
        yield from (relation.concepts[2] for relation in relations if "of" in relation.concepts[1].words)

    def _may_describe_part(
        self, own_thing: Element, other_thing: Element, prop: PropertyValues, value: frozenset[str], other_value: frozenset[str]
    ) -> bool:
        """Return whether a value may belong to a part that only one side mentions: a toilet with a black seat may be called black."""
        if all(words.isdisjoint(self._rules.words_of_class(name)) for words in prop for name in ("colour", "material")):
            return False
        sides = (self._other_side, other_thing, value, self._own_side), (self._own_side, own_thing, other_value, self._other_side)
        return any(
            not value_words.isdisjoint(attribute.concepts[1].words) and not across.things(part.concept)
            for side, host, value_words, across in sides
            for part in self._parts(side, host)
            for attribute in side.index.attributes.get(part, ())
        )

    def _parts(self, side: _Side, element: Element) -> Iterator[Element]:
        """Yield the parts and possessions of a thing."""
        relations = side.index.relations_by_subject.get(element, ())
        yield from (relation.elements[2] for relation in relations if self._lexicon.is_a(relation.concepts[1].words, "having"))
        relations = side.index.relations_by_object.get(element, ())
        yield from (relation.elements[0] for relation in relations if "of" in relation.concepts[1].words)

    def _find_conflicting_relation(self, tuple_: SceneTuple) -> Contradiction | None:
        subject, relation, object_ = tuple_.concepts
        if subject.is_similar(object_):  # the names do not distinguish subject and object
            return None
        has_both = self._other_side.things(subject) and self._other_side.things(object_)
        for other in self._other_side.index.relations if has_both else ():
            first, label, last = other.concepts
            if first.is_similar(subject) and last.is_similar(object_):
                is_exclusive = any(self._exclude_each_other(a, b) for a in relation.words for b in label.words)
                if is_exclusive and self._is_clear_place(tuple_, other):
                    return Contradiction(tuple_, other, "exclusive")
            if first.is_similar(object_) and last.is_similar(subject) and label.words & relation.words and self._is_directed(tuple_):
                return Contradiction(tuple_, other, "exchanged")
        return self._find_other_side(tuple_)

    def _is_clear_place(self, tuple_: SceneTuple, other_tuple: SceneTuple) -> bool:
        """Return whether both relations clearly connect a single pair of things. Marks such as stripes may be in several places."""
        if not tuple_.concepts[0].words.isdisjoint(self._rules.words_of_class("mark")):
            return False
        return self._own_side.is_clear(tuple_) and self._other_side.is_clear(other_tuple)

    def _is_directed(self, tuple_: SceneTuple) -> bool:
        """Return whether a relation cannot hold in both directions."""
        subject, relation, object_ = (concept.words for concept in tuple_.concepts)
        if any(not self._words_of_relation(word).isdisjoint(self._rules.words_of_class("mutual")) for word in relation):
            return False
        is_deed = self._lexicon.is_action(tuple_) and not any(split_label(word)[1] for word in relation)
        if not is_deed and self._lexicon.is_a(subject, "being") is not self._lexicon.is_a(object_, "being"):
            return False
        # a field never stands in an elephant: a misparse of "a field with elephants standing in it"
        settings = [not words.isdisjoint(self._rules.words_of_class("setting")) for words in (subject, object_)]
        return settings[0] == settings[1] or all(
            self._words_of_relation(word).isdisjoint(self._rules.words_of_class("within")) for word in relation
        )

    def _find_other_side(self, tuple_: SceneTuple) -> Contradiction | None:
        """Return the contradiction between opposite directions ("left of" and "right of"), or None."""
        for subject, side, object_ in self._side_relations(tuple_):
            properties = self._rules.values_of.get(side, ())
            for prop, value in properties if properties and self._own_side.is_clear(tuple_) else ():
                for other in sorted(word for words in prop if words != value for word in words):
                    proof = self._prover.prove_relation(subject, other, object_)
                    if proof and self._is_about_sides(proof, prop, subject, object_):
                        return Contradiction(tuple_, proof.tuples[0], "exclusive")
        return None

    def _is_about_sides(self, proof: Proof, prop: PropertyValues, *things: Concept) -> bool:
        """Return whether each tuple of a proof clearly locates these things relative to each other or to one thing's side."""
        return all(self._states_place(tuple_, prop, things) for tuple_ in proof.tuples)

    def _states_place(self, tuple_: SceneTuple, prop: PropertyValues, things: Sequence[Concept]) -> bool:
        side_words = self._rules.words_of_class("side")
        if tuple_.kind == "attribute":
            return not tuple_.concepts[0].words.isdisjoint(side_words)  # a tuple about a side, such as the left side of the door
        if tuple_.kind == "object" or not self._other_side.is_clear(tuple_):
            return False
        label = tuple_.concepts[1].words
        at_side = [not concept.words.isdisjoint(side_words) for concept in tuple_.concepts[::2]]
        is_known = all(
            side or any(concept.is_similar(element) for element in things) for side, concept in zip(at_side, tuple_.concepts[::2])
        )
        places = self._rules.words_of_class("place").union(self._rules.words_of_class("containing"), *prop)
        return is_known and (any(at_side) or any(not self._words_of_relation(word).isdisjoint(places) for word in label))

    def _side_relations(self, tuple_: SceneTuple) -> Iterator[tuple[Concept, str, Concept]]:
        """Yield the relations of a tuple, alone or combined with a tuple about a side.

        (chair, to, left) and (left, of, door) together state (chair, left of, door).
        """
        subject, object_ = tuple_.elements[0], tuple_.elements[-1]
        yield from ((subject.concept, word, object_.concept) for word in tuple_.concepts[1].words)
        for first, second in self._side_chains.get(tuple_.id, ()):
            yield from ((first.elements[0].concept, f"{side} of", second.elements[-1].concept) for side in first.elements[-1].concept.words)

    @cached_property
    def _side_chains(self) -> Mapping[str, list[tuple[SceneTuple, SceneTuple]]]:
        """Pairs of relations through a side, such as (chair, to, left) and (left, of, door), by the id of either relation."""
        chains: dict[str, list[tuple[SceneTuple, SceneTuple]]] = {}
        for second in self._own_side.index.relations:
            side = second.elements[0]
            if "of" not in second.concepts[1].words or all(f"{word} of" not in self._rules.values_of for word in side.concept.words):
                continue
            for first in self._own_side.index.relations_by_object.get(side, ()):
                chains.setdefault(first.id, []).append((first, second))
                chains.setdefault(second.id, []).append((first, second))
        return chains

    def _exclude_each_other(self, a: str, b: str) -> bool:
        """Return whether two relations have mutually exclusive prepositions, and not different verbs.

        Relations with a verb such as "look" or "point" never exclude each other.
        """
        properties = {
            prop for relation in (a, b) for part in self._words_of_relation(relation) for prop, _ in self._rules.values_of.get(part, ())
        }
        for prop in (prop_ for prop_ in self._rules.exclusive if prop_ in properties):
            values = [
                (part, value)
                for relation in (a, b)
                for part in self._words_of_relation(relation)
                if (value := self._rules.value(prop, frozenset((part,))))
            ]
            if len(values) == 2 and values[0][1] != values[1][1]:
                verbs = {split_label(label)[0] for label, (part, _) in zip((a, b), values) if part != label}
                if not verbs.isdisjoint(self._rules.words_of_class("looking")):
                    return False
                return len(verbs) < 2 or Concept.is_similar(*(self._lexicon.concept(verb, "v") for verb in verbs))
        return False

    def _words_of_relation(self, relation: str) -> frozenset[str]:
        """Return a relation with and without its verb, because the rules list only the latter, such as "left of"."""
        is_known = relation in self._rules.values_of
        return frozenset(part for part in (relation, "" if is_known else split_label(relation)[1]) if part)


def split_label(label: str) -> tuple[str, str]:
    """Return the verb and the place of a label such as "sit on" or 座る（上）. The place may be empty."""
    verb, _, place = label[:-1].partition("（") if label.endswith("）") else label.partition(" ")
    return verb, place


class _Side:
    """Tuples of one graph, with the possible referents of their concepts."""

    def __init__(self, index: TupleIndex, lexicon: Lexicon):
        self.index, self._lexicon = index, lexicon
        self._things: dict[Concept, list[Element]] = {}

    def things(self, concept: Concept) -> list[Element]:
        """Return the things that a concept may refer to."""
        if concept not in self._things:
            self._things[concept] = [element for element in self.index.objects if element.concept.is_similar(concept)]
        return self._things[concept]

    def only_thing(self, concept: Concept) -> Element | None:
        """Return the only thing that a concept may refer to, or None.

        The result is None if there is no such thing or more than one, or if one sentence may mention several of them.
        """
        things = self.things(concept)
        return things[0] if len(things) == 1 and not _is_repeated_in_sentence(things[0]) else None

    def is_clear(self, relation: SceneTuple) -> bool:
        """Return whether a relation's names are unambiguous, and the subject has it to nothing else."""
        subject, label = relation.elements[0], relation.concepts[1].words
        if not all(self.only_thing(concept) for concept in relation.concepts[::2]):
            return False
        other_relations = (other for other in self.index.relations_by_subject[subject] if other.elements[2] is not relation.elements[2])
        return all(other.concepts[1].words.isdisjoint(label) for other in other_relations)

    def values(self, element: Element, prop: PropertyValues, rules: InferenceRules) -> list[SceneTuple]:
        """Return the descriptions of a thing that are values of a property or of a related one, such as all its colours."""
        related_values = rules.related_values(prop)
        return [
            attribute
            for attribute in self.index.attributes.get(element, ())
            if self.is_description(attribute)
            and any(not related_values.isdisjoint((word, *word.split("-"))) for word in attribute.concepts[1].words)
        ]

    def is_description(self, attribute: SceneTuple) -> bool:
        """Return whether a caption uses an attribute to describe its object.

        A verb ("browned in butter") or a plural noun ("a couple glasses") is not a description.
        """
        words, plural_tags, word_class = attribute.concepts[1].words, self._lexicon.plural_tags, self._lexicon.word_class
        tokens = [mention.proposition.tokens[1] for mention in attribute.mentions if len(mention.proposition.tokens) > 1]
        return not tokens or any(
            not any(t.tag in plural_tags or (word_class(t.tag) == "VERB" and t.lemma in words) for t in group) for group in tokens
        )


def _is_repeated_in_sentence(element: Element) -> bool:
    """Return whether a sentence mentions a thing more than once.

    The mentions may be different things, as in "a deer next to a small deer".
    """
    places: dict[tuple[int, int], int] = {}
    for mention in element.mentions:
        tokens = _tokens(mention)
        if tokens and places.setdefault((mention.caption, mention.proposition.sentence), tokens[-1].index) != tokens[-1].index:
            return True
    return False


def _tokens(mention: Mention) -> Sequence[Token]:
    tokens = mention.proposition.tokens
    return tokens[mention.part] if mention.part < len(tokens) else ()
