"""Files read row by row in constant memory: JSON arrays, JSON lines and tables; bad rows are reported and skipped."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import math
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Generic, NamedTuple, TypeVar

from spice_core.data.encodings import encoding_of, expected_encoding
from spice_core.data.json_stream import Scanner, decoded
from spice_core.errors import InputError
from spice_core.files import check_regular

if TYPE_CHECKING:
    from _csv import Reader

ROW_LIMIT = 16 << 20  # bytes or characters
_BEGINNING = 1 << 16  # bytes that tell what a file is
_UNPACKED = 200 << 20  # bytes of an upload that was gzipped; as large as one may be that was not
_FILE_UNPACKED, _RATIO = 1 << 30, 100  # bytes of a file that was gzipped: so many, or so many times its own
_COLUMNS, _UPLOADED = 100_000, 2_000_000  # columns of a table; lines or values of an upload
_ARCHIVES = {b"PK\x03\x04": "a ZIP archive or Excel workbook", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "Zstandard"}


class RowError(InputError):
    """One bad row: ``file``, ``row`` (``row 3`` or ``line 3``) and ``field``, with what was found and expected."""

    def __init__(self, file: object, row: str, error: InputError):
        super().__init__(", ".join(filter(None, (str(file), row, error.where))), error.found, error.expected, remedy=error.remedy)
        self.file, self.row, self.field = str(file), row, error.where


@dataclass(frozen=True)
class Upload:
    """A file in memory, accepted wherever a path is read."""

    name: str
    content: bytes = field(repr=False)

    def open(self, mode: str, buffering: int = -1) -> io.BytesIO:
        """Open its bytes for reading."""
        return io.BytesIO(self.content)

    def __str__(self) -> str:
        return self.name


Readable = Path | Upload


T_co = TypeVar("T_co", covariant=True)


class Row(NamedTuple, Generic[T_co]):
    """A row: its place in the file, and its value or error."""

    place: str
    value: T_co


def stem(path: object) -> str:
    """The name of a file without its suffix; without both suffixes if it is gzipped."""
    return Path(str(path).removesuffix(".gz")).stem


class _Unpacked(gzip.GzipFile):
    """A gzipped file that may hold no more than some bytes: a small one can unpack to any size."""

    def __init__(self, file: BinaryIO, name: str, most: int):
        super().__init__(fileobj=file)
        self._name, self._most = name, most

    def read(self, size: int | None = -1) -> bytes:
        content = super().read(size)
        if self.tell() > self._most:
            raise InputError(self._name, f"more than {self._most >> 20} MB when unpacked", "a smaller file, or one that is not gzipped")
        return content


def opened(path: Readable) -> io.BufferedReader:
    """Open a file for reading bytes, after a byte-order mark, unpacked if it is gzipped.

    Raises InputError for a file that cannot be read, is empty, no file but a pipe, packed otherwise or in another encoding
    than UTF-8, and in reading where it unpacks to more than is likely.
    """
    if not isinstance(path, Upload):
        check_regular(path)
    with readable(path):
        file: io.BufferedReader = io.BufferedReader(path.open("rb", 0), _BEGINNING)
        if file.peek(2)[:2] == b"\x1f\x8b":
            most = _UNPACKED if isinstance(path, Upload) else max(_FILE_UNPACKED, _RATIO * path.stat().st_size)
            file = io.BufferedReader(_Unpacked(file, str(path), most), _BEGINNING)
        head = file.peek(_BEGINNING)
    packed = next((name for magic, name in _ARCHIVES.items() if head.startswith(magic)), None)
    if packed:
        raise InputError(str(path), packed, "JSON or a table as it is, or gzipped")
    if encoding := encoding_of(head):
        raise InputError(str(path), encoding, expected_encoding(encoding), remedy="encoding")
    if head.startswith(codecs.BOM_UTF8):
        file.read(3)
    return file


@contextmanager
def readable(path: object) -> Iterator[None]:
    """Turn errors of reading or unpacking into an InputError that names the file."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(str(path), getattr(error, "strerror", None) or str(error), "a readable file") from None


