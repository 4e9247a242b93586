"""Build ONNX graphs of BERT-like encoders with int8 matrices. The module needs the package onnx."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

_HEAD_COUNT, ENCODER_WIDTH = 12, 384
_EPSILON = 1e-12
_MAX_QUANTISED = 63
_MICROSOFT_DOMAIN = "com.microsoft"  # operators of ONNX Runtime
ConstantValues = Mapping[str, tuple[int, Sequence[object]]]  # type and shape of inputs or outputs, by name


class OnnxGraphBuilder:
    """Builder of an ONNX graph. Operations return the names of their outputs."""

    def __init__(self, weights: dict[str, np.ndarray], *, integers: bool = False):
        """If ``integers``, multiply matrices as integers (faster). Otherwise, dequantise them at loading."""
        self.weights = weights
        self.integers = integers
        self._rows: dict[str, tuple[str, str]] = {}
        self.nodes: list[object] = []
        self.constants: dict[str, np.ndarray | np.generic] = {}

    def add_operation(self, operator: str, *inputs: str, **attributes: object) -> str:
        from onnx import helper

        name = f"{operator}{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name=name, **attributes))
        return name

    def add_constant(self, value: np.ndarray | np.generic, name: str = "") -> str:
        name = name or f"constant{len(self.constants)}"
        self.constants[name] = value
        return name

    def add_weight(self, name: str) -> str:
        return self.add_constant(self.weights[name], name)

    def add_matrix(self, name: str, *, transpose: bool = False) -> str:
        """Add a matrix of integers from -127 to 127 with one scale per row, dequantised at loading."""
        rounded, scales = self._quantise_weight(name)
        parts = self.add_constant(rounded.T if transpose else rounded, name), self.add_constant(scales, f"{name}.scale")
        return self.add_operation("DequantizeLinear", *parts, axis=1 if transpose else 0)

    def gather_rows(self, name: str, ids: str) -> str:
        """Return rows of an integer matrix with one scale per row, the only rows converted to floats."""
        from onnx import TensorProto

        rounded, scales = self._quantise_weight(name)
        rows = self.add_operation("Cast", self.add_operation("Gather", self.add_constant(rounded, name), ids), to=TensorProto.FLOAT)
        scale = self.add_operation("Gather", self.add_constant(scales, f"{name}.scale"), ids)
        return self.add_operation("Mul", rows, self.add_operation("Unsqueeze", scale, self.add_constant(np.array([-1]))))

    def _quantise_weight(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        value = self.weights[name]
        scales = np.abs(value).max(axis=1) / 127
        return np.round(value / scales[:, None]).astype(np.int8), scales.astype(np.float32)

    def add_linear(self, states: str, name: str) -> str:
        return self.add_operation("Add", self.multiply_transposed(states, f"{name}.weight"), self.add_weight(f"{name}.bias"))

    def multiply_transposed(self, states: str, name: str) -> str:
        """Multiply by a transposed matrix.

        For integers, each row of ``states`` (one word piece) has its own scale and so does not depend on the batch. The matrix has seven
        bits, so that the sum of two products fits into 16 bits on processors that use 16-bit sums.
        """
        if not self.integers:
            return self.add_operation("MatMul", states, self.add_matrix(name, transpose=True))
        value = self.weights[name]
        scales = np.abs(value).max(axis=1) / _MAX_QUANTISED
        rounded = np.round(value / scales[:, None]).astype(np.int8)
        rows, row_scales = self._quantise(states)
        matrix, column_scales = self.add_constant(rounded.T, name), self.add_constant(scales.astype(np.float32), f"{name}.scale")
        product = self.add_operation(
            "MatMulIntegerToFloat", rows, matrix, self._unit_scale(), column_scales, self._zero_point(), domain=_MICROSOFT_DOMAIN
        )
        return self.add_operation("Mul", product, row_scales)

    def _quantise(self, states: str) -> tuple[str, str]:
        """Return the rows as unsigned bytes around 128, and the scale of each row."""
        if states not in self._rows:
            largest_value = self.add_operation(
                "ReduceMax", self.add_operation("Abs", states), self.add_constant(np.array([-1])), keepdims=1
            )
            positive = self.add_operation("Max", largest_value, self.add_constant(np.float32(1e-6)))
            scales = self.add_operation("Mul", positive, self.add_constant(np.float32(1 / 127)))
            self._rows[states] = (
                self.add_operation("QuantizeLinear", self.add_operation("Div", states, scales), self._unit_scale(), self._zero_point()),
                scales,
            )
        return self._rows[states]

    def _unit_scale(self) -> str:
        return self.add_constant(np.float32(1), "one")

    def _zero_point(self) -> str:
        return self.add_constant(np.uint8(128), "zero")

    def add_layer_norm(self, states: str, name: str) -> str:
        return self.add_operation(
            "LayerNormalization", states, self.add_weight(f"{name}.weight"), self.add_weight(f"{name}.bias"), epsilon=_EPSILON
        )

    def split_heads(self, states: str, order: list[int]) -> str:
        shape = self.add_constant(np.array([0, 0, _HEAD_COUNT, ENCODER_WIDTH // _HEAD_COUNT]))
        return self.add_operation("Transpose", self.add_operation("Reshape", states, shape), perm=order)

    def build_model(self, name: str, inputs: ConstantValues, outputs: ConstantValues):
        """Return the ONNX model with these inputs and outputs."""
        from onnx import helper, numpy_helper

        input_infos = [helper.make_tensor_value_info(n, element_type, shape) for n, (element_type, shape) in inputs.items()]
        output_infos = [helper.make_tensor_value_info(n, element_type, shape) for n, (element_type, shape) in outputs.items()]
        constants = [numpy_helper.from_array(np.asarray(value), n) for n, value in self.constants.items()]
        graph = helper.make_graph(self.nodes, name, input_infos, output_infos, constants)
        opsets = [helper.make_opsetid("", 20), *([helper.make_opsetid(_MICROSOFT_DOMAIN, 1)] if self.integers else ())]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def add_encoder(g: OnnxGraphBuilder, layers: int) -> tuple[str, str]:
    """Add the encoder of ``ids`` and ``mask`` (texts, pieces). Return the names of its last states and of the float mask."""
    from onnx import TensorProto

    one = g.add_constant(np.array([1]))
    length = g.add_operation("Gather", g.add_operation("Shape", "ids"), one)
    places = g.add_operation("Slice", g.add_weight("embeddings.position_embeddings.weight"), g.add_constant(np.array([0])), length)
    words = g.gather_rows("embeddings.word_embeddings.weight", "ids")
    token_type = g.add_constant(g.weights["embeddings.token_type_embeddings.weight"][0])
    states = g.add_layer_norm(g.add_operation("Add", g.add_operation("Add", words, places), token_type), "embeddings.LayerNorm")
    floats = g.add_operation("Cast", "mask", to=TensorProto.FLOAT)
    mask_bias = g.add_operation("Mul", g.add_operation("Sub", g.add_constant(np.float32(1)), floats), g.add_constant(np.float32(-1e4)))
    mask_bias = g.add_operation("Unsqueeze", mask_bias, g.add_constant(np.array([1, 2])))
    for layer in range(layers):
        prefix = f"encoder.layer.{layer}"
        q = g.split_heads(g.add_linear(states, f"{prefix}.attention.self.query"), [0, 2, 1, 3])
        k = g.split_heads(g.add_linear(states, f"{prefix}.attention.self.key"), [0, 2, 3, 1])
        v = g.split_heads(g.add_linear(states, f"{prefix}.attention.self.value"), [0, 2, 1, 3])
        scale = g.add_constant(np.float32((ENCODER_WIDTH // _HEAD_COUNT) ** -0.5))
        attention = g.add_operation(
            "Softmax", g.add_operation("Add", g.add_operation("Mul", g.add_operation("MatMul", q, k), scale), mask_bias), axis=-1
        )
        mixed_values = g.add_operation("Transpose", g.add_operation("MatMul", attention, v), perm=[0, 2, 1, 3])
        mixed_values = g.add_operation("Reshape", mixed_values, g.add_constant(np.array([0, 0, ENCODER_WIDTH])))
        mixed_values = g.add_linear(mixed_values, f"{prefix}.attention.output.dense")
        states = g.add_layer_norm(g.add_operation("Add", states, mixed_values), f"{prefix}.attention.output.LayerNorm")
        inner = g.add_operation("Gelu", g.add_linear(states, f"{prefix}.intermediate.dense"))
        states = g.add_layer_norm(
            g.add_operation("Add", states, g.add_linear(inner, f"{prefix}.output.dense")), f"{prefix}.output.LayerNorm"
        )
    return states, floats
