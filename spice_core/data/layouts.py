"""Layouts of public data sets, recognised by their content: JSON objects, captions without a header, Parquet and Excel files."""

from __future__ import annotations

import importlib.util
import io
import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path, PurePath
from typing import Any
from zipfile import ZipFile

from spice_core.data.columns import text_of_caption
from spice_core.data.json_stream import Scanner, only
from spice_core.data.reader import (
    ROW_LIMIT,
    UNPACKED,
    UPLOADED_COLUMNS,
    Encodings,
    Readable,
    Row,
    Upload,
    check_names,
    most_values,
    opened,
    readable,
    text_lines,
    unpacked,
)
from spice_core.errors import InputError, Message, not_installed

_HEAD = 1 << 16  # bytes that tell a layout
_ROW = {"image_id", "test", "refs", "caption", "captions", "candidate", "references", "id"}  # names that make an object a row
_LISTS = ("images", "annotations", "data", "sentences")  # members of an object that hold the rows of a public layout
_LIST = re.compile(rf'"(?:{"|".join((*_LISTS, "videos"))})"\s*:\s*\[\s*[{{\]]')
_BY_ID = re.compile(r'\{\s*"(?P<name>(?:[^"\\]|\\.)*)"\s*:\s*(?:"|\[\s*(?:"|\{[^{}]*"caption"))')
_TOKEN = re.compile(r"(?P<name>[^\t]+)#\d+[A-Za-z]?\t(?P<caption>.*)")
_TEXTS = 1_000  # captions by id before which no list of a public layout has come
_LEFT_OUT = ("is_rejected", "is_precanned")  # of VizWiz: captions that its own API leaves out
_OFFICE, _PARQUET, _ARROW = b"PK\x03\x04", b"PAR1", b"ARROW1"


def packed_table(path: Readable) -> tuple[list[str], Iterator[Row[object]]] | None:
    """Column names and rows of a Parquet, Arrow (Feather) or Excel file; None for any other.

    Raises MissingResourceError without the package that reads it, InputError for a file that it cannot read.
    """
    with unpacked(path) as file, readable(path):
        head = file.peek(8)[:8]
    excel = head.startswith(_OFFICE) and PurePath(str(path)).suffix.lower() in (".xlsx", ".xlsm")
    if not (excel or head.startswith((_PARQUET, _ARROW))):
        return None
    if isinstance(path, Upload) and not excel:  # a few bytes of it can hold any number of long texts
        raise InputError(str(path), Message("found.parquet"), Message("expected.no_parquet"))
    package = "openpyxl" if excel else "pyarrow"
    if importlib.util.find_spec(package) is None:
        raise not_installed(package, "pip install 'spice_core[files]'")
    if excel:
        return _excel(path)
    return _parquet(path) if head.startswith(_PARQUET) else _arrow(path)


def object_layout(path: Readable) -> bool:
    """Whether a file is one JSON object with the rows of a public layout, or with captions by image id; no JSON lines."""
    with opened(path, {}) as file, readable(path):
        head = file.peek(_HEAD)[:_HEAD].decode("utf-8", "replace").lstrip()
    if not head.startswith("{"):
        return False
    try:
        value, end = json.JSONDecoder().raw_decode(head)
    except ValueError:  # it goes on
        first = _BY_ID.match(head)
        return bool(_LIST.search(head)) or bool(first and first["name"] not in _ROW)
    return not head[end:].strip() and not _ROW & {*value} and all(isinstance(each, str | list | dict) for each in value.values())


def object_rows(path: Readable, encodings: Encodings, notices: list[Message]) -> Iterator[Row[object]]:
    """The captions of such an object: rows with ``image_id`` and ``caption`` or ``captions``.

    They are the annotations of COCO, the images of Karpathy's files, the captions of TextCaps or MSR-VTT, or those by image id.
    ``notices`` are added for what was read and what was left out.
    """
    with opened(path, encodings) as file, readable(path):
        text = io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
        members = Scanner(text, str(path), ROW_LIMIT, most_values(path)).members()
        before: list[tuple[str, int, object]] = []
        texts = 0
        for member in members:
            before.append(member)
            name, _, value = member
            if known := isinstance(value, dict) and name in _LISTS:
                break
            texts += isinstance(value, str)
            if texts == _TEXTS:
                break
        else:
            known = False
        yield from _of_lists(chain(before, members), path, notices) if known else _by_id(chain(before, members))


