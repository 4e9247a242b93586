"""The captions of the tour and of the exercises, in each interface language, from the files in assets/learn."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pages.parts.kit.texts import interface_language

FOLDER = Path(__file__).parents[3] / "assets" / "learn"
CaptionPair = tuple[str, str]  # a candidate and its reference


@dataclass(frozen=True)
class Material:
    """The captions of one language. Comments in the files explain the fields."""

    lang: str
    girl: str
    giraffe: str
    shared_words: str
    pot: str
    pan: str
    court: str
    other_court: str
    words_by_choice: Mapping[str, str]
    highlighted_relations: tuple[str, ...]
    sofa: str
    dog_references: tuple[str, ...]
    white_dog: str
    gap: str
    fill_by_choice: Mapping[str, str]
    more_fills: tuple[str, ...]
    subjects: tuple[str, str, str]
    toothbrush: tuple[str, str, str]
    horse_references: tuple[str, ...]
    three_horses: str
    two_horses: str
    meaning: CaptionPair
    narrow_caption: str
    entailed_caption: str
    limits: Mapping[str, CaptionPair]
    more_limits: Mapping[str, CaptionPair]
    misread_caption: str
    misread_tree: str
    correct_caption: str
    buses: tuple[str, ...]
    cards: tuple[str, ...]
    false_card: int
    true_card: int
    coat: str
    cup: str
    sofa_word: str
    hedge_words: tuple[str, ...]
    hedge_examples: tuple[str, ...]
    rule: tuple[str, str]
    rule_captions: tuple[str, ...]
    answers_by_number: Mapping[str, Mapping[str, Mapping[str, str]]]

    def fill(self, word: str) -> str:
        """Return the sentence with the gap filled."""
        return self.gap.replace("[ ]", f"{'an' if word[0] in 'aeiou' else 'a'} {word}" if self.lang == "en" else word)

    @property
    def shown_gap(self) -> str:
        """The sentence with its gap."""
        return self.gap.replace("[ ]", "a [ ]") if self.lang == "en" else self.gap


def _read_material(lang: str) -> Material:
    return Material(lang, **_with_tuples(tomllib.loads((FOLDER / f"{lang}.toml").read_text(encoding="utf-8"))))


def _with_tuples(value: Any) -> Any:
    """Convert the lists of parsed TOML to tuples."""
    if isinstance(value, dict):
        return {name: _with_tuples(entry) for name, entry in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


MATERIAL_BY_LANGUAGE = {lang: _read_material(lang) for lang in ("en", "ja")}
ENGLISH_MATERIAL = MATERIAL_BY_LANGUAGE["en"]


def current_material() -> Material:
    """Return the captions in the interface language or, if there are none, in English."""
    return MATERIAL_BY_LANGUAGE.get(interface_language(), ENGLISH_MATERIAL)
