"""Test the examples in the README of aac-metrics, run with our functions, and with our classes in its ``evaluate``."""

import json
import pickle
import sys

import pytest

from spice_core.adapters import aac_metrics as adapter
from spice_core.metrics.text.frequencies import load
from tests.conftest import DATA
from tests.release.conftest import import_library

pytestmark = pytest.mark.release
CANDIDATES = ["a man is speaking", "rain falls"]
REFERENCES = [
    ["a man speaks.", "someone speaks.", "a man is speaking while a bird is chirping in the background"],
    ["rain is falling hard on a surface"],
]
# Scores that the README of aac-metrics gives.
README_SCORES = {"cider_d": (0.9614, [1.3641, 0.5587])}
SCENES = json.loads((DATA / "audio_captions.json").read_text(encoding="utf-8"))["scenes"]


def test_the_evaluate_loop_accepts_our_functions(print_table):
    original_library = import_library("aac_metrics")
    corpus, sound_scores = original_library.evaluate(
        CANDIDATES, REFERENCES, preprocess=adapter.preprocess_mono_sents, metrics=[adapter.spider]
    )
    mean, single_scores = README_SCORES["cider_d"]
    print_table(
        "aac-metrics' README",
        {"cider_d": (mean, corpus["cider_d"].item()), "  second": (single_scores[1], sound_scores["cider_d"][1].item())},
    )
    assert corpus["cider_d"].item() == pytest.approx(mean, abs=1e-4)
    assert sound_scores["cider_d"].tolist() == pytest.approx(single_scores, abs=1e-4)
    assert list(corpus) == ["cider_d", "spice", "spider"]
    assert corpus["spider"].item() == pytest.approx((corpus["cider_d"].item() + corpus["spice"].item()) / 2)


def test_the_evaluate_class_accepts_our_classes_with_its_own():
    import_library("aac_metrics")
    from aac_metrics import Evaluate
    from aac_metrics.classes import CIDErD

    loop = Evaluate(preprocess=adapter.preprocess_mono_sents, metrics=[adapter.SPICE(), CIDErD()])
    corpus, _ = loop(CANDIDATES, REFERENCES)
    assert set(corpus) == {"spice", "cider_d"} and corpus["cider_d"].item() == pytest.approx(README_SCORES["cider_d"][0], abs=1e-4)
    # ``hash`` pickles the metrics of the loop.
    assert isinstance(hash(loop), int)


def test_our_classes_score_like_the_classes_of_the_library_with_our_spice(monkeypatch, print_table):
    import_library("aac_metrics")
    import aac_metrics.classes as theirs

    spice = lambda candidates, mult_references, **_: adapter.spice(candidates, mult_references)
    monkeypatch.setattr(sys.modules["aac_metrics.functional.spider"], "spice", spice)
    candidates = [scene["tokenised"][0] for scene in SCENES]
    references = [scene["tokenised"][1:] for scene in SCENES]
    candidate_lists = [scene["tokenised"][:2] for scene in SCENES]
    for own_metric, original_metric, arguments in (
        (adapter.SPIDEr(), theirs.SPIDEr(), candidates),
        (adapter.CIDErD(), theirs.CIDErD(), candidates),
        (adapter.SPIDErMax(return_all_cands_scores=True), theirs.SPIDErMax(return_all_cands_scores=True), candidate_lists),
    ):
        for metric in (own_metric, original_metric):
            metric.update(arguments[:15], references[:15])
        copy = pickle.loads(pickle.dumps(own_metric))
        for metric in (own_metric, original_metric, copy):
            metric.update(arguments[15:], references[15:])
        own_scores, expected_scores, copied_scores = own_metric.compute(), original_metric.compute(), copy.compute()
        print_table(
            f"{type(own_metric).__name__}, 40 sounds",
            {name: (expected_scores[0][name].item(), own_scores[0][name].item()) for name in expected_scores[0]},
        )
        for own_value, expected_value, copied_value in zip(own_scores, expected_scores, copied_scores):
            assert list(own_value) == list(expected_value)
            for name, values in expected_value.items():
                assert own_value[name].shape == values.shape
                assert own_value[name].flatten().tolist() == pytest.approx(values.flatten().tolist(), abs=1e-6)
                assert copied_value[name].flatten().tolist() == pytest.approx(own_value[name].flatten().tolist())


def test_a_single_sound_is_scored_although_the_library_refuses_it(print_table):
    import_library("aac_metrics")
    from aac_metrics.functional import cider_d

    with pytest.raises(ValueError, match="does not support less than 2 candidates"):
        cider_d(CANDIDATES[1:], REFERENCES[1:])
    single_scores = adapter.cider_d(CANDIDATES[1:], REFERENCES[1:], False, frequencies=load("coco-val2017")).item()
    pair_scores = adapter.cider_d(CANDIDATES, REFERENCES, frequencies=load("coco-val2017"))[1]["cider_d"][1].item()
    # The score does not depend on the other items.
    assert 0 < single_scores == pair_scores
