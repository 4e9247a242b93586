"""Export a trained network as the folder that the encoder parser reads: ``parser.onnx``, ``relations.onnx``, ``labels.json``, ``tokenizer.json``.

The first graph takes ``ids``, ``mask`` (sentences, pieces), ``first`` and ``shapes`` (sentences, words) and gives ``tags`` (sentences,
words), ``arcs`` (sentences, words, 1 + words), and the states ``dependents`` (sentences, words, width) and ``governors`` (sentences, 1 +
words, width). The second takes the states of arcs (arcs, width) and gives the best ``relations`` (arcs).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tools.onnx_graph import ENCODER_WIDTH, ConstantValues, OnnxGraphBuilder, add_encoder
from tools.parser.examples import Labels


def export_parser(weights: dict[str, np.ndarray], labels: Labels, layers: int, tokenizer: Path, version: str, out_folder: Path) -> None:
    """Write the files into ``out_folder``."""
    import onnx

    out_folder.mkdir(parents=True, exist_ok=True)
    onnx.save(build_parser_model(weights, layers), out_folder / "parser.onnx")
    onnx.save(build_relations_model(weights), out_folder / "relations.onnx")
    label_data = {"version": version, "tags": labels.tags, "relations": labels.relations}
    (out_folder / "labels.json").write_text(json.dumps(label_data) + "\n", encoding="utf-8")
    (out_folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())


def build_parser_model(weights: dict[str, np.ndarray], layers: int):
    """Return the ONNX model of the network up to the states of dependents and governors."""
    from onnx import TensorProto, helper

    g = OnnxGraphBuilder({name.removeprefix("encoder."): value for name, value in weights.items()}, integers=True)
    pieces, _ = add_encoder(g, layers)
    words, all_states = _add_word_states(g, pieces)
    tags = g.add_linear(g.add_operation("Gelu", g.add_linear(words, "tag_hidden")), "tag")
    g.nodes.append(helper.make_node("ArgMax", [tags], ["tags"], axis=2, keepdims=0))
    _add_arc_scores(g, words, all_states)
    g.nodes.append(helper.make_node("Identity", [g.add_linear(words, "relation_dependent")], ["dependents"]))
    g.nodes.append(helper.make_node("Identity", [g.multiply_transposed(all_states, "relation_head.weight")], ["governors"]))
    parts = zip(("ids", "mask", "first", "shapes"), ("pieces", "pieces", "words", "words"))
    width = len(g.weights["relation_dependent.weight"])
    outputs: ConstantValues = {
        "tags": (TensorProto.INT64, ["sentences", "words"]),
        "arcs": (TensorProto.FLOAT, ["sentences", "words", "heads"]),
        "dependents": (TensorProto.FLOAT, ["sentences", "words", width]),
        "governors": (TensorProto.FLOAT, ["sentences", "heads", width]),
    }
    return g.build_model("caption", {name: (TensorProto.INT64, ["sentences", axis_name]) for name, axis_name in parts}, outputs)


def build_relations_model(weights: dict[str, np.ndarray]):
    """Return the ONNX model of the best relation of each arc."""
    from onnx import TensorProto, helper

    g = OnnxGraphBuilder(weights, integers=True)
    states = g.add_operation("Gelu", g.add_operation("Add", "dependents", "governors"))
    g.nodes.append(helper.make_node("ArgMax", [g.add_linear(states, "relation")], ["relations"], axis=1, keepdims=0))
    arc = (TensorProto.FLOAT, ["arcs", len(weights["relation_dependent.weight"])])
    return g.build_model("caption relations", {"dependents": arc, "governors": arc}, {"relations": (TensorProto.INT64, ["arcs"])})


def _add_word_states(g: OnnxGraphBuilder, pieces: str) -> tuple[str, str]:
    """Return the states of the words, and the states of root and words."""
    last_axis = g.add_constant(np.array([2]))
    places = g.add_operation(
        "Expand", g.add_operation("Unsqueeze", _prepend_root(g, "first"), last_axis), g.add_constant(np.array([1, 1, ENCODER_WIDTH]))
    )
    state = g.add_operation("GatherElements", pieces, places, axis=1)
    shape = g.add_operation("Gather", g.add_weight("shape.weight"), _prepend_root(g, "shapes"))
    all_states = g.add_operation("Concat", state, shape, axis=2)
    one, end, axis = g.add_constant(np.array([1])), g.add_constant(np.array([np.iinfo(np.int64).max])), g.add_constant(np.array([1]))
    return g.add_operation("Slice", all_states, one, end, axis), all_states


def _prepend_root(g: OnnxGraphBuilder, name: str) -> str:
    """Return an input of words with a zero for the root before them."""
    return g.add_operation("Pad", name, g.add_constant(np.array([0, 1, 0, 0])))


def _add_arc_scores(g: OnnxGraphBuilder, words: str, all_states: str) -> None:
    """Add the scores of all pairs of dependent and head as the output ``arcs``."""
    from onnx import helper

    dependent, head = (g.add_operation("Gelu", g.add_linear(x, name)) for x, name in ((words, "arc_dependent"), (all_states, "arc_head")))
    weight = g.weights["arc.weight"]  # (arc, arc + 1): the last column belongs to a constant 1
    arc_scores = g.add_operation("MatMul", dependent, g.add_constant(np.ascontiguousarray(weight[:, :-1].T), "arc.product"))
    arc_scores = g.add_operation("Add", arc_scores, g.add_constant(np.ascontiguousarray(weight[:, -1]), "arc.head"))
    g.nodes.append(helper.make_node("MatMul", [arc_scores, g.add_operation("Transpose", head, perm=[0, 2, 1])], ["arcs"]))
