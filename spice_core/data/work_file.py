"""Work files: scored rows with causes and notes, and the settings and view of the session.

A work file has JSON lines as ``spice-core score --detailed --subset --sentences`` writes them, so every reader of result
files reads it. The file of a run of several systems is the concatenation of their work files.
Additional fields are ``cause`` and ``note`` of the caption, ``causes`` if the caption has several, ``tuple_causes``,
``suggested_causes`` if the program searched for causes, ``file_name`` of the image, and ``group``. The first row also has ``work``,
with the settings and the view. Unknown fields are preserved.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from spice_core.data.items import check_fields, check_utf8, field_place
from spice_core.data.reader import ReadablePath, RowError, json_rows
from spice_core.data.results import RowFields, ScoredItem, are_words
from spice_core.errors import InputError, Message
from spice_core.scene.matching import MatchState
from spice_core.scene.scores import KIND_CATEGORIES

WORK_FILE_VERSION = 1
MAX_NOTE_CHARS = 2_000  # limit of a note and of other texts, such as values of the view
_ROW_FIELDS = RowFields(categories=True, detailed=True, lines=True, sentences=True)
MAX_TAGS, MAX_TAG_CHARS = 30, 40  # maximum number of custom tags, and length of a tag
MAX_CAUSES = 40
_MAX_NESTING_LEVELS = 20  # nesting levels of an unknown field
CAUSE_STATES = (MatchState.EXTRA, MatchState.MISSING)
_REQUIRED_HEAD_FIELDS = ("version", "name", "settings", "view")
_OPTIONAL_HEAD_FIELDS = ("tags", "suggested_by")
_DECISION_FIELDS = ("cause", "causes", "note", "tuple_causes", "suggested_causes", "file_name", "group", "work")
_KNOWN_FIELDS = frozenset((*_ROW_FIELDS.names(), *_DECISION_FIELDS))

ImageId = int | str
CausesAndNote = tuple[tuple[str, ...], str]  # causes and note of a caption; either may be empty


class UnmatchedTuple(NamedTuple):
    """An unmatched tuple: its state (extra or missing) and its words."""

    state: MatchState
    words: tuple[str, ...]


CausesByTuple = Mapping[UnmatchedTuple, str]  # causes by tuple, for one image


@dataclass(frozen=True)
class ScoredWork:
    """Scored rows with a person's causes and notes.

    Attributes:
        settings: The settings, as in ``SpiceConfig.as_dict``; empty for a plain result file.
        view: Filters by their name in the page's URL.
        caption_causes: The causes and the note of each caption, by image.
        causes: The causes of tuples, by image.
        tags: Custom names of causes.
        unknown_fields: The fields of a row that this version does not know, as JSON by image.
        unknown_head_fields: The unknown fields of ``work``, as JSON.
        image_files: The names of image files, by image.
        suggested_causes: The probable causes of tuples, by image.
        suggested_by: The signature of the program that suggested the causes.
    """

    rows: tuple[ScoredItem, ...]
    name: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    view: Mapping[str, str] = field(default_factory=dict)
    caption_causes: Mapping[ImageId, CausesAndNote] = field(default_factory=dict)
    causes: Mapping[ImageId, CausesByTuple] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    unknown_fields: Mapping[ImageId, str] = field(default_factory=dict)
    unknown_head_fields: str = ""
    image_files: Mapping[ImageId, str] = field(default_factory=dict)
    suggested_causes: Mapping[ImageId, CausesByTuple] = field(default_factory=dict)
    suggested_by: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file, each with its line break."""
        for row_index, row in enumerate(self.rows):
            extra_fields: dict[str, object] = {"work": self._head_fields()} if row_index == 0 else {}
            extra_fields |= self._decision_fields(row.image_id)
            if row.image_id in self.suggested_causes:
                extra_fields["suggested_causes"] = _causes_as_json(self.suggested_causes[row.image_id])
            if file := self.image_files.get(row.image_id):
                extra_fields["file_name"] = file
            if row.group:
                extra_fields["group"] = row.group
            extra_fields |= json.loads(self.unknown_fields.get(row.image_id, "{}"))
            yield json.dumps(row.as_json(_ROW_FIELDS) | extra_fields, ensure_ascii=False) + "\n"

    def without_captions(self) -> ScoredWork:
        """Return the work without the texts of captions and without unknown fields."""
        rows = tuple(replace(row, candidate="", references=(), sentences=()) for row in self.rows)
        return replace(self, rows=rows, unknown_fields={}, unknown_head_fields="")

    @property
    def decisions(self) -> dict[str, object]:
        """The tags, and the causes and notes by image, in the format of ``read_decisions``."""
        images = dict.fromkeys((*self.caption_causes, *self.causes))
        return {"tags": self.tags, "rows": [{"image_id": image, **self._decision_fields(image)} for image in images]}

    def _decision_fields(self, image: ImageId) -> dict[str, object]:
        causes, note = self.caption_causes.get(image, ((), ""))
        fields_: dict[str, object] = {"cause": next(iter(causes), ""), "note": note} if causes or note else {}
        fields_ |= {"causes": causes} if len(causes) > 1 else {}
        return fields_ | ({"tuple_causes": _causes_as_json(tuple_causes)} if (tuple_causes := self.causes.get(image)) else {})

    def _head_fields(self) -> dict[str, object]:
        head: dict[str, object] = dict(
            zip(_REQUIRED_HEAD_FIELDS, (WORK_FILE_VERSION, self.name, dict(self.settings), dict(self.view)), strict=True)
        )
        unknown_values: dict[str, object] = json.loads(self.unknown_head_fields or "{}")
        extra_fields = {"tags": self.tags, "suggested_by": self.suggested_by}
        return head | {name: value for name, value in extra_fields.items() if value} | unknown_values


