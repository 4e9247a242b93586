"""Test SPICE as a metric of torchmetrics and of Hugging Face evaluate, run by these libraries if they are installed."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from spice_core.adapters import evaluate, torchmetrics
from spice_core.errors import InputError, MissingResourceError

DOG_TUPLES = [["dog"], ["dog", "brown"]]
CAT_TUPLES = [["cat"]]


def import_or_skip(name: str):
    return pytest.importorskip(name, reason=f"{name} is not installed: SPICE was NOT tried inside it")


@pytest.mark.parametrize("adapter", [evaluate, torchmetrics])
def test_a_missing_library_is_reported(monkeypatch, adapter):
    name = adapter.__name__.rpartition(".")[2]
    monkeypatch.setattr(adapter, "Base", object)
    with pytest.raises(MissingResourceError, match=f"{name} is not installed; install it with: pip install {name}"):
        adapter.SpiceScore()


def test_torchmetrics_scores_and_resets_batches():
    import_or_skip("torchmetrics")
    metric = torchmetrics.SpiceScore()
    assert metric([DOG_TUPLES], [[DOG_TUPLES]]).item() == 1
    metric.update([CAT_TUPLES], [[DOG_TUPLES]])
    assert metric.compute().item() == pickle.loads(pickle.dumps(metric)).compute().item() == 0.5
    metric.reset()
    metric.update([CAT_TUPLES], [[DOG_TUPLES]])
    assert metric.compute().item() == 0
    with pytest.raises(InputError, match="expected the same image ids as gts"):
        metric.update([DOG_TUPLES, DOG_TUPLES], [[DOG_TUPLES]])


def test_a_torchmetrics_collection_includes_spice():
    library = import_or_skip("torchmetrics")
    collection = library.MetricCollection({"spice": torchmetrics.SpiceScore(), "again": torchmetrics.SpiceScore()}).clone(prefix="val_")
    collection.update(["a dog on a sofa", "a cat"], [["a brown dog lies on a couch"], ["a cat"]])
    assert {name: value.item() for name, value in collection.compute().items()} == {"val_spice": 0.75, "val_again": 0.75}


def test_copies_are_independent_inside_torchmetrics():
    library = import_or_skip("torchmetrics")
    dogs, cats = (["a dog on a sofa"], [["a brown dog lies on a couch"]]), (["a cat"], [["a cat"]])
    metric = torchmetrics.SpiceScore()
    for _ in ("before", "after"):
        for copy_metric in (torchmetrics.SpiceScore.clone, copy.deepcopy, lambda original: pickle.loads(pickle.dumps(original))):
            metric_copy = copy_metric(metric)
            metric_copy.update(*dogs)
            assert metric_copy.compute() == 0.5
        metric(*dogs)
        metric.reset()
    metric.update(*dogs)
    for copy_metric in (torchmetrics.SpiceScore.clone, copy.deepcopy, lambda original: pickle.loads(pickle.dumps(original))):
        metric_copy = copy_metric(metric)
        metric_copy.update(*cats)
        assert metric_copy.compute() == 0.75 and metric.compute() == 0.5
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(torchmetrics.SpiceScore.compute, metric).result() == 0.5
    tracker = library.wrappers.MetricTracker(library.MetricCollection({"spice": torchmetrics.SpiceScore()}))
    for batch in (dogs, cats):
        tracker.increment()
        tracker.update(*batch)
    assert tracker.compute_all()["spice"].tolist() == pickle.loads(pickle.dumps(tracker)).compute_all()["spice"].tolist() == [0.5, 1]
    replicas = library.wrappers.BootStrapper(metric, num_bootstraps=3).metrics
    assert [original.compute() for original in replicas] == [0.5] * 3


def test_torchmetrics_plots_the_values():
    import_or_skip("torchmetrics")
    import_or_skip("matplotlib").use("agg")
    metric = torchmetrics.SpiceScore()
    steps = [metric([DOG_TUPLES], [[DOG_TUPLES]]), metric([CAT_TUPLES], [[DOG_TUPLES]])]
    (_, single_plot), (_, step_plot) = metric.plot(), metric.plot(steps)
    assert single_plot.lines[0].get_ydata() == [0.5] and list(step_plot.lines[0].get_ydata()) == [1, 0]


@pytest.mark.parametrize("settings", [{}, {"keep_in_memory": True}], ids=["file", "memory"])
def test_copies_are_independent_inside_evaluate(tmp_path, settings):
    import_or_skip("evaluate")
    dogs = {"predictions": ["a dog on a sofa"], "references": [["a brown dog lies on a couch"]]}
    metric = evaluate.SpiceScore(cache_dir=str(tmp_path), **settings)
    for _ in ("before", "after"):
        for copy_metric in (copy.deepcopy, lambda original: pickle.loads(pickle.dumps(original)), copy.copy):
            assert copy_metric(metric).compute(**dogs)["scores"] == [0.5]
        metric.compute(**dogs)
    # The metric is copied after the first of two batches.
    metric.add_batch(**dogs)
    for copy_metric in (copy.deepcopy, lambda original: pickle.loads(pickle.dumps(original))):
        metric_copy = copy_metric(metric)
        metric_copy.add(prediction="a cat", reference=["a cat"])
        assert metric_copy.compute()["scores"] == [0.5, 1]
    assert metric.compute()["scores"] == [0.5]


def test_evaluate_scores_batches_and_combined_metrics(tmp_path):
    library = import_or_skip("evaluate")
    metric = evaluate.SpiceScore(cache_dir=str(tmp_path))
    assert metric.compute(predictions=["a dog on a sofa"], references=[["a brown dog lies on a couch"]]) == {"spice": 0.5, "scores": [0.5]}
    metric.add_batch(predictions=["a dog", "a bus"], references=[["a dog", "a cat"], ["a train"]])
    metric.add(prediction="a cat", reference=["a cat"])
    scores = metric.compute()
    assert scores["spice"] == pytest.approx((2 / 3 + 0 + 1) / 3) and len(scores["scores"]) == 3
    combined = library.combine({"spice": metric, "again": evaluate.SpiceScore(cache_dir=str(tmp_path / "2"))})
    assert combined.compute(predictions=["a dog"], references=[["a dog"]])["spice_spice"] == 1
