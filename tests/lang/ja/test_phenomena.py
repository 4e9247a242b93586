"""The table of Japanese minimal pairs (``pairs_ja.toml``): its shape. No parser runs here."""

from __future__ import annotations

from collections import Counter

import pytest

from spice_core.evaluation.minimal_pairs import Expectation, MinimalPair, PairFailure, failures, passed, read_pairs
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import Parse, from_tuples
from tests.conftest import GOLD, rows

PAIRS = read_pairs(GOLD / "pairs_ja.toml")
EXPECTED = [each for pair in PAIRS for each in (pair.first, pair.second)]


def test_there_are_enough_pairs_and_phenomena_in_blocks():
    phenomena = Counter(pair.phenomenon for pair in PAIRS)
    assert len(PAIRS) >= 110 and len(phenomena) >= 40
    assert [pair.phenomenon for pair in PAIRS] == list(phenomena.elements())


def test_no_caption_stands_twice_or_in_a_gold_file():
    captions = [each.caption for each in EXPECTED]
    gold = {row["caption"] for name in ("gold_ja", "gold_ja_phenomena") for row in rows(GOLD / f"{name}.jsonl")}
    assert len(set(captions)) == len(captions) and not gold & set(captions)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.first.caption)
def test_the_captions_of_a_pair_differ_in_what_is_demanded(pair: MinimalPair):
    assert pair.first != pair.second and pair.first.has and pair.second.has
    for each in (pair.first, pair.second):
        assert not each.has & each.lacks and not each.matched & each.unmatched
        assert each.matched | each.unmatched <= each.has


def test_matches_between_the_captions_of_a_pair_are_checked():
    dog, cat = frozenset({("犬",)}), frozenset({("猫",)})
    pair = MinimalPair("x", Expectation("a", dog, frozenset(), dog), Expectation("b", dog | cat, frozenset(), cat, dog))
    given = [from_tuples([["犬"]], where="a"), from_tuples([["犬"], ["猫"]], where="b")]

    def parse(_: list[str]) -> list[Parse]:
        return given

    failed = failures([pair], parse, Spice("ja", synonyms="none").compare)
    assert failed == [PairFailure("x", "b", frozenset(), frozenset(), cat, dog)]
    assert failures([pair], parse) == [] and not passed([pair], failed) and passed([pair], [])["x"] == 1
