"""Test explanations of entailment: verdicts, disabled rules, and near misses with their unmet conditions."""

import pytest

from spice_core import Spice
from spice_core.explain.explanation import Judgement, judge_tuples
from spice_core.inference.rules import inference_rules
from spice_core.lang import language
from spice_core.scene.matching import MatchState

pytestmark = pytest.mark.parser


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice()


def judge_conclusion(spice: Spice, premise: str, conclusion: str, words: tuple[str, ...], **options: object) -> Judgement:
    return next(judgement for judgement in judge_tuples(spice, premise, conclusion, **options) if judgement.row.parts == words)


@pytest.mark.parametrize(("premise", "conclusion", "words", "rule", "lack"), [
    ("A man looks at the sea.", "A man is at the sea.", ("man", "at", "sea"), "place of an action", ("look", ("looking",), True)),
    ("A camera on a shelf.", "The camera hangs on the shelf.", ("camera", "hang on", "shelf"), "upper side", ("camera", "hang on top of", "shelf")),
], ids=["excluded word", "missing premise"])  # fmt: skip
def test_a_tuple_that_does_not_follow_has_near_miss_rules(spice, premise, conclusion, words, rule, lack):
    judgement = judge_conclusion(spice, premise, conclusion, words)
    assert judgement.row.state is MatchState.EXTRA
    miss = next(near_miss for near_miss in judgement.near_misses if near_miss.rule.name == rule)
    assert lack in (miss.missing_premise, (miss.word, miss.classes, miss.is_excluded_class))
    assert [len(near_miss.proved_premises) for near_miss in judgement.near_misses] == sorted(
        (len(near_miss.proved_premises) for near_miss in judgement.near_misses), reverse=True
    )


def test_disabled_rules_prove_nothing(spice):
    names = [rule.name for rule in inference_rules(language("en").inference_rules).rules]
    dog = ("A brush stands behind the skeleton.", "The brush is behind the skeleton.", ("brush", "behind", "skeleton"))
    assert (
        judge_conclusion(spice, *dog).row.state is MatchState.ENTAILED
        and judge_conclusion(spice, *dog, disabled_rules=names).row.state is MatchState.EXTRA
    )


def test_every_near_miss_of_the_rules_has_an_obstacle_or_no_rule(spice):
    """A near miss always has an unmet condition."""
    for rule in inference_rules(language("en").inference_rules).rules[::6]:
        for judgement in judge_tuples(spice, *rule.near_miss) if rule.near_miss else ():
            for miss in judgement.near_misses:
                incomplete = (
                    miss.rule.owner
                    or miss.rule.likely_owner
                    or miss.rule.in_one_sentence
                    or miss.rule.cost > 1
                    or len(miss.rule.premises) > 1
                )
                assert miss.missing_premise or miss.classes or incomplete, (rule.name, judgement.row.parts, miss.rule.name)
