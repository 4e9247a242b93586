"""Word tokens like the Penn Treebank's, their places, and sentences of them."""

import pytest

from spice_core.lang.en.penn_tokenizer import PennTokenizer
from spice_core.lang.en.word_tokens import LONGEST_SENTENCE, sentences, word_tokens
from tests.conftest import GOLD, rows


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_tokens(text)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A black-and-white cat.", ["A", "black-and-white", "cat", "."]),
        ("It's the dog's toy", ["It", "'s", "the", "dog", "'s", "toy"]),
        ("She doesn’t and cannot", ["She", "does", "n’t", "and", "can", "not"]),
        ("a red/white sign, upside-down", ["a", "red/white", "sign", ",", "upside-down"]),
        ('the word "stop"', ["the", "word", '"', "stop", '"']),
        ("dont see im gonna", ["dont", "see", "im", "gon", "na"]),
        ("at 12:43 on St. James", ["at", "12:43", "on", "St.", "James"]),
        ("beach--kite, $5... wow!!", ["beach", "--", "kite", ",", "$", "5", "...", "wow", "!", "!"]),
        ("two dogs' toys (red)", ["two", "dogs", "'", "toys", "(", "red", ")"]),
        ("a man w/ a 1,000 page book", ["a", "man", "w/", "a", "1,000", "page", "book"]),
        ("犬 und Straße 👍", ["犬", "und", "Straße", "👍"]),
        ("", []),
    ],
)
def test_tokens(text, tokens):
    assert words(text) == tokens


def test_tokens_are_those_of_the_other_parser_on_real_captions():
    tokenizer = PennTokenizer.read()
    captions = [line.strip() for line in (GOLD.parent / "captions" / "coco_500.txt").read_text(encoding="utf-8").splitlines()]
    captions += [row["caption"] for name in ("gold_en", "gold_en_other") for row in rows(GOLD / f"{name}.jsonl")]
    captions = [" ".join(caption.split()) for caption in captions]
    assert len(captions) > 700 and [c for c in captions if words(c) != [word.text for word in tokenizer.words(c)]] == []


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("A dog runs. The cat sleeps!", [4, 4]),
        ('He said "stop." Then he left', [6, 3]),
        ("a dog . . a cat", [4, 2]),
        ("... and so on", [4]),
        ("St. James ... sleeps", [4]),
        ("dog " * (LONGEST_SENTENCE + 1), [LONGEST_SENTENCE, 1]),
        ("?", [1]),
    ],
)
def test_sentences_end_behind_end_marks(text, lengths):
    assert [len(sentence) for sentence in sentences(text, word_tokens(text))] == lengths
