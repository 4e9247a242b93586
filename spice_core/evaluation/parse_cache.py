"""Parse cache: recent parses in memory, all parses in a SQLite file that several processes may share."""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from spice_core.errors import InputError, Message
from spice_core.files import check_regular
from spice_core.scene.propositions import Parse, Proposition
from spice_core.syntax.document import Token

_LAYOUT = 8
_IN_MEMORY = 20_000  # captions, about 8 MB
_ASKED = 500  # captions per query
_LOCK_TIMEOUT_S = 60
_TABLES = {
    "parse_keys": "(id INTEGER PRIMARY KEY, key TEXT UNIQUE)",
    "parses": "(key INTEGER, caption TEXT, propositions TEXT, PRIMARY KEY (key, caption)) WITHOUT ROWID",
}
_OLD_TABLES = {"makers", "parse_keys", "parses"}  # of older layouts, which are rebuilt


def encoded(parse: Parse) -> str:
    """The propositions as text: one line each with rule and words between unit separators, then the tokens of an attribute or a
    relation.

    Only their lemmas and tags are stored, which merging reads. The first line has the texts of the sentences, if there are
    several; then each rule is followed by the number of the sentence, and by the places of words that the caption has at
    several, which synonyms may tell apart. No separator can occur in a word, because parsers treat them as white space.
    """
    lines = ["\x1d".join(("", *parse.sentences))] if parse.sentences else []
    repeated = _repeated(parse.propositions)
    for p in parse.propositions:
        places = [str(place) if place and word in repeated else "" for word, place in zip(p.words[::2], _places(p))]
        rule = "\x1d".join((p.rule, str(p.sentence or ""), ",".join(places))) if any(places) or p.sentence else p.rule
        lines.append("\x1e".join(("\x1f".join((rule, *p.words)), *_related(p))))
    return "\n".join(lines)


def _repeated(propositions: Iterable[Proposition]) -> set[str]:
    """The subjects and objects that are said at several places."""
    places: dict[str, set[tuple[int, int]]] = {}
    for p in propositions:
        for word, place in zip(p.words[::2], _places(p)):
            if place:
                places.setdefault(word, set()).add((p.sentence, place))
    return {word for word, found in places.items() if len(found) > 1}


def _places(proposition: Proposition) -> Iterator[int]:
    """The index of the last token of subject and object; 0 for one without tokens."""
    return (tokens[-1].index if tokens else 0 for tokens in proposition.tokens[::2])


def _related(proposition: Proposition) -> Iterator[str]:
    """Lemma and tag of each word of an attribute or a relation."""
    return (f"{t.lemma}\x1f{t.tag}" for t in (proposition.tokens[1] if len(proposition.tokens) > 1 else ()))


def decoded(caption: str, text: str, parser: str) -> Parse:
    """The parse of a caption from ``encoded``: without document, with the tokens of attributes and relations, and the places of what is said at several."""
    lines = [line for line in text.split("\n") if line]
    sentences = tuple(lines.pop(0).split("\x1d")[1:]) if lines and lines[0].startswith("\x1d") else ()
    return Parse(caption, tuple(_proposition(*line.split("\x1e")) for line in lines), None, parser, sentences)


def _proposition(line: str, *related: str) -> Proposition:
    rule, *words = line.split("\x1f")
    rule, sentence, places = (*rule.split("\x1d"), "", "")[:3]
    tokens = tuple(Token(0, "", lemma, tag) for lemma, tag in (token.split("\x1f") for token in related))
    ends = [(Token(int(place), "", "", ""),) if place else () for place in f"{places},,".split(",")]
    known = (ends[0], tokens, ends[1])[: len(words)] if tokens or places else ()
    return Proposition(tuple(words), rule, int(sentence or 0), known)


