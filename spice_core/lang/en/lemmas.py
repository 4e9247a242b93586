"""Lemmatiser that imitates the original SPICE with suffix rules by Penn tag and exceptions learnt from its trees."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from zipfile import ZipFile

from spice_core.model_files import read_model_file
from spice_core.syntax.document import Document

_VOWELS = "aeiou"
_STEM_ENDINGS_WITH_E = tuple(
    "at iz bl dl gl tl pl kl zl iv ov av rv lv c dg ng rg us as os is ns rs u v".split()
)  # ends of stems whose verbs end in "e": "danc", "smil"
_STEM_ENDINGS_WITHOUT_E = ("ang", "ing", "ong", "eat", "oat")
_SHORT_PLURAL_IN_IES = re.compile(r"[^aeiouy]*[aeiouy]+[^aeiouy]+ies")  # "selfies", "hoodies"
_LATIN_IN_IS = re.compile(r".+(?:[ai]l|ar|ens|[aeosy]s|it)is")  # "muscularis", "stenosis"
_INFLECTIONS_PATH = Path(__file__).parent / "wordnet" / "inflections.zip"  # created by tools/build_inflections.py


class Lemmas:
    """Lemmatiser for tagged words. It looks a word up in WordNet's inflections (if loaded) and in the exceptions, then applies suffix rules."""

    def __init__(self, exceptions: dict[str, dict[str, str]], wordnet: dict[str, dict[str, str]] | None = None):
        self._exceptions, self._wordnet = exceptions, wordnet or {}
        self.lemma = lru_cache(maxsize=1 << 14)(self._lemma)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the lemmatiser by its tables, without the cache."""
        return type(self), (self._exceptions, self._wordnet)

    @classmethod
    def read(cls, path: Path, *, use_wordnet: bool = False) -> Lemmas:
        """Read the exceptions of each tag group from a JSON file.

        With ``use_wordnet``, lemmas from WordNet's inflections take precedence over exceptions and suffix rules.
        """
        wordnet = None
        if use_wordnet:
            with ZipFile(_INFLECTIONS_PATH) as archive:
                wordnet = json.loads(archive.read("inflections"))
        return cls(json.loads(read_model_file(path)), wordnet)

    def write(self, path: Path) -> None:
        """Write the exceptions to a JSON file with sorted keys."""
        path.write_text(json.dumps(self._exceptions, ensure_ascii=False, sort_keys=True, indent=0) + "\n", encoding="utf-8")

    def _lemma(self, word: str, tag: str) -> str:
        """Return the lower-case lemma of ``word`` with the Penn Treebank tag ``tag``."""
        word, group = word.lower(), _tag_group(tag)
        past_lemma = self._wordnet.get("past", {}).get(word) if tag in ("VBD", "VBN") else None
        plural_lemma = self._wordnet.get("plural", {}).get(word) if group in ("NN", "NNS") else None
        listed_lemma = past_lemma or plural_lemma or self._wordnet.get(group, {}).get(word) or self._exceptions.get(group, {}).get(word)
        return listed_lemma or (unlisted_lemma if self._wordnet else regular_lemma)(word, group)


def _tag_group(tag: str) -> str:
    """Return the key under which the tables list a tag: "V" for all verb tags, otherwise the tag."""
    return "V" if tag.startswith("V") else tag


def unlisted_lemma(word: str, group: str) -> str:
    """Return the lemma of a lower-case word that WordNet's inflections lack."""
    if group == "NNS" and _LATIN_IN_IS.fullmatch(word):
        return word
    return word[:-1] if group == "NNS" and _SHORT_PLURAL_IN_IES.fullmatch(word) else regular_lemma(word, group)


def regular_lemma(word: str, group: str) -> str:
    """Return the lemma of a lower-case word by suffix rules."""
    if group == "NNS":
        return _strip_plural_ending(word)
    if group == "V":
        if word.endswith("ing"):
            return _restore_stem(word[:-3]) or word
        if word.endswith("ed"):
            return _restore_stem(word[:-2]) or word
        return _strip_plural_ending(word)
    return word


def _strip_plural_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 2 else word


def _restore_stem(stem: str) -> str:
    """Return the base form of a stem without -ed or -ing, or "" if the stem has no vowel.

    Remove a doubled letter, add a dropped "e", or change "i" to "y".
    """
    if not any(c in _VOWELS + "y" for c in stem):
        return ""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsfz" + _VOWELS:
        return stem[:-1]
    if stem.endswith(_STEM_ENDINGS_WITH_E):
        return stem if stem.endswith(_STEM_ENDINGS_WITHOUT_E) else stem + "e"
    if _is_short(stem):
        return stem + "e"
    return stem[:-1] + "y" if stem.endswith("i") else stem


def _is_short(stem: str) -> bool:
    """Return whether a stem ends in its only vowel and one consonant, like "rid" in "riding"."""
    if len(stem) < 2 or stem[-1] in _VOWELS + "wxy":
        return False
    return stem[-2] in _VOWELS and sum(c in _VOWELS for c in stem) == 1


def learn_lemmas(documents: Iterable[Document]) -> Lemmas:
    """Return a lemmatiser with exceptions learnt from trees.

    An exception is the most frequent lemma of a word in a tag group, if the suffix rules yield another lemma.
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for document in documents:
        for sentence in document.sentences:
            for token in sentence.tokens:
                if token.text.strip("'").isalpha():
                    counts[_tag_group(token.tag), token.text.lower()][token.lemma] += 1
    exceptions: dict[str, dict[str, str]] = {}
    for (group, word), lemmas in counts.items():
        lemma = lemmas.most_common(1)[0][0]
        if lemma != regular_lemma(word, group):
            exceptions.setdefault(group, {})[word] = lemma
    return Lemmas(exceptions)
