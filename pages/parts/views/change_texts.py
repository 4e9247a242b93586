"""Tuples that answer a question about captions, in words."""

from __future__ import annotations

from pages.parts.kit.texts import t
from spice_core.evaluation.questions import TuplePair, Words
from spice_core.explain.evidence import tuple_text
from spice_core.scene.propositions import PLACEHOLDER


def change_text(concern: TuplePair) -> str:
    """In one line: "umbrella: red", with another value "umbrella: red → blue"."""
    said, wanted = (_text(words) for words in concern)
    if not said or not wanted:
        return said or wanted
    return f"{said} → {concern.reference[-1] if len(concern.candidate) == 2 else wanted}"


def _text(words: Words) -> str:
    return tuple_text(words, implicit_subject=t("tuples.implicit_subject") if PLACEHOLDER in words else "")
