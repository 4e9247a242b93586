"""Tuples that answer a question about captions, in words."""

from __future__ import annotations

from functools import cache

from pages.parts.kit.texts import t
from spice_core import Spice
from spice_core.evaluation.questions import Concern, Same, shares_a_word
from spice_core.explain.evidence import text


def same_thing(spice: Spice) -> Same:
    """Whether two parts of tuples share a word or a synset."""

    @cache
    def ids(part: str) -> frozenset[int]:
        return frozenset().union(*map(spice.synonyms.ids, part.split("/")))

    return lambda a, b: shares_a_word(a, b) or not ids(a).isdisjoint(ids(b))


def in_words(concern: Concern) -> str:
    """In one line: "umbrella: red", with another value "umbrella: red → blue"."""
    name = t("tuples.implicit_subject")
    said, wanted = (text(words, implicit_subject=name) for words in concern)
    if not said or not wanted:
        return said or wanted
    return f"{said} → {concern.reference[-1] if len(concern.candidate) == 2 else wanted}"
