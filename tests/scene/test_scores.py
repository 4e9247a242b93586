"""Test scores: categories, matching by parts, parity with the reference program, and judged synonyms."""

import math

import pytest

from spice_core import Spice
from spice_core.evaluation.corpus import MeanScore, RunningMeans
from spice_core.scene.graph import SCHEMES, SceneGraph
from spice_core.scene.matching import match_by_scheme
from spice_core.scene.propositions import PLACEHOLDER, parse_from_tuples
from spice_core.scene.scores import Score
from spice_core.scene.synonyms import NoSynonyms
from tests.conftest import DATA, rows

ORIGINAL_RESULTS = rows(DATA / "scores.jsonl")


def counts(result) -> dict[str, list[int]]:
    return {n: [s.matched, s.candidate - s.matched, s.reference - s.matched] for n, s in result.scores.items()}


@pytest.mark.parametrize("item", ORIGINAL_RESULTS, ids=[i["id"] for i in ORIGINAL_RESULTS])
def test_counts_equal_those_of_the_reference_program(spice, item):
    result = spice.compare(parse_from_tuples(item["test"], where="test"), [parse_from_tuples(r, where="refs") for r in item["refs"]])
    assert counts(result) == item["counts"]
    assert result.f1 == pytest.approx(item["f"])


def match_rows(name: str, candidate: list, reference: list) -> list[tuple]:
    """Return the words of each match's candidate tuple, its credit and its state."""
    scored_sides = [
        SceneGraph.merge_parses([parse_from_tuples(c, where="test")], NoSynonyms(), scheme=SCHEMES[name]).tuples()
        for c in (candidate, reference)
    ]
    return [(m.candidate.words, round(m.credit, 2), m.state) for m in match_by_scheme(*scored_sides, SCHEMES[name])]


SITTING_PERSON, SITTING_WOMAN, RUNNING_PERSON = [["人", "座る", "ベンチ"]], [["女性", "座る", "ベンチ"]], [["人", "走る", "ベンチ"]]


def test_a_tuple_counts_by_its_parts_or_as_a_share_of_the_shorter_one():
    for candidate, reference, expected_count in [
        (SITTING_PERSON, SITTING_PERSON, [(("ベンチ",), 1, "exact"), (("人",), 1, "exact"), (("人", "座る", "ベンチ"), 1, "exact")]),
        (SITTING_PERSON, SITTING_WOMAN, [(("ベンチ",), 1, "exact"), (("人", "座る", "ベンチ"), 0.67, "partial")]),
        (SITTING_PERSON, RUNNING_PERSON, [(("ベンチ",), 1, "exact"), (("人",), 1, "exact")]),
        ([["犬", "走る"]], [["犬", "走る", "道"]], [(("犬",), 1, "exact"), (("犬", "走る"), 0.67, "partial")]),
        ([["犬", "赤い"]], [["猫", "赤い"]], [(("犬", "赤い"), 0.5, "partial")]), ([], SITTING_PERSON, []),
    ]:  # fmt: skip
        assert match_rows("parts", candidate, reference) == expected_count
    for candidate, reference, expected_count in [
        ([["犬", "走る"]], [["犬", "走る", "道"]], [(("犬",), 1, "exact"), (("犬", "走る"), 1, "exact")]),
        ([["猫", "走る"]], [["犬", "走る", "道"]], [(("猫", "走る"), 0.5, "partial")]),
        (SITTING_PERSON, SITTING_WOMAN, [(("ベンチ",), 1, "exact"), (("人", "座る", "ベンチ"), 0.67, "partial")]),
        (SITTING_PERSON, RUNNING_PERSON, [(("ベンチ",), 1, "exact"), (("人",), 1, "exact")]),
    ]:  # fmt: skip
        assert match_rows("lenient", candidate, reference) == expected_count
    graph_sides = [
        SceneGraph.merge_parses([parse_from_tuples(c, where="test")], NoSynonyms()).tuples() for c in (SITTING_PERSON, SITTING_WOMAN)
    ]
    reference_graph = SceneGraph.merge_parses(
        [parse_from_tuples([["人", "座る"], *SITTING_PERSON], where="test")], NoSynonyms(), scheme=SCHEMES["lenient"]
    ).tuples()
    matches = match_by_scheme(reference_graph, reference_graph, SCHEMES["lenient"])
    assert [m.reference.words for m in matches] == [m.candidate.words for m in matches], "of two, the one with more equal parts"
    (match,) = [m for m in match_by_scheme(*graph_sides, SCHEMES["parts"]) if m.state == "partial"]
    assert [e.kind for e in match.evidence] == ["different", "word", "word"]


