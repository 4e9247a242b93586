"""Incremental reader of JSON files that are too large for memory.

ijson names no position of an error, rejects NaN, and accepts repeated members and unpaired surrogates.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TextIO

from spice_core.errors import InputError, Message

MAX_VALUES = 200_000  # limit of values in a row (numbers, texts, lists, objects), each about a hundred bytes in memory
MAX_TEXT_CHARS = 100_001  # longer texts, such as base64 images, are truncated here; valid captions and lists are shorter
_LONG_ROW_CHARS = 1 << 20  # shorter rows are not searched for such texts
_BLOCK_CHARS = 1 << 16
_MAX_TOKEN_CHARS = 64  # errors this close to the buffer's end may come from an incomplete value
_REQUIRED_BY_ERROR = {
    "Unterminated string": "json_quote",
    "Expecting value": "json_value",
    "Expecting property name": "json_name",
    "Expecting ',' delimiter": "json_comma",
    "Expecting ':' delimiter": "json_colon",
    "Invalid control character": "json_one_line",
    "Invalid \\": "json_escape",
    "Extra data": "json_end",
}  # key of the message on what JSON requires, by the decoder's error


def _check_unique_members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the members of a JSON object as a dictionary. Raises ValueError if two members have the same name."""
    members = dict(pairs)
    if len(members) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"two fields {name!r}")
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_check_unique_members)
_WHITE_SPACE = re.compile(r"[ \t\r\n]*")


def _truncate_texts(value: object) -> object:
    """Return a value with long texts truncated."""
    if isinstance(value, str):
        return value[:MAX_TEXT_CHARS]
    if isinstance(value, list):
        return [_truncate_texts(element) for element in value]
    return {name: _truncate_texts(element) for name, element in value.items()} if isinstance(value, dict) else value


def decode_line(line: str) -> object:
    """Return the JSON value of a line, with very long texts truncated, or an InputError. A syntax error names the column."""
    line = line.rstrip("\r\n")
    if count_values(line) > MAX_VALUES:
        return InputError("", Message("found.many_values", number=MAX_VALUES), Message("expected.fewer_values"))
    try:
        value = _DECODER.decode(line)
        return _truncate_texts(value) if len(line) > _LONG_ROW_CHARS else value
    except json.JSONDecodeError as error:
        return InputError(Message("where.column", number=error.pos + 1), line[error.pos : error.pos + 20], _json_requirement(error.msg))
    except (RecursionError, ValueError) as error:
        return InputError("", Message("found.unreadable", reason=str(error)), Message("expected.json"))


def count_values(text: str) -> int:
    """Return the number of commas, colons and opening brackets in a JSON text, an upper limit (less one) on its values."""
    return sum(map(text.count, ",:[{"))


def only_names_message(names: Iterable[object]) -> Message:
    """Return the message that lists the only names found."""
    return Message("found.only", names=", ".join(map(str, names)) or Message("found.nothing"))


def _json_requirement(reason: str) -> Message:
    """Return what JSON requires at the decoder's error."""
    key = next((key for beginning, key in _REQUIRED_BY_ERROR.items() if reason.startswith(beginning)), "")
    return Message(f"expected.{key}") if key else Message("expected.json_but", reason=reason)


