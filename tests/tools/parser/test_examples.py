"""Sentences as arrays for training."""

import random

import pytest

from spice_core.lang.en.encoder_parser import caption
from spice_core.syntax.conllu import read
from tools.parser.examples import Labels, batches, examples, padded

ROWS = ["1 A DT 2 det|2 Snowboarder NN 0 root", "1 dogs NNS 2 nsubj|2 nap VBP 0 root|3 2 CD 2 obl:npmod"]


def documents():
    lines = []
    for row in ROWS:
        cells = [cell.split() for cell in row.split("|")]
        lines += ["# caption = " + " ".join(c[1] for c in cells)]
        lines += ["\t".join((i, w, w.lower(), "_", t, "_", h, r, "_", "_")) for i, w, t, h, r in cells] + [""]
    return list(read(lines))


@pytest.fixture(scope="module")
def tokenizer():
    return caption()._tokenizer


def test_a_word_stands_where_its_first_piece_does(tokenizer):
    labels = Labels.of(documents(), least=1)
    first, second = examples(documents(), labels, tokenizer)
    assert first.first == [1, 2] and len(first.ids) > 4  # "snowboarder" is more than one piece
    assert (first.heads, second.heads) == ([2, 0], [2, 0, 2]) and (first.shapes, second.shapes) == ([1, 2], [0, 0, 4])
    assert [labels.relations[r] for r in second.relations] == ["nsubj", "root", "obl:npmod"]


def test_sentences_with_rare_labels_are_left_out(tokenizer):
    labels = Labels.of([*documents(), *documents()[:1]], least=2)
    assert labels.relations == ("det", "root") and examples(documents(), labels, tokenizer) == examples(documents()[:1], labels, tokenizer)


def test_batches_hold_every_sentence_once(tokenizer):
    rows = examples(documents() * 5, Labels.of(documents(), least=1), tokenizer)
    found = list(batches(rows, 20, random.Random(1)))
    assert sum(len(batch.ids) for batch in found) == 10 and all(batch.ids.size <= 20 for batch in found)
    batch = padded(rows[:2])
    assert batch.heads.tolist() == [[2, 0, -1], [2, 0, 2]] and batch.mask.sum() == len(rows[0].ids) + len(rows[1].ids)
