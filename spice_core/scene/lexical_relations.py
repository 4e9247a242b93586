"""Lexical relations between parts of two tuples."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from spice_core.scene.graph import Concept
from spice_core.scene.matching import evidence_for
from spice_core.scene.synonyms import Synonyms, SynsetLike, common_senses, hypernym_path, lowest_common_hypernym

MIN_SPELLING_SIMILARITY = 0.75  # minimum difflib ratio of two spellings of a word, that of grey and gray
_STEP_PENALTY = 0.1
_CLOSENESS_BY_RELATION = {
    "word": 1.0,
    "synset": 1.0,
    "spelling": 0.8,
    "broader": 0.8,
    "narrower": 0.8,
    "sibling": 0.5,
    "apart": 0.5,
    "rare": 0.4,
    "phrase": 0.4,
}


class PartComparison(NamedTuple):
    """Comparison of a part of a tuple (``candidate``) with a part of a tuple of the other side (``reference``).

    For a missing tuple, ``candidate`` is the part of the references, and ``reference`` the part of the candidate.

    ``relation`` is one of:

    - ``word``, ``synset``: the parts share a word or a sense, so that they match
    - ``apart``: they share a sense, but a caption has both as different objects
    - ``rare``: they share only senses that are rare for both
    - ``broader``: ``reference`` is a hypernym of ``candidate``
    - ``narrower``: ``reference`` is a hyponym of ``candidate``
    - ``sibling``: they share a hypernym
    - ``spelling``: they are spelt alike
    - ``phrase``: they are phrases with common words
    - ``unrelated``: none of these
    - ``absent``: one of the tuples has no such part

    ``path`` holds the shared words, or the words on the hypernym path from ``candidate`` to ``reference``. ``synset`` is the shared
    sense, even if it does not count.
    """

    candidate: str
    reference: str
    relation: str
    path: tuple[str, ...] = ()
    synset: SynsetLike | None = None

    @property
    def agrees(self) -> bool:
        """Whether matching treats the two parts as equal."""
        return self.relation in ("word", "synset")

    @property
    def closeness(self) -> float:
        """Closeness from 0 (unrelated) to 1 (equal). Each step after the first on a hypernym path costs 0.1."""
        return _CLOSENESS_BY_RELATION.get(self.relation, 0.0) - (
            _STEP_PENALTY * (len(self.path) - 2) if self.relation in ("broader", "narrower") else 0
        )


@lru_cache(maxsize=1 << 14)
def compare_concepts(candidate: Concept, reference: Concept, synonyms: Synonyms) -> PartComparison:
    """Return how two concepts are related, by any of their words."""
    words = str(candidate), str(reference)
    evidence = evidence_for(candidate, reference)
    if evidence.words:
        return PartComparison(*words, "word", evidence.words[:1])
    if evidence.synsets:
        sense = min(map(synonyms.synset, evidence.synsets), key=lambda s: s.collision)
        return PartComparison(*words, "synset", (), sense)
    if shared_synsets := candidate.synsets & reference.synsets:
        relation = "apart" if candidate.is_kept_apart_from(reference) else "rare"
        return PartComparison(*words, relation, (), min(map(synonyms.synset, shared_synsets), key=lambda s: s.collision))
    relation, path = _relate_words(list(itertools.product(sorted(candidate.words), sorted(reference.words))), synonyms)
    return PartComparison(*words, relation, path)


def _relate_words(word_pairs: Sequence[tuple[str, str]], synonyms: Synonyms) -> tuple[str, tuple[str, ...]]:
    """Return a relation between some pair of words, and the words on its path. No pair may share a sense.

    The relations are tried in this order: spelling, hypernym, common words, common hypernym.
    """
    if any(are_spelt_alike(a, b, in_dictionary=bool(synonyms.ids(a) and synonyms.ids(b))) for a, b in word_pairs):
        return "spelling", ()
    for a, b in word_pairs:
        if chain := hypernym_lemmas(a, b, synonyms):
            return "broader", chain
        if chain := hypernym_lemmas(b, a, synonyms):
            return "narrower", chain[::-1]
    for a, b in word_pairs:
        if common_words := tuple(word for word in a.split() if word in b.split()):
            return "phrase", common_words
    for a, b in word_pairs:
        if (hypernym := lowest_common_hypernym(synonyms, _common_senses(a, synonyms), _common_senses(b, synonyms))) is not None:
            return "sibling", (a, _first_lemma(hypernym, synonyms), b)
    return "unrelated", ()


def hypernym_lemmas(narrower: str, broader: str, synonyms: Synonyms) -> tuple[str, ...]:
    """Return the words on the hypernym path from one word up to another (dog, domestic animal, animal), or () if there is no path.

    As in the metric ``hypernyms``, only the frequent senses of each word count.
    """
    synset_path = hypernym_path(synonyms, _common_senses(narrower, synonyms), _common_senses(broader, synonyms))
    lemmas_between = (_first_lemma(id, synonyms) for id in synset_path[1:-1])
    return (narrower, *lemmas_between, broader) if synset_path else ()


def are_spelt_alike(a: str, b: str, *, in_dictionary: bool) -> bool:
    """Return whether two spellings differ only in spaces, hyphens and a plural ending, or in a few letters.

    Letters may differ only in single words that are not both ``in_dictionary``, unlike boat and coat.
    """
    shorter, longer = sorted((re.sub(r"[\s\-‐–_'’・ー]+", "", word.casefold()) for word in (a, b)), key=len)
    if shorter and longer in (shorter, f"{shorter}s", f"{shorter}es"):
        return True
    is_single_word = not in_dictionary and len(shorter) > 3 and len(f"{a} {b}".split()) == 2
    return is_single_word and SequenceMatcher(None, shorter, longer).ratio() >= MIN_SPELLING_SIMILARITY


def _first_lemma(id: int, synonyms: Synonyms) -> str:
    return synonyms.synset(id).lemmas[0].replace("_", " ")


@lru_cache(maxsize=1 << 12)
def _common_senses(word: str, synonyms: Synonyms) -> frozenset[int]:
    return common_senses(synonyms, (word,))
