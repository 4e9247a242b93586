"""The document between parser and rules: tokens and typed dependencies in UD v2, one type for all languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Token(NamedTuple):
    """One word of a sentence.

    ``index`` counts from 1 within the sentence (0 is the artificial root); ``start`` and ``end`` are character
    offsets into the caption, -1 where the text could not be aligned.
    """

    index: int  # type: ignore[assignment]  # tuple.index is never called
    text: str
    lemma: str
    tag: str
    start: int = -1
    end: int = -1


class Dependency(NamedTuple):
    """One typed edge: ``relation`` from the token ``head`` (0 = root) to the token ``dependent``."""

    head: int
    dependent: int
    relation: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens with the basic tree and, if available, the enhanced graph (UD v2 labels in both)."""

    tokens: tuple[Token, ...]
    basic: tuple[Dependency, ...]
    enhanced: tuple[Dependency, ...] | None = None

    @property
    def edges(self) -> tuple[Dependency, ...]:
        """The enhanced graph if available, else the basic tree."""
        return self.basic if self.enhanced is None else self.enhanced


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed caption: its text and its sentences, in order."""

    text: str
    sentences: tuple[Sentence, ...]


def align(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Character offsets of ``words`` in ``text``, in order; (-1, -1) for a word that is not found.

    Penn Treebank escapes (-LRB-, `` and '' for quotes) are looked up in plain form.
    """
    spans, position = [], 0
    for word in words:
        for form in (word, *_PLAIN.get(word, ())):
            start = text.find(form, position)
            if start >= 0:
                position = start + len(form)
                spans.append((start, position))
                break
        else:
            spans.append((-1, -1))
    return spans


_PLAIN = {
    "-LRB-": ("(",), "-RRB-": (")",), "-LSB-": ("[",), "-RSB-": ("]",), "-LCB-": ("{",), "-RCB-": ("}",),
    "``": ('"', "“", "''"), "''": ('"', "”"), "`": ("'", "‘"), "'": ("’",), "...": ("…",), "--": ("—", "–"),
}  # fmt: skip
