"""The clauses of captions: subject, verb, and the words after the verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.parser.noun_phrases import is_noun_phrase, is_plural
from tools.parser.words import Word, copy_words, find_top, subtree

_VERB_DEPENDENT_RELATIONS = ("obj", "obl", "advmod", "compound:prt", "xcomp", "advcl", "conj", "cc", "obl:npmod", "obl:tmod")
_AMBIGUOUS_NUMBER_NOUNS = frozenset(
    "sheep fish deer police cattle other one half rest kind type variety".split()
)  # agreement or number is not certain
_MOTION_VERBS = frozenset(
    "walk ski run ride climb slide travel fly drive skate surf swim jump skateboard snowboard move drift step stroll hike".split()
)
_PATH_PREPOSITIONS = ("down", "up", "off", "over", "across", "through", "along", "past", "around", "by", "in", "on")
_EXCLUDED_VERBS = frozenset(
    "be include accord regard follow do get go have make let".split()
)  # these verbs also occur in other constructions


@dataclass(eq=False, slots=True)
class Clause:
    """A subject (noun phrase), its verb, and the following words. ``is_finite`` marks a finite verb."""

    subject: list[Word]
    verb: Word
    words_after: list[Word]
    is_passive: bool
    is_finite: bool

    @property
    def noun(self) -> Word:
        """The head noun of the subject."""
        return find_top(self.subject)

    @property
    def is_plural(self) -> bool:
        """Whether the verb agrees with a plural."""
        return is_plural(self.subject)

    @property
    def verbs(self) -> list[Word]:
        """The verb and its conjuncts."""
        return [self.verb, *(w for w in self.words_after if w.relation == "conj" and w.head is self.verb)]

    def dependents(self, relation: str) -> list[Word]:
        return [w for w in self.words_after if w.head is self.verb and w.relation == relation]

    def copy(self) -> Clause:
        words = copy_words([*self.subject, self.verb, *self.words_after])
        subject_length = len(self.subject)
        return Clause(words[:subject_length], words[subject_length], words[subject_length + 1 :], self.is_passive, self.is_finite)


def parse_clause(words: Sequence[Word]) -> Clause | None:
    """Return the clause of a caption: "a man riding a horse", "a dog tied to a tree", "two dogs sleep on a sofa", or None for other captions."""
    words = list(words)
    root = find_top(words)
    verb, subject = _find_verb_and_subject(words, root)
    auxiliary = [w for w in words if w.head is root and w.relation in ("aux", "aux:pass")] if verb is root else []
    if (
        verb is None
        or subject is None
        or subject.tag not in ("NN", "NNS")
        or verb.lemma in _EXCLUDED_VERBS
        or subject.lemma in _AMBIGUOUS_NUMBER_NOUNS
    ):
        return None
    if verb is root and not _has_expected_auxiliary(verb, auxiliary):
        return None
    verb_index = words.index(verb)
    words_after = words[verb_index + 1 :]
    phrase = words[: verb_index - len(auxiliary)]
    if not phrase or any(id(w) not in set(map(id, [*phrase, verb, *words_after])) for w in words if w not in auxiliary):
        return None
    clause = Clause(phrase, verb, words_after, verb.tag == "VBN", subject is not root)
    return clause if _has_complete_phrases(clause) and _is_certain(clause) else None


def _find_verb_and_subject(words: Sequence[Word], root: Word) -> tuple[Word | None, Word | None]:
    """Return the verb and the subject: the root noun and its only participle, or the root verb and its only subject."""
    if root.tag in ("NN", "NNS"):
        verbs = [w for w in words if w.head is root and w.relation == "acl" and w.tag in ("VBG", "VBN")]
        return (verbs[0], root) if len(verbs) == 1 else (None, None)
    subjects = [w for w in words if w.head is root and w.relation in ("nsubj", "nsubj:pass")]
    return (root, subjects[0]) if len(subjects) == 1 and root.tag in ("VBZ", "VBP", "VBD", "VBG", "VBN") else (None, None)


def _has_expected_auxiliary(verb: Word, auxiliary: Sequence[Word]) -> bool:
    finite = all(w.lemma == "be" and w.tag in ("VBZ", "VBP", "VBD") for w in auxiliary)
    return finite and len(auxiliary) == (verb.tag in ("VBG", "VBN"))


def _has_complete_phrases(clause: Clause) -> bool:
    """Return whether the subject is a complete noun phrase, and all other words depend on the verb."""
    verb = clause.verb
    noun = next((w for w in clause.subject if w.tag in ("NN", "NNS") and w.head in (None, verb)), None)
    if noun is None or len(subtree(clause.subject, noun)) != len(clause.subject) or not is_noun_phrase(clause.subject):
        return False
    return len(subtree([verb, *clause.words_after], verb)) == len(clause.words_after) + 1 and all(
        w.head is not noun for w in clause.words_after
    )


def _is_certain(clause: Clause) -> bool:
    """Return whether coordinated verbs have the same tag, and the first verb has only typical dependents."""
    verb, objects = clause.verb, clause.dependents("obj")
    if any(w.head is verb and w.relation not in _VERB_DEPENDENT_RELATIONS and w.text != "," for w in clause.words_after):
        return False
    if any(w.tag != verb.tag or w.lemma in _EXCLUDED_VERBS for w in clause.verbs):
        return False
    motion = verb.lemma in _MOTION_VERBS and any(w.lemma in _PATH_PREPOSITIONS for w in clause.dependents("compound:prt"))
    return len(objects) <= (0 if motion or clause.is_passive else 1)  # "skiing down a mountain": the preposition has a wrong tag
