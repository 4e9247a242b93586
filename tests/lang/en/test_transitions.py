"""Trees by greedy transitions: where sentences begin, and texts of all lengths at once."""

from __future__ import annotations

import json

import pytest

from spice_core.lang.en.penn_tokenizer import PennTokenizer
from spice_core.lang.en.transition_parser import SPICE_2016
from spice_core.lang.en.transitions import TreeReader, sentence_starts


@pytest.mark.parametrize(
    ("words", "starts"),
    [
        ("A dog runs . The cat sleeps !", {0, 4}),
        ("Wait ... no . . yes", {0, 5}),
        ('he said stop . " Then', {0, 5}),
        ("? !", {0}),
    ],
)
def test_sentences_begin_behind_end_marks(words, starts):
    assert sentence_starts(words.split()) == starts


def test_texts_of_all_lengths_are_read_together():
    reader = TreeReader(SPICE_2016 / "network.npz", json.loads((SPICE_2016 / "labels.json").read_bytes()))
    words = [PennTokenizer.read().words(text) for text in ("", "dog", "A dog runs. A cat sleeps on a sofa.")]
    trees = reader.read(words)
    assert [len(tree.tags) for tree in trees] == [0, 1, 11] and trees[1] == (["NN"], [-1], ["ROOT"])
    assert [i for i, head in enumerate(trees[2].heads) if head < 0] == [2, 6]
