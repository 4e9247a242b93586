"""References in a separate file: COCO annotations, Visual Genome scene graphs, or a table.

They are kept in a temporary SQLite table, so that results can come in any order and memory stays bounded.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator

from spice_core.data.items import Caption, field_named, fields, image_id, reference
from spice_core.data.reader import Readable, Row, RowError
from spice_core.data.visual_genome import scene_graph
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import from_tuples

_WHOLE = re.compile(r"\d+\.0+")


class References:
    """References by image id; ``complete`` once the file has been read."""

    def __init__(self, path: Readable):
        self.complete = False
        self._unknown = 0
        self.path = path
        self._table = sqlite3.connect("")  # a temporary file, held in memory while it is small
        self._table.execute("CREATE TABLE refs (image TEXT, value TEXT)")
        self._table.execute("CREATE TABLE others (other TEXT PRIMARY KEY, image TEXT) WITHOUT ROWID")
        self._table.execute("CREATE TABLE used (image TEXT PRIMARY KEY) WITHOUT ROWID")

    def read(self, rows: Iterator[Row[object]]) -> Iterator[RowError]:
        """Read all rows; yields the problems.

        A row holds one ``caption`` (COCO), a list of ``captions``, or ``objects`` and ``relationships`` (Visual Genome); an image may
        have ``other_ids``.
        """
        for place, value in rows:
            try:
                if isinstance(value, InputError):
                    raise value
                image, values = _references(value)
            except InputError as error:
                yield RowError(self.path, place, error)
                continue
            key = _key(image)
            self._table.executemany("INSERT INTO refs VALUES (?, ?)", [(key, json.dumps(v, ensure_ascii=False)) for v in values])
            others = [(_key(other), key) for other in (value.get("other_ids", ()) if isinstance(value, dict) else ())]
            self._table.executemany("INSERT OR IGNORE INTO others VALUES (?, ?)", others)
        self._table.execute("CREATE INDEX by_image ON refs (image)")
        self.complete = True

    def of(self, image: int | str) -> tuple[Caption, ...]:
        """The references of an image, in file order. Raises InputError if there are none."""
        key, query = _key(image), "SELECT value FROM refs WHERE image = ? ORDER BY rowid"
        values = self._table.execute(query, [key]).fetchall()
        if not values and (other := self._table.execute("SELECT image FROM others WHERE other = ?", [key]).fetchone()):
            (key,) = other
            values = self._table.execute(query, [key]).fetchall()
        if not values:
            self._unknown += 1
            raise InputError(field_named("image_id"), image, Message("expected.image_of", file=str(self.path)))
        self._table.execute("INSERT OR IGNORE INTO used VALUES (?)", [key])
        decoded = (json.loads(value) for (value,) in values)
        return tuple(v if isinstance(v, str) else from_tuples(v, where="") for v in decoded)

    def unused(self) -> InputError | Message | None:
        """The problem of results of other images alone, or what to say of images without a result; None if there are none."""
        query = "FROM (SELECT DISTINCT image FROM refs WHERE image NOT IN (SELECT image FROM used))"
        (count,) = self._table.execute(f"SELECT count(*) {query}").fetchone()
        if not count:
            return None
        first = ", ".join(image for (image,) in self._table.execute(f"SELECT image {query} LIMIT 3"))
        (used,) = self._table.execute("SELECT count(*) FROM used").fetchone()
        if self._unknown and not used:
            return InputError(str(self.path), Message("found.other_images", first=first), Message("expected.same_ids_file"), remedy="fit")
        (images,) = self._table.execute("SELECT count(DISTINCT image) FROM refs").fetchone()
        return Message("notice.no_result", file=str(self.path), number=count, images=images, first=first + (", …" if count > 3 else ""))


def _references(row: object) -> tuple[int | str, list[object]]:
    kind = next((k for k in ("objects", "captions") if isinstance(row, dict) and k in row), "caption")
    image, value = fields(row, "image_id", kind)
    id = image_id(image)
    if isinstance(row, dict) and kind == "objects":
        return id, [scene_graph(row)]
    if kind == "caption":
        reference(value, kind)
        return id, [value]
    if not isinstance(value, list) or not value:
        raise InputError(field_named(kind), value, Message("expected.captions"))
    for i, each in enumerate(value):
        reference(each, f"{kind}[{i}]")
    return id, value


def _key(image: int | str) -> str:
    """What ids are compared by: a number and a text of the same digits are one id, also with a point and zeros (391895.0)."""
    text = str(image)
    return text.partition(".")[0] if _WHOLE.fullmatch(text) else text
