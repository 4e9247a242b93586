"""Scores of single captions and of full data sets by several metrics."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from spice_core.errors import MissingResourceError
from spice_core.metrics.metric import Batch, CaptionItems, Metric, Needs
from spice_core.metrics.registry import SPICE, available_metrics, metric_by_name
from spice_core.metrics.spice import Spice
from spice_core.scene.scores import OVERALL
from spice_core.stats.bootstrap import Estimate, estimate_means

ScoresByMetric = dict[str, list[float]]
_BATCH_ITEMS = 128  # items parsed and encoded at once


def segment_scores(
    items: CaptionItems,
    names: Iterable[str] | None = None,
    *,
    spice: Spice | None = None,
    categories: bool = False,
    problems: list[str] | None = None,
    objects: Sequence[Collection[str]] = (),
) -> ScoresByMetric:
    """Score captions by several metrics.

    Args:
        items: pairs of a candidate and its references.
        names: the metrics; by default all metrics that the language supports.
        spice: language, parser, rules and synonyms; English by default.
        categories: whether to add the SPICE scores of each category, such as ``SPICE: Object``.
        problems: list to which a line on each metric that cannot be computed is added. If it is None, an error is raised.
        objects: the names of the objects in the image of each item, for CHAIR.

    Returns:
        The scores of each metric, in the order of the items. Undefined scores are nan. Metrics reported in ``problems`` are omitted.

    Raises:
        UnknownNameError: no metric has this name.
        MissingResourceError: a metric needs a package that is not installed, or a part that the language lacks.

    >>> segment_scores([("a dog on a sofa", ["a brown dog lies on a couch"])], ["SPICE"])
    {'SPICE': [0.5]}
    """
    spice = spice or Spice()
    full_batch = Batch([(candidate, tuple(references)) for candidate, references in items], spice, objects=objects)
    metrics = [metric_by_name(name) for name in dict.fromkeys(available_metrics(full_batch.pack) if names is None else names)]
    graph = [metric for metric in metrics if metric.needs is Needs.GRAPH]
    out: ScoresByMetric = {metric.name: [] for metric in metrics}
    for batch in full_batch.split(_BATCH_ITEMS) if graph or categories else ():
        _append_scores(out, batch_scores(batch, graph, problems))
        if categories:
            _append_scores(out, _category_scores(batch))
    _append_scores(out, batch_scores(full_batch, [metric for metric in metrics if metric not in graph], problems))
    return {name: values for name, values in out.items() if len(values) == len(full_batch.items)}


def batch_scores(batch: Batch, metrics: Iterable[Metric], problems: list[str] | None = None) -> ScoresByMetric:
    """Return the scores of a batch by metric. ``problems`` has the same meaning as for ``segment_scores``."""
    out = {}
    for metric in metrics:
        try:
            out[metric.name] = metric.scores(batch)
        except MissingResourceError as error:
            if problems is None:
                raise
            if str(error) not in problems:
                problems.append(str(error))
    return out


def corpus_scores(
    items: CaptionItems,
    scores: Mapping[str, Iterable[float]],
    spice: Spice,
    *,
    resamples: int = 1000,
    seed: int = 0,
    objects: Sequence[Collection[str]] = (),
) -> dict[str, Estimate]:
    """Return the score of each metric over all captions, with a confidence interval.

    Args:
        items: the captions that were scored.
        scores: their scores by metric, from ``segment_scores``.
        spice: language, parser, rules and synonyms, as for ``segment_scores``.
        resamples: number of bootstrap resamples for the intervals.
        seed: seed of the bootstrap.
        objects: as for ``segment_scores``.

    Returns:
        Means with 95% intervals. A metric with a separate corpus score, such as BLEU, has this score without an interval.

    >>> items = [("a dog on a sofa", ["a brown dog lies on a couch"]), ("a cat", ["a cat sleeps"])]
    >>> spice = Spice()
    >>> round(corpus_scores(items, segment_scores(items, ["SPICE"], spice=spice), spice)["SPICE"].value, 3)
    0.583
    """
    import numpy as np

    table = np.array([list(values) for values in scores.values()], float).reshape(len(scores), len(items)).T
    means, batch = dict(zip(scores, estimate_means(table, resamples, seed))), Batch(items, spice, objects=objects)
    corpus_metrics = ((name, metric_by_name(name).corpus) for name in scores if ":" not in name)
    return means | {name: Estimate(corpus(batch), math.nan, math.nan) for name, corpus in corpus_metrics if corpus}


def metric_signatures(names: Iterable[str], spice: Spice) -> list[str]:
    """Return the signature of each metric, which records every choice that affects its scores."""
    return [metric_by_name(name).signature(spice) for name in dict.fromkeys(names)]


def _append_scores(out: ScoresByMetric, new_scores: ScoresByMetric) -> None:
    for name, values in new_scores.items():
        out.setdefault(name, []).extend(values)


def _category_scores(batch: Batch) -> ScoresByMetric:
    """Return the SPICE scores of a batch in each category."""
    names = [name for name in batch.results[0].scores if name != OVERALL]
    columns = {name: [result.scores[name] for result in batch.results] for name in names}
    return {f"{SPICE.name}: {name}": [s.f1 if s.defined else math.nan for s in column] for name, column in columns.items()}
