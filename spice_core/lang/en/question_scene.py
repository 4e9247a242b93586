"""The scene that English questions ask about: the nouns of a graph, and what its tuples state about the picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from spice_core.lang.en.inflection import plural_form
from spice_core.lang.en.noun_phrases import (
    IRREGULAR_PLURALS,
    PHRASE_BOOK,
    GraphsBySentence,
    Noun,
    Place,
    find_place,
    is_animate,
    is_body_part,
    is_clothing,
    is_kind_of,
    is_part_of_whole,
    noun_of_object,
    sense_with_hypernyms,
)
from spice_core.lang.en.steps.belongings import ownership_share
from spice_core.scene.graph import Element, Mention, SceneTuple
from spice_core.scene.propositions import Parse

_WORD_LISTS = PHRASE_BOOK.words
_PLURAL_NUMBERS = _WORD_LISTS["numbers"] - {"one"}
_THING_PLACE_PREPOSITIONS = _WORD_LISTS["place_prepositions"] - {"in", "with", "by", "at"}
_LANDMARK_KINDS = ("location", "body of water", "structure", "geological formation", "way")
_LIST_RELATIONS = ("root", "appos", "conj", "parataxis", "list", "dep")
_PHRASE_RELATIONS = ("nmod", "obl")  # list items have one of these relations and no preposition
_DEPTH_OF_FIELD = "depth of field"
REGION_PREPOSITIONS = ("in", "on", "at", "to", "near", "by", "from", "for", "along", "towards", "toward")


@dataclass(eq=False)
class QuestionScene:
    """A graph's tuples and its captions' parses, with facts about all tuples that affect single questions."""

    tuples: Sequence[SceneTuple]
    parses: Sequence[Parse]
    graphs: GraphsBySentence = field(default_factory=dict)

    @cached_property
    def places(self) -> dict[str, list[Place]]:
        """The places of each object's mentions, by object id."""
        places_by_object: dict[str, list[Place]] = {}
        for tuple_ in self.tuples:
            for element in tuple_.elements[::2]:
                if element.id not in places_by_object:
                    mentions = ((find_place(m, m.part, self.parses, self.graphs), m) for m in element.mentions)
                    places_by_object[element.id] = [place for place, _ in mentions if place]
        return places_by_object

    @cached_property
    def nouns(self) -> dict[str, Noun]:
        """The noun of each object, by object id."""
        element_by_id = {element.id: element for tuple_ in self.tuples for element in tuple_.elements[::2]}
        noun_by_id = {id: noun_of_object(element, self.places[id]) for id, element in element_by_id.items()}
        noun_by_id |= {
            id: _pluralise(noun)
            for id, noun in noun_by_id.items()
            if self._attribute_words_by_object[id] & _PLURAL_NUMBERS or self._is_grouped(id, noun)
        }
        depth_nouns = {id: Noun(_DEPTH_OF_FIELD, _DEPTH_OF_FIELD, "depth", is_mass=True) for id in self.depth_of_field_ids}
        return noun_by_id | dict(self._relational_nouns(noun_by_id)) | depth_nouns

    def _is_grouped(self, id: str, noun: Noun) -> bool:
        """Return whether an animate noun in the singular names a group: "a group of zebra"."""
        return is_animate(noun.lemma) and any(place.group for place in self.places[id])

    def _relational_nouns(self, nouns: dict[str, Noun]) -> Iterator[tuple[str, Noun]]:
        """Yield the nouns that are incomplete without their "of" phrase, by object id: "body of water", "top of the rail"."""
        contents_by_host: dict[str, list[str]] = defaultdict(list)
        for tuple_ in self.tuples:
            if tuple_.kind == "relation" and "of" in tuple_.concepts[1].words and tuple_.elements[0].id != tuple_.elements[2].id:
                contents_by_host[tuple_.elements[0].id].append(tuple_.elements[2].id)
        for id, things in contents_by_host.items():
            host = nouns[id]
            if host.lemma in _WORD_LISTS["measures"] | _WORD_LISTS["region"] and len(things) == 1:
                thing = nouns[things[0]]
                has_determiner = any(place.determiner for place in self.places[things[0]])
                content = thing.indefinite_phrase if has_determiner else thing.bare_phrase
                yield id, replace(host, text=f"{host.text} of {thing.definite_phrase if host.lemma in _WORD_LISTS['region'] else content}")

    @cached_property
    def _attribute_words_by_object(self) -> dict[str, set[str]]:
        """The words of the attributes of each object."""
        values_by_object: dict[str, set[str]] = defaultdict(set)
        for tuple_ in self.tuples:
            if tuple_.kind == "attribute":
                values_by_object[tuple_.elements[0].id] |= tuple_.concepts[1].words
        return values_by_object

    @cached_property
    def _picture_ids(self) -> frozenset[str]:
        """The ids of the objects that are the captioned picture: nouns such as "photo" that head a sentence and have no place."""
        relations = [tuple_ for tuple_ in self.tuples if tuple_.kind == "relation"]
        container_ids = {t.elements[2].id for t in relations} | {
            t.elements[0].id for t in relations if t.concepts[1].words & _THING_PLACE_PREPOSITIONS
        }
        return frozenset(id for id, places in self.places.items() if self._is_picture(id, places, id in container_ids))

    def _is_picture(self, id: str, places: list[Place], is_container: bool) -> bool:
        """Return whether an object is the captioned picture. ``is_container`` is true if the object has a location."""
        lemma = self.nouns[id].lemma
        if lemma in _WORD_LISTS["always_genre"] or (
            lemma in ("art", "painting") and self._attribute_words_by_object[id] & _WORD_LISTS["art_kinds"]
        ):
            return not any(place.token.tag in ("NNS", "NNPS") for place in places)
        return (
            not is_container
            and lemma in _WORD_LISTS["genre"]
            and all(_may_name_picture(place) and not _is_joined_to_thing(place) for place in places)
        )

    @cached_property
    def maker_prepositions(self) -> dict[str, str]:
        """The preposition ("by", "in the style of") of each maker or model of the picture, by object id."""
        preposition_by_object: dict[str, str] = {}
        for tuple_ in self.tuples:
            if tuple_.kind == "relation":
                subject, label, object = tuple_.elements
                if self._is_by_relation(tuple_) and (self.is_picture(subject) or self._is_signature(object)):
                    preposition_by_object[object.id] = "by"
                elif self.nouns[subject.id].lemma in _WORD_LISTS["styles"] and "of" in label.concept.words:
                    preposition_by_object[object.id] = "in the style of"
        return preposition_by_object

    @staticmethod
    def _is_by_relation(tuple_: SceneTuple) -> bool:
        """Return whether a relation is "by", or an active verb with "by": "a robot performing maintenance by Frazetta"."""
        words = tuple_.elements[1].concept.words
        is_active = not any(token.tag == "VBN" for m in tuple_.mentions for part in m.proposition.tokens[1:2] for token in part)
        return "by" in words or (is_active and any(word.endswith(" by") for word in words))

    def _is_signature(self, element: Element) -> bool:
        """Return whether an object is a name unknown to WordNet, like an artist in a prompt: "a robot by Frazetta"."""
        noun = self.nouns[element.id]
        return (
            noun.is_name
            and not sense_with_hypernyms(noun.text.lower())
            and not is_kind_of(noun.text.lower().partition(" ")[0], _LANDMARK_KINDS)
        )

    @cached_property
    def depth_of_field_ids(self) -> frozenset[str]:
        """The ids of the objects in "depth of field", a single property of a picture."""
        relations = (tuple_ for tuple_ in self.tuples if tuple_.kind == "relation" and "of" in tuple_.concepts[1].words)
        ends = ([element.id for element in tuple_.elements[::2]] for tuple_ in relations if tuple_.words[::2] == ("depth", "field"))
        return frozenset(id for pair in ends for id in pair)

    @cached_property
    def has_quotes(self) -> bool:
        """Whether a quotation contains an object."""
        return any(place.quote for places in self.places.values() for place in places)

    @cached_property
    def prepositions(self) -> dict[str, str]:
        """The first of ``REGION_PREPOSITIONS`` before an object, by object id."""
        preposition_by_object: dict[str, str] = {}
        for tuple_ in self.tuples:
            if tuple_.kind == "relation":
                words = tuple_.elements[1].words[0].split()
                if words[-1] in REGION_PREPOSITIONS:
                    preposition_by_object.setdefault(tuple_.elements[2].id, words[-1])
        return preposition_by_object

    @cached_property
    def separate_object_ids(self) -> frozenset[str]:
        """The ids of the objects that stand apart ("in the background", "nearby"), which are no parts of others."""
        object_ids = {id for id, places in self.places.items() if any(map(_has_apart_adverb, places))}
        for tuple_ in self.tuples:
            if tuple_.kind == "relation":
                thing, label, place = tuple_.elements
                is_region = self.nouns[place.id].lemma in _WORD_LISTS["scene_regions"]
                if is_region or label.concept.words & _WORD_LISTS["apart"]:
                    object_ids.add(thing.id)
        return frozenset(object_ids)

    def is_picture(self, element: Element) -> bool:
        """Return whether the object is the captioned picture."""
        return element.id in self._picture_ids

    def is_monochrome(self, element: Element) -> bool:
        """Return whether the object is black and white."""
        return _WORD_LISTS["monochrome"] <= self._attribute_words_by_object[element.id]

    @cached_property
    def _colours_by_noun(self) -> dict[tuple[int, int, int], set[str]]:
        """The colours of each noun, by caption, sentence and word."""
        colours_by_noun: dict[tuple[int, int, int], set[str]] = defaultdict(set)
        for tuple_ in self.tuples:
            for mention in tuple_.mentions if tuple_.kind == "attribute" else ():
                if mention.word in _WORD_LISTS["color"] - _WORD_LISTS["shades"] and mention.proposition.tokens:
                    colours_by_noun[_noun_position(mention)].add(mention.word)
        return colours_by_noun

    def has_several_colours(self, mention: Mention) -> bool:
        """Return whether an attribute's noun has several colours: "a black and white cat"."""
        return bool(mention.proposition.tokens) and len(self._colours_by_noun.get(_noun_position(mention), ())) > 1

    @cached_property
    def whole_by_part(self) -> dict[str, str]:
        """The owner's id, by id of the part."""
        whole_by_part: dict[str, str] = {}
        for tuple_ in self.tuples:
            if tuple_.kind == "relation":
                owner, label, thing = tuple_.elements
                if label.concept.words & {"of"} and self._can_own(thing, owner):
                    owner, thing = thing, owner
                elif not self._is_owning(label) or not self._can_own(owner, thing, is_worn="in" in label.concept.words):
                    continue
                if owner.id != thing.id and whole_by_part.get(owner.id) != thing.id and not self.is_picture(owner):
                    whole_by_part.setdefault(thing.id, owner.id)
        return self._only_owner_by_part() | whole_by_part

    def _only_owner_by_part(self) -> dict[str, str]:
        """Return the only person or animal as the owner of each body part, or an empty dict if the graph has none or several."""
        word_by_object = {t.elements[0].id: t.elements[0].words[0] for t in self.tuples if t.kind == "object"}
        owners = [id for id, word in word_by_object.items() if is_animate(word) and not is_body_part(word)]
        return {id: owners[0] for id, word in word_by_object.items() if is_body_part(word) and id != owners[0]} if len(owners) == 1 else {}

    @staticmethod
    def _is_owning(label: Element) -> bool:
        return bool(label.concept.words & (_WORD_LISTS["have"] | {"with", "wear", "in"}))

    def _can_own(self, owner: Element, thing: Element, *, is_worn: bool = False) -> bool:
        """Return whether an owner can have a thing as its part. A body part cannot own another body part."""
        if is_worn:
            return is_animate(owner.words[0]) and is_clothing(self.nouns[thing.id].concept)
        if thing.words[0] in _WORD_LISTS["parts"] and not is_animate(owner.words[0]):
            return True
        if is_body_part(thing.words[0]) and is_body_part(owner.words[0]):
            return False
        return is_part_of_whole(thing.words[0]) or (not is_animate(thing.words[0]) and ownership_share(owner.words[0], thing.words[0]) > 0)

    def find_bearer(self, tuple_: SceneTuple) -> str:
        """Return the id of the object with a quotation (the sign in "a sign that says 'stop'", the word in "the word 'stop'"), or ""."""
        id = tuple_.elements[0].id
        if self._is_caption(id):
            return ""
        subjects = (t.elements[0] for t in self.tuples if t.kind == "relation" and t.elements[2].id == id)
        if bearer := next((s.id for s in subjects if not self._is_quoted(s.id) and not is_animate(s.words[0])), ""):
            return bearer
        governors = (edge.head for place in self.places[id] if place.quote for edge in place.tree.parents(place.token.index))
        return next((self._object_id_by_word_index[head] for head in governors if head in self._object_id_by_word_index), "")

    def _is_caption(self, id: str) -> bool:
        """Return whether a quotation is the caption of the picture rather than text visible in the picture."""
        heads = [place.tree.lemma(edge.head) for place in self.places[id] for edge in place.tree.parents(place.token.index) if edge.head]
        return "caption" in heads

    def _is_quoted(self, id: str) -> bool:
        return any(place.quote for place in self.places[id])

    @cached_property
    def _object_id_by_word_index(self) -> dict[int, str]:
        """The ids of the objects outside quotations, by word index. Empty unless there is a single caption of one sentence."""
        is_single_sentence = len(self.parses) == 1 and len(getattr(self.parses[0].document, "sentences", ())) == 1
        return (
            {place.token.index: id for id, places in self.places.items() for place in places if not place.quote}
            if is_single_sentence
            else {}
        )


