"""Display settings: theme, palette, percent or ratios, language, texts and fonts."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from spice_core.catalogues import FALLBACK_LANGUAGE, fill_template, read_catalogue
from spice_core.draw import design
from spice_core.errors import InputError, Message
from spice_core.files import APP_FOLDER
from spice_core.stats.bootstrap import Estimate

_TEXTS_FOLDER = Path(__file__).with_name("texts")
LATIN_FONT = APP_FOLDER / "static" / "fonts" / "inter-latin-wght-normal.woff2"
_GREEK_FONT = LATIN_FONT.with_name("inter-greek-wght-normal.woff2")
JAPANESE_FONT_FOLDER = LATIN_FONT.with_name("noto-sans-jp")


@cache
def display_texts(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of drawings, tables and reports by section and name, in English for a language without texts."""
    return read_catalogue(_TEXTS_FOLDER, lang)


@dataclass(frozen=True)
class DisplayStyle:
    """Display settings of a result.

    Attributes:
        theme: light, dark, or auto for the theme of the surrounding page or of the reader's system.
        palette: ``default``, or ``paper`` for the colours of figures in the SPICE papers.
        percent: Whether scores are in percent instead of ratios.
        lang: Language of the texts.
        texts: Texts that replace the texts of the language, by key.
        font_css: ``@font-face`` rules with embedded fonts.
    """

    theme: str = "light"
    palette: str = design.DEFAULT_PALETTE
    percent: bool = False
    lang: str = FALLBACK_LANGUAGE
    texts: Mapping[str, str] = field(default_factory=dict, hash=False)
    font_css: str = ""

    @property
    def colours(self) -> Mapping[str, str]:
        """The theme's colours in the palette, by name. The theme auto uses the page's CSS tokens."""
        if self.theme == "auto":
            return {name: f"var(--sc-{name})" for name in design.theme_colours("light")}
        return design.theme_colours(self.theme, self.palette)

    @property
    def scale(self) -> int:
        """The score of a perfect match: 1 or 100."""
        return 100 if self.percent else 1

    def format_text(self, key: str, **values: object) -> str:
        """Return the text of a key (``section.name``) with its values filled in."""
        section, _, name = key.partition(".")
        return fill_template(self.texts.get(key) or display_texts(self.lang)[section][name], values)

    def category_label(self, name: str) -> str:
        """Return the label of a category, or its name if the SPICE paper lacks it."""
        return self.format_text(f"categories.{name}") if name in design.TRANSLATED_CATEGORIES else name

    def format_ratio(self, value: float, undefined: str | None = None) -> str:
        """Return a score with three decimals, or a percentage with one. For nan, return ``undefined`` or a default text."""
        if math.isnan(value):
            return self.format_text("categories.undefined") if undefined is None else undefined
        return f"{value * self.scale:z.{1 if self.percent else 3}f}".replace("-", "−")

    def format_change(self, value: float) -> str:
        """Return a difference of scores with its sign."""
        return f"{'+' if value > 0 else ''}{self.format_ratio(value)}"

    def format_interval(self, x: Estimate) -> str:
        """Return an estimate's bounds in brackets, "[n/a]" if they are undefined, or "" if the value is too."""
        if math.isnan(x.low):
            return "" if math.isnan(x.value) else f"[{self.format_ratio(x.low)}]"
        return f"[{self.format_ratio(x.low)}, {self.format_ratio(x.high)}]"

    def format_estimate(self, x: Estimate) -> str:
        """Return a value with its interval."""
        return f"{self.format_ratio(x.value)} {self.format_interval(x)}".rstrip()

    def format_p_value(self, p_value: float) -> str:
        """Return a p-value with three decimals, or a text for nan."""
        return self.format_ratio(p_value) if math.isnan(p_value) else f"{p_value:.3f}"


PLAIN = DisplayStyle()


def font_files(text: str) -> list[Path]:
    """Return the font files for a text: Latin and Greek fonts, and the necessary parts of the Japanese font."""
    return [LATIN_FONT, _GREEK_FONT, *(path for path, _ in _font_subsets(JAPANESE_FONT_FOLDER, text))]


def font_face_rule(path: Path, family: str) -> str:
    """Return the ``@font-face`` rule of one variable woff2 font, with the file embedded."""
    return f'@font-face{{font-family:"{family}";font-weight:100 900;src:{_font_source(path)}}}'


def subset_rules(folder: Path, text: str) -> str:
    """Return the embedded ``@font-face`` rules of the folder's index.css for the characters of the text.

    Raises InputError if the folder has no index.css.
    """
    return "".join(re.sub(r"src:[^;]*", f"src:{_font_source(path)}", rule) for path, rule in _font_subsets(folder, text))


def _font_subsets(folder: Path, text: str) -> list[tuple[Path, str]]:
    """Return the path and the rule of each font in the folder's index.css that covers at least one character of the text."""
    code_points = set(map(ord, text))
    return [(path, rule) for path, rule, ranges in _read_index(folder) if any(a <= c <= b for c in code_points for a, b in ranges)]


@cache
def _read_index(folder: Path) -> tuple[tuple[Path, str, tuple[tuple[int, int], ...]], ...]:
    """Return the path, the rule and the ranges of code points of each font in the index."""
    index = folder / "index.css"
    if not index.is_file():
        raise InputError(Message("where.font_folder"), str(folder), Message("expected.font_folder"))
    rules = re.findall(r"@font-face\s*\{[^}]*\}", index.read_text(encoding="utf-8"))
    return tuple((folder / "".join(re.findall(r"url\(([^)]*)\)", rule)[:1]), rule, tuple(_unicode_ranges(rule))) for rule in rules)


def _unicode_ranges(rule: str) -> list[tuple[int, int]]:
    ranges = re.findall(r"U\+([0-9A-Fa-f]+)(?:-([0-9A-Fa-f]+))?", rule)
    return [(int(first, 16), int(last or first, 16)) for first, last in ranges]


@cache
def _font_source(path: Path) -> str:
    return f'url(data:font/woff2;base64,{base64.b64encode(path.read_bytes()).decode()}) format("woff2")'
