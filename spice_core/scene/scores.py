"""Precision, recall and F1, overall and by category (Anderson et al. 2016, section 3.2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import NamedTuple

from spice_core.scene.graph import SceneTuple
from spice_core.scene.matching import Match, match_candidates
from spice_core.scene.salience import WeightsByTuple

KIND_CATEGORIES = {"Object": 1, "Attribute": 2, "Relation": 3}
OVERALL = "All"


def format_count(matched_count: float) -> str:
    """Format a number of matched tuples, with up to two decimals if it is not an integer."""
    return f"{matched_count:.2f}".rstrip("0").rstrip(".") if matched_count % 1 else str(int(matched_count))


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one image in one category, and the ratios derived from them.

    Attributes:
        matched: The number of matched candidate tuples. Partial matches count by their credit.
        candidate: The number of candidate tuples.
        reference: The number of reference tuples.
        strict: Whether ratios are 0, rather than nan, if there is no reference tuple. This holds for the overall score.
        covered: The total credit of matched reference tuples, or None if it equals ``matched``.
    """

    matched: float
    candidate: int
    reference: int
    strict: bool = False
    covered: float | None = None

    @property
    def defined(self) -> bool:
        """Whether there are reference tuples."""
        return self.reference > 0

    @property
    def recalled(self) -> float:
        """The numerator of recall: ``covered`` or, if it is None, ``matched``."""
        return self.matched if self.covered is None else self.covered

    @property
    def precision(self) -> float:
        """Share of candidate tuples that are matched (0–1), or 0 for an empty candidate."""
        return self._ratio(self.matched, self.candidate)

    @property
    def recall(self) -> float:
        """Ratio of ``recalled`` to ``reference``, at most 1 even if more candidate tuples match."""
        return self._ratio(min(self.recalled, self.reference), self.reference)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, or 0 if either is 0."""
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

    def as_json(self) -> dict[str, float | int | None]:
        """Return ratios and counts by name, with nan as None."""
        ratios = {"f1": self.f1, "precision": self.precision, "recall": self.recall}
        counts = {"matched": self.matched, "candidate": self.candidate, "reference": self.reference, **self._coverage_as_json()}
        return {**{name: None if math.isnan(value) else value for name, value in ratios.items()}, **counts}

    def _coverage_as_json(self) -> dict[str, float]:
        return {} if self.covered is None else {"covered": self.covered}

    def _ratio(self, matched_count: float, total: int) -> float:
        if not self.defined:
            return 0.0 if self.strict else math.nan
        return matched_count / total if total else 0.0


class SentenceScore(NamedTuple):
    """A sentence with the number of tuples that it mentions and the number of those that match.

    ``caption`` is 0 for the candidate and counts the references from 1.
    """

    caption: int
    text: str
    matched: float
    tuples: int

    @property
    def ratio(self) -> float:
        """The precision of a candidate sentence or recall of a reference sentence (0–1, nan without tuples)."""
        return self.matched / self.tuples if self.tuples else math.nan

    def as_json(self) -> dict[str, object]:
        """Return the fields and the ratio of the sentence for JSON. An undefined ratio is None."""
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
    """Return the overall score, the score of each kind of tuple, and the score of each category of attributes.

    The scores of all tuples and of each kind of tuple use the same ``matches``. A category contains the attributes whose concept is exactly
    one of its words, which are matched only with each other. With ``partial_credit``, tuples of different kinds can match, and recall
    counts the best credit of each reference tuple. Otherwise recall counts the matched candidate tuples, as in the original SPICE.
    """

    sizes = Counter([len(t.concepts) for t in candidates]), Counter([len(t.concepts) for t in references])

    def score(length: int | None = None, *, strict: bool = False) -> Score:
        matched_count = sum([m.credit for m in matches if length in (None, len(m.candidate.concepts))])
        covered_credit = (
            _covered_credit(m for m in matches if length in (None, len(m.reference.concepts))) if partial_credit else matched_count
        )
        differs = None if math.isclose(covered_credit, matched_count) else covered_credit
        candidate, reference = (count[length] if length else count.total() for count in sizes)
        return Score(matched_count, candidate, reference, strict=strict, covered=differs)

    out = {OVERALL: score(strict=True), **{name: score(length) for name, length in KIND_CATEGORIES.items()}}
    attributes = [[tuple_ for tuple_ in side if len(tuple_.concepts) == 2] for side in (candidates, references)]
    for name, words in categories.items():
        candidate, reference = (attributes_in_category(side, words) for side in attributes)
        out[name] = Score(len(match_candidates(candidate, reference)) if candidate and reference else 0, len(candidate), len(reference))
    return out


def compute_entailed_scores(
    candidates: Sequence[SceneTuple],
    references: Sequence[SceneTuple],
    credit: Callable[[SceneTuple], float],
    weights: WeightsByTuple,
    categories: Mapping[str, frozenset[str]],
) -> dict[str, Score]:
    """Return scores by the credit of each tuple.

    Precision is the weighted mean credit of the candidate's tuples. Recall is the average of two weighted means: over the tuples of all
    references, each of which counts once for each reference that mentions it, and over the tuples of the best covered reference.
    """

    def score_category(own_tuples: Sequence[SceneTuple], other_tuples: Sequence[SceneTuple], *, strict: bool = False) -> Score:
        precision, recall = (fmean(mean_credits(side, credit, weights)) for side in (own_tuples, other_tuples))
        return Score(precision * len(own_tuples), len(own_tuples), len(other_tuples), strict=strict, covered=recall * len(other_tuples))

    out = {OVERALL: score_category(candidates, references, strict=True)}
    for name, length in KIND_CATEGORIES.items():
        tuples_by_side = ([tuple_ for tuple_ in side if len(tuple_.concepts) == length] for side in (candidates, references))
        out[name] = score_category(*tuples_by_side)
    return out | {
        name: score_category(attributes_in_category(candidates, words), attributes_in_category(references, words))
        for name, words in categories.items()
    }


def mean_credits(tuples: Iterable[SceneTuple], credit: Callable[[SceneTuple], float], weights: WeightsByTuple) -> tuple[float, float]:
    """Return the weighted mean credit of the tuples of all captions, and that of the best covered caption. Both are 0 without tuples."""
    values_by_caption: dict[int, tuple[list[float], list[float]]] = {}
    for tuple_ in tuples:
        for caption, weight in weights[tuple_.id].items():
            credits, caption_weights = values_by_caption.setdefault(caption, ([], []))
            credits.append(credit(tuple_))
            caption_weights.append(weight)
    if not values_by_caption:
        return 0.0, 0.0
    credits, all_weights = (list(chain.from_iterable(values)) for values in zip(*values_by_caption.values()))
    return fmean(credits, all_weights), max(fmean(*values) for values in values_by_caption.values())


def attributes_in_category(tuples: Iterable[SceneTuple], words: frozenset[str]) -> list[SceneTuple]:
    """Return the attributes whose concept is exactly one of the words. Merged concepts belong to no category."""
    return [t for t in tuples if len(t.concepts) == 2 and len(t.concepts[1].words) == 1 and t.concepts[1].words <= words]


def _covered_credit(matches: Iterable[Match]) -> float:
    """Return the sum of each reference tuple's best credit."""
    best_credits: dict[str, float] = {}
    for m in matches:
        best_credits[m.reference.id] = max(m.credit, best_credits.get(m.reference.id, 0))
    return sum(best_credits.values())
