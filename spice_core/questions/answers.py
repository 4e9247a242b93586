"""Answers to questions, by people or by a vision model: read from files, scored with and without dependencies.

The scores follow DSG (Cho et al., ICLR 2024): a question answered "yes" is 1; with dependencies, it is 0 if one of its parents is answered
"no". An item's score is the mean of its questions; the score of a file is the mean of its items.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from spice_core.data.items import in_utf8
from spice_core.data.reader import Encodings, Readable, RowError
from spice_core.data.results import are_words
from spice_core.errors import InputError, Message
from spice_core.questions.files import IDS, WORDS_FIELD, field, file_rows
from spice_core.stats.bootstrap import Estimate, estimate, resampled_means
from spice_core.stats.kappa import Kappa, cohens_kappa

if TYPE_CHECKING:
    import numpy as np

_NUMBERS, _TEXTS, _ANSWERS = ("proposition_id", "question_id"), ("question_natural_language", "question"), ("answer", "multiple_choice_vqa")
_ANNOTATORS = ("annotator", "t2i_model", "model")
_WORD = re.compile(r"[^\W_]+|\?")
_YES = frozenset("yes y true 1 1.0 yeah correct はい 真".split())
_NO = frozenset("no n false 0 0.0 nope incorrect いいえ 偽".split())
_OPEN = frozenset(("", "?", "nan", "none", "null", "unsure", "unknown", "不明"))
_NO_PARENT = frozenset(("", "0", "-"))


class Answer(StrEnum):
    """An answer: ``open`` is no answer or "?", ``other`` a text that is neither yes nor no."""

    YES = "yes"
    NO = "no"
    OPEN = "open"
    OTHER = "other"


class Answered(NamedTuple):
    """A question of an item with its answer: its number or text, its parents, its kind, who or which model answered, its tuple's words."""

    item: str
    question: str
    parents: tuple[str, ...]
    kind: tuple[str, str]
    answer: Answer
    annotator: str = ""
    words: tuple[str, ...] = ()


def answer_of(value: object) -> Answer:
    """Return the answer that a value states: a truth value, or a text whose first word says so.

    >>> [str(answer_of(value)) for value in ("Yes, it is.", "no", True, "?", "", "two", 0)]
    ['yes', 'no', 'yes', 'open', 'open', 'other', 'no']
    """
    text = str(value if value is not None else "").strip().lower()
    if text in _OPEN:
        return Answer.OPEN
    first = text if text in _YES | _NO else next(iter(_WORD.findall(text)), "")
    return Answer.YES if first in _YES else Answer.NO if first in _NO else Answer.OTHER


def read_answers(
    path: Readable,
    questions: Readable | None = None,
    *,
    encodings: Encodings | None = None,
    notices: list[Message] | None = None,
) -> list[Answered]:
    """Read the answers of a file.

    Args:
        path: a file of questions with a column ``answer``, or a file of answers only: item_id, question_id (or question) and answer. Rows may
            name an ``annotator`` (or ``t2i_model``, ``model``).
        questions: the file of the questions, for a file of answers only.
        encodings: is filled with the encodings other than UTF-8.
        notices: is filled with notices about answers that are left out or are neither yes nor no.

    Returns:
        One object per row with an answer, "?" included.

    Raises:
        InputError: naming file, row and field: a question is unknown, a parent does not exist, a question is answered twice.
    """
    known = {} if questions is None else _by_key(_read(questions, encodings, answers=False))
    answered: list[Answered] = []
    others: list[str] = []
    for place, row, each in _read(path, encodings, answers=True):
        if known:
            each = _joined(each, row, known, path, place, questions)
        if each.answer is Answer.OTHER:
            others.append(str(row[next(name for name in _ANSWERS if name in row)])[:40])
        answered.append(each)
    if not answered:
        raise InputError(str(path), Message("found.no_row"), Message("expected.answered"))
    _check(answered, path)
    open_ones = sum(each.answer is Answer.OPEN for each in answered)
    if notices is not None:
        notices += [Message("notice.other_answers", file=str(path), number=len(others), first=others[0])] if others else []
        notices += [Message("notice.open_answers", file=str(path), number=open_ones)] if open_ones else []
    return answered


