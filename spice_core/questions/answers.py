"""Answers to questions by people or by a vision model, which are read from files and scored with and without dependencies.

The scores follow DSG (Cho et al., ICLR 2024): a question answered "yes" scores 1. With dependencies, the question scores 0 if the answer to
a parent is "no", or is neither yes nor no. The score of an item is the mean over its questions that are not open, and the score of an
annotator is the mean over the items.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, NamedTuple

from spice_core.data.reader import EncodingByFile, ReadablePath, RowError
from spice_core.data.results import are_words
from spice_core.errors import InputError, Message
from spice_core.questions.answer_values import Answer, answer_value, read_answer
from spice_core.questions.files import ID_FIELDS, PROMPT_FIELDS, TABLE_FIELD, WORDS_FIELD, ChangedTableDetector, file_rows, read_id
from spice_core.stats.bootstrap import Estimate, estimate_interval, resampled_means
from spice_core.stats.kappa import Kappa, cohens_kappa

if TYPE_CHECKING:
    import numpy as np

TEXT_FIELDS, _NUMBER_FIELDS = ("question_natural_language", "question"), ("proposition_id", "question_id")
PARENT_FIELDS = ("dependency", "dependency_id")  # in the questions of DSG, and in its released answers
_ANNOTATOR_FIELDS = ("annotator", "t2i_model", "model")
MAX_ANSWER_GROUPS = 200  # maximum number of annotators or models, and of kinds of questions, in a file
_CATEGORIES_PER_BLOCK = 20  # number of categories per bootstrap, to limit memory
_NO_PARENT_VALUES = frozenset(("", "0", "-"))


class AnsweredQuestion(NamedTuple):
    """A question about an item, with its answer.

    Attributes:
        item: The id of the item.
        question: The number or the text of the question.
        parents: The numbers of the questions on which this question depends.
        kind: The broad and the detailed kind of the question's tuple.
        answer: The answer.
        annotator: The annotator or the model that answered.
        words: The words of the question's tuple.
    """

    item: str
    question: str
    parents: tuple[str, ...]
    kind: tuple[str, str]
    answer: Answer
    annotator: str = ""
    words: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """The key that must be unique in a file: annotator, item and question."""
        return self.annotator, self.item, self.question


def read_answers(
    path: ReadablePath,
    questions: ReadablePath | None = None,
    *,
    by: str = "",
    encodings: EncodingByFile | None = None,
    notices: list[Message] | None = None,
) -> list[AnsweredQuestion]:
    """Read the answers of a file.

    Args:
        path: a file of questions with a column ``answer``, or a file of answers only, with item_id, question_id (or question) and answer.
            Rows may name an ``annotator`` (or ``t2i_model``, ``model``).
        questions: the file of the questions, if ``path`` contains only answers.
        by: the field whose values are scored apart, instead of ``annotator``.
        encodings: mapping to which the encodings of files that are not in UTF-8 are added.
        notices: list to which notices are added, for example about answers that are missing or neither yes nor no.

    Returns:
        One object per row. If ``questions`` is given and a row identifies its question by text, one object for each question of the item
        with this text.

    Raises:
        InputError: A row is invalid, a question is unknown or differs from the file of the questions, a question is answered twice, or there are no rows or too many annotators or categories. The error names the file, and for an error in a
            single row also the row.
    """
    table = None if questions is None else _QuestionTable(questions, encodings)
    answered_by_key: dict[tuple[str, str, str], AnsweredQuestion] = {}
    other_values: list[str] = []
    changed_tables = ChangedTableDetector()
    for place, row, answer_row in _read_rows(path, encodings, by, answers=True):
        changed_tables.add(row, answer_row.annotator, answer_row.item, answer_row.question, answer_row.words)
        if answer_row.answer is Answer.OTHER:
            other_values.append(str(answer_value(row))[:40])
        for question in table.join(answer_row, row, path, place) if table else (answer_row,):
            if question.key in answered_by_key:
                raise InputError(str(path), f"{question.item}, {question.question}", Message("expected.one_answer"))
            answered_by_key[question.key] = question
    if not answered_by_key:
        raise InputError(str(path), Message("found.no_row"), Message("expected.answered"))
    answered_questions, unknown_count = _without_unknown_parents(answered_by_key.values())
    _check_parents(answered_questions, path)
    _check_size(answered_questions, path)
    open_count = sum(answered_question.answer is Answer.OPEN for answered_question in answered_by_key.values())
    if notices is not None:
        notices += table.notices(path, answered_by_key.values()) if table else []
        notices += changed_tables.notices(path) if table is None else []
        notices += (
            [Message("notice.other_answers", file=str(path), number=len(other_values), first=other_values[0])] if other_values else []
        )
        notices += [Message("notice.open_answers", file=str(path), number=open_count)] if open_count else []
        notices += [Message("notice.unknown_parents", file=str(path), number=unknown_count)] if unknown_count else []
    return answered_questions


AnswerRow = tuple[str, Mapping[str, object], AnsweredQuestion]


def _read_rows(path: ReadablePath, encodings: EncodingByFile | None, by: str = "", *, answers: bool) -> Iterator[AnswerRow]:
    """Yield the rows of a file with their places and questions. Raises RowError."""
    for place, row in file_rows(path, encodings):
        try:
            yield place, row, _read_answered_question(row, by, answers=answers)
        except InputError as error:
            raise RowError(path, place, error) from None


def _read_answered_question(row: Mapping[str, object], by: str, *, answers: bool) -> AnsweredQuestion:
    item, question = read_id(row, ID_FIELDS), read_id(row, (*_NUMBER_FIELDS, *TEXT_FIELDS))
    answer = read_answer(row) if answers else Answer.OPEN
    numbers = next((row[name] for name in PARENT_FIELDS if row.get(name)), "")
    parents = tuple(p for part in str(numbers).split(",") if (p := part.strip()) not in _NO_PARENT_VALUES)
    kind = str(row.get("category_broad") or row.get("element_type") or ""), str(row.get("category_detailed") or "")
    annotator = next((read_id(row, (name,)) for name in ((by,) if by else _ANNOTATOR_FIELDS) if row.get(name)), "")
    return AnsweredQuestion(item, question, parents, kind, answer, annotator, _read_words(row.get(WORDS_FIELD)))


def _read_words(value: object) -> tuple[str, ...]:
    if value in (None, ""):
        return ()
    try:
        words = json.loads(value) if isinstance(value, str) else value
    except (json.JSONDecodeError, RecursionError):
        words = None
    if not are_words(words):
        raise InputError(WORDS_FIELD, value, Message("expected.proposition"))
    return tuple(words)


class _TableQuestion(NamedTuple):
    """A question in a table, with its row's prompt, text, tuple and table digest."""

    question: AnsweredQuestion
    fields: Mapping[str, str]


