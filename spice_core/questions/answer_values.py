"""Values that stand for answers in files, such as "yes", "No, there is none.", 1 and "?"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from spice_core.errors import InputError, Message
from spice_core.questions.files import first_field

_ANSWER_FIELDS = ("multiple_choice_vqa", "answer")  # TIFA's results contain both the model's and the expected answer
_WORD_PATTERN = re.compile(r"[^\W_]+")
_CHOICE_PATTERN = re.compile(r"(?:yes|no|true|false|はい|いいえ)\W*(?:/|\||\bor\b|\band\b|か)\W*(?:yes|no|true|false|はい|いいえ)")
_NUMBER_PATTERN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*%?", re.IGNORECASE)
_EDGE_MARKS = " .,;:!。、！\"'"
_YES_WORDS = frozenset("yes y true 1 1.0 yeah correct はい 真".split())
_NO_WORDS = frozenset("no n false 0 0.0 nope incorrect いいえ 偽".split())
_OPEN_WORDS = frozenset(("", "?", "nan", "none", "null", "unsure", "unknown", "不明"))


class Answer(StrEnum):
    """An answer. ``open`` is a missing answer, "?" or "unsure", and ``other`` is any other text."""

    YES = "yes"
    NO = "no"
    OPEN = "open"
    OTHER = "other"


def parse_answer(value: object) -> Answer:
    """Return the answer represented by a value, such as a truth value or a text starting with "yes" or "no".

    >>> [str(parse_answer(value)) for value in ("Yes, it is.", "no", True, "?", "", "two", 0, "y/n", "yes or no", 0.9)]
    ['yes', 'no', 'yes', 'open', 'open', 'other', 'no', 'other', 'other', 'other']
    """
    text = str(value if value is not None else "").strip().lower()
    if text in _OPEN_WORDS:
        return Answer.OPEN
    stripped_text = text.strip(_EDGE_MARKS)
    first_word = "" if _CHOICE_PATTERN.match(text) else next(iter(_WORD_PATTERN.findall(stripped_text)), "")
    answer_word = (
        stripped_text if stripped_text in _YES_WORDS | _NO_WORDS else first_word if len(first_word) > 1 or not first_word.isascii() else ""
    )
    return Answer.YES if answer_word in _YES_WORDS else Answer.NO if answer_word in _NO_WORDS else Answer.OTHER


def read_answer(row: Mapping[str, object]) -> Answer:
    """Return the answer of a row.

    Raises InputError if the row has no answer field, or if its answer is a number other than 0 and 1, such as a probability.
    """
    value = answer_value(row)
    if "choices" in row and (expected_text := str(row.get("answer") or "").strip().lower()):  # TIFA: the model chooses between answers
        text = str(value if value is not None else "").strip().lower()
        return Answer.OPEN if text in _OPEN_WORDS else Answer.YES if text == expected_text else Answer.NO
    answer = parse_answer(value)
    if answer is Answer.OTHER and _NUMBER_PATTERN.fullmatch(str(value).strip()):
        raise InputError(_ANSWER_FIELDS[-1], value, Message("expected.yes_or_no"))
    return answer


def answer_value(row: Mapping[str, object]) -> object:
    """Return the value of a row's answer field, which may be None. Raises InputError if the row has no such field.

    In rows with TIFA's field ``choices``, the field ``answer`` is ignored because it holds the expected answer.
    """
    names = _ANSWER_FIELDS[:1] if "choices" in row else _ANSWER_FIELDS
    name = next((name for name in names if name in row), None)
    return first_field(row, names) if name is None else row[name]
