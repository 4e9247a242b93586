"""Precision, recall and F1 from counts, overall and by category, and their means (Anderson et al. 2016, section 3.2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spice_core.scene.graph import SceneTuple
from spice_core.scene.matching import Match, match_candidates

KIND_CATEGORIES = {"Object": 1, "Attribute": 2, "Relation": 3}
OVERALL = "All"


def format_count(matched: float) -> str:
    """Format a number of matched tuples: an integer, or two decimals if there are partial matches."""
    return f"{matched:.2f}".rstrip("0").rstrip(".") if matched % 1 else str(int(matched))


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one image in one category, and the ratios derived from them.

    ``matched`` counts candidate tuples with a counterpart (partial matches by their credit), ``candidate`` and
    ``reference`` all tuples of a side. ``covered`` counts the reference tuples with a counterpart if that differs from ``matched``.
    With no reference tuple the ratios are ``undefined``: nan in a category, 0 overall (``strict``).
    """

    matched: float
    candidate: int
    reference: int
    strict: bool = False
    covered: float | None = None

    @property
    def defined(self) -> bool:
        """Whether there is a reference tuple to compare with."""
        return self.reference > 0

    @property
    def recalled(self) -> float:
        """The number of reference tuples that recall counts."""
        return self.matched if self.covered is None else self.covered

    @property
    def precision(self) -> float:
        """Matched over candidate tuples (0–1); 0 for an empty candidate."""
        return self._ratio(self.matched, self.candidate)

    @property
    def recall(self) -> float:
        """Matched over reference tuples (0–1): several candidate tuples may match one reference tuple, but no more than 1 counts."""
        return self._ratio(min(self.recalled, self.reference), self.reference)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 where either is 0."""
        p, r = self.precision, self.recall
        return 2 * p * r / (p + r) if p and r else p * r

    def as_spice_json(self) -> dict[str, float | int | None]:
        """Return the score in the original SPICE's format, with nan as None."""
        ratios = {"f": self.f1, "pr": self.precision, "re": self.recall}
        return {
            **{name: None if math.isnan(value) else value for name, value in ratios.items()},
            "tp": self.matched,
            "fp": self.candidate - self.matched,
            "fn": self.reference - self.recalled,
            "numImages": 1,
            **self._coverage_as_json(),
        }

    as_reference_json = as_spice_json  # its name until 0.3

    def as_json(self) -> dict[str, float | int | None]:
        """Return ratios and counts by name, with nan as None."""
        ratios = {"f1": self.f1, "precision": self.precision, "recall": self.recall}
        counts = {"matched": self.matched, "candidate": self.candidate, "reference": self.reference, **self._coverage_as_json()}
        return {**{name: None if math.isnan(value) else value for name, value in ratios.items()}, **counts}

    def _coverage_as_json(self) -> dict[str, float]:
        return {} if self.covered is None else {"covered": self.covered}

    def _ratio(self, part: float, total: int) -> float:
        if not self.defined:
            return 0.0 if self.strict else math.nan
        return part / total if total else 0.0


class SentenceScore(NamedTuple):
    """A sentence of the candidate (caption 0) or of a reference (from 1): its matched tuples, and all tuples that it mentions."""

    caption: int
    text: str
    matched: float
    tuples: int

    @property
    def ratio(self) -> float:
        """The precision of a candidate sentence or the recall of a reference sentence (0–1); nan if it has no tuples."""
        return self.matched / self.tuples if self.tuples else math.nan

    def as_json(self) -> dict[str, object]:
        """Return the sentence in the form that files store; an undefined ratio is null."""
        ratio = None if math.isnan(self.ratio) else self.ratio
        return {**self._asdict(), "re" if self.caption else "pr": ratio}


def compute_scores(
    candidates: Sequence[SceneTuple],
    references: Sequence[SceneTuple],
    matches: Sequence[Match],
    categories: Mapping[str, frozenset[str]],
    *,
    partial_credit: bool = False,
) -> dict[str, Score]:
    """Return the overall scores, the scores by kind of tuple, and the scores for each named list of attribute words.

    Kinds reuse the overall ``matches``; word categories hold the attributes whose concept is exactly one word of the list, and match
    these among themselves. With ``partial_credit``, tuples of different kinds can match, and recall counts the best credit of each
    reference tuple; otherwise it counts the matched candidate tuples, as the original SPICE does.
    """

    sizes = Counter([len(t.concepts) for t in candidates]), Counter([len(t.concepts) for t in references])

    def score(length: int | None = None, *, strict: bool = False) -> Score:
        matched = sum([m.credit for m in matches if length in (None, len(m.candidate.concepts))])
        covered_credit = _covered_credit(m for m in matches if length in (None, len(m.reference.concepts))) if partial_credit else matched
        differs = None if math.isclose(covered_credit, matched) else covered_credit
        candidate, reference = (count[length] if length else count.total() for count in sizes)
        return Score(matched, candidate, reference, strict=strict, covered=differs)

    out = {OVERALL: score(strict=True), **{name: score(length) for name, length in KIND_CATEGORIES.items()}}
    attributes = [[tuple_ for tuple_ in side if len(tuple_.concepts) == 2] for side in (candidates, references)]
    for name, words in categories.items():
        candidate, reference = (attributes_in_category(side, words) for side in attributes)
        out[name] = Score(len(match_candidates(candidate, reference)) if candidate and reference else 0, len(candidate), len(reference))
    return out


def compute_entailed_scores(
    candidates: Sequence[SceneTuple],
    references: Sequence[SceneTuple],
    holds: Callable[[SceneTuple], bool],
    categories: Mapping[str, frozenset[str]],
) -> dict[str, Score]:
    """Return scores whose precision and recall are the shares of tuples on each side that hold for the other side."""

    def score_category(own_tuples: Sequence[SceneTuple], other_tuples: Sequence[SceneTuple], *, strict: bool = False) -> Score:
        return Score(sum(map(holds, own_tuples)), len(own_tuples), len(other_tuples), strict=strict, covered=sum(map(holds, other_tuples)))

    out = {OVERALL: score_category(candidates, references, strict=True)}
    for name, length in KIND_CATEGORIES.items():
        tuples_by_side = ([tuple_ for tuple_ in side if len(tuple_.concepts) == length] for side in (candidates, references))
        out[name] = score_category(*tuples_by_side)
    return out | {
        name: score_category(attributes_in_category(candidates, words), attributes_in_category(references, words))
        for name, words in categories.items()
    }


def attributes_in_category(tuples: Iterable[SceneTuple], words: frozenset[str]) -> list[SceneTuple]:
    """Return the attributes whose concept is exactly one of the words; merged concepts belong to no category."""
    return [t for t in tuples if len(t.concepts) == 2 and len(t.concepts[1].words) == 1 and t.concepts[1].words <= words]


def _covered_credit(matches: Iterable[Match]) -> float:
    """Return the sum of the best credits of the reference tuples."""
    best_credits: dict[str, float] = {}
    for m in matches:
        best_credits[m.reference.id] = max(m.credit, best_credits.get(m.reference.id, 0))
    return sum(best_credits.values())
