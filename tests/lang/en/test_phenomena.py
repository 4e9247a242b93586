"""The table of minimal pairs (``pairs_en.toml``): its shape, and what ``failures`` reports. No parser runs here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from spice_core.errors import InputError
from spice_core.evaluation import minimal_pairs
from spice_core.evaluation.minimal_pairs import MinimalPair, PairFailure, read_pairs
from spice_core.scene.propositions import Parse, Proposition, closed
from tests.conftest import GOLD, rows

PAIRS = read_pairs(GOLD / "pairs_en.toml")
EXPECTED = [each for pair in PAIRS for each in (pair.first, pair.second)]


def failures(parse: Callable[[list[str]], Iterable[Parse]]) -> list[PairFailure]:
    """The captions of the table whose parses are not as expected."""
    return minimal_pairs.failures(PAIRS, parse)


def test_there_are_enough_pairs_and_phenomena():
    phenomena = Counter(pair.phenomenon for pair in PAIRS)
    assert len(PAIRS) >= 120 and len(phenomena) >= 24 and min(phenomena.values()) >= 3
    assert list(phenomena) == list(dict.fromkeys(pair.phenomenon for pair in PAIRS))
    assert [p.phenomenon for p in PAIRS] == [name for name, count in phenomena.items() for _ in range(count)]  # in blocks


def test_no_caption_stands_twice_or_in_a_gold_file():
    captions = [each.caption.lower() for each in EXPECTED]
    gold = {row["caption"].lower() for name in ("gold_en", "gold_en_other") for row in rows(GOLD / f"{name}.jsonl")}
    assert len(set(captions)) == len(captions) and not gold & set(captions)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.first.caption)
def test_the_captions_of_a_pair_differ_in_their_tuples(pair: MinimalPair):
    assert pair.first.has and pair.second.has and pair.first.has != pair.second.has
    for each in (pair.first, pair.second):
        assert not each.has & each.lacks, "a tuple both demanded and refused"
        assert each.has == closed(each.has) and all("be " not in words[1][:3] for words in each.has if len(words) == 3)
        assert all(word == word.strip().lower() for words in each.has | each.lacks for word in words)


def test_failures_name_missing_and_extra_tuples():
    right = {each.caption: each.has for each in EXPECTED}

    def parse(captions: list[str]) -> Iterable[Parse]:
        return [Parse(caption, tuple(map(Proposition, right[caption]))) for caption in captions]

    assert failures(parse) == []
    first = PAIRS[0].first
    right[first.caption] = first.has - {("child", "nap beside", "puppy")} | {("nap",)}
    assert failures(parse) == [
        PairFailure("finite verb or noun", first.caption, frozenset({("child", "nap beside", "puppy")}), frozenset({("nap",)}))
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[pair", "tables [[pair]]"),
        ("pair = 5", "tables [[pair]]"),
        ('[[pair]]\nphenomenon = "x"\nfirst = {caption = "a", has = [], lacks = []}', "tables [[pair]]"),
        ('[[pair]]\nphenomenon = "x"\nfirst = {caption = "a", has = 5, lacks = []}', "is no list of tuples"),
        ('[[pair]]\nphenomenon = "x"\nfirst = {caption = "a", has = [["a", "b", "c", "d"]], lacks = []}', "pair 1, first.has[0]"),
    ],
)
def test_a_bad_table_is_named(tmp_path, text, message):
    (tmp_path / "pairs.toml").write_text(text)
    with pytest.raises(InputError) as error:
        read_pairs(tmp_path / "pairs.toml")
    assert str(tmp_path / "pairs.toml") in str(error.value) and message in str(error.value)
