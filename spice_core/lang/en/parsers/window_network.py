"""Network of the parser ``spice-2016`` in NumPy: it embeds word features, convolves windows of three words, and scores tags and transitions.

The outputs equal those of the trained spaCy pipeline. Between two texts are as many rows of
zeros as the network has layers, so that texts do not influence each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spice_core.model_files import read_model_file

_NORM_EPSILON = 1e-08  # constant added to the variance of a layer
_FIRST_SEED = 7  # hash seed of the first feature; each further feature adds 1
_MAX_CACHED_VECTORS, _MAX_CACHED_LETTERS = 1 << 15, 1 << 20  # maximum number of cached words, and of their letters
_END_MARKS, _LONG_WORD_CHARS = ".!?", 100

Array = np.ndarray


class _Maxout(NamedTuple):
    weights: Array  # (inputs, pieces × outputs)
    bias: Array  # (pieces × outputs,)
    gain: Array  # (outputs,), like ``shift`` a parameter of the normalisation
    shift: Array  # (outputs,)

    def __call__(self, inputs: Array) -> Array:
        """Return the maximum of the three pieces of each output, with layer normalisation."""
        sums = inputs @ self.weights
        sums += self.bias
        width = len(self.gain)
        maxima: Array = np.maximum(sums[:, :width], sums[:, width : 2 * width])
        np.maximum(maxima, sums[:, 2 * width :], out=maxima)
        maxima -= maxima.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", maxima, maxima)[:, None] / np.float32(width)
        maxima *= self.gain / np.sqrt(variance + np.float32(_NORM_EPSILON))
        maxima += self.shift
        return maxima


class WindowNetwork:
    """Network with the float32 weights in the ``.npz`` file ``path``.

    ``symbols`` contains the ids of the texts whose id is not their hash.
    """

    def __init__(self, path: Path, symbols: Mapping[str, int]):
        with np.load(BytesIO(read_model_file(path))) as weights:
            self._tables = [weights[f"embed.{i}"] for i in range(int(weights["features"]))]
            self._embed, *self._layers = [
                _Maxout(*(weights[f"maxout.{i}.{name}"] for name in _Maxout._fields)) for i in range(int(weights["layers"]) + 1)
            ]
            self._tagger = weights["tagger.weights"], weights["tagger.bias"]
            self._state_weights = weights["lower.weights"], weights["lower.bias"]
            self._padding, self._hidden_bias = weights["lower.padding"], weights["hidden.bias"]
            self._action_weights = weights["upper.weights"], weights["upper.bias"]
        self._symbols = symbols
        self._row_by_word: dict[tuple[str, str, int], int] = {}  # rows of ``_vectors``
        self._letters = 0  # total length of the cached words
        self._vectors = np.empty((1 << 10, self._width), np.float32)

    @property
    def _width(self) -> int:
        return len(self._embed.gain)

    def encode_words(self, texts: Sequence[Sequence[tuple[str, str]]]) -> Array:
        """Return a vector for each word of all texts, in order. A word is a pair of its text and its normal form."""
        padding = len(self._layers)
        rows = np.array([*[0] * padding, *(row for rows in self._find_vector_rows(texts) for row in (*rows, *[0] * padding))])
        vectors = self._vectors[rows]
        word_mask = np.zeros(len(rows), bool)
        at = padding
        for words in texts:
            word_mask[at : at + len(words)] = True
            at += len(words) + padding
        vectors[~word_mask] = 0
        window = np.zeros((len(rows), 3 * self._width), np.float32)
        for layer in self._layers:
            window[1:, : self._width] = vectors[:-1]
            window[:, self._width : 2 * self._width] = vectors
            window[:-1, 2 * self._width :] = vectors[1:]
            vectors += layer(window)
        word_vectors: Array = vectors[word_mask]
        return word_vectors

    def score_tags(self, vectors: Array) -> Array:
        """Return the scores of the tags for each word, with shape (words, tags)."""
        weights, bias = self._tagger
        scores: Array = vectors @ weights + bias
        return scores

    def state_contributions(self, vectors: Array) -> Array:
        """Return each word's contribution to the hidden sums of a state, by place in the state: (words + 1, places, sums).

        The last row stands for a missing word.
        """
        weights, bias = self._state_weights
        sums = np.empty((len(vectors) + 1, len(bias)), np.float32)
        np.matmul(vectors, weights, out=sums[:-1])
        sums[:-1] += bias
        sums[-1] = self._padding.ravel()
        return sums.reshape(len(sums), *self._padding.shape)

    def score_transitions(self, contributions: Array, states: Array) -> Array:
        """Return the scores of the actions in each state. ``states`` (states, places) contains word indices."""
        sums: Array = contributions[states, np.arange(states.shape[1])].sum(axis=1)
        sums += self._hidden_bias
        half = sums.shape[1] // 2
        weights, bias = self._action_weights
        scores: Array = np.maximum(sums[:, :half], sums[:, half:]) @ weights + bias
        return scores

    def _find_vector_rows(self, texts: Sequence[Sequence[tuple[str, str]]]) -> list[list[int]]:
        """Return the rows of ``_vectors`` for the words of each text. New words get new rows."""
        if len(self._row_by_word) > _MAX_CACHED_VECTORS or self._letters > _MAX_CACHED_LETTERS:
            self._row_by_word.clear()
            self._letters = 0
        keys = [[(text, norm, style) for text, norm in words] for words in texts for style in (_caption_style(words),)]
        if new_keys := list(dict.fromkeys(key for row in keys for key in row if key not in self._row_by_word)):
            self._add_vectors(new_keys)
        return [[self._row_by_word[key] for key in row] for row in keys]

    def _text_id(self, text: str) -> int:
        return self._symbols.get(text) or hash_text(text)

    def _add_vectors(self, keys: Sequence[tuple[str, str, int]]) -> None:
        row_count = len(self._row_by_word) + len(keys)
        self._letters += sum(len(text) for text, _, _ in keys)
        while row_count > len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.empty_like(self._vectors)])
        feature_ids = [(*map(self._text_id, word_features(text, norm)), style) for text, norm, style in keys]
        columns = []
        for i, table in enumerate(self._tables):
            rows = np.array([hash_number(row[i], _FIRST_SEED + i) for row in feature_ids], np.uint64) % len(table)
            columns.append(table[rows[:, 0]] + table[rows[:, 1]] + table[rows[:, 2]] + table[rows[:, 3]])
        self._vectors[len(self._row_by_word) : row_count] = self._embed(np.hstack(columns))
        self._row_by_word.update(zip(keys, range(len(self._row_by_word), row_count)))


def word_features(text: str, norm: str) -> tuple[str, str, str, str]:
    """Return the features of a word: its normal form, first letter, last three letters and shape."""
    return norm, text[0], text[-3:], character_shape(text)


def character_shape(text: str) -> str:
    """Return the shape of a word ("Xxxxx", "dd", "'x"), with at most four equal characters in a row."""
    if len(text) >= _LONG_WORD_CHARS:
        return "LONG"
    out, last_kind, run = [], "", 0
    for char in text:
        kind = ("X" if char.isupper() else "x") if char.isalpha() else "d" if char.isdigit() else char
        run = run + 1 if kind == last_kind else 0
        last_kind = kind
        if run < 4:
            out.append(kind)
    return "".join(out)


def _caption_style(words: Sequence[tuple[str, str]]) -> int:
    """Return the style of a caption: bit 0 is set if it ends with an end mark, bit 1 if it begins with a capital."""
    return (words[-1][0][-1] in _END_MARKS) + 2 * words[0][0][0].isupper() if words else 0


_MASK_64_BITS, _MASK_32_BITS = (1 << 64) - 1, (1 << 32) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
_TEXT_SEED = 1  # seed of spaCy's strings


def hash_text(text: str) -> int:
    """Return spaCy's 64-bit hash of a text: MurmurHash64A of its UTF-8 bytes (Austin Appleby, public domain)."""
    data = text.encode("utf-8", "surrogatepass")
    hash_value = _TEXT_SEED ^ (len(data) * _MULTIPLIER & _MASK_64_BITS)
    block_end = len(data) & ~7
    for offset in range(0, block_end, 8):
        part = int.from_bytes(data[offset : offset + 8], "little") * _MULTIPLIER & _MASK_64_BITS
        hash_value = (hash_value ^ ((part ^ part >> 47) * _MULTIPLIER & _MASK_64_BITS)) * _MULTIPLIER & _MASK_64_BITS
    if tail := data[block_end:]:
        hash_value = (hash_value ^ int.from_bytes(tail, "little")) * _MULTIPLIER & _MASK_64_BITS
    hash_value = (hash_value ^ hash_value >> 47) * _MULTIPLIER & _MASK_64_BITS
    return hash_value ^ hash_value >> 47


@lru_cache(maxsize=1 << 15)
def hash_number(number: int, seed: int) -> tuple[int, int, int, int]:
    """Return four 32-bit hashes of a 64-bit number: the parts of MurmurHash3_x64_128 of its eight bytes."""
    part = number * 0x87C37B91114253D5 & _MASK_64_BITS
    part = (part << 31 | part >> 33) * 0x4CF5AD432745937F & _MASK_64_BITS
    first, second = seed ^ part ^ 8, seed ^ 8
    first = (first + second) & _MASK_64_BITS
    second = (second + first) & _MASK_64_BITS
    first, second = _mix_bits(first), _mix_bits(second)
    first = (first + second) & _MASK_64_BITS
    second = (second + first) & _MASK_64_BITS
    return first & _MASK_32_BITS, first >> 32, second & _MASK_32_BITS, second >> 32


def _mix_bits(value: int) -> int:
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & _MASK_64_BITS
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & _MASK_64_BITS
    return value ^ value >> 33
