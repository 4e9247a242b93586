"""Test that the numbers of matched and unmatched tuples equal those of the original SPICE, given its propositions."""

import pytest

from spice_core.scene.propositions import parse_from_tuples
from tests.conftest import DATA, rows

ORIGINAL_RESULTS = rows(DATA / "scores.jsonl")


def counts(result) -> dict[str, list[int]]:
    return {n: [s.matched, s.candidate - s.matched, s.reference - s.matched] for n, s in result.scores.items()}


@pytest.mark.parametrize("item", ORIGINAL_RESULTS, ids=[i["id"] for i in ORIGINAL_RESULTS])
def test_counts_equal_those_of_the_reference_program(spice, item):
    result = spice.compare(parse_from_tuples(item["test"], where="test"), [parse_from_tuples(r, where="refs") for r in item["refs"]])
    assert counts(result) == item["counts"]
    assert result.f1 == pytest.approx(item["f"])


@pytest.mark.release
def test_counts_equal_on_the_full_set(spice, shared):
    parses = {r["caption"]: parse_from_tuples(r["propositions"], where=r["caption"]) for r in rows(shared / "oracle/propositions.jsonl.gz")}
    wrong_captions = []
    for item in rows(shared / "oracle/scores.jsonl.gz"):
        result = spice.compare(parses[item["candidate"]], [parses[c] for c in item["references"]])
        if counts(result) != {n: [s["tp"], s["fp"], s["fn"]] for n, s in item["scores"].items()}:
            wrong_captions.append(item["id"])
    assert wrong_captions == []
