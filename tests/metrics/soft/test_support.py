"""Support: a word that all references contradict has less support than words that they mention and details that they omit."""

import math

import pytest

from spice_core import Spice
from spice_core.metrics.measure import segment_scores
from spice_core.metrics.soft import Soft
from spice_core.metrics.soft.support import FEATURE_NAMES, Support, load_weights
from spice_core.scene.propositions import KIND_BY_LENGTH

TENNIS = ["A child stands on a tennis court with a racket.", "A young girl plays tennis.", "A girl on a tennis court."]
DOG = ["A brown dog sleeps on a couch.", "A dog lies on a sofa next to a pillow.", "A puppy on a couch in a living room."]
STREET = ["A man rides a black motorcycle down a street.", "A motorcyclist on a city road.", "A person on a motorcycle passes parked cars."]


@pytest.fixture(scope="module")
def soft_metric():
    return Soft(Spice())


def supports(soft_metric: Soft, candidate, references) -> dict[tuple[str, ...], float]:
    result = soft_metric.compute(candidate, references)
    return dict(zip((t.words for t in result.alignment.candidates), Support(soft_metric.spice.synonyms).tuple_scores(result)))


def test_a_wrong_word_has_less_support_than_the_right_one(soft_metric):
    for right_caption, wrong_caption, references in [
        ("A girl with a racket on a tennis court.", "A girl with a piano on a tennis court.", TENNIS),
        ("A girl with a racket on a tennis court.", "A girl with a racket on a ski slope.", TENNIS),
        ("A young girl on a court.", "An old girl on a court.", TENNIS),
        ("A dog on a couch.", "A cat on a couch.", DOG),
        ("A brown dog on a couch.", "A white dog on a couch.", DOG),
        ("A dog lying on a couch.", "A dog lying under a couch.", DOG),
        ("A man riding a motorcycle.", "A man riding a bicycle.", STREET),
        ("A black motorcycle on a street.", "A pink motorcycle on a street.", STREET),
        ("A motorcycle and parked cars.", "A motorcycle and parked boats.", STREET),
    ]:  # fmt: skip
        lowest = [min(supports(soft_metric, caption, references).values()) for caption in (right_caption, wrong_caption)]
        assert 0 <= lowest[1] < lowest[0] <= 1
    for right_caption, wrong_caption, reference in [
        ("赤い傘を差した女性が歩いている。", "青い傘を差した女性が歩いている。", "赤い傘の女性が道を歩いています。"),
        ("犬がソファで寝ている。", "猫がソファで寝ている。", "茶色の犬がソファの上で眠っています。"),
        ("テーブルにピザが置かれている。", "テーブルに時計が置かれている。", "テーブルの上に大きなピザがあります。"),
    ]:  # fmt: skip
        japanese = Soft(Spice("ja"))
        lowest = [min(supports(japanese, caption, [reference]).values()) for caption in (right_caption, wrong_caption)]
        assert 0 <= lowest[1] < lowest[0] <= 1


def test_a_partial_match_is_not_full_support():
    support_by_words = supports(Soft(Spice("ja")), "テーブルの上にトマトが置かれている", ["床の上に本が置かれている"])
    assert max(support_by_words.values()) < 0.9


def test_the_wrong_word_has_the_least_support_also_in_a_long_caption(soft_metric):
    support_by_words = supports(soft_metric, "A white dog sleeping on a couch beside a giraffe.", DOG)
    assert min(support_by_words, key=support_by_words.__getitem__) in {
        ("giraffe",),
        ("dog", "beside", "giraffe"),
        ("couch", "beside", "giraffe"),
    }
    assert support_by_words["giraffe",] < 0.6 < 0.9 < support_by_words["dog",]
    assert support_by_words["dog", "white"] < support_by_words["dog", "sleep"]
    sentences = [
        "A brown dog is sleeping on a large couch in a bright living room with two tall windows.",
        "Next to it lies a striped pillow, and a lamp stands on a small wooden table.",
        "A framed picture hangs on the wall above the couch.",
    ]
    right_caption, wrong_caption = " ".join(sentences), " ".join(sentences).replace("a lamp", "a penguin")
    assert len(right_caption) > 200
    support_by_words = supports(soft_metric, wrong_caption, [right_caption])
    assert min(support_by_words, key=support_by_words.__getitem__) in {("penguin",), ("penguin", "stand"), ("penguin", "stand on", "table")}
    assert min(supports(soft_metric, right_caption, [right_caption]).values()) == 1


def test_support_covers_given_propositions_captions_without_tuples_and_missing_weights(soft_metric):
    result = soft_metric.compute("Hello.", DOG)
    assert Support(soft_metric.spice.synonyms).tuple_scores(result) == () and math.isnan(
        Support(soft_metric.spice.synonyms).lowest_score(result)
    )
    support_by_words = supports(soft_metric, [["dog", "brown"], ["zebra"]], [[["dog", "brown"]], [["dog", "on", "couch"]]])
    assert support_by_words["zebra",] < support_by_words["dog",]
    without_weights = Soft(soft_metric.spice, "hypernyms")
    result = without_weights.compute("A cat on a couch.", DOG)
    nearest = zip(result.alignment.candidates, result.alignment.similarities.max(axis=1).tolist())
    expected_supports = [1 if tuple_.id in result.result.match_by_tuple else value for tuple_, value in nearest]
    assert Support(without_weights.spice.synonyms).tuple_scores(result) == pytest.approx(expected_supports) and min(expected_supports) < 1


def test_prepared_results_and_the_metric_have_the_same_support(soft_metric):
    fresh_metric, references = Soft(soft_metric.spice), STREET
    results = [fresh_metric.compute(caption, references) for caption in ("A man on a motorcycle.", "A pink bus.", "")]
    support = Support(fresh_metric.spice.synonyms)
    support.prepare(results)
    for result in results:
        other_result = Soft(soft_metric.spice).score_result(result.result)
        assert support.tuple_scores(result) == pytest.approx(Support(fresh_metric.spice.synonyms).tuple_scores(other_result), abs=1e-5)
    support.prepare([])
    items = [("A cat on a couch.", DOG), ("A man riding a motorcycle.", STREET)]
    scores_by_metric = segment_scores(items, ["support"], spice=soft_metric.spice)["support"]
    assert scores_by_metric == pytest.approx([min(supports(soft_metric, *item).values()) for item in items], abs=1e-4)
    assert load_weights()
    for weights in load_weights().values():
        assert set(weights) == set(KIND_BY_LENGTH.values())
        assert all(set(kind_weights) == {"intercept", *FEATURE_NAMES} for kind_weights in weights.values())
