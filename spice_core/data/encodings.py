"""What encoding a file is in, where it is not UTF-8."""

from __future__ import annotations

import codecs
import re

from spice_core.errors import Message

_ENCODINGS = {"cp932": "Shift_JIS", "euc_jp": "EUC-JP"}
_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_KANA, _HALF_WIDTH, _ESCAPED = re.compile("[ぁ-ヺ]"), re.compile("[\uff61-\uff9f\ue000-\uf8ff]"), re.compile("[\udc80-\udcff]")


def encoding_of(beginning: bytes) -> str:
    """The name of the encoding that the beginning of a file shows, empty for UTF-8 and for what cannot be told.

    Text in Shift_JIS or EUC-JP decodes to kana; read in the other's encoding, or where it is none of both, it does not
    decode or gives half-width signs.
    """
    if name := next((name for mark, name in _MARKS.items() if beginning.startswith(mark)), ""):
        return name
    if 0 in beginning[:2] and beginning[:2] != b"\0\0":
        return "UTF-16BE" if beginning[0] == 0 else "UTF-16LE"
    if b"\x1b$B" in beginning or b"\x1b$@" in beginning:
        return "ISO-2022-JP"
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(beginning)
    escaped = len(_ESCAPED.findall(text))
    if escaped <= sum(c > "\x7f" for c in text) - escaped:  # UTF-8, perhaps with faults
        return ""
    for encoding, name in _ENCODINGS.items():
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(beginning)
        except UnicodeDecodeError:
            continue
        if len(_KANA.findall(text)) > len(_HALF_WIDTH.findall(text)):
            return name
    return ""


def expected_encoding(encoding: str) -> str:
    """What was expected in place of text in this encoding, or of bytes that are no UTF-8 (``""``)."""
    if not encoding:
        return Message("expected.utf8")
    return Message("expected.utf8_convert", encoding="CP932" if encoding == "Shift_JIS" else encoding)
