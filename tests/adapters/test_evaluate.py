"""SPICE as a metric of Hugging Face evaluate, inside the library where it is installed."""

from __future__ import annotations

import pytest

from spice_core.adapters import evaluate as adapter
from spice_core.errors import MissingResourceError

ABSENT = "evaluate is not installed: SPICE was NOT tried inside it"


def test_without_the_library(monkeypatch):
    monkeypatch.setattr(adapter, "Base", object)
    with pytest.raises(MissingResourceError, match="evaluate is not installed; install it with: pip install evaluate"):
        adapter.SpiceScore()


@pytest.mark.parser
def test_batches_and_a_combination(monkeypatch, tmp_path):
    library = pytest.importorskip("evaluate", reason=ABSENT)
    metric = adapter.SpiceScore(cache_dir=str(tmp_path))
    assert metric.compute(predictions=["a dog on a sofa"], references=[["a brown dog lies on a couch"]]) == {"spice": 0.5, "scores": [0.5]}
    metric.add_batch(predictions=["a dog", "a bus"], references=[["a dog", "a cat"], ["a train"]])
    metric.add(prediction="a cat", reference=["a cat"])
    found = metric.compute()
    assert found["spice"] == pytest.approx((2 / 3 + 0 + 1) / 3) and len(found["scores"]) == 3
    both = library.combine({"spice": metric, "again": adapter.SpiceScore(cache_dir=str(tmp_path / "2"))})
    assert both.compute(predictions=["a dog"], references=[["a dog"]])["spice_spice"] == 1
