"""Questions about two systems: what only one of them finds or says otherwise, and the categories by which an image is won.

A category decides an image if the system with the higher F1 would no longer have it with the other system's tuples of that
category in place of its own. Both numbers of the category are exchanged, matched and candidate tuples; the references stay.
So a category in which both captions count the same never decides, nor does one in which the winner is no better. An image may
be decided by several categories, such as Attribute and Color, or by no single one but by several kinds of tuples together.
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
from spice_core.evaluation.questions import Concern, Outcome, Same, Words, concerned, shares_a_word
from spice_core.scene.scores import KIND_CATEGORIES, Score

EQUAL = 1e-9  # differences in F1 up to this are none


class Side(StrEnum):
    """One of the two systems."""

    BASE = "base"
    OTHER = "other"

    @property
    def opposite(self) -> Side:
        return Side.OTHER if self is Side.BASE else Side.BASE


class Difference(StrEnum):
    """What holds for one system and not for the other, in one category of one image."""

    FOUND = "found"  # it matches a tuple of the references that the other misses
    VALUE = "value"  # it says another value in the place of a tuple of the references, and the other does not
    WINS = "wins"  # its F1 is higher, and the category decides


class Question(NamedTuple):
    """What one system does and the other does not."""

    side: Side
    difference: Difference


QUESTIONS = tuple(Question(side, difference) for difference in Difference for side in Side)


@dataclass(frozen=True)
class Pair:
    """One image under the baseline and under another system."""

    base: ScoredItem
    other: ScoredItem

    @property
    def rows(self) -> tuple[ScoredItem, ScoredItem]:
        """Both rows, the baseline's first."""
        return self.base, self.other

    @property
    def id(self) -> int | str:
        """The image."""
        return self.base.image_id

    @cached_property
    def gap(self) -> float:
        """Difference in F1, positive if the other system is better."""
        return self.other.overall.f1 - self.base.overall.f1

    @cached_property
    def winner(self) -> Side | None:
        """The system with the higher F1."""
        return None if abs(self.gap) <= EQUAL else Side.OTHER if self.gap > 0 else Side.BASE

    def of(self, side: Side) -> ScoredItem:
        """The row of one system."""
        return self.other if side is Side.OTHER else self.base


def decides(pair: Pair, *categories: str) -> bool:
    """Whether the winner of the image would not win it with the other system's tuples of these categories, which share none."""
    return pair.winner is not None and _left(pair, categories) <= EQUAL


def deciding(pair: Pair, categories: Iterable[str]) -> list[tuple[str, ...]]:
    """The categories that decide an image, each by itself; if none does, the fewest kinds of tuples that do together."""
    if pair.winner is None:
        return []
    alone: list[tuple[str, ...]] = [(name,) for name in categories if decides(pair, name)]
    kinds = [kind for kind in KIND_CATEGORIES if all(kind in row.scores for row in pair.rows)]
    groups = (group for size in range(2, len(kinds) + 1) for group in sorted(combinations(kinds, size), key=lambda g: _left(pair, g)))
    together = next((group for group in groups if decides(pair, *group)), None)
    return alone or ([together] if together else [])


def _left(pair: Pair, categories: Iterable[str]) -> float:
    """What is left of the winner's lead with the other system's tuples of these categories."""
    assert pair.winner
    winner, loser = pair.of(pair.winner), pair.of(pair.winner.opposite)
    matched, covered, candidate = winner.overall.matched, winner.overall.recalled, winner.overall.candidate
    for name in categories:
        own, given = winner.scores[name], loser.scores[name]
        matched, covered = matched - own.matched + given.matched, covered - own.recalled + given.recalled
        candidate += given.candidate - own.candidate
    exchanged = Score(max(0, matched), max(0, candidate), winner.overall.reference, strict=True, covered=max(0, covered))
    return exchanged.f1 - loser.overall.f1


def differing(
    pair: Pair, category: str, lists: Mapping[str, frozenset[str]], *, same: Same = shares_a_word
) -> dict[Question, list[Concern]]:
    """The tuples of a category behind each question about one image; none where it does not hold."""
    told = _told(pair, category, lists, same)
    out = _apart(told)
    for side in Side:
        own, others = told[side], told[side.opposite]
        wins = pair.winner is side and decides(pair, category)
        out[Question(side, Difference.WINS)] = [*_only(own, others), *_wrong(own, others)] if wins else []
    return out


def advantage(pair: Pair, categories: Iterable[str], lists: Mapping[str, frozenset[str]], *, same: Same = shares_a_word) -> list[Concern]:
    """The tuples of these categories that the winner of the image alone matches, then those that the other alone has wrong."""
    if pair.winner is None:
        return []
    winner, loser = pair.of(pair.winner), pair.of(pair.winner.opposite)
    told = [[concerned(row, name, lists, same=same) for row in (winner, loser)] for name in categories]
    return [concern for which in (_only, _wrong) for own, others in told for concern in which(own, others)]


def images(
    pairs: Iterable[Pair], categories: Iterable[str], lists: Mapping[str, frozenset[str]], *, same: Same = shares_a_word
) -> dict[tuple[str, Question], list[int | str]]:
    """The images behind each question of each category, in the order of the pairs."""
    names = list(categories)
    out: dict[tuple[str, Question], list[int | str]] = {(name, question): [] for name in names for question in QUESTIONS}
    for pair in pairs:
        for name in names:
            for question, concerns in _apart(_told(pair, name, lists, same)).items():
                if concerns:
                    out[name, question].append(pair.id)
            if pair.winner and decides(pair, name):
                out[name, Question(pair.winner, Difference.WINS)].append(pair.id)
    return out


_Told = Mapping[Outcome, list[Concern]]


def _told(pair: Pair, category: str, lists: Mapping[str, frozenset[str]], same: Same) -> dict[Side, _Told]:
    return {side: concerned(pair.of(side), category, lists, same=same) for side in Side}


def _apart(told: Mapping[Side, _Told]) -> dict[Question, list[Concern]]:
    """What only one system finds, and what only one says in the place of another value."""
    out = {}
    for side in Side:
        own, others = told[side], told[side.opposite]
        elsewhere = {concern.reference for concern in others[Outcome.OTHER]}
        out[Question(side, Difference.FOUND)] = _only(own, others)
        out[Question(side, Difference.VALUE)] = [c for c in own[Outcome.OTHER] if c.reference not in elsewhere]
    return out


def _only(own: _Told, others: _Told) -> list[Concern]:
    """The tuples of the references that one caption matches more often than the other, whose references have them too."""
    if not own[Outcome.FOUND]:
        return []
    found, also, asked = (
        Counter(concern.reference for concern in concerns)
        for concerns in (own[Outcome.FOUND], others[Outcome.FOUND], others[Outcome.ASKED])
    )
    return [Concern((), words) for words in (found - also) & asked]


def _wrong(own: _Told, others: _Told) -> list[Concern]:
    """The tuples without a counterpart that only the other caption has."""
    return [Concern(words, ()) for words in _unmatched(others) if words not in _unmatched(own)]


def _unmatched(told: _Told) -> list[Words]:
    return list(dict.fromkeys(concern.candidate for outcome in (Outcome.EXTRA, Outcome.OTHER) for concern in told[outcome]))
