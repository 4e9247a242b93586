"""Test the checks and wrappers of torchmetrics and evaluate, applied to our metrics."""

import pytest

from spice_core import Spice
from spice_core.adapters import evaluate, torchmetrics
from tests.release.conftest import import_library

pytestmark = pytest.mark.release
PREDICTIONS = ["a dog on a sofa", "a cat", "an infant cries"]
REFERENCES = [["a brown dog lies on a couch"], ["a cat", "a dog"], ["a baby cries"]]


def test_torchmetrics_recommends_the_state_that_the_metric_declares(capsys):
    """The check of torchmetrics compares and times updates with full state and with partial state."""
    import_library("torchmetrics")
    from torchmetrics.utilities.checks import check_forward_full_state_property

    batch = {"preds": PREDICTIONS, "target": REFERENCES}
    check_forward_full_state_property(torchmetrics.SpiceScore, {}, batch, num_update_to_compare=[2, 5], reps=2)
    assert "Recommended setting `full_state_update=" in capsys.readouterr().out
    assert torchmetrics.SpiceScore.full_state_update is False


def test_torchmetrics_bootstraps_the_scores_of_candidates(print_table):
    """BootStrapper resamples only tensors, so it receives scores instead of captions."""
    import_library("torchmetrics")
    from torchmetrics import MeanMetric
    from torchmetrics.wrappers import BootStrapper

    metric = torchmetrics.SpiceScore()
    metric.update(PREDICTIONS, REFERENCES)
    replicas = BootStrapper(MeanMetric(), num_bootstraps=200, sampling_strategy="multinomial")
    replicas.update(metric.scores(PREDICTIONS, REFERENCES))
    bootstrapped = replicas.compute()
    print_table("BootStrapper, 3 captions", {"mean of replicas, of captions": (bootstrapped["mean"].item(), metric.compute().item())})
    assert bootstrapped["mean"].item() == pytest.approx(metric.compute().item(), abs=0.1) and bootstrapped["std"] > 0


def test_the_metric_runs_in_a_collection_a_tracker_and_a_plot():
    import_library("torchmetrics")
    import_library("matplotlib").use("agg")
    from torchmetrics import MetricCollection
    from torchmetrics.wrappers import MetricTracker

    settings = {"original": Spice(parser="spice-2016"), "exact words": Spice(synonyms="none")}
    tracker = MetricTracker(MetricCollection({name: torchmetrics.SpiceScore(spice) for name, spice in settings.items()}))
    for part in (slice(0, 1), slice(0, 3)):
        tracker.increment()
        tracker.update(PREDICTIONS[part], REFERENCES[part])
    best_value, steps = tracker.best_metric(return_step=True)
    assert steps == {"original": 1, "exact words": 1} and best_value["original"] > best_value["exact words"]
    assert len(tracker[-1].plot()) == 2  # a figure for each metric


def test_evaluate_checks_features_and_takes_settings_by_keyword(tmp_path):
    import_library("evaluate")
    metric = evaluate.SpiceScore(cache_dir=str(tmp_path))
    infant = {"predictions": PREDICTIONS[2:], "references": REFERENCES[2:]}
    scored = [metric.compute(**infant, **settings)["spice"] for settings in ({}, {"synonyms": "none"}, {"parser": "spice-2016"}, {})]
    assert scored[0] == scored[3] == 1 > scored[1]
    with pytest.raises(TypeError, match="unexpected keyword argument 'parzer'"):
        metric.compute(**infant, parzer="spice-2016")
    with pytest.raises(ValueError, match="Predictions and/or references don't match the expected format"):
        metric.compute(predictions=[1.5], references=[2])
    assert metric.features["references"].feature.dtype == "string" and "tuples of scene graphs" in metric.description
