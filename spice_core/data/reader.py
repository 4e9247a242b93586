"""Reader of JSON arrays, JSON lines and tables, row by row in constant memory. Invalid rows become InputErrors."""

from __future__ import annotations

import codecs
import csv
import gzip
import importlib.util
import io
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import setitem
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, NamedTuple, TypeVar

from spice_core.data.encodings import Utf8Stream, encoding_of, expected_encoding_message, is_binary
from spice_core.data.json_stream import MAX_TEXT_CHARS, JsonScanner, count_values, decode_line
from spice_core.errors import InputError, Message, not_installed_error
from spice_core.files import check_regular

if TYPE_CHECKING:
    from _csv import Reader

MAX_ROW_BYTES, _MAX_UPLOADED_ROW_BYTES = 64 << 20, 16 << 20  # maximum size of a row in a file and in an upload, in bytes or characters
_BEGINNING_BYTES = 1 << 16  # size of the head, from which the layout is detected
MAX_UNPACKED_UPLOAD_BYTES = 200 << 20  # limit on the bytes of an upload, decompressed or not
# limit on an unpacked file: bytes or, if larger, a multiple of its packed size
_MAX_UNPACKED_FILE_BYTES, _MAX_COMPRESSION_RATIO = 1 << 30, 100
_MAX_COLUMNS, MAX_UPLOADED_COLUMNS = 100_000, 1_000  # maximum number of columns of a table, in a file and in an upload
_MAX_UPLOADED_VALUES = 4_000_000  # maximum number of lines or values (including nested ones) of an upload
_COLUMN_SEPARATORS = ",;\t|"
NUMBERED_COLUMN = "column"  # prefix of the numbered names of unnamed columns
DELIMITER_BY_SUFFIX = {".csv": ",", ".tsv": "\t"}
_GZIP_SIGNATURE, _ZSTANDARD_SIGNATURE = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# Formats that are not read, by the beginning of a file.
_UNREAD_FORMATS = {
    "PyTorch": rb"PK\x03\x04.{26}[^\0]{1,99}data\.pkl",
    "NumPy": rb"\x93NUMPY|PK\x03\x04.{26}[^\0]{1,99}\.npy",
    "ZIP": rb"PK\x03\x04",
    "bzip2": rb"BZh",
    "xz": rb"\xfd7zXZ",
    "7z": rb"7z\xbc\xaf",
    "tar": rb".{257}ustar",
    "Zstandard": re.escape(_ZSTANDARD_SIGNATURE),
    "a pickle": rb"\x80[\x02-\x05]|\([dl]p0\n|[\]}]q\0",
    "safetensors": rb'.{6}\0\0\{"',
    "HDF5": rb"\x89HDF",
    "SQLite": rb"SQLite format 3",
    "PDF": rb"%PDF",
    "PNG": rb"\x89PNG",
    "JPEG": rb"\xff\xd8\xff",
    "GIF": rb"GIF8",
    "TIFF": rb"II\*\0|MM\0\*",
    "WebP": rb"RIFF.{4}WEBP",
    "WAV": rb"RIFF.{4}WAVE",
    "MP4": rb".{4}ftyp",
    "SRT": rb"\s*\d+\r?\n\d+:\d\d:\d\d,\d+ -->",
    "WebVTT": rb"WEBVTT",
    "LaTeX": rb"\s*(?:%[^\n]*\n\s*)*\\(?:documentclass|usepackage|begin)\b",
    "a Git LFS pointer": rb"version https://git-lfs",
}
_PACKED_SUFFIX = re.compile(r"\.(?:gz|zst)$", re.IGNORECASE)


class RowError(InputError):
    """An invalid row: ``file``, ``row`` (such as ``line 3``), ``field``, and the found and expected values."""

    def __init__(self, file: object, row: str, error: InputError):
        where = reduce(_nested_place, filter(None, (str(file), row, error.where)))
        super().__init__(where, error.found, error.expected, remedy=error.remedy)
        self.file, self.row, self.field = str(file), row, error.where


