"""English questions: the grammar of each tuple, and the words in the slots of its phrasing (``questions.toml``)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from spice_core.lang.en.inflection import ing_form, plural_form, with_article
from spice_core.lang.en.noun_phrases import (
    IRREGULAR_PLURALS,
    PHRASE_BOOK,
    GraphsBySentence,
    Noun,
    Place,
    find_place,
    is_kind_of,
    noun_of_object,
    sense_with_hypernyms,
)
from spice_core.lang.en.steps.belongings import ownership_share
from spice_core.lang.en.word_lists import ACTOR_NOUNS, PERSON_NOUNS
from spice_core.lang.wording import Phrasing, Wording, Words
from spice_core.scene.graph import Element, Mention, SceneTuple
from spice_core.scene.propositions import Parse
from spice_core.syntax.document import Token

_WORD_LISTS = PHRASE_BOOK.words
_ATTRIBUTE_KINDS = ("color", "size", "material", "shape", "texture", "style")
_ANIMATE_KINDS = ("person", "animal")
_BODY_PART_KINDS = ("body part", "external body part")
_CLOTHING_KINDS = ("clothing", "headdress", "footwear")
_PART_KINDS = (*_BODY_PART_KINDS, "plant part", "plant organ", "hair", "clothing")
_DEMONYM = re.compile(r"[A-Z]\w*(?:ese|[lnpst]ish|ian|ean|yan|man)|French|Dutch|Swiss|Greek|Celtic|Amish|Arabic|Thai")
_PATH_PREPOSITIONS = ("down", "along", "across", "past", "through")
_PLURAL_NUMBERS = _WORD_LISTS["numbers"] - {"one"}
_THING_PLACE_PREPOSITIONS = _WORD_LISTS["place_prepositions"] - {"in", "with", "by", "at"}
_LANDMARKS = ("location", "body of water", "structure", "geological formation", "way")
_LISTED = ("root", "appos", "conj", "parataxis", "list", "dep")
_WITHOUT_CASE = ("nmod", "obl")  # a phrase without a preposition is an item of a list
_DEPTH = "depth of field"
_TEXT = "other - text rendering"
_REGION_PREPOSITIONS = ("in", "on", "at", "to", "near", "by", "from", "along", "towards", "toward")


def word_tuples(tuples: Sequence[SceneTuple], parses: Sequence[Parse]) -> list[Wording]:
    """Return an English question for each tuple of the graph of these captions, in order."""
    scene = _QuestionScene(tuples, parses)
    return [scene.word_tuple(tuple_) for tuple_ in tuples]


@dataclass(eq=False)
class _QuestionScene:
    """The tuples of a graph with their captions: the noun of each object, and its attributes and relations."""

    tuples: Sequence[SceneTuple]
    parses: Sequence[Parse]
    graphs: GraphsBySentence = field(default_factory=dict)

    @cached_property
    def places(self) -> dict[str, list[Place]]:
        """The places of the mentions of each object, by its id."""
        found: dict[str, list[Place]] = {}
        for tuple_ in self.tuples:
            for element in tuple_.elements[::2]:
                if element.id not in found:
                    mentions = ((find_place(m, m.part, self.parses, self.graphs), m) for m in element.mentions)
                    found[element.id] = [place for place, _ in mentions if place]
        return found

    @cached_property
    def nouns(self) -> dict[str, Noun]:
        """The noun of each object, by its id."""
        elements = {element.id: element for tuple_ in self.tuples for element in tuple_.elements[::2]}
        nouns = {id: noun_of_object(element, self.places[id]) for id, element in elements.items()}
        nouns |= {id: _pluralise(each) for id, each in nouns.items() if self._attributes[id] & _PLURAL_NUMBERS}
        depths = {id: Noun(_DEPTH, _DEPTH, "depth", mass=True) for id in self.depths}
        return nouns | dict(self._relational_nouns(nouns)) | depths

    def _relational_nouns(self, nouns: dict[str, Noun]) -> Iterator[tuple[str, Noun]]:
        """Yield the nouns that say nothing without what they are of: "body of water", "top of the rail"."""
        contents: dict[str, list[str]] = defaultdict(list)
        for tuple_ in self.tuples:
            if tuple_.kind == "relation" and "of" in tuple_.concepts[1].words and tuple_.elements[0].id != tuple_.elements[2].id:
                contents[tuple_.elements[0].id].append(tuple_.elements[2].id)
        for id, things in contents.items():
            host = nouns[id]
            if host.lemma in _WORD_LISTS["measures"] | _WORD_LISTS["region"] and len(things) == 1:
                thing = nouns[things[0]]
                yield id, replace(host, text=f"{host.text} of {thing.the if host.lemma in _WORD_LISTS['region'] else thing.bare}")

    @cached_property
    def _attributes(self) -> dict[str, set[str]]:
        """The words of the attributes of each object."""
        found: dict[str, set[str]] = defaultdict(set)
        for tuple_ in self.tuples:
            if tuple_.kind == "attribute":
                found[tuple_.elements[0].id] |= tuple_.concepts[1].words
        return found

    @cached_property
    def _genres(self) -> frozenset[str]:
        """The objects that are the picture itself: a kind of picture that heads its sentence and is nowhere in it."""
        relations = [tuple_ for tuple_ in self.tuples if tuple_.kind == "relation"]
        inside = {t.elements[2].id for t in relations} | {
            t.elements[0].id for t in relations if t.concepts[1].words & _THING_PLACE_PREPOSITIONS
        }
        return frozenset(id for id, places in self.places.items() if self._is_genre(id, places, id in inside))

    def _is_genre(self, id: str, places: list[Place], inside: bool) -> bool:
        """Whether an object is a kind of picture; ``inside`` is whether it has a place among other things."""
        lemma = self.nouns[id].lemma
        if lemma in _WORD_LISTS["always_genre"] or (lemma in ("art", "painting") and self._attributes[id] & _WORD_LISTS["art_kinds"]):
            return not any(place.token.tag in ("NNS", "NNPS") for place in places)
        return not inside and lemma in _WORD_LISTS["genre"] and all(map(_is_frame, places))

    @cached_property
    def makers(self) -> dict[str, str]:
        """How each object that made the picture, or whose style it has, belongs to it: "by", "in the style of"."""
        found: dict[str, str] = {}
        for tuple_ in self.tuples:
            if tuple_.kind == "relation":
                subject, label, object = tuple_.elements
                if "by" in label.concept.words and (self.is_genre(subject) or self._is_signature(object)):
                    found[object.id] = "by"
                elif self.nouns[subject.id].lemma in _WORD_LISTS["styles"] and "of" in label.concept.words:
                    found[object.id] = "in the style of"
        return found

    def _is_signature(self, element: Element) -> bool:
        """Whether an object is the name of an unknown person after "by", as artists stand in prompts: "a robot by Frazetta"."""
        noun = self.nouns[element.id]
        return noun.name and not sense_with_hypernyms(noun.text.lower()) and not is_kind_of(noun.text.lower().partition(" ")[0], _LANDMARKS)

    @cached_property
    def depths(self) -> frozenset[str]:
        """The objects of "depth of field", which names one property of a picture."""
        relations = (tuple_ for tuple_ in self.tuples if tuple_.kind == "relation" and "of" in tuple_.concepts[1].words)
        ends = ([element.id for element in tuple_.elements[::2]] for tuple_ in relations if tuple_.words[::2] == ("depth", "field"))
        return frozenset(id for pair in ends for id in pair)

    @cached_property
    def has_quotes(self) -> bool:
        """Whether a caption quotes something."""
        return any(place.quote for places in self.places.values() for place in places)

    @cached_property
    def prepositions(self) -> dict[str, str]:
        """The preposition before each region, by the id of its object."""
        found: dict[str, str] = {}
        for tuple_ in self.tuples:
            if tuple_.kind == "relation":
                words = tuple_.elements[1].words[0].split()
                if words[-1] in _REGION_PREPOSITIONS:
                    found.setdefault(tuple_.elements[2].id, words[-1])
        return found

    def is_genre(self, element: Element) -> bool:
        """Whether the object is the picture itself."""
        return element.id in self._genres

    def is_monochrome(self, element: Element) -> bool:
        """Whether the object is black and white."""
        return _WORD_LISTS["monochrome"] <= self._attributes[element.id]

    @cached_property
    def _colours(self) -> dict[tuple[int, int, int], set[str]]:
        """The colours of each noun of the captions, by caption, sentence and word."""
        found: dict[tuple[int, int, int], set[str]] = defaultdict(set)
        for tuple_ in self.tuples:
            for mention in tuple_.mentions if tuple_.kind == "attribute" else ():
                if mention.word in _WORD_LISTS["color"] - _WORD_LISTS["shades"] and mention.proposition.tokens:
                    found[_noun_position(mention)].add(mention.word)
        return found

    def has_colours(self, mention: Mention) -> bool:
        """Whether the noun of a colour has several: "a black and white cat"."""
        return bool(mention.proposition.tokens) and len(self._colours.get(_noun_position(mention), ())) > 1

    @cached_property
    def wholes(self) -> dict[str, str]:
        """The object to which each part belongs, by the ids of their objects."""
        found: dict[str, str] = {}
        for tuple_ in self.tuples:
            if tuple_.kind == "relation":
                owner, label, thing = tuple_.elements
                if label.concept.words & {"of"} and self._can_own(thing, owner):
                    owner, thing = thing, owner
                elif not label.concept.words & (_WORD_LISTS["have"] | {"with", "wear"}) or not self._can_own(owner, thing):
                    continue
                if owner.id != thing.id and found.get(owner.id) != thing.id and not self.is_genre(owner):
                    found.setdefault(thing.id, owner.id)
        return self._parts_of_only_owner() | found

    def _parts_of_only_owner(self) -> dict[str, str]:
        """Return the parts of a body in a graph with one person or animal, which belong to it."""
        objects = {t.elements[0].id: t.elements[0].words[0] for t in self.tuples if t.kind == "object"}
        owners = [id for id, word in objects.items() if is_animate(word) and not is_body_part(word)]
        return {id: owners[0] for id, word in objects.items() if is_body_part(word) and id != owners[0]} if len(owners) == 1 else {}

    def _can_own(self, owner: Element, thing: Element) -> bool:
        """Whether such things are parts of such owners; a part of a body belongs to somebody, not to another part."""
        if is_body_part(thing.words[0]) and is_body_part(owner.words[0]):
            return False
        return is_part_of_whole(thing.words[0]) or (not is_animate(thing.words[0]) and ownership_share(owner.words[0], thing.words[0]) > 0)

    def _bearer(self, tuple_: SceneTuple) -> str:
        """Return the object with a quoted text (the sign of "a sign that says 'stop'", the word of "the word 'stop'") or ""."""
        id = tuple_.elements[0].id
        subjects = (t.elements[0] for t in self.tuples if t.kind == "relation" and t.elements[2].id == id)
        if bearer := next((s.id for s in subjects if not self._is_quoted(s.id) and not is_animate(s.words[0])), ""):
            return bearer
        above = (edge.head for place in self.places[id] if place.quote for edge in place.tree.parents(place.token.index))
        return next((self._at[head] for head in above if head in self._at), "")

    def _is_quoted(self, id: str) -> bool:
        return any(place.quote for place in self.places[id])

    @cached_property
    def _at(self) -> dict[int, str]:
        """The objects that are not quoted, by the number of their word in the only sentence; empty for several sentences."""
        alone = len(self.parses) == 1 and len(getattr(self.parses[0].document, "sentences", ())) == 1
        return {place.token.index: id for id, places in self.places.items() for place in places if not place.quote} if alone else {}

    def word_tuple(self, tuple_: SceneTuple) -> Wording:
        """Return the question of a tuple."""
        words = _WORDS_CLASS_BY_KIND[tuple_.kind](self, tuple_)
        phrasing = PHRASE_BOOK.phrasing(tuple_.kind, words.features)
        kind, whole = _question_kind(phrasing, words), ""
        if words.quote and phrasing.kind == _TEXT:
            return Wording(phrasing.fill(words), kind, words.parts(kind, ""), phrasing.name, self._bearer(tuple_))
        if tuple_.kind == "object" and phrasing.name == "existence":
            whole = self.wholes.get(tuple_.elements[0].id, "")
            kind = ("entity", "part") if whole else kind
        return Wording(phrasing.fill(words), kind, words.parts(kind, whole), phrasing.name, whole)


def _pluralise(noun: Noun) -> Noun:
    """Return a noun in the plural, which its number asks for: "two zebra"."""
    if noun.plural or noun.name:
        return noun
    return Noun(plural_form(noun.text, IRREGULAR_PLURALS), plural_form(noun.head, IRREGULAR_PLURALS), noun.lemma, plural=True)


def _noun_position(mention: Mention) -> tuple[int, int, int]:
    """Return where the noun of a proposition stands: caption, sentence, word."""
    return mention.caption, mention.proposition.sentence, mention.proposition.tokens[0][-1].index


def _question_kind(phrasing: Phrasing, words: _TupleWords) -> tuple[str, str]:
    """Return the kind that the phrasing names, or that of the attribute's word."""
    if phrasing.kind:
        broad, _, detail = phrasing.kind.partition(" - ")
        return broad, detail
    return "attribute", next(iter(PHRASE_BOOK.lists_of(words.slot("word"), _ATTRIBUTE_KINDS)), "state")


