"""References in a separate file: COCO annotations, Visual Genome scene graphs, or a table.

They are kept in a temporary SQLite table, so that results can come in any order and memory stays bounded.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from spice_core.data.items import Caption, field_named, fields, image_id, reference
from spice_core.data.reader import Readable, Row, RowError
from spice_core.data.visual_genome import scene_graph
from spice_core.errors import InputError, Message
from spice_core.scene.propositions import from_tuples


class References:
    """References by image id; ``complete`` once the file has been read."""

    def __init__(self, path: Readable):
        self.complete = False
        self._unknown = 0
        self.path = path
        self._table = sqlite3.connect("")  # a temporary file, held in memory while it is small
        self._table.execute("CREATE TABLE refs (image TEXT, value TEXT)")
        self._table.execute("CREATE TABLE used (image TEXT PRIMARY KEY) WITHOUT ROWID")

    def read(self, rows: Iterator[Row[object]]) -> Iterator[RowError]:
        """Read all rows; yields the problems.

        A row holds one ``caption`` (COCO), a list of ``captions``, or ``objects`` and ``relationships`` (Visual Genome).
        """
        for place, value in rows:
            try:
                if isinstance(value, InputError):
                    raise value
                image, values = _references(value)
            except InputError as error:
                yield RowError(self.path, place, error)
                continue
            stored = [(_key(image), json.dumps(v, ensure_ascii=False)) for v in values]
            self._table.executemany("INSERT INTO refs VALUES (?, ?)", stored)
        self._table.execute("CREATE INDEX by_image ON refs (image)")
        self.complete = True

    def of(self, image: int | str) -> tuple[Caption, ...]:
        """The references of an image, in file order. Raises InputError if there are none."""
        values = self._table.execute("SELECT value FROM refs WHERE image = ? ORDER BY rowid", [_key(image)]).fetchall()
        if not values:
            self._unknown += 1
            raise InputError(field_named("image_id"), image, Message("expected.image_of", file=str(self.path)))
        self._table.execute("INSERT OR IGNORE INTO used VALUES (?)", [_key(image)])
        decoded = (json.loads(value) for (value,) in values)
        return tuple(v if isinstance(v, str) else from_tuples(v, where="") for v in decoded)

    def unused(self) -> InputError | None:
        """The problem of images with references but without a result, or of results of other images alone; None if there are none."""
        query = "FROM (SELECT DISTINCT image FROM refs WHERE image NOT IN (SELECT image FROM used))"
        (count,) = self._table.execute(f"SELECT count(*) {query}").fetchone()
        if not count:
            return None
        first = ", ".join(image for (image,) in self._table.execute(f"SELECT image {query} LIMIT 3"))
        (used,) = self._table.execute("SELECT count(*) FROM used").fetchone()
        if self._unknown and not used:
            return InputError(str(self.path), Message("found.other_images", first=first), Message("expected.same_ids_file"), remedy="fit")
        return InputError(
            str(self.path),
            Message("found.no_result", number=count, first=first + (", …" if count > 3 else "")),
            Message("expected.result_for_each"),
        )


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
    return json.dumps(image, ensure_ascii=False)
