"""Test the style of a display: numbers, texts, colours, labels and fonts."""

import base64
import re
import tomllib
from math import nan
from pathlib import Path

import pytest
from PIL import ImageFont

from spice_core.draw import design
from spice_core.draw.labels import break_lines, shorten_text, text_width
from spice_core.draw.shapes import FONT_BY_KIND
from spice_core.draw.style import DisplayStyle, font_face_rule, subset_rules
from spice_core.errors import InputError


def test_a_style_determines_numbers_texts_and_colours():
    for value, *expected_texts in [(0.5, "0.500", "50.0"), (-0.25, "−0.250", "−25.0"), (-0.0001, "0.000", "0.0"), (nan, "n/a", "n/a")]:
        assert [DisplayStyle(percent=percent).format_ratio(value) for percent in (False, True)] == expected_texts
    assert DisplayStyle(texts={"legend.object": "thing"}).format_text("legend.object") == "thing"
    assert DisplayStyle(lang="ja").category_label("Color") == "色" and DisplayStyle(lang="eo").category_label("Color") == "Colour"
    assert DisplayStyle().category_label("Material") == "Material"
    assert DisplayStyle("dark", "paper").colours == design.COLOURS_BY_PALETTE["paper"]["dark"]
    assert DisplayStyle("auto").colours["object"] == "var(--sc-object)"
    assert len({DisplayStyle(), DisplayStyle(), DisplayStyle(percent=True)}) == 2


def test_no_word_is_wider_than_the_layout_expects_so_no_icon_lies_over_a_label():
    words = set(re.findall(r"[A-Za-z'-]+", (FONTS.parents[1] / "assets" / "captions" / "coco_500.txt").read_text(encoding="utf-8")))
    for font_size, weight in FONT_BY_KIND.values():
        font = ImageFont.truetype(FONTS / "inter-latin-wght-normal.woff2", 1000)
        font.set_variation_by_axes([weight])
        wide = {word: font.getlength(word) * font_size / 1000 - text_width(word, font_size) for word in words}
        # The computed width may be up to 1 px too small, because a centred label has 5 px of space next to its icon.
        assert {word: excess for word, excess in wide.items() if excess > 1} == {}


def test_long_labels_are_broken_or_shortened_by_their_width():
    assert text_width("傘", 14) == text_width("ア", 14) == text_width("Ａ", 14) == 14
    assert text_width("ｱ", 14) < 14 and text_width("a", 14) < 14
    for text, broken in [
        ("折りたたみ傘", ["折りたたみ傘"]),
        ("スケートボードに乗", ["スケートボードに乗"]),
        ("ストロベリーショートケーキ", ["ストロベリーショー", "トケーキ"]),
        ("赤いTシャツを着たスケートボーダー", ["赤いTシャツを着た", "スケートボーダー"]),
        ("傘" * 23 + "…", ["傘" * 8, "傘" * 8, "傘" * 7 + "…"]),
        ("tennis court of the town", ["tennis court of the town"]),
        ("", [""]),
    ]:
        assert break_lines(text) == broken and "".join(break_lines(text)) == text
    for text in ("あいうえおかきくっけこさし", "ーーーーーーーーーーーーーーー", "二" * 24):
        assert all(len(line) <= 10 for line in break_lines(text)) or "ーー" in text
        assert not any(line[0] in "ーっ" for line in break_lines(text)[1:])
    assert shorten_text("傘" * 30) == "傘" * 23 + "…"


FONTS = Path(__file__).parents[2] / "static" / "fonts"
JAPANESE_FONT_FOLDER = FONTS / "noto-sans-jp"


def unicode_ranges(css: str) -> list[tuple[int, int]]:
    range_matches = re.findall(r"U\+([0-9a-f]+)(?:-([0-9a-f]+))?", css)
    return [(int(a, 16), int(b or a, 16)) for a, b in range_matches]


