"""All metrics by name. Packages add metrics by entry points of the group ``spice_core.metrics``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial

from spice_core.errors import Message, UnknownNameError
from spice_core.lang.pack import LanguagePack
from spice_core.metrics.metric import Batch, Metric, Needs, Pairing
from spice_core.metrics.objects_and_diversity import OBJECT_AND_DIVERSITY_METRICS
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.soft.metrics import HYPERNYMS, SOFT, SOFT_PLUS, SUPPORT
from spice_core.metrics.spice import Spice
from spice_core.metrics.text.cider import CIDER_D, make_cider_d
from spice_core.metrics.text.meteor import METEOR
from spice_core.metrics.text.overlap import BLEU_METRICS, CHRF, ROUGE_L
from spice_core.plugins import Registry, load_added, load_working


def entailed_results(batch: Batch) -> list[SpiceResult]:
    """Return the results of a batch under the scheme ``entailed``.

    Call this function through ``batch.compute_once``, which caches the results.
    """
    if batch.spice.scheme.entailed:
        return batch.results
    spice, parses = batch.get_tool(_entailment_metric), batch.parses
    return [spice.compare(parses[candidate], [parses[reference] for reference in references]) for candidate, references in batch.items]


def explain_entailments(result: SpiceResult) -> list[Pairing]:
    """Return the pairs of matched tuples, then each entailed tuple with the tuples that entail it and the names of the rules."""
    pairings = [Pairing.of_tuples([match.candidate], [match.reference], match.credit) for match in result.matches]
    candidate_ids = {t.id for t in result.candidate_tuples}
    for tuple_, proof in result.verdicts.entailments:
        candidates, references = ((tuple_,), proof.tuples) if tuple_.id in candidate_ids else (proof.tuples, (tuple_,))
        pairings.append(Pairing.of_tuples(candidates, references, 1.0, " › ".join(proof.rule_names)))
    return pairings


def _entailment_metric(spice: Spice) -> Spice:
    return spice.with_scheme("entailed")


SPICE = Metric(
    name="SPICE",
    summary="F1 of the tuples of scene graphs",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.f1 for result in batch.results],
    signature=lambda spice: str(spice.signature),
)
ENTAILED = Metric(
    name="entailed",
    summary="SPICE that also counts tuples entailed by the other side",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.f1 for result in batch.compute_once(entailed_results)],
    explain=lambda batch: explain_entailments(batch.compute_once(entailed_results)[0]),
    signature=lambda spice: str(spice.with_scheme("entailed").signature),
    find_missing_part=lambda pack: "" if pack.inference_rules else "inference_rules",
)
_BUNDLED_METRICS = {
    metric.name: metric
    for metric in (
        SPICE,
        ENTAILED,
        HYPERNYMS,
        SOFT,
        SOFT_PLUS,
        SUPPORT,
        *BLEU_METRICS,
        ROUGE_L,
        METEOR,
        CIDER_D,
        CHRF,
    )
}
METRICS: Registry[Metric] = Registry("spice_core.metrics", _BUNDLED_METRICS, cache(partial(load_added, expected_type=Metric)))
# Metrics for which less is better or that need several captions per image, not included in ``all``.
METRICS_ON_REQUEST = {metric.name: metric for metric in OBJECT_AND_DIVERSITY_METRICS}
# default of the commands ``metrics`` and ``agree`` and of the page for human judgements
DEFAULT_METRICS = (SPICE.name, SOFT.name, SOFT_PLUS.name)


def metric_by_name(name: str) -> Metric:
    """Return the metric with this name. Raises UnknownNameError or InputError.

    ``CIDEr-D:SOURCE`` uses the document frequencies of this source.
    """
    base, _, source = name.partition(":")
    if base == CIDER_D.name and source:
        return make_cider_d(source)
    if name in METRICS_ON_REQUEST:
        return METRICS_ON_REQUEST[name]
    if name not in METRICS:
        raise UnknownNameError(Message("kind.metric"), name, (*METRICS, *METRICS_ON_REQUEST))
    return METRICS[name]


def available_metrics(pack: LanguagePack, names: Iterable[str] | None = None) -> list[str]:
    """Return the names of the metrics that the language pack supports, among ``names`` or all metrics."""
    metrics = working_metrics() if names is None else map(metric_by_name, names)
    return [metric.name for metric in metrics if not metric.describe_missing_part(pack)]


def measured_metrics(pack: LanguagePack) -> list[str]:
    """Return the names of the metrics that the inspector computes, which are all available metrics and hallucinated objects."""
    return [*available_metrics(pack), *(name for name in METRICS_ON_REQUEST if name.startswith("CHAIR"))]


def working_metrics() -> list[Metric]:
    """Return all metrics, without broken metrics of packages."""
    return load_working(METRICS, metric_by_name)


def describe_unavailable_metrics(pack: LanguagePack) -> list[str]:
    """Return one line for each metric that the language pack does not support."""
    return [line for metric in working_metrics() if (line := metric.describe_missing_part(pack))]