def _question_fields(row: Mapping[str, object], words: tuple[str, ...]) -> dict[str, str]:
    """Return the nonempty fields of a row among prompt, text, tuple and table digest."""
    names = (*PROMPT_FIELDS, "tuple", TABLE_FIELD, *reversed(TEXT_FIELDS))
    fields = {name: " ".join(str(row[name]).split()) for name in names if row.get(name)}
    if "question" in fields:
        fields.setdefault(TEXT_FIELDS[0], fields.pop("question"))
    return fields | ({WORDS_FIELD: json.dumps(words, ensure_ascii=False)} if words else {})


class _QuestionTable:
    """The questions of a file, looked up by number or text."""

    def __init__(self, path: ReadablePath, encodings: EncodingByFile | None):
        """Read the file. Raises RowError if a number belongs to several questions."""
        self._path, self._unchecked_rows = path, 0
        self._by_number: dict[tuple[str, str], _TableQuestion] = {}
        self._by_text: dict[tuple[str, str], list[_TableQuestion]] = defaultdict(list)
        self._changed_tables = ChangedTableDetector()
        for place, row, prompt_row in _read_rows(path, encodings, answers=False):
            self._changed_tables.add(row, "", prompt_row.item, prompt_row.question, prompt_row.words)
            question = _TableQuestion(prompt_row._replace(annotator=""), _question_fields(row, prompt_row.words))
            earlier_question = self._by_number.setdefault((prompt_row.item, prompt_row.question), question)
            if earlier_question != question:
                raise RowError(
                    path, place, InputError(_NUMBER_FIELDS[0], prompt_row.question, Message("expected.new_question", item=prompt_row.item))
                )
            if earlier_question is question:
                self._by_text[prompt_row.item, question.fields.get(TEXT_FIELDS[0], "")].append(question)

    def join(self, answer: AnsweredQuestion, row: Mapping[str, object], path: ReadablePath, place: str) -> list[AnsweredQuestion]:
        """Return the questions that a row answers, with the row's answer and annotator.

        A row with the number of a question answers this question. A row without it answers each question of the item with the same text.

        Raises RowError if there is no such question, or if the row has another prompt, text, tuple or digest than each of them.
        """
        fields = _question_fields(row, answer.words)
        text = fields.get(TEXT_FIELDS[0])
        known_question = self._by_number.get((answer.item, answer.question))
        questions = [known_question] if known_question else self._by_text.get((answer.item, text), []) if text else []
        if not questions:
            raise RowError(
                path, place, InputError(_NUMBER_FIELDS[0], answer.question, self._expectation_message("expected.question_of", answer))
            )
        self._unchecked_rows += not any(fields.keys() & question.fields.keys() for question in questions)
        differing_fields = [_differing_field(fields, question.fields) for question in questions]
        if all(differing_fields):
            name = differing_fields[0]
            expected = self._expectation_message("expected.same_question", answer, value=questions[0].fields[name])
            raise RowError(path, place, InputError(name, fields[name], expected))
        unchanged_questions = (question for question, name in zip(questions, differing_fields) if not name)
        return [question._replace(answer=answer.answer, annotator=answer.annotator) for question, _ in unchanged_questions]

    def _expectation_message(self, key: str, answer: AnsweredQuestion, **values: str) -> Message:
        return Message(key, question=answer.question, item=answer.item, file=str(self._path), **values)

    def notices(self, path: ReadablePath, questions: Iterable[AnsweredQuestion]) -> list[Message]:
        """Return notices about the share of answered questions, changed questions, and answers without a question text."""
        answered_count = len({(question.item, question.question) for question in questions})
        values = {"file": str(path), "questions": str(self._path)}
        share = Message(
            "notice.joined",
            known=answered_count,
            number=len(self._by_number),
            share=f"{100 * answered_count / len(self._by_number):.1f}",
            **values,
        )
        return [
            share,
            *self._changed_tables.notices(self._path),
            *([Message("notice.unchecked", number=self._unchecked_rows, **values)] if self._unchecked_rows else []),
        ]


