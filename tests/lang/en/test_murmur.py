"""The hashes are those of spaCy and its network library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.strings import hash_string
from thinc.api import NumpyOps

from spice_core.lang.en.murmur import hash_number, hash_text


def test_a_published_hash():
    assert hash_text("coffee") == 3197928453018144401  # spaCy's documentation, "Vocab, hashes and lexemes"


@given(st.text(min_size=1, max_size=40))
def test_hashes_of_texts(text):
    assert hash_text(text) == hash_string(text)


@pytest.mark.parametrize("seed", [7, 8, 11])
@given(numbers=st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=20))
def test_hashes_of_numbers(seed, numbers):
    assert NumpyOps().hash(np.array(numbers, "uint64"), seed).tolist() == [list(hash_number(number, seed)) for number in numbers]
