"""The metric ``entailed``: SPICE under the scheme that also counts tuples entailed by inference rules."""

from __future__ import annotations

from spice_core.metrics.metric import Batch, Pairing
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.graph import SceneTuple


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
    pairings = [Pairing(_tuple_as_text(match.candidate), _tuple_as_text(match.reference), match.credit) for match in result.matches]
    candidate_ids = {t.id for t in result.candidate_tuples}
    for tuple_, proof in result.verdicts.entailments:
        premises, path = "; ".join(map(_tuple_as_text, proof.tuples)), " › ".join(proof.rule_names)
        texts = (_tuple_as_text(tuple_), premises) if tuple_.id in candidate_ids else (premises, _tuple_as_text(tuple_))
        pairings.append(Pairing(*texts, 1.0, path))
    return pairings


def _tuple_as_text(tuple_: SceneTuple) -> str:
    return " – ".join(tuple_.words)


def _entailment_metric(spice: Spice) -> Spice:
    return spice.with_scheme("entailed")