@dataclass(frozen=True)
class Upload:
    """A file in memory. Readers accept it in place of a path."""

    name: str
    content: bytes = field(repr=False)

    def open(self, mode: str, buffering: int = -1) -> io.BytesIO:
        """Open the content for reading bytes. The arguments have no effect."""
        return io.BytesIO(self.content)

    def __str__(self) -> str:
        return self.name


ReadablePath = Path | Upload
EncodingByFile = dict[str, str]  # encoding by file, for files that are not in UTF-8


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Row(NamedTuple, Generic[T_co]):
    """One row of a file: its place, and its value or error."""

    place: str
    value: T_co


def read_each(rows: Iterable[tuple[str, object]], path: object, read: Callable[[object], T]) -> Iterator[T]:
    """Yield ``read(value)`` for each row. Raises RowError for an InputError in a row or raised by ``read``."""
    for place, value in rows:
        try:
            if isinstance(value, InputError):
                raise value
            result = read(value)
        except InputError as error:
            raise RowError(path, place, error) from None
        yield result


def _nested_place(outer: str, inner: str) -> Message:
    return Message("where.inside", outer=outer, inner=inner)


def stem_of(path: object) -> str:
    """Return the name of a file without its suffix, or without both suffixes if it is compressed."""
    return Path(_PACKED_SUFFIX.sub("", str(path))).stem


def suffix_of(path: ReadablePath) -> str:
    """Return the suffix of a file in lower case, ignoring .gz and .zst."""
    return Path(_PACKED_SUFFIX.sub("", path.name)).suffix.lower()


class _UnpackedStream(io.RawIOBase):
    """The content of a compressed file, limited in size because a small file can unpack to any size."""

    def __init__(self, archive_file: BinaryIO, content: Any, name: str, max_bytes: int):
        self._packed, self._content, self._name, self._remaining_bytes, self._max_bytes = archive_file, content, name, max_bytes, max_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._content.read(len(buffer))
        self._remaining_bytes -= len(content)
        if self._remaining_bytes < 0:
            raise InputError(self._name, Message("found.unpacked", megabytes=self._max_bytes >> 20), Message("expected.unpacked_file"))
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self._packed.close()
        super().close()


def open_unpacked(path: ReadablePath) -> io.BufferedReader:
    """Open a file for reading bytes, decompressed if it is in gzip or Zstandard format.

    Raises InputError if the file cannot be read or is a pipe, and MissingResourceError if pyarrow is missing for
    Zstandard. While reading, raises InputError if the file unpacks to an implausible size.
    """
    if not isinstance(path, Upload):
        check_regular(path)
    with input_errors(path):
        file: io.BufferedReader = io.BufferedReader(path.open("rb", 0), _BEGINNING_BYTES)
        head = file.peek(4)[:4]
        if head.startswith((_GZIP_SIGNATURE, _ZSTANDARD_SIGNATURE)):
            if head.startswith(_GZIP_SIGNATURE):
                content: Any = gzip.GzipFile(fileobj=file)
            elif importlib.util.find_spec("pyarrow") is None:
                raise not_installed_error("pyarrow", 'pip install ".[files]"')
            else:
                import pyarrow

                content = pyarrow.CompressedInputStream(pyarrow.PythonFile(file, "r"), "zstd")
            max_bytes = MAX_UNPACKED_UPLOAD_BYTES
            if not isinstance(path, Upload):
                max_bytes = max(_MAX_UNPACKED_FILE_BYTES, _MAX_COMPRESSION_RATIO * path.stat().st_size)
            file = io.BufferedReader(_UnpackedStream(file, content, str(path), max_bytes), _BEGINNING_BYTES)
    return file


