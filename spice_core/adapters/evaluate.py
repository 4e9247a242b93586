"""SPICE as a Hugging Face evaluate metric with ``add_batch`` and ``compute``, also for ``evaluate.combine``.

from spice_core.adapters.evaluate import SpiceScore

The module can be imported without evaluate, but the metric cannot be created. The metric loads nothing from the
Hugging Face Hub.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spice_core.coco import f1_scores
from spice_core.errors import not_installed_error
from spice_core.metrics.spice import Spice

if TYPE_CHECKING:
    Base = Any
else:
    try:
        from evaluate import Metric as Base
    except ImportError:
        Base = object


_OPEN_FILE_ATTRIBUTES = ("writer", "buf_writer", "data", "cache_file_name", "filelock", "rendez_vous_lock", "file_paths", "filelocks")


class SpiceScore(Base):  # type: ignore[misc]  # evaluate need not be installed
    """Metric that computes the mean F1 (``spice``) and the F1 of each candidate (``scores``).

    Each prediction is a caption, and its references are a list of captions.
    """

    def __init__(self, spice: Spice | None = None, **settings: Any):
        """``spice`` sets language, parser, rules and synonyms (default: English). evaluate's Metric receives the ``settings``.

        Raises MissingResourceError if evaluate is not installed.
        """
        if Base is object:
            raise not_installed_error("evaluate", "pip install evaluate")
        self.spice = spice or Spice()
        super().__init__(**settings)

    def __getstate__(self) -> dict[str, Any]:
        """Return the settings and the captions added so far, without the file in which evaluate stores them."""
        if self.num_process > 1:  # the file is shared with other processes
            return self.__dict__
        batch_columns = None
        if self.writer is not None:
            batch_columns = self.compute(added_only=True)
            self.add_batch(**batch_columns)
        methods = ("compute", "add_batch", "add")  # evaluate's bound copies of the methods
        state = {name: value for name, value in self.__dict__.items() if name not in methods}
        return state | dict.fromkeys(_OPEN_FILE_ATTRIBUTES) | {"selected_feature_format": None, "_added": batch_columns}

    def __setstate__(self, state: dict[str, Any]) -> None:
        batch_columns = state.pop("_added", None)
        self.__dict__.update(state)
        if batch_columns:
            self.add_batch(**batch_columns)

    def _info(self) -> Any:
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

    def _compute(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], *, added_only: bool = False, **settings: Any
    ) -> dict[str, object]:
        """Score the added captions. With ``settings`` of Spice, such as ``parser``, use a metric with these settings for this call."""
        if added_only:
            return {"predictions": predictions, "references": references}
        scores = f1_scores(Spice(**settings) if settings else self.spice, predictions, references)
        return {"spice": math.fsum(scores) / len(scores) if scores else math.nan, "scores": scores}
