"""The catalogues: every text that the code asks for exists in every language, and nothing is left over."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from pages.parts.words import INTERFACE, catalogue
from spice_core.draw.texts import ENGLISH

ROOT = Path(__file__).parents[2]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")])


def flat(language: str) -> dict[str, str]:
    return {f"{section}.{name}": text for section, texts in catalogue(language).items() for name, text in texts.items()}


def test_all_texts_are_there_and_used():
    asked = set(re.findall(r"""["']([a-z]+\.[A-Za-z0-9_]+)["']""", CODE)) | ENGLISH.keys()
    built = set(re.findall(r"""["']([a-z]+)\.(?:\{|["'])""", CODE))
    known = flat("en").keys()
    assert {key for key in asked if key.partition(".")[0] in catalogue("en") and not key.endswith(".json")} - ENGLISH.keys() <= known
    assert {key for key in known - asked if key.partition(".")[0] not in built} == set()


@pytest.mark.parametrize("language", list(INTERFACE)[1:])
def test_every_language_has_the_same_texts_with_the_same_values(language):
    def values(texts: dict[str, str]) -> dict[str, set]:
        return {key: {field for _, field, *_ in Formatter().parse(text) if field is not None} for key, text in texts.items()}

    assert values(flat(language)) == values(flat("en"))
    assert [key for key, text in flat(language).items() if not text.strip()] == []
