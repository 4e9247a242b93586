"""Questions about a picture: answers of the user's vision model, and the check of a caption against its picture by the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from spice_core.data.reader import ReadablePath, RowError
from spice_core.errors import InputError, Message
from spice_core.metrics.result import SpiceResult
from spice_core.questions.answer_values import Answer, read_answer
from spice_core.questions.answers import TEXT_FIELDS
from spice_core.questions.files import ID_FIELDS, PromptQuestions, dsg_rows, file_rows, first_field, read_id
from spice_core.questions.question import Question, questions_of

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
