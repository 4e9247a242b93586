"""Penn Treebank words of the parser ``spice-2016``; that they are those of its spaCy tokenizer is tested with the tool that writes its tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spice_core.lang.en.penn_tokenizer import PennTokenizer

TOKENIZER = PennTokenizer.read()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A black-and-white cat.", ["A", "black-and-white", "cat", "."]),
        ("It's the dog's toy", ["It", "'s", "the", "dog", "'s", "toy"]),
        ("She doesn't and cannot", ["She", "does", "n't", "and", "can", "not"]),
        ("a red/white sign, upside-down", ["a", "red/white", "sign", ",", "upside-down"]),
        ('the word "stop"', ["the", "word", '"', "stop", '"']),
        ("dont see im", ["dont", "see", "im"]),
        ("at 12:43 on St. James", ["at", "12:43", "on", "St.", "James"]),
        ("an old (t.v.) set.", ["an", "old", "(", "t.v.", ")", "set", "."]),
        ("a t.v .", ["a", "t.v", "."]),
        ("``hi'' he said...", ["``", "hi", "''", "he", "said", "..."]),
        ("$5,000 for 3ft. of rope!!", ["$", "5,000", "for", "3", "ft.", "of", "rope", "!", "!"]),
        ("gonna w/ a D.V.D. in-between", ["gon", "na", "w/", "a", "D.V.D.", "in-between"]),
        ("", []),
    ],
)
def test_penn_treebank_tokens(text, tokens):
    assert [word.text for word in TOKENIZER.words(text)] == tokens


@given(st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=12), min_size=1, max_size=8))
def test_words_are_the_text_without_its_spaces(chunks):
    text = " ".join(chunks)
    words = TOKENIZER.words(text)
    assert "".join(word.text for word in words) == "".join(chunks)
    assert all(text[word.start : word.start + len(word.text)] == word.text and word.norm for word in words)


@pytest.mark.parametrize(
    ("text", "norms"),
    [("It isn't", ["it", "is", "not"]), ("we'll", ["we", "will"]), ("“Stop” — £5", ['"', "stop", '"', "-", "$", "5"])],
)
def test_normal_forms(text, norms):
    assert [word.norm for word in TOKENIZER.words(text)] == norms
