"""Answers of the user's vision model, which is a function from a picture and questions to truth values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from spice_core.data.reader import ReadablePath, RowError
from spice_core.errors import InputError, Message
from spice_core.questions.answer_values import Answer, read_answer
from spice_core.questions.answers import TEXT_FIELDS
from spice_core.questions.files import ID_FIELDS, PromptQuestions, dsg_rows, file_rows, first_field, read_id

Image = TypeVar("Image")
AnswerFunction = Callable[[Image, Sequence[str]], Sequence[bool]]


def answer_questions(answer: AnswerFunction[Image], prompts: Iterable[tuple[Image, PromptQuestions]]) -> Iterator[dict[str, object]]:
    """Yield the rows of DSG's table with a model's answers, one call per picture.

    Args:
        answer: function of a picture and its questions that returns one truth value for each question. A picture may be a path, an open
            image, an id, or whatever else the function accepts.
        prompts: pictures, each with its prompt and questions.

    Raises:
        InputError: the function returns a wrong number of answers, or values that are not truth values.
    """
    for image, prompt in prompts:
        texts = [question.text for question in prompt.questions]
        answers = list(answer(image, texts)) if texts else []
        if len(answers) != len(texts) or not all(isinstance(value, bool) for value in answers):
            raise InputError(prompt.prompt.id, answers, Message("expected.answers_list", number=len(texts)))
        for row, value in zip(dsg_rows([prompt]), answers):
            yield {**row, "answer": "yes" if value else "no"}


class RecordedAnswers:
    """Model that returns recorded answers from a file. Each row has the id of a picture, a question and its answer.

    Questions without an answer, or with the answer "?", are answered "no" and counted in ``missing``.
    """

    def __init__(self, path: ReadablePath):
        """Read the file. Raises RowError if a row is invalid or a question has two different answers for one picture."""
        self._answers: dict[tuple[str, str], Answer] = {}
        for place, row in file_rows(path):
            try:
                question = str(first_field(row, TEXT_FIELDS)).strip()
                answer = read_answer(row)
                if self._answers.setdefault((read_id(row, ID_FIELDS), question), answer) is not answer:
                    raise InputError(TEXT_FIELDS[0], question, Message("expected.one_answer"))
            except InputError as error:
                raise RowError(path, place, error) from None
        self.missing = 0

    def __call__(self, image: str, questions: Sequence[str]) -> list[bool]:
        answers = [self._answers.get((image, question), Answer.OPEN) for question in questions]
        self.missing += answers.count(Answer.OPEN)
        return [answer is Answer.YES for answer in answers]
