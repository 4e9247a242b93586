"""Differences between two systems: the tuples in which they differ, and the categories that decide which one wins an image.

A category decides an image if the winner, which is the system with the higher F1, would lose its lead with the loser's tuples in that
category. To find out, the winner's counts of matched and of candidate tuples in the category are replaced by the loser's. The
references remain the same.
A category in which the winner has neither more matched tuples nor fewer unmatched tuples never decides.
Several categories may each decide an image, such as Attribute and Color. If none does, several kinds of tuples may decide together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from spice_core.data.results import ScoredItem
from spice_core.evaluation.outcomes import Outcome, SamePredicate, TuplePair, share_word, tuples_by_outcome
from spice_core.scene.propositions import TupleWords
from spice_core.scene.scores import KIND_CATEGORIES, Score

MAX_EQUAL_DIFFERENCE = 1e-9  # differences in F1 up to this value count as ties


class SystemSide(StrEnum):
    """One of the two systems."""

    BASE = "base"
    OTHER = "other"

    @property
    def opposite(self) -> SystemSide:
        return SystemSide.OTHER if self is SystemSide.BASE else SystemSide.BASE


class Difference(StrEnum):
    """A property of one system that the other lacks, in one category of one image."""

    FOUND = "found"  # the system matches a reference tuple that the other misses
    VALUE = "value"  # the system contradicts a value of the references, and the other does not
    WINS = "wins"  # the system has the higher F1, and the category decides this


class Question(NamedTuple):
    """A question: which of two systems differs from the other, and how."""

    side: SystemSide
    difference: Difference


SYSTEM_QUESTIONS = tuple(Question(side, difference) for difference in Difference for side in SystemSide)


@dataclass(frozen=True)
class RowPair:
    """The rows of one image from the baseline and from another system."""

    base: ScoredItem
    other: ScoredItem

    @property
    def rows(self) -> tuple[ScoredItem, ScoredItem]:
        """Both rows, the baseline's first."""
        return self.base, self.other

    @property
    def id(self) -> int | str:
        """The id of the image."""
        return self.base.image_id

    @cached_property
    def gap(self) -> float:
        """Difference in F1, positive if the other system is better."""
        return self.other.overall.f1 - self.base.overall.f1

    @cached_property
    def winner(self) -> SystemSide | None:
        """The system with the higher F1, or None for a tie."""
        return None if abs(self.gap) <= MAX_EQUAL_DIFFERENCE else SystemSide.OTHER if self.gap > 0 else SystemSide.BASE

    def row_of(self, side: SystemSide) -> ScoredItem:
        """Return the row of one system."""
        return self.other if side is SystemSide.OTHER else self.base


def is_decisive(pair: RowPair, *categories: str) -> bool:
    """Return whether the winner owes its lead to its tuples in these (disjoint) categories."""
    return pair.winner is not None and _remaining_lead(pair, categories) <= MAX_EQUAL_DIFFERENCE


