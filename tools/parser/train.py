"""Train a bundled English pipeline by its recipe (recipes.py), from treebanks beside the project.

    python -m tools.parser.train --treebank DIR --captions FILE --out DIR [training.max_steps=N …]
    python -m tools.parser.train --recipe caption --treebank DIR --captions FILE --factual FILE --ewt FILE
        --never GOLD.jsonl factual_dev.jsonl.gz --out DIR

DIR holds ``*.corenlp36.conllu.gz`` (UD v1 trees, turned into v2 on reading) and ``captions.corenlp45{nn,sr}.conllu.gz``.
Captions of every tenth COCO image of FILE (``coco_val2017.jsonl.gz``) are held out, and with them every caption of the same
text; for ``caption`` also every tenth of FACTUAL's and those of the files under ``--never``. Seeded. The pipeline to ship is
named after the recipe in the output folder; the figures printed at the end are those of the model card.
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

from spice_core.lang.en import embedding, tag_reranker, tokenizer  # noqa: F401  (registered for the configuration)
from spice_core.lang.en.lemmas import learn
from spice_core.lang.en.parser import parser
from spice_core.lang.spacy_models import fast_cpu
from spice_core.syntax.document import Document
from tools.parser.recipes import RECIPES, Corpus, Sources

HERE = Path(__file__).parent
FIRST_ROUND = 3000  # training steps of the first of two rounds of ``caption``
DESCRIPTIONS = {
    "spice-2016": "Captions parsed as the reference program of SPICE (2016) parses them",
    "caption": "Captions parsed right, for scene graphs that are right",
}


def to_spacy(document: Document, vocab: spacy.vocab.Vocab) -> Doc:
    """The basic trees of all sentences as one spaCy Doc."""
    heads: list[int] = []
    relations: list[str] = []
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


def train_pipeline(corpus: Corpus, name: str, out: Path, config: Path, overrides: dict[str, object]) -> Path:
    """Train on the corpus, write the pipeline to ``out/name`` and print its scores on the held-out documents."""
    vocab = spacy.blank("en").vocab
    out.mkdir(parents=True, exist_ok=True)
    parts = {"train": corpus.train, "dev": corpus.held_out}
    bins = {part: DocBin(docs=[to_spacy(d, vocab) for d in documents]) for part, documents in parts.items()}
    for part, docs in bins.items():
        docs.to_disk(out / f"{part}.spacy")
    settings = {**{f"paths.{part}": str(out / f"{part}.spacy") for part in parts}, **overrides}
    with fast_cpu():
        nlp = init_nlp(load_config(config, overrides=settings))
        nlp.meta.update({"name": name, "version": "1.0.0", "description": DESCRIPTIONS[name], "license": "CC BY-SA 4.0"})
        train(nlp, out, stdout=sys.stdout, stderr=sys.stderr)
        best = spacy.load(out / "model-best", config={"paths": {"train": None, "dev": None}})
        reranker = best.add_pipe(tag_reranker.NAME)
        assert isinstance(reranker, tag_reranker.TagAgreement)
        reranker.learn(bins["train"].get_docs(best.vocab))
        best.to_disk(out / name)
        learn(corpus.lemmas).write(out / name / "lemmas.json")
        examples = [Example(best.make_doc(doc.text), doc) for doc in bins["dev"].get_docs(best.vocab)]
        print(json.dumps({k: round(v, 4) for k, v in best.evaluate(examples).items() if k in ("tag_acc", "dep_uas", "dep_las")}))
    return out / name


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's docstring."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--recipe", choices=RECIPES, default="spice-2016")
    for name in ("treebank", "captions", "out"):
        options.add_argument(f"--{name}", type=Path, required=True)
    for name in ("factual", "ewt", "config"):
        options.add_argument(f"--{name}", type=Path)
    options.add_argument("--never", type=Path, nargs="*", default=[])
    options.add_argument("overrides", nargs="*", help="settings of the configuration, as section.name=value")
    opt = options.parse_args(argv)

    sources = Sources(opt.treebank, opt.captions, opt.factual, opt.ewt, tuple(opt.never))
    config, recipe = opt.config or HERE / f"{opt.recipe}.cfg", RECIPES[opt.recipe]
    overrides = {name: json.loads(value) for name, _, value in (setting.partition("=") for setting in opt.overrides)}
    first = None
    if opt.recipe == "caption":
        steps = overrides | {"training.max_steps": FIRST_ROUND}
        first = parser(train_pipeline(recipe(sources, None), opt.recipe, opt.out / "first-round", config, steps))
    train_pipeline(recipe(sources, first), opt.recipe, opt.out, config, overrides)


if __name__ == "__main__":
    main()
