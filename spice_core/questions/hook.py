"""Answers of a vision model of the user's own: a function of a picture and questions that returns truth values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from spice_core.data.reader import Readable
from spice_core.errors import InputError, Message
from spice_core.questions.answers import Answer, answer_of
from spice_core.questions.files import IDS, Asked, dsg_rows, field, file_rows

Image = TypeVar("Image")
AnswerFunction = Callable[[Image, Sequence[str]], Sequence[bool]]


def answer_questions(answer: AnswerFunction[Image], asked: Iterable[tuple[Image, Asked]]) -> Iterator[dict[str, object]]:
    """Yield the rows of DSG's table with the answers of a model, one call per picture.

    Args:
        answer: a function of a picture and its questions that returns one truth value for each question. The picture is whatever the function
            takes: a path, an open image, an id.
        asked: pictures, each with its prompt and questions.

    Raises:
        InputError: the function returns another number of answers, or values that are not truth values.
    """
    for image, each in asked:
        texts = [question.text for question in each.questions]
        answers = list(answer(image, texts)) if texts else []
        if len(answers) != len(texts) or not all(isinstance(value, bool) for value in answers):
            raise InputError(each.prompt.id, answers, Message("expected.answers_list", number=len(texts)))
        for row, value in zip(dsg_rows([each]), answers):
            yield {**row, "answer": "yes" if value else "no"}


class RecordedAnswers:
    """A model that answers from a file: rows with an id of the picture, a question and its answer.

    A question without an answer is answered "no", and counted in ``missing``.
    """

    def __init__(self, path: Readable):
        """Read the file. Raises InputError."""
        self._answers: Mapping[tuple[str, str], bool] = {
            (str(field(row, IDS)), str(field(row, ("question", "question_natural_language"))).strip()): answer_of(row.get("answer"))
            is Answer.YES
            for _, row in file_rows(path)
        }
        self.missing = 0

    def __call__(self, image: str, questions: Sequence[str]) -> list[bool]:
        """Return the recorded answers to the questions of a picture."""
        self.missing += sum((image, question) not in self._answers for question in questions)
        return [self._answers.get((image, question), False) for question in questions]
