"""Import of a user's copy of the Japanese WordNet: the file wnjpn.db (SQLite, wnja 1.1), which may be gzipped.

The imported file contains only what the lookups need: Japanese words, their synsets, Japanese definitions, and the hypernym links.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from spice_core.errors import InputError, Message
from spice_core.files import check_regular, is_same_file

ProgressReporter = Callable[[Iterable[tuple[object, ...]], str, int], Iterable[tuple[object, ...]]]

_MAX_DATABASE_BYTES = 4 << 30  # maximum size of the unpacked file; wnja 1.1 has 200 MB
_TABLE_COLUMNS = {  # columns and rows to read from each table
    "word": ("wordid, lang, lemma", "lang = 'jpn' AND lemma <> ''"),
    "sense": ("synset, wordid, lang", "lang = 'jpn' AND synset GLOB '" + "[0-9]" * 8 + "-[nvars]'"),
    "synset_def": ("synset, lang, def", "lang = 'jpn'"),
    "synlink": ("synset1, synset2, link", "link IN ('hype', 'inst')"),
}
TABLE_EXISTS_QUERY = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE"
_STEPS_PER_INTERRUPT_CHECK = 100_000  # steps of a query between two checks for signals
TABLE_NAMES = tuple(_TABLE_COLUMNS)
_INDEXED_COLUMNS = {"word": "lemma", "sense": "wordid", "sense ": "synset", "synset_def": "synset", "synlink": "synset1"}


class ImportedCounts(NamedTuple):
    """Numbers of rows that were imported from a Japanese WordNet."""

    words: int
    synsets: int
    senses: int
    hypernyms: int


def default_wordnet_path() -> Path:
    """Return the path of the imported file in the platform's folder for user data."""
    return platformdirs.user_data_path("spice_core", appauthor=False) / "wnjpn.db"


def import_wordnet(path: str | Path, out: str | Path | None = None, *, progress: ProgressReporter | None = None) -> ImportedCounts:
    """Import a wnjpn.db or wnjpn.db.gz into the file ``out``, or into the user's data folder, and return the numbers of imported rows.

    ``progress`` receives the rows of a table, the name of the table and the number of rows, and returns the rows. An existing file is
    replaced only after the new one is complete.

    Raises InputError if the file is not a Japanese WordNet or cannot be read, or if ``out`` cannot be written or is the same file.
    """
    target = default_wordnet_path() if out is None else Path(out)
    if is_same_file(path, target):
        raise InputError("out", str(target), Message("expected.other_file"))
    with _unpacked_database(Path(path)) as source:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            os.close(handle)
        except OSError as error:
            raise _refused_target_error(target, error.strerror or str(error)) from None
        except ValueError as error:  # no file can have this name
            raise _refused_target_error(target, str(error)) from None
        try:
            counts = _copy_tables(source, Path(path), Path(name), target, progress or no_progress)
            os.replace(name, target)
        except OSError as error:
            raise _refused_target_error(target, error.strerror or str(error)) from None
        finally:
            with suppress(FileNotFoundError):
                os.unlink(name)
    return counts


def no_progress(rows: Iterable[tuple[object, ...]], table: str, row_count: int) -> Iterable[tuple[object, ...]]:
    """Return the rows unchanged."""
    return rows


