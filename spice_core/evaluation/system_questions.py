"""Questions about two systems: what only one of them finds or says otherwise, and the categories by which an image is won.

A category decides an image if the system with the higher F1 would no longer have it with the other system's tuples of that
category in place of its own. Both numbers of the category are exchanged, matched and candidate tuples; the references stay.
So a category in which both captions count the same never decides, nor does one in which the winner is no better. An image may
be decided by several categories, such as Attribute and Color, or by none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from spice_core.data.results import ScoredItem
from spice_core.evaluation.questions import Concern, Outcome, Same, Words, concerned, shares_a_word
from spice_core.scene.scores import Score

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


class Pair(NamedTuple):
    """One image under the baseline and under another system."""

    base: ScoredItem
    other: ScoredItem

    @property
    def id(self) -> int | str:
        """The image."""
        return self.base.image_id

    @property
    def gap(self) -> float:
        """Difference in F1, positive if the other system is better."""
        return self.other.overall.f1 - self.base.overall.f1

    @property
    def winner(self) -> Side | None:
        """The system with the higher F1."""
        return None if abs(self.gap) <= EQUAL else Side.OTHER if self.gap > 0 else Side.BASE

    def of(self, side: Side) -> ScoredItem:
        """The row of one system."""
        return self.other if side is Side.OTHER else self.base


def decides(pair: Pair, category: str) -> bool:
    """Whether the winner of the image would not win it with the other system's tuples of the category."""
    if pair.winner is None:
        return False
    winner, loser = pair.of(pair.winner), pair.of(pair.winner.opposite)
    own, given = winner.scores[category], loser.scores[category]
    if (own.matched, own.candidate) == (given.matched, given.candidate):
        return False
    whole = winner.overall
    matched = max(0, whole.matched - own.matched + given.matched)
    candidate = max(0, whole.candidate - own.candidate + given.candidate)
    return Score(matched, candidate, whole.reference, strict=True).f1 <= loser.overall.f1 + EQUAL


def differing(
    pair: Pair, category: str, lists: Mapping[str, frozenset[str]], *, same: Same = shares_a_word
) -> dict[Question, list[Concern]]:
    """The tuples of a category behind each question about one image; none where it does not hold."""
    told = {side: concerned(pair.of(side), category, lists, same=same) for side in Side}
    out: dict[Question, list[Concern]] = {}
    for side in Side:
        own, others = told[side], told[side.opposite]
        found = [Concern((), words) for words in _only(own, others)]
        elsewhere = {concern.reference for concern in others[Outcome.OTHER]}
        out[Question(side, Difference.FOUND)] = found
        out[Question(side, Difference.VALUE)] = [c for c in own[Outcome.OTHER] if c.reference not in elsewhere]
        wins = pair.winner is side and decides(pair, category)
        wrong = [Concern(words, ()) for words in _unmatched(others) if words not in _unmatched(own)]
        out[Question(side, Difference.WINS)] = [*found, *wrong] if wins else []
    return out


def images(
    pairs: Iterable[Pair], categories: Iterable[str], lists: Mapping[str, frozenset[str]], *, same: Same = shares_a_word
) -> dict[tuple[str, Question], list[int | str]]:
    """The images behind each question of each category, in the order of the pairs."""
    names = list(categories)
    out: dict[tuple[str, Question], list[int | str]] = {(name, question): [] for name in names for question in QUESTIONS}
    for pair in pairs:
        for name in names:
            behind = differing(pair, name, lists, same=same)
            won = pair.winner if decides(pair, name) else None
            for question, concerns in behind.items():
                if question.side is won if question.difference is Difference.WINS else concerns:
                    out[name, question].append(pair.id)
    return out


_Told = Mapping[Outcome, list[Concern]]


def _only(own: _Told, others: _Told) -> list[Words]:
    """The tuples of the references that one caption matches more often than the other, whose references have them too."""
    found, also, asked = (
        Counter(concern.reference for concern in concerns)
        for concerns in (own[Outcome.FOUND], others[Outcome.FOUND], others[Outcome.ASKED])
    )
    return list((found - also) & asked)


def _unmatched(told: _Told) -> list[Words]:
    """The tuples of a candidate that no reference has."""
    return list(dict.fromkeys(concern.candidate for outcome in (Outcome.EXTRA, Outcome.OTHER) for concern in told[outcome]))