def text_of(content: bytes, name: str) -> str:
    """The text of a small file, without byte-order mark. Raises InputError naming the first byte that is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if encoding := encoding_of(content):
            raise InputError(name, encoding, expected_encoding(encoding), remedy="encoding") from None
        raise InputError(f"{name}, byte {error.start}", content[error.start : error.start + 4], "text in UTF-8") from None


def json_rows(path: Readable, key: str | None = None) -> Iterator[Row[object]]:
    """The rows of a JSON array, of the array ``key`` in a JSON object, or of JSON lines; a value may be an InputError.

    Raises InputError if the rest of the file cannot be read.
    """
    with opened(path) as file, readable(path):
        start = file.peek(1 << 12).lstrip()[:1]
        if not start:
            raise InputError(str(path), "an empty file", "a JSON array or one JSON object per line")
        member = key if start == b"{" else None
        if start == b"[" or member:
            text = io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
            scanner = Scanner(text, str(path), ROW_LIMIT, _most(path))
            values = scanner.member(member) if member else scanner.array()
            prefix = f"{member}, " if member else ""
            for number, value in enumerate(values, 1):
                yield Row(f"{prefix}row {number}", value)
            return
        for number, line in _lines(file, path):
            if isinstance(line, InputError):
                yield Row(f"line {number}", line)
            elif line.strip():
                value = decoded(line)
                if start and isinstance(value, InputError) and start != b"{":
                    raise RowError(path, f"line {number}", value)  # no JSON at all
                start = b""
                yield Row(f"line {number}", value)


def read_rows(path: Readable) -> list[tuple[str, object]]:
    """All rows of a JSON or JSON-lines file, each with its place. Raises InputError for the first that cannot be read."""
    rows = []
    for place, value in json_rows(path):
        if isinstance(value, InputError):
            raise RowError(path, place, value)
        rows.append((f"{path}, {place}", value))
    return rows


def table(path: Readable, delimiter: str) -> tuple[list[str], Iterator[Row[object]]]:
    """The column names of a table, and its rows as dicts; a value may be an InputError.

    Raises InputError for missing or repeated column names, or another delimiter.
    """
    file = opened(path)
    reader = csv.reader(_text_lines(file, path), delimiter=delimiter, strict=True)
    names = _cells(reader) or []
    if isinstance(names, InputError):
        raise RowError(path, "line 1", names)
    _check_header(path, names, delimiter)
    return names, _table_rows(reader, names)


def _table_rows(reader: Reader, names: list[str]) -> Iterator[Row[object]]:
    while True:
        place = f"line {reader.line_num + 1}"
        cells = _cells(reader)
        if cells is None:
            return
        if isinstance(cells, list) and len(cells) != len(names) and cells:
            cells = InputError("", f"{len(cells)} cells", f"{len(names)} as in the first line")
        if isinstance(cells, InputError) or any(cells):
            yield Row(place, dict(zip(names, cells)) if isinstance(cells, list) else cells)


def _cells(reader: Reader) -> list[str] | InputError | None:
    """The cells of the next row; None at the end."""
    try:
        return next(reader, None)
    except csv.Error as error:
        return InputError("", str(error), "a table row with balanced double quotes")


def _check_header(path: Readable, names: list[str], delimiter: str) -> None:
    if not names:
        raise InputError(str(path), "an empty file", "a first line with column names")
    other = next((d for d in ",;\t|" if d != delimiter and d in names[0]), None)
    if len(names) == 1 and other:
        raise RowError(path, "line 1", InputError("", names[0], f"names separated by {delimiter!r} (or --delimiter {other!r})"))
    if len(names) > _COLUMNS:
        raise RowError(path, "line 1", InputError("", f"{len(names):,} columns", f"at most {_COLUMNS:,}"))
    for name, count in Counter(names).items():
        if count > 1:
            raise RowError(path, "line 1", InputError("", f"{count} columns {name!r}", "columns with different names"))


def _text_lines(file: BinaryIO, path: Readable) -> Iterator[str]:
    with file, readable(path):
        for number, line in _lines(file, path):
            if isinstance(line, InputError):
                raise RowError(path, f"line {number}", line)
            yield line


def _most(path: Readable) -> float:
    """How many lines or values are read, be they empty."""
    return _UPLOADED if isinstance(path, Upload) else math.inf


def _lines(file: BinaryIO, path: Readable) -> Iterator[tuple[int, str | InputError]]:
    """The lines with their numbers; of a line over the limit the rest is skipped. Raises InputError for too many."""
    number, most = 0, _most(path)
    while line := file.readline(ROW_LIMIT):
        number += 1
        if number > most:
            raise InputError(str(path), f"more than {most:,} lines", "a smaller file")
        if number == 1 and b"\r" in line.rstrip(b"\r") and b"\n" not in line:
            raise InputError(str(path), "lines that end in CR alone", "lines that end in LF or CR LF")
        if len(line) == ROW_LIMIT and not line.endswith(b"\n"):
            while (rest := file.readline(ROW_LIMIT)) and not rest.endswith(b"\n"):
                pass
            yield number, InputError("", f"more than {ROW_LIMIT >> 20} MB", "a shorter line")
        else:
            yield number, line.decode("utf-8", errors="surrogateescape")
