"""Constructions of two captions or of exchanged words: coordination, subordinate and relative clauses, "one … the other", copulas."""

from __future__ import annotations

from collections.abc import Callable

from spice_core.lang.en.word_lists import PERSON_NOUNS
from tools.parser.clauses import Clause
from tools.parser.constructions import (
    NEARBY_PREPOSITIONS,
    PLACES,
    Construction,
    Grammar,
    be,
    final_mark,
    imperative,
    negated,
    participle,
    phrase,
    predicate,
    progressive,
    question,
    statement,
    stopped,
    subject,
    there_is,
)
from tools.parser.noun_phrases import case_of, definite, determined, is_noun_phrase, is_plural
from tools.parser.words import Word, below, hang, top

# --- two clauses ---------------------------------------------------------------------------------------------------


def coordinated_subjects(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return coordinated subjects: "A man and two dogs sleep on a sofa"."""
    other = grammar.partner()
    if len(clause.subject) > 4 or len(other.subject) > 4 or clause.noun.lemma == other.noun.lemma or "nmod" in _labels(clause, other):
        return None
    if "conj" in _labels(clause, other):
        return None
    added = [Word("and", "and", "CC", "cc", other.noun), *hang(other.subject, clause.noun, "conj")]
    third = grammar.partner()
    if grammar.chance(0.2) and len(third.subject) < 4 and not {"nmod", "conj"} & _labels(third):
        added = [Word(",", ",", ",", "punct", third.noun, close=True), *hang(third.subject, clause.noun, "conj"), *added]
    clause.subject = [*clause.subject, *added]
    words = phrase(clause, grammar) if grammar.chance(0.15) else statement(clause, grammar.tense(), grammar)
    return stopped(words, grammar)


def _labels(*clauses: Clause) -> set[str]:
    return {w.relation for clause in clauses for w in clause.subject}


def coordinated_verbs(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return coordinated verbs: "A man sits on a bench and reads a book.", "A man sits and a dog sleeps"."""
    other, tense = grammar.partner(), grammar.tense()
    if len(clause.rest) > 8 or len(clause.verbs) + len(other.verbs) > 2 or clause.passive or clause.verb.lemma == other.verb.lemma:
        return None
    own = grammar.chance(0.3)
    if own:
        second = statement(other, tense, grammar)
    elif other.passive:
        return None
    else:
        other.subject = clause.copy().subject
        second = predicate(other, tense, grammar)
        second = second[second.index(other.verb) :] if second else None  # "is sitting and reading"
    first = phrase(clause, grammar) if tense == "progressive" and not own and grammar.chance(0.5) else statement(clause, tense, grammar)
    if first is None or second is None:
        return None
    and_ = Word("and", "and", "CC", "cc", other.verb)
    return stopped([*first, and_, *hang(second, clause.verb, "conj")], grammar)


def subordinate(clause: Clause, grammar: Grammar) -> Construction | None:
    """Subordinate clauses: "A man stands while a dog sleeps.", "As a man walks, a dog runs.", "A man sitting while reading a book"."""
    other, name = grammar.partner(), grammar.rng.choice(("while", "while", "as"))
    if len(clause.rest) > 9 or len(other.rest) > 9:
        return None
    mark = Word(name, name, "IN", "mark", other.verb)
    if name == "while" and not other.passive and grammar.chance(0.3):
        other.subject = clause.copy().subject
        second = predicate(other, "progressive", grammar)
        second = second[second.index(other.verb) :] if second else None  # "while reading a book"
        first = phrase(clause, grammar) if grammar.chance(0.4) else statement(clause, grammar.tense(), grammar)
    else:
        tense = grammar.tense()
        second = statement(other, tense, grammar)
        first = phrase(clause, grammar) if grammar.chance(0.2) else statement(clause, tense, grammar)
    if first is None or second is None:
        return None
    second = [mark, *hang(second, clause.verb, "advcl")]
    if clause.verb.relation == "root" and grammar.chance(0.2):
        return stopped([*second, Word(",", ",", ",", "punct", clause.verb, close=True), *first], grammar)
    return stopped([*first, *second], grammar)


def relative(clause: Clause, grammar: Grammar) -> Construction | None:
    """Relative clauses: "A man who is riding a horse", "A horse that a man is riding", "The woman whose dog sleeps waves"."""
    words = grammar.rng.choice((_who_does, _who_does, _that_is_done, _whose))(clause, grammar)
    if words is None or any(w.relation == "conj" and w.head is top(words) for w in words):
        return None
    other = grammar.partner()
    if len(words) < 12 and len(other.rest) < 8 and grammar.chance(0.5):
        other.subject = definite(words) if grammar.chance(0.6) else words
        words = statement(other, grammar.tense(), grammar)
    return stopped(words, grammar)


def pronoun(noun: Word, grammar: Grammar) -> Word:
    """Return the relative pronoun of a noun."""
    person = noun.lemma in PERSON_NOUNS
    if person and grammar.chance(0.8):
        return Word("who", "who", "WP")
    name = "that" if person or grammar.chance(0.7) else "which"
    return Word(name, name, "WDT")


def _who_does(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the subject in front, as in EWT email-enronsent10_01-0006 "someone who is watching this"."""
    tail = predicate(clause, grammar.tense(), grammar)
    if tail is None or "nmod" in _labels(clause):
        return None
    who, label = pronoun(clause.noun, grammar), subject(clause)
    who.head, who.relation = clause.verb, label
    hang(clause.subject, None, "root")
    clause.verb.head, clause.verb.relation = clause.noun, "acl:relcl"
    return [*clause.subject, who, *tail]


def _that_is_done(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the object in front: "a horse that the man is riding"."""
    objects = clause.dependents("obj")
    inside = below(clause.rest, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    if not inside or len(clause.verbs) > 1 or not is_noun_phrase(inside) or {"nmod", "conj"} & {w.relation for w in inside}:
        return None
    clause.rest = [w for w in clause.rest if w not in inside]
    tail = statement(clause, grammar.rng.choice(("progressive", "present")), grammar)
    if tail is None or any(w.tag == "," for w in clause.rest):
        return None
    that = Word("that", "that", "WDT", "obj", clause.verb)
    clause.verb.head, clause.verb.relation = objects[0], "acl:relcl"
    return [*hang(inside, None, "root"), *([that] if grammar.chance(0.8) else []), *tail]


def _whose(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the possessor in front: "a woman whose dog is sleeping", "a woman whose dog is black"."""
    owner = grammar.partner().subject
    bare = determined(clause.subject, "the")
    if bare is None or len(owner) > 4 or {"nmod", "conj"} & {w.relation for w in owner} or top(owner).lemma == clause.noun.lemma:
        return None
    clause.subject = [Word("whose", "whose", "WP$", "nmod:poss", clause.noun), *bare[1:]]
    adjective = sorted(grammar.adjectives) if grammar.chance(0.3) else []
    if adjective:
        name = grammar.rng.choice(adjective)
        verb = Word(name, name, "JJ")
        tail = [_cop(verb, clause.plural), verb]
        words = [*hang(clause.subject, verb, "nsubj"), *tail]
    else:
        words, verb = statement(clause, grammar.tense(), grammar) or [], clause.verb
    if not words:
        return None
    hang(owner, None, "root")
    verb.head, verb.relation = top(owner), "acl:relcl"
    return [*owner, *words]


def one_other(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return parts of a group: "One man rides a horse and the other reads a book.", "One of the men is riding a horse"."""
    other, tense = grammar.partner(), grammar.tense()
    if clause.plural or clause.noun.tag != "NN" or "nmod" in _labels(clause):
        return None
    if grammar.chance(0.3):
        return stopped(_one_of(clause, grammar), grammar)
    one = determined(clause.subject, "one")
    if one is None or len(clause.rest) > 8 or len(other.rest) > 8:
        return None
    clause.subject = one
    name = Word("other", "other", "JJ")
    other.subject = [Word("the", "the", "DT", "det", name), name]
    first, second = statement(clause, tense, grammar), statement(other, tense, grammar)
    if first is None or second is None:
        return None
    if grammar.chance(0.4):
        link = [Word("while", "while", "IN", "mark", other.verb), *hang(second, clause.verb, "advcl")]
    else:
        link = [Word("and", "and", "CC", "cc", other.verb), *hang(second, clause.verb, "conj")]
    return stopped([*first, *link], grammar)


def _one_of(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the noun as a plural of which one or some act: "one of the men"."""
    plural, noun = grammar.inflection.form(clause.noun.lemma, "NNS"), clause.noun
    phrase_ = determined(clause.subject, "the")
    if plural is None or phrase_ is None:
        return None
    noun.text, noun.tag = plural, "NNS"
    text, tag = grammar.rng.choice(
        (("one", "CD"), ("one", "CD"), ("two", "CD"), ("three", "CD"), ("some", "DT"), ("many", "JJ"), ("most", "JJS"))
    )
    one = Word(text, text, tag)
    clause.subject = [one, Word("of", "of", "IN", "case", noun), *hang(phrase_, one, "nmod")]
    return statement(clause, grammar.tense(), grammar)


# --- words that are noun and verb ----------------------------------------------------------------------------------


def exchanged_verb(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the verb exchanged for one that is a noun as well: "Two dogs nap beside a couch"."""
    relations = {w.relation for w in clause.rest if w.head is clause.verb}
    if clause.passive or relations - {"obj", "obl", "advmod"} or any(w.relation == "advmod" and w.head is clause.verb for w in clause.rest):
        return None
    pool = grammar.both.transitive if "obj" in relations else grammar.both.intransitive
    if not pool:
        return None
    clause.verb.lemma = grammar.picked(pool)
    _moved(clause, grammar)
    return _realised(clause, grammar)


def _moved(clause: Clause, grammar: Grammar) -> None:
    """Shorten what follows to nothing or one phrase of place, sometimes with another preposition."""
    places = [w for w in clause.dependents("obl") if case_of(w, clause.rest) in PLACES]
    if places and grammar.chance(0.5):
        inside = below(clause.rest, places[0])
        case = next(w for w in inside if w.head is places[0] and w.relation == "case")
        if inside[0] is case and places[0].lemma not in ("front", "top", "back", "side", "middle"):
            case.text = case.lemma = grammar.rng.choice(NEARBY_PREPOSITIONS)
    elif not clause.dependents("obj") and grammar.chance(0.4):
        clause.rest = []


def exchanged_noun(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a noun exchanged for one that is a verb as well: "A man rides a swing"."""
    words = [*clause.subject, *clause.rest]
    nouns = [w for w in words if w.tag in ("NN", "NNS") and w.relation in ("nsubj", "root", "obj", "obl", "nmod")]
    nouns = [n for n in nouns if any(w.head is n and w.relation == "det" and w.lemma in ("a", "the") for w in words)]
    nouns = [n for n in nouns if not any(w.head is n and w.relation in ("compound", "nmod", "fixed") for w in words)]
    if not nouns or not grammar.both.nouns:
        return None
    noun, lemma = grammar.rng.choice(nouns), grammar.picked(grammar.both.nouns)
    form = grammar.inflection.form(lemma, noun.tag)
    if form is None:
        return None
    noun.text, noun.lemma = form, lemma
    return _realised(clause, grammar)


def _realised(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the clause in a construction at random, mostly with a finite verb."""
    return grammar.rng.choice(_REALISATIONS)(clause, grammar)


def _participle(clause: Clause, grammar: Grammar) -> Construction | None:
    clause.finite = True
    return participle(clause, grammar)


def _present(clause: Clause, grammar: Grammar) -> Construction | None:
    return stopped(statement(clause, "present", grammar), grammar)


Kind = Callable[[Clause, Grammar], Construction | None]
_REALISATIONS: tuple[Kind, ...] = (
    *([_present] * 5),
    *([_participle] * 2),
    *([coordinated_subjects] * 2),
    progressive,
    question,
    imperative,
    subordinate,
    coordinated_verbs,
)


# --- copulas -------------------------------------------------------------------------------------------------------


def _cop(head: Word, plural: bool, past: bool = False) -> Word:
    word = be(plural, past)
    word.head, word.relation = head, "cop"
    return word


def copular(words: list[Word], grammar: Grammar) -> Construction | None:
    """Return a noun phrase as a clause with "be": "A black dog is on a sofa.", "The dog on the sofa is black"."""
    if not is_noun_phrase(words) or top(words).tag not in ("NN", "NNS"):
        return None
    parts = (_adjective if grammar.chance(0.5) else _place)(words, grammar)
    if parts is None:
        return there_is(words, grammar) if grammar.chance(0.1) else None
    before, after = parts
    root, plural = top(after), is_plural(before)
    form = grammar.rng.choice(("statement", "statement", "question", "not", "relative"))
    verb = _cop(root, plural, past=grammar.chance(0.15))
    if form == "relative":
        noun = top(before)
        who = pronoun(noun, grammar)
        who.head, who.relation = root, "nsubj"
        hang(before, None, "root")
        return [*before, who, verb, *hang(after, noun, "acl:relcl")], final_mark(grammar)
    hang(after, None, "root")
    before = hang(definite(before) if form == "question" or grammar.chance(0.4) else before, root, "nsubj")
    if form == "question":
        return [verb, *before, *after], "?"
    return [*before, verb, *([negated(verb, grammar)] if form == "not" else []), *after], final_mark(grammar)


def _place(words: list[Word], grammar: Grammar) -> tuple[list[Word], list[Word]] | None:
    """Return the noun phrase before its last phrase of place, and that phrase."""
    noun = top(words)
    last = next((w for w in reversed(words) if w.head is noun and w.relation == "nmod" and case_of(w, words) in PLACES), None)
    inside = below(words, last) if last else []
    if (
        not inside
        or inside[-1] is not words[-1]
        or inside[0].relation != "case"
        or any(w.relation == "conj" and w.head is noun for w in words)
    ):
        return None
    return words[: -len(inside)], inside


def _adjective(words: list[Word], grammar: Grammar) -> tuple[list[Word], list[Word]] | None:
    """Return the noun phrase without one adjective, definite, and that adjective."""
    noun = top(words)
    own = [w for w in words if w.head is noun and w.relation == "amod" and w.lemma in grammar.adjectives]
    if len(own) != 1 or any(w.head is noun and w.relation == "conj" for w in words) or any(w.head is own[0] for w in words):
        return None
    rest = definite([w for w in words if w is not own[0]])
    has = any(w.head is noun and w.relation in ("det", "nmod:poss") for w in rest)
    return (rest, own) if has else None
