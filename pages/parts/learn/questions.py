"""The exercise on questions. The visitor sees the questions of two captions, and chooses those to which the first caption answers yes."""

from __future__ import annotations

from typing import NamedTuple

from pages.parts.learn.material import current_material
from pages.parts.learn.results import score_candidate
from pages.parts.state.engine import ScoredCaptions
from spice_core.questions import candidate_questions


class ListedQuestion(NamedTuple):
    """A question in the list, and whether the caption answers yes."""

    text: str
    holds: bool


def listed_questions() -> list[ListedQuestion]:
    """Return the questions of the caption, mixed with those questions of another caption to which the caption does not answer yes."""
    scored_self, scored_coat = score_caption(), score_candidate(current_material().white_dog, current_material().coat)
    questions_with_answers = [(question, True) for question in candidate_questions(scored_self.result)]
    questions_with_answers += [
        (question, False) for question in candidate_questions(scored_coat.result) if question.node not in scored_coat.result.match_by_tuple
    ]
    return [ListedQuestion(question.text, holds) for question, holds in sorted(questions_with_answers, key=lambda pair: pair[0].id)]


def score_caption() -> ScoredCaptions:
    """Score the caption against the other caption."""
    return score_candidate(current_material().coat, current_material().white_dog)


def numbered_lines() -> list[str]:
    """Return the texts of the listed questions."""
    return [question.text for question in listed_questions()]


def correct_numbers() -> set[int]:
    """Return the numbers of the questions to which the caption answers yes."""
    return {question_number for question_number, question in enumerate(listed_questions(), 1) if question.holds}