def _causes_as_json(causes: CausesByTuple) -> list[dict[str, object]]:
    return [{"state": of.state, "tuple": of.words, "cause": cause} for of, cause in causes.items()]


def works_as_file(works: Iterable[ScoredWork]) -> bytes:
    """Return the gzipped file of a run: the lines of each system's work. Equal content gives equal bytes."""
    return gzip.compress("".join(line for work in works for line in work.lines()).encode(), mtime=0)


def read_work(path: ReadablePath, *, max_rows: int) -> tuple[ScoredWork | None, InputError | None]:
    """Return the work of one system, like :func:`read_works`. Several systems are an error."""
    works, error = read_works(path, max_rows=max_rows)
    if len(works) > 1:
        return None, InputError("", Message("found.several_systems", number=len(works)), Message("expected.work_of_one_system"))
    return next(iter(works), None), error


def read_works(path: ReadablePath, *, max_rows: int) -> tuple[tuple[ScoredWork, ...], InputError | None]:
    """Return the works in a file, and its first error or None.

    Each row with ``work`` begins the work of another system. More rows of a system than ``max_rows`` and a newer version of the file are
    errors. The works have the rows before the error. Return ((), None) if the first row cannot be read or does not have captions, scores by
    category and tuples.
    """
    parsed_works: list[tuple[dict[ImageId, ScoredItem], dict[str, Any]]] = []  # for each work: its rows by id, and its other attributes
    part_names = ("caption_causes", "causes", "unknown_fields", "image_files", "suggested_causes")
    has_rows, error = False, None
    try:
        for place, value in json_rows(path):
            fields: dict[str, Any] = value if isinstance(value, dict) else {}
            scores = fields["scores"] if {"test", "refs", "scores", "test_tuples", "ref_tuples"} <= fields.keys() else None
            has_rows = has_rows or (isinstance(scores, dict) and ("work" in fields or KIND_CATEGORIES.keys() <= scores.keys()))
            if not has_rows:
                return (), None
            try:
                row, row_parts = _read_row(value)
                if not parsed_works or "work" in fields:
                    parsed_works.append(({}, _read_head(value) | {name: {} for name in part_names}))
                rows, attributes = parsed_works[-1]
                if row.image_id in rows:
                    raise InputError(field_place("image_id"), row.image_id, Message("expected.new_id"))
                if len(rows) == max_rows:
                    raise InputError("", Message("found.more_rows"), Message("expected.at_most_here", number=max_rows))
            except InputError as problem:
                raise RowError(path, place, problem) from None
            rows[row.image_id] = row
            for name, part in row_parts.items():
                attributes[name][row.image_id] = part
    except InputError as problem:
        error = problem if has_rows else None
    return tuple(ScoredWork(tuple(rows.values()), **attributes) for rows, attributes in parsed_works), error


