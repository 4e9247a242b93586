"""Japanese synonyms: Sudachi's synonym groups and normalised spellings (Wada et al., CoNLL 2023).

Words are synonyms if they share a group of SudachiDict (キッチン and 台所, "kitchen"), a normalised spelling (差す and さす; 二匹 and ２匹),
or a stem (赤い and 赤色, "red"; 走行 and 走行する, "drive"). For captions, the groups of `thesaurus.txt` are added, and a compound shares the
ids of its last noun (テニスラケット, "tennis racket", and ラケット, "racket"), as in the 2023 program, which reduces arguments to their last
noun.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zipfile import ZipFile

from spice_core.errors import InputError, Message, require_module
from spice_core.lang.ja.word_lists import COLOUR_WORDS, COUNTERS
from spice_core.scene.synonyms import Sense

if TYPE_CHECKING:
    from sudachipy import Dictionary, Morpheme, Tokenizer

ARCHIVE_PATH = Path(__file__).with_name("sudachi.zip")
THESAURUS_PATH = Path(__file__).with_name("thesaurus.txt")
INSTALL_COMMAND = 'pip install ".[ja]"'
FIRST_THESAURUS_ID = 1_000_000  # first group number of the thesaurus, above those of SudachiDict
_MAX_WORD_CHARS = 1_000  # maximum number of characters of a word
_NON_HEAD_NOUNS = frozenset("色 人 台 機 物 目 所 場 用 側 風 型".split())
_HIRAGANA = re.compile(r"[぀-ゟ]+")
_THREAD_LOCAL = threading.local()
_NUMERALS = "〇一二三四五六七八九"
_KANJI_NUMBER = re.compile("([〇一二三四五六七八九十百千]+)(" + "|".join(sorted(COUNTERS, key=len, reverse=True)) + ")")


class _Index(NamedTuple):
    """Words of each synonym group, and spellings of each reading in hiragana."""

    groups: dict[int, tuple[str, ...]]
    readings: dict[str, list[str]]


class Sudachi:
    """Source of synonym ids from SudachiPy: group numbers, and normalised spellings encoded as negative numbers."""

    option = "sudachi"  # name on the command line; all other variants add the thesaurus and the heads of compounds
    groups: tuple[Path, ...] = (THESAURUS_PATH,)

    def __init__(self) -> None:
        """Load the dictionary. Raises MissingResourceError."""
        self._captions, self._dictionary = self.option != Sudachi.option, load_dictionary()
        self.signature = f"{self.option}-{version('SudachiDict-core')}"
        self.ids = lru_cache(maxsize=1 << 14)(self._ids)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), ()

    def _ids(self, phrase: str) -> frozenset[int]:
        """Return the ids of a word or phrase: its spellings, their groups and, in captions, the ids of the head of a compound."""
        text = unicodedata.normalize("NFKC", phrase)
        if len(text) > _MAX_WORD_CHARS:
            return frozenset({spelling_id(text)})
        out: set[int] = set()
        for spelling in self._lookup_spellings(text):
            out.add(spelling_id(spelling))
            out.update(self._groups_of_word(spelling))
            if self._captions:
                out.update(self._groups_by_spelling.get(spelling, ()))
        if self._captions and (head := self._find_head(text)):
            out |= self.ids(head)
        return frozenset(out)

    def synset(self, id: int) -> Sense:
        """Return the group or spelling of an id. Raises KeyError for an unknown id."""
        if id < 0:
            spelling = _spelling_of_id(id)
            return Sense(id, spelling, (spelling,), f"一つの語の表記: {spelling}")
        is_listed = id >= FIRST_THESAURUS_ID
        members = self._thesaurus_groups[id - FIRST_THESAURUS_ID] if is_listed else self._word_index.groups[id]
        return Sense(id, members[0] if is_listed else f"{members[0]}.{id}", members, "、".join(members))

    def _lookup_spellings(self, text: str) -> list[str]:
        """Return the normalised spellings to look up for a word."""
        spellings = [text, *self._word_index.readings.get(text, ())] if _HIRAGANA.fullmatch(text) else [text]
        normalised_text = self._normalise(text)
        stem = normalised_text.removesuffix("為る") if len(normalised_text) > 2 else normalised_text
        spellings += [normalised_text, stem, _to_digits(normalised_text)]
        for ending in ("色い", "色", "い"):
            if text.endswith(ending) and (base := text.removesuffix(ending)) in COLOUR_WORDS:
                spellings += [base, base + "色"]
        return list(dict.fromkeys(spellings))

    def _normalise(self, text: str) -> str:
        """Return Sudachi's normalised spelling of a text, without the prefixes お and ご."""
        morphemes = self._split_into_morphemes(text)
        content_morphemes = [m for m in morphemes if not (m.part_of_speech()[0] == "接頭辞" and m.surface() in ("お", "ご", "御"))]
        return "".join(m.normalized_form() for m in content_morphemes or morphemes)

    def _find_head(self, text: str) -> str | None:
        """Return the last noun of a compound, or None for other words and for last nouns that have no meaning alone."""
        *modifiers, last = self._split_into_morphemes(text, shortest_units=True) or [None]
        return last.surface() if modifiers and last.part_of_speech()[1] == "普通名詞" and last.surface() not in _NON_HEAD_NOUNS else None

    def _split_into_morphemes(self, text: str, *, shortest_units: bool = False) -> list[Morpheme]:
        """Return the morphemes of a text, in Sudachi's longest or shortest units."""
        return list(thread_tokenizer().tokenize(text, "A" if shortest_units else "C"))

    def _groups_of_word(self, word: str) -> set[int]:
        """Return the synonym groups of all dictionary entries with this dictionary form, except proper nouns."""
        entries = self._dictionary.lookup(word)
        return {g for m in entries if m.dictionary_form() == word and m.part_of_speech()[1] != "固有名詞" for g in m.synonym_group_ids()}

    @cached_property
    def _thesaurus_groups(self) -> list[tuple[str, ...]]:
        """The groups of the thesaurus in file order, followed by a group for each other word with a broader or narrower word."""
        groups = [tuple(line.split()) for line in self._thesaurus_lines if ">" not in line]
        words = {word for line in self._thesaurus_lines if ">" in line for word in line.replace(">", " ").split()}
        return [*groups, *((word,) for word in sorted(words - {members[0] for members in groups}))]

    @cached_property
    def _thesaurus_lines(self) -> list[str]:
        lines = [line for path in self.groups for line in path.read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line.strip() and not line.startswith("#")]

    @cached_property
    def _groups_by_spelling(self) -> dict[str, set[int]]:
        """The groups of each spelling, both as written and normalised."""
        groups: dict[str, set[int]] = {}
        for group_id, members in enumerate(self._thesaurus_groups, FIRST_THESAURUS_ID):
            for spelling in {spelling for word in members for spelling in (word, self._normalise(word))}:
                groups.setdefault(spelling, set()).add(group_id)
        return groups

    @cached_property
    def _word_index(self) -> _Index:
        with ZipFile(ARCHIVE_PATH) as archive:
            rows_by_file = {name: [line.split("\t") for line in archive.read(name).decode().split("\n")] for name in ("groups", "readings")}
        return _Index(
            {int(group): tuple(members.split()) for group, members in rows_by_file["groups"]},
            {kana: spellings.split() for kana, spellings in rows_by_file["readings"]},
        )


