"""Constructions of English that one clause is turned into: tenses, questions, imperatives, negation, "there is", bare captions.

Labels and tags are those of UD English-EWT; each function yields the words of a new tree, or None where the clause does not allow it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spice_core.lang.en.word_lists import ACTOR_NOUNS, PERSON_NOUNS
from tools.parser.clauses import Clause
from tools.parser.inflection import BothWords, Inflection
from tools.parser.noun_phrases import case_of, definite, determined, is_noun_phrase, is_plural, without_articles
from tools.parser.words import Word, below, hang, top

PLACES = ("on", "in", "near", "beside", "under", "behind", "by", "at", "over", "against", "across", "along", "outside", "inside")
NEARBY_PREPOSITIONS = ("near", "beside", "behind", "by", "under", "on")
_TENSES = ("present", "present", "progressive", "progressive", "past")


@dataclass
class Grammar:
    """What the constructions draw from: forms, words that are noun and verb, other captions' clauses, chance."""

    inflection: Inflection
    both: BothWords
    clauses: Sequence[Clause]
    adjectives: frozenset[str]
    rng: random.Random

    def partner(self) -> Clause:
        """Return a copy of a short clause of another caption."""
        return min((self.rng.choice(self.clauses) for _ in range(2)), key=lambda c: len(c.subject) + len(c.rest)).copy()

    def chance(self, share: float) -> bool:
        """True in this share of cases."""
        return self.rng.random() < share

    def picked(self, words: Mapping[str, float]) -> str:
        """Return a word at random by its weight."""
        return self.rng.choices(list(words), list(words.values()))[0]

    def tense(self) -> str:
        """Return a tense at random."""
        return self.rng.choice(_TENSES)


Construction = tuple[list[Word], str]  # the words and the final mark


# --- forms of the verb ---------------------------------------------------------------------------------------------


def inflect(clause: Clause, tag: str, grammar: Grammar) -> bool:
    """Give the verb and its coordinated verbs the form of a tag; return False if a form is unknown."""
    forms = [grammar.inflection.form(w.lemma, tag) for w in clause.verbs]
    if not all(forms):
        return False
    for word, form in zip(clause.verbs, forms):
        word.text, word.tag = str(form), tag
    return True


def be(plural: bool, past: bool = False) -> Word:
    """Return a finite form of "be"."""
    form = ("were" if plural else "was") if past else ("are" if plural else "is")
    return Word(form, "be", "VBD" if past else "VBP" if plural else "VBZ", "aux")


def auxiliary(clause: Clause, grammar: Grammar, past: bool = False, plural: bool | None = None) -> Word | None:
    """Return the form of "be" before the verb, which becomes a participle in "-ing" unless the clause is passive."""
    if not clause.passive and not inflect(clause, "VBG", grammar):
        return None
    word = be(clause.plural if plural is None else plural, past)
    word.head, word.relation = clause.verb, "aux:pass" if clause.passive else "aux"
    return word


def predicate(clause: Clause, tense: str, grammar: Grammar, plural: bool | None = None) -> list[Word] | None:
    """Verb and rest in a tense (present, past, progressive); passives take "be"."""
    plural = clause.plural if plural is None else plural
    if clause.passive or tense == "progressive":
        word = auxiliary(clause, grammar, tense == "past", plural)
        return [word, clause.verb, *clause.rest] if word else None
    tag = "VBD" if tense == "past" else "VBP" if plural else "VBZ"
    return [clause.verb, *clause.rest] if inflect(clause, tag, grammar) else None


def subject(clause: Clause) -> str:
    """Return the label of the subject."""
    return "nsubj:pass" if clause.passive else "nsubj"


def statement(clause: Clause, tense: str, grammar: Grammar) -> list[Word] | None:
    """Return the clause as a main clause: "a man rides a horse"."""
    words = predicate(clause, tense, grammar)
    if words is None:
        return None
    clause.verb.head, clause.verb.relation = None, "root"
    return hang(clause.subject, clause.verb, subject(clause)) + words


