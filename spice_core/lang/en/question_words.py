"""Words that fill the slots in the phrasings of questions about objects and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from spice_core.lang.en.inflection import with_article
from spice_core.lang.en.noun_phrases import (
    PHRASE_BOOK,
    Place,
    find_place,
    is_animate,
    is_clothing,
    is_kind_of,
    is_plain_adjective,
    sense_with_hypernyms,
)
from spice_core.lang.en.question_scene import QuestionScene, is_listed
from spice_core.lang.en.question_verbs import QuestionVerb, verb_conditions, verb_slots
from spice_core.lang.wording import Words
from spice_core.scene.graph import Mention, SceneTuple
from spice_core.syntax.document import Token

_WORD_LISTS = PHRASE_BOOK.words
_QUALITIES = (_WORD_LISTS["style"] | _WORD_LISTS["qualities"]) - _WORD_LISTS["styles"]
_DEMONYM = re.compile(r"[A-Z]\w*(?:ese|[lnpst]ish|ian|ean|yan|man)|French|Dutch|Swiss|Greek|Celtic|Amish|Arabic|Thai")


class TupleWording(Words):
    """Base class for the words of a tuple in questions."""

    def __init__(self, scene: QuestionScene, tuple_: SceneTuple):
        self.scene, self.tuple, self.element = scene, tuple_, tuple_.element
        self.noun = scene.nouns[tuple_.elements[0].id]
        self._places: dict[int, Place | None] = {}

    @cached_property
    def mention(self) -> Mention:
        """The first mention that uses the most frequent word."""
        word = self.element.words[0]
        return next((m for m in self.element.mentions if m.word == word), self.element.mentions[0])

    def place(self, part_index: int) -> Place | None:
        """Return the place of a part of the tuple's proposition, or None for an implicit part."""
        if part_index not in self._places:
            self._places[part_index] = find_place(self.mention, part_index, self.scene.parses, self.scene.graphs)
        return self._places[part_index]

    @cached_property
    def quote(self) -> str:
        """The quotation around all words of the tuple, or ""."""
        parts = (self.mention.part,) if self.tuple.kind == "object" else range(len(self.tuple.words))
        places = [place for part in parts if (place := self.place(part))]
        texts = {place.quote for place in places}
        return texts.pop() if places and len(texts) == 1 else ""

    @property
    def features(self) -> frozenset[str]:
        """The names of the features that the tuple has."""
        return frozenset(name for name, holds in self.conditions().items() if holds)

    def conditions(self) -> dict[str, object]:
        """Return the value of each feature, true if the tuple has it."""
        lemma = self.noun.lemma
        return {
            "quoted": self.quote,
            "genre": self.scene.is_picture(self.tuple.elements[0]),
            "style": lemma in _WORD_LISTS["styles"],
            "plain": lemma in _WORD_LISTS["plain"],
            "site": lemma in _WORD_LISTS["sites"],
            "movement": self.noun.bare_phrase.lower() in _WORD_LISTS["movements"] and self._is_listed,
            "quality": self.noun.bare_phrase.lower() in _QUALITIES and self._is_listed,
            "time": lemma in _WORD_LISTS["time"] and not self.noun.is_plural,
            "name": self.noun.is_name,
            "word": lemma in ("word", "letter") and not self.noun.is_plural,
            "written": lemma in _WORD_LISTS["written"] and self.scene.has_quotes,
            "maker": self.scene.maker_prepositions.get(self.tuple.elements[0].id),
            "property": self._is_property(),
            "region": lemma in _WORD_LISTS["region"] and not self.noun.is_plural and not self._is_worn(),
            "preposition": self.scene.prepositions.get(self.tuple.elements[0].id),
            "colour": lemma in _WORD_LISTS["color"] and self.is_bare(0),
            "idiom": lemma in _WORD_LISTS["idioms"] and (self.is_bare(0) or self.noun.text in _WORD_LISTS["idioms"] - {lemma}),
            "fixed": lemma in _WORD_LISTS["fixed"] and self.is_bare(0, "the"),
            "game": lemma in _WORD_LISTS["games"] and self.noun.is_mass,
            "plural": self.noun.is_plural,
            "animate": is_animate(self.noun.concept),
            "measure": lemma in _WORD_LISTS["measures"],
        }

    @property
    def _is_listed(self) -> bool:
        """Whether all mentions of the object head a sentence or are items of a list."""
        return all(map(is_listed, self.scene.places[self.tuple.elements[0].id]))

    def _is_worn(self) -> bool:
        return is_clothing(self.noun.lemma) and self.tuple.elements[0].id in self.scene.whole_by_part

    def _is_property(self) -> bool:
        """Return whether an object is a property of the picture rather than a thing: "dramatic lighting", "depth of field"."""
        id = self.tuple.elements[0].id
        return id in self.scene.depth_of_field_ids or (self.noun.lemma in _WORD_LISTS["property"] and self._is_listed)

    def is_bare(self, part_index: int, article: str = "") -> bool:
        """Return whether an object is singular, unmodified and always has exactly this article (by default none)."""
        places = self.scene.places[self.tuple.elements[part_index].id]
        bare_flags = (
            p.token.tag in ("NN", "NNP") and p.determiner == article and not p.graph.has_child(p.token.index, "amod", "compound", "nummod")
            for p in places
        )
        return bool(places) and all(bare_flags)

    def slots(self) -> dict[str, str]:
        """Return the text of each slot."""
        noun = self.noun
        return {
            "quote": self.quote,
            "Is": "are" if noun.is_plural else "is",
            "Does": "do" if noun.is_plural else "does",
            "it": "them" if noun.is_plural else "it",
            "the subject": noun.definite_phrase,
            "a subject": noun.indefinite_phrase,
            "bare subject": noun.bare_phrase,
            "head": noun.head,
            "the head": f"the {noun.head}",
            "a host": replace(noun, text=noun.text.partition(" of ")[0]).indefinite_phrase,
            "preposition": self.scene.prepositions.get(self.tuple.elements[0].id, ""),
            "maker": self.scene.maker_prepositions.get(self.tuple.elements[0].id, ""),
            "region": self._region_phrase(),
        }

    def _region_phrase(self) -> str:
        """Return a region with "the" ("the background"), or without "the" for an object "front", "back" or "center" without an article."""
        places = self.scene.places[self.tuple.elements[0].id]
        is_bare_region = places and not places[0].determiner and self.noun.lemma in ("front", "back", "center", "centre")
        return self.noun.text if is_bare_region and self.tuple.kind == "object" else self.noun.definite_phrase

    @cached_property
    def _slot_texts(self) -> dict[str, str]:
        return self.slots()

    def slot(self, name: str) -> str:
        """Return the text of a slot. Raises KeyError if there is no such slot."""
        return self._slot_texts[name]

    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        """Return the parts of the tuple in the notation of Davidsonian scene graphs: nouns, then the attribute or relation."""
        return (self.noun.text,)


