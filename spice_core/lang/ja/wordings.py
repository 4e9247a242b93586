"""Japanese questions: the grammar of each tuple, and the words in the slots of its phrasing (``questions.toml``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from spice_core.lang.ja import word_lists
from spice_core.lang.ja.conjugation import passive_form, te_form
from spice_core.lang.wording import PhraseBook, Wording, read_phrase_book
from spice_core.scene.graph import Element, Mention, SceneTuple
from spice_core.scene.propositions import PLACEHOLDER, Parse
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token

PHRASE_BOOK: PhraseBook = read_phrase_book(Path(__file__).parent / "questions.toml")
_WORD_LISTS = PHRASE_BOOK.words
_PREDICATE_WITH_PLACE = re.compile(r"(.+)（(.+)）")
_PASSIVE_AUXILIARIES, _CASE_PARTICLES = ("れる", "られる"), ("を", "に", "で", "と", "から", "へ", "まで", "にて")
_WRITING = re.compile("と(?:書か|かか|記さ)")
_ACTIVITY_ENDING = re.compile("を?(?:する|し|され|中|しよ)")
_LOCATION_VERBS = word_lists.LOCATIVE_VERBS | word_lists.POSITION_VERBS
_EXISTENCE_VERBS = ("ある", "いる", "居る", "有る", "おる")
_WORDS_BY_ATTRIBUTE_KIND = {"color": word_lists.COLOUR_WORDS, "size": word_lists.SIZE_WORDS, "shape": word_lists.SHAPE_WORDS}


def word_tuples(tuples: Sequence[SceneTuple], parses: Sequence[Parse]) -> list[Wording]:
    """Return the question for each tuple of the captions' graph, in order."""
    whole_by_part = {t.elements[2].id: t.elements[0] for t in tuples if t.kind == "relation" and _is_part_relation(t)}
    return [_word_tuple(tuple_, parses, whole_by_part) for tuple_ in tuples]


def _is_part_relation(tuple_: SceneTuple) -> bool:
    """Return whether a relation is between a thing and its part."""
    owner, label, thing = tuple_.elements
    return label.words[0] == "の" and thing.words[0] in word_lists.PART_NOUNS and PLACEHOLDER not in owner.words


def _word_tuple(tuple_: SceneTuple, parses: Sequence[Parse], whole_by_part: dict[str, Element]) -> Wording:
    words = _TupleWording(tuple_, parses)
    phrasing = PHRASE_BOOK.find_phrasing(tuple_.kind, words.features)
    whole = whole_by_part.get(tuple_.elements[0].id) if tuple_.kind == "object" and phrasing.name == "existence" else None
    category, _, detail = phrasing.kind.partition(" - ")
    kind = ("entity", "part") if whole else (category, detail) if category else ("attribute", _attribute_kind(words.word))
    parts = (f"{whole.words[0]}の{words.subject}",) if whole else words.parts
    text = phrasing.fill(words).replace(" ", "")
    return Wording(text, kind, parts, phrasing.name, whole.id if whole else "")


def _attribute_kind(word: str) -> str:
    """Return the kind of an attribute word, such as color or material."""
    listed_kind = next((name for name, words in _WORDS_BY_ATTRIBUTE_KIND.items() if word in words), "")
    return listed_kind or next(
        iter(PHRASE_BOOK.lists_with_word(word, ("material", "texture", "style"))), "color" if word.endswith("色") else "state"
    )


