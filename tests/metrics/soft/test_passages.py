"""Long captions are compared sentence by sentence, short ones whole."""

from __future__ import annotations

import numpy as np
import pytest

from spice_core import Spice
from spice_core.metrics.soft.passages import nearness, passages
from spice_core.metrics.soft.soft import Soft
from spice_core.scene.propositions import Parse

LONG = (
    "Two men are sitting on a wooden bench in front of a shop. One of them is reading a newspaper. A brown dog is lying at their feet, and "
    "its leash is red. In the background, a bus is waiting at the corner. The street is wet, and several people are carrying umbrellas."
)
EXCHANGED = [("dog", "cat"), ("red", "green"), ("Two", "Five"), ("in front of", "behind"), ("reading", "burning"), ("wet", "dry")]


def test_only_long_captions_of_several_sentences_have_passages():
    sentences = ("A dog.", "It runs.")
    assert passages(Parse("A dog. It runs.", (), sentences=sentences)) == ("A dog. It runs.",)
    assert passages(Parse("A dog. It runs." * 20, (), sentences=sentences)) == sentences
    assert passages(Parse("a dog" * 50, ())) == ("a dog" * 50,)


def test_each_passage_counts_by_its_length_both_ways():
    assert nearness(np.array([[0.3]]), ([7], [9])) == 0.3
    assert nearness(np.array([[1.0, 0.2], [0.4, 0.6]]), ([30, 10], [10, 10])) == pytest.approx(((30 + 6) / 40 + 1.6 / 2) / 2)


@pytest.mark.parser
@pytest.mark.parametrize(("right", "wrong"), EXCHANGED)
def test_one_wrong_word_in_a_long_caption_is_noticed(right, wrong):
    spice = Spice()
    soft = Soft(spice)
    reference = LONG.replace("Two men are sitting", "A street scene. Two men sit").replace("is lying", "lies")
    better, worse = (soft.of(spice.compute(caption, [reference])) for caption in (LONG, LONG.replace(right, wrong)))
    assert better.result.f1 > worse.result.f1 and better.f1 > worse.f1 and better.plus > worse.plus
