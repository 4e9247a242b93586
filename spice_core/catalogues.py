"""Text catalogues: TOML files for each language, with named texts in sections."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FALLBACK_LANGUAGE = "en"


def read_catalogue(folder: Path, language: str, *, prefix: str = "") -> dict[str, Any]:
    """Read the text catalogue of a language.

    Args:
        folder: Folder that contains a file ``{prefix}{language}.toml``, or a folder ``{prefix}{language}`` of TOML files.
        language: Code of the language. If the folder has no texts in this language, the English texts are read.
        prefix: Prefix of the file or folder name.

    Returns:
        The texts by section and name.
    """
    files = _catalogue_files(folder / f"{prefix}{language}") or _catalogue_files(folder / f"{prefix}{FALLBACK_LANGUAGE}")
    return {section: texts for file in files for section, texts in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def fill_template(template: str, values: Mapping[str, object]) -> str:
    """Fill in a text. A field such as ``{number:image|images}`` becomes the singular or plural for its number."""
    return template.format(**{name: _Number(value) if type(value) is int else value for name, value in values.items()})


def format_quantity(number: int, noun: str) -> str:
    """Return a number with an English noun, in the plural unless the number is 1: "1 image", "2,000 images"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class _Number(int):
    """An integer whose format specification may be a singular and a plural."""

    def __format__(self, format_spec: str) -> str:
        singular, bar, plural = format_spec.partition("|")
        return (singular if self == 1 else plural) if bar else super().__format__(format_spec)


def _catalogue_files(path: Path) -> list[Path]:
    file = path.with_name(f"{path.name}.toml")
    return [file] if file.is_file() else sorted(path.glob("*.toml"))
