"""Encoder input: word pieces, and the shape of each word, which lower-case pieces lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

START, END, UNKNOWN = 101, 102, 100  # ids of [CLS], [SEP] and [UNK] in the vocabulary
LONGEST = 512  # maximum number of pieces of the encoder
LONGEST_WORD = 8  # maximum number of pieces of one word
SHAPES = 5  # lower case, Capitalised at the beginning, Capitalised, CAPITALS, with digits


def word_pieces(words: Sequence[str], tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return the ids of all pieces, from [CLS] to [SEP], and the place of each word's first piece; long words of long texts are truncated."""
    longest = min(LONGEST_WORD, (LONGEST - 2) // max(1, len(words)))
    ids, first = [START], []
    for encoded in tokenizer.encode_batch(list(words), add_special_tokens=False):
        first.append(len(ids))
        ids += encoded.ids[:longest] or [UNKNOWN]
    return [*ids, END], first


def shapes(words: Sequence[str]) -> list[int]:
    """Return the shape of each word as a number below ``SHAPES``."""
    return [_shape(word, first=not i) for i, word in enumerate(words)]


def _shape(word: str, *, first: bool) -> int:
    if any(c.isdigit() for c in word):
        return 4
    if len(word) > 1 and word.isupper():
        return 3
    return (1 if first else 2) if word[:1].isupper() else 0
