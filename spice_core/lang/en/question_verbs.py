"""The verbs of English questions: voice, participles, and what follows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spice_core.lang.en.inflection import ing_form
from spice_core.lang.en.noun_phrases import PHRASE_BOOK, Place, is_agent, is_animate
from spice_core.lang.en.word_lists import PERSON_NOUNS

_WORD_LISTS = PHRASE_BOOK.words
_PATH_PREPOSITIONS = ("down", "along", "across", "past", "through")


def _are_passive(roles: Iterable[str]) -> bool:
    """Return whether a relation is that of the subject of a passive."""
    return any(role.startswith("nsubj") and role.endswith(":pass") for role in roles)


@dataclass(frozen=True)
class QuestionVerb:
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
    def of(cls, place: Place | None, subject: Place | None, object: Place | None, label: str) -> QuestionVerb | None:
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


def verb_slots(verb: QuestionVerb | None) -> dict[str, str]:
    if verb is None:
        return dict.fromkeys(("verb", "ing", "participle", "rest", "something"), "")
    return {
        "verb": verb.lemma,
        "ing": verb.ing,
        "participle": verb.participle,
        "rest": verb.rest,
        "something": verb.something,
    }
