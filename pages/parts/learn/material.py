"""The captions of the tour and of the exercises, in each interface language, from the files in assets/learn."""

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pages.parts.kit.texts import interface_language

FOLDER = Path(__file__).parents[3] / "assets" / "learn"


class Material(SimpleNamespace):
    """The captions of one language. Comments in the files explain the fields."""

    def fill(self, word: str) -> str:
        """Return the sentence with the gap filled."""
        return self.gap.replace("[ ]", f"{'an' if word[0] in 'aeiou' else 'a'} {word}" if self.lang == "en" else word)

    @property
    def shown_gap(self) -> str:
        """The sentence with its gap."""
        return self.gap.replace("[ ]", "a [ ]") if self.lang == "en" else self.gap


def _with_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_tuples(entry) for name, entry in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


MATERIAL_BY_LANGUAGE = {
    lang: Material(lang=lang, **_with_tuples(tomllib.loads((FOLDER / f"{lang}.toml").read_text(encoding="utf-8")))) for lang in ("en", "ja")
}
ENGLISH_MATERIAL = MATERIAL_BY_LANGUAGE["en"]


def current_material() -> Material:
    """Return the captions in the interface language or, if there are none, in English."""
    return MATERIAL_BY_LANGUAGE.get(interface_language(), ENGLISH_MATERIAL)
