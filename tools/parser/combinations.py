"""Constructions that combine two captions or exchange words: coordination, subordinate and relative clauses, "one … the other", copulas."""

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
    """Return a sentence with coordinated subjects: "A man and two dogs sleep on a sofa"."""
    other_clause = grammar.draw_partner_clause()
    if (
        len(clause.subject) > 4
        or len(other_clause.subject) > 4
        or clause.noun.lemma == other_clause.noun.lemma
        or "nmod" in _subject_relations(clause, other_clause)
    ):
        return None
    if "conj" in _subject_relations(clause, other_clause):
        return None
    added_words = [Word("and", "and", "CC", "cc", other_clause.noun), *attach(other_clause.subject, clause.noun, "conj")]
    third_clause = grammar.draw_partner_clause()
    if grammar.is_chosen(0.2) and len(third_clause.subject) < 4 and not {"nmod", "conj"} & _subject_relations(third_clause):
        added_words = [
            Word(",", ",", ",", "punct", third_clause.noun, follows_directly=True),
            *attach(third_clause.subject, clause.noun, "conj"),
            *added_words,
        ]
    clause.subject = [*clause.subject, *added_words]
    words = make_noun_phrase(clause, grammar) if grammar.is_chosen(0.15) else make_statement(clause, grammar.draw_tense(), grammar)
    return with_final_mark(words, grammar)


def _subject_relations(*clauses: Clause) -> set[str]:
    return {w.relation for clause in clauses for w in clause.subject}


