"""SPIDEr and its parts equal those of aac-metrics: stored scores of 200 audio captions, and the library itself if installed."""

import json
import pickle
import sys
from statistics import correlation, fmean

import numpy as np
import pytest

from spice_core import Spice
from spice_core.adapters import aac_metrics as adapter
from spice_core.errors import InputError, MissingResourceError
from spice_core.metrics.text.frequencies import DocumentFrequencies
from tests.conftest import DATA

STORED_SCORES = json.loads((DATA / "audio_captions.json").read_text(encoding="utf-8"))
SCENES = STORED_SCORES["scenes"]


def items_of(field: str) -> tuple[list[str], list[list[str]]]:
    """Return each caption of a scene with the other four as its references."""
    candidates = [c for scene in SCENES for c in scene[field]]
    return candidates, [[r for r in scene[field] if r != c] for scene in SCENES for c in scene[field]]


def stored_scores(field: str) -> list[float]:
    return [score for scene in SCENES for score in scene[field]]


def to_lists(scores: dict) -> dict:
    return {name: values.tolist() for name, values in scores.items()}


def test_tokens_match_the_java_tokenizer():
    candidates, references = items_of("captions")
    assert len(candidates) == 200
    assert (adapter.preprocess_mono_sents(candidates), adapter.preprocess_mult_sents(references)) == items_of("tokenised")


@pytest.mark.parametrize(("captions", "scores"), [("tokenised", "cider_d"), ("captions", "cider_d_untokenised")])
def test_cider_d_of_200_audio_captions(captions, scores):
    corpus, each = adapter.cider_d(*items_of(captions))
    assert to_lists(each) == {"cider_d": pytest.approx(stored_scores(scores), abs=1e-9)}
    assert corpus["cider_d"].item() == pytest.approx(fmean(stored_scores(scores)), abs=1e-9)


def test_spider_from_the_spice_scores_of_the_jar(monkeypatch):
    monkeypatch.setattr(adapter, "_spice_scores", lambda *_: stored_scores("spice"))
    corpus, each = adapter.spider(*items_of("tokenised"))
    assert to_lists(each) == {name: pytest.approx(stored_scores(name), abs=1e-6) for name in ("cider_d", "spice", "spider")}
    assert to_lists(corpus) == pytest.approx(STORED_SCORES["corpus"], abs=1e-6)


@pytest.mark.parser
def test_spider_of_200_audio_captions():
    """With our parser instead of CoreNLP, CIDEr-D is equal, and SPICE and SPIDEr are similar."""
    corpus, each = adapter.spider(*items_of("tokenised"))
    found = to_lists(each)
    assert found["spider"] == pytest.approx([(c + s) / 2 for c, s in zip(stored_scores("cider_d"), found["spice"])], abs=1e-6)
    assert corpus["spider"].item() == pytest.approx(STORED_SCORES["corpus"]["spider"], abs=0.01)
    assert correlation(found["spider"], stored_scores("spider")) > 0.98


@pytest.mark.parser
def test_spice_accepts_metric_settings_and_ignores_java_settings():
    candidates, references = ["a puppy barks"], [["a dog barks", "a puppy"]]
    corpus, each = adapter.spice(candidates, references, java_path="/nowhere", java_max_memory="8G", timeout=1)
    alone = adapter.spice(candidates, [np.array(references[0])], False)
    assert alone.item() == corpus["spice"].item() == pytest.approx(fmean(each["spice"].tolist())) and alone.item() > 0
    assert adapter.spice(["an infant cries"], [["a baby cries"]], False, metric=Spice()).item() == 1
    assert adapter.spice(["an infant cries"], [["a baby cries"]], False, metric=Spice(synonyms="none")).item() < 1
    with pytest.raises(TypeError, match="unexpected keyword arguments: java_home"):
        adapter.spice(candidates, references, java_home="/nowhere")


def test_settings_of_cider_d(monkeypatch):
    candidates, references = items_of("tokenised")
    tens, ones = (adapter.cider_d(candidates, references, False, **scale).item() for scale in ({}, {"scale": 1.0}))
    assert tens == pytest.approx(10 * ones)
    others = {"n": 2}, {"sigma": 1.0}, {"tokenizer": list}
    twos, narrow, letters = (adapter.cider_d(candidates, references, False, **settings).item() for settings in others)
    assert narrow < tens < min(twos, letters)
    lists, arrays = (["a dog"], [["a dog", "b"]]), (np.array(["a dog"]), [np.array(["a dog", "b"])])
    assert to_lists(adapter.cider_d(*arrays, n=np.int64(2))[1]) == to_lists(adapter.cider_d(*lists, n=2)[1])
    monkeypatch.setattr(adapter, "find_spec", lambda name: None)  # without torch
    corpus, each = adapter.cider_d(["a dog", "rain"], [["a dog"], ["wind"]])
    assert isinstance(each["cider_d"], np.ndarray) and each["cider_d"].dtype == corpus["cider_d"].dtype == np.float64


@pytest.mark.parser
def test_spider_max_selects_the_best_candidate_of_each_sound():
    several, references = [scene["tokenised"][:3] for scene in SCENES], [scene["tokenised"][3:] for scene in SCENES]
    runs = [to_lists(adapter.spider(list(candidates), references)[1]) for candidates in zip(*several)]
    corpus, each = adapter.spider_max(several, references, return_all_cands_scores=True)
    found = to_lists(each)
    assert found["spider_max"] == [max(scores) for scores in zip(*(run["spider"] for run in runs))]
    assert found["spider_max"] == pytest.approx([(c + s) / 2 for c, s in zip(found["cider_d_max"], found["spice_max"])])
    assert found["spider_all"] == [list(scores) for scores in zip(*(run["spider"] for run in runs))]
    best = adapter.spider_max(several, references, False).item()
    assert best == pytest.approx(corpus["spider_max"].item()) and best > fmean(runs[0]["spider"])
    for candidates in ([], [[]], [["a dog"], ["a cat", "a dog"]]):
        with pytest.raises(
            InputError, match="mult_candidates: found .*, expected the same number of candidates for each item, at least one"
        ):
            adapter.spider_max(candidates, references[: len(candidates)])


