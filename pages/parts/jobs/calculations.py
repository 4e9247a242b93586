"""Long computations as plain functions for the worker: metrics, agreement, probable causes. This module does not import Streamlit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pages.parts.uploads.reading import RatingFile
from spice_core.data.items import Caption
from spice_core.data.ratings import Preference, RatedCaption
from spice_core.data.work_file import ImageId, UnmatchedTuple
from spice_core.errors import Message, SpiceError
from spice_core.evaluation.agreement import Agreement, correlate, pairwise_accuracy, score_rated_captions
from spice_core.evaluation.run import cached_metric
from spice_core.explain.explanation import probable_causes
from spice_core.lang import language
from spice_core.lang.tree_file import TreeFile, lend_trees
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.measure import corpus_scores, metric_signatures, segment_scores
from spice_core.metrics.metric import CaptionItems
from spice_core.metrics.registry import describe_unavailable_metrics, measured_metrics
from spice_core.stats.bootstrap import Estimate

T = TypeVar("T")


@dataclass(frozen=True)
class MetricScores:
    """Scores of systems by all available metrics.

    Attributes:
        estimates: Corpus scores, by system and metric.
        scores: Scores of the items, by system and metric.
        problems: Messages about unavailable metrics.
        signatures: Signatures of the metrics.
    """

    estimates: Mapping[str, Mapping[str, Estimate]]
    scores: Mapping[str, Mapping[str, Sequence[float]]]
    problems: Sequence[str]
    signatures: Sequence[str]


@dataclass(frozen=True)
class RatingStudy:
    """Human ratings, the scores of each metric, and their agreement.

    If the file contains preferences between two captions, ``captions`` and ``scores`` are empty.
    """

    captions: tuple[RatedCaption, ...]
    scores: dict[str, list[float]]
    agreement: Agreement
    categories: Agreement | None
    lang: str
    signature: str
    encodings: tuple[tuple[str, str], ...] = ()  # the file and its encoding if it is not UTF-8
    notices: tuple[Message, ...] = ()  # notes on the interpretation of the columns


def call_with_trees(trees: TreeFile, function: Callable[..., T], *args: object) -> T:
    """Call a function with uploaded trees registered as a parser, and return its value."""
    with lend_trees(trees):
        return function(*args)


def compute_metrics(systems: Mapping[str, CaptionItems], config: SpiceConfig) -> MetricScores:
    """Score the captions of each system with all available metrics, and measure hallucinated objects."""
    spice, problems = cached_metric(config), describe_unavailable_metrics(language(config.lang))
    metrics = measured_metrics(language(config.lang))
    scores = {name: segment_scores(items, metrics, spice=spice, problems=problems) for name, items in systems.items()}
    estimates = {name: corpus_scores(items, scores[name], spice) for name, items in systems.items()}
    signatures = metric_signatures((name for by_metric in estimates.values() for name in by_metric), spice)
    return MetricScores(estimates, scores, problems, signatures)


def find_causes(
    rows: Sequence[tuple[ImageId, Caption, Sequence[Caption]]], config: SpiceConfig
) -> dict[ImageId, dict[UnmatchedTuple, str]]:
    """Return the probable causes of each image's unmatched tuples, or {} if its captions cannot be parsed."""
    spice, causes = cached_metric(config), {}
    for image, candidate, references in rows:
        try:
            causes[image] = probable_causes(spice, candidate, references)
        except SpiceError:
            causes[image] = {}
    return causes


def score_ratings(file: RatingFile, config: SpiceConfig, level: str, metrics: Sequence[str]) -> RatingStudy:
    """Score the captions of a file of ratings or preferences, and measure the agreement."""
    metric, rows = cached_metric(config), file.rows
    signature = "\n".join(metric_signatures(metrics, metric))
    if isinstance(rows[0], Preference):
        a, b = (segment_scores([(getattr(c, side), c.references) for c in rows], metrics, spice=metric) for side in "ab")
        return RatingStudy((), {}, pairwise_accuracy(rows, a, b), None, config.lang, signature, file.encodings, file.notices)
    study = build_study(tuple(rows), score_rated_captions(rows, metrics, metric, categories=True), level, config.lang, signature)
    return replace(study, encodings=file.encodings, notices=file.notices)


def build_study(
    rows: tuple[RatedCaption, ...], scores_by_metric: Mapping[str, list[float]], level: str, lang: str, signature: str
) -> RatingStudy:
    """Return a study with the agreement of the ratings with each metric and with the scores by category.

    The names of the scores by category contain a colon.
    """
    numeric_scores = {name: [float("nan") if v is None else v for v in values] for name, values in scores_by_metric.items()}
    category_scores = {name: values for name, values in numeric_scores.items() if ": " in name}
    overall = {name: values for name, values in numeric_scores.items() if name not in category_scores}
    agreement = correlate(rows, overall, level=level)
    category_agreement = correlate(rows, category_scores, level=level, resamples=200) if category_scores else None
    return RatingStudy(rows, overall | category_scores, agreement, category_agreement, lang, signature)
