"""Agreement of metrics with human judgements: correlation with ratings, accuracy on preferences, significance of
differences.

Intervals and p-values are bootstrapped over rated captions, systems or preferences. All metrics share the resamples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spice_core.data.ratings import Preference, RatedCaption
from spice_core.errors import InputError, Message
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.spice import Spice
from spice_core.stats.bootstrap import Estimate, PairedDifference, check_resamples, estimate_interval, paired_p_value
from spice_core.stats.correlation import COEFFICIENT_NAMES, RatingCorrelation

if TYPE_CHECKING:
    import numpy as np


ScoresByMetric = Mapping[str, Sequence[float]]
ALL_KINDS = "all"


@dataclass(frozen=True)
class Agreement:
    """Agreement of each metric with human judgements: correlation coefficients, or accuracies by kind of pair.

    Attributes:
        level: ``caption``, ``system`` or ``preference``.
        items: The number of captions, of systems, or of preferences with a majority.
        judgements: The number of ratings of captions, of mean ratings of systems, or of preferences with a majority.
        undefined: The number of items on which each metric is undefined, plus the number of preferences without a majority.
        resamples: The number of resamples behind the intervals.
        baseline: The metric with which the others are compared.
        coefficients: Correlation coefficients or accuracies, by metric and name.
        differences: Differences from the baseline, by metric and name. A p-value is nan if fewer than ``MIN_PAIRS`` items
            have a value of both metrics.
        ties: The share of equal scores of each metric, among pairs of captions or systems, or within preferences.
    """

    level: str
    items: int
    judgements: int
    undefined: Mapping[str, int]
    resamples: int
    baseline: str
    coefficients: Mapping[str, Mapping[str, Estimate]]
    differences: Mapping[str, Mapping[str, PairedDifference]]
    ties: Mapping[str, float]

    @property
    def has_too_few_items(self) -> bool:
        """Whether a difference lacks a p-value because too few items have both metrics' scores."""
        differences = (d for row in self.differences.values() for d in row.values())
        return any(math.isnan(d.p) and not math.isnan(d.estimate.value) for d in differences)


