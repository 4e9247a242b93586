"""Fonts inside CSS: just the files whose characters are there."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from spice_core.draw.fonts import face, subsets
from spice_core.errors import InputError

FONTS = Path(__file__).parents[2] / "static" / "fonts"
JAPANESE = FONTS / "noto-sans-jp"


def ranges(css: str) -> list[tuple[int, int]]:
    found = re.findall(r"U\+([0-9a-f]+)(?:-([0-9a-f]+))?", css)
    return [(int(a, 16), int(b or a, 16)) for a, b in found]


@pytest.mark.parametrize(("text", "files"), [("", 0), ("a girl", 0), ("日", 1), ("日月点", 1), ("ベンチ", 1), ("傘", 1)])
def test_only_the_needed_files(text, files):
    css = subsets(JAPANESE, text)
    assert css.count("@font-face") == css.count("data:font/woff2") == files
    assert all(any(a <= ord(c) <= b for a, b in ranges(css)) for c in text if ord(c) > 0x2190)
    assert not re.search(r"url\((?!data:font)", css)


def test_the_file_inside_is_the_file_on_disk():
    path = FONTS / "inter-latin-wght-normal.woff2"
    css = face(path, "Inter")
    assert base64.b64decode(re.search(r"base64,([^)]*)\)", css)[1]) == path.read_bytes() and 'font-family:"Inter"' in css


def test_a_folder_without_index_is_named(tmp_path):
    with pytest.raises(InputError, match=re.escape(str(tmp_path))):
        subsets(tmp_path, "傘")
