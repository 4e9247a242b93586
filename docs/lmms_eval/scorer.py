"""SPICE as a metric of tasks of lmms-eval, without Java. Copy this folder and change ``caption_spice.yaml`` for other data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from spice_core.evaluation.rewards import Rewards


def image_of(doc: Mapping[str, Any]) -> list[Any]:
    """Return the image of a sample."""
    return [doc["image"].convert("RGB")]


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, tuple[str, list[str]]]:
    """Return the answer to a sample, with its references, under the metric's name."""
    return {"SPICE": (results[0], list(doc["answer"]))}


def mean_spice(samples: Sequence[tuple[str, list[str]]]) -> float:
    """Return the mean F1 of the samples. An empty answer scores 0."""
    return fmean(Rewards().scores_against([references for _, references in samples], [answer for answer, _ in samples]))