def _of_lists(members: Iterator[tuple[str, int, object]], path: Readable, notices: list[Message]) -> Iterator[Row[object]]:
    """Rows of a layout whose lists have names. Raises InputError if no list has captions."""
    left_out, splits, names, found = 0, dict[str, int](), dict[str, None](), False
    for name, number, value in members:
        names[name] = None
        if name not in _LISTS or not number:
            continue
        row, layout = _row(name, value)
        if layout == "images":
            continue
        found = True
        if isinstance(value, dict) and any(value.get(mark) is True for mark in _LEFT_OUT):
            left_out += 1
            continue
        if layout == "karpathy":
            split = str(value.get("split", "")) if isinstance(value, dict) else ""
            splits[split] = splits.get(split, 0) + 1
        yield Row(Message("where.row_of", list=name, number=number), row)
    if not found:
        raise InputError(str(path), only(names), Message("expected.list", name="annotations"))
    if splits:
        shown = ", ".join(f"{name or '–'} {count:,}" for name, count in splits.items())
        notices.append(Message("notice.karpathy", file=str(path), splits=shown))
    if left_out:
        notices.append(Message("notice.left_out", file=str(path), number=left_out))


def _row(name: str, value: object) -> tuple[object, str]:
    """The row of an element of a list, and its layout; ``images`` for one without captions."""
    if not isinstance(value, dict):
        return value, name
    if name == "images":
        if "sentences" not in value:
            return value, "images"
        return _karpathy(value), "karpathy"
    if name == "data" and "caption_str" in value:
        return {"image_id": value.get("image_id"), "caption": value["caption_str"]}, "textcaps"
    if name == "sentences" and "video_id" in value:
        return {"image_id": value["video_id"], "caption": value.get("caption")}, "msr-vtt"
    return value, name


def _karpathy(image: Mapping[str, Any]) -> dict[str, object]:
    """The row of an image of Karpathy's files. Its id is that of COCO or, elsewhere, its number; its file name is another."""
    sentences, file = image["sentences"], image.get("filename")
    others = [file, PurePath(file).stem] if isinstance(file, str) else []
    row: dict[str, object] = {"captions": [*map(text_of_caption, sentences)] if isinstance(sentences, list) else sentences}
    id = next(({"image_id": image[name]} for name in ("cocoid", "imgid") if name in image), {})
    return {**id, **row, "other_ids": others}


def _by_id(members: Iterator[tuple[str, int, object]]) -> Iterator[Row[object]]:
    """Rows of captions by image id: ``{id: caption}``, ``{id: [captions]}``, also with objects that hold a caption."""
    for id, _, value in members:
        yield Row(Message("where.field", name=id), {"image_id": id, "caption": text_of_caption(value)})


def token_rows(path: Readable, encodings: Encodings) -> Iterator[Row[object]] | None:
    """The rows of Flickr's ``NAME.jpg#0<tab>caption``; None for any other file."""
    with opened(path, {}) as file, readable(path):
        head = file.peek(_HEAD)[:_HEAD].decode("utf-8", "replace")
    if not _TOKEN.fullmatch(head.partition("\n")[0].rstrip("\r")):
        return None
    return _token_rows(path, encodings)


def _token_rows(path: Readable, encodings: Encodings) -> Iterator[Row[object]]:
    for number, line in enumerate(text_lines(opened(path, encodings), path), 1):
        if not (line := line.rstrip("\r\n")):
            continue
        found = _TOKEN.fullmatch(line)
        name = found["name"] if found else ""
        value: object = (
            {"image_id": name, "caption": found["caption"], "other_ids": [PurePath(name).stem]}
            if found
            else InputError("", line, Message("expected.token"))
        )
        yield Row(Message("where.line", number=number), value)