def read_decisions(content: object, rows: Iterable[ScoredItem]) -> ScoredWork:
    """Read the output of ``ScoredWork.decisions``, ignoring images not in ``rows``.

    Raises InputError for invalid output, or if it has more images than ``rows``.
    """
    tags, json_rows = check_fields(content, "tags", "rows")
    by_image = {row.image_id: row for row in rows}
    if not isinstance(json_rows, list) or len(json_rows) > len(by_image):
        raise InputError(field_place("rows"), json_rows, Message("expected.at_most", number=len(by_image)))
    caption_causes: dict[ImageId, CausesAndNote] = {}
    causes: dict[ImageId, CausesByTuple] = {}
    for row in json_rows:
        (image,) = check_fields(row, "image_id")
        if isinstance(image, int | str) and image in by_image:
            row_decisions = _read_row_decisions(row)
            caption_causes |= {image: row_decisions["caption_causes"]} if "caption_causes" in row_decisions else {}
            causes |= {image: row_decisions["causes"]} if "causes" in row_decisions else {}
    return ScoredWork((), caption_causes=caption_causes, causes=causes, tags=_read_tags(tags))


def _read_row_decisions(row: dict[str, Any]) -> dict[str, Any]:
    """Return the causes and the note of a row by attribute of ``ScoredWork``. Raises InputError naming the field."""
    causes_and_note = (_read_caption_causes(row), _read_text(row.get("note", ""), "note"))
    decisions = {"caption_causes": causes_and_note if any(causes_and_note) else (), "causes": _read_causes(row, "tuple_causes")}
    return {name: part for name, part in decisions.items() if part}


def _read_row(value: object) -> tuple[ScoredItem, dict[str, object]]:
    """Return a scored row, and its additional fields by attribute of ``ScoredWork``. Raises InputError naming the field."""
    if isinstance(value, InputError):
        raise value
    check_fields(value, "image_id", "test", "refs", "scores", "test_tuples", "ref_tuples")
    assert isinstance(value, dict)
    extra_fields: dict[str, object] = {
        **_read_row_decisions(value),
        "unknown_fields": _unknown_fields(value, _KNOWN_FIELDS, ""),
        "image_files": _read_text(value.get("file_name", ""), "file_name"),
    }
    extra_fields = {name: part for name, part in extra_fields.items() if part}
    return ScoredItem.from_json(value), extra_fields | (
        {"suggested_causes": _read_causes(value, "suggested_causes")} if "suggested_causes" in value else {}
    )


def _read_caption_causes(row: dict[str, Any]) -> tuple[str, ...]:
    """Return the causes of a caption: ``causes``, or only ``cause`` if that is not among them. Raises InputError naming the field.

    ``cause`` is not in the list if a program that knows only ``cause`` has changed it.
    """
    cause, json_causes = _read_text(row.get("cause", ""), "cause"), row.get("causes", [])
    if not isinstance(json_causes, list) or len(json_causes) > MAX_CAUSES:
        raise InputError(field_place("causes"), json_causes, Message("expected.texts"))
    causes = tuple(dict.fromkeys(filter(None, (_read_text(json_cause, f"causes[{i}]") for i, json_cause in enumerate(json_causes)))))
    return causes if cause in causes else (cause,) if cause else ()


