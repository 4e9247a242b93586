"""Test the outcomes of scored captions in each category, with their tuples, on hand-written and random cases."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core.data.results import ScoredItem
from spice_core.evaluation.outcomes import Outcome, TuplePair, images_by_outcome, make_same_thing_predicate, tuples_by_outcome
from spice_core.lang.en.wordnet.database import WordNet
from spice_core.scene.scores import OVERALL, Score

WORD_LISTS = {"Color": frozenset({"red", "blue", "green"}), "Size": frozenset({"small", "large"})}
UMBRELLA_TUPLES = [("umbrella",), ("umbrella", "red"), ("woman",), ("woman", "hold", "umbrella")]
DRAWN_WORDS = st.sampled_from(["dog", "red", "blue", "small", "large", "sofa", "run", "on"])
DRAWN_TUPLES = st.lists(
    st.tuples(
        st.one_of(st.tuples(DRAWN_WORDS), st.tuples(DRAWN_WORDS, DRAWN_WORDS), st.tuples(DRAWN_WORDS, DRAWN_WORDS, DRAWN_WORDS)),
        st.booleans(),
    ),
    max_size=8,
)


def make_item(candidate: list, references: list, image: int = 1) -> ScoredItem:
    scored_sides = (
        [(words, words in other_side) for words in side] for side, other_side in ((candidate, references), (references, candidate))
    )
    return ScoredItem(image, "", ("",), {OVERALL: Score(0, 0, 0)}, *map(tuple, scored_sides))


def pair_in_words(tuple_pair: TuplePair) -> str:
    return " → ".join(": ".join(words) if len(words) == 2 else " – ".join(words) for words in tuple_pair if words)


def outcomes_in_words(row: ScoredItem, category: str) -> dict[str, list[str]]:
    return {
        outcome.value: [pair_in_words(tuple_pair) for tuple_pair in tuples]
        for outcome, tuples in tuples_by_outcome(row, category, WORD_LISTS).items()
        if tuples
    }


def test_each_tuple_has_its_outcome():
    for candidate, references, category, expected_outcomes in [
            (UMBRELLA_TUPLES, [("umbrella",), ("umbrella", "blue")], "Color", {"asked": ["umbrella: blue"], "other": ["umbrella: red → umbrella: blue"]}),
            (UMBRELLA_TUPLES, [("umbrella",), ("umbrella", "red")], "Color", {"asked": ["umbrella: red"], "found": ["umbrella: red"]}),
            (UMBRELLA_TUPLES, [("umbrella", "small")], "Color", {"extra": ["umbrella: red"]}),
            (UMBRELLA_TUPLES, [("umbrella", "small")], "Size", {"asked": ["umbrella: small"], "missed": ["umbrella: small"]}),
            (UMBRELLA_TUPLES, [("coat", "blue")], "Color", {"asked": ["coat: blue"], "missed": ["coat: blue"], "extra": ["umbrella: red"]}),
            (UMBRELLA_TUPLES, [("parasol/umbrella", "green")], "Color", {"asked": ["parasol/umbrella: green"], "other": ["umbrella: red → parasol/umbrella: green"]}),
            (UMBRELLA_TUPLES, [("umbrella", "blue/navy")], "Color", {"asked": ["umbrella: blue/navy"], "other": ["umbrella: red → umbrella: blue/navy"]}),
            (UMBRELLA_TUPLES, [("umbrella", "crimson/red")], "Color", {"asked": ["umbrella: crimson/red"], "missed": ["umbrella: crimson/red"], "extra": ["umbrella: red"]}),
            (UMBRELLA_TUPLES, [("umbrella", "red"), ("umbrella", "blue")], "Color", {"asked": ["umbrella: red", "umbrella: blue"], "found": ["umbrella: red"], "missed": ["umbrella: blue"]}),
            ([("dog", "red"), ("dog", "small")], [("dog", "blue"), ("dog", "large"), ("dog", "wet")], "Attribute",
             {"asked": ["dog: blue", "dog: large", "dog: wet"], "other": ["dog: red → dog: blue", "dog: small → dog: large"], "missed": ["dog: wet"]}),
            (UMBRELLA_TUPLES, [("woman", "hold", "bag"), ("woman", "near", "umbrella"), ("man", "near", "car")], "Relation",
             {"asked": ["woman – hold – bag", "woman – near – umbrella", "man – near – car"], "missed": ["man – near – car"],
              "other": ["woman – hold – umbrella → woman – hold – bag", "woman – hold – umbrella → woman – near – umbrella"]}),
            (UMBRELLA_TUPLES, [("woman",), ("bag",)], "Object", {"asked": ["woman", "bag"], "found": ["woman"], "missed": ["bag"], "extra": ["umbrella"]}),
        ]:  # fmt: skip
        assert outcomes_in_words(make_item(candidate, references), category) == expected_outcomes


@settings(max_examples=50)
@given(DRAWN_TUPLES, DRAWN_TUPLES, st.sampled_from(["Object", "Attribute", "Relation", "Color", "Size"]))
def test_outcomes_partition_the_tuples(candidate, references, category):
    row = replace(make_item([], []), candidate_tuples=tuple(candidate), reference_tuples=tuple(references))
    tuples_by_result = tuples_by_outcome(row, category, WORD_LISTS)
    expected_references = {c.reference for c in tuples_by_result[Outcome.OTHER]}
    missed = {c.reference for c in tuples_by_result[Outcome.MISSED]}
    found_references = {c.reference for c in tuples_by_result[Outcome.FOUND]}
    assert not expected_references & missed
    assert expected_references | missed | found_references == {c.reference for c in tuples_by_result[Outcome.ASKED]}
    assert not {c.candidate for c in tuples_by_result[Outcome.OTHER]} & {c.candidate for c in tuples_by_result[Outcome.EXTRA]}


def test_words_that_share_a_synset_name_one_thing_and_long_captions_are_bounded():
    row = make_item([("couch", "red")], [("sofa", "blue")])
    assert Outcome.OTHER not in {o for o, c in tuples_by_outcome(row, "Color", WORD_LISTS).items() if c}
    tuples_by_result = tuples_by_outcome(row, "Color", WORD_LISTS, is_same_thing=lambda a, b: {a, b} <= {"couch", "sofa"} or a == b)
    assert tuples_by_result[Outcome.OTHER] == [TuplePair(("couch", "red"), ("sofa", "blue"))]
    is_same_thing = make_same_thing_predicate(WordNet.load())
    # These pairs share a word or a synset, or one word is a direct hypernym of the other.
    for a, b in (("frisbee", "toy"), ("t-shirt", "shirt"), ("bus/coach", "autobus"), ("toy", "frisbee/disc")):
        assert is_same_thing(a, b) is is_same_thing(b, a) is True
    # These pairs are more than one step apart, or a word is unknown.
    for a, b in (("bus", "truck"), ("plane", "vehicle"), ("blorf", "toy")):
        assert is_same_thing(a, b) is is_same_thing(b, a) is False
    # A comparison of all pairs of tuples would need 300 × 300 comparisons for one caption.
    row = make_item([(f"a{i}", "red") for i in range(300)], [(f"b{i}", "blue") for i in range(300)])
    seen_pairs = []
    tuples_by_result = tuples_by_outcome(row, "Color", WORD_LISTS, is_same_thing=lambda a, b: bool(seen_pairs.append((a, b))))
    assert len(tuples_by_result[Outcome.MISSED]) == 300 and seen_pairs == []
    rows = [
        make_item(UMBRELLA_TUPLES, [("umbrella", "blue"), ("umbrella", "green")], 7),
        make_item(UMBRELLA_TUPLES, [("umbrella", "red")], 3),
    ]
    tuples_by_result = images_by_outcome(rows, ["Color"], WORD_LISTS)
    assert tuples_by_result["Color", Outcome.ASKED] == [7, 3]
    assert tuples_by_result["Color", Outcome.OTHER] == [7]
    assert tuples_by_result["Color", Outcome.FOUND] == [3]
