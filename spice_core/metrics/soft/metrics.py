"""The metrics of soft matching: hypernyms, soft, soft+ and support."""

from __future__ import annotations

from collections.abc import Callable

from spice_core.lang.pack import LanguagePack
from spice_core.metrics.metric import Batch, Metric, Needs, Pairing
from spice_core.metrics.soft.soft import Soft, SoftResult
from spice_core.metrics.soft.support import Support, support_signature
from spice_core.metrics.spice import Spice

_RESULTS_PER_BATCH = 100  # number of results whose texts are encoded together


def soft_results(batch: Batch) -> list[SoftResult]:
    """Return the soft results of a batch with the default similarity of the language.

    Call this function through ``batch.compute_once``, which caches the results.
    """
    return _compute_results(batch, Soft)


def hypernym_results(batch: Batch) -> list[SoftResult]:
    """Return the soft results of a batch with similarity by hypernyms.

    Call this function through ``batch.compute_once``, which caches the results.
    """
    return _compute_results(batch, _hypernym_metric)


def _hypernym_metric(spice: Spice) -> Soft:
    return Soft(spice, "hypernyms")


def _compute_results(batch: Batch, make: Callable[[Spice], Soft]) -> list[SoftResult]:
    soft = batch.get_tool(make)
    soft.prepare(batch.parses.values())
    return [soft.score_result(result) for result in batch.results]


def _support_scores(batch: Batch) -> list[float]:
    support, results = batch.get_tool(_load_support), batch.compute_once(soft_results)
    lowest: list[float] = []
    for start in range(0, len(results), _RESULTS_PER_BATCH):
        part = results[start : start + _RESULTS_PER_BATCH]
        support.prepare(part)
        lowest += map(support.lowest_score, part)
    return lowest


def _load_support(spice: Spice) -> Support:
    return Support(spice.synonyms)


def _support_pairings(batch: Batch) -> list[Pairing]:
    """Return each candidate tuple with its nearest reference tuple and its support, lowest support first."""
    result = batch.compute_once(soft_results)[0]
    pairs = [(result.alignment.candidates[row], result.alignment.references[column]) for row, column in result.alignment.nearest]
    pairings = [Pairing.of_tuples([a], [b], value) for (a, b), value in zip(pairs, batch.get_tool(_load_support).tuple_scores(result))]
    return sorted(pairings, key=lambda pairing: pairing.credit)


def _soft_pairings(result: SoftResult) -> list[Pairing]:
    """Return each candidate tuple with its nearest reference tuple."""
    return [Pairing.of_tuples([m.candidate], [m.reference], m.similarity, "; ".join(map(" › ".join, m.path))) for m in result.matches]


def _missing_part(pack: LanguagePack) -> str:
    return "vectors" if pack.similarities == ("hypernyms",) else ""


HYPERNYMS = Metric(
    name="hypernyms",
    summary="SPICE with partial credit along hypernyms",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.f1 for result in batch.compute_once(hypernym_results)],
    explain=lambda batch: _soft_pairings(batch.compute_once(hypernym_results)[0]),
    signature=lambda spice: _hypernym_metric(spice).signature,
)
SOFT = Metric(
    name="soft",
    summary="tuples aligned by the similarity of their words",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.f1 for result in batch.compute_once(soft_results)],
    explain=lambda batch: _soft_pairings(batch.compute_once(soft_results)[0]),
    signature=lambda spice: Soft(spice).signature,
    find_missing_part=_missing_part,
)
SOFT_PLUS = Metric(
    name="soft+",
    summary="soft, averaged with the similarity of the full captions",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.plus for result in batch.compute_once(soft_results)],
    signature=lambda spice: f"soft+{Soft(spice).signature.removeprefix('soft')}",
    find_missing_part=_missing_part,
)
SUPPORT = Metric(
    name="support",
    summary="lowest support of any candidate tuple",
    needs=Needs.GRAPH,
    segment=_support_scores,
    explain=_support_pairings,
    signature=lambda spice: support_signature(Soft(spice)),
    find_missing_part=_missing_part,
)
