"""Detection of encodings other than UTF-8, and conversion of files to UTF-8.

charset-normalizer takes Shift_JIS after rows of ASCII for CP775 and Windows-1252 for CP1250, and needs 20 to 40 ms a file.
"""

from __future__ import annotations

import codecs
import io
import re
import unicodedata
from collections.abc import Callable
from typing import BinaryIO

from spice_core.errors import Message

WINDOW_BYTES = 1 << 16  # block size; the encoding is detected from two consecutive blocks
# Python's codecs with names other than the encodings'.
_CODEC_BY_ENCODING = {"ISO-2022-JP": "iso2022_jp_ext", "Shift_JIS": "cp932", "Windows-1252": "cp1252"}
_BYTE_ORDER_MARKS = {
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),  # the first begins with a mark of UTF-16
    "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
_KANA_PATTERN, _UNLIKELY_CHARACTER_PATTERN = re.compile("[ぁ-ヺ]"), re.compile("[\uff61-\uff9f\ue000-\uf8ff\ufffd]")
_WESTERN_TEXT_PATTERN = re.compile(r"(?:[\t\n\r\f -~]++|[À-ÖØ-öø-ÿŒœŠšŽžŸ‘’‚“”„–—…•€£§°´·«»¿¡½¼¾×®™©ªº\xa0]{1,2}(?=[\t\n\r\f -~]|$))*+")
_CONTROL_BYTES, _MAX_CONTROL_SHARE = bytes({*range(32)} - {*b"\t\n\f\r\x1b"}), 0.02  # control characters of binary files
_MIN_ASCII_PER_NON_ASCII = 4  # minimum ratio of ASCII to non-ASCII characters, because few words have two accents


def encoding_of(beginning: bytes) -> str:
    """Detect the encoding of a file from its beginning. Return the name of a Unicode or Japanese encoding, or "".

    The result is "" for UTF-8 and for all encodings that are not detected. To tell Shift_JIS from EUC-JP, the bytes
    are decoded with both: only the correct encoding yields more kana than errors and half-width characters.
    """
    return _wide_encoding(beginning) or _japanese_encoding(beginning)


def is_binary(beginning: bytes) -> bool:
    """Return whether the beginning of a file is binary: zero bytes and many other control characters."""
    controls = len(beginning) - len(beginning.translate(None, _CONTROL_BYTES))
    return 0 in beginning and controls > _MAX_CONTROL_SHARE * len(beginning) and not _wide_encoding(beginning)


def _wide_encoding(beginning: bytes) -> str:
    """Return the UTF-16 or UTF-32 encoding that the first bytes of a file indicate, or ""."""
    if name := next((name for name, marks in _BYTE_ORDER_MARKS.items() if beginning.startswith(marks)), ""):
        return name
    name = "UTF-16BE" if beginning[:1] == b"\0" else "UTF-16LE"
    text = beginning.decode(name, "replace") if 0 in beginning[:2] else ""
    others = sum(unicodedata.category(c) in ("Cc", "Cn", "Co", "Cs") and not c.isspace() for c in text)  # controls, unassigned, private
    return name if text and "\0" not in text and others <= _MAX_CONTROL_SHARE * len(text) else ""


def _japanese_encoding(sample: bytes) -> str:
    """Return the Japanese encoding that the bytes indicate, or ""."""
    if b"\x1b$B" in sample or b"\x1b$@" in sample:
        return "ISO-2022-JP"
    if _is_utf8(sample):
        return ""
    for name in ("Shift_JIS", "EUC-JP"):
        text = codecs.getincrementaldecoder(_CODEC_BY_ENCODING.get(name, name))("replace").decode(sample)
        if len(_KANA_PATTERN.findall(text)) > len(_UNLIKELY_CHARACTER_PATTERN.findall(text)):
            return name
    return ""


def _western_encoding(sample: bytes) -> str:
    """Return "Windows-1252" if a text is ASCII except for a few Western letters or signs, or "". Latin-1 counts as Windows-1252."""
    text = sample.decode("cp1252", "replace")
    has_few_accents = len(text) > (_MIN_ASCII_PER_NON_ASCII + 1) * sum(c > "\x7f" for c in text)
    return "Windows-1252" if has_few_accents and not _is_utf8(sample) and _WESTERN_TEXT_PATTERN.fullmatch(text) else ""


def _is_utf8(sample: bytes) -> bool:
    """Return whether the sample has at least as many non-ASCII characters in valid UTF-8 as invalid bytes."""
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(sample)
    escape_count = sum("\udc80" <= c <= "\udcff" for c in text)
    return escape_count <= sum(c > "\x7f" for c in text) - escape_count


def expected_encoding_message(encoding: str) -> Message:
    """Return the message about the expected encoding, given the encoding that was found (``""`` for invalid UTF-8)."""
    if not encoding:
        return Message("expected.utf8")
    return Message("expected.utf8_convert", encoding="CP932" if encoding == "Shift_JIS" else encoding)


class Utf8Stream(io.RawIOBase):
    """A file converted to UTF-8 piece by piece.

    The encoding is detected at the first bytes that are not plain ASCII text. The name of an encoding other than UTF-8
    is passed to ``report_encoding``. Invalid bytes are invalid in the output too, so that readers can report their row.
    """

    def __init__(self, file: BinaryIO, report_encoding: Callable[[str], None]):
        self._file, self._converted, self._report_encoding = file, b"", report_encoding
        self._is_first_block, self._is_detecting = True, True
        self._decoder: codecs.IncrementalDecoder | None = None

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        """Copy the next bytes of the text in UTF-8 to the buffer, and return their number."""
        is_at_end = False
        while not self._converted and not is_at_end:
            content = self._file.read(WINDOW_BYTES)
            is_at_end = not content
            if self._is_detecting:
                content = self._choose_decoder(content)
            self._converted = self._decoder.decode(content, is_at_end).encode("utf-8", "surrogateescape") if self._decoder else content
        chunk = self._converted[: len(buffer)]
        buffer[: len(chunk)] = chunk
        self._converted = self._converted[len(chunk) :]
        return len(chunk)

    def close(self) -> None:
        """Close this stream and the file."""
        self._file.close()
        super().close()

    def _choose_decoder(self, content: bytes) -> bytes:
        """Choose the decoder after another block if the content is not plain ASCII. Return all content read."""
        if not content.isascii() or b"\x1b" in content or (self._is_first_block and 0 in content[:2]):
            content += self._file.read(WINDOW_BYTES)
            if (
                encoding := (_wide_encoding(content) if self._is_first_block else "")
                or _japanese_encoding(content)
                or _western_encoding(content)
            ):
                self._decoder = codecs.getincrementaldecoder(_CODEC_BY_ENCODING.get(encoding, encoding))("spice_core.kept")
                self._report_encoding(encoding)
            self._is_detecting = False
        self._is_first_block = False
        return content


def _escape_undecodable_bytes(error: UnicodeError) -> tuple[str, int]:
    """Replace undecodable bytes with surrogates like ``surrogateescape``, and ASCII bytes, which have none, with U+DCFF."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    content = error.object[error.start : error.end]
    return "\udcff" if content.isascii() else content.decode("ascii", "surrogateescape"), error.end


codecs.register_error("spice_core.kept", _escape_undecodable_bytes)
