"""The verbs of English questions: voice, participles, and the words after them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spice_core.lang.en.inflection import ing_form
from spice_core.lang.en.noun_phrases import PHRASE_BOOK, Place, is_agent, is_animate
from spice_core.lang.en.word_lists import PERSON_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token

_WORD_LISTS = PHRASE_BOOK.words
_PATH_PREPOSITIONS = ("down", "along", "across", "past", "through")


def _are_passive(roles: Iterable[str]) -> bool:
    """Return whether one of these relations marks a passive subject."""
    return any(role.startswith("nsubj") and role.endswith(":pass") for role in roles)


def _is_state(token: Token, doer: str, object: Place | None) -> bool:
    """Return whether a form of the past is the participle of a state: "a table covered in snow", "donuts lined up on a plate"."""
    return token.lemma in _WORD_LISTS["states"] or (object is None and not is_agent(doer))


def _intention(graph: DependencyGraph, verb: Token) -> str:
    """Return the words before the infinitive of an action that has not begun: "waiting", "getting ready"; empty for other verbs."""
    marks = [graph.word(e.dependent) for e in graph.children(verb.index, "mark")]
    if marks == ["about", "to"]:
        return "about"
    marked = "to" in marks
    heads = [graph.token(e.head) for e in graph.parents(verb.index, "xcomp")] if marked else []
    for head in heads:
        if head.lemma in _WORD_LISTS["intentions"]:
            return ing_form(head.lemma, _WORD_LISTS["doubling"])
        if head.text.lower() in _WORD_LISTS["readiness"]:
            getting = any(graph.lemma(e.head) == "get" for e in graph.parents(head.index, "xcomp"))
            return f"getting {head.text.lower()}" if getting else head.text.lower()
    return ""


def _particle(graph: DependencyGraph, verb: Token) -> str:
    """Return the particles and directions after a verb ("down" of "lying down"), and that something is to be done ("waiting to ...")."""
    if verb.lemma in _WORD_LISTS["intentions"] and any(graph.tag(e.dependent) == "VB" for e in graph.children(verb.index, "xcomp")):
        return "to do something"
    words = []
    particles = {e.dependent for e in graph.children(verb.index, "compound:prt")}
    adverbs = {e.dependent for e in graph.children(verb.index, "advmod")}
    adverbs |= {e.dependent for word in adverbs for e in graph.children(word, "advmod")}
    for token in graph.tokens[verb.index :]:
        directed = token.index in adverbs and token.text.lower() in _WORD_LISTS["directions"]
        if not (token.index in particles or directed):
            break
        words.append(token.text.lower())
    return " ".join(words)


@dataclass(frozen=True)
class QuestionVerb:
    """The verb of a relation or an action: lemma, the words after it, the participle in the caption, and its voice."""

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
    intention: str = ""
    particle: str = ""
    ongoing: bool = False

    @classmethod
    def of(cls, place: Place | None, subject: Place | None, object: Place | None, label: str) -> QuestionVerb | None:
        """Return the verb among the words of a relation or an attribute; None if there is none."""
        token = next((t for t in place.tokens if t.tag.startswith("V")), None) if place else None
        if place is None or token is None:
            return None
        particle = label.removeprefix("be ").partition(" ")[2]
        if particle == "out" and object and token.lemma in _WORD_LISTS["looks"]:
            particle = "out of"  # "looking out a window"
        doer = subject.token.lemma if subject else ""
        roles = {e.relation for e in place.graph.children(token.index) if subject and e.dependent == subject.token.index}
        objects = {e.dependent for e in place.graph.children(token.index, "obj")}
        past = token.tag == "VBD" and not objects and subject is not None and _is_state(token, doer, object)
        passive = _are_passive(roles) or (token.tag == "VBN" and not roles) or past
        has_object = (
            object is not None and particle.partition(" ")[0] not in _PATH_PREPOSITIONS
        )  # "drive down a street": the street is not an object
        transitive = object is not None and has_object and object.token.index in objects
        other = object is not None and bool(objects) and object.token.index not in objects
        thing = object.token.lemma if object and not other else next((place.graph.lemma(word) for word in objects), "")
        return cls(
            token.lemma,
            particle,
            token.text.lower(),
            token.tag,
            passive,
            "obl:agent" in roles,
            transitive,
            other,
            thing,
            doer,
            "" if passive else _intention(place.graph, token),
            _particle(place.graph, token),
            any(place.graph.word(e.dependent) == "being" for e in place.graph.children(token.index, "aux:pass")),
        )

    @property
    def is_stative(self) -> bool:
        """Whether the verb has no progressive form, or none with things as subject: a sign says, but people are reading."""
        if self.lemma in _WORD_LISTS["signs"] and (is_animate(self.subject) or (self.rest and not self.transitive and not self.other)):
            return False
        return self.lemma in _WORD_LISTS["stative"] or f"{self.lemma} {self.rest}" in _WORD_LISTS["stative_phrases"]

    @property
    def ing(self) -> str:
        """The present participle."""
        if self.intention:
            return f"{self.intention} to {self.lemma}"
        return self.text if self.tag == "VBG" else ing_form(self.lemma, _WORD_LISTS["doubling"])

    @property
    def something(self) -> str:
        """ "someone" or "something", in place of the verb's object."""
        return "someone" if self.thing in PERSON_NOUNS and not self.passive else "something"

    @property
    def participle(self) -> str:
        """The past participle, which the caption has."""
        return f"being {self.text}" if self.ongoing else self.text

    @property
    def is_directed(self) -> bool:
        """Whether the verb needs the object of its preposition to be understood: "look at", "go down"."""
        toward = self.lemma in _WORD_LISTS["directed_verbs"] and self.rest not in ("", "in", "on", "with", "by", "near")
        return bool(toward) or self.rest == "after" or f"{self.lemma} {self.rest}" in _WORD_LISTS["directed"]

    @property
    def is_placed(self) -> bool:
        """Whether the verb makes sense without the place that follows it: "parked at a curb", but not "placed on a table"."""
        return self.lemma not in _WORD_LISTS["placements"] and self.rest in _WORD_LISTS["place_prepositions"] - {"with"}


def verb_slots(verb: QuestionVerb | None) -> dict[str, str]:
    if verb is None:
        return dict.fromkeys(("verb", "ing", "participle", "rest", "particle", "something"), "")
    return {
        "verb": verb.lemma,
        "ing": verb.ing,
        "participle": verb.participle,
        "rest": verb.rest,
        "particle": verb.particle,
        "something": verb.something,
    }
