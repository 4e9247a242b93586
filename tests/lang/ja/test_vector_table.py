"""The vector table equals spaCy's, and the parser and soft matching share it."""

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core.lang.ja.parsers.ginza import ginza_parser
from spice_core.lang.ja.vector_table import VectorRows, read_vectors
from spice_core.lang.ja.vectors import load_vectors
from spice_core.lang.spacy_models import package_folder


@settings(max_examples=40)
@given(st.dictionaries(st.integers(0, 2**64 - 1), st.integers(-1, 2**31 - 1)))
def test_the_table_equals_a_dict_in_less_memory(rows: dict[int, int]):
    vector_rows = VectorRows(rows)
    assert vector_rows == rows and len(vector_rows) == len(rows) and sorted(rows) == list(vector_rows)
    assert all((key in vector_rows) == (key in rows) and vector_rows.get(key, -1) == rows.get(key, -1) for key in (0, 2**64 - 1, *rows))


def test_words_have_the_vectors_of_spacy_and_the_parser_shares_the_table():
    from spacy.vocab import Vocab

    (folder,) = (package_folder("ja_ginza") or Path()).glob("ja_ginza-*")
    vocab = Vocab()
    vocab.vectors.from_disk(folder / "vocab")
    table = read_vectors(folder)
    for word in ("犬", "傘", "フリスビー", "走る", "the", "ORTH", "これは一語ではない"):
        assert (vocab.strings[word] in table) == vocab.has_vector(word)
        assert not vocab.has_vector(word) or np.array_equal(table[vocab.strings[word]], vocab.get_vector(word))
    assert ginza_parser()._nlp.vocab.vectors is load_vectors()._vectors
