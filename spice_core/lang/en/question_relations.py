"""Words that fill the slots in the phrasings of questions about relations."""

from __future__ import annotations

from functools import cached_property

from spice_core.lang.en.inflection import with_article
from spice_core.lang.en.noun_phrases import PHRASE_BOOK, Noun, is_animate, is_clothing, is_kind_of, is_part_of_whole
from spice_core.lang.en.question_scene import REGION_PREPOSITIONS, QuestionScene
from spice_core.lang.en.question_verbs import QuestionVerb, verb_slots
from spice_core.lang.en.question_words import TupleWording
from spice_core.lang.en.steps.belongings import ownership_share
from spice_core.scene.graph import SceneTuple

_WORD_LISTS = PHRASE_BOOK.words
_CONTAINER_KINDS = ("room", "building", "enclosure")


class RelationWords(TupleWording):
    def __init__(self, scene: QuestionScene, tuple_: SceneTuple):
        super().__init__(scene, tuple_)
        self.object = scene.nouns[tuple_.elements[2].id]

    @cached_property
    def label(self) -> str:
        """The relation in its most frequent wording."""
        return self.element.words[0]

    @cached_property
    def verb(self) -> QuestionVerb | None:
        """The verb of the relation, or None. Without a parse, the first word of the label counts as a verb unless it is a preposition."""
        place = self.place(1)
        if place:
            return QuestionVerb.find(place, self.place(0), self.place(2), self.label)
        verb, _, particle = self.label.partition(" ")
        is_preposition = self.label in _WORD_LISTS["place_prepositions"] | {"with", "of"} or verb in _WORD_LISTS["place_prepositions"] | {
            "of",
            "from",
            "to",
            "into",
            "like",
            "about",
        }
        return None if is_preposition else QuestionVerb(verb, particle, verb, "VB", False, False, not particle, False)

    def conditions(self) -> dict[str, object]:
        verb, label, object_lemma = self.verb, self.label, self.object.lemma
        lemma = verb.lemma if verb else label
        host, thing = self.noun.concept, self.object.concept
        return super().conditions() | {
            "object style": object_lemma in _WORD_LISTS["styles"],
            "object depth": self.tuple.elements[2].id in self.scene.depth_of_field_ids,
            "object maker": self.scene.maker_prepositions.get(self.tuple.elements[2].id) == "by" and label.endswith("by"),
            "object time": object_lemma in _WORD_LISTS["time"] and not self.object.is_plural,
            "showing": label in ("of", "show", "depict", "feature", "with", "portray"),
            "agent": verb and verb.has_agent,
            "passive": verb and verb.is_passive and not verb.has_agent and verb.text != "had",
            "have": lemma in _WORD_LISTS["have"] and not (verb and verb.following_words),
            "stative": verb and verb.is_stative,
            "object quoted": self._object_quote and not self.quote,
            "verb": verb,
            "placed": verb and lemma in _WORD_LISTS["still"],
            "other object": verb and verb.has_other_object and verb.following_words,
            "with": label == "with",
            "accompanied": label == "with" or label.endswith(" with"),
            "object elsewhere": self._is_object_elsewhere(),
            "surface": not {host, self.noun.lemma}.isdisjoint(_WORD_LISTS["surface"]),
            "container": not {host, self.noun.lemma}.isdisjoint(_WORD_LISTS["container"]) or is_kind_of(host, _CONTAINER_KINDS),
            "object fixture": thing in _WORD_LISTS["fixtures"],
            "object animate": is_animate(thing),
            "object part": is_part_of_whole(thing),
            "in": label == "in",
            "as": label == "as",
            "object clothing": is_clothing(thing),
            "of": label == "of",
            "object whole": is_part_of_whole(host) or ownership_share(thing, host) > 0,
        }

    def _is_object_elsewhere(self) -> bool:
        """Return whether the object is not at the place of the subject: "holding a stick with hills in the background"."""
        if self.tuple.elements[2].id in self.scene.separate_object_ids or self.object.lemma in _WORD_LISTS["scene_regions"]:
            return True
        verb, _, preposition = self.label.rpartition(" ")
        places = (
            t.elements[2].id for t in self.scene.tuples if t.kind == "relation" and t.words[:2] == (self.tuple.words[0], f"{verb} in")
        )
        return preposition == "with" and bool(verb) and any(self.scene.nouns[id].lemma in _WORD_LISTS["scene_regions"] for id in places)

    def slots(self) -> dict[str, str]:
        object = self.object
        return super().slots() | {
            "object quote": self._object_quote,
            "Is object": "are" if object.is_plural else "is",
            "Does object": "do" if object.is_plural else "does",
            "the object": self._definite_object(),
            "a object": self._another_object() if self._has_equal_names else self._aspect() or object.indefinite_phrase,
            "bare object": object.bare_phrase,
            "a host of object": self.noun.indefinite_phrase
            if " of " in self.noun.text
            else f"{self.noun.indefinite_phrase} of {self._aspect() or object.indefinite_phrase}",
            "subject": self._stated_phrase(self.noun, 0),
            "object": self._object_phrase(),
            "label": self.label,
            **verb_slots(self.verb),
        }

    @property
    def _object_quote(self) -> str:
        place = self.place(2)
        return place.quote if place else ""

    def _stated_phrase(self, noun: Noun, part_index: int) -> str:
        """Return the singular with "a" if the caption has "a", or a definite noun phrase otherwise."""
        place = self.place(part_index)
        return noun.indefinite_phrase if place and place.determiner in ("a", "an") and not noun.is_plural else noun.definite_phrase

    def _possessive_pronoun(self) -> str:
        """Return the possessive pronoun of the object if it refers to the subject, or "" otherwise."""
        place, host = self.place(2), self.place(0)
        if not place or not host or place.determiner not in _WORD_LISTS["possessives"]:
            return ""
        owners = [place.graph.token(e.dependent) for e in place.graph.children(place.token.index, "nmod:poss")]
        return place.determiner if any(token.lemma.lower() in self.tuple.concepts[0].words for token in owners) else ""

    def _definite_object(self) -> str:
        possessive = self._possessive_pronoun()
        if possessive:
            return f"{possessive} {self.object.text}"
        if self._has_equal_names:
            return self._another_object()
        if self.verb and self.label.endswith((" with", " for")):
            return self._accompaniment()
        if phrase := self._objects_of_between():
            return phrase
        if phrase := self._stated_object():
            return phrase
        is_idiom = self.object.lemma in _WORD_LISTS["idioms"] | _WORD_LISTS["time"] | _WORD_LISTS["color"] and self.is_bare(2)
        return self.object.text if is_idiom and self.label.rpartition(" ")[2] in REGION_PREPOSITIONS else self.object.definite_phrase

    def _accompaniment(self) -> str:
        """Return the object of "with" or "for", with "the" only if the caption has a determiner other than "a"."""
        place = self.place(2)
        if place is None or place.determiner not in ("", "a", "an"):
            return self.object.definite_phrase
        has_adjective = is_part_of_whole(self.object.concept) and place.adjectives
        phrase = f"{place.adjectives} {self.object.head}" if has_adjective else self.object.bare_phrase
        return phrase if self.object.is_plural or self.object.is_mass or self.object.is_name else with_article(phrase)

    def _objects_of_between(self) -> str:
        """Return the two objects of "between", joined by "and", or "" if the graph does not have exactly two."""
        if not self.label.endswith("between") or self.object.is_plural:
            return ""
        object_ids = [t.elements[2].id for t in self.scene.tuples if t.kind == "relation" and t.words[:2] == self.tuple.words[:2]]
        return " and ".join(self.scene.nouns[id].definite_phrase for id in object_ids) if len(object_ids) == 2 else ""

    def _stated_object(self) -> str:
        """Return the object as the caption states it ("a rainy day", "the group of people"), or "" if its definite phrase suffices."""
        place = self.place(2)
        if place is None:
            return ""
        if self.verb and self.verb.is_passive and self.verb.lemma in _WORD_LISTS["coverings"] and not place.determiner:
            return self.object.indefinite_phrase
        if place.group and self.label.rpartition(" ")[2] in ("in", "among"):
            return f"the {place.group} of {self.object.bare_phrase}"
        if place.determiner == "another":
            return f"another {self.object.text}"
        if self.object.lemma in ("color", "colour") and place.adjectives and not place.determiner:
            return f"{place.adjectives} {self.object.head}"
        if self.object.lemma in _WORD_LISTS["time"] and place.adjectives and place.determiner != "the":
            return with_article(f"{place.adjectives} {self.object.head}")
        return ""

    def _aspect(self) -> str:
        """Return an object that is a property, such as "different colors", with its adjectives, or "" for any other object."""
        place = self.place(2)
        if place is None or not place.adjectives or self.object.lemma not in _WORD_LISTS["aspects"]:
            return ""
        phrase = f"{place.adjectives} {self.object.head}"
        return phrase if self.object.is_plural else with_article(phrase)

    @property
    def _has_equal_names(self) -> bool:
        """Whether subject and object have the same name: "an elephant beside an elephant"."""
        return self.object.text == self.noun.text and not self.object.is_name

    def _another_object(self) -> str:
        """Return the object with "another" or "other" ("another elephant"), or "each other" if the same things are subject and object."""
        if self.object.is_plural and self.label not in ("with", "of") and self.tuple.elements[0].id == self.tuple.elements[2].id:
            return "each other"
        return f"other {self.object.text}" if self.object.is_plural else f"another {self.object.text}"

    def _object_phrase(self) -> str:
        """Return the object as a definite phrase if the caption has "the" or a possessive pronoun, and usually as an indefinite phrase if not."""
        possessive = self._possessive_pronoun()
        if possessive or self._has_equal_names:
            return self._definite_object()
        place = self.place(2)
        if self.verb and self.verb.lemma == "play" and self.label == "play" and self.is_bare(2):
            return self.object.bare_phrase
        if self.verb and self.verb.following_words in _WORD_LISTS["place_prepositions"] - {"with"}:
            return self._definite_object()
        return (
            self.object.definite_phrase
            if place and place.determiner in ("the", *_WORD_LISTS["possessives"])
            else self.object.indefinite_phrase
        )

    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        return self.noun.text, self.object.text, self.label