class _TupleWording:
    """The words for the slots of a tuple's phrasing, from the first mention with the most frequent word."""

    def __init__(self, tuple_: SceneTuple, parses: Sequence[Parse]):
        self.tuple, self.parses, self.element = tuple_, parses, tuple_.element
        self.subject = tuple_.elements[0].words[0]
        self.word = self.element.words[0]
        self.object = tuple_.elements[2].words[0] if tuple_.kind == "relation" else ""

    @cached_property
    def mention(self) -> Mention:
        """The first mention with the most frequent word."""
        return next((m for m in self.element.mentions if m.word == self.word), self.element.mentions[0])

    @cached_property
    def graph(self) -> DependencyGraph | None:
        """The graph of the sentence, or None if the caption was not parsed."""
        parse = self.parses[self.mention.caption]
        return DependencyGraph.from_sentence(parse.document.sentences[parse.tree(self.mention.proposition)]) if parse.document else None

    @cached_property
    def predicate(self) -> tuple[str, str]:
        """The dictionary form of the predicate, and the place word in its label, such as 上 in 寝る（上） ("sleep on")."""
        match = _PREDICATE_WITH_PLACE.fullmatch(self.word)
        return (match[1], match[2]) if match else (self.word, "")

    @cached_property
    def token(self) -> Token | None:
        """The first token of the predicate, or None if there is none."""
        tokens = self.mention.proposition.tokens
        return tokens[1][0] if len(tokens) > 1 and tokens[1] else None

    @cached_property
    def features(self) -> frozenset[str]:
        """The features of the tuple that select its phrasing."""
        lemma, place = self.predicate
        conditions = {
            "genre": self.subject in _WORD_LISTS["genre"],
            "activity": self.subject in word_lists.SPORT_NOUNS and not self._is_thing(),
            "region": self.subject in word_lists.RELATIONAL_NOUNS | _WORD_LISTS["places"],
            "written": any(_WRITING.match(caption, end) for caption, end in self._subject_ends()),
            "color": self.subject in PHRASE_BOOK.tables["color_adjectives"],
            "object activity": self.object in word_lists.SPORT_NOUNS,
            "count": word_lists.is_quantity(self.word) or self.word in word_lists.QUANTITY_WORDS,
            "word time": word_lists.is_time(self.word),
            "verb": self.token.tag.startswith("動詞") if self.token else self.word.endswith("する"),
            "attributive": self.token.tag.startswith("連体詞") if self.token else self.word in ("小さな", "大きな"),
            "object genre": self.object in _WORD_LISTS["genre"],
            "possessive": self.word == "の",
            "place label": self.word in word_lists.RELATIONAL_NOUNS,
            "being": lemma in _EXISTENCE_VERBS,
            "unknown subject": self.subject == PLACEHOLDER,
            "located": lemma in _LOCATION_VERBS or place,
        }
        return frozenset(name for name, holds in conditions.items() if holds)

    def _is_thing(self) -> bool:
        """Return whether the subject is a thing here although it can be an activity, because no する follows it.

        料理が入っています ("it contains food"), but 料理をしています ("is cooking").
        """
        if self.subject not in _WORD_LISTS["thing_or_activity"]:
            return False
        return not any(_ACTIVITY_ENDING.match(caption, end) for caption, end in self._subject_ends())

    def _subject_ends(self) -> Iterator[tuple[str, int]]:
        """Yield, for each mention of the first object, the caption and the character offset at which the mention ends."""
        for mention in self.tuple.elements[0].mentions:
            tokens = mention.proposition.tokens[mention.part : mention.part + 1]
            if tokens and tokens[0]:
                yield self.parses[mention.caption].caption, tokens[0][-1].end

    def slot(self, name: str) -> str:
        """Return the text of a slot. Raises KeyError if there is no such slot."""
        return self._slot_texts[name]

    @cached_property
    def _slot_texts(self) -> dict[str, str]:
        place = self.predicate[1]
        return {
            "subject": self.subject,
            "ground": "" if self.subject == PLACEHOLDER else f"{self.subject}の",
            "object": self.object,
            "color adjective": PHRASE_BOOK.tables["color_adjectives"].get(self.subject, ""),
            "exists": _existence_verb(self.subject),
            "object exists": _existence_verb(self.object),
            "word": self.word,
            "label": self.word,
            "place": f"の{place}" if place else "",
            "particle": self._object_particle(),
            "predicate": self._ongoing_form(),
            "something": "何かを" if self._has_other_object() else "",
        }

    @property
    def parts(self) -> tuple[str, ...]:
        """The tuple in DSG's order: its nouns, then the attribute or relation."""
        return tuple(filter(None, (self.subject, self.object, self.word if self.tuple.kind != "object" else "")))

    def _ongoing_form(self) -> str:
        """Return the progressive or resultative form (ている, てある) of the predicate, in the passive if the caption uses it.

        A negated predicate gets です instead.
        """
        if self.predicate[0].endswith("ない"):
            return f"{self.predicate[0]}です"
        return self._te_form() + ("あります" if "ある" in self._auxiliaries else "います")

    def _te_form(self) -> str:
        lemma = self.predicate[0]
        if lemma.endswith("する") and lemma[:-2] in word_lists.SPORT_NOUNS:
            return f"{lemma[:-2]}をして"
        ichidan = None if self.token is None or not lemma.endswith("る") or self.token.text == lemma else self.token.text == lemma[:-1]
        godan = _WORD_LISTS["godan_in_eru"]
        if self._is_passive:
            return te_form(passive_form(lemma, ichidan=ichidan, godan=godan), ichidan=True, godan=frozenset())
        return te_form(lemma, ichidan=ichidan, godan=godan)

    @cached_property
    def _auxiliaries(self) -> tuple[str, ...]:
        if self.token is None or self.graph is None:
            return ()
        return tuple(self.graph.lemma(e.dependent) for e in self.graph.children_like(self.token.index, "aux"))

    @property
    def _is_passive(self) -> bool:
        return not set(_PASSIVE_AUXILIARIES).isdisjoint(self._auxiliaries)

    def _argument_index(self) -> int:
        """Return the token index of the object or of the place word after it, or 0 if neither is known."""
        tokens = self.mention.proposition.tokens
        if self.graph is None or len(tokens) < 3:
            return 0
        argument = tokens[1] if self.predicate[1] and tokens[1] and tokens[1][-1].text == self.predicate[1] else tokens[2]
        return argument[-1].index if argument else 0

    def _object_particle(self) -> str:
        """Return the case particle that marks the object in the caption, or a default particle if there is none."""
        argument = self._argument_index()
        if not argument or self.graph is None:
            return "で" if self.predicate[1] else "を"
        edges = [e.relation for e in self.graph.parents(argument) if self.token and e.head == self.token.index]
        particles = ["を" if relation == "obj" else relation.partition(":")[2] for relation in edges]
        cases = [self.graph.word(e.dependent) for e in self.graph.children(argument, "case")]
        default_particle = "に" if self.predicate[0] in _LOCATION_VERBS or self._is_passive else "を"
        return next((case for case in (*particles, *cases) if case in _CASE_PARTICLES), default_particle)

    def _has_other_object(self) -> bool:
        """Return whether the predicate has another object, so that the relation's object is a place or a means."""
        if self.token is None or self.graph is None or self.tuple.kind != "relation" or self._object_particle() == "を":
            return False
        if self.predicate[0].endswith("する") or self.predicate[0] in _WORD_LISTS["intransitive"]:
            return False  # these verbs take only one object
        return any(e.dependent != self._argument_index() for e in self.graph.children(self.token.index, "obj"))


def _existence_verb(noun: str) -> str:
    return "います" if word_lists.is_animate(noun) or noun in _WORD_LISTS["animate"] else "あります"
