"""SPIDEr and its components match aac-metrics: its stored scores of 200 audio captions, and the library itself if it is installed."""

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


def captions_and_references(field: str) -> tuple[list[str], list[list[str]]]:
    """Return all captions, and for each caption the other four of its scene as references."""
    candidates = [c for scene in SCENES for c in scene[field]]
    return candidates, [[r for r in scene[field] if r != c] for scene in SCENES for c in scene[field]]


def stored_scores(field: str) -> list[float]:
    return [score for scene in SCENES for score in scene[field]]


def to_lists(scores_by_name: dict) -> dict:
    return {name: values.tolist() for name, values in scores_by_name.items()}


def test_tokens_match_the_java_tokenizer():
    candidates, references = captions_and_references("captions")
    assert len(candidates) == 200
    assert (adapter.preprocess_mono_sents(candidates), adapter.preprocess_mult_sents(references)) == captions_and_references("tokenised")


@pytest.mark.parametrize(("captions", "expected_scores"), [("tokenised", "cider_d"), ("captions", "cider_d_untokenised")])
def test_cider_d_of_200_audio_captions_equals_the_stored_scores(captions, expected_scores):
    corpus, sound_scores = adapter.cider_d(*captions_and_references(captions))
    assert to_lists(sound_scores) == {"cider_d": pytest.approx(stored_scores(expected_scores), abs=1e-9)}
    assert corpus["cider_d"].item() == pytest.approx(fmean(stored_scores(expected_scores)), abs=1e-9)


def test_spider_combines_cider_d_with_the_spice_scores_of_the_jar(monkeypatch):
    monkeypatch.setattr(adapter, "_spice_scores", lambda *_: stored_scores("spice"))
    corpus, sound_scores = adapter.spider(*captions_and_references("tokenised"))
    assert to_lists(sound_scores) == {name: pytest.approx(stored_scores(name), abs=1e-6) for name in ("cider_d", "spice", "spider")}
    assert to_lists(corpus) == pytest.approx(STORED_SCORES["corpus"], abs=1e-6)


def test_spider_of_200_audio_captions_is_close_to_the_stored_scores():
    """With our parser instead of CoreNLP's, CIDEr-D is equal and SPIDEr similar."""
    corpus, sound_scores = adapter.spider(*captions_and_references("tokenised"))
    score_lists = to_lists(sound_scores)
    assert score_lists["spider"] == pytest.approx([(c + s) / 2 for c, s in zip(stored_scores("cider_d"), score_lists["spice"])], abs=1e-6)
    assert corpus["spider"].item() == pytest.approx(STORED_SCORES["corpus"]["spider"], abs=0.01)
    assert correlation(score_lists["spider"], stored_scores("spider")) > 0.98


def test_spice_accepts_metric_settings_and_ignores_java_settings():
    candidates, references = ["a puppy barks"], [["a dog barks", "a puppy"]]
    corpus, sound_scores = adapter.spice(candidates, references, java_path="/nowhere", java_max_memory="8G", timeout=1)
    single_scores = adapter.spice(candidates, [np.array(references[0])], False)
    assert single_scores.item() == corpus["spice"].item() == pytest.approx(fmean(sound_scores["spice"].tolist()))
    assert single_scores.item() > 0
    assert adapter.spice(["an infant cries"], [["a baby cries"]], False, metric=Spice()).item() == 1
    assert adapter.spice(["an infant cries"], [["a baby cries"]], False, metric=Spice(synonyms="none")).item() < 1
    with pytest.raises(TypeError, match="unexpected keyword arguments: java_home"):
        adapter.spice(candidates, references, java_home="/nowhere")


def test_settings_of_cider_d_change_the_score(monkeypatch):
    candidates, references = captions_and_references("tokenised")
    tens, unscaled = (adapter.cider_d(candidates, references, False, **scale).item() for scale in ({}, {"scale": 1.0}))
    assert tens == pytest.approx(10 * unscaled)
    other_settings = {"n": 2}, {"sigma": 1.0}, {"tokenizer": list}
    bigrams, narrow, letters = (adapter.cider_d(candidates, references, False, **settings).item() for settings in other_settings)
    assert narrow < tens < min(bigrams, letters)
    lists, arrays = (["a dog"], [["a dog", "b"]]), (np.array(["a dog"]), [np.array(["a dog", "b"])])
    assert to_lists(adapter.cider_d(*arrays, n=np.int64(2))[1]) == to_lists(adapter.cider_d(*lists, n=2)[1])
    # Simulate an environment without PyTorch.
    monkeypatch.setattr(adapter, "find_spec", lambda name: None)
    corpus, sound_scores = adapter.cider_d(["a dog", "rain"], [["a dog"], ["wind"]])
    assert isinstance(sound_scores["cider_d"], np.ndarray) and sound_scores["cider_d"].dtype == corpus["cider_d"].dtype == np.float64


