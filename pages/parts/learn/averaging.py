"""Agreement of averages with ratings: simulated systems with n captions each, sampled from the bundled ratings."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

SAMPLE_FOLDER = Path(__file__).parents[3] / "assets" / "agreement" / "sample_ja.json"
SYSTEM_COUNT, DRAW_COUNT, DRAW_SEED = 8, 400, 2016
SAMPLE_SIZES = (1, 5, 20, 100, 300)
_SYSTEM_BIAS = 0.35  # change of a caption's log odds per fifth of the ratings, for the best system


@cache
def mean_correlation(size: int, *, differing: bool) -> float:
    """Return the mean Pearson correlation of the systems' mean ratings and mean SPICE, with ``size`` captions per system.

    If ``differing``, systems prefer captions of different quality; otherwise all systems sample alike.
    """
    ratings, scores = _read_sample()
    random = np.random.default_rng(DRAW_SEED)
    fifths = np.argsort(np.argsort(ratings, kind="stable")) * 5 // len(ratings)
    levels = np.linspace(-1, 1, SYSTEM_COUNT) if differing else np.zeros(SYSTEM_COUNT)
    means = np.empty((2, DRAW_COUNT, SYSTEM_COUNT))
    for number, level in enumerate(levels):
        weights = np.exp(_SYSTEM_BIAS * level * (fifths - 2))
        sample = random.choice(len(ratings), (DRAW_COUNT, size), p=weights / weights.sum())
        means[:, :, number] = ratings[sample].mean(axis=1), scores[sample].mean(axis=1)
    x, y = means - means.mean(axis=2, keepdims=True)
    with np.errstate(invalid="ignore"):
        values = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return float(np.nanmean(values))


def kendall_tau(first: list[int], second: list[int]) -> tuple[int, int, float]:
    """Return the numbers of pairs in the same and in the opposite order, and Kendall's τ, for two rankings of the same items."""
    rank_of = {thing: i for i, thing in enumerate(second)}
    ranks = [rank_of[thing] for thing in first]
    pairs = [ranks[i] < ranks[k] for i in range(len(ranks)) for k in range(i + 1, len(ranks))]
    same = sum(pairs)
    return same, len(pairs) - same, (2 * same - len(pairs)) / len(pairs) if pairs else 1.0


@cache
def _read_sample() -> tuple[np.ndarray, np.ndarray]:
    """Return the ratings, from 0 to 5, and the SPICE scores of the bundled pairs."""
    stored = json.loads(SAMPLE_FOLDER.read_text(encoding="utf-8"))
    return np.array([item["rating"] for item in stored["items"]], float), np.array(stored["scores"]["SPICE"], float)
