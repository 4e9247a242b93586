"""Test training and held-out data that the recipes produce from treebank files."""

import gzip
import json
from dataclasses import replace

import pytest

from spice_core.syntax.conllu import read, write
from tests.tools.parser.conftest import document
from tools.parser.recipes import Sources, make_caption_corpus, make_spice_2016_corpus

SNOW_TREE = "a/a/DT/2/det {0}/{0}/NN/0/root in/in/IN/4/case snow/snow/NN/2/nmod"
TREE_BY_CAPTION = {f"a {animal} in snow": SNOW_TREE.format(animal) for animal in ("dog", "cat", "cow")}
PLAIN_TREE_BY_CAPTION = {"a cat naps": "a/a/DT/2/det cat/cat/NN/3/nsubj naps/nap/VBZ/0/root"}
OTHER_TREE_BY_CAPTION = {**TREE_BY_CAPTION, "a cow in snow": "a/a/DT/4/det cow/cow/NN/4/compound in/in/IN/4/case snow/snow/NN/0/root"}


def conllu(trees: dict[str, str]) -> str:
    return "".join(write(document(tree)) for tree in trees.values())


@pytest.fixture
def sources(tmp_path) -> Sources:
    def write_packed(name: str, text: str):
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as file:
            file.write(text)
        return tmp_path / name

    write_packed("captions.corenlp45nn.conllu.gz", conllu(TREE_BY_CAPTION))
    write_packed("captions.corenlp45sr.conllu.gz", conllu(OTHER_TREE_BY_CAPTION))
    write_packed("coco.corenlp36.conllu.gz", conllu(TREE_BY_CAPTION))
    images = [{"image_id": 10, "captions": ["a cat in snow"]}, {"image_id": 11, "captions": ["a dog in snow"]}]
    captions = write_packed("coco.jsonl.gz", "\n".join(map(json.dumps, images)))
    graphs = [{"caption": "a bird", "scene_graph": "( bird )"}, {"caption": "a cow in snow", "scene_graph": "( cow , in , snow )"}]
    factual = write_packed("factual.jsonl.gz", "\n".join(map(json.dumps, graphs)))
    for kind in ("nn", "sr"):
        write_packed(f"plain.corenlp45{kind}.conllu.gz", conllu(PLAIN_TREE_BY_CAPTION))
    ewt = write_packed("ewt.conllu.gz", conllu({"": "it/it/PRP/2/nsubj rains/rain/VBZ/0/root today/today/NN/2/obl:unmarked"}))
    return Sources(tmp_path, captions, factual, ewt, tmp_path)


def texts(documents) -> list[str]:
    return [d.text.lower().rstrip(".") for d in documents]


def test_the_first_round_holds_out_every_tenth_image_and_uses_agreed_trees_and_ewt(sources):
    corpus = make_spice_2016_corpus(sources)
    assert (texts(corpus.train), texts(corpus.held_out)) == (["a dog in snow", "a cow in snow"], ["a cat in snow"])
    corpus = make_caption_corpus(sources)
    assert texts(corpus.train) == ["a dog in snow", "it rains today"]
    assert texts(corpus.held_out) == ["a cat in snow"] and texts(corpus.lemma_documents) == ["a dog in snow"]
    labels = {e.relation for d in corpus.train for s in d.sentences for e in s.basic}
    assert "obl:npmod" in labels and "obl:unmarked" not in labels  # EWT's labels are converted to those of the other trees


class FirstRoundParser:
    """A parser like that of the first round. It gives every caption the tree of one of the two CoreNLP parsers."""

    signature = "first"

    def parse(self, captions):
        return read(conllu({text: (TREE_BY_CAPTION | PLAIN_TREE_BY_CAPTION)[text] for text in captions}).splitlines())


def test_the_second_round_adds_what_a_gold_graph_explains_and_plain_sentences(sources):
    corpus = make_caption_corpus(sources, FirstRoundParser())
    assert texts(corpus.lemma_documents) == ["a dog in snow", "a cow in snow", "a cat naps"]
    assert {*texts(corpus.lemma_documents), "it rains today"} <= set(texts(corpus.train)) and texts(corpus.held_out) == ["a cat in snow"]


@pytest.mark.parametrize("first_parser", [None, FirstRoundParser()])
def test_captions_of_excluded_files_are_not_used(sources, tmp_path, first_parser):
    (tmp_path / "gold.jsonl").write_text("\n".join(json.dumps({"caption": text}) for text in ("a dog in snow", "a cat naps")))
    corpus = make_caption_corpus(replace(sources, excluded_files=(tmp_path / "gold.jsonl",)), first_parser)
    assert not {"a dog in snow", "a cat naps"} & set(texts(corpus.train))
