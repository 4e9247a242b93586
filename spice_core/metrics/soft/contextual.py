"""Contextual similarity: a tuple is represented by the vectors of its words in the encoded caption.

Context distinguishes "bank" beside a river from "bank" in a street, and (man, ride, horse) from (man, beside, horse), which differ little
as isolated phrases. A proposition that does not come from a parse is encoded without context.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from spice_core.metrics.soft.passages import passage_of_sentence, passage_similarity, split_passages
from spice_core.metrics.soft.similarity import Side, Similarity, cosine, mention_tokens
from spice_core.scene.graph import Mention, SceneTuple
from spice_core.scene.propositions import PLACEHOLDER, Parse

if TYPE_CHECKING:
    import numpy as np

    from spice_core.metrics.soft.encoder import EncodedText, Encoder

_CACHED_TEXTS = 8192


class ContextualSimilarity(Similarity):
    """Cosine similarity of the sentence encoder's vectors. Negative values count as 0."""

    def __init__(self, encoder: Encoder):
        self._encoder, self.signature = encoder, encoder.signature

    @cached_property
    def _cache(self) -> OrderedDict[str, EncodedText]:
        return OrderedDict()

    def prepare(self, parses: Iterable[Parse]) -> None:
        """Encode captions in batches. The cache keeps the last 8,192 texts, or all texts of a larger call."""
        self._encode(passage for parse in parses for passage in split_passages(parse))

    def _encode(self, texts: Iterable[str]) -> None:
        new_texts = [t for t in dict.fromkeys(texts) if t not in self._cache]
        self._cache.update(zip(new_texts, self._encoder(new_texts)))
        while len(self._cache) > max(_CACHED_TEXTS, len(new_texts)):
            self._cache.popitem(last=False)

    def matrix(self, candidate: Side, references: Side) -> np.ndarray:
        """Return the similarity matrix (candidate tuples, reference tuples)."""
        import numpy as np

        self._encode_captions(candidate, references)
        rows, columns = ([self._tuple_vector(t, side.parses) for t in side.tuples] for side in (candidate, references))
        if not rows or not columns:
            return np.zeros((len(rows), len(columns)))
        matrix: np.ndarray = np.clip(np.stack(rows) @ np.stack(columns).T, 0, 1)
        return matrix

    def caption_similarities(self, candidate: Side, references: Side) -> list[float]:
        """Return the similarity of the candidate to each reference."""
        import numpy as np

        self._encode_captions(candidate, references)
        candidate_passages, *references_passages = (split_passages(p) for p in (*candidate.parses, *references.parses))
        vectors = {
            text: self._encode_text(text).caption_vector()
            for text in {*candidate_passages, *(text for captions in references_passages for text in captions)}
        }
        out = []
        for captions in references_passages:
            similarities = np.array([[cosine(vectors[a], vectors[b]) for b in captions] for a in candidate_passages])
            out.append(passage_similarity(similarities, ([len(a) or 1 for a in candidate_passages], [len(b) or 1 for b in captions])))
        return out

    def _encode_captions(self, *sides: Side) -> None:
        self.prepare(p for side in sides for p in side.parses)

    def _encode_text(self, text: str) -> EncodedText:
        if text not in self._cache:
            self._encode([text])
        return self._cache[text]

    def _tuple_vector(self, tuple_: SceneTuple, parses: tuple[Parse, ...]) -> np.ndarray:
        """Return the unit mean vector of the tuple's mentions."""
        import numpy as np

        return _normalise(np.sum([_normalise(self._mention_vector(m, len(tuple_.concepts), parses)) for m in tuple_.mentions], axis=0))

    def _mention_vector(self, mention: Mention, length: int, parses: tuple[Parse, ...]) -> np.ndarray:
        """Return the mean vector of a mention's word pieces or, without pieces, the vector of its words out of context."""
        proposition = mention.proposition
        parts, tokens = mention_tokens(mention, length)
        text, start = passage_of_sentence(parses[mention.caption], proposition.sentence)
        vector = self._encode_text(text).mean_vector([(t.start - start, t.end - start) for t in tokens])
        if vector is None:
            words = [proposition.words[i] for i in parts if proposition.words[i] != PLACEHOLDER]
            return self._encode_text(" ".join(words[::-1] if len(words) == 2 else words)).text_vector
        return vector


def _normalise(vector: np.ndarray) -> np.ndarray:
    import numpy as np

    return vector / (np.linalg.norm(vector) or 1.0)
