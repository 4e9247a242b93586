"""Labels: measured by script, broken where they are long and wide."""

from __future__ import annotations

import pytest

from spice_core.draw.labels import lines, shortened, width


def test_full_width_characters_count_a_whole_em():
    assert width("傘", 14) == width("ア", 14) == width("Ａ", 14) == 14
    assert width("ｱ", 14) < 14 and width("a", 14) < 14


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("折りたたみ傘", ["折りたたみ傘"]),
        ("スケートボードに乗", ["スケートボードに乗"]),
        ("ストロベリーショートケーキ", ["ストロベリーショー", "トケーキ"]),
        ("赤いTシャツを着たスケートボーダー", ["赤いTシャツを着た", "スケートボーダー"]),
        ("傘" * 23 + "…", ["傘" * 8, "傘" * 8, "傘" * 7 + "…"]),
        ("tennis court of the town", ["tennis court of the town"]),
        ("", [""]),
    ],
)
def test_lines(text, broken):
    assert lines(text) == broken and "".join(lines(text)) == text


def test_no_line_begins_with_a_small_kana():
    for text in ("あいうえおかきくっけこさし", "ーーーーーーーーーーーーーーー", "二" * 24):
        assert all(len(line) <= 10 for line in lines(text)) or "ーー" in text
        assert not any(line[0] in "ーっ" for line in lines(text)[1:])


def test_shortened():
    assert shortened("傘" * 30) == "傘" * 23 + "…"
