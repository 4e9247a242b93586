"""Build the index of synonyms next to `sudachi.py` from SudachiDict: python -m tools.build_sudachi

The index contains the words of each synonym group, for explanations, and the spellings of verbs and adjectives by reading
(さす → 差す, 刺す …). The tool reads the binary dictionary (WordInfo records).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from spice_core.lang.ja.sudachi import ARCHIVE_PATH

MAX_GROUP_WORDS = 12  # words per group in an explanation
_HEADER_BYTES = 272
_JAPANESE_PATTERN = re.compile(r"[぀-ヿ一-鿿々ー]+")
_HIRAGANA_TO_KATAKANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}


class DictionaryEntry(NamedTuple):
    """A dictionary form: spelling, part of speech, normalised spelling, katakana reading, synonym groups."""

    word: str
    pos: tuple[str, ...]
    normalised_form: str
    reading: str
    groups: tuple[int, ...]


class _BinaryReader:
    def __init__(self, data: memoryview, position: int):
        self.data, self.position = data, position

    def read_number(self, number_format: str) -> int:
        (value,) = struct.unpack_from("<" + number_format, self.data, self.position)
        self.position += struct.calcsize(number_format)
        return value

    def skip(self, byte_count: int) -> None:
        self.position += byte_count

    def read_length(self) -> int:
        low_byte = self.read_number("B")
        return (low_byte & 0x7F) << 8 | self.read_number("B") if low_byte & 0x80 else low_byte

    def read_string(self) -> str:
        byte_count = 2 * self.read_length()
        self.position += byte_count
        return bytes(self.data[self.position - byte_count : self.position]).decode("utf-16-le")

    def read_numbers(self) -> tuple[int, ...]:
        return tuple(self.read_number("I") for _ in range(self.read_number("B")))


def read_entries(data: memoryview) -> Iterator[DictionaryEntry]:
    """Yield the dictionary forms of a binary dictionary."""
    r = _BinaryReader(data, _HEADER_BYTES)
    parts = [tuple(r.read_string() for _ in range(6)) for _ in range(r.read_number("H"))]
    r.skip(2 * r.read_number("h") * r.read_number("h"))  # connection costs
    r.skip(4 * r.read_number("I"))  # trie
    r.skip(r.read_number("I"))  # word ids
    words = r.read_number("I")
    r.skip(6 * words)  # costs
    for entry_index, entry_offset in enumerate(struct.unpack_from(f"<{words}I", data, r.position)):
        w = _BinaryReader(data, entry_offset)
        word, _, pos = w.read_string(), w.read_length(), parts[w.read_number("H")]
        normalised, dictionary_form, reading = w.read_string(), w.read_number("i"), w.read_string()
        _splits = w.read_numbers(), w.read_numbers(), w.read_numbers()
        if dictionary_form in (-1, entry_index):
            yield DictionaryEntry(word, pos, normalised or word, reading or word, w.read_numbers())


def build_index(dictionary: Path, archive: Path) -> None:
    groups: dict[int, dict[str, None]] = {}
    readings: dict[str, set[str]] = {}
    for entry in read_entries(memoryview(dictionary.read_bytes())):
        for group in entry.groups:
            groups.setdefault(group, {})[entry.word] = None
        if entry.pos[0] in ("動詞", "形容詞") and entry.pos[5].startswith("終止形"):
            readings.setdefault(entry.reading.translate(_HIRAGANA_TO_KATAKANA), set()).add(entry.normalised_form)
    lines = [f"{g}\t{' '.join(_display_words(ws))}" for g, ws in sorted(groups.items())]
    kana = [f"{k}\t{' '.join(sorted(v))}" for k, v in sorted(readings.items()) if v != {k}]
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as zip_file:
        for name, content in (("groups", lines), ("readings", kana), ("version", [version("SudachiDict-core")])):
            zip_file.writestr(ZipInfo(name), "\n".join(content).encode(), ZIP_DEFLATED, 9)


def _display_words(group: dict[str, None]) -> list[str]:
    """Return the shortest words of a group, at most ``MAX_GROUP_WORDS``, in Japanese script if there are any."""
    japanese = [w for w in group if _JAPANESE_PATTERN.fullmatch(w)] or [w for w in group if " " not in w]
    return sorted(japanese, key=len)[:MAX_GROUP_WORDS]


if __name__ == "__main__":
    import sudachidict_core

    build_index(Path(sudachidict_core.__file__).parent / "resources" / "system.dic", ARCHIVE_PATH)