def correlate(
    rated_captions: Sequence[RatedCaption],
    scores: ScoresByMetric,
    *,
    level: str = "caption",
    baseline: str = "",
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Correlate scores with ratings. With ``level="system"``, correlate the means of each system.

    The baseline defaults to the first metric with a defined score. Raises InputError if the level or baseline is unknown,
    if a metric does not have a score for each caption, if a caption lacks the system that ``level`` requires, if there are
    fewer than two captions or systems, or if the number of resamples is out of bounds.
    """
    import numpy as np

    check_resamples(resamples)
    if level not in ("caption", "system"):
        raise InputError("level", level, Message("expected.level"))
    ratings: Sequence[Sequence[float]] = [r.ratings for r in rated_captions]
    exponent = math.frexp(max((abs(v) for row in ratings for v in row), default=1.0))[1]
    ratings = [[math.ldexp(v, -exponent) for v in row] for row in ratings]  # prevents an overflow of a system's mean
    columns = _score_table(scores, len(rated_captions))
    if level == "system":
        columns, ratings = _means_by_system([r.system for r in rated_captions], columns, ratings)
    if len(ratings) < 2:
        raise InputError("ratings", Message("found.several", number=len(ratings), kind=level), Message("expected.two_or_more"))
    ratings_by_metric = {
        name: RatingCorrelation(columns[:, i].tolist(), ratings) for i, name in enumerate(scores) if not np.isnan(columns[:, i]).all()
    }
    resample_count = min(c.limit_resamples(resamples) for c in ratings_by_metric.values())
    rng = np.random.default_rng(seed)
    weights = [np.bincount(rng.integers(0, len(ratings), len(ratings)), minlength=len(ratings)) for _ in range(resample_count)]
    estimates_by_metric = {
        name: (c.coefficients(), np.stack([c.coefficients(w) for w in weights])) for name, c in ratings_by_metric.items()
    }
    by_name = dict(zip(scores, columns.T))
    ties = {name: _tied_share(by_name[name]) for name in ratings_by_metric}
    undefined_counts = {name: int(np.isnan(column).sum()) for name, column in by_name.items()}
    defined_masks = {name: ~np.isnan(by_name[name]) for name in ratings_by_metric}
    differences = _compare_metrics(
        estimates_by_metric, COEFFICIENT_NAMES, baseline, defined_masks, np.ones((len(COEFFICIENT_NAMES), len(ratings)))
    )
    return Agreement(level, len(ratings), sum(map(len, ratings)), undefined_counts, resample_count, *differences, ties)


def pairwise_accuracy(
    preferences: Sequence[Preference],
    scores_a: ScoresByMetric,
    scores_b: ScoresByMetric,
    *,
    baseline: str = "",
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return how often each metric prefers the caption that most people preferred, by kind of pair and overall.

    Equal scores count one half. Pairs without a majority are excluded and counted as undefined. Raises InputError if
    no pair has a majority, if a metric does not have a score for each caption, if the baseline is unknown, or if the number
    of resamples is out of bounds.
    """
    import numpy as np

    check_resamples(resamples)
    has_preference = np.array([c.preferred_share != 0.5 for c in preferences])
    if not has_preference.any():
        raise InputError("preferences", Message("found.no_majority"), Message("expected.one_or_more"))
    a, b = (_score_table(s, len(preferences))[has_preference] for s in (scores_a, scores_b))
    prefers_first = np.array([c.preferred_share > 0.5 for c in preferences])[has_preference, None]
    unscored_mask = np.isnan(a) | np.isnan(b)
    credit = np.where(unscored_mask, 0.0, np.where(a == b, 0.5, (a > b) == prefers_first))
    names, masks = _masks_by_kind([c.kind for c in preferences if c.preferred_share != 0.5])

    def compute_accuracies(weights: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            shares: np.ndarray = (masks * weights) @ credit / ((masks * weights) @ ~unscored_mask)
        return shares

    rng = np.random.default_rng(seed)
    resampled_accuracies = np.stack(
        [compute_accuracies(np.bincount(rng.integers(0, len(a), len(a)), minlength=len(a))) for _ in range(resamples)]
    )
    estimates = compute_accuracies(np.ones(len(a)))
    estimates_by_metric = {name: (estimates[:, i], resampled_accuracies[:, :, i]) for i, name in enumerate(scores_a)}
    ties = {name: float((a[:, i] == b[:, i]).mean()) for i, name in enumerate(scores_a)}
    undefined_counts = {name: int((~has_preference).sum() + unscored_mask[:, i].sum()) for i, name in enumerate(scores_a)}
    defined_masks = {name: ~unscored_mask[:, i] for i, name in enumerate(scores_a)}
    return Agreement(
        "preference",
        len(a),
        len(a),
        undefined_counts,
        resamples,
        *_compare_metrics(estimates_by_metric, names, baseline, defined_masks, masks),
        ties,
    )


def _masks_by_kind(kinds: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the kinds of pairs and "all", with a row of zeros and ones for the members of each."""
    import numpy as np

    names = (*dict.fromkeys(k for k in kinds if k), ALL_KINDS)
    return names, np.array([[name in (k, ALL_KINDS) for k in kinds] for name in names], dtype=float)


def find_disagreements(rated_captions: Sequence[RatedCaption], scores: Sequence[float], max_count: int = 10) -> tuple[list[int], list[int]]:
    """Return the positions of the captions that a metric ranks farthest above and farthest below the ratings.

    The largest distances come first.
    """
    import numpy as np

    def rank_values(values: np.ndarray) -> np.ndarray:
        _, of, counts = np.unique(values, return_inverse=True, return_counts=True)
        return (counts.cumsum() - (counts - 1) / 2)[of] / len(values)

    rank_gaps = rank_values(np.nan_to_num(np.asarray(scores, float))) - rank_values(
        np.array([sum(r.ratings) / len(r.ratings) for r in rated_captions])
    )
    order = np.argsort(-rank_gaps, kind="stable").tolist()
    return [i for i in order[:max_count] if rank_gaps[i] > 0], [i for i in order[::-1][:max_count] if rank_gaps[i] < 0]


def _score_table(scores: ScoresByMetric, count: int) -> np.ndarray:
    """Return the scores as an array, one column per metric."""
    import numpy as np

    for name, values in scores.items():
        if len(values) != count:
            raise InputError(Message("where.scores_of", name=name), len(values), Message("expected.one_a_row", number=count))
    return np.array(list(scores.values()), float).reshape(len(scores), count).T


def _means_by_system(
    systems: Sequence[str], columns: np.ndarray, ratings: Sequence[Sequence[float]]
) -> tuple[np.ndarray, list[tuple[float]]]:
    import numpy as np

    if not all(systems):
        raise InputError("system", Message("found.rows_without_system"), Message("expected.system"))
    names = list(dict.fromkeys(systems))
    rows = {name: [i for i, s in enumerate(systems) if s == name] for name in names}
    means = np.stack([np.nanmean(columns[rows[name]], axis=0) for name in names])
    return means, [(float(np.mean([r for i in rows[name] for r in ratings[i]])),) for name in names]


def _tied_share(values: np.ndarray) -> float:
    """Return the share of pairs of defined scores that are equal."""
    import numpy as np

    _, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    n = counts.sum()
    return float((counts * (counts - 1)).sum() / max(1, n * (n - 1)))


def _compare_metrics(
    values: Mapping[str, tuple[np.ndarray, np.ndarray]],
    names: Sequence[str],
    baseline: str,
    defined_masks: Mapping[str, np.ndarray],
    masks: np.ndarray,
) -> tuple[str, dict[str, dict[str, Estimate]], dict[str, dict[str, PairedDifference]]]:
    """Return the baseline, the coefficients and the differences from the baseline.

    ``defined_masks`` marks the items on which a metric has a value, and ``masks`` the items that each name covers.
    """
    baseline = baseline or next(iter(values))
    if baseline not in values:
        raise InputError("baseline", baseline, Message("expected.one_of", names=", ".join(values)))
    coefficients = {
        m: {n: estimate_interval(float(estimates[i]), resampled_values[:, i]) for i, n in enumerate(names)}
        for m, (estimates, resampled_values) in values.items()
    }
    base, resampled_base = values[baseline]
    differences = {}
    for metric, (estimates, resampled_values) in values.items():
        if metric != baseline:
            gaps = [(float(estimates[i] - base[i]), resampled_values[:, i] - resampled_base[:, i]) for i in range(len(names))]
            counts = (masks @ (defined_masks[metric] & defined_masks[baseline])).astype(int).tolist()
            differences[metric] = {
                n: PairedDifference(estimate_interval(difference, resampled_gaps), paired_p_value(difference, resampled_gaps, count=count))
                for n, (difference, resampled_gaps), count in zip(names, gaps, counts)
            }
    return baseline, coefficients, differences


def score_rated_captions(
    rated_captions: Sequence[RatedCaption], names: Iterable[str] | None, spice: Spice, *, symmetric: bool = False, categories: bool = False
) -> dict[str, list[float]]:
    """Score rated captions, and add the scores that their file contains. ``symmetric`` averages the scores of both directions, which requires one reference for each caption."""
    scores = segment_scores(
        [(rated_caption.candidate, rated_caption.references) for rated_caption in rated_captions], names, spice=spice, categories=categories
    )
    given_names = [name for name, _ in (rated_captions[0].scores if rated_captions else ())]
    given_scores = {
        f"{name} (file)" if name in scores else name: [r.scores[i][1] for r in rated_captions] for i, name in enumerate(given_names)
    }
    if not symmetric:
        return scores | given_scores
    if any(len(rated_caption.references) != 1 for rated_caption in rated_captions):
        raise InputError("--symmetric", Message("found.several_references"), Message("expected.one_reference"))
    reverse_scores = segment_scores(
        [(rated_caption.references[0], (rated_caption.candidate,)) for rated_caption in rated_captions],
        names,
        spice=spice,
        categories=categories,
    )
    return {name: [(a + b) / 2 for a, b in zip(scores[name], reverse_scores[name])] for name in scores} | given_scores