def test_fonts_are_complete_and_local_and_only_needed_files_are_read(tmp_path):
    for text, files in (("", 0), ("a girl", 0), ("日", 1), ("日月点", 1), ("ベンチ", 1), ("傘", 1)):
        css = subset_rules(JAPANESE_FONT_FOLDER, text)
        assert css.count("@font-face") == css.count("data:font/woff2") == files
        assert all(any(a <= ord(c) <= b for a, b in unicode_ranges(css)) for c in text if ord(c) > 0x2190)
        assert not re.search(r"url\((?!data:font)", css)
    path = FONTS / "inter-latin-wght-normal.woff2"
    css = font_face_rule(path, "Inter")
    assert base64.b64decode(re.search(r"base64,([^)]*)\)", css)[1]) == path.read_bytes() and 'font-family:"Inter"' in css
    with pytest.raises(InputError, match=re.escape(str(tmp_path))):
        subset_rules(tmp_path, "傘")
    assert STREAMLIT_CONFIG["browser"]["gatherUsageStats"] is False and STREAMLIT_CONFIG["server"]["address"] == "localhost"
    assert all(face["url"].startswith("app/static/") for face in STREAMLIT_CONFIG["theme"]["fontFaces"])
    css = (JAPANESE_FONT_FOLDER / "index.css").read_text(encoding="utf-8")
    files = re.findall(r"src:url\(([^)]*)\)", css)
    assert set(files) == {path.name for path in JAPANESE_FONT_FOLDER.glob("*.woff2")} and (JAPANESE_FONT_FOLDER / "OFL.txt").is_file()
    assert sum(path.stat().st_size for path in JAPANESE_FONT_FOLDER.iterdir()) < 6_000_000
    for font_family in (
        design.SANS_FONTS,
        design.SERIF_FONTS,
        design.MONOSPACE_FONTS,
        STREAMLIT_CONFIG["theme"]["font"],
        STREAMLIT_CONFIG["theme"]["codeFont"],
    ):
        assert "Noto Sans JP" in font_family


STREAMLIT_CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def contrast_ratio(a: str, b: str) -> float:
    """Return the WCAG contrast ratio of two #RRGGBB colours (1–21)."""
    darker, lighter = sorted((luminance(a), luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear_values = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear_values[0] + 0.7152 * linear_values[1] + 0.0722 * linear_values[2]


def test_colours_have_contrast_and_match_the_theme():
    for theme in design.COLOURS_BY_THEME:
        for palette in design.COLOURS_BY_PALETTE:
            colours = design.theme_colours(theme, palette)
            for kind in design.TUPLE_KINDS:
                assert contrast_ratio(colours[kind], colours[f"{kind}-fill"]) >= 4.5
                assert contrast_ratio(colours[kind], colours["surface"]) >= 4.5
                assert contrast_ratio(colours["ink"], colours[f"{kind}-fill"]) >= 11
            for ground in ("bg", "surface"):
                assert contrast_ratio(colours["ink"], colours[ground]) >= 11
                assert contrast_ratio(colours["muted"], colours[ground]) >= 4.5
    for theme in design.COLOURS_BY_THEME:
        colours = design.theme_colours(theme, design.PAPER_PALETTE)
        for place, kind in enumerate(design.TUPLE_KINDS):
            channels = [int(colours[kind][i : i + 2], 16) for i in (1, 3, 5)]
            assert max(channels) == channels[place] and set(colours) == set(design.COLOURS_BY_THEME[theme])
        assert colours["object"] in design.css_tokens(design.PAPER_PALETTE) and colours["object"] not in design.css_tokens()
        colours, configured = design.COLOURS_BY_THEME[theme], STREAMLIT_CONFIG["theme"][theme]
        assert configured["backgroundColor"] == colours["bg"] and configured["textColor"] == colours["ink"]
        assert configured["primaryColor"] == configured["linkColor"] == colours["accent"]
        assert configured["secondaryBackgroundColor"] == colours["surface"] and configured["borderColor"] == colours["line"]
        assert configured["chartCategoricalColors"] == [colours[kind] for kind in design.TUPLE_KINDS]
        assert set(design.COLOURS_BY_THEME["light"]) == set(design.COLOURS_BY_THEME["dark"])
