"""Japanese word vectors from GiNZA's model ja_ginza (20,000 vectors for 480,000 words, from chiVe)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from spice_core.errors import not_installed
from spice_core.lang.ja.sudachi import INSTALL
from spice_core.lang.ja.vector_table import vectors_of
from spice_core.lang.spacy_models import loading, package
from spice_core.scene.propositions import Parse

if TYPE_CHECKING:
    import numpy as np
    from spacy.vectors import Vectors

_FUNCTION = ("助詞", "助動詞", "補助記号", "記号", "空白")


class GinzaVectors:
    """Vectors of words and phrases; an unlisted word is split into its longest listed pieces."""

    def __init__(self, vectors: Vectors, signature: str):
        from spacy.strings import get_string_id

        self._vectors, self._hash, self.signature = vectors, get_string_id, signature
        self.phrase = lru_cache(maxsize=1 << 16)(self._phrase)

    def __reduce__(self) -> tuple[object, ...]:
        return vectors, ()

    def content(self, parse: Parse) -> tuple[str, ...]:
        """The caption's words without particles, auxiliaries and punctuation; all words of given propositions."""
        if parse.document is None:
            return tuple(word for p in parse.propositions for word in p.words)
        tokens = (t for sentence in parse.document.sentences for t in sentence.tokens if not t.tag.startswith(_FUNCTION))
        return tuple(t.text if self._listed(t.text) else t.lemma for t in tokens)

    def _phrase(self, words: tuple[str, ...]) -> np.ndarray:
        import numpy as np

        zero = np.zeros(self._vectors.shape[1], np.float32)
        listed = filter(None, map(self._pieces, words))
        vectors = [_unit(sum((np.asarray(self._vectors[self._hash(piece)]) for piece in pieces), zero)) for pieces in listed]
        return _unit(sum(vectors, zero)) if vectors else zero

    def _listed(self, word: str) -> bool:
        return self._hash(word) in self._vectors

    def _pieces(self, word: str) -> list[str]:
        pieces, start = [], 0
        while start < len(word):
            ends = (end for end in range(len(word), start, -1) if self._listed(word[start:end]))
            end = next(ends, None)
            if end:
                pieces.append(word[start:end])
            start = end or start + 1
        return pieces


@cache
def vectors() -> GinzaVectors:
    """The vectors of ja_ginza, loaded once without its pipeline. Raises MissingResourceError."""
    if not package("ja_ginza"):
        raise not_installed("ja_ginza", INSTALL)
    from spacy.util import get_model_meta, get_package_path

    root = get_package_path("ja_ginza")
    folder = next(root.glob("ja_ginza-*"), root)
    with loading("ja_ginza"):
        table = vectors_of(folder)
        assert table is not None, "no vectors"
    return GinzaVectors(table, f"ja_ginza-vectors-{get_model_meta(folder)['version']}")


def _unit(vector: np.ndarray) -> np.ndarray:
    import numpy as np

    return vector / (np.linalg.norm(vector) or 1.0)
