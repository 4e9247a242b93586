"""Build the static vectors from the sentence encoder: ``python -m tools.build_static``."""

from __future__ import annotations

import json
import re

import numpy as np

from spice_core.metrics.soft.encoder import load_encoder
from spice_core.metrics.soft.weights import STATIC_VECTORS_PATH, TOKENIZER_PATH

_PIECE_PATTERN = re.compile(r"(##)?[a-z0-9]+|[!-~]")
_COMPONENT_COUNT = 256


def main() -> None:
    """Encode each piece of the tokenizer separately, and store the vectors' principal components."""
    vocabulary = json.loads(TOKENIZER_PATH.read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = [piece for piece, _ in sorted(vocabulary.items(), key=lambda item: item[1]) if _PIECE_PATTERN.fullmatch(piece)]
    vectors = np.stack([e.text_vector for e in load_encoder()([piece.removeprefix("##") for piece in pieces])])
    vectors -= vectors.mean(axis=0)
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    reduced_vectors = vectors @ axes[:, : -_COMPONENT_COUNT - 1 : -1] * np.log(2 + np.arange(len(pieces)))[:, None]
    scales = np.abs(reduced_vectors).max(axis=1) / 127
    rounded = np.round(reduced_vectors / scales[:, None]).astype(np.int8)
    piece_bytes = np.frombuffer("\n".join(pieces).encode(), np.uint8)
    np.savez_compressed(STATIC_VECTORS_PATH, pieces=piece_bytes, whole=rounded, scales=scales.astype(np.float32))


if __name__ == "__main__":
    main()