def deciding_categories(pair: RowPair, categories: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the categories that alone decide an image, each as a group, or else the smallest deciding group of tuple kinds."""
    if pair.winner is None:
        return []
    single_categories: list[tuple[str, ...]] = [(name,) for name in categories if is_decisive(pair, name)]
    kinds = [kind for kind in KIND_CATEGORIES if all(kind in row.scores for row in pair.rows)]
    groups = (
        group for size in range(2, len(kinds) + 1) for group in sorted(combinations(kinds, size), key=lambda g: _remaining_lead(pair, g))
    )
    category_group = next((group for group in groups if is_decisive(pair, *group)), None)
    return single_categories or ([category_group] if category_group else [])


def _remaining_lead(pair: RowPair, categories: Iterable[str]) -> float:
    """Return the winner's lead in F1 if its tuples in these categories were those of the other system."""
    assert pair.winner
    winner, loser = pair.row_of(pair.winner), pair.row_of(pair.winner.opposite)
    matched_count, recalled_count, candidate = winner.overall.matched, winner.overall.recalled, winner.overall.candidate
    for name in categories:
        winner_sums, loser_sums = winner.scores[name], loser.scores[name]
        matched_count, recalled_count = (
            matched_count - winner_sums.matched + loser_sums.matched,
            recalled_count - winner_sums.recalled + loser_sums.recalled,
        )
        candidate += loser_sums.candidate - winner_sums.candidate
    new_score = Score(max(0, matched_count), max(0, candidate), winner.overall.reference, strict=True, covered=max(0, recalled_count))
    return new_score.f1 - loser.overall.f1


def tuples_by_question(
    pair: RowPair, category: str, word_lists: Mapping[str, frozenset[str]], *, is_same_thing: SamePredicate = share_word
) -> dict[Question, list[TuplePair]]:
    """Return a category's tuples for each question about one image, none if the answer is no."""
    tuples_by_side = _tuples_by_side(pair, category, word_lists, is_same_thing)
    out = _difference_tuples(tuples_by_side)
    for side in SystemSide:
        side_tuples, other_tuples = tuples_by_side[side], tuples_by_side[side.opposite]
        wins = pair.winner is side and is_decisive(pair, category)
        out[Question(side, Difference.WINS)] = (
            [*_tuples_matched_alone(side_tuples, other_tuples), *_tuples_wrong_alone(side_tuples, other_tuples)] if wins else []
        )
    return out


def advantage_tuples(
    pair: RowPair, categories: Iterable[str], word_lists: Mapping[str, frozenset[str]], *, is_same_thing: SamePredicate = share_word
) -> list[TuplePair]:
    """Return these categories' tuples matched only by the winner, then those wrong only in the other system."""
    if pair.winner is None:
        return []
    winner, loser = pair.row_of(pair.winner), pair.row_of(pair.winner.opposite)
    tuples_by_side = [
        [tuples_by_outcome(row, name, word_lists, is_same_thing=is_same_thing) for row in (winner, loser)] for name in categories
    ]
    return [
        tuple_pair
        for list_tuples in (_tuples_matched_alone, _tuples_wrong_alone)
        for side_tuples, other_tuples in tuples_by_side
        for tuple_pair in list_tuples(side_tuples, other_tuples)
    ]


def images_by_question(
    pairs: Iterable[RowPair],
    categories: Iterable[str],
    word_lists: Mapping[str, frozenset[str]],
    *,
    is_same_thing: SamePredicate = share_word,
) -> dict[tuple[str, Question], list[int | str]]:
    """Return the ids of the images with the answer yes, by category and question, in the order of the pairs."""
    names = list(categories)
    out: dict[tuple[str, Question], list[int | str]] = {(name, question): [] for name in names for question in SYSTEM_QUESTIONS}
    for pair in pairs:
        for name in names:
            for question, tuple_pairs in _difference_tuples(_tuples_by_side(pair, name, word_lists, is_same_thing)).items():
                if tuple_pairs:
                    out[name, question].append(pair.id)
            if pair.winner and is_decisive(pair, name):
                out[name, Question(pair.winner, Difference.WINS)].append(pair.id)
    return out


_PairsByOutcome = Mapping[Outcome, list[TuplePair]]


def _tuples_by_side(
    pair: RowPair, category: str, word_lists: Mapping[str, frozenset[str]], is_same_thing: SamePredicate
) -> dict[SystemSide, _PairsByOutcome]:
    return {side: tuples_by_outcome(pair.row_of(side), category, word_lists, is_same_thing=is_same_thing) for side in SystemSide}


def _difference_tuples(tuples_by_side: Mapping[SystemSide, _PairsByOutcome]) -> dict[Question, list[TuplePair]]:
    """Return, by question, the tuples that only one system matches, or where only one system has a wrong value."""
    out = {}
    for side in SystemSide:
        side_tuples, other_tuples = tuples_by_side[side], tuples_by_side[side.opposite]
        other_references = {tuple_pair.reference for tuple_pair in other_tuples[Outcome.OTHER]}
        out[Question(side, Difference.FOUND)] = _tuples_matched_alone(side_tuples, other_tuples)
        out[Question(side, Difference.VALUE)] = [c for c in side_tuples[Outcome.OTHER] if c.reference not in other_references]
    return out


def _tuples_matched_alone(side_tuples: _PairsByOutcome, other_tuples: _PairsByOutcome) -> list[TuplePair]:
    """Return the tuples in the references of both captions that the first matches more often than the second."""
    if not side_tuples[Outcome.FOUND]:
        return []
    matched_tuples, other_matched_tuples, asked_tuples = (
        Counter(tuple_pair.reference for tuple_pair in tuple_pairs)
        for tuple_pairs in (side_tuples[Outcome.FOUND], other_tuples[Outcome.FOUND], other_tuples[Outcome.ASKED])
    )
    return [TuplePair((), words) for words in (matched_tuples - other_matched_tuples) & asked_tuples]


def _tuples_wrong_alone(side_tuples: _PairsByOutcome, other_tuples: _PairsByOutcome) -> list[TuplePair]:
    """Return the tuples that are unmatched only in the second candidate, as pairs without a reference."""
    return [TuplePair(words, ()) for words in _unmatched_words(other_tuples) if words not in _unmatched_words(side_tuples)]


def _unmatched_words(tuples_by_outcome: _PairsByOutcome) -> list[TupleWords]:
    return list(
        dict.fromkeys(tuple_pair.candidate for outcome in (Outcome.EXTRA, Outcome.OTHER) for tuple_pair in tuples_by_outcome[outcome])
    )