class ObjectWords(TupleWording):
    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        if kind[1] == "text rendering" and self.quote:
            return "text", f'"{self.quote}"'
        return (f"{self.scene.nouns[whole].text}'s {self.noun.text}",) if whole else (self.noun.text,)


class AttributeWords(TupleWording):
    def _is_of_known_compound(self) -> bool:
        """Return whether the attribute belongs to a compound that is not a kind of its noun: "hot dog", but not "kitchen table"."""
        noun = self.noun
        *modifiers, _ = noun.text.split()
        return self.word.lower() in modifiers and not noun.is_name and not is_kind_of(" ".join((*modifiers, noun.lemma)), (noun.lemma,))

    @cached_property
    def word(self) -> str:
        """The attribute as written in the caption, in lower case unless it is a name or a word such as "French"."""
        word = "a dozen" if self.element.words[0] == "dozen" else self.element.words[0]
        place = self.place(1)
        if place is None or word == "a dozen" or self.tuple.is_implied:
            return word
        texts = [token.text for token in place.tokens]
        return " ".join(
            text if token.tag.startswith("NNP") or _DEMONYM.fullmatch(token.text) else text.lower()
            for text, token in zip(texts, place.tokens)
        )

    @cached_property
    def verb(self) -> QuestionVerb | None:
        """The verb of an action or a state, or None for other attributes and for participles before the noun."""
        place = self.place(1)
        subject = self.place(0)
        verb = QuestionVerb.find(place, subject, self.place(2), self.mention.proposition.words[1] if self.tuple.is_implied else "")
        is_modifier = (
            place
            and any(
                place.graph.has_child(subject.token.index, "amod") and e.relation == "amod" for e in place.graph.parents(place.token.index)
            )
            if subject
            else False
        )
        return None if is_modifier and not self.tuple.is_implied else verb

    @cached_property
    def modifier(self) -> str:
        """The compound modifier of two or three words that includes this word ("train station", "flat screen"), or ""."""
        place, host = self.place(1), self.place(0)
        if place is None or host is None or self.tuple.is_implied or self.word in self.noun.text.split()[:-1]:
            return ""
        return find_modifier(host, place.token.index)

    @cached_property
    def compound_adjective(self) -> str:
        """The two-word adjective that includes this word ("strange looking", "fruit flavored"), or ""."""
        place, host = self.place(1), self.place(0)
        return find_compound_adjective(host, place.token.index) if place and host and not self.tuple.is_implied else ""

    @property
    def _complement(self) -> str:
        """The complement that an adjective needs ("from something" after "free"), or ""."""
        place = self.place(1)
        if place is None or self.word not in _WORD_LISTS["incomplete"] | _WORD_LISTS["readiness"]:
            return ""
        if self.word in _WORD_LISTS["readiness"]:
            return "to do something" if place.graph.has_child(place.token.index, "xcomp") else ""
        prepositions = (e.relation.partition(":")[2] for e in place.graph.children(place.token.index))
        return next((f"{preposition} something" for preposition in prepositions if preposition in ("of", "from", "to", "for")), "")

    def _is_known_phrase(self) -> bool:
        """Return whether adjective and noun form a WordNet entry: "an open market" is not just open."""
        place, host = self.place(1), self.place(0)
        text = f"{self.word} {self.noun.lemma}"
        is_before_host = place and host and place.token.index == host.token.index - 1 and host.graph.has_child(host.token.index, "amod")
        return bool(is_before_host and not is_plain_adjective(self.word) and (text in _WORD_LISTS["phrases"] or sense_with_hypernyms(text)))

    def _is_quality(self) -> bool:
        """Return whether an adjective after a comma applies to the picture: "a man, photorealistic, highly detailed"."""
        place, host = self.place(1), self.place(0)
        if place is None or host is None or self.tuple.is_implied or place.token.index < host.token.index:
            return False
        words_between = {token.text for token in place.graph.tokens[host.token.index : place.token.index - 1]}
        return self.word.lower() in _QUALITIES and "," in words_between and not place.graph.has_child(place.token.index, "cop")

    def conditions(self) -> dict[str, object]:
        if self._is_quality():
            return {"quality": True}
        if self.compound_adjective:
            return super().conditions()
        word, tag = self.word, self._tag
        return (
            super().conditions()
            | {
                "count": word in _WORD_LISTS["numbers"] | _WORD_LISTS["quantities"] or tag == "CD",
                "known compound": self._is_of_known_compound(),
                "picture": self.noun.lemma in _WORD_LISTS["genre"],
                "monochrome": word in _WORD_LISTS["monochrome"] and self.scene.is_monochrome(self.tuple.elements[0]),
                "predicate noun": self._is_predicate_noun(),
                "compound": self._is_compound,
                "material": self._is_material(),
                "colours": word in _WORD_LISTS["color"] - _WORD_LISTS["shades"] and self.scene.has_several_colours(self.mention),
                "superlative": tag == "JJS",
                "attributive": (word in _WORD_LISTS["attributive"] and not tag.startswith("V") and not self.tuple.is_implied)
                or self._is_known_phrase(),
                "definite": word in _WORD_LISTS["definite"],
                "implied": self.tuple.is_implied,
            }
            | verb_conditions(self.verb)
        )

    @property
    def _tag(self) -> str:
        """The tag of the attribute's last word, ignoring particles, or "" without a parse."""
        place = self.place(1)
        return place.token.tag if place else ""

    @cached_property
    def _is_compound(self) -> bool:
        place = self.place(1)
        if self.modifier:
            return True
        if place is None or place.tokens[-1].tag == "RP" or self.word in _WORD_LISTS["plain_colors"]:
            return False
        return bool(place.graph.parents(place.token.index, "compound")) or self.word in self.noun.text.split()[:-1]

    def _is_predicate_noun(self) -> bool:
        """Return whether the attribute is a predicate noun: "the case is a box"."""
        is_other_noun = self._tag.startswith("NN") and self.word not in _WORD_LISTS["material"] | _WORD_LISTS["plain_colors"]
        return is_other_noun and not self._is_compound and bool(self.scene.places[self.tuple.elements[0].id]) and not self.tuple.is_implied

    def _is_material(self) -> bool:
        """Return whether the attribute names the material of the thing. A snow dog is not made of snow."""
        if self.word not in _WORD_LISTS["material"] or self.modifier:
            return False
        return not (self._is_compound and (self.word in ("snow", "dirt") or is_animate(self.tuple.elements[0].words[0])))

    def slots(self) -> dict[str, str]:
        verb, word, noun = self.verb, self.word, self.noun
        kind = f"{self.modifier or self._singular_word} {noun.head}"
        slots = super().slots() | {
            "word": self.compound_adjective or f"{word} {self._complement}".strip(),
            "a word": word if noun.is_plural or word in _WORD_LISTS["mass"] else with_article(word),
            "a kind": kind if noun.is_plural or noun.is_mass or kind in _WORD_LISTS["mass"] else with_article(kind),
            **verb_slots(verb),
        }
        if word in _WORD_LISTS["singular_quantities"]:
            slots["Is"] = "is"
        return slots

    @property
    def _singular_word(self) -> str:
        """The attribute in the singular ("a guitar image"), unless it is a noun that stays plural as a modifier ("a sports car")."""
        place = self.place(1)
        is_plural = place is not None and place.token.tag == "NNS" and self.word not in _WORD_LISTS["plural_modifiers"]
        return place.token.lemma if place and is_plural else self.word

    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        state = self._slot_texts["participle" if self.verb and self.verb.is_passive else "ing"] or self.word
        word = _dsg_count(self.word) if kind[1] == "count" else state
        if self._is_quality():
            return (word,)
        return self.noun.text, word


