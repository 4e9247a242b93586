"""Matching by meaning on pairs of Japanese captions with gold verdicts."""

import pytest

from spice_core import Spice
from tests.conftest import GOLD, rows

pytest.importorskip("ginza", reason="GiNZA is not installed; pip install -r requirements.txt")


@pytest.mark.parametrize("split", ["dev", "test"])
def test_most_pairs_have_the_gold_verdict(split):
    """Failures show only totals, because the test half stays unread."""
    by_meaning, default = Spice("ja", scheme="entailed"), Spice("ja")
    pairs = [row for row in rows(GOLD / "meaning_ja.jsonl") if row["split"] == split]
    right_count = lower_count = 0
    for pair in pairs:
        premise, hypothesis = by_meaning.parse([pair["premise"], pair["hypothesis"]])
        result, strict = (spice.compare(hypothesis, [premise]) for spice in (by_meaning, default))
        entailed = "same" if result.recall == 1 else "entailed"
        verdict = "contradiction" if result.verdicts.contradictions else entailed if result.precision == 1 else "neutral"
        right_count += verdict == pair["verdict"]
        lower_count += pair["verdict"] == "same" and result.f1 < strict.f1
        assert pair["verdict"] == "contradiction" or not result.verdicts.contradictions
        assert pair["verdict"] != "contradiction" or max(result.f1, strict.f1) < 1
    assert right_count >= 0.9 * len(pairs) and not lower_count
