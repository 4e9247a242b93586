"""Noun phrases with which questions name the objects of a scene graph: noun, number and article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from spice_core.lang.en.inflection import plural_form, with_article
from spice_core.lang.en.word_lists import ACTOR_NOUNS, PERSON_NOUNS
from spice_core.lang.en.wordnet.database import ranked_wordnet
from spice_core.lang.wording import PhraseBook, read_phrase_book
from spice_core.scene.graph import Element, Mention
from spice_core.scene.propositions import Parse
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token

PHRASE_BOOK: PhraseBook = read_phrase_book(Path(__file__).parent / "questions.toml")
IRREGULAR_PLURALS = dict(PHRASE_BOOK.tables["plurals"])
_WORD_LISTS = PHRASE_BOOK.words
_CAPITALISED_TAGS = ("NN", "VB", "JJ")  # prefixes of the tags of words that titles capitalise
_PLAIN_ADJECTIVES = _WORD_LISTS["color"] | _WORD_LISTS["size"] | {"young", "old", "new", "good", "bad", "early", "late"}
_ANIMATE_KINDS = ("person", "animal")
_BODY_PART_KINDS = ("body part", "external body part")
_CLOTHING_KINDS = ("clothing", "headdress", "footwear")
_PART_KINDS = (*_BODY_PART_KINDS, "plant part", "plant organ", "hair", "clothing")
_QUOTATION = re.compile(r"""(?<!\w)(?:"([^"]{1,300})"|“([^”]{1,300})”|‘([^’]{1,300})’|'((?:[^']|(?<=\w)'(?=\w)){1,300})'(?!\w))""")


GraphsBySentence = dict[
    tuple[int, int], tuple[DependencyGraph, DependencyGraph]
]  # enhanced graph and basic tree, by index of caption and sentence


@dataclass(frozen=True)
class Noun:
    """A noun in a question, in the singular or plural as in the caption."""

    text: str  # with the words of its compound
    head: str  # without these words
    lemma: str
    is_plural: bool = False
    is_mass: bool = False
    is_name: bool = False

    @property
    def definite_phrase(self) -> str:
        """The definite noun phrase."""
        return self.text if self.is_name else f"the {self.text}"

    @property
    def indefinite_phrase(self) -> str:
        """The indefinite noun phrase: "a dog", "dogs", "grass"."""
        return self.text if self.is_plural or self.is_mass or self.is_name else with_article(self.text)

    @property
    def bare_phrase(self) -> str:
        """The noun without an article."""
        return self.text

    @property
    def concept(self) -> str:
        """The noun in base form, with the words of its compound if WordNet contains the compound ("baseball bat")."""
        name = f"{self.text.removesuffix(self.head)}{self.lemma}".lower()
        return name if sense_with_hypernyms(name) else self.lemma


class Place:
    """The location of a part of a proposition: its words, and the enhanced graph and basic tree of its sentence."""

    def __init__(self, caption: str, graph: DependencyGraph, tree: DependencyGraph, tokens: Sequence[Token]):
        self.caption, self.graph, self.tree, self.tokens = caption, graph, tree, tokens

    @property
    def token(self) -> Token:
        """The last word that is not a particle: "close" in "close up"."""
        return next((token for token in reversed(self.tokens) if token.tag != "RP"), self.tokens[-1])

    @cached_property
    def determiner(self) -> str:
        """The article, "another" or possessive pronoun before the noun, or "" if there is none."""
        words = [self.tree.word(e.dependent) for e in self.tree.children(self.token.index, "det", "nmod:poss")]
        return next((word for word in words if word in ("a", "an", "the", "another") or word in _WORD_LISTS["possessives"]), "")

    @property
    def is_pronoun(self) -> bool:
        """Whether the word is a pronoun."""
        return self.token.text.lower() in _WORD_LISTS["pronouns"]

    @cached_property
    def group(self) -> str:
        """The group noun that the graph omits ("group" in "a group of men"), or ""."""
        group_edges = [e.dependent for e in self.graph.children(self.token.index, "det:group", "det:qmod")]
        words = [self.graph.lemma(e.dependent) for word in group_edges for e in self.graph.children(word, "fixed")]
        return next((word for word in words if word in _WORD_LISTS["groups"]), "")

    @cached_property
    def adjectives(self) -> str:
        """The modifiers right before the noun, in lower case."""
        words: list[str] = []
        modifiers = {e.dependent for e in self.graph.children(self.token.index, "amod", "compound", "advmod")}
        for token in reversed(self.graph.tokens[: self.token.index - 1]):
            if token.index not in modifiers:
                break
            words.insert(0, token.text.lower())
        return " ".join(words)

    @cached_property
    def quote(self) -> str:
        """The quotation around the words, or ""."""
        quotations = find_quotations(self.caption)
        return next((text for start, end, text in quotations if all(start <= t.start and t.end <= end for t in self.tokens)), "")

    def compound(self) -> list[str]:
        """Return the compound modifiers of the noun, in order."""
        return [self.graph.token(i).text for i in sorted(e.dependent for e in self.graph.children(self.token.index, "compound"))]


