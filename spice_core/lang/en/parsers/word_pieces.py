"""Encoder input: lower-case word pieces, and for each word a shape, which records its capitals and digits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

START_ID, END_ID, UNKNOWN_ID = 101, 102, 100  # ids of [CLS], [SEP] and [UNK] in the vocabulary
MAX_PIECES = 512  # maximum number of pieces of the encoder's input
MAX_WORD_PIECES = 8  # maximum number of pieces of one word
_MAX_WORDS, _MAX_WORD_CHARS = 1 << 14, 30  # maximum number of cached words, and of characters of a cached word
SHAPE_COUNT = 5  # lower case, capitalised first word, other capitalised word, all capitals, with digits


class WordPieces:
    """Splitter of words into the pieces of a tokenizer, with a cache for short words."""

    def __init__(self, tokenizer: Tokenizer):
        self._tokenizer = tokenizer
        self._pieces_by_word = lru_cache(maxsize=_MAX_WORDS)(self._encode)

    def split(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the ids of all pieces, from [CLS] to [SEP], and the index of the first piece of each word.

        Long words are truncated, to fewer pieces in long texts.
        """
        max_pieces = min(MAX_WORD_PIECES, (MAX_PIECES - 2) // max(1, len(words)))
        ids, first_pieces = [START_ID], []
        for word in words:
            first_pieces.append(len(ids))
            pieces = self._pieces_by_word(word) if len(word) <= _MAX_WORD_CHARS else self._encode(word)
            ids += pieces[:max_pieces] or (UNKNOWN_ID,)
        return [*ids, END_ID], first_pieces

    def _encode(self, word: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(word, add_special_tokens=False).ids[:MAX_WORD_PIECES])


def word_shapes(words: Sequence[str]) -> list[int]:
    """Return the shape of each word as a number below ``SHAPE_COUNT``."""
    return [_word_shape(word, is_first=not i) for i, word in enumerate(words)]


def _word_shape(word: str, *, is_first: bool) -> int:
    if word.islower() and word.isalpha():
        return 0
    if any(c.isdigit() for c in word):
        return 4
    if len(word) > 1 and word.isupper():
        return 3
    return (1 if is_first else 2) if word[:1].isupper() else 0
