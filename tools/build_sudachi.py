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
_JAPANESE = re.compile(r"[぀-ヿ一-鿿々ー]+")
_KATAKANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}


class Entry(NamedTuple):
    """One dictionary form: spelling, part of speech, normalised spelling, reading in katakana, synonym groups."""

    word: str
    pos: tuple[str, ...]
    normalised: str
    reading: str
    groups: tuple[int, ...]


class _Reader:
    def __init__(self, data: memoryview, at: int):
        self.data, self.at = data, at

    def number(self, kind: str) -> int:
        (value,) = struct.unpack_from("<" + kind, self.data, self.at)
        self.at += struct.calcsize(kind)
        return value

    def skip(self, size: int) -> None:
        self.at += size

    def length(self) -> int:
        low = self.number("B")
        return (low & 0x7F) << 8 | self.number("B") if low & 0x80 else low

    def string(self) -> str:
        size = 2 * self.length()
        self.at += size
        return bytes(self.data[self.at - size : self.at]).decode("utf-16-le")

    def numbers(self) -> tuple[int, ...]:
        return tuple(self.number("I") for _ in range(self.number("B")))


def read_entries(data: memoryview) -> Iterator[Entry]:
    """Yield the dictionary forms of a binary dictionary."""
    r = _Reader(data, _HEADER_BYTES)
    parts = [tuple(r.string() for _ in range(6)) for _ in range(r.number("H"))]
    r.skip(2 * r.number("h") * r.number("h"))  # connection costs
    r.skip(4 * r.number("I"))  # trie
    r.skip(r.number("I"))  # word ids
    words = r.number("I")
    r.skip(6 * words)  # costs
    for number, offset in enumerate(struct.unpack_from(f"<{words}I", data, r.at)):
        w = _Reader(data, offset)
        word, _, pos = w.string(), w.length(), parts[w.number("H")]
        normalised, dictionary_form, reading = w.string(), w.number("i"), w.string()
        _splits = w.numbers(), w.numbers(), w.numbers()
        if dictionary_form in (-1, number):
            yield Entry(word, pos, normalised or word, reading or word, w.numbers())


def build(dictionary: Path, archive: Path) -> None:
    """Write the index of a dictionary."""
    groups: dict[int, dict[str, None]] = {}
    readings: dict[str, set[str]] = {}
    for entry in read_entries(memoryview(dictionary.read_bytes())):
        for group in entry.groups:
            groups.setdefault(group, {})[entry.word] = None
        if entry.pos[0] in ("動詞", "形容詞") and entry.pos[5].startswith("終止形"):
            readings.setdefault(entry.reading.translate(_KATAKANA), set()).add(entry.normalised)
    lines = [f"{g}\t{' '.join(_display_words(ws))}" for g, ws in sorted(groups.items())]
    kana = [f"{k}\t{' '.join(sorted(v))}" for k, v in sorted(readings.items()) if v != {k}]
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as out:
        for name, content in (("groups", lines), ("readings", kana), ("version", [version("SudachiDict-core")])):
            out.writestr(ZipInfo(name), "\n".join(content).encode(), ZIP_DEFLATED, 9)


def _display_words(group: dict[str, None]) -> list[str]:
    """Return the shortest words of a group, Japanese words if there are any."""
    japanese = [w for w in group if _JAPANESE.fullmatch(w)] or [w for w in group if " " not in w]
    return sorted(japanese, key=len)[:MAX_GROUP_WORDS]


if __name__ == "__main__":
    import sudachidict_core

    build(Path(sudachidict_core.__file__).parent / "resources" / "system.dic", ARCHIVE_PATH)
