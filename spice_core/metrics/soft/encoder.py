"""The sentence encoder all-MiniLM-L6-v2 with 8-bit weights, run by ONNX Runtime without torch or a network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from spice_core.metrics.soft.weights import CAPTION_MAP_PATH, ENCODER_PATH, TOKENIZER_PATH, existing_weights_path

if TYPE_CHECKING:
    import numpy as np

_MAX_WORD_PIECES = 128  # number of word pieces read per text
_BATCH_TEXTS = 64


class EncodedText(NamedTuple):
    """An encoded text: its unit vector (384), the vectors of its word pieces (pieces, 384), and the pieces' offsets."""

    text_vector: np.ndarray
    piece_vectors: np.ndarray
    offsets: tuple[tuple[int, int], ...]

    def mean_vector(self, char_spans: Sequence[tuple[int, int]]) -> np.ndarray | None:
        """Return the mean vector of the word pieces that overlap these spans of the text, or None if no piece overlaps them."""
        pieces = [i for i, (a, b) in enumerate(self.offsets) if any(start < b and a < end for start, end in char_spans)]
        return self.piece_vectors[pieces].mean(axis=0) if pieces else None

    def caption_vector(self) -> np.ndarray:
        """Return the unit vector (384) of the text, mapped by the matrix for full captions."""
        import numpy as np

        vector: np.ndarray = _caption_map() @ self.text_vector
        vector /= np.linalg.norm(vector)
        return vector


class Encoder:
    """Encoder of texts as vectors."""

    signature = "minilm-l6-int8+captions"

    def __init__(self) -> None:
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads release their cores
        self._session = InferenceSession(existing_weights_path(ENCODER_PATH), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(existing_weights_path(TOKENIZER_PATH)))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MAX_WORD_PIECES)

    def __reduce__(self) -> tuple[object, ...]:
        return load_encoder, ()

    def __call__(self, texts: Sequence[str]) -> list[EncodedText]:
        """Encode texts in batches of similar length."""
        import numpy as np

        encodings = self._tokenizer.encode_batch(list(texts))
        order = sorted(range(len(encodings)), key=lambda i: len(encodings[i].ids))
        out: dict[int, EncodedText] = {}
        for start in range(0, len(order), _BATCH_TEXTS):
            batch = order[start : start + _BATCH_TEXTS]
            ids = np.zeros((len(batch), len(encodings[batch[-1]].ids)), np.int64)
            for row, i in enumerate(batch):
                ids[row, : len(encodings[i].ids)] = encodings[i].ids
            mask = (np.arange(ids.shape[1]) < np.array([[len(encodings[i].ids)] for i in batch])).astype(np.int64)
            vectors, pieces = self._session.run(["vectors", "pieces"], {"ids": ids, "mask": mask})
            for row, i in enumerate(batch):
                out[i] = EncodedText(vectors[row], pieces[row, : len(encodings[i].ids)].copy(), tuple(encodings[i].offsets))
        return [out[i] for i in range(len(encodings))]


@cache
def _caption_map() -> np.ndarray:
    """Return the linear map from text vectors to caption vectors, written by ``tools/train_captions.py``."""
    import numpy as np

    rows: np.ndarray = np.load(existing_weights_path(CAPTION_MAP_PATH)).astype(np.float32)
    return rows


@cache
def load_encoder() -> Encoder:
    """Return the encoder, loaded once."""
    return Encoder()
