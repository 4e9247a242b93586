"""Train the bundled English pipeline on the reference program's own trees.

    python -m spice_core.lang.en.train --treebank DIR --captions FILE --out DIR [training.max_steps=N …]

DIR holds ``*.corenlp36.conllu.gz`` (UD v1 trees, turned into v2 on reading). Captions of every tenth COCO image of
FILE (``coco_val2017.jsonl.gz``) are held out, and with them every caption of the same text. Seeded. The pipeline to ship is
``spice-2016`` in the output folder; the figures printed at the end are those of the model card.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config

from spice_core.conllu import read
from spice_core.document import Document
from spice_core.lang.en import agreement, embedding, tokenizer  # noqa: F401  (registered for the configuration)
from spice_core.lang.en.lemmas import learn
from spice_core.lang.en.pipeline import fast_cpu

HERE = Path(__file__).parent
HELD_OUT = 10
META = {
    "name": "spice-2016",
    "version": "1.0.0",
    "description": "Captions parsed as the reference program of SPICE (2016) parses them",
    "license": "CC BY-SA 4.0",
}


def held_out(captions: Path) -> set[str]:
    """Captions of the images whose id is a multiple of ten."""
    with gzip.open(captions, "rt", encoding="utf-8") as lines:
        images = map(json.loads, lines)
        return {c for image in images if image["image_id"] % HELD_OUT == 0 for c in image["captions"]}


def documents(treebank: Path) -> Iterable[Document]:
    """All captions of the treebank's files, in name order."""
    for path in sorted(treebank.glob("*.corenlp36.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from read(lines, name=path.name)


def to_spacy(document: Document, vocab: spacy.vocab.Vocab) -> Doc:
    """The basic trees as a spaCy Doc, several sentences one after another."""
    heads, relations = [], []
    for sentence in document.sentences:
        offset = len(heads) - 1
        for edge in sorted(sentence.basic, key=lambda e: e.dependent):
            heads.append(offset + (edge.head or edge.dependent))
            relations.append(edge.relation if edge.head else "ROOT")
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    return Doc(
        vocab,
        words=[document.text[t.start : t.end] or t.text for t in tokens],
        spaces=[after.start > token.end for token, after in pairwise(tokens)] + [False],
        tags=[t.tag for t in tokens],
        lemmas=[t.lemma for t in tokens],
        heads=heads,
        deps=relations,
    )


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's docstring."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--treebank", type=Path, required=True)
    options.add_argument("--captions", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--config", type=Path, default=HERE / "spice-2016.cfg")
    options.add_argument("overrides", nargs="*", help="settings of the configuration, as section.name=value")
    opt = options.parse_args(argv)

    held = held_out(opt.captions)
    vocab = spacy.blank("en").vocab
    corpora = {"train": DocBin(), "dev": DocBin()}
    training = []
    for document in documents(opt.treebank):
        part = "dev" if document.text in held else "train"
        corpora[part].add(to_spacy(document, vocab))
        if part == "train":
            training.append(document)
    opt.out.mkdir(parents=True, exist_ok=True)
    for part, corpus in corpora.items():
        corpus.to_disk(opt.out / f"{part}.spacy")

    overrides = {f"paths.{part}": str(opt.out / f"{part}.spacy") for part in corpora}
    for setting in opt.overrides:
        name, _, value = setting.partition("=")
        overrides[name] = json.loads(value)
    with fast_cpu():
        nlp = init_nlp(load_config(opt.config, overrides=overrides))
        nlp.meta.update(META)
        nlp, _ = train(nlp, opt.out, stdout=sys.stdout, stderr=sys.stderr)
        best = spacy.load(opt.out / "model-best", config={"paths": {"train": None, "dev": None}})
        best.add_pipe(agreement.NAME).learn(corpora["train"].get_docs(best.vocab))
        best.to_disk(opt.out / META["name"])
        learn(training).write(opt.out / META["name"] / "lemmas.json")
        examples = [Example(best.make_doc(doc.text), doc) for doc in corpora["dev"].get_docs(best.vocab)]
        print(json.dumps({k: round(v, 4) for k, v in best.evaluate(examples).items() if k in ("tag_acc", "dep_uas", "dep_las")}))


if __name__ == "__main__":
    main()