Read = tuple[str, Mapping[str, object], Answered]


def _read(path: Readable, encodings: Encodings | None, *, answers: bool) -> Iterator[Read]:
    """Yield the rows of a file with their places. Raises RowError."""
    for place, row in file_rows(path, encodings):
        try:
            yield place, row, _answered(row, answers=answers)
        except InputError as error:
            raise RowError(path, place, error) from None


def _answered(row: Mapping[str, object], *, answers: bool) -> Answered:
    item = in_utf8(str(field(row, IDS)), IDS[0])
    question = in_utf8(str(field(row, (*_NUMBERS, *_TEXTS))).strip(), _NUMBERS[0])
    answer = answer_of(next((row[name] for name in _ANSWERS if name in row), field(row, _ANSWERS))) if answers else Answer.OPEN
    parents = tuple(p for part in str(row.get("dependency", "")).split(",") if (p := part.strip()) not in _NO_PARENT)
    kind = str(row.get("category_broad") or row.get("element_type") or ""), str(row.get("category_detailed") or "")
    annotator = next((str(row[name]) for name in _ANNOTATORS if row.get(name)), "")
    return Answered(item, question, parents, kind, answer, in_utf8(annotator, _ANNOTATORS[0]), _words(row.get(WORDS_FIELD)))


def _words(value: object) -> tuple[str, ...]:
    """Return the words of a tuple; none without them. Raises InputError for other text."""
    if value in (None, ""):
        return ()
    try:
        words = json.loads(value) if isinstance(value, str) else value
    except (json.JSONDecodeError, RecursionError):
        words = None
    if not are_words(words):
        raise InputError(WORDS_FIELD, value, Message("expected.proposition"))
    return tuple(words)


def _by_key(rows: Iterable[Read]) -> dict[tuple[str, str], Answered]:
    """Return the questions by item and number, and by item and text."""
    known: dict[tuple[str, str], Answered] = {}
    for _, row, each in rows:
        known[each.item, each.question] = each
        known.update({(each.item, str(row[name]).strip()): each for name in _TEXTS if name in row})
    return known


def _joined(
    each: Answered, row: Mapping[str, object], known: Mapping[tuple[str, str], Answered], path: Readable, place: str, questions: object
) -> Answered:
    """Return an answer with the parents and the kind of its question. Raises RowError if there is no such question."""
    keys = [(each.item, each.question), *((each.item, str(row[name]).strip()) for name in _TEXTS if name in row)]
    question = next((known[key] for key in keys if key in known), None)
    if question is None:
        expected = Message("expected.question_of", question=each.question, item=each.item, file=str(questions))
        raise RowError(path, place, InputError(_NUMBERS[0], each.question, expected))
    return question._replace(answer=each.answer, annotator=each.annotator)


def _check(answered: Sequence[Answered], path: Readable) -> None:
    """Raise InputError if an annotator answers a question twice, or a parent is no question of its item."""
    seen: set[tuple[str, str, str]] = set()
    for each in answered:
        key = each.annotator, each.item, each.question
        if key in seen:
            raise InputError(str(path), f"{each.item}, {each.question}", Message("expected.one_answer"))
        seen.add(key)
    for each in answered:
        for parent in each.parents:
            if (each.annotator, each.item, parent) not in seen:
                raise InputError(str(path), f"dependency {parent}", Message("expected.parent_of", item=each.item))


@dataclass(frozen=True)
class CategoryScore:
    """Share of "yes" in one category of questions, without and with dependencies, over ``questions`` answered questions."""

    questions: int
    without: Estimate
    with_dependencies: Estimate


@dataclass(frozen=True)
class AnswerScores:
    """Scores of the answers of one annotator or model: means over items, and shares by category, with 95 % intervals."""

    annotator: str
    items: int
    questions: int
    open: int
    without: Estimate
    with_dependencies: Estimate
    categories: Mapping[str, CategoryScore]


