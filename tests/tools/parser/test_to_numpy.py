"""The parser computes from the exported files what spaCy computes from the pipeline, even after little training."""

import random

import pytest

from spice_core.lang.en.parsers.penn_tokenizer import PennTokenizer
from spice_core.lang.en.parsers.transition_parser import TransitionParser, spice_2016_parser
from tests.conftest import GOLD
from tools.parser import to_numpy
from tools.parser.recipes import Corpus
from tools.parser.train import CONFIG_FILE, PARSER_NAME, train_pipeline

CAPTIONS = [" ".join(line.split()) for line in (GOLD.parent / "captions" / "coco_500.txt").read_text(encoding="utf-8").splitlines()]
PIECES = """dog T.V t.v. (the red, and/or man's dont . .. ... -- a-b 10:30 $5 5km e.g. U.S. ``hi'' 're cat. O'Neil w/ / ft. 3. x.y … a—b é 日本 #1 @x
http://a.b/c?d a@b.c :) <3 100% can't CANNOT gonna : ; ! ? " ' ( ) case X ORG""".split()


@pytest.fixture(scope="module")
def trained_parser(tmp_path_factory):
    """A pipeline like the shipped one, trained for two steps, and the parser that reads the files exported from it."""
    output_folder, training_documents = tmp_path_factory.mktemp("trained"), list(spice_2016_parser().parse(CAPTIONS[:15]))
    short_training = {"training.max_steps": 2, "training.eval_frequency": 2, "components.parser.min_action_freq": 1}
    train_pipeline(
        Corpus(train=training_documents, held_out=training_documents[:5], lemma_documents=training_documents),
        output_folder,
        CONFIG_FILE,
        short_training,
    )
    return to_numpy.load_pipeline(output_folder / PARSER_NAME), TransitionParser(output_folder / "shipped")


def make_random_text(seed: int) -> str:
    """Return a random text of words that tokenizers treat specially, punctuation and letters."""
    rng = random.Random(seed)
    piece = lambda: rng.choice(PIECES) if rng.random() < 0.7 else "".join(rng.choices("ab.,'-()/\"$%&3!?:;", k=rng.randint(1, 7)))
    parts = [piece() for _ in range(rng.randint(1, 9))]
    return rng.choice([" ", ""]).join(parts)


def test_words_equal_those_of_spacy(trained_parser):
    nlp, _ = trained_parser
    tokenizer = PennTokenizer.read()
    for text in (*CAPTIONS, *map(make_random_text, range(2000)), *nlp.tokenizer.rules):
        text = " ".join(text.split())
        assert [tuple(word) for word in tokenizer.words(text)] == [(t.text, t.idx, t.norm_) for t in nlp.make_doc(text)], text


@pytest.mark.parametrize("count", [80, pytest.param(500, marks=pytest.mark.release)])
def test_trees_equal_those_of_spacy(trained_parser, count):
    nlp, parser = trained_parser
    texts = [*CAPTIONS[:count], *map(make_random_text, range(count))]
    for doc, document in zip(nlp.pipe(texts), parser.parse(texts), strict=True):
        assert [len(list(sentence)) for sentence in doc.sents] == [len(sentence.tokens) for sentence in document.sentences], doc.text
        tokens_found = [(token.text, token.tag) for sentence in document.sentences for token in sentence.tokens]
        assert tokens_found == [(token.text, token.tag_) for token in doc], doc.text
        for span, sentence in zip(doc.sents, document.sentences):
            head_indices = [(0 if t.head.i == t.i else t.head.i - span.start + 1, "root" if t.head.i == t.i else t.dep_) for t in span]
            assert head_indices == [(edge.head, edge.relation) for edge in sentence.basic], doc.text
