"""Adapters for pycocoevalcap, torchmetrics and Hugging Face evaluate, which need not be installed.

import pycocoevalcap.eval
from spice_core.coco import Spice

pycocoevalcap.eval.Spice = Spice  # COCOEvalCap(…).evaluate() now scores without Java's SPICE
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from spice_core.lang import language
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.spice import CaptionLike
from spice_core.metrics.spice import Spice as _Spice


class Spice(_Spice):
    """A drop-in replacement for pycocoevalcap's ``Spice``.

    By default it uses the parser and rules of the original SPICE if the language has them.
    """

    def __init__(self, lang: str | SpiceConfig = "en", **settings: Any):
        """Create the metric with the settings of ``spice_core.Spice``.

        The default parser of English is ``spice-2016``, which imitates the original SPICE.
        """
        if isinstance(lang, str) and not any(settings.get(part) for part in ("parser", "rules")):
            settings["parser"] = language(lang).original
        super().__init__(lang, **settings)

    def compute_score(
        self, gts: Mapping[Any, Sequence[CaptionLike]], res: Mapping[Any, Sequence[CaptionLike]]
    ) -> tuple[float, list[dict[str, dict[str, float]]]]:
        """Score the candidates ``res`` against the references ``gts``, both by image id.

        Returns the mean F1, and the scores of each image by category, in the order of ``gts``. Undefined scores are nan. Raises
        InputError if the ids differ, or if an image does not have exactly one candidate and at least one reference.
        """
        mean, images = super().compute_score(gts, res)
        return mean, [
            {name: {k: math.nan if v is None else float(v) for k, v in s.items()} for name, s in image.items()} for image in images
        ]


class SpiceMetric:
    """A metric with the methods of torchmetrics: ``update`` adds a batch, ``compute`` returns the mean F1, ``reset`` removes all batches."""

    def __init__(self, **settings: Any):
        """Create the metric with the settings of ``Spice``."""
        self._spice = _Spice(**settings)
        self.reset()

    def update(self, preds: Sequence[CaptionLike], target: Sequence[Sequence[CaptionLike]]) -> None:
        """Add candidates and their references. Raises InputError if their numbers differ or a candidate has no list of references."""
        self._scores += f1_scores(self._spice, preds, target)

    def compute(self) -> float:
        """Return the mean F1, or nan if there are no candidates."""
        return math.fsum(self._scores) / len(self._scores) if self._scores else math.nan

    def reset(self) -> None:
        """Remove all batches."""
        self._scores: list[float] = []


def compute(predictions: Sequence[CaptionLike], references: Sequence[Sequence[CaptionLike]], **settings: Any) -> dict[str, object]:
    """Score captions through the interface of Hugging Face evaluate.

    Args:
        predictions: One caption for each image.
        references: A list of references for each prediction.
        settings: The settings of ``Spice``.

    Returns:
        The mean F1 as ``spice`` and the F1 of each image as ``scores``.

    Raises:
        InputError: The numbers differ or a prediction has no list of references.

    >>> compute(["a dog on a sofa"], [["a brown dog lies on a couch"]])
    {'spice': 0.5, 'scores': [0.5]}
    """
    scores = f1_scores(_Spice(**settings), predictions, references)
    return {"spice": math.fsum(scores) / len(scores) if scores else math.nan, "scores": scores}


def f1_scores(spice: _Spice, candidates: Sequence[CaptionLike], references: Sequence[Sequence[CaptionLike]]) -> list[float]:
    """Return the F1 of each candidate. Raises InputError if the numbers differ or a candidate has no list of references."""
    gts: dict[object, Sequence[CaptionLike]] = dict(enumerate(references))
    res: dict[object, Sequence[CaptionLike]] = {i: [candidate] for i, candidate in enumerate(candidates)}
    return [image["All"]["f"] for image in spice.compute_score(gts, res)[1]]
