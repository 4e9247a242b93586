"""Test sentences as arrays for training."""

import random

import pytest

from spice_core.lang.en.parsers.encoder_parser import caption_parser
from tests.tools.parser.conftest import document
from tools.parser.examples import Labels, load_tokenizer, make_batches, make_examples, pad_examples

TREES = ["A/a/DT/2/det Snowboarder/snowboarder/NN/0/root", "dogs/dog/NNS/2/nsubj nap/nap/VBP/0/root 2/2/CD/2/obl:npmod"]
DOCUMENTS = [document(tree) for tree in TREES]


@pytest.fixture(scope="module")
def tokenizer():
    return load_tokenizer(caption_parser()._folder / "tokenizer.json")


def test_a_word_is_represented_by_its_first_piece(tokenizer):
    labels = Labels.of(DOCUMENTS, min_count=1)
    first_example, second_example = make_examples(DOCUMENTS, labels, tokenizer)
    assert first_example.first_pieces == [1, 2] and len(first_example.ids) > 4  # "snowboarder" has several word pieces
    assert (first_example.heads, second_example.heads) == ([2, 0], [2, 0, 2]) and (first_example.shapes, second_example.shapes) == (
        [1, 2],
        [0, 0, 4],
    )
    assert [labels.relations[r] for r in second_example.relations] == ["nsubj", "root", "obl:npmod"]


def test_sentences_with_rare_labels_are_left_out(tokenizer):
    labels = Labels.of([*DOCUMENTS, *DOCUMENTS[:1]], min_count=2)
    assert labels.relations == ("det", "root")
    assert make_examples(DOCUMENTS, labels, tokenizer) == make_examples(DOCUMENTS[:1], labels, tokenizer)


def test_batches_hold_every_sentence_once(tokenizer):
    rows = make_examples(DOCUMENTS * 5, Labels.of(DOCUMENTS, min_count=1), tokenizer)
    batches = list(make_batches(rows, 20, random.Random(1)))
    assert sum(len(batch.ids) for batch in batches) == 10 and all(batch.ids.size <= 20 for batch in batches)
    batch = pad_examples(rows[:2])
    assert batch.heads.tolist() == [[2, 0, -1], [2, 0, 2]] and batch.mask.sum() == len(rows[0].ids) + len(rows[1].ids)