def _bounded(path: Readable, size: int) -> None:
    """Raise InputError where an upload unpacks to more than one that is not packed may have."""
    if isinstance(path, Upload) and size > UNPACKED:
        raise InputError(str(path), Message("found.unpacked", megabytes=UNPACKED >> 20), Message("expected.unpacked_file"))


def _source(path: Readable) -> Any:
    return io.BytesIO(path.content) if isinstance(path, Upload) else str(Path(path))


def _excel(path: Readable) -> tuple[list[str], Iterator[Row[object]]]:
    """The first sheet of a workbook; its first row has the names."""
    from openpyxl import load_workbook

    try:
        with ZipFile(_source(path)) as archive:
            _bounded(path, sum(part.file_size for part in archive.infolist()))
        sheet = load_workbook(_source(path), read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # which may be of any size
        cells = sheet.iter_rows(values_only=True)
        names = ["" if name is None else str(name).strip() for name in next(cells, ())]
    except InputError:
        raise
    except Exception as error:
        raise _unreadable(path, error) from None
    check_names(path, [name for name in names if name], Message("where.row", number=1))
    return [name for name in names if name], _sheet(path, names, cells)


def _sheet(path: Readable, names: list[str], cells: Iterator[tuple[object, ...]]) -> Iterator[Row[object]]:
    """The rows of a sheet below its names. Raises InputError where it cannot be read on."""
    number = 1
    while True:
        number += 1
        try:
            row = next(cells, None)
        except Exception as error:
            raise _unreadable(path, error) from None
        if row is None:
            return
        if isinstance(path, Upload) and len(row) > UPLOADED_COLUMNS:
            raise InputError(
                str(path), Message("found.many_columns", number=len(row)), Message("expected.at_most_many", number=UPLOADED_COLUMNS)
            )
        if any(cell is not None for cell in row):
            yield Row(Message("where.row", number=number), {name: _plain(cell) for name, cell in zip(names, row) if name})


def _plain(cell: object) -> object:
    """A cell as a table of text has it: whole numbers without a point, nothing as an empty text."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if isinstance(cell, str | int | list | dict) and not isinstance(cell, bool) else str(cell)


def _parquet(path: Readable) -> tuple[list[str], Iterator[Row[object]]]:
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(_source(path))
    except Exception as error:
        raise _unreadable(path, error) from None
    check_names(path, file.schema_arrow.names, "")
    return file.schema_arrow.names, _batches(path, file.iter_batches(256, columns=_light(file.schema_arrow)))


def _arrow(path: Readable) -> tuple[list[str], Iterator[Row[object]]]:
    import pyarrow

    try:
        file = pyarrow.ipc.open_file(_source(path))
    except Exception as error:
        raise _unreadable(path, error) from None
    light = _light(file.schema)
    check_names(path, file.schema.names, "")
    return file.schema.names, _batches(path, (file.get_batch(n).select(light) for n in range(file.num_record_batches)))


def _light(schema: Any) -> list[str]:
    """The columns without bytes: images stay where they are."""
    import pyarrow

    def heavy(kind: Any) -> bool:
        return (
            pyarrow.types.is_binary(kind)
            or pyarrow.types.is_large_binary(kind)
            or (pyarrow.types.is_struct(kind) and any(heavy(f.type) for f in kind))
        )

    return [field.name for field in schema if not heavy(field.type)]


def _batches(path: Readable, batches: Iterator[Any]) -> Iterator[Row[object]]:
    """The rows of these batches. Raises InputError where they cannot be read on."""
    number = 0
    while True:
        try:
            batch = next(batches, None)
            found = [] if batch is None else batch.to_pylist()
        except Exception as error:
            raise _unreadable(path, error) from None
        if batch is None:
            return
        for row in found:
            number += 1
            yield Row(Message("where.row", number=number), {name: _plain(value) for name, value in row.items()})


def _unreadable(path: Readable, error: Exception) -> InputError:
    return InputError(str(path), Message("found.unreadable", reason=str(error).split("\n")[0]), Message("expected.readable_file"))