def _is_frame(place: Place) -> bool:
    """Whether a noun is singular and heads its sentence, or is joined to what does."""
    if place.token.tag in ("NNS", "NNPS") or place.quote:
        return False
    edge = place.graph.incoming(place.token.index)
    return edge is None or edge.relation in _WITHOUT_CASE or edge.relation.partition(":")[0] in (*_LISTED, "frame", "advcl", "nsubj")


def _is_listed(place: Place) -> bool:
    """Whether a noun heads its sentence or stands in a list, and belongs to nothing."""
    edge = place.graph.incoming(place.token.index)
    listed = edge is None or edge.relation in _WITHOUT_CASE or edge.relation.partition(":")[0] in _LISTED
    return listed and not place.graph.has_child(place.token.index, "nmod:of", "nmod:poss")


def is_animate(lemma: str) -> bool:
    """Whether a noun denotes people or animals."""
    return lemma in ACTOR_NOUNS or lemma in PERSON_NOUNS or lemma in _WORD_LISTS["figures"] or is_kind_of(lemma, _ANIMATE_KINDS)


def is_agent(lemma: str) -> bool:
    """Whether a noun denotes somebody who acts, not a thing or a part of a body."""
    return is_animate(lemma) and not is_body_part(lemma)


def is_body_part(lemma: str) -> bool:
    """Whether a noun denotes a part of a body."""
    return is_kind_of(lemma, _BODY_PART_KINDS)


