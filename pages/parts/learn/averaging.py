"""Correlation of mean scores with mean ratings, for simulated systems whose captions are drawn from the bundled rated captions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

SAMPLE_FILE = Path(__file__).parents[3] / "assets" / "agreement" / "sample_ja.json"
SYSTEM_COUNT, DRAW_COUNT, DRAW_SEED = 8, 400, 2016
SAMPLE_SIZES = (1, 5, 20, 100, 300)
_SYSTEM_BIAS = 0.35  # change of the log weight of a caption per fifth of the ratings, for the best system


@cache
def mean_correlation(caption_count: int, *, systems_differ: bool) -> float:
    """Return the Pearson correlation of the systems' mean ratings with their mean SPICE scores, averaged over ``DRAW_COUNT`` draws.

    Each draw contains ``caption_count`` captions per system. If ``systems_differ`` is True, systems prefer captions of different
    quality. Otherwise all systems draw from the same distribution.
    """
    ratings, scores = _read_sample()
    random = np.random.default_rng(DRAW_SEED)
    fifth_by_caption = np.argsort(np.argsort(ratings, kind="stable")) * 5 // len(ratings)
    levels = np.linspace(-1, 1, SYSTEM_COUNT) if systems_differ else np.zeros(SYSTEM_COUNT)
    means = np.empty((2, DRAW_COUNT, SYSTEM_COUNT))
    for level_index, level in enumerate(levels):
        weights = np.exp(_SYSTEM_BIAS * level * (fifth_by_caption - 2))
        sample = random.choice(len(ratings), (DRAW_COUNT, caption_count), p=weights / weights.sum())
        means[:, :, level_index] = ratings[sample].mean(axis=1), scores[sample].mean(axis=1)
    x, y = means - means.mean(axis=2, keepdims=True)
    with np.errstate(invalid="ignore"):
        values = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return float(np.nanmean(values))


def kendall_tau(first_ranking: list[int], second_ranking: list[int]) -> tuple[int, int, float]:
    """Return the numbers of pairs in the same and in the opposite order, and Kendall's τ, for two rankings of the same items."""
    rank_of = {item: i for i, item in enumerate(second_ranking)}
    ranks = [rank_of[item] for item in first_ranking]
    pairs = [ranks[i] < ranks[k] for i in range(len(ranks)) for k in range(i + 1, len(ranks))]
    same_count = sum(pairs)
    return same_count, len(pairs) - same_count, (2 * same_count - len(pairs)) / len(pairs) if pairs else 1.0


@cache
def _read_sample() -> tuple[np.ndarray, np.ndarray]:
    """Return the ratings, from 0 to 5, and the SPICE scores of the bundled rated captions."""
    stored_sample = json.loads(SAMPLE_FILE.read_text(encoding="utf-8"))
    return np.array([item["rating"] for item in stored_sample["items"]], float), np.array(stored_sample["scores"]["SPICE"], float)
