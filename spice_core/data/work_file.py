"""Work files: scored rows with diagnoses and notes, and the settings and view they were looked at with.

JSON lines: rows as ``spice-core score --detailed --subset`` writes them, to which a row with a diagnosis adds ``cause`` and ``note``;
the first row also has ``work``. Every reader of result files reads them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from spice_core.data.items import field_named, fields, in_utf8
from spice_core.data.reader import Readable, RowError, json_rows
from spice_core.data.results import RowFields, ScoredItem
from spice_core.errors import InputError, Message
from spice_core.scene.scores import KIND_CATEGORIES

VERSION = 1
LONGEST = 2_000  # characters of a note, and of a value of the view
_FIELDS = RowFields(categories=True, detailed=True, lines=True, sentences=True)
_PARTS = ("version", "name", "settings", "view")

ImageId = int | str
Diagnosis = tuple[str, str]  # cause and note, one of which may be empty


@dataclass(frozen=True)
class Work:
    """Scored rows with what a person added.

    ``settings``: those of ``SpiceConfig.as_dict`` (empty in a file of results alone), ``view``: filters by their name in the
    page's address, ``diagnoses``: by image.
    """

    rows: tuple[ScoredItem, ...]
    name: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    view: Mapping[str, str] = field(default_factory=dict)
    diagnoses: Mapping[ImageId, Diagnosis] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The lines of the file, each with its end."""
        head = dict(zip(_PARTS, (VERSION, self.name, dict(self.settings), dict(self.view)), strict=True))
        for number, row in enumerate(self.rows):
            cause, note = self.diagnoses.get(row.image_id, ("", ""))
            more: dict[str, object] = {"work": head} if number == 0 else {}
            more |= {"cause": cause, "note": note} if cause or note else {}
            yield json.dumps(row.as_json(_FIELDS) | more, ensure_ascii=False) + "\n"


def read_work(path: Readable, *, most: int) -> tuple[Work | None, InputError | None]:
    """The work in a file, and the first error in it; neither if its first row is not scored with its tuples.

    What stands before an error, or before more than ``most`` rows, is kept. A file of a newer version is not opened.
    """
    rows: dict[ImageId, ScoredItem] = {}
    diagnoses: dict[ImageId, Diagnosis] = {}
    head: dict[str, Any] = {}
    scored, error = False, None
    try:
        for place, value in json_rows(path):
            scored = scored or _is_scored(value)
            if not scored:
                return None, None
            try:
                row, diagnosis = _row(value)
                if row.image_id in rows:
                    raise InputError(field_named("image_id"), row.image_id, Message("expected.new_id"))
                if len(rows) == most:
                    raise InputError("", Message("found.more_rows"), Message("expected.at_most_here", number=most))
                head = head or _head(value)
            except InputError as problem:
                raise RowError(path, place, problem) from None
            rows[row.image_id] = row
            if any(diagnosis):
                diagnoses[row.image_id] = diagnosis
    except InputError as problem:
        error = problem if scored else None
    return Work(tuple(rows.values()), **head, diagnoses=diagnoses) if rows else None, error


def _is_scored(value: object) -> bool:
    """Whether a row has captions, scores by category and tuples, as this module writes them."""
    if not isinstance(value, dict) or not {"test", "refs", "scores", "test_tuples", "ref_tuples"} <= value.keys():
        return False
    return isinstance(value["scores"], dict) and KIND_CATEGORIES.keys() <= value["scores"].keys()


def _row(value: object) -> tuple[ScoredItem, Diagnosis]:
    """A scored row and its diagnosis. Raises InputError."""
    if isinstance(value, InputError):
        raise value
    fields(value, "image_id", "test", "refs", "scores", "test_tuples", "ref_tuples")
    assert isinstance(value, dict)
    return ScoredItem.from_json(value), (_text(value.get("cause", ""), "cause"), _text(value.get("note", ""), "note"))


def _head(value: object) -> dict[str, Any]:
    """Name, settings and view of the first row. Raises InputError naming the field, also for a newer version."""
    work = value.get("work") if isinstance(value, dict) else None
    if work is None:
        return {"name": ""}
    version, name, settings, view = fields(work, *_PARTS)
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise InputError(field_named("work.version"), version, Message("expected.work_version", number=VERSION))
    if not isinstance(settings, dict):
        raise InputError(field_named("work.settings"), settings, Message("expected.object_of_texts"))
    if not isinstance(view, dict):
        raise InputError(field_named("work.view"), view, Message("expected.object_of_texts"))
    in_utf8(json.dumps(settings, ensure_ascii=False), field_named("work.settings"))
    texts = {_text(key, "work.view"): _text(part, f"work.view.{key}") for key, part in view.items()}
    return {"name": _text(name, "work.name"), "settings": settings, "view": texts}


def _text(value: object, name: str) -> str:
    """A text of the file. Raises InputError for anything else, and where it is too long."""
    if not isinstance(value, str):
        raise InputError(field_named(name), value, Message("expected.text"))
    if len(value) > LONGEST:
        raise InputError(
            field_named(name), Message("found.characters", number=len(value)), Message("expected.at_most_many", number=LONGEST)
        )
    return in_utf8(value, field_named(name))