def is_part_of_whole(lemma: str) -> bool:
    """Whether a noun denotes a part of a body or of a plant."""
    return is_kind_of(lemma, _PART_KINDS)


class _TupleWords(Words):
    """What the words of all kinds of tuples share: the subject, and slots by name."""

    def __init__(self, scene: _QuestionScene, tuple_: SceneTuple):
        self.scene, self.tuple, self.element = scene, tuple_, tuple_.element
        self.noun = scene.nouns[tuple_.elements[0].id]
        self._places: dict[int, Place | None] = {}

    @cached_property
    def mention(self) -> Mention:
        """The first mention with the most frequent word."""
        word = self.element.words[0]
        return next((m for m in self.element.mentions if m.word == word), self.element.mentions[0])

    def place(self, part: int) -> Place | None:
        """Return where a part of the tuple's proposition stands."""
        if part not in self._places:
            self._places[part] = find_place(self.mention, part, self.scene.parses, self.scene.graphs)
        return self._places[part]

    @cached_property
    def quote(self) -> str:
        """The quotation that contains all words of the tuple; empty if there is none."""
        parts = (self.mention.part,) if self.tuple.kind == "object" else range(len(self.tuple.words))
        places = [place for part in parts if (place := self.place(part))]
        texts = {place.quote for place in places}
        return texts.pop() if places and len(texts) == 1 else ""

    @property
    def features(self) -> frozenset[str]:
        """The features of the tuple."""
        return frozenset(name for name, holds in self.conditions().items() if holds)

    def conditions(self) -> dict[str, object]:
        """Return each feature with whether the tuple has it."""
        lemma = self.noun.lemma
        return {
            "quoted": self.quote,
            "genre": self.scene.is_genre(self.tuple.elements[0]),
            "style": lemma in _WORD_LISTS["styles"],
            "plain": lemma in _WORD_LISTS["plain"],
            "movement": self.noun.bare.lower() in _WORD_LISTS["movements"]
            and all(map(_is_listed, self.scene.places[self.tuple.elements[0].id])),
            "time": lemma in _WORD_LISTS["time"] and not self.noun.plural,
            "name": self.noun.name,
            "written": lemma in _WORD_LISTS["written"] and self.scene.has_quotes,
            "maker": self.scene.makers.get(self.tuple.elements[0].id),
            "property": self._is_property(),
            "region": lemma in _WORD_LISTS["region"] and not self.noun.plural,
            "preposition": self.scene.prepositions.get(self.tuple.elements[0].id),
            "colour": lemma in _WORD_LISTS["color"] and self._is_bare(0),
            "idiom": lemma in _WORD_LISTS["idioms"] and self._is_bare(0),
            "animate": is_animate(self.tuple.elements[0].words[0]),
            "measure": lemma in _WORD_LISTS["measures"],
        }

    def _is_property(self) -> bool:
        """Whether an object is no thing but a property of the picture: "dramatic lighting", "depth of field"."""
        id = self.tuple.elements[0].id
        return id in self.scene.depths or (self.noun.lemma in _WORD_LISTS["property"] and all(map(_is_listed, self.scene.places[id])))

    def _is_bare(self, part: int) -> bool:
        """Whether an object is singular and never has an article, a compound or an adjective."""
        places = self.scene.places[self.tuple.elements[part].id]
        bare = (
            p.token.tag == "NN" and not p.determiner and not p.graph.has_child(p.token.index, "amod", "compound", "nummod") for p in places
        )
        return bool(places) and all(bare)

    def slots(self) -> dict[str, str]:
        """Return the text of each slot."""
        noun = self.noun
        return {
            "quote": self.quote,
            "Is": "are" if noun.plural else "is",
            "Does": "do" if noun.plural else "does",
            "it": "them" if noun.plural else "it",
            "the subject": noun.the,
            "a subject": noun.a,
            "bare subject": noun.bare,
            "head": noun.head,
            "the head": f"the {noun.head}",
            "a host": replace(noun, text=noun.head).a,
            "preposition": self.scene.prepositions.get(self.tuple.elements[0].id, ""),
            "maker": self.scene.makers.get(self.tuple.elements[0].id, ""),
            "region": self._region_phrase(),
        }

    def _region_phrase(self) -> str:
        """Return a region with the article of the caption: "in front", "in the background"."""
        places = self.scene.places[self.tuple.elements[0].id]
        bare = places and not places[0].determiner and self.noun.lemma in ("front", "back", "center", "centre")
        return self.noun.text if bare and self.tuple.kind == "object" else self.noun.the

    @cached_property
    def _slot_texts(self) -> dict[str, str]:
        return self.slots()

    def slot(self, name: str) -> str:
        """Return the text of a slot. Raises KeyError if there is no such slot."""
        return self._slot_texts[name]

    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        """Return the tuple as DSG writes it: its nouns in their number, then what it says of them."""
        return (self.noun.text,)