@lru_cache(maxsize=64)
def find_quotations(caption: str) -> tuple[tuple[int, int, str], ...]:
    """Return the start, the end and the text of each quotation in a caption, without the quotation marks.

    >>> find_quotations("a dog's sign that says 'it's here'")
    ((24, 33, "it's here"),)
    """
    return tuple((*match.span(match.lastindex or 0), match[match.lastindex or 0]) for match in _QUOTATION.finditer(caption))


def find_place(mention: Mention, part_index: int, parses: Sequence[Parse], graphs: GraphsBySentence) -> Place | None:
    """Return the place of a part of the mention's proposition, or None for an implicit part."""
    proposition, parse = mention.proposition, parses[mention.caption]
    tokens = proposition.tokens[part_index] if part_index < len(proposition.tokens) else ()
    if not tokens or parse.document is None:
        return None
    key = mention.caption, parse.tree(proposition)
    if key not in graphs:
        sentence = parse.document.sentences[key[1]]
        graphs[key] = DependencyGraph.from_sentence(sentence), DependencyGraph(sentence.tokens, sentence.basic)
    return Place(parse.document.text, *graphs[key], tokens)


def noun_of_object(element: Element, places: Sequence[Place]) -> Noun:
    """Return the noun for an object in questions, from its most frequent word and its mentions."""
    lemma = element.words[0]
    lemma_places = [place for place in places if not place.is_pronoun and place.token.lemma.lower() == lemma.rpartition(" ")[2]]
    if lemma == "one" and places:
        return _noun_of_pronoun(places[0])
    if not lemma_places:
        is_many = any(place.token.tag in ("NNS", "NNPS") for place in places) or lemma in _WORD_LISTS["plural_only"]
        return _make_noun(
            plural_form(lemma, IRREGULAR_PLURALS) if is_many and lemma not in _WORD_LISTS["plural_only"] else lemma, lemma, is_many
        )
    first_place = lemma_places[0]
    if lemma in _INDEFINITE_PRONOUNS:
        return Noun(lemma, lemma, lemma, is_name=True)
    if _is_name(first_place, lemma):
        text = " ".join((*([first_place.determiner] if first_place.determiner else []), *first_place.compound(), first_place.token.text))
        return Noun(text, first_place.token.text, lemma, first_place.token.tag == "NNPS", is_name=True)
    plural_places = [place for place in lemma_places if place.token.tag in ("NNS", "NNPS")]
    form = _surface_form((plural_places or lemma_places)[0], lemma)
    return _make_noun(form, lemma, bool(plural_places) or lemma in _WORD_LISTS["plural_only"], first_place)


def _noun_of_pronoun(place: Place) -> Noun:
    """Return "one" or "ones" as a noun with its adjectives: "young one"."""
    text = f"{place.adjectives} {place.token.text.lower()}".strip()
    return Noun(text, place.token.text.lower(), "one", place.token.tag == "NNS", is_mass=text == "one")


def _surface_form(place: Place, lemma: str) -> str:
    """Return the modifiers in the lemma, and the noun as inflected in the caption, in lower case unless the noun is an acronym."""
    modifiers, text = lemma.rpartition(" ")[0], place.token.text
    acronym = text.isupper() and len(text) > 1 and any(t.text.islower() for t in place.graph.tokens)
    return f"{modifiers} {text if acronym else text.lower()}".strip()


def _make_noun(form: str, lemma: str, is_plural: bool, place: Place | None = None) -> Noun:
    modifiers = [] if place is None or place.quote else _known_compound(place, lemma)
    name = " ".join((*modifiers, lemma))
    mass = not is_plural and name not in _COUNTABLE_COMPOUNDS and _is_mass_noun(name, lemma, place)
    return Noun(" ".join((*modifiers, form)), form, lemma, is_plural, mass)