def score_answers(answered: Sequence[Answered], *, resamples: int = 1000, seed: int = 0) -> list[AnswerScores]:
    """Return the scores of each annotator or model, in the order of the file; the bootstrap resamples items.

    >>> rows = [Answered("1", "1", (), ("entity", "whole"), Answer.NO), Answered("1", "2", ("1",), ("attribute", "color"), Answer.YES)]
    >>> (score,) = score_answers(rows)
    >>> score.without.value, score.with_dependencies.value
    (0.5, 0.0)
    """
    groups: dict[str, list[Answered]] = defaultdict(list)
    for each in answered:
        groups[each.annotator].append(each)
    return [_score(name, group, resamples, seed) for name, group in groups.items()]


def valid_answers(answered: Sequence[Answered]) -> list[float]:
    """Return 1 for each question answered "yes" whose parents are not answered "no", else 0; nan for an open one."""
    answers = {(each.item, each.question): each.answer for each in answered}
    denied = (Answer.NO, Answer.OTHER)
    return [
        math.nan
        if each.answer is Answer.OPEN
        else float(each.answer is Answer.YES and not any(answers.get((each.item, p)) in denied for p in each.parents))
        for each in answered
    ]


def _score(name: str, answered: list[Answered], resamples: int, seed: int) -> AnswerScores:
    import numpy as np

    plain = [math.nan if each.answer is Answer.OPEN else float(each.answer is Answer.YES) for each in answered]
    values = np.array([plain, valid_answers(answered)]).T
    items = {item: place for place, item in enumerate(dict.fromkeys(each.item for each in answered))}
    rows = np.array([items[each.item] for each in answered])
    defined = ~np.isnan(values[:, 0])
    sums = _sums(values, rows, defined, len(items))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[:, 1:] / sums[:, :1]  # nan for an item without answers
    known = int((sums[:, 0] > 0).sum())
    drawn = resampled_means(means, resamples, seed)
    without, with_dependencies = (estimate(float(np.nanmean(means[:, i])) if known else math.nan, drawn[:, i], count=known) for i in (0, 1))
    categories = {}
    for category in _categories(answered):
        own = np.array([category in _names(each.kind) for each in answered]) & defined
        categories[category] = _category(_sums(values, rows, own, len(items)), resamples, seed)
    return AnswerScores(name, len(items), len(answered), int((~defined).sum()), without, with_dependencies, categories)


def _sums(values: np.ndarray, rows: np.ndarray, own: np.ndarray, items: int) -> np.ndarray:
    """Return for each item the number of these questions, and the sums of both columns of values."""
    import numpy as np

    sums = np.zeros((items, 3))
    np.add.at(sums[:, 0], rows[own], 1)
    for column in (0, 1):
        np.add.at(sums[:, column + 1], rows[own], values[own, column])
    return sums


def _category(sums: np.ndarray, resamples: int, seed: int) -> CategoryScore:
    """Return the share of "yes" in one category; its interval is that of a ratio of sums over items."""
    import numpy as np

    count, total = int(sums[:, 0].sum()), int((sums[:, 0] > 0).sum())
    drawn = resampled_means(sums, resamples, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = drawn[:, 1:] / drawn[:, :1]
    value = [float(sums[:, column].sum() / count) if count else math.nan for column in (1, 2)]
    return CategoryScore(count, *(estimate(value[i], shares[:, i], count=total) for i in (0, 1)))


def _names(kind: tuple[str, str]) -> tuple[str, ...]:
    """Return the categories of a kind: ``attribute`` and ``attribute - color``."""
    broad, detail = kind
    return (broad, f"{broad} - {detail}") if detail not in ("", "-") else (broad,)


def _categories(answered: Iterable[Answered]) -> list[str]:
    return sorted({name for each in answered for name in _names(each.kind) if name})


def agreement(answered: Sequence[Answered], resamples: int = 1000) -> Kappa | None:
    """Return Cohen's κ of the two annotators of a file, over the questions that both answer; None unless there are exactly two."""
    names = list(dict.fromkeys(each.annotator for each in answered))
    if len(names) != 2:
        return None
    by_name = [{(e.item, e.question): e for e in answered if e.annotator == name and e.answer is not Answer.OPEN} for name in names]
    both = [key for key in by_name[0] if key in by_name[1]]
    pairs = [(str(by_name[0][key].answer), str(by_name[1][key].answer)) for key in both]
    return cohens_kappa(pairs, [key[0] for key in both], resamples)
