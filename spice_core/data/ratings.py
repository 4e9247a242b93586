"""Reader of human judgements: ratings of captions, or preferences between two captions, in JSON, JSON lines or tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from spice_core.data.columns import ITEMS, guess, read_captions
from spice_core.data.items import check_caption, in_utf8
from spice_core.data.json_stream import only
from spice_core.data.layouts import judgement_rows, packed_table
from spice_core.data.reader import DELIMITERS, Encodings, Readable, RowError, json_rows, suffix_of, table
from spice_core.errors import InputError, Message

_CANDIDATES, _REFERENCES, _RATINGS = (
    ("candidate", "test", "caption", "sentence1"),
    ("references", "refs", "sentence2"),
    ("ratings", "rating", "similarity"),
)

_RATING = re.compile(r"(?i)\b(human_?)?(ratings?|scores?|mos|judge?ments?)\b|評価|点数")
_SAMPLE = 20  # rows from which the meaning of other names is guessed


class Rated(NamedTuple):
    """A candidate with its references and ratings; ``system`` is the system that wrote it, if the file names one."""

    candidate: str
    references: tuple[str, ...]
    ratings: tuple[float, ...]
    system: str = ""


class Preference(NamedTuple):
    """Two captions of an image, the share of people who preferred the first (0–1), and the kind of pair.

    PASCAL-50S has the kinds HC (both human, correct), HI (one of another image), HM (human, machine) and MM.
    """

    a: str
    b: str
    references: tuple[str, ...]
    preferred: float
    kind: str = ""


def read_judgements(
    path: Readable, most: int | None = None, encodings: Encodings | None = None, notices: list[Message] | None = None
) -> list[Rated] | list[Preference]:
    """Read the judgements of a file, or the first ``most``: preferences if rows have the fields ``a`` and ``b``, otherwise ratings.

    A rating row has ``candidate``, ``references`` (a list, or columns ref1, ref2 …) and ``rating`` or a list of ``ratings``;
    JSTS's ``sentence1``, ``sentence2`` and ``similarity`` are read too. A preference row has ``a``, ``b``, ``references`` and
    ``choice`` (``a``, ``b``, ``tie``, or the share who chose a). Other names (``mt``, ``score``) are guessed from the first rows and
    reported in ``notices``. ``encodings`` names an encoding other than UTF-8. Raises InputError naming file, row and field.
    """
    notices = [] if notices is None else notices
    ratings: list[Rated] = []
    preferences: list[Preference] = []
    for place, row in islice(_documented(_rows(path, encodings, notices), path, notices), most):
        try:
            if isinstance(row, InputError):
                raise row
            if not isinstance(row, dict):
                raise InputError("", row, Message("expected.judgement"))
            if "a" in row and "b" in row:
                preferences.append(_choice(row))
            else:
                ratings.append(_rated(row))
            if ratings and preferences:
                raise InputError("", Message("found.both_kinds"), Message("expected.one_kind"))
        except InputError as error:
            raise RowError(path, place, error) from None
    if not ratings and not preferences:
        raise InputError(str(path), Message("found.no_row"), Message("expected.rated"))
    return ratings or preferences


def _rows(path: Readable, encodings: Encodings | None, notices: list[Message]) -> Iterator[tuple[str, object]]:
    delimiter = DELIMITERS.get(suffix_of(path))
    if packed := packed_table(path):
        yield from packed[1]
    elif rows := judgement_rows(path, encodings, notices):
        yield from rows
    else:
        yield from table(path, delimiter, encodings)[1] if delimiter else json_rows(path, encodings=encodings)


def _documented(rows: Iterator[tuple[str, object]], path: Readable, notices: list[Message]) -> Iterator[tuple[str, object]]:
    """Return the rows under the documented names; other names are guessed if these are missing."""
    first = list(islice(rows, _SAMPLE))
    columns = _guessed_columns([row for _, row in first if isinstance(row, dict)])
    if columns:
        shown = ", ".join(f"{field}={','.join(names)}" for field, names in columns.items())
        notices.append(Message("notice.columns", file=str(path), columns=shown))
    for place, row in chain(first, rows):
        yield place, _renamed(row, columns) if columns and isinstance(row, dict) else row


def _guessed_columns(rows: Sequence[Mapping[str, object]]) -> dict[str, Sequence[str]]:
    """Return the columns of candidate, references and rating in rows under other names; empty if they cannot be told."""
    names = [*dict.fromkeys(name for row in rows for name in row)]
    rating = next((name for name in names if _RATING.search(name)), "")
    if not rating or {*names} & {*_RATINGS} or {"a", "b"} <= {*names}:
        return {}
    others = [name for name in names if name != rating]
    found = guess(others, [{name: row[name] for name in others if name in row} for row in rows], ITEMS, table=True)
    return {"candidate": [found.candidate], "references": found.references, "rating": [rating]} if found.complete(ITEMS) else {}


def _renamed(row: Mapping[str, object], columns: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return a row under the documented names."""
    texts = [text for name in columns["references"] for text in read_captions(row.get(name)) if text not in (None, "")]
    return {"candidate": row.get(columns["candidate"][0]), "references": texts, "rating": row.get(columns["rating"][0])}


def _rated(row: Mapping[str, object]) -> Rated:
    values = _field(row, _RATINGS)
    ratings = tuple(_number(v, _RATINGS[0]) for v in (values if isinstance(values, list) else str(values).split()))
    if not ratings:
        raise InputError(_RATINGS[0], values, Message("expected.one_number"))
    return Rated(_text(_field(row, _CANDIDATES), "candidate"), _references(row), ratings, in_utf8(str(row.get("system", "")), "system"))


def _choice(row: Mapping[str, object]) -> Preference:
    choice = _field(row, ("choice",))
    share = {"a": 1.0, "b": 0.0, "tie": 0.5}.get(str(choice).strip().lower())
    preferred = _number(choice, "choice", "share_or_choice") if share is None else share
    if not 0 <= preferred <= 1:
        raise InputError("choice", choice, Message("expected.share"))
    return Preference(_text(row["a"], "a"), _text(row["b"], "b"), _references(row), preferred, in_utf8(str(row.get("kind", "")), "kind"))


def _references(row: Mapping[str, object]) -> tuple[str, ...]:
    columns = [v for name, v in row.items() if name.startswith("ref") and name[3:].isdigit() and v]
    value = columns or _field(row, _REFERENCES)
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or not value:
        raise InputError("references", value, Message("expected.captions"))
    return tuple(_text(c, "references") for c in value)


def _field(row: Mapping[str, object], names: tuple[str, ...]) -> object:
    for name in names:
        if name in row:
            return row[name]
    raise InputError(names[0], only(row), Message("expected.field_of", names=" / ".join(names)))


def _text(value: object, field: str) -> str:
    if isinstance(value, str) and value.strip():
        return check_caption(value, field)
    raise InputError(field, value, Message("expected.caption"))


def _number(value: object, field: str, expected: str = "number") -> float:
    try:
        number = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise InputError(field, value, Message(f"expected.{expected}"))
