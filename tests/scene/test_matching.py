"""Three ways of counting: SPICE's, JaSPICE's, and by parts."""

from __future__ import annotations

import pytest

from spice_core.scene.graph import SceneGraph
from spice_core.scene.matching import match_by_scheme
from spice_core.scene.propositions import PLACEHOLDER, from_tuples
from spice_core.scene.scheme import SCHEMES
from spice_core.scene.synonyms import NoSynonyms


def matched(name: str, candidate: list, reference: list) -> list[tuple]:
    """Candidate words, credit and kind of every match."""
    sides = [SceneGraph.of([from_tuples(c, where="test")], NoSynonyms(), scheme=SCHEMES[name]).tuples() for c in (candidate, reference)]
    return [(m.candidate.words, round(m.credit, 2), m.state) for m in match_by_scheme(*sides, SCHEMES[name])]


SITS, SITS_TOO, RUNS = [["人", "座る", "ベンチ"]], [["女性", "座る", "ベンチ"]], [["人", "走る", "ベンチ"]]
PARTS = [
    (SITS, SITS, [(("ベンチ",), 1, "exact"), (("人",), 1, "exact"), (("人", "座る", "ベンチ"), 1, "exact")]),
    (SITS, SITS_TOO, [(("ベンチ",), 1, "exact"), (("人", "座る", "ベンチ"), 0.67, "partial")]),
    (SITS, RUNS, [(("ベンチ",), 1, "exact"), (("人",), 1, "exact")]),
    ([["犬", "走る"]], [["犬", "走る", "道"]], [(("犬",), 1, "exact"), (("犬", "走る"), 0.67, "partial")]),
    ([["犬", "赤い"]], [["猫", "赤い"]], [(("犬", "赤い"), 0.5, "partial")]),
    ([], SITS, []),
]


@pytest.mark.parametrize(("candidate", "reference", "wanted"), PARTS)
def test_a_tuple_counts_by_its_parts_once_its_own_word_agrees(candidate, reference, wanted):
    assert matched("parts", candidate, reference) == wanted


@pytest.mark.parametrize(
    ("candidate", "reference", "wanted"),
    [
        ([["犬", "走る"]], [["犬", "走る", "道"]], [(("犬",), 1, "exact"), (("犬", "走る"), 1, "exact")]),
        ([["猫", "走る"]], [["犬", "走る", "道"]], [(("猫", "走る"), 0.5, "partial")]),
        (SITS, SITS_TOO, [(("ベンチ",), 1, "exact"), (("人", "座る", "ベンチ"), 0.67, "partial")]),
        (SITS, RUNS, [(("ベンチ",), 1, "exact"), (("人",), 1, "exact")]),
    ],
)
def test_lenient_credit_is_a_share_of_the_shorter_tuple(candidate, reference, wanted):
    assert matched("lenient", candidate, reference) == wanted


def test_the_evidence_of_a_partial_match_names_the_part_that_differs():
    sides = [SceneGraph.of([from_tuples(c, where="test")], NoSynonyms()).tuples() for c in (SITS, SITS_TOO)]
    (match,) = [m for m in match_by_scheme(*sides, SCHEMES["parts"]) if m.state == "partial"]
    assert [e.kind for e in match.evidence] == ["different", "word", "word"]


def test_jaspice_counts_from_the_side_with_fewer_tuples():
    few, many = [["犬"]], [["犬"], ["猫"]]
    assert matched("jaspice", many, few) == matched("jaspice", few, many) == [(("犬",), 1, "exact")]


def test_jaspice_counts_only_objects_that_are_stated():
    graph = SceneGraph.of([from_tuples([["犬", "走る"]], where="test")], NoSynonyms(), scheme=SCHEMES["jaspice"])
    assert [t.words for t in graph.tuples()] == [("犬", "走る")]


def test_a_placeholder_is_no_object():
    graph = SceneGraph.of([from_tuples([[PLACEHOLDER, "乗る", "船"]], where="test")], NoSynonyms())
    assert [t.words for t in graph.tuples()] == [(PLACEHOLDER, "乗る", "船"), ("船",)]
