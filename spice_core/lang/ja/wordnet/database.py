"""Synonyms from the Japanese WordNet: a named or imported wnjpn.db file, or NLTK's omw-1.4.

Words are synonyms if they share any synset. Verbs in する are also looked up without する.
"""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from spice_core.errors import InputError, Message, MissingResourceError
from spice_core.lang.ja.sudachi import Sudachi, SudachiWithCaptions
from spice_core.lang.ja.wordnet.wordnet_import import TABLE_EXISTS_QUERY, TABLE_NAMES, default_wordnet_path, missing_table_error
from spice_core.scene.synonyms import Sense, Synonyms, SynsetLike

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

INSTALL_COMMAND = "spice-core import-wordnet wnjpn.db.gz"
NLTK_INSTALL_COMMAND = "pip install nltk==3.10.4 && python -m nltk.downloader wordnet omw-1.4"
_ID_OFFSET = 1_000_000_000  # first synset id, above the ids of Sudachi
_PART_OF_SPEECH_CODES = "nvars"
_SYNSET_NAME = re.compile(rf"\d{{8}}-[{_PART_OF_SPEECH_CODES}]", re.ASCII)


class _SynsetSource(Protocol):
    signature: str

    def synsets(self, lemma: str) -> Iterable[str]:
        """Return the names of a lemma's synsets, such as 02084071-n."""

    def describe(self, synset: str) -> tuple[list[str], str]:
        """Return the Japanese lemmas of a synset and its definition."""

    def hypernyms(self, synset: str) -> Iterable[str]:
        """Return the hypernyms of a synset, including instance hypernyms."""


class JapaneseWordNet:
    """Synonym ids from the Japanese WordNet."""

    def __init__(self, path: str = ""):
        """Read the wnjpn.db file at this path, or the imported file, or NLTK's data. Raises MissingResourceError."""
        path = path or (str(default_wordnet_path()) if default_wordnet_path().is_file() else "")
        self._path = path
        self._source: _SynsetSource = _SqliteSource(Path(path)) if path else _NltkSource()
        self.signature = f"wordnet-{self._source.signature}"
        self.ids = lru_cache(maxsize=1 << 14)(self._ids)
        self.hypernyms = lru_cache(maxsize=1 << 16)(self._hypernyms)

    def __reduce__(self) -> tuple[object, ...]:
        return JapaneseWordNet, (self._path,)

    def synset(self, id: int) -> Sense:
        """Return the synset of an id."""
        name = _synset_name(id)
        lemmas, gloss = self._source.describe(name)
        return Sense(id, name, tuple(lemmas), gloss)

    def _ids(self, phrase: str) -> frozenset[int]:
        lemmas = dict.fromkeys((phrase, phrase.removesuffix("する") or phrase))
        return frozenset(_known_ids(name for lemma in lemmas for name in self._source.synsets(lemma)))

    def _hypernyms(self, id: int) -> frozenset[int]:
        """Return the ids of the direct hypernyms."""
        return frozenset(_known_ids(self._source.hypernyms(_synset_name(id))))


class CombinedSynonyms:
    """The union of the synonyms of Sudachi and the Japanese WordNet."""

    def __init__(self, sudachi: Sudachi, wordnet: JapaneseWordNet):
        self._sudachi, self._wordnet = sudachi, wordnet
        self.signature = f"sudachi+{wordnet.signature}-{version('SudachiDict-core')}"

    def ids(self, phrase: str) -> frozenset[int]:
        return self._sudachi.ids(phrase) | self._wordnet.ids(phrase)

    def synset(self, id: int) -> SynsetLike:
        return (self._wordnet if id >= _ID_OFFSET else self._sudachi).synset(id)

    def hypernyms(self, id: int) -> frozenset[int]:
        return self._wordnet.hypernyms(id) if id >= _ID_OFFSET else frozenset()


def wordnet_with_sudachi(path: str = "") -> Synonyms:
    """Return the combined synonyms of Sudachi for captions and of the Japanese WordNet."""
    wordnet = JapaneseWordNet(path)
    return CombinedSynonyms(SudachiWithCaptions(), wordnet)


