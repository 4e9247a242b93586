"""SPICE as a metric of torchmetrics, inside the library where it is installed."""

from __future__ import annotations

import pickle

import pytest

from spice_core.adapters import torchmetrics as adapter
from spice_core.errors import InputError, MissingResourceError

DOG = [["dog"], ["dog", "brown"]]
CAT = [["cat"]]
ABSENT = "torchmetrics is not installed: SPICE was NOT tried inside it"


def test_without_the_library(monkeypatch):
    monkeypatch.setattr(adapter, "Base", object)
    with pytest.raises(MissingResourceError, match="torchmetrics is not installed; install it with: pip install torchmetrics"):
        adapter.SpiceScore()


def test_batches():
    pytest.importorskip("torchmetrics", reason=ABSENT)
    metric = adapter.SpiceScore()
    assert metric([DOG], [[DOG]]).item() == 1
    metric.update([CAT], [[DOG]])
    assert metric.compute().item() == pickle.loads(pickle.dumps(metric)).compute().item() == 0.5
    metric.reset()
    metric.update([CAT], [[DOG]])
    assert metric.compute().item() == 0
    with pytest.raises(InputError, match="expected the same image ids as gts"):
        metric.update([DOG, DOG], [[DOG]])


@pytest.mark.parser
def test_in_a_collection():
    library = pytest.importorskip("torchmetrics", reason=ABSENT)
    collection = library.MetricCollection({"spice": adapter.SpiceScore(), "again": adapter.SpiceScore()}).clone(prefix="val_")
    collection.update(["a dog on a sofa", "a cat"], [["a brown dog lies on a couch"], ["a cat"]])
    assert {name: value.item() for name, value in collection.compute().items()} == {"val_spice": 0.75, "val_again": 0.75}
