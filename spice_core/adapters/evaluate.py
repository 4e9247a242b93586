"""SPICE as a metric of Hugging Face evaluate: ``add_batch`` and ``compute``, also in ``evaluate.combine``.

from spice_core.adapters.evaluate import SpiceScore

The module can be imported without evaluate; the metric cannot be made. Nothing is loaded from a hub.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spice_core.coco import scores
from spice_core.errors import not_installed
from spice_core.metrics.spice import Spice

if TYPE_CHECKING:
    Base = Any
else:
    try:
        from evaluate import Metric as Base
    except ImportError:
        Base = object


class SpiceScore(Base):  # type: ignore[misc]  # the libraries need not be installed
    """The mean F1 as ``spice``, the F1 of each candidate as ``scores``; predictions are captions, references lists of captions."""

    def __init__(self, spice: Spice | None = None, **settings: Any):
        """``spice`` sets language, parser, rules and synonyms (default: English); ``settings`` are those of evaluate's Metric.

        Raises MissingResourceError if evaluate is not installed.
        """
        if Base is object:
            raise not_installed("evaluate", "pip install evaluate")
        self.spice = spice or Spice()
        super().__init__(**settings)

    def _info(self) -> Any:
        """Description and features, as evaluate asks for them."""
        import datasets
        import evaluate

        text = datasets.Value("string")
        references = datasets.Sequence(text)
        return evaluate.MetricInfo(
            module_name="spice",
            description="SPICE: F1 of the tuples of scene graphs (Anderson et al., ECCV 2016).",
            citation="",
            inputs_description="predictions: captions; references: a list of captions for each prediction",
            features=datasets.Features({"predictions": text, "references": references}),
        )

    def _compute(self, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, object]:
        each = scores(self.spice, predictions, references)
        return {"spice": math.fsum(each) / len(each) if each else math.nan, "scores": each}
