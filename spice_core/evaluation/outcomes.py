"""The outcomes of scored captions: how each category of tuples fares in each caption, and the tuples that show it.

A category is a kind of tuple (Object, Attribute, Relation) or a list of attribute words (Color, Size). Rows hold only the
words of their tuples, so by default, two things are the same if they share a word. ``make_same_thing_predicate`` returns a
predicate that also compares their synsets. A merged value (gray/grey) belongs to a list that has one of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import cache
from itertools import product
from typing import NamedTuple

from spice_core.data.results import ScoredItem, ScoredTuple
from spice_core.scene.propositions import TupleWords
from spice_core.scene.scores import KIND_CATEGORIES
from spice_core.scene.synonyms import Synonyms, common_senses, hypernyms_of

SamePredicate = Callable[[str, str], bool]  # returns whether two parts, written as words joined by slashes, denote the same thing

_MAX_COMPARED_PAIRS = 40_000  # maximum number of tuple pairs for comparing values


class Outcome(StrEnum):
    """A possible outcome of a category in one caption. A caption may have several."""

    ASKED = "asked"  # the references have a tuple in the category
    FOUND = "found"  # a reference tuple is matched
    OTHER = "other"  # an unmatched candidate tuple has another value than a reference tuple
    MISSED = "missed"  # an unmatched reference tuple has no such counterpart
    EXTRA = "extra"  # an unmatched candidate tuple has no such counterpart


class TuplePair(NamedTuple):
    """A candidate tuple, a reference tuple, or both with different values. An absent tuple is empty."""

    candidate: TupleWords
    reference: TupleWords


def share_word(a: str, b: str) -> bool:
    """Return whether two parts have a word in common."""
    return a == b or not set(a.split("/")).isdisjoint(b.split("/"))


def make_same_thing_predicate(synonyms: Synonyms) -> SamePredicate:
    """Return a predicate for parts that share a word or synset, or are a word and its direct hypernym (frisbee and toy)."""

    @cache
    def ids_of(part: str) -> frozenset[int]:
        return frozenset().union(*map(synonyms.ids, part.split("/")))

    @cache
    def kinds_of(part: str) -> tuple[frozenset[int], frozenset[int]]:
        synsets = common_senses(synonyms, part.split("/"))
        return synsets, frozenset().union(*(hypernyms_of(synonyms, id) for id in synsets))

    @cache
    def are_same(a: str, b: str) -> bool:
        if share_word(a, b) or not ids_of(a).isdisjoint(ids_of(b)):
            return True
        (synsets_of_a, hypernyms_of_a), (synsets_of_b, hypernyms_of_b) = kinds_of(a), kinds_of(b)
        return not (synsets_of_a.isdisjoint(hypernyms_of_b) and synsets_of_b.isdisjoint(hypernyms_of_a))

    return are_same


def tuples_by_outcome(
    item: ScoredItem, category: str, word_lists: Mapping[str, frozenset[str]], *, is_same_thing: SamePredicate = share_word
) -> dict[Outcome, list[TuplePair]]:
    """Return the tuples of one category in one caption by outcome. ``word_lists`` holds the words of each attribute category."""
    references = [t for t in item.reference_tuples if _is_in_category(t[0], category, word_lists)]
    missing_words = _unmatched_words(references)
    extra_words = _unmatched_words(t for t in item.candidate_tuples if _is_in_category(t[0], category, word_lists))
    places = product(extra_words, missing_words) if len(extra_words) * len(missing_words) <= _MAX_COMPARED_PAIRS else ()
    differing_pairs = [TuplePair(a, b) for a, b in places if _differ_in_value(a, b, category, word_lists, is_same_thing)]
    candidate_tuples, reference_tuples = {pair.candidate for pair in differing_pairs}, {pair.reference for pair in differing_pairs}
    return {
        Outcome.ASKED: _pairs_without_candidate(words for words, _ in references),
        Outcome.FOUND: _pairs_without_candidate(words for words, is_matched in references if is_matched),
        Outcome.OTHER: differing_pairs,
        Outcome.MISSED: _pairs_without_candidate(words for words in missing_words if words not in reference_tuples),
        Outcome.EXTRA: [TuplePair(words, ()) for words in extra_words if words not in candidate_tuples],
    }


def images_by_outcome(
    items: Iterable[ScoredItem],
    categories: Iterable[str],
    word_lists: Mapping[str, frozenset[str]],
    *,
    is_same_thing: SamePredicate = share_word,
) -> dict[tuple[str, Outcome], list[int | str]]:
    """Return the ids of the images with each outcome in each category, in the order of the items."""
    names = list(categories)
    ids: dict[tuple[str, Outcome], list[int | str]] = {(name, outcome): [] for name in names for outcome in Outcome}
    for item in items:
        for name in names:
            for outcome, tuple_pairs in tuples_by_outcome(item, name, word_lists, is_same_thing=is_same_thing).items():
                if tuple_pairs:
                    ids[name, outcome].append(item.image_id)
    return ids


def _is_in_category(words: TupleWords, category: str, word_lists: Mapping[str, frozenset[str]]) -> bool:
    if category in KIND_CATEGORIES:
        return len(words) == KIND_CATEGORIES[category]
    return len(words) == 2 and not word_lists.get(category, frozenset()).isdisjoint(words[1].split("/"))


def _pairs_without_candidate(tuples: Iterable[TupleWords]) -> list[TuplePair]:
    return [TuplePair((), words) for words in tuples]


def _unmatched_words(tuples: Iterable[ScoredTuple]) -> list[TupleWords]:
    return list(dict.fromkeys(words for words, is_matched in tuples if not is_matched))


def _differ_in_value(
    a: TupleWords, b: TupleWords, category: str, word_lists: Mapping[str, frozenset[str]], is_same_thing: SamePredicate
) -> bool:
    """Return whether two tuples differ in one value.

    Attributes of the same thing differ if their values are different words of one list. Relations differ if exactly one part
    differs.
    """
    if len(a) == 2:
        kinds = word_lists.values() if category in KIND_CATEGORIES else (word_lists[category],)
        values = [set(words[1].split("/")) for words in (a, b)]
        return (
            is_same_thing(a[0], b[0]) and values[0].isdisjoint(values[1]) and any(all(words & value for value in values) for words in kinds)
        )
    return len(a) == 3 and sum(is_same_thing(x, y) for x, y in zip(a, b)) == 2