_INDEFINITE_PRONOUNS = frozenset("someone somebody anyone anybody everyone everybody something".split())
_EDIBLE_KINDS = ("fruit", "edible fruit", "vegetable", "produce", "seed", "solid food")
_UNCOUNTED_KINDS = ("solid food", "foodstuff", "herb", "spice", "shrub")  # things that need no article: "with sausage", "with lavender"
_COUNTABLE_COMPOUNDS = frozenset(("wine glass", "bus stop", "stop light", "traffic light", "street light"))


def _is_mass_noun(name: str, lemma: str, place: Place | None) -> bool:
    """Return whether a singular noun takes no article.

    The noun is a listed mass noun, or has no article in the caption and denotes a material, a fluid or a feeling. Food and
    plants count only in a sentence with articles.
    """
    if place and _is_countable(name, lemma, place):
        return False
    if lemma in _WORD_LISTS["mass"] or name in _WORD_LISTS["mass"]:
        return not place or place.determiner not in ("a", "an") or _is_modified_mass(lemma, place)
    if place is None or place.determiner in ("a", "an", "the"):
        return False
    if is_kind_of(lemma, ("material", "fluid", "feeling", "fabric")) or lemma in _WORD_LISTS["material"]:
        return True
    has_articles = any(token.tag == "DT" for token in place.graph.tokens)
    is_dependent = place.graph.incoming(place.token.index) is not None and not is_animate(lemma)
    return has_articles and is_dependent and not place.determiner and is_kind_of(lemma, _UNCOUNTED_KINDS)


def _is_countable(name: str, lemma: str, place: Place) -> bool:
    """Return whether the article of a noun shows that the noun is countable: "the baseball", "a magnifying glass", "the camp fire"."""
    is_compound = name != lemma
    return bool(
        (place.determiner and lemma in _WORD_LISTS["games"])
        or (place.determiner in ("a", "an") and is_compound and name not in _WORD_LISTS["mass"])
        or (place.determiner == "the" and is_compound and lemma in _WORD_LISTS["servings"])
    )


def _is_modified_mass(lemma: str, place: Place) -> bool:
    """Return whether "a" before a mass noun means a kind of it, as in "a green grass", rather than a serving, as in "a cold coffee"."""
    return place.graph.has_child(place.token.index, "amod", "compound") and lemma not in _WORD_LISTS["servings"]


def _known_compound(place: Place, lemma: str) -> list[str]:
    """Return the words before a noun that form a WordNet entry with it, such as "hot" for "dog", or an empty list.

    An adjective counts only if the entry does not denote a kind of the noun: a hot dog is not a dog. Before a generic noun,
    such as "area", return all words of the compound.
    """
    compound_words = [word.lower() for word in place.compound()]
    if lemma in _WORD_LISTS["generic"]:
        return compound_words
    for start in range(len(compound_words)):
        words = (*compound_words[start:], lemma)
        if sense_with_hypernyms(" ".join(words)) or (
            len(words) == 2 and sense_with_hypernyms("".join(words))
        ):  # "countertop" for "counter top"
            return compound_words[start:]
    for edge in place.graph.children(place.token.index, "amod"):
        word = place.graph.word(edge.dependent)
        if word in _PLAIN_ADJECTIVES:
            continue
        compound_synsets = sense_with_hypernyms(f"{word} {lemma}") if edge.dependent == place.token.index - 1 else frozenset()
        is_compound = edge.dependent == place.token.index - 1 and sense_with_hypernyms(f"{word}{lemma}")  # "skateboard" for "skate board"
        if is_compound or (compound_synsets and compound_synsets.isdisjoint(_first_senses((lemma,))) and sense_with_hypernyms(lemma)):
            return [word]
    return []


@lru_cache(maxsize=1 << 14)
def sense_with_hypernyms(noun: str) -> frozenset[int]:
    """Return the ids of a noun's most frequent sense in WordNet and of all its hypernyms, or an empty set if WordNet lacks the noun."""
    wordnet = ranked_wordnet()
    level = set(sorted(wordnet.senses(noun, "n").ids, key=lambda id: wordnet.sense_rank(noun, id) or 99)[:1])
    synsets: set[int] = set()
    while level:
        synsets |= level
        level = {hypernym for id in level for hypernym in wordnet.hypernyms(id)} - synsets
    return frozenset(synsets)


