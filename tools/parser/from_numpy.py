"""Put the shipped weights of ``spice-2016`` back into its spaCy pipeline, to train it further: the inverse of ``to_numpy.py``.

In the shipped files, the linear layer before the parser's features is multiplied into the next layer. Here, the linear layer copies its
inputs and adds a constant, so that the pipeline computes the same scores.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from thinc.api import Model

_MOVE_LETTERS = "SDLRB"  # moves of spaCy's arc-eager parser, by number


def write_labels(folder: Path, out_folder: Path) -> dict[str, Any]:
    """Write the labels of the shipped tagger and parser, and return the section ``initialize`` that reads them. Actions get descending frequencies, so that spaCy preserves their order."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    actions: dict[str, dict[str, int]] = defaultdict(dict)
    for rank, action in enumerate(reversed(labels["actions"]), 1):
        actions[str(_MOVE_LETTERS.index(action[0]))][action[2:]] = rank
    files = {name: out_folder / f"labels-{name}.json" for name in ("tagger", "parser")}
    for path, content in zip(files.values(), (labels["tags"], actions)):
        path.write_text(json.dumps(content), encoding="utf-8")
    return {"components": {name: {"labels": {"@readers": "spacy.read_labels.v1", "path": str(path)}} for name, path in files.items()}}


def restore_weights(nlp: Language, folder: Path) -> None:
    """Set the weights of an initialized pipeline with the labels of the shipped one. Raises ValueError if the labels differ."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    moves = nlp.get_pipe("parser").moves  # type: ignore[attr-defined]
    names = [moves.class_name(i) for i in range(moves.n_moves)]
    if names != labels["actions"] or list(nlp.get_pipe("tagger").labels) != labels["tags"]:  # type: ignore[attr-defined]
        raise ValueError("tags and actions must be those of the shipped files, in their order")
    with np.load(folder / "network.npz") as weights:
        _restore_words(list(nlp.get_pipe("tok2vec").model.walk()), weights)  # type: ignore[attr-defined]
        (tagger,) = (node for node in nlp.get_pipe("tagger").model.walk() if node.name == "softmax")  # type: ignore[attr-defined]
        _set_weights(tagger, W=weights["tagger.weights"].T, b=weights["tagger.bias"])
        _restore_transitions(nlp.get_pipe("parser").model, weights)  # type: ignore[attr-defined]


def _restore_words(nodes: list[Model], weights: Any) -> None:
    for i, node in enumerate(node for node in nodes if node.name == "hashembed"):
        _set_weights(node, E=weights[f"embed.{i}"])
    layers = sorted((node.layers for node in nodes if node.name == "maxout>>layernorm"), key=lambda pair: -_weight_shape(pair[0])[2])
    for i, (maxout, layer_norm) in enumerate(layers):
        outputs, pieces, inputs = _weight_shape(maxout)
        matrix = weights[f"maxout.{i}.weights"].reshape(inputs, pieces, outputs).transpose(2, 1, 0)
        _set_weights(maxout, W=matrix, b=weights[f"maxout.{i}.bias"].reshape(pieces, outputs).T)
        _set_weights(layer_norm, G=weights[f"maxout.{i}.gain"], b=weights[f"maxout.{i}.shift"])


def _restore_transitions(model: Model, weights: Any) -> None:
    linear, lower_layer, upper = model.get_ref("tok2vec").layers[-1], model.get_ref("lower"), model.get_ref("upper")
    hidden_width, width = _weight_shape(linear)
    if hidden_width <= width:
        raise ValueError("the linear layer must have room for the words' vectors and a constant")
    _set_weights(linear, W=np.eye(hidden_width, width), b=np.arange(hidden_width) == width)
    places, outputs, pieces, inputs = _weight_shape(lower_layer)
    flat = np.zeros((places * pieces * outputs, inputs))
    flat[:, :width], flat[:, width] = weights["lower.weights"].T, weights["lower.bias"]
    _set_weights(
        lower_layer,
        W=flat.reshape(places, pieces, outputs, inputs).transpose(0, 2, 1, 3),
        b=weights["hidden.bias"].reshape(pieces, outputs).T,
        pad=weights["lower.padding"].reshape(places, pieces, outputs).transpose(0, 2, 1)[None],
    )
    _set_weights(upper, W=weights["upper.weights"].T, b=weights["upper.bias"])


def _weight_shape(layer: Model) -> tuple[int, ...]:
    return np.asarray(layer.get_param("W")).shape


def _set_weights(layer: Model, **values: Any) -> None:
    for name, value in values.items():
        array: Any = np.ascontiguousarray(value, np.float32)
        layer.set_param(name, array)
