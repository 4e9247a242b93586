"""Export a trained network as the folder that the encoder parser reads: ``parser.onnx``, ``relations.onnx``, ``labels.json``, ``tokenizer.json``.

The first graph takes ``ids``, ``mask`` (sentences, pieces), ``first`` and ``shapes`` (sentences, words) and gives ``tags`` (sentences, words),
``arcs`` (sentences, words, 1 + words), and the states ``dependents`` (sentences, words, width) and ``governors`` (sentences, 1 + words, width).
The second takes the states of arcs (arcs, width) and gives the best ``relations`` (arcs).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from tools.onnx_graph import WIDTH, Graph, Values, encoder_states
from tools.parser.examples import Labels


def export(weights: dict[str, np.ndarray], labels: Labels, layers: int, tokenizer: Path, version: str, out: Path) -> None:
    """Write the files into the folder ``out``."""
    import onnx

    out.mkdir(parents=True, exist_ok=True)
    onnx.save(parser_graph(weights, layers), out / "parser.onnx")
    onnx.save(relations_graph(weights), out / "relations.onnx")
    about = {"version": version, "tags": labels.tags, "relations": labels.relations}
    (out / "labels.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    (out / "tokenizer.json").write_bytes(tokenizer.read_bytes())


def parser_graph(weights: dict[str, np.ndarray], layers: int):
    """Return the ONNX model of the network, up to the states of dependents and governors."""
    from onnx import TensorProto, helper

    g = Graph({name.removeprefix("encoder."): value for name, value in weights.items()}, integers=True)
    pieces, _ = encoder_states(g, layers)
    words, everyone = _word_states(g, pieces)
    tags = g.linear(g.op("Gelu", g.linear(words, "tag_hidden")), "tag")
    g.nodes.append(helper.make_node("ArgMax", [tags], ["tags"], axis=2, keepdims=0))
    _arcs(g, words, everyone)
    g.nodes.append(helper.make_node("Identity", [g.linear(words, "relation_dependent")], ["dependents"]))
    g.nodes.append(helper.make_node("Identity", [g.product(everyone, "relation_head.weight")], ["governors"]))
    parts = zip(("ids", "mask", "first", "shapes"), ("pieces", "pieces", "words", "words"))
    width = len(g.weights["relation_dependent.weight"])
    outputs: Values = {
        "tags": (TensorProto.INT64, ["sentences", "words"]),
        "arcs": (TensorProto.FLOAT, ["sentences", "words", "heads"]),
        "dependents": (TensorProto.FLOAT, ["sentences", "words", width]),
        "governors": (TensorProto.FLOAT, ["sentences", "heads", width]),
    }
    return g.model("caption", {name: (TensorProto.INT64, ["sentences", what]) for name, what in parts}, outputs)


def relations_graph(weights: dict[str, np.ndarray]):
    """Return the ONNX model of the best relation of each arc."""
    from onnx import TensorProto, helper

    g = Graph(weights, integers=True)
    states = g.op("Gelu", g.op("Add", "dependents", "governors"))
    g.nodes.append(helper.make_node("ArgMax", [g.linear(states, "relation")], ["relations"], axis=1, keepdims=0))
    arc = (TensorProto.FLOAT, ["arcs", len(weights["relation_dependent.weight"])])
    return g.model("caption relations", {"dependents": arc, "governors": arc}, {"relations": (TensorProto.INT64, ["arcs"])})


def _word_states(g: Graph, pieces: str) -> tuple[str, str]:
    """Return the states of the words, and the states of root and words."""
    last = g.constant(np.array([2]))
    places = g.op("Expand", g.op("Unsqueeze", _behind_root(g, "first"), last), g.constant(np.array([1, 1, WIDTH])))
    state = g.op("GatherElements", pieces, places, axis=1)
    shape = g.op("Gather", g.weight("shape.weight"), _behind_root(g, "shapes"))
    everyone = g.op("Concat", state, shape, axis=2)
    one, end, axis = g.constant(np.array([1])), g.constant(np.array([np.iinfo(np.int64).max])), g.constant(np.array([1]))
    return g.op("Slice", everyone, one, end, axis), everyone


def _behind_root(g: Graph, name: str) -> str:
    """Return an input of the words behind a zero for the root."""
    return g.op("Pad", name, g.constant(np.array([0, 1, 0, 0])))


def _arcs(g: Graph, words: str, everyone: str) -> None:
    """Add the scores of all pairs of dependent and head."""
    from onnx import helper

    dependent, head = (g.op("Gelu", g.linear(x, name)) for x, name in ((words, "arc_dependent"), (everyone, "arc_head")))
    weight = g.weights["arc.weight"]  # (arc, arc + 1): the last column belongs to a constant 1
    scores = g.op("MatMul", dependent, g.constant(np.ascontiguousarray(weight[:, :-1].T), "arc.product"))
    scores = g.op("Add", scores, g.constant(np.ascontiguousarray(weight[:, -1]), "arc.head"))
    g.nodes.append(helper.make_node("MatMul", [scores, g.op("Transpose", head, perm=[0, 2, 1])], ["arcs"]))
