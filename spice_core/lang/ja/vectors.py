"""Japanese word vectors from GiNZA's model ja_ginza (20,000 vectors for 480,000 words, from chiVe)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from spice_core.errors import not_installed_error
from spice_core.lang.ja.sudachi import INSTALL_COMMAND
from spice_core.lang.ja.vector_table import read_vectors
from spice_core.lang.spacy_models import convert_loading_errors, package_folder
from spice_core.scene.propositions import Parse

if TYPE_CHECKING:
    import numpy as np
    from spacy.vectors import Vectors

_FUNCTION_TAGS = ("助詞", "助動詞", "補助記号", "記号", "空白")


class GinzaVectors:
    """Vectors of words and phrases. An unlisted word is split into its longest listed pieces."""

    def __init__(self, vectors: Vectors, signature: str):
        from spacy.strings import get_string_id

        self._vectors, self._hash, self.signature = vectors, get_string_id, signature
        self.phrase_vector = lru_cache(maxsize=1 << 16)(self._phrase_vector)

    def __reduce__(self) -> tuple[object, ...]:
        return load_vectors, ()

    def caption_words(self, parse: Parse) -> tuple[str, ...]:
        """Return the caption's words without particles, auxiliaries and punctuation, or all words of its propositions if it was not parsed."""
        if parse.document is None:
            return tuple(word for p in parse.propositions for word in p.words)
        tokens = (t for sentence in parse.document.sentences for t in sentence.tokens if not t.tag.startswith(_FUNCTION_TAGS))
        return tuple(t.text if self._is_listed(t.text) else t.lemma for t in tokens)

    def _phrase_vector(self, words: tuple[str, ...]) -> np.ndarray:
        import numpy as np

        zero = np.zeros(self._vectors.shape[1], np.float32)
        split_words = filter(None, map(self._split_word, words))
        vectors = [_normalise(sum((np.asarray(self._vectors[self._hash(piece)]) for piece in pieces), zero)) for pieces in split_words]
        return _normalise(sum(vectors, zero)) if vectors else zero

    def _is_listed(self, word: str) -> bool:
        return self._hash(word) in self._vectors

    def _split_word(self, word: str) -> list[str]:
        pieces, start = [], 0
        while start < len(word):
            ends = (end for end in range(len(word), start, -1) if self._is_listed(word[start:end]))
            end = next(ends, None)
            if end:
                pieces.append(word[start:end])
            start = end or start + 1
        return pieces


@cache
def load_vectors() -> GinzaVectors:
    """Return the vectors of ja_ginza, loaded once without its pipeline. Raises MissingResourceError."""
    if not package_folder("ja_ginza"):
        raise not_installed_error("ja_ginza", INSTALL_COMMAND)
    from spacy.util import get_model_meta, get_package_path

    root = get_package_path("ja_ginza")
    folder = next(root.glob("ja_ginza-*"), root)
    with convert_loading_errors("ja_ginza"):
        table = read_vectors(folder)
        assert table is not None, "no vectors"
    return GinzaVectors(table, f"ja_ginza-vectors-{get_model_meta(folder)['version']}")


def _normalise(vector: np.ndarray) -> np.ndarray:
    import numpy as np

    return vector / (np.linalg.norm(vector) or 1.0)