def test_spider_max_selects_the_best_candidate_of_each_sound():
    candidate_lists, references = [scene["tokenised"][:3] for scene in SCENES], [scene["tokenised"][3:] for scene in SCENES]
    runs = [to_lists(adapter.spider(list(candidates), references)[1]) for candidates in zip(*candidate_lists)]
    corpus, sound_scores = adapter.spider_max(candidate_lists, references, return_all_cands_scores=True)
    score_lists = to_lists(sound_scores)
    assert score_lists["spider_max"] == [max(values) for values in zip(*(run["spider"] for run in runs))]
    assert score_lists["spider_max"] == pytest.approx([(c + s) / 2 for c, s in zip(score_lists["cider_d_max"], score_lists["spice_max"])])
    assert score_lists["spider_all"] == [list(values) for values in zip(*(run["spider"] for run in runs))]
    best_index = adapter.spider_max(candidate_lists, references, False).item()
    assert best_index == pytest.approx(corpus["spider_max"].item()) and best_index > fmean(runs[0]["spider"])
    for candidates in ([], [[]], [["a dog"], ["a cat", "a dog"]]):
        with pytest.raises(
            InputError, match="mult_candidates: found .*, expected the same number of candidates for every item, and at least one"
        ):
            adapter.spider_max(candidates, references[: len(candidates)])


def test_classes_accumulate_and_stored_frequencies_score_one_sound():
    candidates, references = captions_and_references("tokenised")
    metric = adapter.SPIDEr()
    for start in range(0, 200, 50):
        metric.update(candidates[start : start + 50], references[start : start + 50])
    metric_copy = pickle.loads(pickle.dumps(metric))
    assert to_lists(metric_copy.compute()[1]) == to_lists(metric.compute()[1]) == to_lists(adapter.spider(candidates, references)[1])
    metric.reset()
    frequencies = DocumentFrequencies.count([[word.split() for word in sound_scores] for sound_scores in references])
    single_score = adapter.CIDErD(False, frequencies=frequencies)
    corpus_scores = adapter.cider_d(candidates, references)[1]["cider_d"].tolist()
    assert [single_score(candidates[i : i + 1], references[i : i + 1]).item() for i in range(10)] == pytest.approx(
        corpus_scores[:10], abs=1e-9
    )
    assert adapter.SPICE(False)(["a dog"], [["a dog"]]).item() == 1


def test_a_fluency_error_costs_nine_tenths_of_the_score():
    candidates, references = ["a dog barks and a", "rain falls"], [["a dog barks", "a dog"], ["rain falls on a roof"]]
    corpus, sound_scores = (to_lists(values) for values in adapter.spider_fl_rules(candidates, references))
    assert sound_scores["fluency_faults"] == [1, 0] and corpus["fluency_faults"] == 0.5
    assert sound_scores["spider_fl_rules"] == pytest.approx([sound_scores["spider"][0] / 10, sound_scores["spider"][1]])
    (half_penalty,) = adapter.spider_fl_rules(candidates[:1], references[:1], penalty=0.5)[1]["spider_fl_rules"].tolist()
    assert half_penalty == pytest.approx(to_lists(adapter.spider(candidates[:1], references[:1])[1])["spider"][0] / 2)
    assert adapter.fluency(["a dog barks and a"]) == [[("unfinished", "a")]]
    with pytest.raises(MissingResourceError, match="no SPIDEr with fluency rules for Japanese: the language pack defines no fluency rules"):
        adapter.fluency(["犬が吠える"], "ja")


@pytest.mark.parametrize(("candidates", "references", "error"), [
    ([], [], "candidates: found .*, expected a list of at least one caption"),
    ("a dog", [["a dog"]], "candidates: found 'a dog', expected a list of at least one caption"),
    (["a dog"], [], "mult_references: found 0 lists, expected 1 list of references, one for each candidate"),
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
    """Names, types and scores equal those of aac-metrics with our SPICE instead of its jar."""
    torch = pytest.importorskip("torch", reason="torch is not installed: SPIDEr was NOT compared with aac-metrics itself")
    original_library = pytest.importorskip("aac_metrics.functional", reason="aac-metrics is not installed: SPIDEr was NOT compared with it")
    candidates, references = captions_and_references("tokenised")
    call_like_original = lambda candidates, mult_references, **_: adapter.spice(candidates, mult_references)
    monkeypatch.setattr(sys.modules["aac_metrics.functional.spider"], "spice", call_like_original)
    for own_output, original_output in zip(adapter.spider(candidates, references), original_library.spider(candidates, references)):
        assert list(own_output) == list(original_output) == ["cider_d", "spice", "spider"]
        for name, values in original_output.items():
            assert own_output[name].dtype == values.dtype and own_output[name].shape == values.shape
            assert torch.allclose(own_output[name], values, atol=1e-6, rtol=0)
    assert torch.allclose(
        adapter.cider_d(candidates, references, False), original_library.cider_d(candidates, references, False), atol=1e-6
    )
    for settings in ({"n": 2}, {"sigma": 2.0}, {"scale": 1.0}, {"tokenizer": list}):
        own_output, original_output = (f(candidates, references, False, **settings) for f in (adapter.cider_d, original_library.cider_d))
        assert torch.allclose(own_output, original_output, atol=1e-6, rtol=0), settings


def test_settings_that_would_divide_by_zero_are_refused():
    at_least, above_zero = "expected at least one", "expected a number above 0"
    for name, value, expected_message in (
        ("n", 0, at_least),
        ("n", 1.5, at_least),
        ("sigma", 0, above_zero),
        ("sigma", float("nan"), above_zero),
    ):
        for function in (adapter.cider_d, adapter.spider, adapter.spider_fl_rules):
            with pytest.raises(InputError, match=f"{name}: found {value}, {expected_message}"):
                function(["a dog"], [["a dog", "a cat"]], **{name: value})
