"""Noun phrases of a tree of words: number, determiners, prepositions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tools.parser.words import Word, find_top

_NOUN_DEPENDENT_RELATIONS = ("det", "nummod", "amod", "compound", "nmod", "nmod:poss", "conj", "det:predet")
_PLURAL_QUANTITY_NOUNS = ("couple", "lot", "pair", "number")  # "a couple of dogs sleep"
QUANTITY_NOUNS = ("lot", "couple", "few", "little", "bit", "number", "pair", "variety", "bunch", "dozen")  # keep their "a"
_NUMBER_WORDS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_CONSONANT_SOUND_PREFIXES = ("uni", "use", "usu", "ute", "eu", "one", "ufo")


def is_noun_phrase(phrase: Sequence[Word]) -> bool:
    """Return whether the phrase is a noun with modifiers and a certain number."""
    noun = find_top(phrase)
    noun_dependents = [w for w in phrase if w.head is noun]
    numeral = next((w.lemma for w in noun_dependents if w.relation == "nummod"), "")
    determiner = next((w.lemma for w in noun_dependents if w.relation == "det"), "")
    singular = noun.tag == "NN"
    if singular and (numeral not in ("", "one", "1") or determiner in ("these", "those", "some", "all", "many")):
        return False
    if not singular and (determiner in ("a", "this", "that", "another", "every", "each") or numeral in ("one", "1")):
        return False
    if any(
        w.relation in ("acl", "acl:relcl", "advcl", "obl", "mark", "cop", "xcomp") or w.tag[:1] == "V" or w.tag == "PRP" for w in phrase
    ):
        return False
    return all(w.relation in _NOUN_DEPENDENT_RELATIONS for w in noun_dependents)


def is_plural(phrase: Sequence[Word]) -> bool:
    """Return whether a noun phrase is plural by its tag, by coordination, or by a word of quantity ("a couple of dogs")."""
    noun = find_top(phrase)
    has_plural_quantity = noun.lemma in _PLURAL_QUANTITY_NOUNS and any(
        w.head is noun and w.relation == "nmod" and w.tag == "NNS" for w in phrase
    )
    has_plural_determiner = noun.tag in ("CD", "DT", "JJ", "JJS") and noun.lemma not in (
        "one",
        "other",
    )  # "some of the dogs", not "the other"
    return noun.tag == "NNS" or has_plural_quantity or has_plural_determiner or any(w.head is noun and w.relation == "conj" for w in phrase)


def preposition_of(noun: Word, words: Iterable[Word]) -> str:
    """Return the preposition of a noun, or "" if it has none or several."""
    cases = [w.lemma for w in words if w.head is noun and w.relation in ("case", "mark", "advmod")]
    return cases[0] if len(cases) == 1 else ""


def make_definite(words: Sequence[Word]) -> list[Word]:
    """Return the noun phrase with "the" instead of "a" or before a bare plural."""
    noun = find_top(words)
    noun_dependents = [w for w in words if w.head is noun]
    for word in noun_dependents:
        if word.relation == "det" and word.lemma == "a" and noun.lemma not in QUANTITY_NOUNS:
            word.text = word.lemma = "the"
    is_bare_plural = noun.tag == "NNS" and not any(
        w.relation in ("det", "nmod:poss", "det:predet") or w.lemma in ("many", "several", "few") for w in noun_dependents
    )
    return [Word("the", "the", "DT", "det", noun), *words] if is_bare_plural else list(words)


def set_determiner(words: Sequence[Word], text: str) -> list[Word] | None:
    """Return the noun phrase with this determiner as its article, or None if the noun does not allow it."""
    noun = find_top(words)
    own_determiners = [w for w in words if w.head is noun and w.relation in ("det", "nummod", "nmod:poss", "det:predet")]
    if (
        any(w.lemma not in ("a", "the") for w in own_determiners)
        or noun.lemma in QUANTITY_NOUNS
        or (noun.tag == "NN" and not own_determiners and text in ("a", "one"))
    ):
        return None
    is_numeral = text == "one"
    new_word = Word(text, text, "CD" if is_numeral else "DT", "nummod" if is_numeral else "det", noun)
    return [new_word, *(w for w in words if w not in own_determiners)]


def drop_articles(words: Sequence[Word]) -> list[Word]:
    """Return the words without "a" and "the", as in headlines, except before quantity nouns ("a lot of")."""
    next_words = [*words[1:], words[-1]]
    return [
        w for w, next_word in zip(words, next_words) if w.lemma not in ("a", "the") or w.tag != "DT" or next_word.lemma in QUANTITY_NOUNS
    ]


def correct_articles(words: Sequence[Word]) -> list[Word]:
    """Return the words with "a" or "an" according to the sound of the next word."""
    for word, next_word in pairwise(words):
        if word.lemma == "a" and word.tag == "DT":
            vowel = next_word.text[0].lower() in "aeiou" and not next_word.text.lower().startswith(_CONSONANT_SOUND_PREFIXES)
            word.text = "an" if vowel or next_word.text.lower() in ("hour", "honest") else "a"
    return list(words)


def replace_numbers_by_digits(words: Sequence[Word]) -> list[Word]:
    """Return the words with digits for the numbers from two to twelve before nouns: "3 men"."""
    for word in words:
        if word.relation == "nummod" and word.lemma in _NUMBER_WORDS:
            word.text = word.lemma = str(_NUMBER_WORDS.index(word.lemma))
    return list(words)