def _differing_field(fields: Mapping[str, str], expected: Mapping[str, str]) -> str:
    """Return the name of the first common field in which two rows differ, or ""."""
    return next((name for name, value in fields.items() if expected.get(name, value) != value), "")


def _without_unknown_parents(questions: Iterable[AnsweredQuestion]) -> tuple[list[AnsweredQuestion], int]:
    """Return the questions without parents that their annotator left unanswered for the item, and the number of such parents."""
    questions = list(questions)
    keys = {question.key for question in questions}
    known = [tuple(parent for parent in q.parents if (q.annotator, q.item, parent) in keys) for q in questions]
    unknown_count = sum(len(q.parents) - len(parents) for q, parents in zip(questions, known))
    return [question._replace(parents=parents) for question, parents in zip(questions, known)], unknown_count


def _check_parents(questions: Iterable[AnsweredQuestion], path: ReadablePath) -> None:
    """Raise InputError if dependencies form a cycle."""
    graph: TopologicalSorter[tuple[str, str, str]] = TopologicalSorter()
    for question in questions:
        for parent in question.parents:
            graph.add(question.key, (question.annotator, question.item, parent))
    try:
        graph.prepare()
    except CycleError as error:
        cycle = error.args[1]
        numbers = " → ".join(number for _, _, number in cycle)
        raise InputError(str(path), f"dependency {numbers}", Message("expected.no_cycle", item=cycle[0][1])) from None


def _check_size(questions: Iterable[AnsweredQuestion], path: ReadablePath) -> None:
    """Raise InputError if there are more than ``MAX_ANSWER_GROUPS`` annotators or categories, whose intervals would take too long."""
    rows = list(questions)
    for name, values in (("annotator", {row.annotator for row in rows}), ("category", {row.kind for row in rows})):
        if len(values) > MAX_ANSWER_GROUPS:
            raise InputError(str(path), f"{name}: {len(values)}", Message("expected.groups", number=MAX_ANSWER_GROUPS))


@dataclass(frozen=True)
class CategoryScore:
    """Share of "yes" in one category of questions, without and with dependencies.

    ``question_count`` is the number of answered questions.
    """

    question_count: int
    without_dependencies: Estimate
    with_dependencies: Estimate


@dataclass(frozen=True)
class AnswerScores:
    """Scores of the answers of one annotator or model, as means over items and as shares by category, with 95% intervals."""

    annotator: str
    item_count: int
    question_count: int
    open_count: int
    without_dependencies: Estimate
    with_dependencies: Estimate
    categories: Mapping[str, CategoryScore]


def score_answers(questions: Sequence[AnsweredQuestion], *, resamples: int = 1000, seed: int = 0) -> list[AnswerScores]:
    """Return the scores of each annotator or model, in the order of the file, with intervals by a bootstrap over items.

    >>> whole = AnsweredQuestion("1", "1", (), ("entity", "whole"), Answer.NO)
    >>> colour = AnsweredQuestion("1", "2", ("1",), ("attribute", "color"), Answer.YES)
    >>> (score,) = score_answers([whole, colour])
    >>> score.without_dependencies.value, score.with_dependencies.value
    (0.5, 0.0)
    """
    groups: dict[str, list[AnsweredQuestion]] = defaultdict(list)
    for question in questions:
        groups[question.annotator].append(question)
    return [_score_annotator(name, group, resamples, seed) for name, group in groups.items()]


