"""Test the tables of minimal pairs (``pairs_en.toml``, ``pairs_ja.toml``) and what ``find_failures`` reports, without a parser."""

from collections import Counter

import pytest

from spice_core import Spice
from spice_core.errors import InputError
from spice_core.evaluation.minimal_pairs import Expectation, MinimalPair, PairFailure, count_passing_pairs, find_failures, read_pairs
from spice_core.scene.propositions import Parse, add_implied_objects, parse_from_tuples
from tests.conftest import GOLD, rows

LANGUAGES = {"en": (120, 24, ("gold_en", "gold_en_other")), "ja": (110, 40, ("gold_ja", "gold_ja_phenomena"))}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_table_has_enough_pairs_whose_captions_differ_in_their_tuples(code):
    pairs, (min_count, phenomena, gold) = read_pairs(GOLD / f"pairs_{code}.toml"), LANGUAGES[code]
    counts = Counter(pair.phenomenon for pair in pairs)
    assert len(pairs) >= min_count and len(counts) >= phenomena
    assert [pair.phenomenon for pair in pairs] == list(counts.elements())
    captions = [side.caption.lower() for pair in pairs for side in (pair.first, pair.second)]
    assert len(set(captions)) == len(captions)
    assert not {row["caption"].lower() for name in gold for row in rows(GOLD / f"{name}.jsonl")} & set(captions)
    for pair in pairs:
        assert pair.first != pair.second and pair.first.required_tuples and pair.second.required_tuples
        for side in (pair.first, pair.second):
            assert not side.required_tuples & side.excluded_tuples, "a tuple both demanded and refused"
            assert not side.matched_tuples & side.unmatched_tuples, "a tuple both demanded and refused"
            assert side.matched_tuples | side.unmatched_tuples <= side.required_tuples
            if code == "en":
                assert side.required_tuples == add_implied_objects(side.required_tuples)
                assert pair.first.required_tuples != pair.second.required_tuples
                assert all(word == word.strip().lower() for words in side.required_tuples | side.excluded_tuples for word in words)


def test_failures_name_tuples_and_matches_that_are_missing_or_extra():
    nap, sleep = frozenset({("child",), ("puppy",), ("child", "nap beside", "puppy")}), frozenset({("child",)})
    pair = MinimalPair("verb", Expectation("A child naps.", nap, frozenset({("nap",)})), Expectation("A child.", sleep, frozenset()))
    parses_by_caption = {"A child naps.": nap, "A child.": sleep}

    def parse(captions: list[str]) -> list[Parse]:
        return [parse_from_tuples(list(map(list, parses_by_caption[caption])), where=caption) for caption in captions]

    assert find_failures([pair], parse) == []
    parses_by_caption["A child naps."] = nap - {("child", "nap beside", "puppy")} | {("nap",)}
    missing_tuples, extra_tuples = frozenset({("child", "nap beside", "puppy")}), frozenset({("nap",)})
    assert find_failures([pair], parse) == [PairFailure("verb", "A child naps.", missing_tuples, extra_tuples)]
    dog, cat = frozenset({("犬",)}), frozenset({("猫",)})
    pair = MinimalPair("x", Expectation("a", dog, frozenset(), dog), Expectation("b", dog | cat, frozenset(), cat, dog))
    given_parses = [parse_from_tuples([["犬"]], where="a"), parse_from_tuples([["犬"], ["猫"]], where="b")]
    failures = find_failures([pair], lambda _: given_parses, Spice("ja", synonyms="none").compare)
    assert failures == [PairFailure("x", "b", frozenset(), frozenset(), cat, dog)]
    assert find_failures([pair], lambda _: given_parses) == []
    assert not count_passing_pairs([pair], failures)
    assert count_passing_pairs([pair], [])["x"] == 1


@pytest.mark.parametrize(("text", "message"), [
    ("[[pair", "[[pair]] tables"), ("pair = 5", "[[pair]] tables"),
    ('[[pair]]\nphenomenon = "x"\nfirst = {caption = "a", has = [], lacks = []}', "[[pair]] tables"),
    ('[[pair]]\nphenomenon = "x"\nfirst = {caption = "a", has = 5, lacks = []}', "is no list of tuples"),
    ('[[pair]]\nphenomenon = "x"\nfirst = {caption = "a", has = [["a", "b", "c", "d"]], lacks = []}', "pair 1, first.has[0]"),
])  # fmt: skip
def test_a_bad_table_is_reported(tmp_path, text, message):
    (tmp_path / "pairs.toml").write_text(text)
    with pytest.raises(InputError) as error:
        read_pairs(tmp_path / "pairs.toml")
    assert str(tmp_path / "pairs.toml") in str(error.value) and message in str(error.value)
