"""Explanation of why the tuples of one caption follow from another caption or not, under all or some inference rules of the language."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from spice_core.explain.evidence import TupleRow
from spice_core.explain.explanation import Explanation
from spice_core.inference.prover import NearMiss
from spice_core.lang import language
from spice_core.metrics.spice import Spice
from spice_core.scene.matching import MatchState


@dataclass(frozen=True)
class Judgement:
    """A tuple of the conclusion with its verdict.

    If the tuple neither follows nor is contradicted, ``near_misses`` are the rules that come closest, with their missing
    conditions.
    """

    row: TupleRow
    near_misses: tuple[NearMiss, ...] = ()


def judge_tuples(spice: Spice, premise: str, conclusion: str, *, disabled_rules: Collection[str] = ()) -> list[Judgement]:
    """Judge each tuple of the caption ``conclusion`` given the caption ``premise``, without the rules named in ``disabled_rules``.

    Raises MissingResourceError if the language has no inference rules.
    """
    result = spice.compute(conclusion, [premise])
    inference = language(result.signature.lang).inference(spice.synonyms, disabled_names=disabled_rules)
    tuples_by_side = result.candidate_tuples, result.reference_tuples
    result = replace(result, verdicts=inference.verdicts(*tuples_by_side, result.matches))
    explanation = Explanation.from_result(result, spice)
    rows = [row for row in explanation.rows if row.side == "c"]
    extra_tuples = [explanation.tuple_of(row.id) for row in rows if row.state is MatchState.EXTRA]
    misses_by_tuple = inference.near_misses(extra_tuples, tuples_by_side[1])
    return [Judgement(row, tuple(misses_by_tuple.get(row.id, ()))) for row in rows]
