"""Test detection of a file's encoding from its first non-ASCII bytes."""

import io

import pytest

from spice_core.data.encodings import WINDOW_BYTES, Utf8Stream, encoding_of

JAPANESE_CSV = "画像ID,候補,参照1\n1,赤い傘をさした人,男性がギターを弾いている。\n"
CAFE_CSV = "1,a café with red chairs,two people in a café\n"
WESTERN_TEXTS = CAFE_CSV, "Ein Hund läuft über die Straße.", "a “stop” sign — it’s red", "El niño está en la montaña"
ENCODED_TEXTS = [
    *((JAPANESE_CSV.encode(codec), name) for codec, name in (("cp932", "Shift_JIS"), ("euc_jp", "EUC-JP"), ("iso2022_jp", "ISO-2022-JP"))),
    *((text.encode("cp1252"), "Windows-1252") for text in WESTERN_TEXTS),
    *((text.encode(), "") for text in (JAPANESE_CSV, *WESTERN_TEXTS)),
    (JAPANESE_CSV.encode("utf-16"), "UTF-16"),
    (JAPANESE_CSV.encode("utf-32"), "UTF-32"),
    (JAPANESE_CSV.encode() + b"\x83\x41 \xff", ""),
    (JAPANESE_CSV.encode("cp932") + b"\xff\xa0 x", "Shift_JIS"),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, ""),
    (b"\0".join(bytes([n]) for n in range(1, 256)), ""),  # every other byte is zero, but this is no text
    (bytes([60, *bytes(7), *b'{"w": {}}', *bytes(9)]), ""),
    *((JAPANESE_CSV.replace("画", "id").encode(codec), codec.upper()) for codec in ("utf-16le", "utf-16be")),
    ("1,犬,猫\n".encode("cp932"), ""),
    (b"a dog", ""),
    (b"", ""),
]


@pytest.mark.parametrize(("content", "name"), ENCODED_TEXTS)
def test_an_encoding_is_detected_or_not(content, name):
    encodings: list[str] = []
    Utf8Stream(io.BytesIO(content), encodings.append).readall()
    assert "".join(encodings) == name and encoding_of(content) == name.replace("Windows-1252", "")


@pytest.mark.parametrize("offset", [0, WINDOW_BYTES - 1, WINDOW_BYTES, 2 * WINDOW_BYTES + 7])
@pytest.mark.parametrize("codec", ["cp932", "euc_jp", "iso2022_jp", "utf-8", "utf-16", "cp1252"])
def test_utf8_is_detected_wherever_the_first_non_ascii_character_is(codec, offset):
    text = "a" * offset + (JAPANESE_CSV if codec != "cp1252" else CAFE_CSV) * 2_000
    encodings: list[str] = []
    file = io.BufferedReader(Utf8Stream(io.BytesIO(text.encode(codec)), encodings.append))
    assert file.read().decode() == text and len(encodings) == (codec != "utf-8")


def test_only_one_window_is_held_in_memory():
    read_sizes = []

    class EndlessFile(io.BytesIO):
        def read(self, byte_count: int = -1) -> bytes:
            read_sizes.append(byte_count)
            return "猫がいる。\n".encode("cp932") * (byte_count // 11)

    file = Utf8Stream(EndlessFile(), lambda name: None)
    assert len(file.read(1000)) == 1000 and read_sizes == [WINDOW_BYTES, WINDOW_BYTES]
