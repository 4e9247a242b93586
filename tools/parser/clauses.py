"""The clauses that captions consist of: subject, verb, rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.parser.noun_phrases import is_noun_phrase, is_plural
from tools.parser.words import Word, below, copied, top

_OF_VERBS = ("obj", "obl", "advmod", "compound:prt", "xcomp", "advcl", "conj", "cc", "obl:npmod", "obl:tmod")
_UNSURE = frozenset("sheep fish deer police cattle other one half rest kind type variety".split())  # agreement or number is not certain
_MOTIONS = frozenset(
    "walk ski run ride climb slide travel fly drive skate surf swim jump skateboard snowboard move drift step stroll hike".split()
)
_WAYS = ("down", "up", "off", "over", "across", "through", "along", "past", "around", "by", "in", "on")
_NO_CLAUSE = frozenset("be include accord regard follow do get go have make let".split())  # these are other constructions too


@dataclass(eq=False, slots=True)
class Clause:
    """A subject (noun phrase), its verb and what stands behind the verb; ``finite``: whether the caption has a finite verb."""

    subject: list[Word]
    verb: Word
    rest: list[Word]
    passive: bool
    finite: bool

    @property
    def noun(self) -> Word:
        """The head of the subject."""
        return top(self.subject)

    @property
    def plural(self) -> bool:
        """Whether the verb agrees with a plural."""
        return is_plural(self.subject)

    @property
    def verbs(self) -> list[Word]:
        """The verb and those coordinated with it."""
        return [self.verb, *(w for w in self.rest if w.relation == "conj" and w.head is self.verb)]

    def dependents(self, relation: str) -> list[Word]:
        """The verb's own dependents with this relation."""
        return [w for w in self.rest if w.head is self.verb and w.relation == relation]

    def copy(self) -> Clause:
        """The same clause of new words."""
        words = copied([*self.subject, self.verb, *self.rest])
        at = len(self.subject)
        return Clause(words[:at], words[at], words[at + 1 :], self.passive, self.finite)


def clause_of(words: Sequence[Word]) -> Clause | None:
    """The clause of a caption: "a man riding a horse", "a dog tied to a tree", "two dogs sleep on a sofa"; None for others."""
    words = list(words)
    root = top(words)
    if root.tag in ("NN", "NNS"):
        verbs = [w for w in words if w.head is root and w.relation == "acl" and w.tag in ("VBG", "VBN")]
        verb, subject, auxiliary = (verbs[0] if len(verbs) == 1 else None), root, []
    elif root.tag in ("VBZ", "VBP", "VBD", "VBG", "VBN"):
        subjects = [w for w in words if w.head is root and w.relation in ("nsubj", "nsubj:pass")]
        verb, subject = (root, subjects[0]) if len(subjects) == 1 else (None, root)
        auxiliary = [w for w in words if w.head is root and w.relation in ("aux", "aux:pass")]
        if any(w.lemma != "be" or w.tag not in ("VBZ", "VBP", "VBD") for w in auxiliary) or len(auxiliary) != (root.tag in ("VBG", "VBN")):
            return None
    else:
        return None
    if verb is None or subject.tag not in ("NN", "NNS") or verb.lemma in _NO_CLAUSE or subject.lemma in _UNSURE:
        return None
    at = words.index(verb)
    rest = words[at + 1 :]
    phrase = words[: at - len(auxiliary)]
    if not phrase or any(id(w) not in set(map(id, [*phrase, verb, *rest])) for w in words if w not in auxiliary):
        return None
    return _checked(Clause(phrase, verb, rest, verb.tag == "VBN", subject is not root))


def _checked(clause: Clause) -> Clause | None:
    """The clause if subject and rest are whole phrases of their own and agreement is certain."""
    noun, verb = next((w for w in clause.subject if w.tag in ("NN", "NNS") and w.head in (None, clause.verb)), None), clause.verb
    if (
        noun is None
        or len(below(clause.subject, noun)) != len(clause.subject)
        or len(below([verb, *clause.rest], verb)) != len(clause.rest) + 1
    ):
        return None
    if not is_noun_phrase(clause.subject):
        return None
    direct = [w for w in clause.rest if w.head is verb]
    if any(w.relation not in _OF_VERBS and w.text != "," for w in direct) or any(w.head is noun for w in clause.rest):
        return None
    if any(w.tag != verb.tag for w in clause.verbs) or any(w.lemma in _NO_CLAUSE for w in clause.verbs):
        return None
    motion = verb.lemma in _MOTIONS and any(w.lemma in _WAYS for w in clause.dependents("compound:prt"))
    if motion and clause.dependents("obj"):  # "skiing down a mountain": a preposition, tagged wrong
        return None
    if (clause.passive and clause.dependents("obj")) or len(clause.dependents("obj")) > 1:
        return None
    return clause
