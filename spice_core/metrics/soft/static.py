"""English word vectors that need only NumPy: the sentence encoder's vector of each isolated word piece.

``python -m tools.build_static`` writes ``models/static.npz``. For each piece, the file holds 256 principal components as integers, with one
scale per piece. The weight of a piece grows with the logarithm of its frequency rank, so frequent pieces weigh less.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from spice_core.metrics.soft.weights import STATIC_VECTORS_PATH, read_weights
from spice_core.scene.propositions import PLACEHOLDER, Parse

if TYPE_CHECKING:
    import numpy as np

_WORD_PATTERN = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")


class StaticVectors:
    """Vectors of words and phrases, as normalised sums of the vectors of their pieces."""

    signature = "static-minilm-l6"

    def __init__(self, archive: Path = STATIC_VECTORS_PATH):
        import numpy as np

        with np.load(BytesIO(read_weights(archive))) as weights:
            pieces, self._components, self._scales = weights["pieces"].tobytes().decode().split("\n"), weights["whole"], weights["scales"]
        self._row_by_piece = {piece: i for i, piece in enumerate(pieces)}
        self._archive = archive
        self.phrase_vector = lru_cache(maxsize=1 << 16)(self._phrase_vector)

    def __reduce__(self) -> tuple[object, ...]:
        return _load_archive, (self._archive,)

    def caption_words(self, parse: Parse) -> tuple[str, ...]:
        """Return all words and punctuation marks of the caption, in lower case."""
        return tuple(_WORD_PATTERN.findall(parse.caption.lower()))

    def _phrase_vector(self, words: tuple[str, ...]) -> np.ndarray:
        import numpy as np

        rows = [i for word in words if word != PLACEHOLDER for part in _WORD_PATTERN.findall(word.lower()) for i in self._split_word(part)]
        total = (self._components[rows] * self._scales[rows, None]).sum(axis=0) if rows else np.zeros(self._components.shape[1], np.float32)
        return total / (np.linalg.norm(total) or 1.0)

    def _split_word(self, word: str) -> list[int]:
        """Return the indices of a word's pieces, split greedily as in WordPiece, or an empty list if a piece is unknown."""
        pieces, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in self._row_by_piece), None)
            if end is None:
                return []
            pieces.append(self._row_by_piece[mark + word[start:end]])
            start = end
        return pieces


def load_static_vectors() -> StaticVectors:
    """Return the vectors, loaded once."""
    return _load_archive(STATIC_VECTORS_PATH)


@cache
def _load_archive(archive: Path) -> StaticVectors:
    return StaticVectors(archive)
