"""Verbs of English questions: their voice, their participles, and the words that follow them."""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import dataclass

from spice_core.lang.en.inflection import ing_form
from spice_core.lang.en.noun_phrases import PHRASE_BOOK, Place, is_agent, is_animate
from spice_core.lang.en.word_lists import PERSON_NOUNS
from spice_core.syntax.dependency_graph import DependencyGraph
from spice_core.syntax.document import Token

_WORD_LISTS = PHRASE_BOOK.words
_PATH_PREPOSITIONS = ("down", "along", "across", "past", "through")


def _is_passive_verb(token: Token, subject: Place | None, object: Place | None, *, roles: Set[str], has_object: bool) -> bool:
    """Return whether the verb is passive, given the subject's relations to the verb. A past tense that describes a state is passive, too."""
    if any(role.startswith("nsubj") and role.endswith(":pass") for role in roles) or (token.tag == "VBN" and not roles):
        return True
    return token.tag == "VBD" and not has_object and subject is not None and _is_state(token, subject.token.lemma, object)


def _is_state(token: Token, doer: str, object: Place | None) -> bool:
    """Return whether a word tagged as a past tense is the participle of a state: "a table covered in snow", "donuts lined up on a plate"."""
    return token.lemma in _WORD_LISTS["states"] or (object is None and not is_agent(doer))


def _intention(graph: DependencyGraph, verb: Token) -> str:
    """Return the words before "to" that mark an action as intended or beginning ("getting ready", "about"), or ""."""
    marks = [graph.word(e.dependent) for e in graph.children(verb.index, "mark")]
    if marks == ["about", "to"]:
        return "about"
    is_infinitive = "to" in marks
    heads = [graph.token(e.head) for e in graph.parents(verb.index, "xcomp")] if is_infinitive else []
    for head in heads:
        if head.lemma in _WORD_LISTS["intentions"]:
            return ing_form(head.lemma, _WORD_LISTS["doubling"])
        if head.text.lower() in _WORD_LISTS["readiness"]:
            is_getting = any(graph.lemma(e.head) == "get" for e in graph.parents(head.index, "xcomp"))
            return f"getting {head.text.lower()}" if is_getting else head.text.lower()
    return ""


def _particle(graph: DependencyGraph, verb: Token) -> str:
    """Return the particles and directions after a verb ("down" in "lying down"), or "to do something" for "waiting to eat"."""
    if verb.lemma in _WORD_LISTS["intentions"] and any(graph.tag(e.dependent) == "VB" for e in graph.children(verb.index, "xcomp")):
        return "to do something"
    words = []
    particles = {e.dependent for e in graph.children(verb.index, "compound:prt")}
    adverbs = {e.dependent for e in graph.children(verb.index, "advmod")}
    adverbs |= {e.dependent for word in adverbs for e in graph.children(word, "advmod")}
    for token in graph.tokens[verb.index :]:
        is_direction = token.index in adverbs and token.text.lower() in _WORD_LISTS["directions"]
        if not (token.index in particles or is_direction):
            break
        words.append(token.text.lower())
    return " ".join(words)


