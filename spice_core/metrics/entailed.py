"""The metric ``entailed``: SPICE under the scheme that also counts what follows by inference rules."""

from __future__ import annotations

from collections.abc import Iterator

from spice_core.inference.prover import Proof
from spice_core.metrics.metric import Batch, Pairing
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice


def entailed_results(batch: Batch) -> list[SpiceResult]:
    """The results of a batch under the scheme ``entailed``; call it by ``batch.once(entailed_results)``."""
    spice, parses = batch.tool(_by_meaning), batch.parses
    return [spice.compare(parses[candidate], [parses[each] for each in references]) for candidate, references in batch.items]


def explain_entailments(result: SpiceResult) -> list[Pairing]:
    """Each tuple that only follows from the other side, with the tuples and the rules from which it does."""
    return [
        Pairing(" – ".join(each.tuple_.words), "; ".join(" – ".join(given.words) for given in each.proof.tuples), 1.0, " › ".join(_rules(each.proof)))
        for each in result.verdicts.entailed
    ]


def _by_meaning(spice: Spice) -> Spice:
    return spice.with_scheme("entailed")


def _rules(proof: Proof) -> Iterator[str]:
    """The rules of a proof, the first applied first."""
    for premise in proof.premises:
        yield from _rules(premise)
    if proof.rule:
        yield proof.rule
