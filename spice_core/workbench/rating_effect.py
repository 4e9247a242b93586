"""The effect of a changed rule set on scores: the items whose F1 changes, and the correlation with ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spice_core.data.ratings import RatedCaption
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse
from spice_core.stats.bootstrap import mean_defined
from spice_core.stats.correlation import COEFFICIENT_NAMES, RatingCorrelation


class ScoreChange(NamedTuple):
    """An item whose F1 changes: its position, and its F1 before and after the change."""

    position: int
    before: float
    after: float


@dataclass(frozen=True)
class RatingEffect:
    """The correlation with ratings and the mean F1 before and after a change, and the items with changed F1."""

    before: Mapping[str, float]
    after: Mapping[str, float]
    means: tuple[float, float]
    changes: tuple[ScoreChange, ...]


def item_scores(
    rated_captions: Sequence[RatedCaption],
    parses: Mapping[str, Parse],
    spice: Spice,
    *,
    earlier_parses: Mapping[str, Parse] | None = None,
    scores: Sequence[float] = (),
) -> list[float]:
    """Return the F1 of each item, given its captions' parses.

    If ``earlier_parses`` and their ``scores`` are given, only items with changed propositions are scored again.
    """
    out = []
    for position, item in enumerate(rated_captions):
        captions = (item.candidate, *item.references)
        if earlier_parses is not None and all(_have_same_graph(parses[c], earlier_parses[c]) for c in captions):
            out.append(scores[position])
        else:
            out.append(spice.compare(parses[item.candidate], [parses[c] for c in item.references]).overall.f1)
    return out


def rating_effect(rated_captions: Sequence[RatedCaption], before: Sequence[float], after: Sequence[float]) -> RatingEffect:
    """Return the effect on the items and their correlation with ratings, largest changes first."""
    pairs = enumerate(zip(before, after, strict=True))
    changes = [ScoreChange(n, a, b) for n, (a, b) in pairs if a != b and not (math.isnan(a) and math.isnan(b))]
    coefficients_before, coefficients_after = (_rating_coefficients(rated_captions, scores) for scores in (before, after))
    means = mean_defined(before), mean_defined(after)
    return RatingEffect(coefficients_before, coefficients_after, means, tuple(sorted(changes, key=lambda c: -abs(c.after - c.before))))


def _have_same_graph(parse: Parse, other_parse: Parse) -> bool:
    """Return whether two parses of a caption yield the same graph: the same propositions in words, tokens and order."""
    a, b = (((p.words, p.sentence, p.tokens) for p in parse_.propositions) for parse_ in (parse, other_parse))
    return parse is other_parse or tuple(a) == tuple(b)


def _rating_coefficients(rated_captions: Sequence[RatedCaption], scores: Sequence[float]) -> dict[str, float]:
    if len({score for score in scores if not math.isnan(score)}) < 2:
        return dict.fromkeys(COEFFICIENT_NAMES, math.nan)
    return dict(zip(COEFFICIENT_NAMES, RatingCorrelation(scores, [r.ratings for r in rated_captions]).coefficients().tolist()))