class _ObjectWords(_TupleWords):
    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        if kind[1] == "text rendering" and self.quote:
            return "text", f'"{self.quote}"'
        return (f"{self.scene.nouns[whole].text}'s {self.noun.text}",) if whole else (self.noun.text,)


class _AttributeWords(_TupleWords):
    def _is_of_known_compound(self) -> bool:
        """Whether the attribute makes another thing of its noun: "hot dog", but not "kitchen table"."""
        noun = self.noun
        *before, _ = noun.text.split()
        return self.word.lower() in before and not noun.name and not is_kind_of(" ".join((*before, noun.lemma)), (noun.lemma,))

    @cached_property
    def word(self) -> str:
        """The attribute as the caption has it."""
        word = "a dozen" if self.element.words[0] == "dozen" else self.element.words[0]
        place = self.place(1)
        if place is None or word == "a dozen" or self.tuple.implied:
            return word
        texts = [token.text for token in place.tokens]
        return " ".join(text if _keeps_capital(token) else text.lower() for text, token in zip(texts, place.tokens))

    @cached_property
    def verb(self) -> _QuestionVerb | None:
        """The verb of an action or a state."""
        place = self.place(1)
        subject = self.place(0)
        verb = _QuestionVerb.of(place, subject, self.place(2), self.mention.proposition.words[1] if self.tuple.implied else "")
        modifier = (
            place
            and any(
                place.graph.has_child(subject.token.index, "amod") and e.relation == "amod" for e in place.graph.parents(place.token.index)
            )
            if subject
            else False
        )
        return None if modifier and not self.tuple.implied else verb

    def conditions(self) -> dict[str, object]:
        place, verb, word = self.place(1), self.verb, self.word
        tag = place.token.tag if place else ""
        host = self.scene.places[self.tuple.elements[0].id]
        compound = place is not None and (bool(place.graph.parents(place.token.index, "compound")) or word in self.noun.text.split()[:-1])
        return super().conditions() | {
            "count": word in _WORD_LISTS["numbers"] | _WORD_LISTS["quantities"] or tag == "CD",
            "known compound": self._is_of_known_compound(),
            "picture": self.noun.lemma in _WORD_LISTS["genre"],
            "monochrome": word in _WORD_LISTS["monochrome"] and self.scene.is_monochrome(self.tuple.elements[0]),
            "predicate noun": tag.startswith("NN")
            and not compound
            and host
            and word not in _WORD_LISTS["material"]
            and not self.tuple.implied,
            "compound": compound,
            "material": word in _WORD_LISTS["material"]
            and not (compound and (word in ("snow", "dirt") or is_animate(self.tuple.elements[0].words[0]))),
            "colours": word in _WORD_LISTS["color"] - _WORD_LISTS["shades"] and self.scene.has_colours(self.mention),
            "superlative": tag == "JJS",
            "attributive": word in _WORD_LISTS["attributive"],
            "implied": self.tuple.implied,
            "verb": verb,
            "passive": verb and verb.passive,
            "agent": verb and verb.agent,
            "transitive": verb and verb.transitive,
            "stative": verb and verb.is_stative,
            "directed": verb and f"{verb.lemma} {verb.rest}" in _WORD_LISTS["directed"],
            "placed": verb and verb.rest in _WORD_LISTS["place_prepositions"] - {"with"},
        }

    def slots(self) -> dict[str, str]:
        verb, word, noun = self.verb, self.word, self.noun
        kind = f"{word} {noun.head}"
        slots = super().slots() | {
            "word": word,
            "a word": word if noun.plural or word in _WORD_LISTS["mass"] else with_article(word),
            "a kind": kind if noun.plural or noun.head in _WORD_LISTS["mass"] or kind in _WORD_LISTS["mass"] else with_article(kind),
            **_verb_slots(verb),
            "particle": "",
        }
        if word in _WORD_LISTS["singular_quantities"]:
            slots["Is"] = "is"
        return slots

    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        state = self._slot_texts["participle" if self.verb and self.verb.passive else "ing"] or self.word
        word = _dsg_count(self.word) if kind[1] == "count" else state
        return self.noun.text, word


