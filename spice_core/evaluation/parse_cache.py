"""Parse cache: recent parses in memory and, if a path is given, all parses in a SQLite file that several processes may share."""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from spice_core.errors import InputError, Message, shorten_value
from spice_core.files import check_regular
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Token

_LAYOUT_VERSION = 11
_MAX_CAPTIONS_IN_MEMORY = 20_000  # about 11 MB
_CAPTIONS_PER_QUERY = 500
_LOCK_TIMEOUT_S = 60
_COLUMNS_BY_TABLE = {
    "parse_keys": "(id INTEGER PRIMARY KEY, key TEXT UNIQUE)",
    "parses": "(key INTEGER, caption TEXT, propositions TEXT, PRIMARY KEY (key, caption)) WITHOUT ROWID",
}
_SELECT_COLUMNS = """SELECT tables.name, group_concat(columns.name) FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type IN ('table', 'view') AND tables.name NOT LIKE 'sqlite%' GROUP BY tables.name"""
_JSON_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
_KNOWN_COLUMNS = {  # columns by table; tables of older layouts are emptied
    "makers": ("id,signature",),
    "parse_keys": ("id,key", "id,signature"),
    "parses": ("key,caption,propositions", "maker,caption,propositions"),
}


def encode_parse(parse: Parse) -> str:
    """Return the propositions of a parse, and the texts of its sentences, as JSON for ``decode_parse``.

    Only the data of tokens that affect scores are stored: the lemmas and tags of attributes and relations, and the index and
    the tag of the last token of subjects and objects. Indices matter because contextual synonyms distinguish the occurrences
    of a word, because a part belongs to the last owner before it, and because several things with the same name may have
    different colours.
    """
    rows = []
    for proposition in (*parse.propositions, *parse.negated):
        places = [(tokens[-1].index, tokens[-1].tag) if tokens else None for tokens in proposition.tokens[::2]]
        relation_words = [(t.lemma, t.tag) for t in proposition.tokens[1]] if len(proposition.tokens) > 1 else []
        row = proposition.rule, proposition.sentence, proposition.words, relation_words, places if any(places) else []
        rows.append((*row, True) if proposition.negated else row)
    return _JSON_ENCODER.encode((parse.sentences, rows))


def decode_parse(caption: str, text: str, parser: str) -> Parse:
    """Return the parse of a caption from the output of ``encode_parse``, without a document and with only the stored tokens.

    Raises InputError for other texts, which another program may have stored in the cache.
    """
    try:
        sentences, rows = json.loads(text)
        propositions = [_decode_proposition(*row) for row in rows]
        affirmed, negated = (tuple(p for p in propositions if p.negated is flag) for flag in (False, True))
        return Parse(caption, affirmed, None, parser, tuple(sentences), negated)
    except (ValueError, TypeError, LookupError, RecursionError):
        raise InputError(Message("where.cache_record", caption=shorten_value(caption)), text, Message("expected.cached_parse")) from None


def _decode_proposition(
    rule: str,
    sentence: int,
    words: list[str],
    relation_words: list[list[str]],
    places: list[tuple[int, str] | None],
    negated: bool = False,
) -> Proposition:
    tokens: tuple[tuple[Token, ...], ...] = ()
    if relation_words or places:
        subject, object_ = ((Token(place[0], "", "", place[1]),) if place else () for place in (*places, None, None)[:2])
        tokens = (subject, tuple(Token(0, "", lemma, tag) for lemma, tag in relation_words), object_)[: len(words)]
    return Proposition(tuple(words), rule, sentence, tokens, negated=negated)


