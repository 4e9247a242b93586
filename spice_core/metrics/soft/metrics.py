"""The metrics of soft matching: hypernyms, soft and soft+."""

from __future__ import annotations

from collections.abc import Callable

from spice_core.lang.pack import LanguagePack
from spice_core.metrics.metric import Batch, Metric, Needs, Pairing
from spice_core.metrics.soft.soft import Soft, SoftResult
from spice_core.metrics.spice import Spice


def results(batch: Batch) -> list[SoftResult]:
    """Soft matching by the default similarity of the language; call it by ``batch.once(results)``."""
    return _results(batch, Soft)


def hypernym_results(batch: Batch) -> list[SoftResult]:
    """Soft matching along hypernyms; call it by ``batch.once(hypernym_results)``."""
    return _results(batch, _hypernyms)


def _hypernyms(spice: Spice) -> Soft:
    return Soft(spice, "hypernyms")


def _results(batch: Batch, make: Callable[[Spice], Soft]) -> list[SoftResult]:
    soft = batch.tool(make)
    soft.prepare(batch.parses.values())
    return [soft.of(result) for result in batch.results]


def _pairings(result: SoftResult) -> list[Pairing]:
    """Each candidate tuple with its nearest reference tuple."""
    paths = ("; ".join(" › ".join(path) for path in match.path) for match in result.matches)
    sides = ((" – ".join(match.candidate.words), " – ".join(match.reference.words)) for match in result.matches)
    return [Pairing(*side, match.similarity, path) for side, match, path in zip(sides, result.matches, paths)]


def _lacks(pack: LanguagePack) -> str:
    return "vectors" if pack.similarities == ("hypernyms",) else ""


HYPERNYMS = Metric(
    name="hypernyms",
    summary="SPICE with partial credit along hypernyms",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.f1 for result in batch.once(hypernym_results)],
    explain=lambda batch: _pairings(batch.once(hypernym_results)[0]),
    signature=lambda spice: _hypernyms(spice).signature,
)
SOFT = Metric(
    name="soft",
    summary="tuples aligned by the similarity of their words",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.f1 for result in batch.once(results)],
    explain=lambda batch: _pairings(batch.once(results)[0]),
    signature=lambda spice: Soft(spice).signature,
    lacks=_lacks,
)
SOFT_PLUS = Metric(
    name="soft+",
    summary="soft, averaged with the similarity of the whole captions",
    needs=Needs.GRAPH,
    segment=lambda batch: [result.plus for result in batch.once(results)],
    signature=lambda spice: f"soft+{Soft(spice).signature.removeprefix('soft')}",
    lacks=_lacks,
)
