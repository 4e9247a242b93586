"""Readers of Parquet, Arrow and Excel files, row by row. Arrow includes Feather files and Hugging Face datasets on disk."""

from __future__ import annotations

import importlib.util
import io
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from spice_core.data.json_stream import MAX_TEXT_CHARS, MAX_VALUES
from spice_core.data.reader import (
    MAX_UNPACKED_UPLOAD_BYTES,
    MAX_UPLOADED_COLUMNS,
    Head,
    ReadablePath,
    Row,
    Upload,
    check_names,
)
from spice_core.errors import InputError, Message, not_installed_error

_BLOCK_BYTES, _SAMPLE_ROWS = 1 << 16, 16
_ROW_TAG = re.compile(rb"<(?:\w+:)?(?:row|si)\b")  # start of a sheet's row, or of a text in the part for texts
_OFFICE_SIGNATURE, _PARQUET_SIGNATURE, _ARROW_SIGNATURE, _ARROW_STREAM_SIGNATURE = b"PK\x03\x04", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
Table = tuple[list[str], Iterator[Row[object]]]  # column names and rows


def is_packed(head: Head) -> bool:
    """Return whether a file is a table in Parquet, Arrow or Excel format."""
    signatures = (_PARQUET_SIGNATURE, _ARROW_SIGNATURE, _ARROW_STREAM_SIGNATURE)
    return head.signature.startswith(signatures) or (head.signature.startswith(_OFFICE_SIGNATURE) and head.suffix in (".xlsx", ".xlsm"))


def read_packed_table(head: Head) -> Table:
    """Return the column names and rows of a packed table.

    Raises MissingResourceError if the package that reads the file is missing, and InputError if the file is invalid or is an
    uploaded Parquet or Arrow file.
    """
    path, is_excel = head.path, head.signature.startswith(_OFFICE_SIGNATURE)
    if isinstance(path, Upload) and not is_excel:  # a few compressed bytes can hold many long texts
        raise InputError(str(path), Message("found.parquet"), Message("expected.no_parquet"))
    package = "openpyxl" if is_excel else "pyarrow"
    if importlib.util.find_spec(package) is None:
        raise not_installed_error(package, 'pip install ".[files]"')
    if is_excel:
        return _read_excel(path)
    return _read_parquet(path) if head.signature.startswith(_PARQUET_SIGNATURE) else _read_arrow(path, head.signature)


def _open_source(path: ReadablePath) -> Any:
    return io.BytesIO(path.content) if isinstance(path, Upload) else str(Path(path))