@lru_cache(maxsize=1 << 12)
def _first_senses(nouns: tuple[str, ...]) -> frozenset[int]:
    wordnet = ranked_wordnet()
    noun_ids = ((noun, wordnet.senses(noun, "n").ids) for noun in nouns)
    return frozenset(min(ids, key=lambda id: wordnet.sense_rank(noun, id) or 99) for noun, ids in noun_ids if ids)


def is_kind_of(noun: str, kinds: tuple[str, ...]) -> bool:
    """Return whether a noun is one of these nouns or a hyponym, each in its most frequent sense.

    >>> is_kind_of("poodle", ("animal",)), is_kind_of("table", ("animal",))
    (True, False)
    """
    return not sense_with_hypernyms(noun).isdisjoint(_first_senses(kinds))


def is_animate(lemma: str) -> bool:
    """Return whether a noun denotes a person, an animal or a figure such as a robot."""
    if lemma in _WORD_LISTS["inanimate"]:
        return False
    return lemma in ACTOR_NOUNS or lemma in PERSON_NOUNS or lemma in _WORD_LISTS["figures"] or is_kind_of(lemma, _ANIMATE_KINDS)


def is_agent(lemma: str) -> bool:
    """Return whether a noun denotes a possible agent, which is animate and not a part of a body."""
    return is_animate(lemma) and not is_body_part(lemma)


def is_body_part(lemma: str) -> bool:
    """Return whether a noun denotes a part of a body."""
    return is_kind_of(lemma, _BODY_PART_KINDS)


def is_part_of_whole(lemma: str) -> bool:
    """Return whether a noun denotes hair, clothing, or a part of a body or a plant, except edible things and listed exceptions."""
    return is_kind_of(lemma, _PART_KINDS) and lemma not in _WORD_LISTS["separate"] and not is_kind_of(lemma, _EDIBLE_KINDS)


def is_clothing(noun: str) -> bool:
    """Return whether a noun denotes something to wear."""
    return noun in _WORD_LISTS["clothes"] or is_kind_of(noun, _CLOTHING_KINDS)


def is_plain_adjective(word: str) -> bool:
    """Return whether an adjective is a colour, size, age or quality, which modifies its noun even within a WordNet compound."""
    return word in _PLAIN_ADJECTIVES


def _is_name(place: Place, lemma: str) -> bool:
    """Return whether a noun is a name: a capitalised proper noun, or an unmodified noun that WordNet lacks.

    In a title, where all words are capitalised, a capital does not show a name.
    """
    token = place.token
    if place.quote or lemma in _WORD_LISTS["things"]:
        return False
    if _is_name_tagged_as_plural(place):
        return True
    if token.tag == "NN" and not place.determiner and not place.graph.has_child(token.index, "amod", "compound"):
        return token.text.isalpha() and _is_unknown(lemma)
    if token.tag == "NNP" and token.text.islower() and not place.determiner:
        return not sense_with_hypernyms(lemma)  # such as an artist in a prompt
    return token.tag.startswith("NNP") and token.text[:1].isupper() and place.determiner in ("", "the") and not _is_title(place.graph)


def _is_name_tagged_as_plural(place: Place) -> bool:
    """Return whether a word tagged as a plural is a name: "Gordon Parks", "an advertisement for Adidas"."""
    token = place.token
    if token.tag != "NNS" or not token.text[:1].isupper() or token.index == 1 or place.determiner or _is_title(place.graph):
        return False
    compound_tags = (place.graph.tag(e.dependent) for e in place.graph.children(token.index, "compound"))
    return "NNP" in compound_tags or _is_unknown(token.lemma.lower())


def _is_title(graph: DependencyGraph) -> bool:
    """Return whether the sentence has nouns, verbs or adjectives that are not names, and all of them are capitalised."""
    capitalisable = [
        t.text for t in graph.tokens if t.tag.startswith(_CAPITALISED_TAGS) and t.text[:1].isalpha() and not t.tag.startswith("NNP")
    ]
    return bool(capitalisable) and all(text[:1].isupper() for text in capitalisable)


def _is_unknown(lemma: str) -> bool:
    return not sense_with_hypernyms(lemma) and not any(lemma in _WORD_LISTS[name] for name in ("mass", "plural_only", "clothes", "things"))