_NUMBER_BY_WORD = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13))) | {
    "a dozen": 12,
    "dozen": 12,
    "a pair of": 2,
}


def _dsg_count(word: str) -> str:
    """Return a count in the notation of Davidsonian scene graphs: "==3", or ">1" for an indefinite number."""
    return f"=={_NUMBER_BY_WORD[word]}" if word in _NUMBER_BY_WORD else f"=={word}" if word.isdecimal() else ">1"


_WORD_LISTS = PHRASE_BOOK.words
_MODIFIER_RELATIONS = ("compound", "amod")


def find_modifier(place: Place, index: int) -> str:
    """Return the compound modifier or name of two or three words around the word at ``index``, or ""."""
    return next((_join_words(words) for words in _modifier_sequences(place, index) if _forms_unit(words)), "")


def find_compound_adjective(place: Place, index: int) -> str:
    """Return the two-word adjective around the word at ``index``, hyphenated unless it begins with an adverb, or ""."""
    for first, second in (words for words in _modifier_sequences(place, index) if len(words) == 2):
        if second.text.lower() in _WORD_LISTS["adjective_tails"] and first.tag.startswith(("JJ", "NN", "RB", "VB")):
            text = _join_words((first, second))
            return text if first.tag.startswith("RB") else text.replace(" ", "-")
    return ""


