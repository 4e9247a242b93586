"""SPICE as a torchmetrics metric, for ``MetricCollection``, Lightning logging and distributed evaluation.

from spice_core.adapters.torchmetrics import SpiceScore

The module can be imported without torchmetrics, but the metric cannot be created.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spice_core.coco import f1_scores
from spice_core.errors import not_installed_error
from spice_core.metrics.spice import CaptionLike, Spice

if TYPE_CHECKING:
    Base = Any
else:
    try:
        from torchmetrics import Metric as Base
    except ImportError:
        Base = object


class SpiceScore(Base):  # type: ignore[misc]  # torchmetrics need not be installed
    """Metric of the mean F1 over all batches, as a tensor with one 64-bit float (nan before the first batch)."""

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    plot_lower_bound, plot_upper_bound = 0.0, 1.0

    def __init__(self, spice: Spice | None = None, **settings: Any):
        """``spice`` sets language, parser, rules and synonyms (default: English). torchmetrics' Metric receives the ``settings``.

        Raises MissingResourceError if torchmetrics is not installed.
        """
        if Base is object:
            raise not_installed_error("torchmetrics", "pip install torchmetrics")
        import torch

        super().__init__(**settings)
        self.spice = spice or Spice()
        self.add_state("total", default=torch.tensor(0.0, dtype=torch.float64), dist_reduce_fx="sum")
        self.add_state("count", default=torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: Sequence[CaptionLike], target: Sequence[Sequence[CaptionLike]]) -> None:
        """Add candidates, each with its list of references.

        Raises InputError if the numbers of candidates and lists differ, or if a list is empty.
        """
        self.total += sum(f1_scores(self.spice, preds, target))
        self.count += len(preds)

    def scores(self, preds: Sequence[CaptionLike], target: Sequence[Sequence[CaptionLike]]) -> Any:
        """Return the F1 of each candidate as a tensor, without adding the candidates to the metric's state.

        A ``BootStrapper`` around ``MeanMetric`` accepts this tensor. Raises InputError as ``update`` does.
        """
        import torch

        return torch.tensor(f1_scores(self.spice, preds, target), dtype=torch.float64)

    def compute(self) -> Any:
        """Return the mean F1."""
        return self.total / self.count

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot the mean F1, or the values of several steps, with matplotlib. Return the figure and the axes."""
        return self._plot(val, ax)