def open_utf8(path: ReadablePath, encodings: EncodingByFile | None = None) -> io.BufferedReader:
    """Open a file for reading its bytes in UTF-8, decompressed and without a byte-order mark.

    With ``encodings``, a file in another encoding that can be detected is converted, and the encoding is added to
    ``encodings``. Raises InputError as ``open_unpacked`` does, and for a file that is compressed in another format. Without
    ``encodings``, also raises InputError for an encoding that ``encoding_of`` detects.
    """
    file = open_unpacked(path)
    with input_errors(path):
        head = file.peek(_BEGINNING_BYTES)
    start = head.removeprefix(codecs.BOM_UTF8)
    names = (name for name, pattern in _UNREAD_FORMATS.items() if re.match(pattern, start, re.DOTALL))
    if name := "TOML" if suffix_of(path) == ".toml" else next(names, Message("found.binary") if is_binary(head) else ""):
        raise InputError(str(path), Message("found.zip") if name == "ZIP" else name, Message("expected.packed_file"))
    if encodings is not None:
        file = io.BufferedReader(Utf8Stream(file, partial(setitem, encodings, str(path))), _BEGINNING_BYTES)
    elif encoding := encoding_of(head):
        raise InputError(str(path), encoding, expected_encoding_message(encoding), remedy="encoding")
    if head.startswith(codecs.BOM_UTF8):
        file.read(3)
    return file


@contextmanager
def input_errors(path: object) -> Iterator[None]:
    """Convert errors of reading or unpacking in the ``with`` block to an InputError that names the file."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        found = Message("found.cut_off" if isinstance(error, EOFError) else "found.damaged")
        raise InputError(str(path), found, Message("expected.complete_file")) from None
    except OSError as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(str(path), Message("found.unreadable", reason=reason), Message("expected.readable_file")) from None


def decode_text(content: bytes, name: str) -> str:
    """Decode the content of a small file and remove a byte-order mark.

    Raises InputError naming the encoding of the file or the first byte that is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if encoding := encoding_of(content):
            raise InputError(name, encoding, expected_encoding_message(encoding), remedy="encoding") from None
        where = _nested_place(name, Message("where.byte", number=error.start))
        raise InputError(where, content[error.start : error.start + 4], expected_encoding_message("")) from None


def json_rows(path: ReadablePath, encodings: EncodingByFile | None = None) -> Iterator[Row[object]]:
    """Yield the rows of a JSON array or of JSON lines.

    The value of an invalid row is an InputError. Raises InputError if the file is empty or the rest of it cannot be read.
    """
    with open_utf8(path, encodings) as file, input_errors(path):
        start = file.peek(1 << 12).lstrip()[:1]
        if not start:
            raise InputError(str(path), Message("found.empty_file"), Message("expected.json_file"))
        if suffix_of(path) in (".yaml", ".yml") and start not in b"[{":
            raise InputError(str(path), Message("found.yaml"), Message("expected.no_yaml"))
        if start == b"<":
            raise InputError(str(path), "XML or HTML", Message("expected.packed_file"))
        if start == b"[":
            for row_number, value in enumerate(json_scanner(file, path).array(), 1):
                yield Row(Message("where.row", number=row_number), value)
        else:
            yield from _rows_of_lines(file, path, is_json=start == b"{")


def json_scanner(file: BinaryIO, path: ReadablePath) -> JsonScanner:
    """Return a scanner of an open file in UTF-8, with the limits of a file or an upload."""
    text = io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
    return JsonScanner(text, str(path), max_row_size(path), max_values(path))