_NUMBER_BY_WORD = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13))) | {
    "a dozen": 12,
    "dozen": 12,
    "a pair of": 2,
}


def _dsg_count(word: str) -> str:
    """Return a count as DSG writes it: "==3", or ">1" for an open number."""
    return f"=={_NUMBER_BY_WORD[word]}" if word in _NUMBER_BY_WORD else f"=={word}" if word.isdecimal() else ">1"


def _keeps_capital(token: Token) -> bool:
    """Whether a word keeps its capital: a name, or an adjective of a people or a place."""
    return token.tag.startswith("NNP") or bool(_DEMONYM.fullmatch(token.text))


def _are_passive(roles: Iterable[str]) -> bool:
    """Return whether a relation is that of the subject of a passive."""
    return any(role.startswith("nsubj") and role.endswith(":pass") for role in roles)


@dataclass(frozen=True)
class _QuestionVerb:
    """The verb of a relation or an action: lemma, what follows it, the participle that the caption has, and its voice."""

    lemma: str
    rest: str
    text: str
    tag: str
    passive: bool
    agent: bool
    transitive: bool
    other: bool
    thing: str = ""
    subject: str = ""

    @classmethod
    def of(cls, place: Place | None, subject: Place | None, object: Place | None, label: str) -> _QuestionVerb | None:
        """Return the verb among the words of a relation or an attribute; None if there is none."""
        token = next((t for t in place.tokens if t.tag.startswith("V")), None) if place else None
        if place is None or token is None:
            return None
        rest = label.removeprefix("be ").partition(" ")[2]
        doer = subject.token.lemma if subject else ""
        roles = {e.relation for e in place.graph.children(token.index) if subject and e.dependent == subject.token.index}
        past = token.tag == "VBD" and object is None and subject is not None and not is_agent(doer)  # "a table covered in snow"
        passive = _are_passive(roles) or (token.tag == "VBN" and not roles) or past
        objects = {e.dependent for e in place.graph.children(token.index, "obj")}
        has_object = (
            object is not None and rest.partition(" ")[0] not in _PATH_PREPOSITIONS
        )  # "drive down a street": the street is no object
        transitive = object is not None and has_object and object.token.index in objects
        other = has_object and bool(objects) and not transitive
        thing = object.token.lemma if object and not other else next((place.graph.lemma(word) for word in objects), "")
        return cls(token.lemma, rest, token.text.lower(), token.tag, passive, "obl:agent" in roles, transitive, other, thing, doer)

    @property
    def is_stative(self) -> bool:
        """Whether the verb has no progressive form, or none of things: a sign says, people are reading."""
        if self.lemma in _WORD_LISTS["signs"] and is_animate(self.subject):
            return False
        return self.lemma in _WORD_LISTS["stative"] or f"{self.lemma} {self.rest}" in _WORD_LISTS["stative_phrases"]

    @property
    def ing(self) -> str:
        """The present participle."""
        return self.text if self.tag == "VBG" else ing_form(self.lemma, _WORD_LISTS["doubling"])

    @property
    def something(self) -> str:
        """ "someone" or "something", in place of the verb's object."""
        return "someone" if self.thing in PERSON_NOUNS and not self.passive else "something"

    @property
    def participle(self) -> str:
        """The past participle, which the caption has."""
        return self.text


