"""The sentence encoder all-MiniLM-L6-v2 with weights stored in 8 bits, run by ONNX Runtime without torch or a network."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from spice_core.metrics.soft.weights import CAPTION_MAP_PATH, ENCODER_PATH, TOKENIZER_PATH, existing_weights_path, read_weights
from spice_core.model_files import load_network

if TYPE_CHECKING:
    import numpy as np

_MAX_WORD_PIECES = 128  # number of word pieces read per text
_BATCH_TEXTS = 64


class EncodedText(NamedTuple):
    """An encoded text: its unit vector (384), the vectors of its word pieces (pieces, 384), and the pieces' offsets.

    Means and products are computed in double precision, so that they do not depend on the order of texts or tuples.
    """

    text_vector: np.ndarray
    piece_vectors: np.ndarray
    offsets: tuple[tuple[int, int], ...]

    def mean_vector(self, char_spans: Sequence[tuple[int, int]]) -> np.ndarray | None:
        """Return the mean vector of the word pieces that overlap these spans of the text, or None if no piece overlaps them."""
        pieces = [i for i, (a, b) in enumerate(self.offsets) if any(start < b and a < end for start, end in char_spans)]
        return self.piece_vectors[pieces].mean(axis=0, dtype=float) if pieces else None

    def caption_vector(self) -> np.ndarray:
        """Return the unit vector (384) of the text, mapped by the matrix for full captions."""
        import numpy as np

        vector: np.ndarray = _load_caption_projection() @ self.text_vector
        vector /= np.linalg.norm(vector)
        return vector


class Encoder:
    """Encoder of texts as vectors, with 32-bit arithmetic. The vectors of a text do not depend on the other texts of a call."""

    signature = "minilm-l6-int8-fp32+captions"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._session = load_network(existing_weights_path(ENCODER_PATH))
        self._tokenizer = Tokenizer.from_buffer(read_weights(TOKENIZER_PATH))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MAX_WORD_PIECES)

    def __reduce__(self) -> tuple[object, ...]:
        return load_encoder, ()

    def __call__(self, texts: Sequence[str]) -> list[EncodedText]:
        """Encode texts in batches of equal length, two batches at a time."""
        encodings = self._tokenizer.encode_batch(list(texts))
        lengths = [len(encoding.ids) for encoding in encodings]
        batches = _batches_of_equal_length(lengths)
        out: dict[int, EncodedText] = {}
        with ThreadPoolExecutor(2) as threads:
            for batch, pieces in zip(batches, threads.map(lambda batch: self._run([encodings[i].ids for i in batch]), batches)):
                for i, piece_vectors in zip(batch, pieces):
                    out[i] = EncodedText(_unit_mean(piece_vectors), piece_vectors.copy(), tuple(encodings[i].offsets))
        return [out[i] for i in range(len(encodings))]

    def _run(self, ids: Sequence[Sequence[int]]) -> np.ndarray:
        """Return the piece vectors (texts, pieces, 384) of texts with equally many pieces."""
        import numpy as np

        rows = np.array(ids, np.int64)
        pieces: np.ndarray = self._session.run(["pieces"], {"ids": rows, "mask": np.ones_like(rows)})[0]
        return pieces


def _batches_of_equal_length(lengths: Sequence[int]) -> list[list[int]]:
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    groups = (list(group) for _, group in groupby(order, key=lengths.__getitem__))
    return [group[start : start + _BATCH_TEXTS] for group in groups for start in range(0, len(group), _BATCH_TEXTS)]


def _unit_mean(vectors: np.ndarray) -> np.ndarray:
    import numpy as np

    mean: np.ndarray = vectors.mean(axis=0, dtype=float)
    mean /= np.linalg.norm(mean)
    return mean


@cache
def _load_caption_projection() -> np.ndarray:
    """Return the linear map from text vectors to caption vectors (written by ``tools/train_captions.py``)."""
    import numpy as np

    rows: np.ndarray = np.load(BytesIO(read_weights(CAPTION_MAP_PATH))).astype(float)
    return rows


@cache
def load_encoder() -> Encoder:
    """Return the encoder, loaded once."""
    return Encoder()
