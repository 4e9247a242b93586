"""Fonts embedded in CSS, for standalone pictures and pages."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path

from spice_core.errors import InputError, Message


def font_face_rule(path: Path, family: str, *, weight: str = "100 900") -> str:
    """Return the ``@font-face`` rule of one woff2 file, with the file embedded."""
    return f'@font-face{{font-family:"{family}";font-weight:{weight};src:{_font_source(path)}}}'


def subset_rules(folder: Path, text: str) -> str:
    """Return the ``@font-face`` rules in the folder's index.css that cover at least one character of the text. Their files are embedded.

    Raises InputError if the folder has no index.css.
    """
    code_points = set(map(ord, text))
    matches = [(path, rule) for path, rule, ranges in _read_index(folder) if any(a <= c <= b for c in code_points for a, b in ranges)]
    return "".join(re.sub(r"src:[^;]*", f"src:{_font_source(path)}", rule) for path, rule in matches)


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
