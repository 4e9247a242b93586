"""Test error analysis: groups of results, counts of causes, and agreement of two annotators."""

import json
import math
from dataclasses import replace

import pytest

from spice_core.cli.main import main
from spice_core.data.results import ScoredItem, read_results
from spice_core.data.work_file import CAUSE_STATES, UnmatchedTuple
from spice_core.evaluation import error_analysis
from spice_core.evaluation.error_analysis import group_images
from spice_core.evaluation.row_statistics import f1_counts
from spice_core.explain.causes.annotators import (
    LabelledUnit,
    annotator_agreement,
    count_causes,
    images_with_same_captions,
    iterate_causes,
    labelled_captions,
    labelled_tuples,
    rank_causes,
)
from spice_core.scene.matching import MatchState
from spice_core.scene.propositions import parse_from_tuples
from spice_core.scene.scores import Score

SOFA_TUPLES = [["dog"], ["sofa"], ["dog", "on", "sofa"], ["dog", "brown"]]
SOFA_ITEMS = [
    {"image_id": 1, "test": SOFA_TUPLES, "refs": [SOFA_TUPLES]},
    {"image_id": 2, "test": SOFA_TUPLES, "refs": [[["dog"], ["chair"], ["dog", "on", "chair"], ["dog", "red"], ["window"]]]},
    {"image_id": 3, "test": [["dog"], ["dog", "on", "couch"]], "refs": [[["dog", "on", "chair"], ["dog", "two"], ["window"]]]},
    {"image_id": "x", "test": [["cat"]], "refs": [[["dog"]]]},
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("results")
    source, output_path = tmp_path / "in.json", tmp_path / "out.jsonl"
    source.write_text(json.dumps(SOFA_ITEMS))
    assert main(["score", str(source), "--out", str(output_path), "--subset", "--detailed", "--silent"]) == 0
    return list(read_results(output_path))


def grouped_images(results, key) -> dict[str, list]:
    ids = {name: [item.image_id for item in results if name in set(key(item))] for name in group_images(results, key)}
    assert {name: group.count for name, group in group_images(results, key).items()} == {name: len(ids[name]) for name in ids}
    return ids


def test_the_distribution_of_scores_and_the_means_of_categories_are_collected(results):
    counts = f1_counts([*results, replace(results[0], scores={"All": Score(0, 0, 0)})])  # the last F1 is undefined
    assert {f1_bin: count for f1_bin, count in enumerate(counts) if count} == {0: 1, 4: 1, 5: 1, 19: 1}
    groups = group_images(results, error_analysis.by_category, by_own_category=True)
    values = {name: [item.scores[name].f1 for item in results] for name in ("Color", "Object", "All")}
    for name, f1_scores in values.items():
        defined_scores = [f1 for f1 in f1_scores if not math.isnan(f1)]
        assert groups[name].count == len(defined_scores)
        assert math.isclose(groups[name].mean, math.fsum(defined_scores) / len(defined_scores))
    assert groups["Color"].mean == 0.5 and not math.isclose(group_images(results, error_analysis.by_category)["Color"].mean, 0.5)


def test_groups_by_words_scores_tuples_and_other_values_are_bounded(results, monkeypatch):
    assert grouped_images(results, error_analysis.by_category)["Color"] == [1, 2]
    assert grouped_images(results, error_analysis.by_category)["Cardinality"] == [3]
    assert grouped_images(results, error_analysis.by_score) == {"0.2–0.4": [2, 3], "0.0–0.2": ["x"], "0.8–1.0": [1]}
    assert grouped_images(results, error_analysis.by_length) == {"7": [1, 2], "1": ["x"], "4": [3]}
    assert grouped_images(results, error_analysis.by_word)["couch"] == [3]
    assert grouped_images(results, error_analysis.by_tag({1: ["check"], "x": ["check", "odd"]})) == {"check": [1, "x"], "odd": ["x"]}
    groups = group_images(results, error_analysis.by_word)
    # ASCII punctuation around a word is removed, but typographic quotation marks remain.
    item = ScoredItem(1, "A dog, “A” dog.", (), {})
    assert set(error_analysis.by_word(item)) == {"a", "dog", "“a”"} and list(error_analysis.by_length(item)) == ["4"]
    assert groups["cat"].mean == 0.0 and groups["sofa"].count == 2 and "none" not in groups
    assert grouped_images(results, error_analysis.by_missing_tuple)["window"] == [2, 3]
    assert grouped_images(results, error_analysis.by_missing_tuple)["dog – two"] == [3]
    assert grouped_images(results, error_analysis.by_extra_tuple)["dog – on – sofa"] == [2]

    colours = error_analysis.by_other_value({"Color": frozenset({"red", "brown"})})
    assert grouped_images(results, colours) == {"brown → red": [2], "couch → chair": [3], "sofa → chair": [2]}
    no_kinds = grouped_images(results, error_analysis.by_other_value({}))
    assert no_kinds == {"couch → chair": [3], "sofa → chair": [2]}
    monkeypatch.setattr(error_analysis, "MAX_GROUPS", 10)
    items = (ScoredItem(n, "", (), {"All": Score(1, 2, 2)}) for n in range(1000))
    groups = group_images(items, lambda item: ["all", f"only {item.image_id}"])
    assert len(groups) <= 21 and groups["all"].count == 1000 and next(iter(groups)) == "all"


EXTRA_RED, MISSING_BLUE = UnmatchedTuple(MatchState.EXTRA, ("dog", "red")), UnmatchedTuple(MatchState.MISSING, ("dog", "blue"))
EXTRA_CAT, MISSING_TUPLE = UnmatchedTuple(MatchState.EXTRA, ("cat",)), UnmatchedTuple(MatchState.MISSING, ("cat",))
SUGGESTED_CAUSES = {1: {EXTRA_RED: "other value", MISSING_BLUE: "other value"}, 2: {EXTRA_CAT: "unsupported", EXTRA_RED: "other value"}}
DECIDED_CAUSES = {2: {EXTRA_RED: "parser"}, 3: {EXTRA_CAT: "unsupported"}}


def cause_counts(states=CAUSE_STATES, suggested_causes=SUGGESTED_CAUSES, decided_causes=DECIDED_CAUSES) -> dict[str, tuple[int, int, list]]:
    ordered_counts = rank_causes(count_causes(suggested_causes, decided_causes), states)
    return {cause: (count.decided_count, count.suggested_count, list(count.images)) for cause, count in ordered_counts.items()}


def test_decisions_replace_suggestions_on_both_sides():
    assert cause_counts() == {"other value": (0, 2, [1]), "unsupported": (1, 1, [2, 3]), "parser": (1, 0, [2])}
    assert list(cause_counts()) == ["other value", "unsupported", "parser"]
    assert (2, EXTRA_RED, "parser", True) in iterate_causes(SUGGESTED_CAUSES, DECIDED_CAUSES) and (
        2,
        EXTRA_RED,
        "other value",
        False,
    ) not in iterate_causes(SUGGESTED_CAUSES, DECIDED_CAUSES)
    assert cause_counts([MatchState.MISSING]) == {"other value": (0, 1, [1])}
    assert list(cause_counts([MatchState.EXTRA])) == ["unsupported", "other value", "parser"]
    assert cause_counts(decided_causes={}) == {"other value": (0, 3, [1, 2]), "unsupported": (0, 1, [2])}
    assert cause_counts(suggested_causes={}) == {"parser": (1, 0, [2]), "unsupported": (1, 0, [3])}
    assert cause_counts(suggested_causes={}, decided_causes={}) == {}


ROW = ScoredItem(1, "A dog.", ("A cat.", parse_from_tuples([["cat"]], where="")), {"All": Score(0, 1, 1)})


def test_captions_and_tuples_that_both_labelled_are_compared():
    for other_row in (replace(ROW, signature="another"), replace(ROW, references=("A cat.", parse_from_tuples([["cat"]], where="")))):
        assert images_with_same_captions([ROW], [other_row]) == {1}
    for change in ({"image_id": "1"}, {"candidate": "A dog"}, {"references": ROW.references[:1]}):
        assert images_with_same_captions([ROW], [replace(ROW, **change)]) == set()
    first_causes = {1: (("parser",), "a note"), 2: (("rule", "caption"), ""), 3: (("rule",), ""), 4: ((), "a note"), 9: (("rule",), "")}
    second_causes = {1: (("parser",), ""), 2: (("caption",), ""), 4: (("rule",), "")}
    agreement = annotator_agreement(labelled_captions(first_causes, second_causes, [1, 2, 3, 4, 5]))
    assert (agreement.kappa.n, agreement.kappa.raw, agreement.first_only_count, agreement.second_only_count) == (2, 0.5, 1, 1)
    # The agreement expected by chance is ½ × ½ + ½ × 0.
    assert agreement.kappa.kappa.value == pytest.approx(1 / 3)
    assert agreement.disagreements == (LabelledUnit(2, None, "caption + rule", "caption"),)
    first_causes = {1: {EXTRA_RED: "other value", MISSING_TUPLE: "left out"}, 2: {EXTRA_RED: "parser"}}
    second_causes = {1: {MISSING_TUPLE: "left out"}, 2: {EXTRA_RED: "rule", MISSING_TUPLE: "rule"}}
    agreement = annotator_agreement(labelled_tuples(first_causes, second_causes, [1, 2]))
    assert (agreement.kappa.n, agreement.first_only_count, agreement.second_only_count) == (2, 1, 1)
    assert agreement.disagreements == (LabelledUnit(2, EXTRA_RED, "parser", "rule"),)
    assert annotator_agreement(labelled_tuples(first_causes, second_causes, [])).kappa.n == 0
