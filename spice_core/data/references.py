"""Reader of references in a separate file: COCO annotations, Visual Genome scene graphs, or a table.

A temporary SQLite database holds the references, so that results can come in any order and memory is bounded.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from os.path import basename, splitext
from typing import Any

from spice_core.data.columns import is_image_file
from spice_core.data.items import Caption, caption_json, check_fields, check_image_id, check_reference, field_place
from spice_core.data.reader import ReadablePath, Row
from spice_core.data.visual_genome import scene_graph
from spice_core.errors import InputError, Message, encodable_text, printable_text
from spice_core.scene.propositions import parse_from_tuples
from spice_core.syntax.clean_text import CleaningCount

MAX_GROUP_CHARS = 60  # maximum length of the name of a group of images
_JSON_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False)
_WHOLE_FLOAT_PATTERN = re.compile(r"\d+\.0+")


class References:
    """The references of a file by image id. ``is_complete`` is set after the file has been read.

    With ``split``, only references of images in that split are stored. ``group_column`` names a field whose value is
    stored for each image.
    """

    def __init__(self, path: ReadablePath, split: str = "", group_column: str = ""):
        self.is_complete = False
        self.path = path
        self._split, self._group_column = split, group_column
        self._unknown_image_count = 0
        self._layout: Message | None = None
        self._table = sqlite3.connect("")  # a temporary file, held in memory while it is small
        self._table.execute("CREATE TABLE refs (image TEXT, value TEXT)")
        self._table.execute("CREATE TABLE others (other TEXT PRIMARY KEY, image TEXT) WITHOUT ROWID")
        self._table.execute("CREATE TABLE used (image TEXT PRIMARY KEY) WITHOUT ROWID")
        self._table.execute("CREATE TABLE splits (image TEXT PRIMARY KEY, split TEXT) WITHOUT ROWID")
        self._table.execute("CREATE TABLE groups (image TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")

    def read(self, rows: Iterator[Row[object]], cleaning_count: CleaningCount) -> Iterator[Row[InputError]]:
        """Read all rows, and yield the errors with their places.

        A row holds one ``caption`` (COCO), a list of ``captions``, or ``objects`` and ``relationships`` (Visual Genome). It
        may also hold ``other_ids`` and a ``split``. Raises InputError if no image belongs to the chosen split.
        """
        for place, value in rows:
            try:
                if isinstance(value, InputError):
                    raise value
                with cleaning_count.counting():
                    image, values = read_references(value)
            except InputError as error:
                yield Row(place, error)
                continue
            key = _id_key(image)
            row = value if isinstance(value, dict) else {}
            if isinstance(layout := row.get("layout"), Message):
                self._layout = layout
            split = str(row.get("split", ""))
            if "split" in row:
                self._table.execute("INSERT OR IGNORE INTO splits VALUES (?, ?)", [key, split])
            if self._split in ("", split):
                self._table.execute("INSERT INTO refs VALUES (?, ?)", (key, _JSON_ENCODER.encode(values)))
            if self._group_column:
                self.add_image({**row, "id": image})
            if other_ids := [*row.get("other_ids", ()), *([splitext(basename(str(image)))[0]] if is_image_file(image) else [])]:
                self._table.executemany("INSERT OR IGNORE INTO others VALUES (?, ?)", [(_id_key(other), key) for other in other_ids])
        self._table.execute("CREATE INDEX by_image ON refs (image)")
        splits = self._images_by_split()
        if self._split and self._split not in splits:
            raise InputError("--split", self._split, Message("expected.split_of", names=", ".join(splits) or "–", file=str(self.path)))
        self.is_complete = True

    def add_image(self, image: Mapping[str, object]) -> None:
        """Store an image's group (its value of ``group_column``) and ``file_name`` by ``id``."""
        if isinstance(file := image.get("file_name"), str):
            others = [(other, _id_key(image.get("id", ""))) for other in (file, splitext(basename(file))[0])]
            self._table.executemany("INSERT OR IGNORE INTO others VALUES (?, ?)", others)
        if value := group_of(image, self._group_column):
            self._table.execute("INSERT OR IGNORE INTO groups VALUES (?, ?)", [_id_key(image.get("id", "")), value])

    def image_references(self, image: int | str) -> tuple[Caption, ...]:
        """Return the references of an image, in file order. Raises InputError if there are none."""
        values: list[Any] = []
        for find_key in (_id_key, self._key_of_image):
            key = find_key(image)
            rows = self._table.execute("SELECT value FROM refs WHERE image = ? ORDER BY rowid", (key,))
            if values := [value for (row,) in rows for value in json.loads(row)]:
                break
        else:
            self._unknown_image_count += 1
            raise InputError(field_place("image_id"), image, Message("expected.image_of", file=str(self.path)))
        self._table.execute("INSERT OR IGNORE INTO used VALUES (?)", (key,))
        return tuple(v if isinstance(v, str) else parse_from_tuples(v, where="") for v in values)

    def group(self, image: int | str) -> str:
        """Return an image's group (its value of ``group_column``), or ""."""
        row = self._table.execute("SELECT value FROM groups WHERE image = ?", [self._key_of_image(image)]).fetchone()
        return str(row[0]) if row else ""

    def is_in_other_split(self, image: object) -> bool:
        """Return whether an image belongs to another split than the chosen one."""
        if not self._split or not isinstance(image, int | str | float):
            return False
        row = self._table.execute("SELECT split FROM splits WHERE image = ?", [self._key_of_image(image)]).fetchone()
        return bool(row and row[0] != self._split)

    def find_unused_images(self) -> InputError | Message | None:
        """Return a notice about images without a result, or None.

        If all results belong to one split, images of other splits need no result. If there are results, but none for an
        image of the file, return an InputError instead.
        """
        splits = self._used_images_by_split()
        other = "" if len(splits) != 1 else "AND NOT EXISTS (SELECT 1 FROM splits WHERE splits.image = refs.image AND split <> ?)"
        query = f"FROM (SELECT DISTINCT image FROM refs WHERE image NOT IN (SELECT image FROM used) {other})"
        (count,) = self._table.execute(f"SELECT count(*) {query}", [*splits] if other else []).fetchone()
        if not count:
            return None
        examples = self._table.execute(f"SELECT image {query} LIMIT 3", [*splits] if other else [])
        example_text = ", ".join(image for (image,) in examples)
        (used_count,) = self._table.execute("SELECT count(*) FROM used").fetchone()
        if self._unknown_image_count and not used_count:
            found = Message("found.other_images", first=example_text)
            return InputError(str(self.path), found, Message("expected.same_ids_file"), remedy="fit")
        images = count + used_count
        return Message(
            "notice.no_result", file=str(self.path), number=count, images=images, first=example_text + (", …" if count > 3 else "")
        )

    def layout_notice(self) -> Message | None:
        """Return a notice about the layout and the splits of the file.

        Return None if the layout is not that of a public data set and no split is chosen.
        """
        splits = self._images_by_split()
        layout = self._layout or Message("notice.captions")
        if not splits and self._layout:
            (images,) = self._table.execute("SELECT count(DISTINCT image) FROM refs").fetchone()
            return Message("notice.layout", file=str(self.path), layout=layout, number=images)
        if not splits or not (self._layout or self._split):
            return None
        used_splits = [*self._used_images_by_split()]
        if len(used_splits) == 1:
            return Message("notice.split", file=str(self.path), layout=layout, split=used_splits[0] or "–", number=splits[used_splits[0]])
        split_counts = ", ".join(f"{name or '–'} {count:,}" for name, count in splits.items())
        return Message("notice.splits", file=str(self.path), layout=layout, splits=split_counts)

    def _images_by_split(self) -> dict[str, int]:
        """Return the number of images in each split."""
        return dict(self._table.execute("SELECT split, count(*) FROM splits GROUP BY split"))

    def _used_images_by_split(self) -> dict[str, int]:
        """Return the number of images with a result in each split."""
        return dict(self._table.execute("SELECT split, count(*) FROM used JOIN splits USING (image) GROUP BY split"))

    def _key_of_image(self, image: object) -> str:
        """Return the key of the image with this id or alternative id, or the key of an unknown id."""
        key = _id_key(image)
        if self._table.execute("SELECT 1 FROM refs WHERE image = ? UNION ALL SELECT 1 FROM splits WHERE image = ?", [key, key]).fetchone():
            return key
        other = self._table.execute("SELECT image FROM others WHERE other = ?", [key]).fetchone()
        return str(other[0]) if other else key


