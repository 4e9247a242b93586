"""Japanese synonyms: Sudachi's synonym groups and normalised spellings (spec section e; numbers, widths: g.17).

Words are synonyms if they stand in one group of SudachiDict (キッチン, 台所, 厨房), have one normalised spelling (差す,
さす; 二匹, ２匹, 2匹), or one stem (赤い, 赤色, 赤; 走行, 走行する; お皿, 皿).
"""

from __future__ import annotations

import re
import threading
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

from spice_core.errors import MissingResourceError
from spice_core.lang.ja.words import COLOURS, COUNTERS

ARCHIVE = Path(__file__).with_name("sudachi.zip")
INSTALL = "pip install sudachipy==0.6.11 sudachidict-core==20260723"
_KANA = re.compile(r"[぀-ゟ]+")
_NUMERALS = "〇一二三四五六七八九"
_NUMBER = re.compile("([〇一二三四五六七八九十百千]+)(" + "|".join(sorted(COUNTERS, key=len, reverse=True)) + ")")


@dataclass(frozen=True, slots=True)
class Group:
    """Words that Sudachi takes for one: a synonym group, or the spellings of one word."""

    id: int
    name: str
    lemmas: tuple[str, ...]
    gloss: str
    accidental: bool = False


class Sudachi:
    """Synonym ids by SudachiPy: group numbers, and below zero the normalised spellings themselves, as numbers."""

    def __init__(self) -> None:
        """Raises MissingResourceError with the line that installs SudachiPy."""
        try:
            from sudachipy import Dictionary
        except ImportError:
            raise MissingResourceError(f"SudachiPy is not installed; install it with: {INSTALL}") from None
        self._dictionary = Dictionary()
        self._local = threading.local()  # a tokenizer serves one thread at a time
        self.signature = f"sudachidict-{version('SudachiDict-core')}"
        self.ids = lru_cache(maxsize=1 << 16)(self._ids)

    def __reduce__(self) -> tuple[object, ...]:
        return Sudachi, ()

    def _ids(self, phrase: str) -> frozenset[int]:
        """The ids of a word or phrase: the groups of its whole spelling and its normalised spellings."""
        text = unicodedata.normalize("NFKC", phrase)
        out: set[int] = set()
        for form in self._forms(text):
            out.add(_number(form))
            out.update(self._groups(form))
        return frozenset(out)

    def synset(self, id: int) -> Group:
        """The group or spelling behind an id. Raises KeyError for an unknown id."""
        if id < 0:
            spelling = _spelling(id)
            return Group(id, spelling, (spelling,), f"一つの語の表記: {spelling}")
        members = tuple(self._index["groups"][id])
        return Group(id, f"{members[0]}.{id}", members, "、".join(members))

    def _forms(self, text: str) -> list[str]:
        """The normalised spellings under which a word is looked up."""
        forms = [text, *self._index["readings"].get(text, ())] if _KANA.fullmatch(text) else [text]
        normal = self._normalised(text)
        stem = normal.removesuffix("為る") if len(normal) > 2 else normal
        forms += [normal, stem, _digits(normal)]
        for ending in ("色い", "色", "い"):
            if text.endswith(ending) and (base := text.removesuffix(ending)) in COLOURS:
                forms += [base, base + "色"]
        return list(dict.fromkeys(forms))

    def _normalised(self, text: str) -> str:
        """Sudachi's normalised spelling of each morpheme, without the prefixes お and ご."""
        if not hasattr(self._local, "tokenizer"):
            self._local.tokenizer = self._dictionary.create()
        morphemes = list(self._local.tokenizer.tokenize(text))
        kept = [m for m in morphemes if not (m.part_of_speech()[0] == "接頭辞" and m.surface() in ("お", "ご", "御"))]
        return "".join(m.normalized_form() for m in kept or morphemes)

    def _groups(self, word: str) -> set[int]:
        """The synonym groups of all dictionary entries with this spelling as dictionary form."""
        entries = self._dictionary.lookup(word)
        return {g for m in entries if m.dictionary_form() == word and m.part_of_speech()[1] != "固有名詞" for g in m.synonym_group_ids()}

    @cached_property
    def _index(self) -> dict[str, dict]:
        with ZipFile(ARCHIVE) as archive:
            rows = {name: [line.split("\t") for line in archive.read(name).decode().split("\n")] for name in ("groups", "readings")}
        return {
            "groups": {int(group): members.split() for group, members in rows["groups"]},
            "readings": {kana: spellings.split() for kana, spellings in rows["readings"]},
        }


def _digits(text: str) -> str:
    """A number before a counter in digits: 二匹 becomes 2匹, 十二人 becomes 12人."""
    found = _NUMBER.fullmatch(text)
    return f"{_value(found.group(1))}{found.group(2)}" if found else text


def _value(numeral: str) -> int:
    """The value of a kanji numeral below ten thousand; digits without units are read one by one (二〇)."""
    if not any(unit in numeral for unit in "十百千"):
        return int("".join(str(_NUMERALS.index(c)) for c in numeral))
    total, digit = 0, 1
    for c in numeral:
        if c in _NUMERALS:
            digit = _NUMERALS.index(c)
        else:
            total, digit = total + digit * {"十": 10, "百": 100, "千": 1000}[c], 1
    return total + (_NUMERALS.index(numeral[-1]) if numeral[-1] in _NUMERALS else 0)


def _number(spelling: str) -> int:
    """A spelling as a negative number, the same in every process."""
    return -int.from_bytes(spelling.encode(), "big")


def _spelling(number: int) -> str:
    """The spelling behind such a number."""
    return (-number).to_bytes((-number).bit_length() // 8 + 1, "big").lstrip(b"\0").decode()