def _copy_tables(source: Path, shown_path: Path, target_path: Path, target: Path, progress: ProgressReporter) -> ImportedCounts:
    """Copy the rows into a new file, table by table, and return their numbers."""
    digest = hashlib.sha256()
    with closing(_open_database(source)) as source_database, closing(sqlite3.connect(target_path)) as target_database:
        sizes = _row_counts(source_database, shown_path)
        for table, (columns, rows) in _TABLE_COLUMNS.items():
            names = columns.split(", ")
            old_rows = _read_rows(source_database, f"SELECT DISTINCT {columns} FROM {table} WHERE {rows} ORDER BY {columns}", shown_path)
            try:
                target_database.execute(f"CREATE TABLE {table} ({columns})")
                places = ", ".join("?" * len(names))
                target_database.executemany(
                    f"INSERT INTO {table} VALUES ({places})", _hash_rows(progress(old_rows, table, sizes[table]), digest)
                )
            except sqlite3.Error as error:
                raise _refused_target_error(target, str(error)) from None
        for index, (table, column) in enumerate(_INDEXED_COLUMNS.items()):
            target_database.execute(f"CREATE INDEX by_{index} ON {table} ({column})")
        target_database.execute("CREATE TABLE imported (digest)")
        target_database.execute("INSERT INTO imported VALUES (?)", (digest.hexdigest(),))
        target_database.commit()
        words, senses, _, links = (target_database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in _TABLE_COLUMNS)
        (synsets,) = target_database.execute("SELECT COUNT(DISTINCT synset) FROM sense").fetchone()
    if not senses or not words:
        raise _not_wordnet_error(shown_path, Message("found.no_japanese_word"))
    return ImportedCounts(words, synsets, senses, links)


def _row_counts(source: sqlite3.Connection, shown_path: Path) -> dict[str, int]:
    """Return the number of rows to read from each table. Raises InputError with the name of a missing table or column."""
    sizes = {}
    for table, (columns, rows) in _TABLE_COLUMNS.items():
        if not list(_read_rows(source, TABLE_EXISTS_QUERY, shown_path, table)):
            raise missing_table_error(shown_path, table)
        list(_read_rows(source, f"SELECT {columns} FROM {table} LIMIT 0", shown_path))
        ((sizes[table],),) = _read_rows(source, f"SELECT COUNT(*) FROM {table} WHERE {rows}", shown_path)
    return sizes


def _read_rows(source: sqlite3.Connection, query: str, shown_path: Path, *values: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query. A damaged page raises InputError only when it is reached, possibly after some rows."""
    try:
        yield from source.execute(query, values)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:  # SQLite discards exceptions from signal handlers
            raise KeyboardInterrupt from None
        raise _not_wordnet_error(shown_path, Message("found.unreadable", reason=str(error))) from None


def _hash_rows(rows: Iterable[tuple[object, ...]], digest: hashlib._Hash) -> Iterator[tuple[object, ...]]:
    for row in rows:
        digest.update(repr(row).encode())
        yield row


def _open_database(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.set_progress_handler(lambda: 0, _STEPS_PER_INTERRUPT_CHECK)  # Python handles signals only between its own instructions
    return connection


@contextmanager
def _unpacked_database(path: Path) -> Iterator[Path]:
    """Yield the path of the database, or of a temporary file with its content if it is gzipped."""
    check_regular(path)
    try:
        with open(path, "rb") as file:
            head = file.read(2)
    except OSError as error:
        raise InputError(str(path), Message("found.unreadable", reason=error.strerror), Message("expected.readable_file")) from None
    if head != b"\x1f\x8b":
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        unpacked_path = Path(folder, "wnjpn.db")
        _unpack_gzip(path, unpacked_path)
        yield unpacked_path


def _unpack_gzip(path: Path, unpacked_path: Path) -> None:
    try:
        with gzip.open(path) as gzip_file, open(unpacked_path, "wb") as file:
            byte_count = 0
            while part := gzip_file.read(1 << 20):
                byte_count += file.write(part)
                if byte_count > _MAX_DATABASE_BYTES:
                    raise _not_wordnet_error(path, Message("found.unpacked", megabytes=_MAX_DATABASE_BYTES >> 20))
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(str(path), Message("found.unreadable", reason=reason), Message("expected.readable_file")) from None


def missing_table_error(path: Path, name: str) -> InputError:
    """Return the error of a file without a table of this name, or with a view in its place."""
    return _not_wordnet_error(path, Message("found.unreadable", reason=f"no such table: {name}"))


def _not_wordnet_error(path: Path, found: Message) -> InputError:
    return InputError(str(path), found, Message("expected.japanese_wordnet"))


def _refused_target_error(target: Path, reason: str) -> InputError:
    return InputError(str(target), Message("found.unreadable", reason=reason), Message("expected.writable_file"))
