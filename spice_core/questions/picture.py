"""A caption checked against its picture: the tuples and references that the answers to its questions confirm or refute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spice_core.metrics.result import SpiceResult
from spice_core.questions.answer_values import Answer
from spice_core.questions.question import Question, questions_of


@dataclass(frozen=True)
class PictureCheck:
    """The tuples of a candidate, grouped by the references and the answers about the picture.

    ``unconfirmed`` are true of the picture although no reference says it, ``confirmed`` are true and in a reference, ``refuted`` are in a
    reference but not true, ``wrong`` are neither. ``open`` have no answer.
    """

    confirmed: tuple[Question, ...]
    unconfirmed: tuple[Question, ...]
    refuted: tuple[Question, ...]
    wrong: tuple[Question, ...]
    open: tuple[Question, ...]

    @property
    def answer_count(self) -> int:
        """The number of answered questions."""
        return sum(map(len, (self.confirmed, self.unconfirmed, self.refuted, self.wrong)))

    @property
    def picture_precision(self) -> float:
        """The share of the answered tuples that are true of the picture (0–1); nan if there are no answers."""
        return (len(self.confirmed) + len(self.unconfirmed)) / self.answer_count if self.answer_count else float("nan")

    @property
    def reference_precision(self) -> float:
        """The share of the same tuples that match a reference (0–1); nan if there are no answers."""
        return (len(self.confirmed) + len(self.refuted)) / self.answer_count if self.answer_count else float("nan")


def candidate_questions(result: SpiceResult) -> list[Question]:
    """Return the questions of a candidate's tuples, in their order."""
    return questions_of(result.candidate_tuples, [result.candidate], result.signature.lang)


def check_picture(result: SpiceResult, questions: Sequence[Question], answers: Mapping[str, Answer]) -> PictureCheck:
    """Group the tuples of a candidate by the answers, which are given by the id of the question.

    A tuple with a parent that is answered "no" is not true either, whatever its own answer.
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