def _verb_slots(verb: _QuestionVerb | None) -> dict[str, str]:
    if verb is None:
        return dict.fromkeys(("verb", "ing", "participle", "rest", "something"), "")
    return {
        "verb": verb.lemma,
        "ing": verb.ing,
        "participle": verb.participle,
        "rest": verb.rest,
        "something": verb.something,
    }


class _RelationWords(_TupleWords):
    def __init__(self, scene: _QuestionScene, tuple_: SceneTuple):
        super().__init__(scene, tuple_)
        self.object = scene.nouns[tuple_.elements[2].id]

    @cached_property
    def label(self) -> str:
        """The relation as its tuple has it."""
        return self.element.words[0]

    @cached_property
    def verb(self) -> _QuestionVerb | None:
        """The verb of the relation; the first word of a given one that is not a preposition."""
        place = self.place(1)
        if place:
            return _QuestionVerb.of(place, self.place(0), self.place(2), self.label)
        first, _, rest = self.label.partition(" ")
        known = self.label in _WORD_LISTS["place_prepositions"] | {"with", "of"} or first in _WORD_LISTS["place_prepositions"] | {
            "of",
            "from",
            "to",
            "into",
            "like",
            "about",
        }
        return None if known else _QuestionVerb(first, rest, first, "VB", False, False, not rest, False)

    def conditions(self) -> dict[str, object]:
        verb, label, other = self.verb, self.label, self.object.lemma
        lemma = verb.lemma if verb else label
        host, thing = self.tuple.elements[0].words[0], self.tuple.elements[2].words[0]
        return super().conditions() | {
            "object style": other in _WORD_LISTS["styles"],
            "object depth": self.tuple.elements[2].id in self.scene.depths,
            "object maker": self.scene.makers.get(self.tuple.elements[2].id) == "by" and label.endswith("by"),
            "object time": other in _WORD_LISTS["time"] and not self.object.plural,
            "showing": label in ("of", "show", "depict", "feature", "with", "portray"),
            "agent": verb and verb.agent,
            "passive": verb and verb.passive and not verb.agent and verb.text != "had",
            "have": lemma in _WORD_LISTS["have"] and not (verb and verb.rest),
            "stative": verb and verb.is_stative,
            "object quoted": self._object_quote and not self.quote,
            "verb": verb,
            "placed": verb and lemma in _WORD_LISTS["still"],
            "other object": verb and verb.other and verb.rest,
            "with": label == "with",
            "surface": host in _WORD_LISTS["surface"],
            "container": host in _WORD_LISTS["container"],
            "object animate": is_animate(thing),
            "object part": is_part_of_whole(thing),
            "in": label == "in",
            "as": label == "as",
            "object clothing": is_kind_of(thing, _CLOTHING_KINDS),
            "of": label == "of",
            "object whole": is_part_of_whole(host) or ownership_share(thing, host) > 0,
        }

    def slots(self) -> dict[str, str]:
        object = self.object
        return super().slots() | {
            "object quote": self._object_quote,
            "Is object": "are" if object.plural else "is",
            "Does object": "do" if object.plural else "does",
            "the object": self._definite_object(),
            "a object": self._another_object() if self._has_equal_names else object.a,
            "bare object": object.bare,
            "subject": self._as_stated(self.noun, 0),
            "object": self._object_phrase(),
            "label": self.label,
            **_verb_slots(self.verb),
        }

    @property
    def _object_quote(self) -> str:
        place = self.place(2)
        return place.quote if place else ""

    def _as_stated(self, noun: Noun, part: int) -> str:
        """Return a noun phrase with the article of the caption: "a man", but "the men"."""
        place = self.place(part)
        return noun.a if place and place.determiner in ("a", "an") and not noun.plural else noun.the

    def _possessive_pronoun(self) -> str:
        """Return the possessive pronoun of the object if it stands for the subject."""
        place, host = self.place(2), self.place(0)
        if not place or not host or place.determiner not in _WORD_LISTS["possessives"]:
            return ""
        owners = [place.graph.token(e.dependent) for e in place.graph.children(place.token.index, "nmod:poss")]
        return place.determiner if any(token.lemma.lower() in self.tuple.concepts[0].words for token in owners) else ""

    def _definite_object(self) -> str:
        own = self._possessive_pronoun()
        if own:
            return f"{own} {self.object.text}"
        if self._has_equal_names:
            return self._another_object()
        fixed = self.object.lemma in _WORD_LISTS["idioms"] | _WORD_LISTS["time"] | _WORD_LISTS["color"] and self._is_bare(2)
        return self.object.text if fixed and self.label.rpartition(" ")[2] in _REGION_PREPOSITIONS else self.object.the

    @property
    def _has_equal_names(self) -> bool:
        """Whether both objects have one name: "an elephant beside an elephant"."""
        return self.object.text == self.noun.text and not self.object.name

    def _another_object(self) -> str:
        """Return the object beside one of the same name."""
        return f"other {self.object.text}" if self.object.plural else f"another {self.object.text}"

    def _object_phrase(self) -> str:
        """Return the object with the article of the caption."""
        own = self._possessive_pronoun()
        if own or self._has_equal_names:
            return self._definite_object()
        place = self.place(2)
        if self.verb and self.verb.rest in _WORD_LISTS["place_prepositions"] - {"with"}:
            return self._definite_object()
        return self.object.the if place and place.determiner in ("the", *_WORD_LISTS["possessives"]) else self.object.a

    def parts(self, kind: tuple[str, str], whole: str) -> tuple[str, ...]:
        return self.noun.text, self.object.text, self.label


_WORDS_CLASS_BY_KIND: dict[str, type[_TupleWords]] = {"object": _ObjectWords, "attribute": _AttributeWords, "relation": _RelationWords}