@pytest.mark.parser
def test_classes_accumulate_and_stored_frequencies_score_one_sound():
    candidates, references = items_of("tokenised")
    metric = adapter.SPIDEr()
    for start in range(0, 200, 50):
        metric.update(candidates[start : start + 50], references[start : start + 50])
    copied = pickle.loads(pickle.dumps(metric))
    assert to_lists(copied.compute()[1]) == to_lists(metric.compute()[1]) == to_lists(adapter.spider(candidates, references)[1])
    metric.reset()
    frequencies = DocumentFrequencies.count([[word.split() for word in each] for each in references])
    one = adapter.CIDErD(False, frequencies=frequencies)
    everything = adapter.cider_d(candidates, references)[1]["cider_d"].tolist()
    assert [one(candidates[i : i + 1], references[i : i + 1]).item() for i in range(10)] == pytest.approx(everything[:10], abs=1e-9)
    assert adapter.SPICE(False)(["a dog"], [["a dog"]]).item() == 1


@pytest.mark.parser
def test_a_fluency_error_costs_nine_tenths_of_the_score():
    candidates, references = ["a dog barks and a", "rain falls"], [["a dog barks", "a dog"], ["rain falls on a roof"]]
    corpus, each = (to_lists(scores) for scores in adapter.spider_fl_rules(candidates, references))
    assert each["fluency_faults"] == [1, 0] and corpus["fluency_faults"] == 0.5
    assert each["spider_fl_rules"] == pytest.approx([each["spider"][0] / 10, each["spider"][1]])
    (half,) = adapter.spider_fl_rules(candidates[:1], references[:1], penalty=0.5)[1]["spider_fl_rules"].tolist()
    assert half == pytest.approx(to_lists(adapter.spider(candidates[:1], references[:1])[1])["spider"][0] / 2)
    assert adapter.fluency(["a dog barks and a"]) == [[("unfinished", "a")]]
    with pytest.raises(MissingResourceError, match="no SPIDEr with fluency rules for Japanese: the pack names no fluency rules"):
        adapter.fluency(["犬が吠える"], "ja")


@pytest.mark.parametrize(("candidates", "references", "error"), [
    ([], [], "candidates: found .*, expected a list of at least one caption"),
    ("a dog", [["a dog"]], "candidates: found 'a dog', expected a list of at least one caption"),
    (["a dog"], [], "mult_references: found 0 lists, expected 1 lists of references, one for each candidate"),
    (["a dog"], ["a dog"], r"mult_references\[0\]: found 'a dog', expected a list of at least one caption"),
    (["a dog"], [[]], r"mult_references\[0\]: found \[\], expected a list of at least one caption"),
    (["a dog"], [None], r"mult_references\[0\]: found None, expected a list of at least one caption"),
    (["a dog"], [np.array([])], r"mult_references\[0\]: found .*, expected a list of at least one caption"),
    ([["a", "dog"]], [["a dog"]], r"candidates\[0\]: found \['a', 'dog'\], expected a caption"),
])  # fmt: skip
def test_invalid_lists_are_refused(candidates, references, error):
    for function in (adapter.spice, adapter.cider_d, adapter.spider, adapter.spider_fl_rules):
        with pytest.raises(InputError, match=error):
            function(candidates, references)


def test_the_output_has_the_layout_of_the_library(monkeypatch):
    """Names, types and scores equal those of aac-metrics itself, which calls our SPICE instead of its jar."""
    torch = pytest.importorskip("torch", reason="torch is not installed: SPIDEr was NOT compared with aac-metrics itself")
    theirs = pytest.importorskip("aac_metrics.functional", reason="aac-metrics is not installed: SPIDEr was NOT compared with it")
    candidates, references = items_of("tokenised")
    ours_for_theirs = lambda candidates, mult_references, **_: adapter.spice(candidates, mult_references)
    monkeypatch.setattr(sys.modules["aac_metrics.functional.spider"], "spice", ours_for_theirs)
    for ours, original in zip(adapter.spider(candidates, references), theirs.spider(candidates, references)):
        assert list(ours) == list(original) == ["cider_d", "spice", "spider"]
        for name, values in original.items():
            assert ours[name].dtype == values.dtype and ours[name].shape == values.shape
            assert torch.allclose(ours[name], values, atol=1e-6, rtol=0)
    assert torch.allclose(adapter.cider_d(candidates, references, False), theirs.cider_d(candidates, references, False), atol=1e-6)
    for settings in ({"n": 2}, {"sigma": 2.0}, {"scale": 1.0}, {"tokenizer": list}):
        ours, original = (f(candidates, references, False, **settings) for f in (adapter.cider_d, theirs.cider_d))
        assert torch.allclose(ours, original, atol=1e-6, rtol=0), settings


def test_settings_that_divide_by_zero():
    at_least, above = "expected at least one", "expected a number above 0"
    for name, value, wanted in (("n", 0, at_least), ("n", 1.5, at_least), ("sigma", 0, above), ("sigma", float("nan"), above)):
        for function in (adapter.cider_d, adapter.spider, adapter.spider_fl_rules):
            with pytest.raises(InputError, match=f"{name}: found {value}, {wanted}"):
                function(["a dog"], [["a dog", "a cat"]], **{name: value})
