"""English constructions of a single clause: tenses, questions, imperatives, negation, "there is", telegraphic captions.

Labels and tags follow UD English-EWT. Each function returns the words of a new tree, or None if the construction is impossible.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spice_core.lang.en.word_lists import ACTOR_NOUNS, PERSON_NOUNS
from tools.parser.clauses import Clause
from tools.parser.inflection import Inflection, NounVerbWords
from tools.parser.noun_phrases import drop_articles, is_noun_phrase, is_plural, make_definite, preposition_of, set_determiner
from tools.parser.words import Word, attach, find_top, subtree

PLACES = ("on", "in", "near", "beside", "under", "behind", "by", "at", "over", "against", "across", "along", "outside", "inside")
NEARBY_PREPOSITIONS = ("near", "beside", "behind", "by", "under", "on")
_TENSES = ("present", "present", "progressive", "progressive", "past")


@dataclass
class Grammar:
    """The resources of the constructions: word forms, words that are nouns and verbs, other captions' clauses, random numbers."""

    inflection: Inflection
    noun_verbs: NounVerbWords
    clauses: Sequence[Clause]
    adjectives: frozenset[str]
    rng: random.Random

    def draw_partner_clause(self) -> Clause:
        """Return a copy of the shorter of two random clauses."""
        return min((self.rng.choice(self.clauses) for _ in range(2)), key=lambda c: len(c.subject) + len(c.words_after)).copy()

    def is_chosen(self, share: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < share

    def draw_word(self, words: Mapping[str, float]) -> str:
        return self.rng.choices(list(words), list(words.values()))[0]

    def draw_tense(self) -> str:
        return self.rng.choice(_TENSES)


Construction = tuple[list[Word], str]  # the words and the final mark


# --- forms of the verb ---------------------------------------------------------------------------------------------


def inflect(clause: Clause, tag: str, grammar: Grammar) -> bool:
    """Inflect the verb and its conjuncts for a tag. Return False, without changes, if a form is unknown."""
    verb_forms = [grammar.inflection.form(w.lemma, tag) for w in clause.verbs]
    if not all(verb_forms):
        return False
    for word, form in zip(clause.verbs, verb_forms):
        word.text, word.tag = str(form), tag
    return True


def form_of_be(is_plural: bool, is_past: bool = False) -> Word:
    form = ("were" if is_plural else "was") if is_past else ("are" if is_plural else "is")
    return Word(form, "be", "VBD" if is_past else "VBP" if is_plural else "VBZ", "aux")


def make_auxiliary(clause: Clause, grammar: Grammar, is_past: bool = False) -> Word | None:
    """Return the form of "be" before the verb, which takes "-ing" unless the clause is passive."""
    if not clause.is_passive and not inflect(clause, "VBG", grammar):
        return None
    word = form_of_be(clause.is_plural, is_past)
    word.head, word.relation = clause.verb, "aux:pass" if clause.is_passive else "aux"
    return word


def make_predicate(clause: Clause, tense: str, grammar: Grammar) -> list[Word] | None:
    """Return the verb and the words after it in a tense (present, past, progressive). Passives take "be"."""
    if clause.is_passive or tense == "progressive":
        word = make_auxiliary(clause, grammar, tense == "past")
        return [word, clause.verb, *clause.words_after] if word else None
    tag = "VBD" if tense == "past" else "VBP" if clause.is_plural else "VBZ"
    return [clause.verb, *clause.words_after] if inflect(clause, tag, grammar) else None


def subject_relation(clause: Clause) -> str:
    return "nsubj:pass" if clause.is_passive else "nsubj"


def make_statement(clause: Clause, tense: str, grammar: Grammar) -> list[Word] | None:
    words = make_predicate(clause, tense, grammar)
    if words is None:
        return None
    clause.verb.head, clause.verb.relation = None, "root"
    return attach(clause.subject, clause.verb, subject_relation(clause)) + words


def make_noun_phrase(clause: Clause, grammar: Grammar) -> list[Word] | None:
    if not clause.is_passive and not inflect(clause, "VBG", grammar):
        return None
    attach(clause.subject, None, "root")
    clause.verb.head, clause.verb.relation = clause.noun, "acl"
    return [*clause.subject, clause.verb, *clause.words_after]


# --- one clause ----------------------------------------------------------------------------------------------------


def make_present(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the clause in the present tense: "A man rides a horse.", "Two dogs sleep on a sofa"."""
    return with_final_mark(make_statement(clause, "present", grammar), grammar)


def make_past(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the clause in the past tense: "A man rode a horse.", "A dog was tied to a tree"."""
    return with_final_mark(make_statement(clause, "past", grammar), grammar)


def make_progressive(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the clause with "be": "A man is riding a horse.", "A dog is tied to a tree.", "Two men were riding horses"."""
    words = make_statement(clause, "progressive", grammar)
    progressive_be = next((w for w in words or () if w.relation in ("aux", "aux:pass") and w.head is clause.verb), None)
    if words and progressive_be and grammar.is_chosen(0.25):
        progressive_be.text, progressive_be.tag = form_of_be(clause.is_plural, is_past=True).text, "VBD"
    return with_final_mark(words, grammar)


def make_participle_phrase(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a finite caption as a noun phrase: "A man rides a horse." becomes "A man riding a horse"."""
    return with_final_mark(make_noun_phrase(clause, grammar), grammar) if clause.is_finite else None


def make_passive(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the clause in the passive: "A horse is being ridden by a man.", "A horse ridden by a man"."""
    objects = clause.dependents("obj")
    inner_words = subtree(clause.words_after, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    form = grammar.inflection.form(clause.verb.lemma, "VBN")
    if not inner_words or form is None or clause.noun.lemma not in ACTOR_NOUNS:
        return None
    plain_subject = (
        inner_words == clause.words_after[: len(inner_words)]
        and is_noun_phrase(inner_words)
        and len(clause.verbs) == 1
        and "nmod" not in {w.relation for w in inner_words}
    )
    if not plain_subject:
        return None
    clause.verb.text, clause.verb.tag = form, "VBN"
    preposition = Word("by", "by", "IN", "case", clause.noun)
    clause.words_after = [preposition, *attach(clause.subject, clause.verb, "obl"), *clause.words_after[len(inner_words) :]]
    clause.subject, clause.is_passive = inner_words, True
    if grammar.is_chosen(0.4):
        return with_final_mark(make_noun_phrase(clause, grammar), grammar)
    words = make_statement(clause, "past" if grammar.is_chosen(0.15) else "progressive", grammar)
    if words and grammar.is_chosen(0.6):
        words.insert(words.index(clause.verb), Word("being", "be", "VBG", "aux:pass", clause.verb))
        next(w for w in words if w.head is clause.verb and w.lemma == "be").relation = "aux"
    return with_final_mark(words, grammar)


def make_telegraphic(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return the words without articles: "man rides horse on beach", "two dogs sleep", "man riding horse"."""
    if grammar.is_chosen(0.7):
        words = make_statement(clause, "progressive" if clause.is_passive or grammar.is_chosen(0.2) else "present", grammar)
    else:
        words = make_noun_phrase(clause, grammar)
    if words is None or not any(w.lemma in ("a", "the") for w in words):
        return None
    short_words = drop_articles(words)
    return (short_words, "") if len(short_words) < len(words) else None


def make_question(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a question: "Is the man riding a horse?", "Who is riding a horse?", "What is the man riding?", "Where are the dogs sleeping?"."""
    kind = grammar.rng.choice(
        (_make_polar_question, _make_polar_question, _make_who_question, _make_what_question, _make_where_question, _make_how_many_question)
    )
    words = kind(clause, grammar)
    return (words, "?") if words else None


def _make_polar_question(clause: Clause, grammar: Grammar) -> list[Word] | None:
    if clause.is_passive or grammar.is_chosen(0.7):
        auxiliary = make_auxiliary(clause, grammar, is_past=grammar.is_chosen(0.1))
    else:  # "Does the distinction actually exist ?" weblog-…rigorousintuition_20060511134300…-0224
        inflect(clause, "VB", grammar)
        auxiliary = Word("do" if clause.is_plural else "does", "do", "VBP" if clause.is_plural else "VBZ", "aux", clause.verb)
    if auxiliary is None:
        return None
    clause.subject = make_definite(clause.subject) if grammar.is_chosen(0.7) else clause.subject
    return [auxiliary, *_attach_subject(clause), clause.verb, *clause.words_after]


def _attach_subject(clause: Clause) -> list[Word]:
    clause.verb.head, clause.verb.relation = None, "root"
    return attach(clause.subject, clause.verb, subject_relation(clause))


def _make_who_question(clause: Clause, grammar: Grammar) -> list[Word] | None:
    word = "who" if clause.noun.lemma in PERSON_NOUNS else "what"
    clause.subject = [Word(word, word, "WP")]
    tail = make_predicate(clause, "progressive" if grammar.is_chosen(0.7) else "present", grammar)
    return [*_attach_subject(clause), *tail] if tail else None


def _make_what_question(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return a question about the object: "What is the man holding in his hand?"."""
    objects, auxiliary = clause.dependents("obj"), make_auxiliary(clause, grammar)
    if not objects or auxiliary is None or len(clause.verbs) > 1 or clause.noun.lemma not in ACTOR_NOUNS:
        return None
    inner_words = subtree(clause.words_after, objects[0])
    remaining_words = [w for w in clause.words_after if w not in inner_words]
    pronoun = "who" if objects[0].lemma in PERSON_NOUNS else "what"
    return [
        Word(pronoun, pronoun, "WP", "obj", clause.verb),
        auxiliary,
        *make_definite(_attach_subject(clause)),
        clause.verb,
        *remaining_words,
    ]


def _make_where_question(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return a question about a place, as in EWT email-enronsent35_01-0110 "Where are you living these days ?"."""
    places = [w for w in clause.dependents("obl") if preposition_of(w, clause.words_after) in PLACES]
    auxiliary = make_auxiliary(clause, grammar)
    if not places or auxiliary is None or len(clause.verbs) > 1:
        return None
    inner_words = subtree(clause.words_after, places[0])
    remaining_words = [w for w in clause.words_after if w not in inner_words]
    return [
        Word("where", "where", "WRB", "advmod", clause.verb),
        auxiliary,
        *make_definite(_attach_subject(clause)),
        clause.verb,
        *remaining_words,
    ]


def _make_how_many_question(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return a question about a number, as in EWT answers-20111108084633AAzZD8i_ans-0001 "How many days will speed post take"."""
    noun = clause.noun
    noun_dependents = [w for w in clause.subject if w.head is noun]
    if noun.tag != "NNS" or any(w.relation in ("nmod:poss", "conj", "det:predet") for w in noun_dependents):
        return None
    many_word = Word("many", "many", "JJ", "amod", noun)
    kept_words = [w for w in clause.subject if w.head is not noun or w.relation not in ("det", "nummod")]
    if any(w.lemma in ("many", "several", "few", "other") for w in kept_words):
        return None
    clause.subject = [Word("how", "how", "WRB", "advmod", many_word), many_word, *kept_words]
    tail = make_predicate(clause, "progressive", grammar)
    return [*_attach_subject(clause), *tail] if tail else None


def make_imperative(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return an imperative: "Look at the man riding a horse.", "Find the dogs.", "Show me the man.", "Do not ride a horse"."""
    kind, stop = grammar.rng.choice(("look", "look", "find", "show", "plain")), grammar.rng.choice((".", ".", "!", ""))
    if kind == "plain":
        if clause.is_passive or not inflect(clause, "VB", grammar) or not clause.words_after:
            return None
        clause.verb.head, clause.verb.relation = None, "root"
        do_word = Word("do", "do", "VB", "aux", clause.verb)
        return [*([do_word, negation_word(do_word, grammar)] if grammar.is_chosen(0.2) else []), clause.verb, *clause.words_after], stop
    words = make_noun_phrase(clause, grammar)
    if words is None:
        return None
    words = make_definite(words) if grammar.is_chosen(0.8) else words
    if kind == "look":  # "Look at it this way" newsgroup-…alt.animals.bears…-0062
        verb = Word("look", "look", "VB")
        return [verb, Word("at", "at", "IN", "case", find_top(words)), *attach(words, verb, "obl")], stop
    name = grammar.rng.choice(("find", "see", "watch", "describe", "count")) if kind == "find" else "show"
    verb = Word(name, name, "VB")
    me_words = [Word("me", "me", "PRP", "iobj", verb)] if kind == "show" else []
    return [verb, *me_words, *attach(words, verb, "obj")], stop


def make_existential(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return an existential clause: "There is a man riding a horse.", "There are two dogs sleeping.", "Is there a man riding it?"."""
    words = make_noun_phrase(clause, grammar)
    return make_there_is_clause(words, grammar) if words else None


def make_there_is_clause(words: list[Word], grammar: Grammar) -> Construction | None:
    """Return a clause with "there is" before an indefinite noun phrase, or a question with "is there" as in EWT email-enronsent07_01-0097."""
    noun = find_top(words)
    if any(
        w.head is noun and (w.lemma in ("the", "this", "that", "these", "those", "all", "both") or w.relation == "nmod:poss") for w in words
    ):
        return None
    verb = form_of_be(is_plural(words), is_past=grammar.is_chosen(0.1))
    verb.relation = "root"
    there_word, is_question = Word("there", "there", "EX", "expl", verb), grammar.is_chosen(0.2)
    if not is_question and verb.text == "is" and grammar.is_chosen(0.15):
        verb.text, verb.follows_directly = "'s", True
    return [
        *((verb, there_word) if is_question else (there_word, verb)),
        *attach(words, verb, "nsubj"),
    ], "?" if is_question else draw_final_mark(grammar)


def make_negation(clause: Clause, grammar: Grammar) -> Construction | None:
    """Return a negated clause: "The man is not riding a horse.", "A man wearing no helmet", "A man without a helmet rides a horse"."""
    kind = grammar.rng.choice((_negate_verb, _negate_verb, _negate_object, _negate_subject, _make_without_phrase))
    return with_final_mark(kind(clause, grammar), grammar)


def negation_word(word_before: Word, grammar: Grammar) -> Word:
    """Return the negation after an auxiliary or copula: "not" or "n't"."""
    is_contracted = word_before.text in ("is", "are", "was", "were", "does", "do") and grammar.is_chosen(0.4)
    return Word("n't" if is_contracted else "not", "not", "RB", "advmod", word_before.head, follows_directly=is_contracted)


def _negate_verb(clause: Clause, grammar: Grammar) -> list[Word] | None:
    if clause.is_passive or grammar.is_chosen(0.7):
        word = make_auxiliary(clause, grammar, is_past=grammar.is_chosen(0.1))
    else:
        inflect(clause, "VB", grammar)
        word = Word("do" if clause.is_plural else "does", "do", "VBP" if clause.is_plural else "VBZ", "aux", clause.verb)
    if word is None:
        return None
    clause.subject = make_definite(clause.subject) if grammar.is_chosen(0.5) else clause.subject
    return [*_attach_subject(clause), word, negation_word(word, grammar), clause.verb, *clause.words_after]


def _negate_object(clause: Clause, grammar: Grammar) -> list[Word] | None:
    objects = clause.dependents("obj")
    inner_words = subtree(clause.words_after, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    negated_object = set_determiner(inner_words, "no") if inner_words else None
    if negated_object is None:
        return None
    object_index = clause.words_after.index(inner_words[0])
    clause.words_after = [*clause.words_after[:object_index], *negated_object, *clause.words_after[object_index + len(inner_words) :]]
    return make_noun_phrase(clause, grammar) if grammar.is_chosen(0.5) else make_statement(clause, grammar.draw_tense(), grammar)


def _negate_subject(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the clause with "no" before the subject: "There is no man riding a horse.", "No dogs are sleeping"."""
    negated_subject = set_determiner(clause.subject, "no")
    if negated_subject is None or (clause.noun.tag == "NN" and len(negated_subject) == len(clause.subject) + 1):
        return None
    clause.subject = negated_subject
    if grammar.is_chosen(0.3):
        return make_statement(clause, grammar.draw_tense(), grammar)
    words = make_noun_phrase(clause, grammar)
    existential = make_there_is_clause(words, grammar) if words else None
    return existential[0] if existential and existential[0][0].lemma == "there" else None


def _make_without_phrase(clause: Clause, grammar: Grammar) -> list[Word] | None:
    """Return the clause without another caption's object: "a man without a helmet rides a horse"."""
    other_clause = grammar.draw_partner_clause()
    objects = other_clause.dependents("obj")
    inner_words = subtree(other_clause.words_after, objects[0]) if objects and objects[0].tag in ("NN", "NNS") else []
    if (
        not inner_words
        or len(inner_words) > 4
        or len(clause.subject) > 3
        or any(w.tag in ("PRP", "PRP$", ",") or w.tag[:1] == "V" for w in inner_words)
    ):
        return None
    name = "without"
    if (negated_object := set_determiner(inner_words, "no")) and grammar.is_chosen(0.3):
        inner_words, name = negated_object, "with"
    case = Word(name, name, "IN", "case", objects[0])
    clause.subject = [*clause.subject, case, *attach(inner_words, clause.noun, "nmod")]
    return make_noun_phrase(clause, grammar) if grammar.is_chosen(0.4) else make_statement(clause, grammar.draw_tense(), grammar)


def draw_final_mark(grammar: Grammar) -> str:
    """Draw a full stop or ""."""
    return "." if grammar.is_chosen(0.7) else ""


def with_final_mark(words: list[Word] | None, grammar: Grammar) -> Construction | None:
    """Return the words with a random final mark (a full stop or none), or None if there are no words."""
    return (words, draw_final_mark(grammar)) if words else None