def _rows_of_lines(file: BinaryIO, path: ReadablePath, *, is_json: bool) -> Iterator[Row[object]]:
    """Yield the rows of JSON lines.

    Raises InputError if there are too many values or, unless ``is_json`` is set, if the first line is not JSON.
    """
    remaining = max_values(path)
    for line_number, line in _numbered_lines(file, path):
        place = Message("where.line", number=line_number)
        if isinstance(line, InputError):
            yield Row(place, line)
        elif line.strip():
            remaining -= count_values(line) if remaining < math.inf else 0
            if remaining < 0:
                raise InputError(str(path), Message("found.many_values", number=_MAX_UPLOADED_VALUES), Message("expected.smaller_file"))
            value = decode_line(line)
            if isinstance(value, InputError) and not is_json:
                raise RowError(path, place, value)
            is_json = True
            yield Row(place, value)


def read_rows(path: ReadablePath) -> list[tuple[str, object]]:
    """Read all rows of JSON, JSON lines or a table (.csv, .tsv) with their places. Raises InputError at the first invalid row."""
    rows: list[tuple[str, object]] = []
    delimiter = DELIMITER_BY_SUFFIX.get(suffix_of(path))
    for place, value in read_table(path, delimiter)[1] if delimiter else json_rows(path):
        if isinstance(value, InputError):
            raise RowError(path, place, value)
        rows.append((_nested_place(str(path), place), value))
    return rows


class Head(NamedTuple):
    """The unpacked beginning of a file: its first bytes, and its text without a byte-order mark."""

    path: ReadablePath
    signature: bytes
    text: str

    @property
    def suffix(self) -> str:
        """The suffix of the file in lower case, ignoring .gz and .zst."""
        return suffix_of(self.path)

    @property
    def first_line(self) -> str:
        """The first non-empty line, or its beginning if it is long."""
        return next(iter(self.text.lstrip("\r\n").splitlines()), "")

    def delimiter(self, default: str = "") -> str:
        """Return a table's column separator: the default (that of the suffix, or a comma) if it splits the first line, or the
        one with the most cells."""
        default = default or DELIMITER_BY_SUFFIX.get(self.suffix, ",")
        separators = dict.fromkeys((default, *_COLUMN_SEPARATORS))
        try:
            cells = {separator: len(next(csv.reader([self.first_line], delimiter=separator), [])) for separator in separators}
        except csv.Error:
            return default
        return default if cells[default] > 1 else max(cells, key=cells.__getitem__)


def read_head(path: ReadablePath) -> Head:
    """Read the beginning of a file. Raises InputError as ``open_unpacked`` does."""
    with open_unpacked(path) as file, input_errors(path):
        signature = file.peek(8)[:8]
        text = io.BufferedReader(Utf8Stream(file, lambda _: None), _BEGINNING_BYTES).peek().decode("utf-8", "replace")
    return Head(path, signature, text.removeprefix("\ufeff"))


def read_table(
    path: ReadablePath, delimiter: str, encodings: EncodingByFile | None = None, *, has_header: bool = True
) -> tuple[list[str], Iterator[Row[object]]]:
    """Return the column names of a table, and an iterator over its rows as dictionaries.

    Without a header, the columns are named column1, column2, ….
    The value of an invalid row is an InputError. Raises InputError if column names are missing or repeated, if there are
    too many columns, or if the file uses another delimiter.
    """
    csv.field_size_limit(max_row_size(path))
    file = open_utf8(path, encodings)
    reader = csv.reader(text_lines(file, path), delimiter=delimiter, strict=True)
    names = _read_cells(reader) or []
    if isinstance(names, InputError):
        raise RowError(path, Message("where.line", number=1), names)
    first_rows = [] if has_header else [names]
    names = [name.strip() if has_header else f"{NUMBERED_COLUMN}{number}" for number, name in enumerate(names, 1)]
    if not names:
        raise InputError(str(path), Message("found.empty_file"), Message("expected.header"))
    if len(names) == 1 and has_header and "，" in names[0]:
        error = InputError("", Message("found.full_width_commas"), Message("expected.half_width_commas"))
        raise RowError(path, Message("where.line", number=1), error)
    other = next((d for d in _COLUMN_SEPARATORS if d != delimiter and d in names[0]), None)
    if len(names) == 1 and other:
        expected = Message("expected.delimiter", delimiter=delimiter, other=other)
        raise RowError(path, Message("where.line", number=1), InputError("", names[0], expected))
    check_names(path, names, Message("where.line", number=1))
    return names, _table_rows(reader, names, first_rows)


