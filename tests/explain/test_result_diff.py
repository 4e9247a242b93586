"""The differences between two results."""

import math

import pytest

from spice_core import Spice
from spice_core.explain.result_diff import compare_results

CANDIDATE = [["girl"], ["girl", "young"], ["girl", "hold", "racquet"]]
REFERENCE = [["girl"], ["girl", "hold", "racket"], ["court", "blue"]]


def change_rows(comparison, *kinds):
    return {(c.side, c.words, c.before, c.after) for c in comparison.of(*kinds)}


def test_another_candidate_and_another_source_of_synonyms():
    spice = Spice()
    before, after = spice.compute(CANDIDATE, [REFERENCE]), spice.compute([["girl"], ["court", "blue"]], [REFERENCE])
    found = compare_results(before, after)
    assert change_rows(found, "gained") == {("candidate", ("court",), None, "exact"), ("candidate", ("court", "blue"), None, "exact")}
    assert change_rows(found, "lost") == {
        ("candidate", ("girl", "young"), "extra", None),
        ("candidate", ("girl", "hold", "racquet"), "synonym", None),
        ("candidate", ("racquet",), "synonym", None),
    }
    assert ("references", ("racket",), "synonym", "missing") in change_rows(found, "changed")
    assert ("candidate", ("girl",), "exact", "exact") in change_rows(found, "kept")
    assert found.scores["All"].recall == pytest.approx(after.recall - before.recall) and next(iter(found.scores)) == "All"
    assert found.scores["Color"].f1 == 1 and math.isnan(found.scores["Size"].f1)
    assert found.settings == {}
    found = compare_results(*(Spice(synonyms=name).compute(CANDIDATE, [REFERENCE]) for name in ("wn3.0", "none")))
    assert change_rows(found, "changed") == {
        ("candidate", ("girl", "hold", "racquet"), "synonym", "extra"),
        ("candidate", ("racquet",), "synonym", "extra"),
        ("references", ("girl", "hold", "racket"), "synonym", "missing"),
        ("references", ("racket",), "synonym", "missing"),
    }
    assert change_rows(found, "gained", "lost") == set()
    assert found.settings == {"synonyms": ("wn3.0", "none")}
    references = [[["couch"]], [["sofa"]]]
    found = compare_results(*(Spice(synonyms=name).compute([["sofa"]], references) for name in ("none", "wn3.0")))
    assert change_rows(found, "lost") == {("references", ("couch",), "missing", None), ("references", ("sofa",), "exact", None)}
    assert change_rows(found, "gained") == {("references", ("couch/sofa",), None, "exact")}


def test_the_reverse_diff_is_opposite_and_tuples_are_unique():
    spice = Spice()
    result = spice.compute(CANDIDATE, [REFERENCE])
    same = compare_results(result, result)
    assert len(same.changes) == len(result.candidate_tuples) + len(result.reference_tuples) == len(same.of("kept"))
    mine = Spice(categories={"Material": ["wooden"]}).compute([["table", "wooden"]], [[["table", "wooden"]]])
    found = compare_results(spice.compute([["table", "wooden"]], [[["table", "wooden"]]]), mine)  # categories of one side only
    assert math.isnan(found.scores["Material"].f1) and found.scores["All"] == (0, 0, 0)
    one, other = spice.compute(CANDIDATE, [REFERENCE]), Spice(synonyms="none").compute([["dog"], ["girl", "young"]], [REFERENCE, CANDIDATE])
    there, back = compare_results(one, other), compare_results(other, one)
    opposite = {"gained": "lost", "lost": "gained"}
    assert [(c.words, c.after, c.before, opposite.get(c.kind, c.kind)) for c in there.changes] == [
        (c.words, c.before, c.after, c.kind) for c in back.changes
    ]
    assert all(a == -b or (math.isnan(a) and math.isnan(b)) for name in there.scores for a, b in zip(there.scores[name], back.scores[name]))
    assert {k: v[::-1] for k, v in there.settings.items()} == back.settings


@pytest.mark.parser
def test_another_parser_and_another_rule_set(spice):
    """Compare a parsed caption with hand-written propositions."""
    caption = "A young girl holding a racquet."
    found = compare_results(spice.compute(caption, [REFERENCE]), spice.compute(CANDIDATE, [REFERENCE]))
    assert set(found.settings) == {"parser", "rules"} and not found.of("lost", "gained", "changed")
    caption, references = "二匹の犬が公園で走っている。", ["犬が公園を走っている。"]
    found = compare_results(*(Spice("ja", rules=name).compute(caption, references) for name in ("ja-caption", "ja-ud")))
    assert set(found.settings) == {"rules", "steps", "scheme", "synonyms"} and found.of("gained", "lost", "changed")
