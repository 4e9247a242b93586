"""Word vectors of GiNZA's pipelines in a tenth of spaCy's memory. The parser and soft matching share them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.vectors import Vectors


class VectorRows(Mapping[int, int]):
    """Mapping from the hash of a word to the row of its vector: two arrays in place of a dict of half a million numbers."""

    def __init__(self, rows: Mapping[int, int]):
        import numpy as np

        keys = np.fromiter(rows.keys(), np.uint64, len(rows))
        order = keys.argsort()
        self._keys = keys[order].data
        self._rows = np.fromiter(rows.values(), np.int32, len(rows))[order].data

    def __getitem__(self, key: int) -> int:
        place = bisect_left(self._keys, key)
        if place == len(self._keys) or self._keys[place] != key:
            raise KeyError(key)
        return self._rows[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


@cache
def read_vectors(pipeline: Path) -> Vectors | None:
    """Return the vectors in a pipeline's folder by the hashes of their words, or None if the folder has no vectors."""
    import numpy as np
    from spacy.vectors import Vectors

    folder = pipeline / "vocab"
    if not (folder / "key2row").exists():
        return None
    vectors = Vectors(data=np.load(folder / "vectors", mmap_mode="r"))
    vectors.from_disk(folder, exclude=["strings", "vectors"])
    vectors.key2row = VectorRows(vectors.key2row)
    return vectors
