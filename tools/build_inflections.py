"""Build spice_core/lang/en/wordnet/inflections.zip: forms of WordNet nouns and verbs that the suffix rules of lemmas.py miss."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from spice_core.lang.en.lemmas import unlisted_lemma
from spice_core.lang.en.wordnet.database import WORDNET_FOLDER, Synset, WordNet

INFLECTIONS_ARCHIVE = WORDNET_FOLDER / "inflections.zip"
_WORD_PATTERN, _NAME_PATTERN = re.compile(r"[a-z]{2,14}"), re.compile(r"[A-Z][a-z]{1,13}")
_SIBILANT_PATTERN = re.compile(r".*(?:[sxz]|[cs]h)")
_CLOSED_SYLLABLE_PATTERN = re.compile(r".*[^aeiou][aeiou][^aeiouwxy]")  # words whose final letter may be doubled
_PLURAL_ENDINGS = ("s", "en", "ae", "i", "a", "eet", "eeth", "eese", "ice")
_PLURALIA_TANTUM = frozenset(  # nouns that have no singular in one of their senses: "his belongings", "a bank with savings"
    "belongings dealings findings fixings innings lodgings outskirts premises proceedings savings takings trappings trimmings winnings "
    "workings".split()
)

_SELF_LEMMAS = frozenset(("clad",))  # "clad" in "clad in red" has the lemma "clad" rather than "clothe"


def synsets(wordnet: WordNet) -> Iterator[Synset]:
    """Yield all synsets of WordNet."""
    for synset_id in count():
        try:
            yield wordnet.synset(synset_id)
        except KeyError:
            return


def single_words(wordnet: WordNet, pattern: re.Pattern[str] = _WORD_PATTERN) -> dict[str, set[str]]:
    """Return WordNet's single words by part of speech, by default without capitals."""
    words_by_pos: dict[str, set[str]] = defaultdict(set)
    for synset in synsets(wordnet):
        words_by_pos[synset.pos].update(filter(pattern.fullmatch, synset.lemmas))
    return words_by_pos


def plurals(noun: str) -> Iterable[str]:
    """Return the regular plurals of a noun, or none if it looks like a plural."""
    if noun.endswith("s") and not noun.endswith(("ss", "us", "as", "os", "lis", "nis", "ris", "vis")):
        return ()
    if noun.endswith("man"):
        return (noun[:-3] + "men",)
    if noun.endswith(("us", "um")) and len(noun) > 5:
        return (noun + ("es" if noun.endswith("us") else "s"), noun[:-2] + ("i" if noun.endswith("us") else "a"))
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return (noun[:-1] + "ies",)
    return (noun + "es",) if _SIBILANT_PATTERN.fullmatch(noun) else (noun + "s", noun + "es") if noun.endswith("o") else (noun + "s",)


def inflections(verb: str) -> Iterable[str]:
    """Yield the regular forms of a verb."""
    yield from plurals(verb)
    if verb.endswith("ie"):
        yield from (verb + "d", verb[:-2] + "ying")
    elif verb.endswith("e"):
        yield from (verb + "d", verb + "ing" if verb.endswith(("ee", "oe", "ye")) else verb[:-1] + "ing")
    elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
        yield from (verb[:-1] + "ied", verb + "ing")
    else:
        stems = [verb + verb[-1]] if _CLOSED_SYLLABLE_PATTERN.fullmatch(verb) else []
        if not stems or len(re.findall("[aeiouy]+", verb)) > 1:
            stems.append(verb)
        for stem in stems:
            yield from (stem + "ed", stem + "ing")


def preferred_spellings(wordnet: WordNet, pos: str, forms: Callable[[str], Iterable[str]], group: str) -> Iterable[tuple[str, str]]:
    """Yield forms that the suffix rules trace to a later spelling of the same sense, or to themselves.

    Examples are "cookies" ("cookie" comes before "cooky"), "lenses" ("lens", "lense"), "bathed" and "bacteria".
    """
    for synset in synsets(wordnet):
        words = [word for word in synset.lemmas if _WORD_PATTERN.fullmatch(word)] if synset.pos == pos else []
        for i, word in enumerate(words):
            for form in forms(word):
                lemma = unlisted_lemma(form, group)
                if (lemma in words[i + 1 :] and len(word) < len(lemma) + 2) or (lemma == form and form in words and form != word):
                    yield form, word