def _table_rows(reader: Reader, names: list[str], first_rows: list[list[str]]) -> Iterator[Row[object]]:
    yield from (Row(Message("where.line", number=1), dict(zip(names, cells))) for cells in first_rows)
    while True:
        place = Message("where.line", number=reader.line_num + 1)
        cells = _read_cells(reader)
        if cells is None:
            return
        if isinstance(cells, list) and len(cells) != len(names) and cells:
            cells = InputError("", Message("found.cells", number=len(cells)), Message("expected.cells", number=len(names)))
        if isinstance(cells, InputError) or any(cells):
            yield Row(place, dict(zip(names, cells)) if isinstance(cells, list) else cells)


def _read_cells(reader: Reader) -> list[str] | InputError | None:
    """Return the cells of the next row, with long cells truncated, an InputError for an invalid row, or None at the end of the file."""
    try:
        cells = next(reader, None)
        return cells and [cell[:MAX_TEXT_CHARS] for cell in cells]
    except csv.Error as error:
        return InputError("", Message("found.unreadable", reason=str(error)), Message("expected.quotes"))


def check_names(path: ReadablePath, names: list[str], place: str) -> None:
    """Raise RowError if there are too many columns or if two columns have the same name."""
    max_columns = MAX_UPLOADED_COLUMNS if isinstance(path, Upload) else _MAX_COLUMNS
    if len(names) > max_columns:
        error = InputError("", Message("found.many_columns", number=len(names)), Message("expected.at_most_many", number=max_columns))
        raise RowError(path, place, error)
    for name, count in Counter(names).items():
        if count > 1:
            error = InputError("", Message("found.same_columns", number=count, name=name), Message("expected.different_names"))
            raise RowError(path, place, error)


def text_lines(file: BinaryIO, path: ReadablePath) -> Iterator[str]:
    """Yield the lines of an open file, then close it. Raises RowError if a line is too long."""
    with file, input_errors(path):
        for line_number, line in _numbered_lines(file, path):
            if isinstance(line, InputError):
                raise RowError(path, Message("where.line", number=line_number), line)
            yield line


def max_row_size(path: ReadablePath) -> int:
    """Return the maximum size of a row in bytes or characters."""
    return min(MAX_ROW_BYTES, _MAX_UPLOADED_ROW_BYTES) if isinstance(path, Upload) else MAX_ROW_BYTES


def max_values(path: ReadablePath) -> float:
    """Return the maximum number of lines or values to read, including empty lines."""
    return _MAX_UPLOADED_VALUES if isinstance(path, Upload) else math.inf


def _numbered_lines(file: BinaryIO, path: ReadablePath) -> Iterator[tuple[int, str | InputError]]:
    """Yield numbered lines. A line over the limit becomes an InputError.

    Raises InputError if there are too many lines or if only carriage returns end the lines.
    """
    line_number, max_lines, limit = 0, max_values(path), max_row_size(path)
    while line := file.readline(limit):
        line_number += 1
        if line_number > max_lines:
            raise InputError(str(path), Message("found.lines", number=max_lines), Message("expected.smaller_file"))
        if line_number == 1 and b"\r" in line.rstrip(b"\r") and b"\n" not in line:
            raise InputError(str(path), Message("found.cr"), Message("expected.lf"))
        if len(line) == limit and not line.endswith(b"\n"):
            while (line_end := file.readline(limit)) and not line_end.endswith(b"\n"):
                pass
            yield line_number, InputError("", Message("found.megabytes", megabytes=limit >> 20), Message("expected.shorter_line"))
        else:
            yield line_number, line.decode("utf-8", errors="surrogateescape")