def test_jaspice_counts_from_the_side_with_fewer_tuples_and_only_objects_that_are_stated():
    few_tuples, many_tuples = [["犬"]], [["犬"], ["猫"]]
    assert match_rows("jaspice", many_tuples, few_tuples) == match_rows("jaspice", few_tuples, many_tuples) == [(("犬",), 1, "exact")]
    graph = SceneGraph.merge_parses([parse_from_tuples([["犬", "走る"]], where="test")], NoSynonyms(), scheme=SCHEMES["jaspice"])
    assert [t.words for t in graph.tuples()] == [("犬", "走る")]
    graph = SceneGraph.merge_parses([parse_from_tuples([[PLACEHOLDER, "乗る", "船"]], where="test")], NoSynonyms())
    assert [t.words for t in graph.tuples()] == [(PLACEHOLDER, "乗る", "船"), ("船",)]


def test_ratios_are_averaged_without_undefined_images():
    for matched_count, candidate, reference, strict_mean, p, r, f in [
        # numbers of matched, candidate and reference tuples; strict; precision, recall and F1
        (2, 4, 5, False, 0.5, 0.4, 4 / 9), (0, 3, 2, False, 0.0, 0.0, 0.0),
        (0, 0, 2, True, 0.0, 0.0, 0.0),  # an empty candidate scores 0
        (0, 3, 0, True, 0.0, 0.0, 0.0),  # an empty reference gives 0 overall …
        (0, 0, 0, True, 0.0, 0.0, 0.0),
        (0, 3, 0, False, math.nan, math.nan, math.nan),  # … and is undefined in a category
        (3, 3, 2, False, 1.0, 1.0, 1.0),  # several candidate tuples may match one reference tuple, which counts at most once
    ]:  # fmt: skip
        score = Score(matched_count, candidate, reference, strict_mean)
        assert (score.precision, score.recall, score.f1) == pytest.approx((p, r, f), nan_ok=True)
    json = Score(0, 1, 0).as_spice_json()
    assert json == {"f": None, "pr": None, "re": None, "tp": 0, "fp": 1, "fn": 0, "numImages": 1}
    average = mean(Score(1, 2, 2), Score(0, 3, 0), Score(1, 1, 1))
    assert (average.f1, average.images, average.matched, average.candidate) == (0.75, 2, 2, 6)
    assert math.isnan(mean(Score(0, 0, 0)).f1)


def mean(*images: Score) -> MeanScore:
    means = RunningMeans()
    for image in images:
        means.add({"Color": image})
    return means.means()["Color"]


def test_categories_contain_attributes_with_exactly_one_listed_word():
    spice = Spice(categories={"Material": ["wooden", "metal"]})
    candidate = [["bench", "wooden"], ["bench", "brown"], ["dog", "two"], ["dog", "big"]]
    references = [[["bench", "wooden"], ["bench", "red"], ["dog", "big"]], [["dog", "large"], ["bench", "metal"]]]
    scores_by_category = spice.compute(candidate, references).scores
    expected_scores = {"Material": Score(1, 1, 2), "Color": Score(0, 1, 1), "Cardinality": Score(0, 1, 0)}
    assert (
        scores_by_category.items() >= {**expected_scores, "Size": Score(0, 1, 0)}.items()
    )  # "big/large" is merged and belongs to no category