def _pluralise(noun: Noun) -> Noun:
    """Return the plural of a noun that is singular in the caption although it names several things: "two zebra"."""
    if noun.is_plural or noun.is_name:
        return noun
    return Noun(plural_form(noun.text, IRREGULAR_PLURALS), plural_form(noun.head, IRREGULAR_PLURALS), noun.lemma, is_plural=True)


def _noun_position(mention: Mention) -> tuple[int, int, int]:
    """Return the indices of the caption, the sentence and the word of the subject of a mention's proposition."""
    return mention.caption, mention.proposition.sentence, mention.proposition.tokens[0][-1].index


def _may_name_picture(place: Place) -> bool:
    """Return whether a singular noun may refer to the picture: the head of a sentence or adverbial clause, a subject or a list item."""
    if place.token.tag in ("NNS", "NNPS") or place.quote:
        return False
    edge = place.graph.incoming(place.token.index)
    return (
        edge is None
        or edge.relation in _PHRASE_RELATIONS
        or edge.relation.partition(":")[0] in (*_LIST_RELATIONS, "frame", "advcl", "nsubj")
    )


def _is_joined_to_thing(place: Place) -> bool:
    """Return whether a noun is coordinated with a noun that is no picture: "a painting and a shelf"."""
    if place.graph.has_child(place.token.index, "nmod:of"):
        return False
    conjuncts = [place.graph.token(e.dependent) for e in place.graph.children(place.token.index, "conj", "conj:and")]
    return any(token.lemma not in _WORD_LISTS["genre"] | _WORD_LISTS["property"] and token.tag.startswith("NN") for token in conjuncts)


def _has_apart_adverb(place: Place) -> bool:
    """Return whether an adverb right after a noun locates it apart from other things: "a man nearby"."""
    after = [token.text.lower() for token in place.graph.tokens[place.token.index : place.token.index + 1]]
    return bool(_WORD_LISTS["apart_adverbs"].intersection(after))


def is_listed(place: Place) -> bool:
    """Return whether a noun heads its sentence or is an item of a list, and has neither an "of" phrase nor a possessive."""
    edge = place.graph.incoming(place.token.index)
    is_enumerated = edge is None or edge.relation in _PHRASE_RELATIONS or edge.relation.partition(":")[0] in _LIST_RELATIONS
    return is_enumerated and not place.graph.has_child(place.token.index, "nmod:of", "nmod:poss")