def find_exceptions(known_words: set[str], group: str, form_pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the first lemma of each form for which the suffix rules find no known word."""
    exceptions: dict[str, str] = {}
    for form, lemma in form_pairs:
        if unlisted_lemma(form, group) not in known_words:
            exceptions.setdefault(form, lemma)
    return exceptions


def _is_regular(form: str, verb: str, verbs: set[str]) -> bool:
    """Return whether the suffix rules find the verb or its usual spelling: "install" for "installed", not "instal"."""
    lemma = unlisted_lemma(form, "V")
    return lemma == verb or (form.endswith("ed") and lemma in verbs)


def _looks_plural(noun: str, nouns: set[str]) -> bool:
    """Return whether a noun ends like the plural of a noun that does not exist."""
    return noun.endswith("s") and not noun.endswith(("us", "ss")) and unlisted_lemma(noun, "NNS") not in nouns


def _names_ending_in_s(wordnet: WordNet, nouns: set[str]) -> Iterable[str]:
    """Yield names in "s" without a singular in WordNet, in lower case: "hermes", "alps"."""
    names = {name.lower() for name in single_words(wordnet, _NAME_PATTERN)["n"]}
    for name in names:
        if name.endswith("s") and not name.endswith(("us", "ss")) and unlisted_lemma(name, "NNS") not in names | nouns:
            yield name


def _first_base_forms(wordnet: WordNet, known_words: set[str]) -> Iterable[tuple[str, str]]:
    """Yield the irregular forms of known words, each with its first base form."""
    for form, bases in wordnet.exceptions.items():
        if base := next((base for base in bases if base in known_words), None):
            yield form, base


def build_inflections(wordnet: WordNet) -> dict[str, dict[str, str]]:
    """Return plurals (tags NNS, and NN and NNS), verb forms, and irregular past forms (tags VBD and VBN)."""
    known_words = single_words(wordnet)
    nouns, verbs = known_words["n"], known_words["v"]
    plural = find_exceptions(nouns, "NNS", ((form, noun) for noun in sorted(nouns, key=lambda n: (len(n), n)) for form in plurals(noun)))
    plural |= {noun: noun for noun in nouns - plural.keys() if _looks_plural(noun, nouns)} | {noun: noun for noun in _PLURALIA_TANTUM}
    plural |= {name: name for name in _names_ending_in_s(wordnet, nouns) if name not in plural}
    verbal = find_exceptions(verbs, "V", ((form, verb) for verb in sorted(verbs, key=lambda v: (len(v), v)) for form in inflections(verb)))
    plural |= dict(preferred_spellings(wordnet, "n", lambda noun: (noun + "es",) if noun.endswith("s") else plurals(noun), "NNS"))
    verbal |= dict(preferred_spellings(wordnet, "v", inflections, "V"))
    past_forms: dict[str, str] = {}
    for form, noun in _first_base_forms(wordnet, nouns):
        if form.endswith(_PLURAL_ENDINGS) and (form != noun or unlisted_lemma(form, "NNS") not in nouns):
            plural[form] = noun
    for form, verb in _first_base_forms(wordnet, verbs):
        if form.endswith(("s", "ing")):
            verbal |= {form: verb} if unlisted_lemma(form, "V") not in verbs else {}
        elif form not in _SELF_LEMMAS and not form.endswith(("er", "est")) and not _is_regular(form, verb, verbs):
            past_forms[form] = verb
    other_plural = {form: noun for form, noun in plural.items() if form == noun or form in nouns}  # words that may also be singular
    return {
        "NNS": other_plural,
        "plural": {f: n for f, n in plural.items() if f not in other_plural},
        "V": {form: lemma for form, lemma in verbal.items() if form not in past_forms},
        "past": past_forms,
    }


def main() -> None:
    text = json.dumps(build_inflections(WordNet.load(collisions=False)), sort_keys=True, indent=0)
    with ZipFile(INFLECTIONS_ARCHIVE, "w", ZIP_DEFLATED) as archive:
        archive.writestr(ZipInfo("inflections"), text + "\n", ZIP_DEFLATED)


if __name__ == "__main__":
    main()
