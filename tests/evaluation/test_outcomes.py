"""Test questions about one system and about two systems."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts.uploads.datasets import ENGLISH_SAMPLE
from spice_core.data.results import ScoredItem, ScoredTuple, read_results
from spice_core.evaluation.differences import (
    MAX_EQUAL_DIFFERENCE,
    SYSTEM_QUESTIONS,
    Difference,
    Question,
    RowPair,
    SystemSide,
    advantage_tuples,
    deciding_categories,
    images_by_question,
    is_decisive,
    tuples_by_question,
)
from spice_core.evaluation.outcomes import Outcome, TuplePair, images_by_outcome, make_same_thing_predicate, tuples_by_outcome
from spice_core.lang import language
from spice_core.lang.en.wordnet.database import WordNet
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL, Score

WORD_LISTS = {"Color": frozenset({"red", "blue", "green"}), "Size": frozenset({"small", "large"})}
UMBRELLA_TUPLES = [("umbrella",), ("umbrella", "red"), ("woman",), ("woman", "hold", "umbrella")]
RANDOM_WORDS = st.sampled_from(["dog", "red", "blue", "small", "large", "sofa", "run", "on"])
RANDOM_TUPLES = st.lists(
    st.tuples(
        st.one_of(st.tuples(RANDOM_WORDS), st.tuples(RANDOM_WORDS, RANDOM_WORDS), st.tuples(RANDOM_WORDS, RANDOM_WORDS, RANDOM_WORDS)),
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
@given(RANDOM_TUPLES, RANDOM_TUPLES, st.sampled_from(["Object", "Attribute", "Relation", "Color", "Size"]))
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


CATEGORIES = (*KIND_CATEGORIES, *WORD_LISTS)
DOG, CAT, RED, BLUE, BIG, RUN = ("dog",), ("cat",), ("dog", "red"), ("dog", "blue"), ("dog", "large"), ("dog", "run", "park")
CAPTION_WORDS = st.sampled_from(["dog", "red", "blue", "small", "large", "sofa"])
CAPTION_TUPLES = st.lists(
    st.one_of(
        st.tuples(CAPTION_WORDS),
        st.tuples(CAPTION_WORDS, CAPTION_WORDS),
        st.tuples(CAPTION_WORDS, CAPTION_WORDS, CAPTION_WORDS),
    ),
    max_size=7,
    unique=True,
)


def make_row(candidate: list, references: list, image: int = 1) -> ScoredItem:
    """Return a scored item with these tuples, in which a tuple matches if it is on both sides."""
    scored_sides = [
        tuple(ScoredTuple(t, t in opposite_tuples) for t in own_tuples)
        for own_tuples, opposite_tuples in ((candidate, references), (references, candidate))
    ]
    test_by_category = {OVERALL: lambda t: True}
    test_by_category |= {name: lambda t, n=n: len(t) == n for name, n in KIND_CATEGORIES.items()}
    test_by_category |= {name: lambda t, words=words: len(t) == 2 and t[1] in words for name, words in WORD_LISTS.items()}
    scores_by_category = {}
    for name, belongs in test_by_category.items():
        counts = [
            sum(is_matched for t, is_matched in scored_sides[0] if belongs(t)),
            *(sum(belongs(t) for t, _ in side) for side in scored_sides),
        ]
        scores_by_category[name] = Score(*counts, strict=name == OVERALL)
    return ScoredItem(image, "A dog.", ("A dog.",), scores_by_category, *scored_sides)


def make_pair(base: list, other_tuples: list, references: list, image: int = 1) -> RowPair:
    return RowPair(make_row(base, references, image), make_row(other_tuples, references, image))


def answers_in_words(pair: RowPair, category: str) -> dict[str, list[str]]:
    """Return the tuples of each applicable answer as text, by keys such as ``base found``."""
    tuples_of_question = tuples_by_question(pair, category, WORD_LISTS).items()
    return {
        " ".join(q): [" → ".join(": ".join(words) for words in c if words) for c in concerns]
        for q, concerns in tuples_of_question
        if concerns
    }


def test_each_difference_has_its_tuples():
    for base, other_tuples, references, category, expected_tuples in [
            ([DOG, RED], [DOG], [DOG, RED], "Color", {"base found": ["dog: red"], "base wins": ["dog: red"]}),
            ([DOG], [DOG, RED], [DOG, RED], "Color", {"other found": ["dog: red"], "other wins": ["dog: red"]}),
            ([DOG, RED], [DOG, BLUE], [DOG, RED], "Color", {"base found": ["dog: red"], "base wins": ["dog: red", "dog: blue"], "other value": ["dog: blue → dog: red"]}),
            # Both systems have the tuple.
            ([DOG, BLUE], [DOG, BLUE], [DOG, RED], "Color", {}),
            ([DOG, BLUE], [DOG], [DOG, RED], "Color", {"base value": ["dog: blue → dog: red"], "other wins": ["dog: blue"]}),
            # The references mention no colour.
            ([DOG], [DOG, BLUE], [DOG, CAT], "Color", {"base wins": ["dog: blue"]}),
            # With equal F1, no system wins.
            ([DOG, RED], [DOG, CAT], [DOG, RED, CAT], "Color", {"base found": ["dog: red"]}),
            ([DOG, RED], [DOG, CAT], [DOG, RED, CAT], "Object", {"other found": ["cat"]}),
            ([DOG, CAT, RED], [DOG], [DOG, CAT, RED], "Color", {"base found": ["dog: red"]}),  # the cat alone lets the base system win
            ([DOG, RED, BIG], [DOG, RUN], [DOG, RED, BIG, RUN], "Attribute", {"base found": ["dog: red", "dog: large"], "base wins": ["dog: red", "dog: large"]}),
            ([DOG, RED, BIG], [DOG, RUN], [DOG, RED, BIG, RUN], "Size", {"base found": ["dog: large"], "base wins": ["dog: large"]}),
        ]:  # fmt: skip
        assert answers_in_words(make_pair(base, other_tuples, references), category) == expected_tuples


def test_shared_tuples_decide_nothing_and_some_kinds_decide_together():
    """The first caption would lose without its objects; but both captions have the same object."""
    rest_tuples = [("dog", f"a{i}") for i in range(24)]
    first_tuples = [DOG, rest_tuples[0]]
    second_tuples = [DOG, *rest_tuples[:4], *(("cat", f"x{i}") for i in range(16))]
    pair = make_pair(first_tuples, second_tuples, [DOG, *rest_tuples[:7]])
    assert pair.winner is SystemSide.BASE
    remaining_scores = [Score(r.overall.matched - 1, r.overall.candidate - 1, r.overall.reference - 1, strict=True).f1 for r in pair.rows]
    assert remaining_scores[0] < remaining_scores[1] and not is_decisive(pair, "Object") and is_decisive(pair, "Attribute")
    several_pair = make_pair([DOG, CAT, RED], [DOG], [DOG, CAT, RED])
    assert deciding_categories(several_pair, CATEGORIES) == [("Object", "Attribute")]
    assert [c.reference for c in advantage_tuples(several_pair, ("Object", "Attribute"), WORD_LISTS)] == [CAT, RED]
    assert deciding_categories(make_pair([DOG, RED], [DOG], [DOG, RED]), CATEGORIES) == [("Attribute",), ("Color",)]
    assert (
        deciding_categories(make_pair([DOG], [DOG], [DOG]), CATEGORIES)
        == []
        == advantage_tuples(make_pair([DOG], [DOG], [DOG]), CATEGORIES, WORD_LISTS)
    )
    assert answers_in_words(RowPair(make_row([DOG, RED], [DOG, RED]), make_row([DOG], [DOG])), "Color") == {}


@settings(max_examples=50)
@given(CAPTION_TUPLES, CAPTION_TUPLES, CAPTION_TUPLES)
def test_answers_are_consistent_for_every_pair(base, other_tuples, references):
    pair, swapped_pair = make_pair(base, other_tuples, references), make_pair(other_tuples, base, references)
    for category in CATEGORIES:
        tuples_by_key = tuples_by_question(pair, category, WORD_LISTS)
        assert {Question(q.side.opposite, q.difference): c for q, c in tuples_by_key.items()} == tuples_by_question(
            swapped_pair, category, WORD_LISTS
        )
        if is_decisive(pair, category):
            assert pair.winner and counts(pair.base, category) != counts(pair.other, category)
            winner_score, loser = (pair.row_of(side).scores[category] for side in (pair.winner, pair.winner.opposite))
            assert winner_score.matched > loser.matched or winner_score.candidate - winner_score.matched < loser.candidate - loser.matched
    differing_kinds = [kind for kind in KIND_CATEGORIES if counts(pair.base, kind) != counts(pair.other, kind)]
    if pair.winner and len(differing_kinds) == 1:
        assert is_decisive(pair, differing_kinds[0]), "the only kind in which two captions differ decides"
    assert bool(pair.winner) == (abs(pair.gap) > MAX_EQUAL_DIFFERENCE) == bool(deciding_categories(pair, CATEGORIES)), (
        "all kinds together always decide"
    )


def counts(item: ScoredItem, category: str) -> tuple[float, int]:
    return item.scores[category].matched, item.scores[category].candidate


def test_images_are_unique_and_one_kind_decides_most_of_the_sample():
    images = images_by_question(
        [make_pair([DOG, RED, BLUE], [DOG], [DOG, RED, BLUE], 7), make_pair([DOG, RED], [DOG], [DOG, RED], 3)],
        ["Color"],
        WORD_LISTS,
    )
    assert (
        images["Color", Question(SystemSide.BASE, Difference.FOUND)]
        == [7, 3]
        == images["Color", Question(SystemSide.BASE, Difference.WINS)]
    )
    # Counts alone, without tuples, show which category decides.
    assert sum(map(len, images.values())) == 4 and len(images) == len(SYSTEM_QUESTIONS)
    score_sides = [{OVERALL: Score(n, 4, 6, strict=True), "Color": Score(n - 1, 2, 3)} for n in (3, 2)]
    bare_pair = RowPair(*(ScoredItem(1, "", (), scores_) for scores_ in score_sides))
    assert images_by_question([bare_pair], ["Color"], WORD_LISTS)["Color", Question(SystemSide.BASE, Difference.WINS)] == [1]
    a, b = ({row.image_id: row for row in read_results(ENGLISH_SAMPLE.scored_path(name))} for name in ENGLISH_SAMPLE.systems[:2])
    pairs = [RowPair(a[image], b[image]) for image in a if image in b]
    won_pairs = [scores_ for scores_ in pairs if scores_.winner]
    decided_pairs = [scores_ for scores_ in won_pairs if any(is_decisive(scores_, kind) for kind in KIND_CATEGORIES)]
    assert len(won_pairs) / 2 < len(decided_pairs) < len(won_pairs)
    images = images_by_question(pairs, CATEGORIES, language("en").categories)
    wins = {image for (_, question), ids in images.items() if question.difference is Difference.WINS for image in ids}
    assert {scores_.id for scores_ in decided_pairs} <= wins <= {scores_.id for scores_ in won_pairs}
