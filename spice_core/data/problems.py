"""Problems of input files, grouped and counted by kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spice_core.data.reader import RowError
from spice_core.errors import InputError, Message, encodable_text, printable_text

MAX_PLACES_PER_GROUP, MAX_GROUPS = 5, 200  # maximum numbers of named places and of groups
_MAX_SHOWN_VALUES = 3  # maximum number of different values shown for each group
_MAX_VALUE_CHARS = 200


@dataclass(frozen=True)
class Problem:
    """A group of similar problems in ``count`` rows. ``places`` names the first rows."""

    file: str
    places: str
    field: str
    found: str
    expected: str
    count: int = 1


class Problems:
    """Problems grouped by file, field, kind of value found, and expected value, in order of first occurrence."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, ...], list[Problem]] = {}  # the first problems of each group
        self._counts: dict[tuple[str, ...], int] = {}

    def add(self, error: InputError, file: str) -> Problem:
        """Count an error, unless it would exceed ``MAX_GROUPS``. Return it as a Problem for display."""
        problem = describe_problem(error, file)
        kind = error.found.key if isinstance(error.found, Message) else type(error.found).__name__
        expected = error.expected.key if isinstance(error.expected, Message) else problem.expected
        key = (problem.file, _without_index(problem.field), kind, expected)
        if key in self._groups or len(self._groups) < MAX_GROUPS:
            group = self._groups.setdefault(key, [])
            self._counts[key] = self._counts.get(key, 0) + 1
            group.extend([problem][: MAX_PLACES_PER_GROUP - len(group)])
        return problem

    def __iter__(self) -> Iterator[Problem]:
        for key, group in self._groups.items():
            count = self._counts[key]
            yield group[0] if count == 1 else _combined_problem(group, count)


def describe_problem(error: InputError, file: str) -> Problem:
    """Return an error as a Problem: file, place, field, and shortened found and expected values."""
    place, field = (error.row, error.field) if isinstance(error, RowError) else _place_in_file(error.where, printable_text(file))
    if isinstance(field, Message) and field.key == "where.column":  # a position in a line belongs to the place
        place, field = Message("where.inside", outer=place, inner=field), ""
    found = error.found
    if isinstance(found, bytes):
        found = printable_text(found.decode("utf-8", "backslashreplace"))
    elif not isinstance(found, str):
        found = json.dumps(found, ensure_ascii=False, default=str)
    found = found if found.strip() else Message("found.nothing")
    return Problem(_shorten(getattr(error, "file", file)), _shorten(place), _shorten(field), _shorten(found), _shorten(error.expected))


def _place_in_file(where: str, file: str) -> tuple[str, str]:
    """Return place and field of an error that concerns the file rather than a row, without the file name."""
    if isinstance(where, Message) and where.key == "where.inside" and where.values["outer"] == file:
        place = where.values["inner"]
        return (place if isinstance(place, str) else ""), ""
    if isinstance(where, Message) and where.key == "where.position":
        return Message("where.line", number=where.values["line"]), Message("where.column", number=where.values["column"])
    return "", where if where != file else ""


def _shorten(text: str) -> str:
    """Return a text of limited length that UTF-8 can encode."""
    return _truncate(encodable_text(_truncate(text)))


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_VALUE_CHARS else text[:_MAX_VALUE_CHARS]


def _without_index(field: str) -> str:
    """Return a field name with list indices replaced by an ellipsis."""
    if isinstance(field, Message) and field.key == "where.field":
        return Message("where.field", name=re.sub(r"\[\d+\]", "[…]", str(field.values["name"])))
    return field


def _combined_problem(group: list[Problem], count: int) -> Problem:
    first, is_truncated = group[0], count > len(group)
    is_same_field = len({problem.field for problem in group}) == 1
    values = list(dict.fromkeys(problem.found for problem in group))
    ellipsis = ", …" if is_truncated or len(values) > _MAX_SHOWN_VALUES else ""
    found = values[0] if len(values) == 1 else ", ".join(values[:_MAX_SHOWN_VALUES]) + ellipsis
    field = first.field if is_same_field else _without_index(first.field)
    places = _join_places([problem.places for problem in group], is_truncated=is_truncated)
    return Problem(first.file, places, field, found, first.expected, count)


def _join_places(places: list[str], *, is_truncated: bool) -> str:
    """Join places into one text. If only their numbers differ, the words around the number appear once."""
    ellipsis = ", …" if is_truncated else ""
    numbered_places = [place for place in places if isinstance(place, Message) and "number" in place.values]
    if len(numbered_places) == len(places) and len({place.key for place in numbered_places}) == 1:
        numbers = ", ".join(str(place.values["number"]) for place in numbered_places)
        return Message(numbered_places[0].key, **{**numbered_places[0].values, "number": numbers + ellipsis})
    return ", ".join(dict.fromkeys(filter(None, places))) + ellipsis
