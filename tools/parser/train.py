"""Train the pipeline ``spice-2016`` by its recipe (recipes.py), from treebanks next to the project.

    python -m tools.parser.train --treebank DIR --captions FILE --out DIR [training.max_steps=N …]

DIR contains ``*.corenlp36.conllu.gz`` (UD v1 trees, converted to v2 when they are read). Captions of every tenth COCO image of FILE
(``coco_val2017.jsonl.gz``) are held out, and so are other captions with the same text. The random numbers are seeded. The tool
writes the pipeline to ``spice-2016`` in the output folder and the files to ship to ``shipped`` beside it. At the end, it prints the
figures of the model card.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path

import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config

from spice_core.lang.en.lemmas import learn_lemmas
from spice_core.lang.spacy_models import use_fast_cpu
from spice_core.syntax.document import Document
from tools.parser import spacy_parts, to_numpy
from tools.parser.recipes import Corpus, Sources, make_spice_2016_corpus

CONFIG_FILE = Path(__file__).with_name("spice-2016.cfg")
PARSER_NAME = "spice-2016"
PARSER_DESCRIPTION = "Captions parsed as the reference program of SPICE (2016) parses them"


def to_spacy(document: Document, vocab: spacy.vocab.Vocab) -> Doc:
    """Return the basic trees of all sentences as one spaCy Doc."""
    head_offsets: list[int] = []
    relations: list[str] = []
    for sentence in document.sentences:
        head_offset = len(head_offsets) - 1
        for edge in sorted(sentence.basic, key=lambda e: e.dependent):
            head_offsets.append(head_offset + (edge.head or edge.dependent))
            relations.append(edge.relation if edge.head else "ROOT")
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    return Doc(
        vocab,
        words=[document.text[t.start : t.end] or t.text for t in tokens],
        spaces=[next_token.start > token.end for token, next_token in pairwise(tokens)] + [False],
        tags=[t.tag for t in tokens],
        lemmas=[t.lemma for t in tokens],
        heads=head_offsets,
        deps=relations,
    )


def train_pipeline(corpus: Corpus, out_folder: Path, config: Path, overrides: dict[str, object]) -> None:
    """Train on the corpus, write the pipeline to ``spice-2016`` in ``out_folder``, and print its scores on the held-out documents."""
    vocab = spacy.blank("en").vocab
    out_folder.mkdir(parents=True, exist_ok=True)
    parts = {"train": corpus.train, "dev": corpus.held_out}
    bins = {part: DocBin(docs=[to_spacy(d, vocab) for d in documents]) for part, documents in parts.items()}
    for part, docs in bins.items():
        docs.to_disk(out_folder / f"{part}.spacy")
    settings = {**{f"paths.{part}": str(out_folder / f"{part}.spacy") for part in parts}, **overrides}
    with use_fast_cpu():
        nlp = init_nlp(load_config(config, overrides=settings))
        nlp.meta.update({"name": PARSER_NAME, "version": "1.2.0", "description": PARSER_DESCRIPTION, "license": "CC BY-SA 4.0"})
        train(nlp, out_folder, stdout=sys.stdout, stderr=sys.stderr)
        best_pipeline = spacy.load(out_folder / "model-best", config={"paths": {"train": None, "dev": None}})
        reranker = best_pipeline.add_pipe(spacy_parts.COMPONENT_NAME)
        assert isinstance(reranker, spacy_parts.TagReranker)
        reranker.learn(bins["train"].get_docs(best_pipeline.vocab))
        best_pipeline.to_disk(out_folder / PARSER_NAME)
        learn_lemmas(corpus.lemma_documents).write(out_folder / PARSER_NAME / "lemmas.json")
        to_numpy.write_parser(
            to_numpy.load_pipeline(out_folder / PARSER_NAME), out_folder / PARSER_NAME / "lemmas.json", out_folder / "shipped"
        )
        examples = [Example(best_pipeline.make_doc(doc.text), doc) for doc in bins["dev"].get_docs(best_pipeline.vocab)]
        print(json.dumps({k: round(v, 4) for k, v in best_pipeline.evaluate(examples).items() if k in ("tag_acc", "dep_uas", "dep_las")}))


def main(argv: list[str] | None = None) -> None:
    """Run the command line, which the module's docstring describes."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("treebank", "captions", "out"):
        argument_parser.add_argument(f"--{name}", type=Path, required=True)
    argument_parser.add_argument("--config", type=Path, default=CONFIG_FILE)
    argument_parser.add_argument("overrides", nargs="*", help="settings of the configuration, as section.name=value")
    options = argument_parser.parse_args(argv)

    overrides = {name: json.loads(value) for name, _, value in (setting.partition("=") for setting in options.overrides)}
    corpus = make_spice_2016_corpus(Sources(options.treebank, options.captions))
    train_pipeline(corpus, options.out, options.config, overrides)


if __name__ == "__main__":
    main()
