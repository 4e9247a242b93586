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
    draw_final_mark,
    form_of_be,
    make_imperative,
    make_noun_phrase,
    make_participle_phrase,
    make_predicate,
    make_progressive,
    make_question,
    make_statement,
    make_there_is_clause,
    negation_word,
    subject_relation,
    with_final_mark,
)
from tools.parser.noun_phrases import is_noun_phrase, is_plural, make_definite, preposition_of, set_determiner
from tools.parser.words import Word, attach, find_top, subtree

# --- two clauses ---------------------------------------------------------------------------------------------------


def coordinate_subjects(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return coordinated subjects: "A man and two dogs sleep on a sofa"."""
    other = grammar.partner()
    if (
        len(clause.subject) > 4
        or len(other.subject) > 4
        or clause.noun.lemma == other.noun.lemma
        or "nmod" in _subject_relations(clause, other)
    ):
        return None
    if "conj" in _subject_relations(clause, other):
        return None
    added = [Word("and", "and", "CC", "cc", other.noun), *attach(other.subject, clause.noun, "conj")]
    third = grammar.partner()
    if grammar.is_chosen(0.2) and len(third.subject) < 4 and not {"nmod", "conj"} & _subject_relations(third):
        added = [Word(",", ",", ",", "punct", third.noun, close=True), *attach(third.subject, clause.noun, "conj"), *added]
    clause.subject = [*clause.subject, *added]
    words = make_noun_phrase(clause, grammar) if grammar.is_chosen(0.15) else make_statement(clause, grammar.draw_tense(), grammar)
    return with_final_mark(words, grammar)


def _subject_relations(*clauses: Clause) -> set[str]:
    return {w.relation for clause in clauses for w in clause.subject}


def coordinate_verbs(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return coordinated verbs: "A man sits on a bench and reads a book.", "A man sits and a dog sleeps"."""
    other, tense = grammar.partner(), grammar.draw_tense()
    if len(clause.rest) > 8 or len(clause.verbs) + len(other.verbs) > 2 or clause.passive or clause.verb.lemma == other.verb.lemma:
        return None
    own = grammar.is_chosen(0.3)
    if own:
        second = make_statement(other, tense, grammar)
    elif other.passive:
        return None
    else:
        other.subject = clause.copy().subject
        second = make_predicate(other, tense, grammar)
        second = second[second.index(other.verb) :] if second else None  # "is sitting and reading"
    first = (
        make_noun_phrase(clause, grammar)
        if tense == "progressive" and not own and grammar.is_chosen(0.5)
        else make_statement(clause, tense, grammar)
    )
    if first is None or second is None:
        return None
    and_ = Word("and", "and", "CC", "cc", other.verb)
    return with_final_mark([*first, and_, *attach(second, clause.verb, "conj")], grammar)


def subordinate_clause(clause: Clause, grammar: Grammar) -> Construction | None:
    """Subordinate clauses: "A man stands while a dog sleeps.", "As a man walks, a dog runs.", "A man sitting while reading a book"."""
    other, name = grammar.partner(), grammar.rng.choice(("while", "while", "as"))
    if len(clause.rest) > 9 or len(other.rest) > 9:
        return None
    mark = Word(name, name, "IN", "mark", other.verb)
    if name == "while" and not other.passive and grammar.is_chosen(0.3):
        other.subject = clause.copy().subject
        second = make_predicate(other, "progressive", grammar)
        second = second[second.index(other.verb) :] if second else None  # "while reading a book"
        first = make_noun_phrase(clause, grammar) if grammar.is_chosen(0.4) else make_statement(clause, grammar.draw_tense(), grammar)
    else:
        tense = grammar.draw_tense()
        second = make_statement(other, tense, grammar)
        first = make_noun_phrase(clause, grammar) if grammar.is_chosen(0.2) else make_statement(clause, tense, grammar)
    if first is None or second is None:
        return None
    second = [mark, *attach(second, clause.verb, "advcl")]
    if clause.verb.relation == "root" and grammar.is_chosen(0.2):
        return with_final_mark([*second, Word(",", ",", ",", "punct", clause.verb, close=True), *first], grammar)
    return with_final_mark([*first, *second], grammar)


def make_relative_clause(clause: Clause, grammar: Grammar) -> Construction | None:
    """Relative clauses: "A man who is riding a horse", "A horse that a man is riding", "The woman whose dog sleeps waves"."""
    words = grammar.rng.choice((_relativise_subject, _relativise_subject, _relativise_object, _relativise_possessor))(clause, grammar)
    if words is None or any(w.relation == "conj" and w.head is find_top(words) for w in words):
        return None
    other = grammar.partner()
    if len(words) < 12 and len(other.rest) < 8 and grammar.is_chosen(0.5):
        other.subject = make_definite(words) if grammar.is_chosen(0.6) else words
        words = make_statement(other, grammar.draw_tense(), grammar)
    return with_final_mark(words, grammar)


def relative_pronoun(noun: Word, grammar: Grammar) -> Word:
    """Choose a relative pronoun (who, that, which) for a noun at random."""
    person = noun.lemma in PERSON_NOUNS
    if person and grammar.is_chosen(0.8):
        return Word("who", "who", "WP")
    name = "that" if person or grammar.is_chosen(0.7) else "which"
    return Word(name, name, "WDT")


def _relativise_subject(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the subject in front, as in EWT email-enronsent10_01-0006 "someone who is watching this"."""
    tail = make_predicate(clause, grammar.draw_tense(), grammar)
    if tail is None or "nmod" in _subject_relations(clause):
        return None
    who, label = relative_pronoun(clause.noun, grammar), subject_relation(clause)
    who.head, who.relation = clause.verb, label
    attach(clause.subject, None, "root")
    clause.verb.head, clause.verb.relation = clause.noun, "acl:relcl"
    return [*clause.subject, who, *tail]


def _relativise_object(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the object in front: "a horse that the man is riding"."""
    objects = clause.dependents("obj")
    inside = subtree(clause.rest, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    if not inside or len(clause.verbs) > 1 or not is_noun_phrase(inside) or {"nmod", "conj"} & {w.relation for w in inside}:
        return None
    clause.rest = [w for w in clause.rest if w not in inside]
    tail = make_statement(clause, grammar.rng.choice(("progressive", "present")), grammar)
    if tail is None or any(w.tag == "," for w in clause.rest):
        return None
    that = Word("that", "that", "WDT", "obj", clause.verb)
    clause.verb.head, clause.verb.relation = objects[0], "acl:relcl"
    return [*attach(inside, None, "root"), *([that] if grammar.is_chosen(0.8) else []), *tail]


def _relativise_possessor(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the possessor in front: "a woman whose dog is sleeping", "a woman whose dog is black"."""
    owner = grammar.partner().subject
    bare = set_determiner(clause.subject, "the")
    if bare is None or len(owner) > 4 or {"nmod", "conj"} & {w.relation for w in owner} or find_top(owner).lemma == clause.noun.lemma:
        return None
    clause.subject = [Word("whose", "whose", "WP$", "nmod:poss", clause.noun), *bare[1:]]
    adjective = sorted(grammar.adjectives) if grammar.is_chosen(0.3) else []
    if adjective:
        name = grammar.rng.choice(adjective)
        verb = Word(name, name, "JJ")
        tail = [_make_copula(verb, clause.plural), verb]
        words = [*attach(clause.subject, verb, "nsubj"), *tail]
    else:
        words, verb = make_statement(clause, grammar.draw_tense(), grammar) or [], clause.verb
    if not words:
        return None
    attach(owner, None, "root")
    verb.head, verb.relation = find_top(owner), "acl:relcl"
    return [*owner, *words]


def split_group(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return parts of a group: "One man rides a horse and the other reads a book.", "One of the men is riding a horse"."""
    other, tense = grammar.partner(), grammar.draw_tense()
    if clause.plural or clause.noun.tag != "NN" or "nmod" in _subject_relations(clause):
        return None
    if grammar.is_chosen(0.3):
        return with_final_mark(_make_partitive(clause, grammar), grammar)
    one = set_determiner(clause.subject, "one")
    if one is None or len(clause.rest) > 8 or len(other.rest) > 8:
        return None
    clause.subject = one
    name = Word("other", "other", "JJ")
    other.subject = [Word("the", "the", "DT", "det", name), name]
    first, second = make_statement(clause, tense, grammar), make_statement(other, tense, grammar)
    if first is None or second is None:
        return None
    if grammar.is_chosen(0.4):
        link = [Word("while", "while", "IN", "mark", other.verb), *attach(second, clause.verb, "advcl")]
    else:
        link = [Word("and", "and", "CC", "cc", other.verb), *attach(second, clause.verb, "conj")]
    return with_final_mark([*first, *link], grammar)


def _make_partitive(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the noun as a plural of which one or some act: "one of the men"."""
    plural, noun = grammar.inflection.form(clause.noun.lemma, "NNS"), clause.noun
    phrase_ = set_determiner(clause.subject, "the")
    if plural is None or phrase_ is None:
        return None
    noun.text, noun.tag = plural, "NNS"
    text, tag = grammar.rng.choice(
        (("one", "CD"), ("one", "CD"), ("two", "CD"), ("three", "CD"), ("some", "DT"), ("many", "JJ"), ("most", "JJS"))
    )
    one = Word(text, text, tag)
    clause.subject = [one, Word("of", "of", "IN", "case", noun), *attach(phrase_, one, "nmod")]
    return make_statement(clause, grammar.draw_tense(), grammar)


# --- words that are noun and verb ----------------------------------------------------------------------------------


def exchange_verb(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the verb exchanged for one that is a noun as well: "Two dogs nap beside a couch"."""
    relations = {w.relation for w in clause.rest if w.head is clause.verb}
    if clause.passive or relations - {"obj", "obl", "advmod"} or any(w.relation == "advmod" and w.head is clause.verb for w in clause.rest):
        return None
    pool = grammar.noun_verbs.transitive if "obj" in relations else grammar.noun_verbs.intransitive
    if not pool:
        return None
    clause.verb.lemma = grammar.draw_word(pool)
    _vary_place_phrase(clause, grammar)
    return _realise_clause(clause, grammar)


def _vary_place_phrase(clause: Clause, grammar: Grammar) -> None:
    """Shorten what follows to nothing or one phrase of place, sometimes with another preposition."""
    places = [w for w in clause.dependents("obl") if preposition_of(w, clause.rest) in PLACES]
    if places and grammar.is_chosen(0.5):
        inside = subtree(clause.rest, places[0])
        case = next(w for w in inside if w.head is places[0] and w.relation == "case")
        if inside[0] is case and places[0].lemma not in ("front", "top", "back", "side", "middle"):
            case.text = case.lemma = grammar.rng.choice(NEARBY_PREPOSITIONS)
    elif not clause.dependents("obj") and grammar.is_chosen(0.4):
        clause.rest = []


def exchange_noun(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a noun exchanged for one that is a verb as well: "A man rides a swing"."""
    words = [*clause.subject, *clause.rest]
    nouns = [w for w in words if w.tag in ("NN", "NNS") and w.relation in ("nsubj", "root", "obj", "obl", "nmod")]
    nouns = [n for n in nouns if any(w.head is n and w.relation == "det" and w.lemma in ("a", "the") for w in words)]
    nouns = [n for n in nouns if not any(w.head is n and w.relation in ("compound", "nmod", "fixed") for w in words)]
    if not nouns or not grammar.noun_verbs.nouns:
        return None
    noun, lemma = grammar.rng.choice(nouns), grammar.draw_word(grammar.noun_verbs.nouns)
    form = grammar.inflection.form(lemma, noun.tag)
    if form is None:
        return None
    noun.text, noun.lemma = form, lemma
    return _realise_clause(clause, grammar)


def _realise_clause(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the clause in a construction at random, mostly with a finite verb."""
    return grammar.rng.choice(_REALISATIONS)(clause, grammar)


def _make_participle(clause: Clause, grammar: Grammar) -> Construction | None:
    clause.finite = True
    return make_participle_phrase(clause, grammar)


def _make_present(clause: Clause, grammar: Grammar) -> Construction | None:
    return with_final_mark(make_statement(clause, "present", grammar), grammar)


ConstructionFunction = Callable[[Clause, Grammar], Construction | None]
_REALISATIONS: tuple[ConstructionFunction, ...] = (
    *([_make_present] * 5),
    *([_make_participle] * 2),
    *([coordinate_subjects] * 2),
    make_progressive,
    make_question,
    make_imperative,
    subordinate_clause,
    coordinate_verbs,
)


# --- copulas -------------------------------------------------------------------------------------------------------


def _make_copula(head: Word, plural: bool, past: bool = False) -> Word:
    word = form_of_be(plural, past)
    word.head, word.relation = head, "cop"
    return word


def make_copular(words: list[Word], grammar: Grammar) -> Construction | None:
    """Return a noun phrase as a clause with "be": "A black dog is on a sofa.", "The dog on the sofa is black"."""
    if not is_noun_phrase(words) or find_top(words).tag not in ("NN", "NNS"):
        return None
    parts = (_split_adjective if grammar.is_chosen(0.5) else _split_place_phrase)(words, grammar)
    if parts is None:
        return make_there_is_clause(words, grammar) if grammar.is_chosen(0.1) else None
    before, after = parts
    root, plural = find_top(after), is_plural(before)
    form = grammar.rng.choice(("statement", "statement", "question", "not", "relative"))
    verb = _make_copula(root, plural, past=grammar.is_chosen(0.15))
    if form == "relative":
        noun = find_top(before)
        who = relative_pronoun(noun, grammar)
        who.head, who.relation = root, "nsubj"
        attach(before, None, "root")
        return [*before, who, verb, *attach(after, noun, "acl:relcl")], draw_final_mark(grammar)
    attach(after, None, "root")
    before = attach(make_definite(before) if form == "question" or grammar.is_chosen(0.4) else before, root, "nsubj")
    if form == "question":
        return [verb, *before, *after], "?"
    return [*before, verb, *([negation_word(verb, grammar)] if form == "not" else []), *after], draw_final_mark(grammar)


def _split_place_phrase(words: list[Word], grammar: Grammar) -> tuple[list[Word], list[Word]] | None:
    """Return the noun phrase before its last phrase of place, and that phrase."""
    noun = find_top(words)
    last = next((w for w in reversed(words) if w.head is noun and w.relation == "nmod" and preposition_of(w, words) in PLACES), None)
    inside = subtree(words, last) if last else []
    if (
        not inside
        or inside[-1] is not words[-1]
        or inside[0].relation != "case"
        or any(w.relation == "conj" and w.head is noun for w in words)
    ):
        return None
    return words[: -len(inside)], inside


def _split_adjective(words: list[Word], grammar: Grammar) -> tuple[list[Word], list[Word]] | None:
    """Return the noun phrase without one adjective, definite, and that adjective."""
    noun = find_top(words)
    own = [w for w in words if w.head is noun and w.relation == "amod" and w.lemma in grammar.adjectives]
    if len(own) != 1 or any(w.head is noun and w.relation == "conj" for w in words) or any(w.head is own[0] for w in words):
        return None
    rest = make_definite([w for w in words if w is not own[0]])
    has = any(w.head is noun and w.relation in ("det", "nmod:poss") for w in rest)
    return (rest, own) if has else None
