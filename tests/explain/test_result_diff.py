"""Test the differences between two results."""

import math

import pytest

from spice_core import Spice
from spice_core.explain.result_diff import compare_results

CANDIDATE = [["girl"], ["girl", "young"], ["girl", "hold", "racquet"]]
REFERENCE = [["girl"], ["girl", "hold", "racket"], ["court", "blue"]]


def change_rows(comparison, *kinds):
    return {(c.side, c.words, c.before, c.after) for c in comparison.changes_of_kind(*kinds)}


def test_other_candidates_and_sources_of_synonyms_are_compared():
    spice = Spice()
    result_before, result_after = spice.compute(CANDIDATE, [REFERENCE]), spice.compute([["girl"], ["court", "blue"]], [REFERENCE])
    diff = compare_results(result_before, result_after)
    assert change_rows(diff, "gained") == {("candidate", ("court",), None, "exact"), ("candidate", ("court", "blue"), None, "exact")}
    assert change_rows(diff, "lost") == {
        ("candidate", ("girl", "young"), "extra", None),
        ("candidate", ("girl", "hold", "racquet"), "synonym", None),
        ("candidate", ("racquet",), "synonym", None),
    }
    assert ("references", ("racket",), "synonym", "missing") in change_rows(diff, "changed")
    assert ("candidate", ("girl",), "exact", "exact") in change_rows(diff, "kept")
    assert diff.scores["All"].recall == pytest.approx(result_after.recall - result_before.recall) and next(iter(diff.scores)) == "All"
    assert diff.scores["Color"].f1 == 1 and math.isnan(diff.scores["Size"].f1)
    assert diff.settings == {}
    diff = compare_results(*(Spice(synonyms=name).compute(CANDIDATE, [REFERENCE]) for name in ("wn3.0", "none")))
    assert change_rows(diff, "changed") == {
        ("candidate", ("girl", "hold", "racquet"), "synonym", "extra"),
        ("candidate", ("racquet",), "synonym", "extra"),
        ("references", ("girl", "hold", "racket"), "synonym", "missing"),
        ("references", ("racket",), "synonym", "missing"),
    }
    assert change_rows(diff, "gained", "lost") == set()
    assert diff.settings == {"synonyms": ("wn3.0", "none")}
    references = [[["couch"]], [["sofa"]]]
    diff = compare_results(*(Spice(synonyms=name).compute([["sofa"]], references) for name in ("none", "wn3.0")))
    assert change_rows(diff, "lost") == {("references", ("couch",), "missing", None), ("references", ("sofa",), "exact", None)}
    assert change_rows(diff, "gained") == {("references", ("couch/sofa",), None, "exact")}


def test_the_reverse_diff_is_opposite_and_tuples_are_unique():
    spice = Spice()
    result = spice.compute(CANDIDATE, [REFERENCE])
    empty_diff = compare_results(result, result)
    assert len(empty_diff.changes) == len(result.candidate_tuples) + len(result.reference_tuples) == len(empty_diff.changes_of_kind("kept"))
    custom_spice = Spice(categories={"Material": ["wooden"]}).compute([["table", "wooden"]], [[["table", "wooden"]]])
    # Only one result has the category Material.
    diff = compare_results(spice.compute([["table", "wooden"]], [[["table", "wooden"]]]), custom_spice)
    assert math.isnan(diff.scores["Material"].f1) and diff.scores["All"] == (0, 0, 0)
    one_result = spice.compute(CANDIDATE, [REFERENCE])
    other_result = Spice(synonyms="none").compute([["dog"], ["girl", "young"]], [REFERENCE, CANDIDATE])
    forward_diff, back = compare_results(one_result, other_result), compare_results(other_result, one_result)
    opposite_side = {"gained": "lost", "lost": "gained"}
    assert [(c.words, c.after, c.before, opposite_side.get(c.kind, c.kind)) for c in forward_diff.changes] == [
        (c.words, c.before, c.after, c.kind) for c in back.changes
    ]
    assert all(
        a == -b or (math.isnan(a) and math.isnan(b))
        for name in forward_diff.scores
        for a, b in zip(forward_diff.scores[name], back.scores[name])
    )
    assert {k: v[::-1] for k, v in forward_diff.settings.items()} == back.settings


def test_other_parsers_and_rule_sets_are_compared(spice):
    """Compare a parsed caption with hand-written propositions, and a Japanese caption under two rule sets."""
    caption = "A young girl holding a racquet."
    diff = compare_results(spice.compute(caption, [REFERENCE]), spice.compute(CANDIDATE, [REFERENCE]))
    assert set(diff.settings) == {"parser", "rules"} and not diff.changes_of_kind("lost", "gained", "changed")
    caption, references = "二匹の犬が公園で走っている。", ["犬が公園を走っている。"]
    diff = compare_results(*(Spice("ja", rules=name).compute(caption, references) for name in ("ja-caption", "ja-ud")))
    assert set(diff.settings) == {"rules", "steps", "scheme", "synonyms"} and diff.changes_of_kind("gained", "lost", "changed")