class _SqliteSource:
    """The SQLite file of the Japanese WordNet 1.1, or a file imported from it.

    The signature of an imported file includes the digest of its rows.
    """

    def __init__(self, path: Path):
        if not os.path.isfile(path):
            raise MissingResourceError(Message("error.no_japanese_wordnet", path=str(path)))
        self._connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)
        self._lock, self._path = threading.Lock(), path
        for table in TABLE_NAMES:
            if not self._query_column(TABLE_EXISTS_QUERY, table):
                raise missing_table_error(path, table)
        digest = self._query_column("SELECT name FROM sqlite_master WHERE name = ?", "imported") and self._query_column(
            "SELECT digest FROM imported WHERE digest <> ?", ""
        )
        self.signature = f"wnjpn-{digest[0][:12]}" if digest else "wnjpn"

    def synsets(self, lemma: str) -> list[str]:
        return self._query_column("SELECT s.synset FROM sense s JOIN word w USING (wordid) WHERE w.lemma = ? AND w.lang = 'jpn'", lemma)

    def describe(self, synset: str) -> tuple[list[str], str]:
        lemmas = self._query_column("SELECT w.lemma FROM sense s JOIN word w USING (wordid) WHERE s.synset = ? AND w.lang = 'jpn'", synset)
        glosses = self._query_column("SELECT def FROM synset_def WHERE synset = ? AND lang = 'jpn'", synset)
        return lemmas, "; ".join(glosses)

    def hypernyms(self, synset: str) -> list[str]:
        return self._query_column("SELECT synset2 FROM synlink WHERE synset1 = ? AND link IN ('hype', 'inst')", synset)

    def _query_column(self, query: str, value: str) -> list[str]:
        try:
            with self._lock:
                return [row[0] for row in self._connection.execute(query, (value,))]
        except sqlite3.Error as error:
            raise InputError(
                str(self._path), Message("found.unreadable", reason=str(error)), Message("expected.japanese_wordnet")
            ) from None


class _NltkSource:
    """NLTK's reader of the Open Multilingual WordNet."""

    signature = "omw-1.4-jpn"

    def __init__(self) -> None:
        try:
            from nltk.corpus import wordnet

            wordnet.synsets("犬", lang="jpn")
        except (ImportError, LookupError):
            raise MissingResourceError(
                Message("error.japanese_wordnet_not_installed", install=INSTALL_COMMAND, nltk=NLTK_INSTALL_COMMAND)
            ) from None
        self._wordnet = wordnet

    def synsets(self, lemma: str) -> list[str]:
        return [f"{s.offset():08}-{s.pos()}" for s in self._wordnet.synsets(lemma, lang="jpn")]

    def describe(self, synset: str) -> tuple[list[str], str]:
        nltk_synset = self._synset(synset)
        return nltk_synset.lemma_names("jpn"), nltk_synset.definition()

    def hypernyms(self, synset: str) -> list[str]:
        nltk_synset = self._synset(synset)
        return [f"{s.offset():08}-{s.pos()}" for s in (*nltk_synset.hypernyms(), *nltk_synset.instance_hypernyms())]

    def _synset(self, name: str) -> Synset:
        offset, pos = name.split("-")
        return self._wordnet.synset_from_pos_and_offset(pos, int(offset))


def _known_ids(names: Iterable[str]) -> Iterator[int]:
    """Yield the ids of the names that are synset names."""
    return (_synset_id(name) for name in names if _SYNSET_NAME.fullmatch(name))


def _synset_id(name: str) -> int:
    """Return the id of a synset name such as 02084071-n."""
    offset, pos = name.split("-")
    return _ID_OFFSET + int(offset) * len(_PART_OF_SPEECH_CODES) + _PART_OF_SPEECH_CODES.index(pos)


def _synset_name(id: int) -> str:
    offset, pos = divmod(id - _ID_OFFSET, len(_PART_OF_SPEECH_CODES))
    return f"{offset:08}-{_PART_OF_SPEECH_CODES[pos]}"
