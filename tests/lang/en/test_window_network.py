"""The convolutional network of the parser ``spice-2016``."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.lang.lex_attrs import word_shape

from spice_core.lang.en.penn_tokenizer import PennTokenizer
from spice_core.lang.en.transition_parser import SPICE_2016
from spice_core.lang.en.window_network import WindowNetwork, features, shape

CAPTIONS = ("A dog on a red sofa.", "two men", "Hi", "a man wearing a hat is riding on the back of a brown horse along the beach")


@pytest.fixture
def network() -> WindowNetwork:
    return WindowNetwork(SPICE_2016 / "network.npz", json.loads((SPICE_2016 / "labels.json").read_bytes())["symbols"])


def test_features_of_a_word():
    assert features("Skiers", "skiers") == ("skiers", "S", "ers", "Xxxxx")


@given(st.text(min_size=1, max_size=120))
def test_shapes_are_those_of_spacy(text):
    assert shape(text) == word_shape(text)


def test_no_caption_sees_another(network):
    words = [[(word.text, word.norm) for word in PennTokenizer.read().words(caption)] for caption in CAPTIONS]
    together = network.words(words)
    alone = np.concatenate([network.words([each]) for each in words])
    assert together.shape == alone.shape == (sum(map(len, words)), 96) and np.allclose(together, alone, atol=1e-4)


def test_known_words_are_bounded(network, monkeypatch):
    monkeypatch.setattr("spice_core.lang.en.window_network._MOST", 50)
    before = network.words([[("dog", "dog")]])
    for number in range(20):
        network.words([[(f"word{number}.{i}", f"word{number}.{i}") for i in range(20)]])
    assert len(network._known) <= 70 and np.allclose(network.words([[("dog", "dog")]]), before, atol=1e-5)