def _read_excel(path: ReadablePath) -> Table:
    """Return column names (the first row) and rows of the first sheet of a workbook."""
    from openpyxl import load_workbook

    try:
        if isinstance(path, Upload):
            _check_workbook(path)
        sheet = load_workbook(_open_source(path), read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # the stated dimensions may be wrong and very large
        cells = sheet.iter_rows(values_only=True)
        names = ["" if name is None else str(name).strip() for name in next(cells, ())]
    except Exception as error:
        raise _unreadable_error(path, error) from None
    check_names(path, [name for name in names if name], Message("where.row", number=1))
    return [name for name in names if name], _sheet_rows(path, names, cells)


def _check_workbook(upload: Upload) -> None:
    """Unpack the parts of an uploaded workbook in small blocks. openpyxl would read most parts at once.

    Raises InputError if a part is not compressed by deflate, or if there are too many bytes, or XML tags in a row or in another part.
    """
    remaining_bytes = MAX_UNPACKED_UPLOAD_BYTES
    with ZipFile(io.BytesIO(upload.content)) as archive:
        for part in archive.infolist():
            if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise InputError(str(upload), Message("found.packing", name=part.filename), Message("expected.deflate"))
            if part.compress_size > part.file_size + _BLOCK_BYTES:
                raise BadZipFile
            tag_count = 0
            with archive.open(part) as file:
                for block in iter(partial(file.read, _BLOCK_BYTES), b""):
                    remaining_bytes -= len(block)
                    if remaining_bytes < 0:
                        megabytes = MAX_UNPACKED_UPLOAD_BYTES >> 20
                        raise InputError(str(upload), Message("found.unpacked", megabytes=megabytes), Message("expected.unpacked_file"))
                    for row_index, row in enumerate(_ROW_TAG.split(block)):
                        tag_count = row.count(b"<") + (0 if row_index else tag_count)
                        if tag_count > MAX_VALUES:
                            raise InputError(str(upload), Message("found.many_values", number=MAX_VALUES), Message("expected.smaller_file"))


def _sheet_rows(path: ReadablePath, names: list[str], cells: Iterator[tuple[object, ...]]) -> Iterator[Row[object]]:
    """Yield the nonempty rows of a sheet below its column names. Raises InputError if a row cannot be read."""
    row_number = 1
    while True:
        row_number += 1
        try:
            row = next(cells, None)
        except Exception as error:
            raise _unreadable_error(path, error) from None
        if row is None:
            return
        if isinstance(path, Upload) and len(row) > MAX_UPLOADED_COLUMNS:
            expected = Message("expected.at_most_many", number=MAX_UPLOADED_COLUMNS)
            raise InputError(str(path), Message("found.many_columns", number=len(row)), expected)
        if any(cell is not None for cell in row):
            yield Row(Message("where.row", number=row_number), {name: _cell_value(cell) for name, cell in zip(names, row) if name})


def _cell_value(cell: object) -> object:
    """Return the value of a cell: "" for None, integers for whole floats, and texts for other floats, dates and booleans."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if isinstance(cell, str | int | list | dict) and not isinstance(cell, bool) else str(cell)


def _read_parquet(path: ReadablePath) -> Table:
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(_open_source(path))
        names, columns = file.schema_arrow.names, _columns_without_binaries(file.schema_arrow)
        check_names(path, names, "")
        # Skip columns with texts too long for captions, such as base64 images. Damaged column metadata can crash the process.
        sample = next(file.iter_batches(_SAMPLE_ROWS, columns=columns), None)
        light_columns = [] if sample is None else [n for n in columns if sample[n].nbytes <= MAX_TEXT_CHARS * sample.num_rows]
    except Exception as error:
        raise _unreadable_error(path, error) from None
    return names, _batch_rows(path, file.iter_batches(256, columns=light_columns))


def _read_arrow(path: ReadablePath, head: bytes) -> Table:
    """Return the column names and rows of an Arrow file, or of an Arrow stream such as ``Dataset.save_to_disk`` writes."""
    import pyarrow

    try:
        if head.startswith(_ARROW_STREAM_SIGNATURE):
            batches = file = pyarrow.ipc.open_stream(_open_source(path))
        else:
            file = pyarrow.ipc.open_file(_open_source(path))
            batches = map(file.get_batch, range(file.num_record_batches))
        names, light_columns = file.schema.names, _columns_without_binaries(file.schema)
    except Exception as error:
        raise _unreadable_error(path, error) from None
    check_names(path, names, "")
    return names, _batch_rows(path, (batch.select(light_columns) for batch in batches))


def _columns_without_binaries(schema: Any) -> list[str]:
    """Return the columns without binary data, so that images are not read."""
    from pyarrow import types

    def is_binary(kind: Any) -> bool:
        return types.is_binary(kind) or types.is_large_binary(kind) or (types.is_struct(kind) and any(is_binary(f.type) for f in kind))

    return [field.name for field in schema if not is_binary(field.type)]


def _batch_rows(path: ReadablePath, batches: Iterator[Any]) -> Iterator[Row[object]]:
    """Yield the rows of Arrow batches. Raises InputError if a batch cannot be read."""
    row_number = 0
    while True:
        try:
            batch = next(batches, None)
            if batch is not None:
                batch.validate(full=True)  # a damaged batch would crash the process
            rows = [] if batch is None else batch.to_pylist()
        except Exception as error:
            raise _unreadable_error(path, error) from None
        if batch is None:
            return
        for row in rows:
            row_number += 1
            yield Row(Message("where.row", number=row_number), {name: _cell_value(value) for name, value in row.items()})


def _unreadable_error(path: ReadablePath, error: Exception) -> InputError:
    if isinstance(error, MemoryError | InputError):
        raise error
    if isinstance(error, BadZipFile):  # an Excel file is an archive
        return InputError(str(path), Message("found.damaged"), Message("expected.complete_file"))
    return InputError(str(path), Message("found.unreadable", reason=str(error).split("\n")[0]), Message("expected.readable_file"))