class SudachiWithCaptions(Sudachi):
    """Sudachi's synonyms with the thesaurus of caption words and the heads of compounds."""

    option = "sudachi+captions"


@cache
def load_dictionary() -> Dictionary:
    """Load Sudachi's dictionary (30 MB, shared by all tokenizers). Raises MissingResourceError."""
    dictionary: Dictionary = require_module("sudachipy", INSTALL_COMMAND).Dictionary()
    return dictionary


def thread_tokenizer() -> Tokenizer:
    """Return this thread's tokenizer, which returns the longest units. Tokenizers are not thread-safe. Raises MissingResourceError."""
    if not hasattr(_THREAD_LOCAL, "tokenizer"):
        _THREAD_LOCAL.tokenizer = load_dictionary().create()
    tokenizer: Tokenizer = _THREAD_LOCAL.tokenizer
    return tokenizer


@contextmanager
def convert_tokenizer_errors() -> Iterator[None]:
    """Convert Sudachi's error for a caption that is too long after normalisation to an InputError."""
    from sudachipy.errors import SudachiError

    try:
        yield
    except SudachiError as error:
        raise InputError(
            "caption", Message("found.unreadable", reason=str(error).partition(": ")[2]), Message("expected.sudachi")
        ) from None


def _to_digits(text: str) -> str:
    """Write the number before a counter in digits: 二匹 becomes 2匹, 十二人 becomes 12人."""
    match = _KANJI_NUMBER.fullmatch(text)
    return f"{_numeral_value(match.group(1))}{match.group(2)}" if match else text


def _numeral_value(numeral: str) -> int:
    """Return the value of a kanji numeral below 10,000. Numerals without units are positional (二〇)."""
    if not any(unit in numeral for unit in "十百千"):
        return int("".join(str(_NUMERALS.index(c)) for c in numeral))
    total, digit = 0, 1
    for c in numeral:
        if c in _NUMERALS:
            digit = _NUMERALS.index(c)
        else:
            total, digit = total + digit * {"十": 10, "百": 100, "千": 1000}[c], 1
    return total + (_NUMERALS.index(numeral[-1]) if numeral[-1] in _NUMERALS else 0)


def spelling_id(spelling: str) -> int:
    """Return a spelling as a negative number, stable across processes."""
    return -int.from_bytes(spelling.encode(), "big")


def _spelling_of_id(synset_id: int) -> str:
    """Return the spelling encoded by a negative number."""
    return (-synset_id).to_bytes((-synset_id).bit_length() // 8 + 1, "big").lstrip(b"\0").decode()