def group_of(row: Mapping[str, object], group_column: str) -> str:
    """Return the field ``group_column`` as one line of text, or ""."""
    value = row.get(group_column) if group_column else None
    return printable_text(encodable_text(str(value)), MAX_GROUP_CHARS) if isinstance(value, str | int | float) else ""


def read_references(row: object) -> tuple[int | str, list[object]]:
    """Return the image id of a row, and its captions or graph as JSON values. Raises InputError naming the field."""
    field = next((k for k in ("objects", "captions") if isinstance(row, dict) and k in row), "caption")
    image, value = check_fields(row, "image_id", field)
    id = check_image_id(image)
    if isinstance(row, dict) and field == "objects":
        return id, [scene_graph(row)]
    if field == "caption" and value != []:
        return id, [caption_json(check_reference(value, field))]
    if not isinstance(value, list) or not value:
        raise InputError(field_place(field), value, Message("expected.captions"))
    return id, [caption_json(check_reference(reference, f"{field}[{i}]")) for i, reference in enumerate(value)]


def _id_key(image: object) -> str:
    """Return the key for comparing ids. Numbers and texts with the same digits are equal: 391895, "391895" and 391895.0."""
    text = str(image)
    return text.partition(".")[0] if _WHOLE_FLOAT_PATTERN.fullmatch(text) else text
