"""English word forms: plurals, present participles, articles."""

from __future__ import annotations

import re

_VOWELS = "aeiou"
_CLOSED_SYLLABLE = re.compile(
    r"[^aeiou]*[aeiou][bdgklmnprt]|.*[^aeiou]u[iaeo][bdgmnpt]|qui[tpz]"
)  # verbs that double their last letter, such as "sit"
_SIBILANT_ENDING = re.compile(r".*(?:[sxz]|[cs]h)")
_LETTERS_WITH_AN = "AEFHILMNORSX"
_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir|[fhlmnrsx](?=\d|-|$)|8|11|18", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"uni(?!n|m)|us(?:e|ua)|eu|one(?![a-z])|once|ufo|uk|ut[ei]|ura|ubi|ewe|u-", re.IGNORECASE)


def plural_form(noun: str, irregular_plurals: dict[str, str]) -> str:
    """Return the plural of a noun.

    ``irregular_plurals`` gives the plural of each noun that the rules would inflect incorrectly.

    >>> [plural_form(noun, {"man": "men"}) for noun in ("dog", "fire truck", "man", "baby", "bus")]
    ['dogs', 'fire trucks', 'men', 'babies', 'buses']
    """
    modifiers, space, last = noun.rpartition(" ")
    return modifiers + space + (irregular_plurals.get(last) or _regular_plural_form(last))


def _regular_plural_form(noun: str) -> str:
    if noun.endswith("man") and len(noun) > 3 and not noun.endswith(("human", "german", "roman", "shaman")):
        return noun[:-2] + "en"
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + ("es" if _SIBILANT_ENDING.fullmatch(noun) else "s")


def ing_form(verb: str, doubling_verbs: frozenset[str]) -> str:
    """Return the present participle of a verb.

    ``doubling_verbs`` contains the verbs of several syllables that double their last letter.

    >>> [ing_form(verb, frozenset({"begin"})) for verb in ("sit", "lie", "ride", "play", "eat", "see", "begin", "open")]
    ['sitting', 'lying', 'riding', 'playing', 'eating', 'seeing', 'beginning', 'opening']
    """
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return verb[:-1] + "ing"
    is_doubled = verb in doubling_verbs or bool(_CLOSED_SYLLABLE.fullmatch(verb))
    return verb + (verb[-1] if is_doubled else "") + "ing"


def with_article(phrase: str) -> str:
    """Return the phrase with the article "a" or "an" that fits its first sound.

    >>> [with_article(phrase) for phrase in ("dog", "umbrella", "hour", "unicycle", "one-way street", "x-ray", "SUV")]
    ['a dog', 'an umbrella', 'an hour', 'a unicycle', 'a one-way street', 'an x-ray', 'an SUV']
    """
    first_word = phrase.split()[0] if phrase.split() else ""
    if first_word.isupper() and len(first_word) > 1:
        has_vowel_sound = first_word[0] in _LETTERS_WITH_AN
    else:
        has_vowel_sound = bool(_VOWEL_SOUND.match(phrase)) and not _CONSONANT_SOUND.match(phrase)
    return ("an " if has_vowel_sound else "a ") + phrase