@dataclass(frozen=True)
class QuestionVerb:
    """The verb of a relation or an action."""

    lemma: str
    following_words: str  # in the label of the relation
    text: str  # as in the caption
    tag: str
    is_passive: bool
    has_agent: bool
    is_transitive: bool
    has_other_object: bool
    object_lemma: str = ""
    subject_lemma: str = ""
    intention: str = ""
    particle: str = ""
    is_ongoing: bool = False

    @classmethod
    def find(cls, place: Place | None, subject: Place | None, object: Place | None, label: str) -> QuestionVerb | None:
        """Return the verb of a relation or an attribute, or None."""
        token = next((t for t in place.tokens if t.tag.startswith("V")), None) if place else None
        if place is None or token is None:
            return None
        graph, following_words = place.graph, _words_after_verb(label, token, object)
        roles = {e.relation for e in graph.children(token.index) if subject and e.dependent == subject.token.index}
        objects = {e.dependent for e in graph.children(token.index, "obj")}
        is_passive = _is_passive_verb(token, subject, object, roles=roles, has_object=bool(objects))
        is_object = object is not None and object.token.index in objects
        has_other_object = object is not None and bool(objects) and not is_object
        return cls(
            lemma=token.lemma,
            following_words=following_words,
            text=token.text.lower(),
            tag=token.tag,
            is_passive=is_passive,
            has_agent="obl:agent" in roles,
            # In "drive down a street", the street is not an object.
            is_transitive=is_object and following_words.partition(" ")[0] not in _PATH_PREPOSITIONS,
            has_other_object=has_other_object,
            object_lemma=_object_lemma(place, None if has_other_object else object, objects),
            subject_lemma=subject.token.lemma if subject else "",
            intention="" if is_passive else _intention(graph, token),
            particle=_particle(graph, token),
            is_ongoing="being" in map(graph.word, (e.dependent for e in graph.children(token.index, "aux:pass"))),
        )

    @property
    def is_stative(self) -> bool:
        """Whether questions use the simple present: a sign "says" something, but people "are reading"."""
        if self.lemma in _WORD_LISTS["signs"] and (
            is_animate(self.subject_lemma) or (self.following_words and not self.is_transitive and not self.has_other_object)
        ):
            return False
        return self.lemma in _WORD_LISTS["stative"] or f"{self.lemma} {self.following_words}" in _WORD_LISTS["stative_phrases"]

    @property
    def present_participle(self) -> str:
        """The present participle, or the intention and the infinitive ("waiting to eat")."""
        if self.intention:
            return f"{self.intention} to {self.lemma}"
        return self.text if self.tag == "VBG" else ing_form(self.lemma, _WORD_LISTS["doubling"])

    @property
    def object_pronoun(self) -> str:
        """The pronoun that replaces the verb's object: "someone" or "something"."""
        return "someone" if self.object_lemma in PERSON_NOUNS and not self.is_passive else "something"

    @property
    def past_participle(self) -> str:
        """The form of the verb in the caption, after "being" if the caption has "being"."""
        return f"being {self.text}" if self.is_ongoing else self.text

    @property
    def is_directed(self) -> bool:
        """Whether the verb is incomplete without the object of its preposition: "look at", "go down"."""
        is_towards_object = self.lemma in _WORD_LISTS["directed_verbs"] and self.following_words not in (
            "",
            "in",
            "on",
            "with",
            "by",
            "near",
        )
        return (
            bool(is_towards_object) or self.following_words == "after" or f"{self.lemma} {self.following_words}" in _WORD_LISTS["directed"]
        )

    @property
    def is_placed(self) -> bool:
        """Whether the verb has an optional place: "parked at a curb", not "placed on a table"."""
        return self.lemma not in _WORD_LISTS["placements"] and self.following_words in _WORD_LISTS["place_prepositions"] - {"with"}


def _words_after_verb(label: str, verb: Token, object: Place | None) -> str:
    """Return the words after the verb in a relation's label, or "out of" for "look out a window"."""
    words = label.removeprefix("be ").partition(" ")[2]
    return "out of" if words == "out" and object and verb.lemma in _WORD_LISTS["looks"] else words


def _object_lemma(place: Place, object: Place | None, objects: Collection[int]) -> str:
    """Return the lemma of the tuple's object, or of the verb's direct object, or ""."""
    return object.token.lemma if object else next((place.graph.lemma(word) for word in objects), "")


def verb_conditions(verb: QuestionVerb | None) -> dict[str, bool]:
    """Return whether the verb has each feature, or an empty dict for no verb."""
    if verb is None:
        return {}
    return {
        "verb": True,
        "passive": verb.is_passive,
        "agent": verb.has_agent,
        "transitive": verb.is_transitive,
        "stative": verb.is_stative,
        "directed": verb.is_directed,
        "placed": verb.is_placed,
    }


def verb_slots(verb: QuestionVerb | None) -> dict[str, str]:
    if verb is None:
        return dict.fromkeys(("verb", "ing", "participle", "rest", "particle", "something"), "")
    return {
        "verb": verb.lemma,
        "ing": verb.present_participle,
        "participle": verb.past_participle,
        "rest": verb.following_words,
        "particle": verb.particle,
        "something": verb.object_pronoun,
    }
