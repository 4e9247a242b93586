"""Differences between two results: tuples, scores and settings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import NamedTuple

from spice_core.metrics.config import Signature
from spice_core.metrics.result import SpiceResult
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import Score


class TupleChange(NamedTuple):
    """A tuple of one side (``candidate`` or ``references``) with its state in each result, or None if absent there."""

    side: str
    words: tuple[str, ...]
    before: MatchState | None
    after: MatchState | None

    @property
    def kind(self) -> str:
        """``kept`` (in both), ``gained`` (only after), ``lost`` (only before) or ``changed`` (in another state)."""
        if self.before == self.after:
            return "kept"
        return "gained" if not self.before else "lost" if not self.after else "changed"


class ScoreDelta(NamedTuple):
    """The later ratios minus the earlier ones, or nan if either is undefined."""

    f1: float
    precision: float
    recall: float


@dataclass(frozen=True)
class ResultDiff:
    """All differences between two results.

    Attributes:
        changes: The tuples of both results, including unchanged ones. The candidate's tuples come first.
        scores: The changes in score by category, All first.
        settings: The values before and after of each part of the signature that differs.
    """

    changes: tuple[TupleChange, ...]
    scores: Mapping[str, ScoreDelta]
    settings: Mapping[str, tuple[str, str]]

    def changes_of_kind(self, *kinds: str) -> tuple[TupleChange, ...]:
        """Return the changes of these kinds."""
        return tuple(change for change in self.changes if change.kind in kinds)


def compare_results(before: SpiceResult, after: SpiceResult) -> ResultDiff:
    """Compare two results of any captions and settings.

    Tuples are identified by their words. If a concept is merged differently ("couch", "couch/sofa"), one tuple is lost and
    another is gained.
    """
    zero_score = Score(0, 0, 0)
    names = list(dict.fromkeys((*before.scores, *after.scores)))
    settings = ((f.name, (getattr(before.signature, f.name), getattr(after.signature, f.name))) for f in fields(Signature))
    return ResultDiff(
        (*_tuple_changes("candidate", before, after), *_tuple_changes("references", before, after)),
        {name: _score_delta(before.scores.get(name, zero_score), after.scores.get(name, zero_score)) for name in names},
        {name: values for name, values in settings if values[0] != values[1]},
    )


def _tuple_changes(side: str, before: SpiceResult, after: SpiceResult) -> Iterator[TupleChange]:
    old_states, new_states = _states_by_words(before, side), _states_by_words(after, side)
    for words in sorted(old_states.keys() | new_states.keys()):
        for old_state, new_state in zip_longest(old_states.get(words, ()), new_states.get(words, ())):
            yield TupleChange(side, words, old_state, new_state)


def _states_by_words(result: SpiceResult, side: str) -> dict[tuple[str, ...], list[MatchState]]:
    """Return the sorted states of the tuples with the same words, by words."""
    out: dict[tuple[str, ...], list[MatchState]] = {}
    for tuple_ in result.candidate_tuples if side == "candidate" else result.reference_tuples:
        out.setdefault(tuple_.words, []).append(result.state(tuple_))
    return {words: sorted(states) for words, states in out.items()}


def _score_delta(before: Score, after: Score) -> ScoreDelta:
    changes = (after.f1 - before.f1, after.precision - before.precision, after.recall - before.recall)
    return ScoreDelta(*(math.nan if math.isnan(c) else c for c in changes))
