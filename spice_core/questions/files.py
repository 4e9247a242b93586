"""Reading of prompts and answers, and writing of questions as tables or JSON in the layouts of DSG and TIFA.

DSG (https://github.com/j-min/DSG, Cho et al., ICLR 2024) has one row per tuple. TIFA (https://github.com/Yushi-Hu/tifa, Hu et al., ICCV
2023) has one object per question.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from spice_core.data import csv_text
from spice_core.data.items import check_caption, check_utf8
from spice_core.data.layouts import Reading, is_plain_text, sniff
from spice_core.data.reader import (
    EncodingByFile,
    ReadablePath,
    RowError,
    input_errors,
    json_scanner,
    open_utf8,
    read_head,
    text_lines,
)
from spice_core.errors import InputError, Message
from spice_core.questions.question import Question

DSG_FIELDS = (
    "item_id",
    "text",
    "proposition_id",
    "dependency",
    "category_broad",
    "category_detailed",
    "tuple",
    "question_natural_language",
)
# Two columns follow those of DSG: the tuple's words as a JSON list, and a digest of the prompt and all its questions, which prevents joins
# with another table.
WORDS_FIELD, TABLE_FIELD = "spice_tuple", "spice_table"
ID_FIELDS, PROMPT_FIELDS = ("item_id", "id", "image_id"), ("text", "caption", "prompt", "test")
_TIFA_QUESTIONS_KEY = "question_details"
_MAX_NUMBER_DIGITS = 9  # maximum number of digits of a question's number (Python rejects thousands of digits)
_TIFA_TYPES = {
    "color": "color",
    "material": "material",
    "shape": "shape",
    "count": "counting",
    "spatial": "spatial",
    "action": "activity",
} | {"entity": "object", "attribute": "attribute"}


class Prompt(NamedTuple):
    """A text for which questions are generated, with its id."""

    id: str
    text: str


class PromptQuestions(NamedTuple):
    """A prompt with its questions."""

    prompt: Prompt
    questions: tuple[Question, ...]


def read_prompts(path: ReadablePath, encodings: EncodingByFile | None = None) -> Iterator[Prompt]:
    """Yield the prompts of a file.

    The file contains one prompt per line, or rows with an id (item_id, id, image_id) and a text (text, caption, prompt, test).

    Rows that repeat the id and text of an earlier row, as in DSG's table, are skipped. Raises RowError for an invalid row, or if an id
    occurs with two different texts.
    """
    seen: dict[str, str] = {}
    for place, row in file_rows(path, encodings):
        try:
            id = read_id(row, ID_FIELDS)
            text = check_caption(first_field(row, PROMPT_FIELDS), PROMPT_FIELDS[0])
            if not text.strip():
                raise InputError(PROMPT_FIELDS[0], text, Message("expected.caption"))
            if seen.get(id, text) != text:
                raise InputError(ID_FIELDS[0], id, Message("expected.new_id"))
        except InputError as error:
            raise RowError(path, place, error) from None
        if id not in seen:
            seen[id] = text
            yield Prompt(id, text)


def file_rows(path: ReadablePath, encodings: EncodingByFile | None = None) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the rows of a file, each with its place. Raises RowError for an invalid row.

    The file contains lines of plain text, a table, JSON, JSON lines or results of TIFA.
    """
    head = read_head(path)
    if is_plain_text(head):
        lines = enumerate(text_lines(open_utf8(path, encodings), path), 1)
        yield from ((Message("where.line", number=n), {"id": n, "text": line.strip()}) for n, line in lines if line.strip())
        return
    if head.text.lstrip().startswith("{") and f'"{_TIFA_QUESTIONS_KEY}"' in head.text:
        yield from _tifa_results(path, encodings)
        return
    layout = sniff(head, "questions")
    rows = layout.open(head, Reading(encodings=encodings))[1]
    for place, value in rows:
        if isinstance(value, InputError):
            raise RowError(path, place, value)
        if not isinstance(value, dict):
            raise RowError(path, place, InputError("", value, Message("expected.question_row")))
        is_csv = layout.name == "table"
        yield place, {name: csv_text.restore_cell(cell) for name, cell in value.items()} if is_csv else value


def _tifa_results(path: ReadablePath, encodings: EncodingByFile | None) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the questions of TIFA's evaluation output: ``{"question_details": {item: {question: {…}}}}``."""
    with open_utf8(path, encodings) as file, input_errors(path):
        details = next((value for name, _, value in json_scanner(file, path).members() if name == _TIFA_QUESTIONS_KEY), None)
    for item, questions in details.items() if isinstance(details, dict) else ():
        for text, row in questions.items() if isinstance(questions, dict) else ():
            yield Message("where.field", name=item), {"id": item, "question": text, **(row if isinstance(row, dict) else {})}


