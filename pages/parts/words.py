"""The texts of the app: read from the catalogue in assets/words, looked up by where they stand."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "assets" / "words"


def t(key: str, /, *, language: str = "en", **values: object) -> str:
    """The text ``section.name`` of a language with its values filled in."""
    section, _, name = key.partition(".")
    return catalogue(language)[section][name].format(**values)


@cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """All texts of a language by section and name."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
