"""Turn the trained pipeline ``spice-2016`` into the files that ship: the network, the tables of its tokenizer, and its labels.

    python -m tools.parser.to_numpy PIPELINE OUT

PIPELINE is the folder that ``tools.parser.train`` wrote. ``spice_core.lang.en.parsers.transition_parser`` computes from OUT what spaCy
computes from PIPELINE, without spaCy (``tests/tools/parser/test_to_numpy.py``).
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.language import Language
from spacy.symbols import IDS, NORM, ORTH
from thinc.api import Model

from spice_core.lang.en.parsers.penn_tokenizer import PennTokenizer
from spice_core.lang.spacy_models import use_fast_cpu, without_plugins
from tools.parser import spacy_parts


def load_pipeline(folder: Path) -> Language:
    """Return the pipeline in a folder, with sentence boundaries at end marks."""
    with use_fast_cpu(), without_plugins():
        nlp = spacy.load(folder)
    nlp.add_pipe("sentencizer", before="parser", config={"punct_chars": [".", "!", "?"]})
    return nlp


def write_parser(nlp: Language, lemmas_file: Path, out_folder: Path) -> None:
    """Write the files of a loaded pipeline."""
    out_folder.mkdir(parents=True, exist_ok=True)
    np.savez(out_folder / "network.npz", allow_pickle=False, **network_weights(nlp))
    for name, content in (("tokenizer", tokenizer_tables(nlp)), ("labels", label_data(nlp))):
        (out_folder / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    shutil.copy(lemmas_file, out_folder / "lemmas.json")


def network_weights(nlp: Language) -> dict[str, np.ndarray]:
    """Return the weights by name, each transposed for ``inputs @ weights``. The pieces of a maxout layer are concatenated."""
    nodes = list(nlp.get_pipe("tok2vec").model.walk())  # type: ignore[attr-defined]
    tables = [_weight_array(node, "E") for node in nodes if node.name == "hashembed"]
    layers = sorted(
        (node.layers for node in nodes if node.name == "maxout>>layernorm"), key=lambda pair: -_weight_array(pair[0], "W").shape[2]
    )
    arrays = {"features": np.array(len(tables)), "layers": np.array(len(layers) - 1)}
    arrays |= {f"embed.{i}": table for i, table in enumerate(tables)}
    for i, (maxout, layer_norm) in enumerate(layers):  # the layer of the embedding, which is the widest, then the layers of the windows
        weights = _weight_array(maxout, "W")  # outputs, pieces, inputs
        arrays[f"maxout.{i}.weights"] = np.ascontiguousarray(weights.transpose(2, 1, 0).reshape(weights.shape[2], -1))
        arrays[f"maxout.{i}.bias"] = np.ascontiguousarray(_weight_array(maxout, "b").T.ravel())
        arrays[f"maxout.{i}.gain"], arrays[f"maxout.{i}.shift"] = _weight_array(layer_norm, "G"), _weight_array(layer_norm, "b")
    tagger = _find_node(nlp.get_pipe("tagger").model.walk(), "softmax")  # type: ignore[attr-defined]
    arrays["tagger.weights"], arrays["tagger.bias"] = np.ascontiguousarray(_weight_array(tagger, "W").T), _weight_array(tagger, "b")
    return arrays | _transition_weights(nlp.get_pipe("parser").model)  # type: ignore[attr-defined]


def _transition_weights(model: Model) -> dict[str, np.ndarray]:
    """Return the weights of the scores of transitions, multiplied by the linear layer before the features."""
    linear, lower_layer, upper = model.get_ref("tok2vec").layers[-1], model.get_ref("lower"), model.get_ref("upper")
    weights = _weight_array(lower_layer, "W").transpose(0, 2, 1, 3)  # places, pieces, outputs, inputs
    flat = weights.reshape(-1, weights.shape[3]).astype(np.float64)
    return {
        "lower.weights": np.ascontiguousarray((flat @ _weight_array(linear, "W").astype(np.float64)).T.astype(np.float32)),
        "lower.bias": (flat @ _weight_array(linear, "b").astype(np.float64)).astype(np.float32),
        "lower.padding": np.ascontiguousarray(_weight_array(lower_layer, "pad")[0].transpose(0, 2, 1).reshape(len(weights), -1)),
        "hidden.bias": np.ascontiguousarray(_weight_array(lower_layer, "b").T.ravel()),
        "upper.weights": np.ascontiguousarray(_weight_array(upper, "W").T),
        "upper.bias": _weight_array(upper, "b"),
    }


def _weight_array(layer: Model, name: str) -> np.ndarray:
    parameter: np.ndarray = np.asarray(layer.get_param(name))
    return parameter


def _find_node(nodes: Iterable[Model], name: str) -> Model:
    (match,) = (node for node in nodes if node.name == name)
    return match


def tokenizer_tables(nlp: Language) -> dict[str, Any]:
    """Return the tables of the tokenizer, as ``PennTokenizer`` reads them."""
    spacy_tokenizer: Any = nlp.tokenizer
    expressions = {name: getattr(spacy_tokenizer, method).__self__.pattern for name, method in spacy_parts.METHOD_BY_TABLE.items()}
    tables = {**expressions, "norms": BASE_NORMS, "exceptions": {}, "across": []}
    split = PennTokenizer(tables)  # split by affixes only
    exceptions = {text: [_exception_part(part, nlp) for part in parts] for text, parts in spacy_tokenizer.rules.items() if text.strip()}
    contextual_rules = [
        [word.text for word in split.words(text)]
        for text in exceptions
        if spacy_tokenizer.find_prefix(text) or spacy_tokenizer.find_infix(text) or spacy_tokenizer.find_suffix(text)
    ]
    return {**tables, "exceptions": exceptions, "across": contextual_rules}


def _exception_part(part: dict[int, str], nlp: Language) -> tuple[str, str]:
    """Return a word of an exception and its normal form, which is "" if the exception has none."""
    return part[ORTH], part.get(NORM, "")


def label_data(nlp: Language) -> dict[str, Any]:
    """Return the content of ``labels.json``. ``symbols`` are the texts whose id in spaCy is not their hash."""
    moves = nlp.get_pipe("parser").moves  # type: ignore[attr-defined]
    evidence = nlp.get_pipe(spacy_parts.COMPONENT_NAME).evidence  # type: ignore[attr-defined]
    return {
        "name": nlp.meta["name"],
        "version": nlp.meta["version"],
        "tags": list(nlp.get_pipe("tagger").labels),  # type: ignore[attr-defined]
        "actions": [moves.class_name(i) for i in range(moves.n_moves)],
        "evidence": {relation: values.tolist() for relation, values in evidence.items()},
        "symbols": IDS,
    }


def main(argv: list[str] | None = None) -> None:
    """Run the command line, which the module's docstring describes."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("pipeline", type=Path, metavar="PIPELINE")
    argument_parser.add_argument("out", type=Path, metavar="OUT")
    options = argument_parser.parse_args(argv)
    write_parser(load_pipeline(options.pipeline), options.pipeline / "lemmas.json", options.out)


if __name__ == "__main__":
    main()
