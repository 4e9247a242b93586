"""Questions about two systems: hand-written cases, random small captions, and the four systems of the sample."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts.uploads.datasets import ENGLISH_SAMPLE
from spice_core.data.results import ScoredItem, ScoredTuple, read_results
from spice_core.evaluation.system_questions import (
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
from spice_core.lang import language
from spice_core.scene.scores import KIND_CATEGORIES, OVERALL, Score

LISTS = {"Color": frozenset({"red", "blue", "green"}), "Size": frozenset({"small", "large"})}
CATEGORIES = (*KIND_CATEGORIES, *LISTS)
DOG, CAT, RED, BLUE, BIG, RUN = ("dog",), ("cat",), ("dog", "red"), ("dog", "blue"), ("dog", "large"), ("dog", "run", "park")
WORDS = st.sampled_from(["dog", "red", "blue", "small", "large", "sofa"])
TUPLES = st.lists(st.one_of(st.tuples(WORDS), st.tuples(WORDS, WORDS), st.tuples(WORDS, WORDS, WORDS)), max_size=7, unique=True)


def make_row(candidate: list, references: list, image: int = 1) -> ScoredItem:
    """Return a row with these tuples; those on both sides match."""
    sides = [tuple(ScoredTuple(t, t in there) for t in here) for here, there in ((candidate, references), (references, candidate))]
    inside = {OVERALL: lambda t: True}
    inside |= {name: lambda t, n=n: len(t) == n for name, n in KIND_CATEGORIES.items()}
    inside |= {name: lambda t, words=words: len(t) == 2 and t[1] in words for name, words in LISTS.items()}
    scores = {}
    for name, has in inside.items():
        counts = [sum(matched for t, matched in sides[0] if has(t)), *(sum(has(t) for t, _ in side) for side in sides)]
        scores[name] = Score(*counts, strict=name == OVERALL)
    return ScoredItem(image, "A dog.", ("A dog.",), scores, *sides)


def make_pair(base: list, other: list, references: list, image: int = 1) -> RowPair:
    return RowPair(make_row(base, references, image), make_row(other, references, image))


def answers_in_words(pair: RowPair, category: str) -> dict[str, list[str]]:
    """Return the answers that hold, as ``base found``, with their tuples in words."""
    behind = tuples_by_question(pair, category, LISTS).items()
    return {" ".join(q): [" → ".join(": ".join(words) for words in c if words) for c in concerns] for q, concerns in behind if concerns}


def test_each_difference_has_its_tuples():
    for base, other, references, category, wanted in [
            ([DOG, RED], [DOG], [DOG, RED], "Color", {"base found": ["dog: red"], "base wins": ["dog: red"]}),
            ([DOG], [DOG, RED], [DOG, RED], "Color", {"other found": ["dog: red"], "other wins": ["dog: red"]}),
            ([DOG, RED], [DOG, BLUE], [DOG, RED], "Color", {"base found": ["dog: red"], "base wins": ["dog: red", "dog: blue"], "other value": ["dog: blue → dog: red"]}),
            ([DOG, BLUE], [DOG, BLUE], [DOG, RED], "Color", {}),  # both say it
            ([DOG, BLUE], [DOG], [DOG, RED], "Color", {"base value": ["dog: blue → dog: red"], "other wins": ["dog: blue"]}),
            ([DOG], [DOG, BLUE], [DOG, CAT], "Color", {"base wins": ["dog: blue"]}),  # the references have no colour
            ([DOG, RED], [DOG, CAT], [DOG, RED, CAT], "Color", {"base found": ["dog: red"]}),  # equal F1: nobody wins
            ([DOG, RED], [DOG, CAT], [DOG, RED, CAT], "Object", {"other found": ["cat"]}),
            ([DOG, CAT, RED], [DOG], [DOG, CAT, RED], "Color", {"base found": ["dog: red"]}),  # the cat alone is enough
            ([DOG, RED, BIG], [DOG, RUN], [DOG, RED, BIG, RUN], "Attribute", {"base found": ["dog: red", "dog: large"], "base wins": ["dog: red", "dog: large"]}),
            ([DOG, RED, BIG], [DOG, RUN], [DOG, RED, BIG, RUN], "Size", {"base found": ["dog: large"], "base wins": ["dog: large"]}),
        ]:  # fmt: skip
        assert answers_in_words(make_pair(base, other, references), category) == wanted


def test_shared_tuples_decide_nothing_and_some_kinds_decide_together():
    """Without its objects, the first caption would lose, but both captions name the same one, so objects decide nothing."""
    rest = [("dog", f"a{i}") for i in range(24)]
    first = [DOG, rest[0]]
    second = [DOG, *rest[:4], *(("cat", f"x{i}") for i in range(16))]
    both = make_pair(first, second, [DOG, *rest[:7]])
    assert both.winner is SystemSide.BASE
    without = [Score(r.overall.matched - 1, r.overall.candidate - 1, r.overall.reference - 1, strict=True).f1 for r in both.rows]
    assert without[0] < without[1] and not is_decisive(both, "Object") and is_decisive(both, "Attribute")
    several = make_pair([DOG, CAT, RED], [DOG], [DOG, CAT, RED])
    assert deciding_categories(several, CATEGORIES) == [("Object", "Attribute")]
    assert [c.reference for c in advantage_tuples(several, ("Object", "Attribute"), LISTS)] == [CAT, RED]
    assert deciding_categories(make_pair([DOG, RED], [DOG], [DOG, RED]), CATEGORIES) == [("Attribute",), ("Color",)]
    assert (
        deciding_categories(make_pair([DOG], [DOG], [DOG]), CATEGORIES)
        == []
        == advantage_tuples(make_pair([DOG], [DOG], [DOG]), CATEGORIES, LISTS)
    )
    assert answers_in_words(RowPair(make_row([DOG, RED], [DOG, RED]), make_row([DOG], [DOG])), "Color") == {}


@settings(max_examples=50)
@given(TUPLES, TUPLES, TUPLES)
def test_properties_of_every_pair(base, other, references):
    both, turned = make_pair(base, other, references), make_pair(other, base, references)
    for category in CATEGORIES:
        found = tuples_by_question(both, category, LISTS)
        assert {Question(q.side.opposite, q.difference): c for q, c in found.items()} == tuples_by_question(turned, category, LISTS)
        if is_decisive(both, category):
            assert both.winner and counts(both.base, category) != counts(both.other, category)
            winner, loser = (both.of(side).scores[category] for side in (both.winner, both.winner.opposite))
            assert winner.matched > loser.matched or winner.candidate - winner.matched < loser.candidate - loser.matched
    differ = [kind for kind in KIND_CATEGORIES if counts(both.base, kind) != counts(both.other, kind)]
    if both.winner and len(differ) == 1:
        assert is_decisive(both, differ[0]), "the only kind in which two captions differ decides"
    assert bool(both.winner) == (abs(both.gap) > MAX_EQUAL_DIFFERENCE) == bool(deciding_categories(both, CATEGORIES)), (
        "all kinds together always decide"
    )


def counts(item: ScoredItem, category: str) -> tuple[float, int]:
    return item.scores[category].matched, item.scores[category].candidate


def test_images_are_unique_and_one_kind_decides_most_of_the_sample():
    found = images_by_question(
        [make_pair([DOG, RED, BLUE], [DOG], [DOG, RED, BLUE], 7), make_pair([DOG, RED], [DOG], [DOG, RED], 3)], ["Color"], LISTS
    )
    assert (
        found["Color", Question(SystemSide.BASE, Difference.FOUND)] == [7, 3] == found["Color", Question(SystemSide.BASE, Difference.WINS)]
    )
    assert sum(map(len, found.values())) == 4 and len(found) == len(SYSTEM_QUESTIONS)  # and counts without tuples tell what decides
    scores = [{OVERALL: Score(n, 4, 6, strict=True), "Color": Score(n - 1, 2, 3)} for n in (3, 2)]
    bare = RowPair(*(ScoredItem(1, "", (), each) for each in scores))
    assert images_by_question([bare], ["Color"], LISTS)["Color", Question(SystemSide.BASE, Difference.WINS)] == [1]
    a, b = ({row.image_id: row for row in read_results(ENGLISH_SAMPLE.scored(name))} for name in ENGLISH_SAMPLE.systems[:2])
    pairs = [RowPair(a[image], b[image]) for image in a if image in b]
    won = [each for each in pairs if each.winner]
    decided = [each for each in won if any(is_decisive(each, kind) for kind in KIND_CATEGORIES)]
    assert len(won) / 2 < len(decided) < len(won)
    found = images_by_question(pairs, CATEGORIES, language("en").categories)
    wins = {image for (_, question), ids in found.items() if question.difference is Difference.WINS for image in ids}
    assert {each.id for each in decided} <= wins <= {each.id for each in won}