def phrase(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the clause as a noun phrase: "a man riding a horse"."""
    if not clause.passive and not inflect(clause, "VBG", grammar):
        return None
    hang(clause.subject, None, "root")
    clause.verb.head, clause.verb.relation = clause.noun, "acl"
    return [*clause.subject, clause.verb, *clause.rest]


# --- one clause ----------------------------------------------------------------------------------------------------


def present(clause: Clause, grammar: Grammar) -> Construction | None:
    """Present tense: "A man rides a horse.", "Two dogs sleep on a sofa"."""
    return stopped(statement(clause, "present", grammar), grammar)


def past(clause: Clause, grammar: Grammar) -> Construction | None:
    """Past tense: "A man rode a horse.", "A dog was tied to a tree"."""
    return stopped(statement(clause, "past", grammar), grammar)


def progressive(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the clause with "be": "A man is riding a horse.", "A dog is tied to a tree.", "Two men were riding horses"."""
    words = statement(clause, "progressive", grammar)
    be_ = next((w for w in words or () if w.relation in ("aux", "aux:pass") and w.head is clause.verb), None)
    if words and be_ and grammar.chance(0.25):
        be_.text, be_.tag = be(clause.plural, past=True).text, "VBD"
    return stopped(words, grammar)


def participle(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a finite caption as a noun phrase: "A man rides a horse." becomes "A man riding a horse"."""
    return stopped(phrase(clause, grammar), grammar) if clause.finite else None


def passive(clause: Clause, grammar: Grammar) -> Construction | None:
    """Passive voice: "A horse is being ridden by a man.", "A horse ridden by a man"."""
    objects = clause.dependents("obj")
    inside = below(clause.rest, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    form = grammar.inflection.form(clause.verb.lemma, "VBN")
    if not inside or form is None or clause.noun.lemma not in ACTOR_NOUNS:
        return None
    plain = (
        inside == clause.rest[: len(inside)]
        and is_noun_phrase(inside)
        and len(clause.verbs) == 1
        and "nmod" not in {w.relation for w in inside}
    )
    if not plain:
        return None
    clause.verb.text, clause.verb.tag = form, "VBN"
    by = Word("by", "by", "IN", "case", clause.noun)
    clause.rest = [by, *hang(clause.subject, clause.verb, "obl"), *clause.rest[len(inside) :]]
    clause.subject, clause.passive = inside, True
    if grammar.chance(0.4):
        return stopped(phrase(clause, grammar), grammar)
    words = statement(clause, "past" if grammar.chance(0.15) else "progressive", grammar)
    if words and grammar.chance(0.6):
        words.insert(words.index(clause.verb), Word("being", "be", "VBG", "aux:pass", clause.verb))
        next(w for w in words if w.head is clause.verb and w.lemma == "be").relation = "aux"
    return stopped(words, grammar)


def telegraphic(clause: Clause, grammar: Grammar) -> Construction | None:
    """Without articles: "man rides horse on beach", "two dogs sleep", "man riding horse"."""
    if grammar.chance(0.7):
        words = statement(clause, "progressive" if clause.passive or grammar.chance(0.2) else "present", grammar)
    else:
        words = phrase(clause, grammar)
    if words is None or not any(w.lemma in ("a", "the") for w in words):
        return None
    short = without_articles(words)
    return (short, "") if len(short) < len(words) else None


def question(clause: Clause, grammar: Grammar) -> Construction | None:
    """Questions: "Is the man riding a horse?", "Who is riding a horse?", "What is the man riding?", "Where are the dogs sleeping?"."""
    kind = grammar.rng.choice((_polar, _polar, _who, _what, _where, _how_many))
    words = kind(clause, grammar)
    return (words, "?") if words else None


def _polar(clause: Clause, grammar: Grammar) -> list[Word] | None:
    if clause.passive or grammar.chance(0.7):
        first = auxiliary(clause, grammar, past=grammar.chance(0.1))
    else:  # "Does the distinction actually exist ?" weblog-…rigorousintuition_20060511134300…-0224
        inflect(clause, "VB", grammar)
        first = Word("do" if clause.plural else "does", "do", "VBP" if clause.plural else "VBZ", "aux", clause.verb)
    if first is None:
        return None
    clause.subject = definite(clause.subject) if grammar.chance(0.7) else clause.subject
    return [first, *_main(clause), clause.verb, *clause.rest]


def _main(clause: Clause) -> list[Word]:
    """Return the subject, hung under the verb as the root."""
    clause.verb.head, clause.verb.relation = None, "root"
    return hang(clause.subject, clause.verb, subject(clause))


def _who(clause: Clause, grammar: Grammar) -> list[Word] | None:
    word = "who" if clause.noun.lemma in PERSON_NOUNS else "what"
    clause.subject = [Word(word, word, "WP")]
    tail = predicate(clause, "progressive" if grammar.chance(0.7) else "present", grammar)
    return [*_main(clause), *tail] if tail else None


def _what(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the object in front: "What is the man holding in his hand?"."""
    objects, first = clause.dependents("obj"), auxiliary(clause, grammar)
    if not objects or first is None or len(clause.verbs) > 1 or clause.noun.lemma not in ACTOR_NOUNS:
        return None
    inside = below(clause.rest, objects[0])
    rest = [w for w in clause.rest if w not in inside]
    who = "who" if objects[0].lemma in PERSON_NOUNS else "what"
    return [Word(who, who, "WP", "obj", clause.verb), first, *definite(_main(clause)), clause.verb, *rest]


def _where(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the phrase of place asked for, as in EWT email-enronsent35_01-0110 "Where are you living these days ?"."""
    places = [w for w in clause.dependents("obl") if case_of(w, clause.rest) in PLACES]
    first = auxiliary(clause, grammar)
    if not places or first is None or len(clause.verbs) > 1:
        return None
    inside = below(clause.rest, places[0])
    rest = [w for w in clause.rest if w not in inside]
    return [Word("where", "where", "WRB", "advmod", clause.verb), first, *definite(_main(clause)), clause.verb, *rest]


def _how_many(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the number asked for, as in EWT answers-20111108084633AAzZD8i_ans-0001 "How many days will speed post take"."""
    noun = clause.noun
    own = [w for w in clause.subject if w.head is noun]
    if noun.tag != "NNS" or any(w.relation in ("nmod:poss", "conj", "det:predet") for w in own):
        return None
    many = Word("many", "many", "JJ", "amod", noun)
    kept = [w for w in clause.subject if w.head is not noun or w.relation not in ("det", "nummod")]
    if any(w.lemma in ("many", "several", "few", "other") for w in kept):
        return None
    clause.subject = [Word("how", "how", "WRB", "advmod", many), many, *kept]
    tail = predicate(clause, "progressive", grammar)
    return [*_main(clause), *tail] if tail else None


def imperative(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return imperatives: "Look at the man riding a horse.", "Find the dogs.", "Show me the man.", "Do not ride a horse"."""
    kind, stop = grammar.rng.choice(("look", "look", "find", "show", "plain")), grammar.rng.choice((".", ".", "!", ""))
    if kind == "plain":
        if clause.passive or not inflect(clause, "VB", grammar) or not clause.rest:
            return None
        clause.verb.head, clause.verb.relation = None, "root"
        do = Word("do", "do", "VB", "aux", clause.verb)
        return [*([do, negated(do, grammar)] if grammar.chance(0.2) else []), clause.verb, *clause.rest], stop
    words = phrase(clause, grammar)
    if words is None:
        return None
    words = definite(words) if grammar.chance(0.8) else words
    if kind == "look":  # "Look at it this way" newsgroup-…alt.animals.bears…-0062
        verb = Word("look", "look", "VB")
        return [verb, Word("at", "at", "IN", "case", top(words)), *hang(words, verb, "obl")], stop
    name = grammar.rng.choice(("find", "see", "watch", "describe", "count")) if kind == "find" else "show"
    verb = Word(name, name, "VB")
    me = [Word("me", "me", "PRP", "iobj", verb)] if kind == "show" else []
    return [verb, *me, *hang(words, verb, "obj")], stop


def existential(clause: Clause, grammar: Grammar) -> Construction | None:
    """Existence: "There is a man riding a horse.", "There are two dogs sleeping.", "Is there a man riding a horse?"."""
    words = phrase(clause, grammar)
    return there_is(words, grammar) if words else None


def there_is(words: list[Word], grammar: Grammar) -> Construction | None:
    """Return a noun phrase that is not definite behind "there is", or "is there" as in EWT email-enronsent07_01-0097."""
    noun = top(words)
    if any(
        w.head is noun and (w.lemma in ("the", "this", "that", "these", "those", "all", "both") or w.relation == "nmod:poss") for w in words
    ):
        return None
    verb = be(is_plural(words), past=grammar.chance(0.1))
    verb.relation = "root"
    there, asked = Word("there", "there", "EX", "expl", verb), grammar.chance(0.2)
    if not asked and verb.text == "is" and grammar.chance(0.15):
        verb.text, verb.close = "'s", True
    return [*((verb, there) if asked else (there, verb)), *hang(words, verb, "nsubj")], "?" if asked else final_mark(grammar)


def negation(clause: Clause, grammar: Grammar) -> Construction | None:
    """Negation: "The man is not riding a horse.", "A man wearing no helmet", "A man without a helmet rides a horse"."""
    kind = grammar.rng.choice((_not, _not, _no_object, _no_subject, _without))
    return stopped(kind(clause, grammar), grammar)


def negated(before: Word, grammar: Grammar) -> Word:
    """Return the negation after an auxiliary or copula: "not" or "n't"."""
    short = before.text in ("is", "are", "was", "were", "does", "do") and grammar.chance(0.4)
    return Word("n't" if short else "not", "not", "RB", "advmod", before.head, close=short)


def _not(clause: Clause, grammar: Grammar) -> list[Word] | None:
    if clause.passive or grammar.chance(0.7):
        word = auxiliary(clause, grammar, past=grammar.chance(0.1))
    else:
        inflect(clause, "VB", grammar)
        word = Word("do" if clause.plural else "does", "do", "VBP" if clause.plural else "VBZ", "aux", clause.verb)
    if word is None:
        return None
    clause.subject = definite(clause.subject) if grammar.chance(0.5) else clause.subject
    return [*_main(clause), word, negated(word, grammar), clause.verb, *clause.rest]


def _no_object(clause: Clause, grammar: Grammar) -> list[Word] | None:
    objects = clause.dependents("obj")
    inside = below(clause.rest, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    without = determined(inside, "no") if inside else None
    if without is None:
        return None
    at = clause.rest.index(inside[0])
    clause.rest = [*clause.rest[:at], *without, *clause.rest[at + len(inside) :]]
    return phrase(clause, grammar) if grammar.chance(0.5) else statement(clause, grammar.tense(), grammar)


def _no_subject(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return a subject with "no": "There is no man riding a horse.", "No dogs are sleeping"."""
    without = determined(clause.subject, "no")
    if without is None or (clause.noun.tag == "NN" and len(without) == len(clause.subject) + 1):
        return None
    clause.subject = without
    if grammar.chance(0.3):
        return statement(clause, grammar.tense(), grammar)
    words = phrase(clause, grammar)
    found = there_is(words, grammar) if words else None
    return found[0] if found and found[0][0].lemma == "there" else None


def _without(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the subject with a phrase of absence and another caption's object: "a man without a helmet"."""
    other = grammar.partner()
    objects = other.dependents("obj")
    inside = below(other.rest, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    if not inside or len(inside) > 4 or len(clause.subject) > 3 or any(w.tag in ("PRP", "PRP$", ",") or w.tag[:1] == "V" for w in inside):
        return None
    name = "without"
    if (none := determined(inside, "no")) and grammar.chance(0.3):
        inside, name = none, "with"
    case = Word(name, name, "IN", "case", objects[0])
    clause.subject = [*clause.subject, case, *hang(inside, clause.noun, "nmod")]
    return phrase(clause, grammar) if grammar.chance(0.4) else statement(clause, grammar.tense(), grammar)


def final_mark(grammar: Grammar) -> str:
    """Return a full stop or nothing."""
    return "." if grammar.chance(0.7) else ""


def stopped(words: list[Word] | None, grammar: Grammar) -> Construction | None:
    """Return the words with a full stop or without."""
    return (words, final_mark(grammar)) if words else None