def _modifier_sequences(place: Place, index: int) -> Iterator[Sequence[Token]]:
    """Yield the sequences of two or three modifiers of a noun that contain the word at ``index``, the longer sequences first."""
    graph, noun = place.graph, place.token.index
    modifiers = {e.dependent for e in graph.children(noun, *_MODIFIER_RELATIONS)}
    modifiers |= {e.dependent for word in list(modifiers) for e in graph.children(word, "advmod", "compound") if e.dependent < noun}
    for length in (3, 2):
        for start in range(index - length + 1, index + 1):
            if start > 0 and all(word in modifiers for word in range(start, start + length)):
                yield graph.tokens[start - 1 : start - 1 + length]


def _forms_unit(words: Sequence[Token]) -> bool:
    """Return whether words form a name, a WordNet entry or an entry of ``modifiers``, or end in an entry of ``modifier_tails``."""
    if words[-1].text.lower() in _WORD_LISTS["modifier_tails"]:
        return len(words) == 2
    if all(word.text[:1].isupper() for word in words):
        return any(word.tag.startswith("NNP") for word in words)
    text = " ".join(word.text.lower() for word in words)
    is_plain = is_plain_adjective(words[0].text.lower()) or not words[-1].tag.startswith("NN")
    return text in _WORD_LISTS["modifiers"] or (not is_plain and bool(sense_with_hypernyms(text)))


def _join_words(words: Sequence[Token]) -> str:
    if all(word.text[:1].isupper() for word in words):
        return " ".join(word.text for word in words)
    return " ".join(
        word.text if word.tag.startswith("NNP") or word.text[1:].lower() != word.text[1:] else word.text.lower() for word in words
    )
