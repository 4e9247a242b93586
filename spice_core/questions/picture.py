"""Check of a caption against its picture, by the answers to the questions about its tuples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spice_core.metrics.result import SpiceResult
from spice_core.questions.answer_values import Answer
from spice_core.questions.question import Question, questions_of


@dataclass(frozen=True)
class PictureCheck:
    """The questions about a candidate, grouped by whether the tuple matches a reference and is true of the picture.

    Attributes:
        confirmed: Questions whose tuple is true and matches a reference.
        unconfirmed: Questions whose tuple is true, but matches no reference.
        refuted: Questions whose tuple matches a reference, but is not true.
        wrong: Questions whose tuple is not true and matches no reference.
        open: Questions with no answer, or with an answer that is neither yes nor no.
    """

    confirmed: tuple[Question, ...]
    unconfirmed: tuple[Question, ...]
    refuted: tuple[Question, ...]
    wrong: tuple[Question, ...]
    open: tuple[Question, ...]

    @property
    def answer_count(self) -> int:
        """The number of questions answered yes or no."""
        return sum(map(len, (self.confirmed, self.unconfirmed, self.refuted, self.wrong)))

    @property
    def picture_precision(self) -> float:
        """The share of answered questions whose tuple is true of the picture (0–1, nan without answers)."""
        return (len(self.confirmed) + len(self.unconfirmed)) / self.answer_count if self.answer_count else float("nan")

    @property
    def reference_precision(self) -> float:
        """The share of answered questions whose tuple matches a reference (0–1, nan without answers)."""
        return (len(self.confirmed) + len(self.refuted)) / self.answer_count if self.answer_count else float("nan")


def candidate_questions(result: SpiceResult) -> list[Question]:
    """Return the questions about a candidate's tuples."""
    return questions_of(result.candidate_tuples, [result.candidate], result.signature.lang)


def check_picture(result: SpiceResult, questions: Sequence[Question], answers: Mapping[str, Answer]) -> PictureCheck:
    """Group the questions about a candidate by references and answers.

    ``answers`` holds the answer to each question by its id. A tuple is not true if a parent of its question is answered
    "no", even if the question itself is answered "yes" or has no answer.
    """
    groups: dict[tuple[bool, bool] | None, list[Question]] = {}
    for question in questions:
        answer = answers.get(question.id, Answer.OPEN)
        is_denied = any(answers.get(id) is Answer.NO for id in question.parents)
        if is_denied:
            answer = Answer.NO
        key = None if answer in (Answer.OPEN, Answer.OTHER) else (question.node in result.match_by_tuple, answer is Answer.YES)
        groups.setdefault(key, []).append(question)
    keys = ((True, True), (False, True), (True, False), (False, False), None)
    return PictureCheck(*(tuple(groups.get(key, ())) for key in keys))
