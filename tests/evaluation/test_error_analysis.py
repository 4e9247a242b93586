"""What many results have in common, over rows as the command line writes them."""

from __future__ import annotations

import json
import math

import pytest

from spice_core.cli.main import main
from spice_core.data.results import ScoredItem, read_results
from spice_core.evaluation import error_analysis
from spice_core.evaluation.error_analysis import CategoryMeans, Histogram, Slices, collect
from spice_core.scene.scores import Score

SOFA = [["dog"], ["sofa"], ["dog", "on", "sofa"], ["dog", "brown"]]
ITEMS = [
    {"image_id": 1, "test": SOFA, "refs": [SOFA]},
    {"image_id": 2, "test": SOFA, "refs": [[["dog"], ["chair"], ["dog", "on", "chair"], ["dog", "red"], ["window"]]]},
    {"image_id": 3, "test": [["dog"], ["dog", "on", "couch"]], "refs": [[["dog", "on", "chair"], ["dog", "two"], ["window"]]]},
    {"image_id": "x", "test": [["cat"]], "refs": [[["dog"]]]},
]


@pytest.fixture
def results(tmp_path):
    source, out = tmp_path / "in.json", tmp_path / "out.jsonl"
    source.write_text(json.dumps(ITEMS))
    assert main(["score", str(source), "--out", str(out), "--subset", "--detailed", "--silent"]) == 0
    return list(read_results(out))


def grouped(results, key) -> dict[str, list]:
    slices = Slices(key)
    assert collect(results, slices) == 4
    return {name: group.ids for name, group in slices.most()}


def test_the_distribution_of_scores(results):
    everything, size = Histogram(bins=4), Histogram("Size")
    collect(results, everything, size)
    assert [group.ids for group in everything.bins] == [[2, "x"], [3], [], [1]]
    assert size.undefined.count == 4 and everything.undefined.count == 0


def test_means_of_categories_with_intervals(results):
    means = CategoryMeans()
    collect(results, means)
    each = [item.overall.f1 for item in results]
    mean = sum(each) / 4
    half = 1.96 * math.sqrt(sum((x - mean) ** 2 for x in each) / 3 / 4)
    assert means.means()["All"] == pytest.approx((mean, mean - half, mean + half), abs=1e-4)
    assert math.isnan(means.means()["Size"].value) and math.isnan(means.means()["Cardinality"].low)


def test_a_category_has_the_score_of_its_own_tuples(results):
    slices = Slices(error_analysis.by_category, own=True)
    collect(results, slices)
    values = {name: [item.scores[name].f1 for item in results] for name in ("Color", "Object", "All")}
    for name, each in values.items():
        known = [f1 for f1 in each if not math.isnan(f1)]
        assert (slices[name].count, slices[name].mean) == (len(known), pytest.approx(math.fsum(known) / len(known)))
    assert slices["Color"].mean == 0.5 != pytest.approx(Slices(error_analysis.by_category)["Color"].mean)


def test_slices(results):
    assert grouped(results, error_analysis.by_category)["Color"] == [1, 2]
    assert grouped(results, error_analysis.by_category)["Cardinality"] == [3]
    assert grouped(results, error_analysis.by_score) == {"0.2–0.4": [2, 3], "0.0–0.2": ["x"], "0.8–1.0": [1]}
    assert grouped(results, error_analysis.by_length) == {"7": [1, 2], "1": ["x"], "4": [3]}
    assert grouped(results, error_analysis.by_word)["couch"] == [3]
    assert grouped(results, error_analysis.by_tag({1: ["check"], "x": ["check", "odd"]})) == {"check": [1, "x"], "odd": ["x"]}
    slices = Slices(error_analysis.by_word)
    collect(results, slices)
    assert slices["cat"].mean == 0.0 and slices["sofa"].count == 2 and slices["none"].count == 0 and "cat" in list(slices)


def test_words_of_captions_are_counted_without_marks():
    item = ScoredItem(1, "A dog, “A” dog.", (), {})
    assert set(error_analysis.by_word(item)) == {"a", "dog", "“a”"} and list(error_analysis.by_length(item)) == ["4"]


def test_the_tuples_most_missed_and_most_said_for_nothing(results):
    assert grouped(results, error_analysis.missing)["window"] == [2, 3]
    assert grouped(results, error_analysis.missing)["dog – two"] == [3]
    assert grouped(results, error_analysis.extra)["dog – on – sofa"] == [2]


def test_other_values_are_of_one_kind_or_one_part_of_a_relation(results):
    colours = error_analysis.by_other_value({"Color": frozenset({"red", "brown"})})
    assert grouped(results, colours) == {"brown → red": [2], "couch → chair": [3], "sofa → chair": [2]}
    assert grouped(results, error_analysis.by_other_value({})) == {"couch → chair": [3], "sofa → chair": [2]}, (
        "brown and red are of no kind"
    )


def test_many_groups_and_many_images_stay_within_bounds(monkeypatch):
    monkeypatch.setattr(error_analysis, "NAMES", 10)
    monkeypatch.setattr(error_analysis, "LISTED", 5)
    items = (ScoredItem(n, "", (), {"All": Score(1, 2, 2)}) for n in range(1000))
    slices = Slices(lambda item: ["all", f"only {item.image_id}"])
    collect(items, slices)
    assert len(list(slices)) <= 21 and slices["all"].count == 1000 and slices["all"].ids == [0, 1, 2, 3, 4] and slices.dropped == 1
