"""The reference program's input: a candidate and its references for each image, as JSON or JSON lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spice_core.errors import InputError
from spice_core.propositions import Parse, given

Caption = str | Parse


@dataclass(frozen=True, slots=True)
class Item:
    """One image to score: its id as given, the candidate and the references (captions or given propositions).

    ``translation`` holds the same captions in English, where the file has them.
    """

    image_id: object
    candidate: Caption
    references: tuple[Caption, ...]
    translation: Item | None = None

    @property
    def captions(self) -> Iterator[str]:
        """Those of its captions that have to be parsed."""
        return (c for c in (self.candidate, *self.references) if isinstance(c, str))


def read_items(path: Path) -> list[Item]:
    """The items of a JSON or JSONL file: ``[{"image_id": …, "test": caption, "refs": [caption, …]}, …]``.

    A caption may also be a list of propositions; ``test_en`` and ``refs_en`` may give English translations. Raises
    InputError naming file, row (from 1) and field.
    """
    return [_item(row, where) for where, row in read_rows(path)]


def read_rows(path: Path) -> list[tuple[str, object]]:
    """The rows of a JSON array or a JSONL file (.gz: compressed), each with its place. Raises InputError where it is neither."""
    return [(f"{path}, row {number}", row) for number, row in enumerate(_rows(path), 1)]


def parse_rows(text: str, name: str) -> list[tuple[str, object]]:
    """The rows of a JSON array or of JSON lines, each with its place in what is called ``name``. Raises InputError."""
    return [(f"{name}, row {number}", row) for number, row in enumerate(_parsed(text, name), 1)]


def _rows(path: Path) -> list[object]:
    try:
        text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, byte {error.start}", error.object[error.start : error.start + 4], "text in UTF-8") from None
    except OSError as error:
        raise InputError(str(path), error.strerror, "a readable file") from None
    return _parsed(text, str(path))


def _parsed(text: str, name: str) -> list[object]:
    if text.lstrip().startswith("["):
        return _decode(text, name)
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise InputError(name, "an empty file", "a JSON array or one JSON object a line")
    return [_decode(line, f"{name}, line {n}") for n, line in lines]


def _decode(text: str, where: str):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{where}, line {error.lineno}" if "\n" in text else where
        raise InputError(f"{place}, column {error.colno}", text[error.pos : error.pos + 20], f"JSON ({error.msg})") from None


def _item(row: object, where: str) -> Item:
    if not isinstance(row, dict):
        raise InputError(where, row, "an object with image_id, test and refs")
    translated = "test_en" in row or "refs_en" in row
    return _captions(row, where, "test", "refs", _captions(row, where, "test_en", "refs_en") if translated else None)


def _captions(row: dict, where: str, test: str, refs: str, translation: Item | None = None) -> Item:
    """The item of these two fields."""
    for name in ("image_id", test, refs):
        if name not in row:
            raise InputError(f"{where}, field {name}", f"only {', '.join(map(str, row)) or 'nothing'}", f"a field {name}")
    if not isinstance(row[refs], list) or not row[refs]:
        raise InputError(f"{where}, field {refs}", row[refs], "a list of at least one caption")
    candidate = _caption(row[test], f"{where}, field {test}")
    references = tuple(_caption(ref, f"{where}, field {refs}[{i}]") for i, ref in enumerate(row[refs]))
    return Item(row["image_id"], candidate, references, translation)


def _caption(value: object, where: str) -> Caption:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return given(value, where=where)
    raise InputError(where, value, "a caption or a list of propositions")