def scores_with_dependencies(questions: Sequence[AnsweredQuestion]) -> list[float]:
    """Return the score of each question with dependencies: 1, 0, or nan for an open question.

    A question scores 1 if its answer is "yes" and the answer of each parent is "yes" or open.
    """
    answers = {(question.item, question.question): question.answer for question in questions}
    denials = (Answer.NO, Answer.OTHER)
    return [
        math.nan
        if question.answer is Answer.OPEN
        else float(question.answer is Answer.YES and not any(answers.get((question.item, p)) in denials for p in question.parents))
        for question in questions
    ]


def _score_annotator(annotator: str, questions: list[AnsweredQuestion], resamples: int, seed: int) -> AnswerScores:
    import numpy as np

    yes_values = [math.nan if question.answer is Answer.OPEN else float(question.answer is Answer.YES) for question in questions]
    answer_values = np.array([yes_values, scores_with_dependencies(questions)]).T
    index_by_item = {item: place for place, item in enumerate(dict.fromkeys(question.item for question in questions))}
    rows = np.array([index_by_item[question.item] for question in questions])
    is_defined = ~np.isnan(answer_values[:, 0])
    sums = _sums_by_item(answer_values, rows, is_defined, len(index_by_item))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[:, 1:] / sums[:, :1]  # nan for items without answers
    scored_count = int((sums[:, 0] > 0).sum())
    mean_samples = resampled_means(means, resamples, seed)
    without, with_dependencies = (
        estimate_interval(float(np.nanmean(means[:, i])) if scored_count else math.nan, mean_samples[:, i], count=scored_count)
        for i in (0, 1)
    )
    names = sorted({name for question in questions for name in _category_names(question.kind) if name})
    masks = {name: np.array([name in _category_names(question.kind) for question in questions]) & is_defined for name in names}
    categories: dict[str, CategoryScore] = {}
    for start in range(0, len(names), _CATEGORIES_PER_BLOCK):
        part = names[start : start + _CATEGORIES_PER_BLOCK]
        categories |= _category_scores(
            {name: _sums_by_item(answer_values, rows, masks[name], len(index_by_item)) for name in part}, resamples, seed
        )
    return AnswerScores(annotator, len(index_by_item), len(questions), int((~is_defined).sum()), without, with_dependencies, categories)


def _sums_by_item(values: np.ndarray, rows: np.ndarray, group_mask: np.ndarray, item_count: int) -> np.ndarray:
    """Return the number of a group's questions for each item, and the sums of both columns of their values."""
    import numpy as np

    sums = np.zeros((item_count, 3))
    np.add.at(sums[:, 0], rows[group_mask], 1)
    for column in (0, 1):
        np.add.at(sums[:, column + 1], rows[group_mask], values[group_mask, column])
    return sums


def _category_scores(sums: Mapping[str, np.ndarray], resamples: int, seed: int) -> dict[str, CategoryScore]:
    """Return the shares of "yes" by category, with intervals from common resamples of items."""
    import numpy as np

    resampled_sums = np.split(resampled_means(np.hstack([*sums.values()]), resamples, seed), len(sums), axis=1)
    return {
        name: _category_score(category_sums, category_samples)
        for (name, category_sums), category_samples in zip(sums.items(), resampled_sums)
    }


def _category_score(sums: np.ndarray, samples: np.ndarray) -> CategoryScore:
    import numpy as np

    count, total = int(sums[:, 0].sum()), int((sums[:, 0] > 0).sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = samples[:, 1:] / samples[:, :1]
    value = [float(sums[:, column].sum() / count) if count else math.nan for column in (1, 2)]
    return CategoryScore(count, *(estimate_interval(value[i], shares[:, i], count=total) for i in (0, 1)))


def _category_names(kind: tuple[str, str]) -> tuple[str, ...]:
    category, detail = kind
    return (category, f"{category} - {detail}") if detail not in ("", "-") else (category,)


def annotator_kappa(questions: Sequence[AnsweredQuestion], resamples: int = 1000) -> Kappa | None:
    """Return Cohen's κ of the two annotators of a file over the questions that both answer, or None unless there are two annotators."""
    names = list(dict.fromkeys(question.annotator for question in questions))
    if len(names) != 2:
        return None
    by_name = [{(e.item, e.question): e for e in questions if e.annotator == name and e.answer is not Answer.OPEN} for name in names]
    shared_keys = [key for key in by_name[0] if key in by_name[1]]
    pairs = [(str(by_name[0][key].answer), str(by_name[1][key].answer)) for key in shared_keys]
    return cohens_kappa(pairs, [key[0] for key in shared_keys], resamples)