def first_field(row: Mapping[str, object], names: tuple[str, ...]) -> object:
    """Return the first nonempty value among these fields. Raises InputError if all are empty."""
    for name in names:
        if name in row and row[name] is not None:
            return row[name]
    raise InputError(
        "", Message("found.only", names=", ".join(map(str, row)) or "-"), Message("expected.field_of", names=" / ".join(names))
    )


def read_id(row: Mapping[str, object], names: tuple[str, ...]) -> str:
    """Return the id in the first nonempty field among these, with 7.0 as 7.

    Raises InputError if none has a value, or if it is neither an integer nor a text.
    """
    value = first_field(row, names)
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise InputError(names[0], value, Message("expected.id"))
    return check_utf8(str(value).strip(), names[0])


def dsg_rows(prompt_questions: Iterable[PromptQuestions]) -> Iterator[dict[str, object]]:
    """Yield a row of DSG's table for each question.

    The column ``dependency`` lists the numbers of the parents, or 0 if there are none.

    Two columns are added to those of DSG: the words of the tuple, and a digest of the prompt with all its questions.
    """
    for prompt, questions in prompt_questions:
        digest = _table_digest(prompt, [(question.text, question.words) for question in questions])
        numbers = {question.id: index for index, question in enumerate(questions, 1)}
        for question in questions:
            parents = ",".join(str(index) for index in sorted(numbers[id] for id in question.parents)) or "0"
            values = (prompt.id, prompt.text, numbers[question.id], parents, *question.kind, question.dsg, question.text)
            yield {**dict(zip(DSG_FIELDS, values)), WORDS_FIELD: json.dumps(question.words, ensure_ascii=False), TABLE_FIELD: digest}


def _table_digest(prompt: Prompt, questions: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    """Return a digest (eight hexadecimal digits) of the prompt and of its questions' texts, tuples and order."""
    return hashlib.sha256(json.dumps([*prompt, *questions]).encode()).hexdigest()[:8]


class ChangedTableDetector:
    """Detects items with missing or changed rows, compared with the generated questions."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], list[tuple[int, str, tuple[str, ...]]]] = defaultdict(list)
        self._expected_prompts: dict[tuple[str, str], tuple[Prompt, str]] = {}

    def add(self, row: Mapping[str, object], annotator: str, item: str, number: str, words: tuple[str, ...]) -> None:
        """Add a row. Rows without prompt, number, text, tuple or digest are ignored."""
        texts = [str(row.get(name) or "") for name in (PROMPT_FIELDS[0], DSG_FIELDS[-1], TABLE_FIELD)]
        if all(texts) and words and number.isdecimal() and len(number) <= _MAX_NUMBER_DIGITS:
            self._expected_prompts[annotator, item] = Prompt(item, texts[0]), texts[2]
            self._rows[annotator, item].append((int(number), texts[1], words))

    def notices(self, path: ReadablePath) -> list[Message]:
        """Return a notice if any item's digest differs from the digest in its rows."""
        changed_keys = [
            key
            for key, (prompt, digest) in self._expected_prompts.items()
            if _table_digest(prompt, [(text, words) for _, text, words in sorted(self._rows[key])]) != digest
        ]
        if not changed_keys:
            return []
        return [Message("notice.changed_tables", file=str(path), number=len(changed_keys), field=TABLE_FIELD, first=changed_keys[0][1])]


def tifa_rows(prompt_questions: Iterable[PromptQuestions]) -> Iterator[dict[str, object]]:
    """Yield an object in TIFA's layout for each distinct question, with "yes" as the expected answer."""
    for prompt, questions in prompt_questions:
        for question in {question.text: question for question in questions}.values():
            category, detail = question.kind
            yield {
                "id": prompt.id,
                "caption": prompt.text,
                "question": question.text,
                "choices": ["yes", "no"],
                "answer": "yes",
                "element_type": _TIFA_TYPES.get(detail) or _TIFA_TYPES.get(category, "other"),
                "element": question.parts[-1],
            }


def question_csv_lines(rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield the lines of a table in CSV, the column names first."""
    for row_index, row in enumerate(rows):
        yield from csv_text.csv_lines([row, row.values()] if row_index == 0 else [row.values()])


def json_lines(rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield the text of a JSON array with one row per line, in parts."""
    separator = "["
    for row in rows:
        yield f"{separator}\n{json.dumps(row, ensure_ascii=False)}"
        separator = ","
    yield "\n]\n" if separator == "," else "[]\n"


ROWS_BY_LAYOUT: dict[str, Callable[[Iterable[PromptQuestions]], Iterator[dict[str, object]]]] = {"dsg": dsg_rows, "tifa": tifa_rows}
