"""Build ONNX graphs of BERT-like encoders with int8 matrices; needs the package onnx."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

_HEADS, WIDTH = 12, 384
_EPSILON = 1e-12
_SEVEN_BITS = 63
_MICROSOFT = "com.microsoft"  # operators of ONNX Runtime
Values = Mapping[str, tuple[int, Sequence[object]]]  # type and shape of inputs or outputs, by name


class Graph:
    """Builder of an ONNX graph; each operation returns the name of its output."""

    def __init__(self, weights: dict[str, np.ndarray], *, integers: bool = False):
        """Multiply matrices as ``integers``, which is faster, or dequantise them when the model is loaded."""
        self.weights = weights
        self.integers = integers
        self._rows: dict[str, tuple[str, str]] = {}
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

    def matrix(self, name: str, *, transpose: bool = False) -> str:
        """Add a matrix of integers from -127 to 127 with one scale per row, dequantised when the model is loaded."""
        whole, scales = self._eight_bits(name)
        parts = self.constant(whole.T if transpose else whole, name), self.constant(scales, f"{name}.scale")
        return self.op("DequantizeLinear", *parts, axis=1 if transpose else 0)

    def rows(self, name: str, ids: str) -> str:
        """Return rows of a matrix of integers with one scale per row; only these rows become floats."""
        from onnx import TensorProto

        whole, scales = self._eight_bits(name)
        rows = self.op("Cast", self.op("Gather", self.constant(whole, name), ids), to=TensorProto.FLOAT)
        scale = self.op("Gather", self.constant(scales, f"{name}.scale"), ids)
        return self.op("Mul", rows, self.op("Unsqueeze", scale, self.constant(np.array([-1]))))

    def _eight_bits(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        value = self.weights[name]
        scales = np.abs(value).max(axis=1) / 127
        return np.round(value / scales[:, None]).astype(np.int8), scales.astype(np.float32)

    def linear(self, x: str, name: str) -> str:
        return self.op("Add", self.product(x, f"{name}.weight"), self.weight(f"{name}.bias"))

    def product(self, x: str, name: str) -> str:
        """Multiply by a transposed matrix.

        For integers, each row of ``x`` (one word piece) has its own scale and so does not depend on the batch. The matrix has seven
        bits, so that the sum of two products fits into 16 bits on processors that use 16-bit sums.
        """
        if not self.integers:
            return self.op("MatMul", x, self.matrix(name, transpose=True))
        value = self.weights[name]
        scales = np.abs(value).max(axis=1) / _SEVEN_BITS
        whole = np.round(value / scales[:, None]).astype(np.int8)
        rows, row_scales = self._quantise(x)
        matrix, column_scales = self.constant(whole.T, name), self.constant(scales.astype(np.float32), f"{name}.scale")
        product = self.op("MatMulIntegerToFloat", rows, matrix, self._unit_scale(), column_scales, self._zero_point(), domain=_MICROSOFT)
        return self.op("Mul", product, row_scales)

    def _quantise(self, x: str) -> tuple[str, str]:
        """Return the rows as unsigned bytes around 128, and the scale of each row."""
        if x not in self._rows:
            largest = self.op("ReduceMax", self.op("Abs", x), self.constant(np.array([-1])), keepdims=1)
            positive = self.op("Max", largest, self.constant(np.float32(1e-6)))
            scales = self.op("Mul", positive, self.constant(np.float32(1 / 127)))
            self._rows[x] = self.op("QuantizeLinear", self.op("Div", x, scales), self._unit_scale(), self._zero_point()), scales
        return self._rows[x]

    def _unit_scale(self) -> str:
        return self.constant(np.float32(1), "one")

    def _zero_point(self) -> str:
        return self.constant(np.uint8(128), "zero")

    def layer_norm(self, x: str, name: str) -> str:
        return self.op("LayerNormalization", x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), epsilon=_EPSILON)

    def heads(self, x: str, order: list[int]) -> str:
        shape = self.constant(np.array([0, 0, _HEADS, WIDTH // _HEADS]))
        return self.op("Transpose", self.op("Reshape", x, shape), perm=order)

    def model(self, name: str, inputs: Values, outputs: Values):
        """Return the ONNX model with these inputs and outputs."""
        from onnx import helper, numpy_helper

        input_infos = [helper.make_tensor_value_info(n, kind, shape) for n, (kind, shape) in inputs.items()]
        output_infos = [helper.make_tensor_value_info(n, kind, shape) for n, (kind, shape) in outputs.items()]
        constants = [numpy_helper.from_array(np.asarray(value), n) for n, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, name, input_infos, output_infos, constants)
        opsets = [helper.make_opsetid("", 20), *([helper.make_opsetid(_MICROSOFT, 1)] if self.integers else ())]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def encoder_states(g: Graph, layers: int) -> tuple[str, str]:
    """Return the last states of the encoder for ``ids`` and ``mask`` (texts, pieces), and the mask as floats."""
    from onnx import TensorProto

    one = g.constant(np.array([1]))
    length = g.op("Gather", g.op("Shape", "ids"), one)
    places = g.op("Slice", g.weight("embeddings.position_embeddings.weight"), g.constant(np.array([0])), length)
    words = g.rows("embeddings.word_embeddings.weight", "ids")
    kind = g.constant(g.weights["embeddings.token_type_embeddings.weight"][0])
    x = g.layer_norm(g.op("Add", g.op("Add", words, places), kind), "embeddings.LayerNorm")
    floats = g.op("Cast", "mask", to=TensorProto.FLOAT)
    hidden = g.op("Mul", g.op("Sub", g.constant(np.float32(1)), floats), g.constant(np.float32(-1e4)))
    hidden = g.op("Unsqueeze", hidden, g.constant(np.array([1, 2])))
    for layer in range(layers):
        at = f"encoder.layer.{layer}"
        q = g.heads(g.linear(x, f"{at}.attention.self.query"), [0, 2, 1, 3])
        k = g.heads(g.linear(x, f"{at}.attention.self.key"), [0, 2, 3, 1])
        v = g.heads(g.linear(x, f"{at}.attention.self.value"), [0, 2, 1, 3])
        scale = g.constant(np.float32((WIDTH // _HEADS) ** -0.5))
        attention = g.op("Softmax", g.op("Add", g.op("Mul", g.op("MatMul", q, k), scale), hidden), axis=-1)
        mixed = g.op("Transpose", g.op("MatMul", attention, v), perm=[0, 2, 1, 3])
        mixed = g.op("Reshape", mixed, g.constant(np.array([0, 0, WIDTH])))
        mixed = g.linear(mixed, f"{at}.attention.output.dense")
        x = g.layer_norm(g.op("Add", x, mixed), f"{at}.attention.output.LayerNorm")
        inner = g.op("Gelu", g.linear(x, f"{at}.intermediate.dense"))
        x = g.layer_norm(g.op("Add", x, g.linear(inner, f"{at}.output.dense")), f"{at}.output.LayerNorm")
    return x, floats