def coordinate_verbs(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a sentence with coordinated verbs: "A man sits on a bench and reads a book.", "A man sits and a dog sleeps"."""
    other_clause, tense = grammar.draw_partner_clause(), grammar.draw_tense()
    if (
        len(clause.words_after) > 8
        or len(clause.verbs) + len(other_clause.verbs) > 2
        or clause.is_passive
        or clause.verb.lemma == other_clause.verb.lemma
    ):
        return None
    has_own_subject = grammar.is_chosen(0.3)
    if has_own_subject:
        second_words = make_statement(other_clause, tense, grammar)
    elif other_clause.is_passive:
        return None
    else:
        other_clause.subject = clause.copy().subject
        second_words = make_predicate(other_clause, tense, grammar)
        second_words = second_words[second_words.index(other_clause.verb) :] if second_words else None  # "is sitting and reading"
    first_words = (
        make_noun_phrase(clause, grammar)
        if tense == "progressive" and not has_own_subject and grammar.is_chosen(0.5)
        else make_statement(clause, tense, grammar)
    )
    if first_words is None or second_words is None:
        return None
    and_ = Word("and", "and", "CC", "cc", other_clause.verb)
    return with_final_mark([*first_words, and_, *attach(second_words, clause.verb, "conj")], grammar)


def subordinate_clause(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a caption with a subordinate clause: "A man stands while a dog sleeps.", "As a man walks, a dog runs.", "A man sitting while reading"."""
    other_clause, name = grammar.draw_partner_clause(), grammar.rng.choice(("while", "while", "as"))
    if len(clause.words_after) > 9 or len(other_clause.words_after) > 9:
        return None
    mark = Word(name, name, "IN", "mark", other_clause.verb)
    if name == "while" and not other_clause.is_passive and grammar.is_chosen(0.3):
        other_clause.subject = clause.copy().subject
        second_words = make_predicate(other_clause, "progressive", grammar)
        second_words = second_words[second_words.index(other_clause.verb) :] if second_words else None  # "while reading a book"
        first_words = make_noun_phrase(clause, grammar) if grammar.is_chosen(0.4) else make_statement(clause, grammar.draw_tense(), grammar)
    else:
        tense = grammar.draw_tense()
        second_words = make_statement(other_clause, tense, grammar)
        first_words = make_noun_phrase(clause, grammar) if grammar.is_chosen(0.2) else make_statement(clause, tense, grammar)
    if first_words is None or second_words is None:
        return None
    second_words = [mark, *attach(second_words, clause.verb, "advcl")]
    if clause.verb.relation == "root" and grammar.is_chosen(0.2):
        return with_final_mark([*second_words, Word(",", ",", ",", "punct", clause.verb, follows_directly=True), *first_words], grammar)
    return with_final_mark([*first_words, *second_words], grammar)


def make_relative_clause(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a noun or sentence with a relative clause: "A man who is riding a horse", "A horse that a man is riding", "The woman whose dog sleeps waves"."""
    words = grammar.rng.choice((_relativise_subject, _relativise_subject, _relativise_object, _relativise_possessor))(clause, grammar)
    if words is None or any(w.relation == "conj" and w.head is find_top(words) for w in words):
        return None
    other_clause = grammar.draw_partner_clause()
    if len(words) < 12 and len(other_clause.words_after) < 8 and grammar.is_chosen(0.5):
        other_clause.subject = make_definite(words) if grammar.is_chosen(0.6) else words
        words = make_statement(other_clause, grammar.draw_tense(), grammar)
    return with_final_mark(words, grammar)


def relative_pronoun(noun: Word, grammar: Grammar) -> Word:
    """Choose a relative pronoun (who, that, which) for a noun at random."""
    person = noun.lemma in PERSON_NOUNS
    if person and grammar.is_chosen(0.8):
        return Word("who", "who", "WP")
    name = "that" if person or grammar.is_chosen(0.7) else "which"
    return Word(name, name, "WDT")


def _relativise_subject(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the subject with a relative clause, as in EWT email-enronsent10_01-0006 "someone who is watching this"."""
    tail = make_predicate(clause, grammar.draw_tense(), grammar)
    if tail is None or "nmod" in _subject_relations(clause):
        return None
    pronoun, label = relative_pronoun(clause.noun, grammar), subject_relation(clause)
    pronoun.head, pronoun.relation = clause.verb, label
    attach(clause.subject, None, "root")
    clause.verb.head, clause.verb.relation = clause.noun, "acl:relcl"
    return [*clause.subject, pronoun, *tail]


def _relativise_object(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the object with a relative clause: "a horse that the man is riding"."""
    objects = clause.dependents("obj")
    inner_words = subtree(clause.words_after, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    if not inner_words or len(clause.verbs) > 1 or not is_noun_phrase(inner_words) or {"nmod", "conj"} & {w.relation for w in inner_words}:
        return None
    clause.words_after = [w for w in clause.words_after if w not in inner_words]
    tail = make_statement(clause, grammar.rng.choice(("progressive", "present")), grammar)
    if tail is None or any(w.tag == "," for w in clause.words_after):
        return None
    pronoun = Word("that", "that", "WDT", "obj", clause.verb)
    clause.verb.head, clause.verb.relation = objects[0], "acl:relcl"
    return [*attach(inner_words, None, "root"), *([pronoun] if grammar.is_chosen(0.8) else []), *tail]


def _relativise_possessor(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return a possessor with a relative clause about the subject: "a woman whose dog is sleeping", "a woman whose dog is black"."""
    owner = grammar.draw_partner_clause().subject
    bare_subject = set_determiner(clause.subject, "the")
    if (
        bare_subject is None
        or len(owner) > 4
        or {"nmod", "conj"} & {w.relation for w in owner}
        or find_top(owner).lemma == clause.noun.lemma
    ):
        return None
    clause.subject = [Word("whose", "whose", "WP$", "nmod:poss", clause.noun), *bare_subject[1:]]
    adjectives = sorted(grammar.adjectives) if grammar.is_chosen(0.3) else []
    if adjectives:
        name = grammar.rng.choice(adjectives)
        verb = Word(name, name, "JJ")
        tail = [_make_copula(verb, clause.is_plural), verb]
        words = [*attach(clause.subject, verb, "nsubj"), *tail]
    else:
        words, verb = make_statement(clause, grammar.draw_tense(), grammar) or [], clause.verb
    if not words:
        return None
    attach(owner, None, "root")
    verb.head, verb.relation = find_top(owner), "acl:relcl"
    return [*owner, *words]


def split_group(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a sentence about parts of a group: "One man rides a horse and the other reads a book.", "One of the men is riding a horse"."""
    other_clause, tense = grammar.draw_partner_clause(), grammar.draw_tense()
    if clause.is_plural or clause.noun.tag != "NN" or "nmod" in _subject_relations(clause):
        return None
    if grammar.is_chosen(0.3):
        return with_final_mark(_make_partitive(clause, grammar), grammar)
    numeral_phrase = set_determiner(clause.subject, "one")
    if numeral_phrase is None or len(clause.words_after) > 8 or len(other_clause.words_after) > 8:
        return None
    clause.subject = numeral_phrase
    name = Word("other", "other", "JJ")
    other_clause.subject = [Word("the", "the", "DT", "det", name), name]
    first_words, second_words = make_statement(clause, tense, grammar), make_statement(other_clause, tense, grammar)
    if first_words is None or second_words is None:
        return None
    if grammar.is_chosen(0.4):
        link = [Word("while", "while", "IN", "mark", other_clause.verb), *attach(second_words, clause.verb, "advcl")]
    else:
        link = [Word("and", "and", "CC", "cc", other_clause.verb), *attach(second_words, clause.verb, "conj")]
    return with_final_mark([*first_words, *link], grammar)


def _make_partitive(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return a statement whose subject is partitive: "one of the men is riding a horse"."""
    plural, noun = grammar.inflection.form(clause.noun.lemma, "NNS"), clause.noun
    phrase_ = set_determiner(clause.subject, "the")
    if plural is None or phrase_ is None:
        return None
    noun.text, noun.tag = plural, "NNS"
    text, tag = grammar.rng.choice(
        (("one", "CD"), ("one", "CD"), ("two", "CD"), ("three", "CD"), ("some", "DT"), ("many", "JJ"), ("most", "JJS"))
    )
    quantity_word = Word(text, text, tag)
    clause.subject = [quantity_word, Word("of", "of", "IN", "case", noun), *attach(phrase_, quantity_word, "nmod")]
    return make_statement(clause, grammar.draw_tense(), grammar)


# --- words that can be nouns and verbs ----------------------------------------------------------------------------------


def replace_verb(clause: Clause, grammar: Grammar) -> Construction | None:
    """Replace the verb by one that is also a noun: "Two dogs nap beside a couch"."""
    relations = {w.relation for w in clause.words_after if w.head is clause.verb}
    if (
        clause.is_passive
        or relations - {"obj", "obl", "advmod"}
        or any(w.relation == "advmod" and w.head is clause.verb for w in clause.words_after)
    ):
        return None
    pool = grammar.noun_verbs.transitive if "obj" in relations else grammar.noun_verbs.intransitive
    if not pool:
        return None
    clause.verb.lemma = grammar.draw_word(pool)
    _vary_place_phrase(clause, grammar)
    return _realise_clause(clause, grammar)


def _vary_place_phrase(clause: Clause, grammar: Grammar) -> None:
    """At random, replace the preposition of a place, or drop all words after an intransitive verb."""
    places = [w for w in clause.dependents("obl") if preposition_of(w, clause.words_after) in PLACES]
    if places and grammar.is_chosen(0.5):
        inner_words = subtree(clause.words_after, places[0])
        case = next(w for w in inner_words if w.head is places[0] and w.relation == "case")
        if inner_words[0] is case and places[0].lemma not in ("front", "top", "back", "side", "middle"):
            case.text = case.lemma = grammar.rng.choice(NEARBY_PREPOSITIONS)
    elif not clause.dependents("obj") and grammar.is_chosen(0.4):
        clause.words_after = []


def replace_noun(clause: Clause, grammar: Grammar) -> Construction | None:
    """Replace a noun by one that is also a verb: "A man rides a swing"."""
    words = [*clause.subject, *clause.words_after]
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
    """Return the clause in a random construction, mostly with a finite verb."""
    return grammar.rng.choice(_REALISATIONS)(clause, grammar)


def _make_participle(clause: Clause, grammar: Grammar) -> Construction | None:
    clause.is_finite = True
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


def _make_copula(head: Word, is_plural: bool, is_past: bool = False) -> Word:
    word = form_of_be(is_plural, is_past)
    word.head, word.relation = head, "cop"
    return word


def make_copular(words: list[Word], grammar: Grammar) -> Construction | None:
    """Return a noun phrase as a clause with "be": "A black dog is on a sofa.", "The dog on the sofa is black"."""
    if not is_noun_phrase(words) or find_top(words).tag not in ("NN", "NNS"):
        return None
    parts = (_split_adjective if grammar.is_chosen(0.5) else _split_place_phrase)(words, grammar)
    if parts is None:
        return make_there_is_clause(words, grammar) if grammar.is_chosen(0.1) else None
    words_before, words_after = parts
    root = find_top(words_after)
    form = grammar.rng.choice(("statement", "statement", "question", "not", "relative"))
    verb = _make_copula(root, is_plural(words_before), is_past=grammar.is_chosen(0.15))
    if form == "relative":
        noun = find_top(words_before)
        pronoun = relative_pronoun(noun, grammar)
        pronoun.head, pronoun.relation = root, "nsubj"
        attach(words_before, None, "root")
        return [*words_before, pronoun, verb, *attach(words_after, noun, "acl:relcl")], draw_final_mark(grammar)
    attach(words_after, None, "root")
    words_before = attach(make_definite(words_before) if form == "question" or grammar.is_chosen(0.4) else words_before, root, "nsubj")
    if form == "question":
        return [verb, *words_before, *words_after], "?"
    return [*words_before, verb, *([negation_word(verb, grammar)] if form == "not" else []), *words_after], draw_final_mark(grammar)


def _split_place_phrase(words: list[Word], grammar: Grammar) -> tuple[list[Word], list[Word]] | None:
    """Return the noun phrase before its last phrase of place, and that phrase."""
    noun = find_top(words)
    last_noun = next((w for w in reversed(words) if w.head is noun and w.relation == "nmod" and preposition_of(w, words) in PLACES), None)
    inner_words = subtree(words, last_noun) if last_noun else []
    if (
        not inner_words
        or inner_words[-1] is not words[-1]
        or inner_words[0].relation != "case"
        or any(w.relation == "conj" and w.head is noun for w in words)
    ):
        return None
    return words[: -len(inner_words)], inner_words


def _split_adjective(words: list[Word], grammar: Grammar) -> tuple[list[Word], list[Word]] | None:
    """Return the definite noun phrase without one adjective, and that adjective."""
    noun = find_top(words)
    own_adjectives = [w for w in words if w.head is noun and w.relation == "amod" and w.lemma in grammar.adjectives]
    if (
        len(own_adjectives) != 1
        or any(w.head is noun and w.relation == "conj" for w in words)
        or any(w.head is own_adjectives[0] for w in words)
    ):
        return None
    remaining_words = make_definite([w for w in words if w is not own_adjectives[0]])
    has_determiner = any(w.head is noun and w.relation in ("det", "nmod:poss") for w in remaining_words)
    return (remaining_words, own_adjectives) if has_determiner else None
