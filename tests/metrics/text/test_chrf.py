"""chrF is sacrebleu's, on our tokens."""

from __future__ import annotations

import pytest
from sacrebleu.metrics import CHRF

from spice_core.metrics.text.chrf import chrf
from spice_core.metrics.text.tokens import Pair


def test_the_score_is_sacrebleus():
    pair = Pair("a brown dog".split(), ("a dog".split(), "the brown dogs".split()))
    assert chrf([pair]) == [pytest.approx(CHRF().sentence_score("a brown dog", ["a dog", "the brown dogs"]).score / 100)]


def test_words_are_joined_as_the_language_joins_them():
    pair = Pair(["赤い", "傘"], (["赤", "い", "傘"],))
    assert chrf([pair], "") == [1] and chrf([pair], " ") == [1]  # letters alone count, not the spaces between them