class ParseCache:
    """Encoded propositions by caption, for one combination of parser and rules."""

    def __init__(self, key: str, path: Path | None = None):
        """Without a path, recent captions stay in memory. Raises InputError if the file is not a parse cache."""
        self.hits = self.misses = 0
        self._latest: dict[str, str] = {}
        self._file: sqlite3.Connection | None = None
        self._id = 0
        self.key, self._path = key, path
        if path is not None:
            check_regular(path)
            with self._usable():
                self._file = _opened(path)
                with self._file:
                    self._file.execute("INSERT OR IGNORE INTO parse_keys (key) VALUES (?)", [key])
                (self._id,) = self._file.execute("SELECT id FROM parse_keys WHERE key = ?", [key]).fetchone()

    def get(self, captions: Iterable[str]) -> dict[str, str]:
        """The cached propositions of these captions."""
        found: dict[str, str] = {}
        missing: list[str] = []
        for caption in captions:
            if (text := self._latest.pop(caption, None)) is None:
                missing.append(caption)
            else:
                found[caption] = self._latest[caption] = text
        if self._file:
            for start in range(0, len(missing), _ASKED):
                found |= self._stored(self._file, missing[start : start + _ASKED])
        self.hits += len(found)
        self.misses += len(missing) - sum(caption in found for caption in missing)
        return found

    def _stored(self, file: sqlite3.Connection, captions: list[str]) -> dict[str, str]:
        query = f"SELECT caption, propositions FROM parses WHERE key = ? AND caption IN ({', '.join('?' * len(captions))})"
        with self._usable():
            rows = file.execute(query, [self._id, *captions]).fetchall()
        stored = {caption: text for caption, record in rows if (text := _verified(caption, record)) is not None}
        self._remember(stored)
        return stored

    def put(self, parses: Mapping[str, str]) -> None:
        """Store new parses; they replace damaged records."""
        self._remember(parses)
        if self._file and parses:
            rows = [(self._id, caption, _with_checksum(caption, text)) for caption, text in parses.items()]
            with self._usable(), self._file:
                self._file.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        if self._file:
            self._file.close()

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(str(self._path), Message("found.unreadable", reason=str(error)), Message("expected.parse_cache")) from None

    def _remember(self, parses: Mapping[str, str]) -> None:
        self._latest |= parses
        while len(self._latest) > _IN_MEMORY:
            del self._latest[next(iter(self._latest))]


def _with_checksum(caption: str, text: str) -> str:
    """The record of a parse: a checksum, then its text."""
    return f"{zlib.crc32((caption + text).encode()):08x}{text}"


def _verified(caption: str, record: object) -> str | None:
    """The text of a record; None if the record was changed or torn."""
    text = record[8:] if isinstance(record, str) else ""
    return text if record == _with_checksum(caption, text) else None


def _opened(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, timeout=_LOCK_TIMEOUT_S)
    try:
        with file:
            file.execute("BEGIN IMMEDIATE")  # only one of several processes creates the tables
            _prepare(file)
        _share(file)
        file.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        file.close()
        raise
    return file


def _prepare(file: sqlite3.Connection) -> None:
    """Create the tables of a new file; those of an older layout are dropped. Raises DatabaseError for any other file."""
    (layout,) = file.execute("PRAGMA user_version").fetchone()
    if not 0 <= layout <= _LAYOUT:
        raise sqlite3.DatabaseError(f"layout {layout}, not {_LAYOUT}")
    names = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")}
    old = 0 < layout < _LAYOUT
    if others := names - (_OLD_TABLES if old else set(_TABLES)):
        raise sqlite3.DatabaseError(f"tables of another program: {', '.join(sorted(others))}")
    for name in names if old else ():
        file.execute(f"DROP TABLE {name}")
    for name, columns in _TABLES.items():
        file.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")
    if layout < _LAYOUT:
        file.execute(f"PRAGMA user_version = {_LAYOUT}")


def _share(file: sqlite3.Connection) -> None:
    """Allow reading while one process writes; SQLite itself does not wait for a writer here."""
    deadline = time.monotonic() + _LOCK_TIMEOUT_S
    while True:
        try:
            file.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
