"""Reader of human judgements: ratings of captions, or preferences between two captions, in JSON, JSON lines or tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from spice_core.data.columns import ITEM_FIELDS, RESULT_FIELDS, guess_columns, read_captions
from spice_core.data.items import check_caption, check_utf8
from spice_core.data.json_stream import only_names_message
from spice_core.data.layouts import Reading, sniff
from spice_core.data.reader import EncodingByFile, ReadablePath, Row, RowError, read_head
from spice_core.data.sources import Source
from spice_core.errors import InputError, Message
from spice_core.syntax.clean_text import CleaningCount

_CANDIDATE_NAMES, _RATING_NAMES = ("candidate", "test", "caption", "sentence1"), ("ratings", "rating", "similarity")
_REFERENCE_NAMES = ("references", "refs", "sentence2")
RATING_FIELDS = ("image_id", "candidate", "references", "rating", "metrics")  # fields whose columns can be chosen
_RATING_COLUMN = re.compile(r"(?i)\b(human_?)?(ratings?|scores?|mos|judge?ments?)\b|評価|点数")
_SAMPLE_ROWS = 20  # number of rows for guessing undocumented columns


class RatedCaption(NamedTuple):
    """A candidate with its references and ratings.

    Attributes:
        system: The system that wrote the candidate, if the file names it.
        scores: The names and values of the columns of ``metrics``. A missing score is nan.
    """

    candidate: str
    references: tuple[str, ...]
    ratings: tuple[float, ...]
    system: str = ""
    scores: tuple[tuple[str, float], ...] = ()


class RatingPreview(NamedTuple):
    """The first rows of a file of ratings, the columns for ``RATING_FIELDS``, and whether these have documented names."""

    rows: list[Mapping[str, object]]
    columns: dict[str, Sequence[str]]
    are_documented: bool


class Preference(NamedTuple):
    """Two captions of an image, the share of people who preferred the first (0–1), and the kind of pair.

    The kinds of PASCAL-50S are HC (both captions human and correct), HI (both human, one of another image), HM (one by a human,
    one by a machine) and MM (both by machines).
    """

    a: str
    b: str
    references: tuple[str, ...]
    preferred_share: float
    kind: str = ""


def read_judgements(
    path: ReadablePath, max_judgements: int | None = None, encodings: EncodingByFile | None = None, notices: list[Message] | None = None,
    *, references: ReadablePath | None = None, columns: Mapping[str, Sequence[str]] | None = None,
) -> list[RatedCaption] | list[Preference]:  # fmt: skip
    """Read preferences or ratings from a file: all, or the first ``max_judgements``.

    A rating row has ``candidate``, ``references`` (a list, or columns ref1, ref2 …) and ``rating`` or a list of ``ratings``. The fields
    ``sentence1``, ``sentence2`` and ``similarity`` of JSTS are also read. A preference row has ``a``, ``b``, ``references`` and ``choice``
    (``a``, ``b``, ``tie``, or the share who chose a). The meaning of other names (``mt``, ``score``) is guessed from the first rows, and a
    notice about the guess is appended to ``notices``. ``columns`` names the columns of the fields in ``RATING_FIELDS`` instead; those of
    ``metrics`` contain scores. If
    ``references`` is a file of references by image, rating rows have an ``image_id`` in place of references. An encoding other than UTF-8
    is added to ``encodings``. Raises InputError naming file, row and field.
    """
    if unknown := next((name for name in columns or () if name not in RATING_FIELDS), None):
        raise InputError("columns", unknown, Message("expected.one_of", names=", ".join(RATING_FIELDS)))
    notices = [] if notices is None else notices
    head = read_head(path)
    _, rows = sniff(head, "ratings").open(head, Reading(encodings=encodings, notices=notices))
    ratings: list[RatedCaption] = []
    preferences: list[Preference] = []
    cleaning_count = CleaningCount()
    for place, row in islice(_rename_columns(rows, path, references, columns or {}, notices), max_judgements):
        try:
            if isinstance(row, InputError):
                raise row
            if not isinstance(row, dict):
                raise InputError("", row, Message("expected.judgement"))
            with cleaning_count.counting():
                if "a" in row and "b" in row:
                    preferences.append(_read_preference(row))
                else:
                    ratings.append(_read_rated_caption(row))
            if ratings and preferences:
                raise InputError("", Message("found.both_kinds"), Message("expected.one_kind"))
        except InputError as error:
            raise RowError(path, place, error) from None
    if not ratings and not preferences:
        raise InputError(str(path), Message("found.no_row"), Message("expected.rated"))
    notices += cleaning_count.notices()
    return ratings or preferences


def preview_ratings(path: ReadablePath, *, with_references: bool = False) -> RatingPreview | None:
    """Return a preview of a file of ratings, with references in another file or not. Return None for preferences.

    Raises InputError if the file cannot be read.
    """
    head = read_head(path)
    _, rows = sniff(head, "ratings").open(head, Reading())
    sample: list[Mapping[str, object]] = [row for _, row in islice(rows, _SAMPLE_ROWS) if isinstance(row, dict)]
    names = [*dict.fromkeys(name for row in sample for name in row)]
    if not names or {"a", "b"} <= {*names}:
        return None
    layout = RESULT_FIELDS if with_references else ITEM_FIELDS
    if guess := _guess_columns(sample, layout, {}):
        return RatingPreview(sample, guess, False)
    known = {"image_id": ("image_id",), "candidate": _CANDIDATE_NAMES, "references": _REFERENCE_NAMES, "rating": _RATING_NAMES}
    columns = {field: [name for name in field_names if name in names][:1] for field, field_names in known.items()}
    columns["references"] = [name for name in names if _is_numbered_reference(name)] or columns["references"]
    is_complete = bool(columns["candidate"] and columns["rating"] and columns["image_id" if with_references else "references"])
    if not is_complete:  # guess what can be guessed
        choice = guess_columns(names, sample, layout, table=True)
        guesses = {"image_id": [choice.image_id], "candidate": [choice.candidate], "references": [*choice.references]}
        columns |= {field: [name for name in guess if name] for field, guess in guesses.items() if not columns[field]}
    return RatingPreview(sample, dict(columns), is_complete)


def _is_numbered_reference(name: str) -> bool:
    return name.startswith("ref") and name[3:].isdigit()


def _rename_columns(
    rows: Iterator[Row[object]],
    path: ReadablePath,
    references: ReadablePath | None,
    columns: Mapping[str, Sequence[str]],
    notices: list[Message],
) -> Iterator[Row[object]]:
    """Return the rows with documented names. If these are missing, guess the columns that the user did not choose."""
    sample = list(islice(rows, _SAMPLE_ROWS))
    if {"candidate", "rating"} - columns.keys():
        layout = RESULT_FIELDS if references else ITEM_FIELDS
        columns = {**_guess_columns([row for _, row in sample if isinstance(row, dict)], layout, columns), **columns}
        column_text = ", ".join(f"{field}={','.join(names)}" for field, names in columns.items())
        notices += [Message("notice.columns", file=str(path), columns=column_text)] if columns else []
    renamed_rows = (Row(place, _rename(row, columns)) for place, row in chain(sample, rows))
    return _with_references(renamed_rows, path, references, columns, notices) if references else renamed_rows


def _guess_columns(
    rows: Sequence[Mapping[str, object]], layout: tuple[str, ...], given_columns: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """Return the columns by field for rows without the documented names.

    Return an empty dictionary if the rows have documented names, or if the columns cannot be guessed.
    """
    names = [*dict.fromkeys(name for row in rows for name in row)]
    rating = next(iter(given_columns.get("rating", ())), "") or next((name for name in names if _RATING_COLUMN.search(name)), "")
    if not rating or {*names} & {*_RATING_NAMES} or {"a", "b"} <= {*names}:
        return {}
    other_names = [name for name in names if name != rating]
    choice = guess_columns(other_names, [{name: row[name] for name in other_names if name in row} for row in rows], layout, table=True)
    if not choice.is_complete(layout):
        return {}
    fields = {"image_id": [choice.image_id], "candidate": [choice.candidate], "references": choice.references, "rating": [rating]}
    return {name: names for name, names in fields.items() if name != ("references" if layout == RESULT_FIELDS else "image_id")}


def _rename(row: object, columns: Mapping[str, Sequence[str]]) -> object:
    """Return a row with documented names for the chosen columns, or an InputError if a column is missing."""
    if not columns or not isinstance(row, dict):
        return row
    if missing := next((names[0] for names in columns.values() if names and row.keys().isdisjoint(names)), ""):
        return InputError("", only_names_message(row), Message("expected.field", name=missing))
    values = {field: row[names[0]] for field, names in columns.items() if field not in ("references", "metrics") and names[0] in row}
    values |= {"metrics": {name: row.get(name) for name in columns["metrics"]}} if "metrics" in columns else {}
    texts = [text for name in columns.get("references", ()) for text in read_captions(row.get(name)) if text not in (None, "")]
    other_fields = {} if "candidate" in columns else row
    return {**other_fields, "system": row.get("system", ""), **values, **({"references": texts} if "references" in columns else {})}


def _with_references(
    rows: Iterator[Row[object]], path: ReadablePath, references: ReadablePath, columns: Mapping[str, Sequence[str]], notices: list[Message]
) -> Iterator[Row[object]]:
    """Yield the rows with the references of their images. Raises InputError for an invalid file or an image without references."""
    captions = {field: [*columns.get(name, [name])] for field, name in (("image_id", "image_id"), ("caption", "candidate"))}
    source = Source(path, references, captions, allow_repeated=True, reference_columns={})
    items = iter(source)
    for place, row in rows:
        item = None if isinstance(row, InputError) else next(items, None)
        if isinstance(item, InputError):
            raise item
        yield Row(place, {**row, "references": [*item.references]} if item and isinstance(row, dict) else row)
    for error in items:
        if isinstance(error, InputError):
            raise error
    notices += source.notices


def _read_rated_caption(row: Mapping[str, object]) -> RatedCaption:
    values = _first_field(row, _RATING_NAMES)
    ratings = tuple(_check_number(v, _RATING_NAMES[0]) for v in (values if isinstance(values, list) else str(values).split()))
    if not ratings:
        raise InputError(_RATING_NAMES[0], values, Message("expected.one_number"))
    scores = row.get("metrics")
    return RatedCaption(
        _check_text(_first_field(row, _CANDIDATE_NAMES), "candidate"),
        _read_references(row),
        ratings,
        check_utf8(str(row.get("system", "")), "system"),
        tuple((name, _read_score(value, name)) for name, value in (scores.items() if isinstance(scores, dict) else ())),
    )


def _read_score(value: object, name: str) -> float:
    return math.nan if value is None or str(value).strip() == "" else _check_number(value, name)


def _read_preference(row: Mapping[str, object]) -> Preference:
    choice = _first_field(row, ("choice",))
    share = {"a": 1.0, "b": 0.0, "tie": 0.5}.get(str(choice).strip().lower())
    preferred_share = _check_number(choice, "choice", "share_or_choice") if share is None else share
    if not 0 <= preferred_share <= 1:
        raise InputError("choice", choice, Message("expected.share"))
    return Preference(
        _check_text(row["a"], "a"),
        _check_text(row["b"], "b"),
        _read_references(row),
        preferred_share,
        check_utf8(str(row.get("kind", "")), "kind"),
    )


def _read_references(row: Mapping[str, object]) -> tuple[str, ...]:
    columns = [v for name, v in row.items() if _is_numbered_reference(name) and v]
    value = columns or _first_field(row, _REFERENCE_NAMES)
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or not value:
        raise InputError("references", value, Message("expected.captions"))
    return tuple(_check_text(c, "references") for c in value)


def _first_field(row: Mapping[str, object], names: tuple[str, ...]) -> object:
    for name in names:
        if name in row:
            return row[name]
    raise InputError(names[0], only_names_message(row), Message("expected.field_of", names=" / ".join(names)))


def _check_text(value: object, field: str) -> str:
    if (caption := check_caption(value, field)).strip():
        return caption
    raise InputError(field, value, Message("expected.caption"))


def _check_number(value: object, field: str, expected: str = "number") -> float:
    try:
        rating = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        rating = math.nan
    if math.isfinite(rating):
        return rating
    raise InputError(field, value, Message(f"expected.{expected}"))
