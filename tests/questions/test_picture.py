"""Test a caption checked against its picture: tuples that are true although no reference mentions them."""

import math

import pytest

from spice_core import Spice
from spice_core.questions import Answer, candidate_questions, check_picture

pytestmark = pytest.mark.parser


def test_answers_partition_the_tuples_and_give_two_precisions():
    result = Spice().compute("A brown dog with a ball on a sofa", ["A dog on a sofa", "A sofa"])
    questions = candidate_questions(result)
    by_words = {q.words: q for q in questions}
    yes_answer, no = Answer.YES, Answer.NO
    answers = {("dog",): yes_answer, ("sofa",): no, ("ball",): yes_answer, ("dog", "brown"): yes_answer, ("dog", "with", "ball"): no}
    check = check_picture(result, questions, {by_words[words].id: answer for words, answer in answers.items()})
    words = lambda group: {q.words for q in group}
    assert words(check.confirmed) == {("dog",)} and words(check.unconfirmed) == {("ball",), ("dog", "brown")}
    assert ("sofa",) in words(check.refuted) and ("dog", "with", "ball") in words(check.wrong)
    assert any("sofa" in w and len(w) == 3 for w in words(check.refuted) | words(check.wrong)), "a tuple falls with its parent"
    assert check.picture_precision == 3 / check.answer_count and check.answer_count + len(check.open) == len(questions)
    empty = check_picture(result, questions, {})
    assert math.isnan(empty.picture_precision) and math.isnan(empty.reference_precision) and len(empty.open) == len(questions)
