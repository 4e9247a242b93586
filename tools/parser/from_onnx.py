"""Read the weights of an exported parser, named as in `Network`, so that another network can start or learn from them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tools.parser.examples import Labels

_SCALE_SUFFIX = ".scale"
_ENCODER_PREFIXES = ("embeddings.", "encoder.")
_EMBEDDING_NAME = (
    "embeddings.word_embeddings.weight"  # the only matrix with a scale per row; the others have a scale per column and are transposed
)
_TOKEN_TYPE_NAME = "encoder.embeddings.token_type_embeddings.weight"


def load_labels(folder: Path) -> Labels:
    """Return the tags and relations of the parser in this folder."""
    label_data = json.loads((folder / "labels.json").read_bytes())
    return Labels(tuple(label_data["tags"]), tuple(label_data["relations"]))


def load_weights(folder: Path) -> dict[str, np.ndarray]:
    """Return the weights of the parser in this folder, as floats."""
    import onnx
    from onnx import numpy_helper

    graphs = [onnx.load(folder / name).graph for name in ("relations.onnx", "parser.onnx")]
    constants = {t.name: numpy_helper.to_array(t) for graph in graphs for t in graph.initializer}
    weights: dict[str, np.ndarray] = {}
    for name, value in constants.items():
        if name.endswith(_SCALE_SUFFIX) or name.startswith("arc.") or "." not in name:
            continue
        weights[f"encoder.{name}" if name.startswith(_ENCODER_PREFIXES) else name] = _dequantise(
            value, constants.get(name + _SCALE_SUFFIX), name == _EMBEDDING_NAME
        )
    weights["arc.weight"] = np.concatenate([constants["arc.product"].T, constants["arc.head"][:, None]], 1)
    token_type = next(
        v for n, v in constants.items() if n.startswith("constant") and v.shape == constants["embeddings.LayerNorm.bias"].shape
    )
    weights[_TOKEN_TYPE_NAME] = np.stack([token_type, token_type])
    return {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}


def count_layers(weights: dict[str, np.ndarray]) -> int:
    """Return the number of layers of the encoder."""
    return 1 + max(int(name.split(".")[3]) for name in weights if name.startswith("encoder.encoder.layer."))


def _dequantise(value: np.ndarray, scales: np.ndarray | None, is_by_row: bool) -> np.ndarray:
    if scales is None:
        return value
    return value * scales[:, None] if is_by_row else (value * scales[None]).T