class JsonScanner:
    """An incremental reader of JSON from a text file. Methods raise InputError naming line and column for invalid JSON."""

    def __init__(self, file: TextIO, name: str, max_value_chars: int, max_values: float = math.inf):
        """Limit each value to ``max_value_chars`` characters, and the file to ``max_values`` values, nested values included."""
        self._file, self._name, self._max_value_chars, self._max_values = file, name, max_value_chars, max_values
        self._text, self._position, self._is_at_end = "", 0, False
        self._line, self._column = 1, 1  # position of the first character of _text

    def array(self) -> Iterator[object]:
        """Yield the elements of the array that makes up the file."""
        yield from self._iterate_elements()
        if self._next_character():
            raise self._error_at(self._position, Message("expected.no_more"))

    def members(self) -> Iterator[tuple[str, int, object]]:
        """Yield (name, number, value) for each element of each list in the object that makes up the file.

        Numbers start from 1. A member that is not a list, or is an empty list, is yielded once with the number 0.
        """
        for _ in self._iterate_places("{", "}"):
            name = str(self._read_value())
            self._expect(":")
            if self._next_character() == "[":
                index = 0
                for index, value in enumerate(self._iterate_elements(), 1):
                    yield name, index, value
                if not index:
                    yield name, 0, []
            else:
                yield name, 0, self._read_value()
        if self._next_character():
            raise self._error_at(self._position, Message("expected.no_more"))

    def _iterate_elements(self) -> Iterator[object]:
        return (self._read_value() for _ in self._iterate_places("[", "]", "JSON (a comma or the closing bracket)"))

    def _iterate_places(self, start: str, end: str, expected: str = "") -> Iterator[None]:
        """Yield at the start of each element between the brackets ``start`` and ``end``."""
        self._expect(start)
        is_first = True
        while self._next_character() != end:
            if not is_first:
                self._expect(",", expected)
            is_first = False
            yield
        self._expect(end)

    def _read_value(self) -> object:
        """Read until the next value is complete, and return it."""
        self._next_character()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._position)
                value = _truncate_texts(value) if end - self._position > _LONG_ROW_CHARS else value
            except json.JSONDecodeError as error:
                is_cut_off = error.msg.startswith("Unterminated string") or len(self._text) - error.pos < _MAX_TOKEN_CHARS
                if self._is_at_end or not is_cut_off:
                    raise self._error_at(error.pos, _json_requirement(error.msg)) from None
            except (RecursionError, ValueError) as error:
                raise self._error_at(self._position, _json_requirement(str(error))) from None
            else:
                if self._is_at_end or end < len(self._text):  # a number at the end of the buffer may continue
                    if end - self._position > MAX_VALUES and count_values(self._text[self._position : end]) > MAX_VALUES:
                        raise self._error_at(self._position, Message("expected.fewer_values"))
                    self._count_values(end)
                    self._position = end
                    return value
            if len(self._text) - self._position > self._max_value_chars:
                raise self._error_at(self._position, Message("expected.row_size", megabytes=self._max_value_chars >> 20))
            if count_values(self._text[self._position :]) > MAX_VALUES:
                raise self._error_at(self._position, Message("expected.fewer_values"))
            self._fill_buffer()

    def _count_values(self, end: int) -> None:
        """Subtract the values up to ``end`` from the remaining number of values. Raises InputError if none remain."""
        if self._max_values < math.inf:
            self._max_values -= 1 + count_values(self._text[self._position : end])
            if self._max_values < 0:
                raise self._error_at(self._position, Message("expected.end_of_values"))

    def _expect(self, character: str, expected: str = "") -> None:
        if self._next_character() != character:
            raise self._error_at(self._position, expected or Message("expected.json_character", character=character))
        self._position += 1

    def _next_character(self) -> str:
        """Skip white space, and return the next character, or "" at the end of the file."""
        while True:
            if match := _WHITE_SPACE.match(self._text, self._position):  # the pattern also matches the empty text
                self._position = match.end()
            if self._position < len(self._text):
                return self._text[self._position]
            if self._is_at_end:
                return ""
            self._fill_buffer()

    def _fill_buffer(self) -> None:
        """Drop the consumed text, and read at least as many characters as remain unread."""
        self._line, self._column = self._find_line_and_column(self._position)
        unread_text = self._text[self._position :]
        chunk = self._file.read(max(_BLOCK_CHARS, len(unread_text)))
        self._text, self._position, self._is_at_end = unread_text + chunk, 0, not chunk

    def _find_line_and_column(self, position: int) -> tuple[int, int]:
        lines = self._text.count("\n", 0, position)
        column = position - self._text.rfind("\n", 0, position) if lines else self._column + position
        return self._line + lines, column

    def _error_at(self, position: int, expected: str) -> InputError:
        line, column = self._find_line_and_column(position)
        found = self._text[position : position + 20] or Message("found.end_of_file")
        return InputError(Message("where.position", file=self._name, line=line, column=column), found, expected)