class ParseCache:
    """Encoded parses by caption, for one combination of parser and rules."""

    def __init__(self, key: str, path: Path | None = None):
        """Open the file of a cache. Without a path, the cache stores only recent captions, in memory.

        Raises InputError if the file is not a parse cache.
        """
        self.hits = self.misses = 0
        self._latest_parses: dict[str, str] = {}
        self._file: sqlite3.Connection | None = None
        self._id = 0
        self.key, self._path = key, path
        if path is not None:
            check_regular(path)
            with self._handle_database_errors():
                self._file = _open_database(path)
                with self._file:
                    self._file.execute("INSERT OR IGNORE INTO parse_keys (key) VALUES (?)", [key])
                (self._id,) = self._file.execute("SELECT id FROM parse_keys WHERE key = ?", [key]).fetchone()

    def get(self, captions: Iterable[str]) -> dict[str, str]:
        """Return the encoded parses of those captions that are in the cache."""
        texts: dict[str, str] = {}
        missing_captions: list[str] = []
        for caption in captions:
            if (text := self._latest_parses.pop(caption, None)) is None:
                missing_captions.append(caption)
            else:
                texts[caption] = self._latest_parses[caption] = text
        if self._file:
            for start in range(0, len(missing_captions), _CAPTIONS_PER_QUERY):
                texts |= self._read_records(self._file, missing_captions[start : start + _CAPTIONS_PER_QUERY])
        self.hits += len(texts)
        self.misses += len(missing_captions) - sum(caption in texts for caption in missing_captions)
        return texts

    def _read_records(self, file: sqlite3.Connection, captions: list[str]) -> dict[str, str]:
        query = f"SELECT caption, propositions FROM parses WHERE key = ? AND caption IN ({', '.join('?' * len(captions))})"
        with self._handle_database_errors():
            rows = file.execute(query, [self._id, *captions]).fetchall()
        texts = {caption: text for caption, record in rows if (text := _verify_record(caption, record)) is not None}
        self._remember_parses(texts)
        return texts

    def put(self, parses: Mapping[str, str]) -> None:
        """Store encoded parses. They replace records of the same captions, which may be damaged."""
        self._remember_parses(parses)
        if self._file and parses:
            rows = [(self._id, caption, _with_checksum(caption, text)) for caption, text in parses.items()]
            with self._handle_database_errors(), self._file:
                self._file.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    @contextmanager
    def _handle_database_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(str(self._path), Message("found.unreadable", reason=str(error)), Message("expected.parse_cache")) from None

    def _remember_parses(self, parses: Mapping[str, str]) -> None:
        self._latest_parses |= parses
        while len(self._latest_parses) > _MAX_CAPTIONS_IN_MEMORY:
            del self._latest_parses[next(iter(self._latest_parses))]


def _with_checksum(caption: str, text: str) -> str:
    """Return a parse record: a checksum and the encoded parse."""
    return f"{zlib.crc32((caption + text).encode()):08x}{text}"


def _verify_record(caption: str, record: object) -> str | None:
    """Return the encoded parse of a record, or None if it is damaged."""
    text = record[8:] if isinstance(record, str) else ""
    return text if record == _with_checksum(caption, text) else None


def _open_database(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=_LOCK_TIMEOUT_S, check_same_thread=False)  # threads take turns
    try:
        with file:
            file.execute("BEGIN IMMEDIATE")  # only one of several processes creates the tables
            _prepare_tables(file)
        _enable_concurrent_reads(file)
        file.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        file.close()
        raise
    return file


def _prepare_tables(file: sqlite3.Connection) -> None:
    """Create tables in a new file and drop those of an older layout. Raises DatabaseError for other contents or a newer layout."""
    (layout,) = file.execute("PRAGMA user_version").fetchone()
    if not 0 <= layout <= _LAYOUT_VERSION:
        raise sqlite3.DatabaseError(f"layout {layout}, not {_LAYOUT_VERSION}")
    columns_by_table = dict(file.execute(_SELECT_COLUMNS))
    unknown_tables = sorted(name for name, columns in columns_by_table.items() if columns not in _KNOWN_COLUMNS.get(name, ()))
    if unknown_tables or (columns_by_table and (not layout or "parses" not in columns_by_table)):
        raise sqlite3.DatabaseError(f"tables of another program: {', '.join(unknown_tables or columns_by_table)}")
    for name in columns_by_table if layout < _LAYOUT_VERSION else ():
        file.execute(f"DROP TABLE {name}")
    for name, columns in _COLUMNS_BY_TABLE.items():
        file.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")
    if layout < _LAYOUT_VERSION:
        file.execute(f"PRAGMA user_version = {_LAYOUT_VERSION}")


def _enable_concurrent_reads(file: sqlite3.Connection) -> None:
    """Allow reads during a write. This setting needs retries, because SQLite does not wait for the file's lock."""
    deadline = time.monotonic() + _LOCK_TIMEOUT_S
    while True:
        try:
            file.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