def _read_causes(row: dict[str, Any], name: str) -> CausesByTuple:
    """Return the causes of a row's tuples; of several for a tuple, the last. Raises InputError naming the field."""
    json_causes = row.get(name, [])
    if not isinstance(json_causes, list):
        raise InputError(field_place(name), json_causes, Message("expected.tuple_causes"))
    causes: dict[UnmatchedTuple, str] = {}
    for i, fields in enumerate(json_causes):
        place = field_place(f"{name}[{i}]")
        state, words, cause = check_fields(fields, "state", "tuple", "cause")
        if not isinstance(state, str) or state not in CAUSE_STATES or not are_words(words) or not cause:
            raise InputError(place, fields, Message("expected.tuple_cause"))
        tuple_ = UnmatchedTuple(MatchState(state), tuple(check_utf8(word, place) for word in words))
        causes[tuple_] = _read_text(cause, f"{name}[{i}].cause")
    return causes


def _unknown_fields(fields: dict[str, Any], known_names: Iterable[str], name: str) -> str:
    """Return unknown fields as JSON, or "". Raises InputError if JSON cannot represent them."""
    unknown_items = {key: value for key, value in fields.items() if key not in known_names}
    where = field_place(name or next(iter(unknown_items), ""))
    if _is_too_deep(unknown_items, _MAX_NESTING_LEVELS):
        raise InputError(where, Message("found.nested"), Message("expected.shallow", number=_MAX_NESTING_LEVELS))
    return check_utf8(json.dumps(unknown_items, ensure_ascii=False), where) if unknown_items else ""


def _is_too_deep(value: object, max_levels: int) -> bool:
    """Return whether lists and objects are nested in more than ``max_levels`` levels."""
    elements = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return bool(elements) and (max_levels == 0 or any(_is_too_deep(element, max_levels - 1) for element in elements))


def _read_head(value: object) -> dict[str, Any]:
    """Return the settings in the first row (``work``) by attribute of ``ScoredWork``.

    Raises InputError naming the field if it is invalid or the version is newer.
    """
    work = value.get("work") if isinstance(value, dict) else None
    if work is None:
        return {"name": ""}
    version, name, settings, view = check_fields(work, *_REQUIRED_HEAD_FIELDS)
    assert isinstance(work, dict)
    if not isinstance(version, int) or not 1 <= version <= WORK_FILE_VERSION:
        raise InputError(field_place("work.version"), version, Message("expected.work_version", number=WORK_FILE_VERSION))
    for part_name, part in (("settings", settings), ("view", view)):
        if not isinstance(part, dict):
            raise InputError(field_place(f"work.{part_name}"), part, Message("expected.object_of_texts"))
    check_utf8(json.dumps(settings, ensure_ascii=False), field_place("work.settings"))
    texts = {_read_text(key, "work.view"): _read_text(part, f"work.view.{key}") for key, part in work["view"].items()}
    values = {"name": _read_text(name, "work.name"), "settings": settings, "view": texts, "tags": _read_tags(work.get("tags", []))}
    suggested_by = _read_text(work.get("suggested_by", ""), "work.suggested_by")
    return values | {
        "suggested_by": suggested_by,
        "unknown_head_fields": _unknown_fields(work, (*_REQUIRED_HEAD_FIELDS, *_OPTIONAL_HEAD_FIELDS), "work"),
    }


def _read_tags(tags: object) -> tuple[str, ...]:
    """Return the custom tags of a file without duplicates. Raises InputError for anything but a list of a few short texts."""
    if not isinstance(tags, list):
        raise InputError(field_place("work.tags"), tags, Message("expected.texts"))
    if len(tags) > MAX_TAGS:
        raise InputError(field_place("work.tags"), Message("found.tags", number=len(tags)), Message("expected.at_most", number=MAX_TAGS))
    return tuple(dict.fromkeys(_read_text(tag, f"work.tags[{i}]", MAX_TAG_CHARS) for i, tag in enumerate(tags)))


def _read_text(value: object, name: str, max_chars: int = MAX_NOTE_CHARS) -> str:
    """Return a text of the file. Raises InputError if the value is not a text or is too long."""
    if not isinstance(value, str):
        raise InputError(field_place(name), value, Message("expected.text"))
    if len(value) > max_chars:
        expected = Message("expected.at_most_many", number=max_chars)
        raise InputError(field_place(name), Message("found.characters", number=len(value)), expected)
    return check_utf8(value, field_place(name))
