"""Tokens of the two tokenizers in the style of the Penn Treebank, and sentence boundaries."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core.lang.en.parsers.penn_tokenizer import PennTokenizer
from spice_core.lang.en.parsers.word_tokens import MAX_SENTENCE_TOKENS, layout_caption, split_sentences, tokenize_words
from tests.conftest import GOLD, rows

TOKENIZER = PennTokenizer.read()
AFFIXES = [
    "..",
    ".",
    "…",
    "'",
    "''",
    '"',
    "(",
    ")",
    "[",
    "}",
    "<",
    "😀",
    "👍🏽",
    "5",
    "km",
    "km/h",
    "US$",
    "°C",
    "%",
    "+",
    "-",
    "--",
    "—",
    "a",
    "Dog",
]
AFFIXES += [
    "n't",
    "'s",
    "’S",
    "can",
    "not",
    "U.S.",
    "t.v.",
    "p.m.",
    ":)",
    ":-(",
    "(*_*)",
    "&amp;",
    "#",
    "_",
    "/",
    ",",
    ";",
    "é",
    "犬",
    "«",
    "m²",
    "M",
]


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenize_words(text)]


# texts with the words that both tokenizers return
BOTH_TOKENIZERS = [
    ("A black-and-white cat.", ["A", "black-and-white", "cat", "."]), ("It's the dog's toy", ["It", "'s", "the", "dog", "'s", "toy"]),
    ("She doesn't and cannot", ["She", "does", "n't", "and", "can", "not"]), ("", []),
    ("a red/white sign, upside-down", ["a", "red/white", "sign", ",", "upside-down"]),
    ('the word "stop"', ["the", "word", '"', "stop", '"']), ("dont see im gonna", ["dont", "see", "im", "gon", "na"]),
    ("at 12:43 on St. James", ["at", "12:43", "on", "St.", "James"]),
]  # fmt: skip
CAPTION_TOKENIZER = [
    ("She doesn’t", ["She", "does", "n’t"]), ("beach--kite, $5... wow!!", ["beach", "--", "kite", ",", "$", "5", "...", "wow", "!", "!"]),
    ("two dogs' toys (red)", ["two", "dogs", "'", "toys", "(", "red", ")"]),
    ("a man w/ a 1,000 page book", ["a", "man", "w/", "a", "1,000", "page", "book"]), ("犬 und Straße 👍", ["犬", "und", "Straße", "👍"]),
]  # fmt: skip
PENN_TOKENIZER = [
    ("an old (t.v.) set.", ["an", "old", "(", "t.v.", ")", "set", "."]), ("a t.v .", ["a", "t.v", "."]),
    ("``hi'' he said...", ["``", "hi", "''", "he", "said", "..."]),
    ("$5,000 for 3ft. of rope!!", ["$", "5,000", "for", "3", "ft.", "of", "rope", "!", "!"]),
    ("fish &amp; chips &amp;", ["fish", "&", "chips", "&"]), ("salt &amp; pepper", ["salt", "&", "pepper"]), ("&amp; a man", ["&", "a", "man"]),
    ("gonna w/ a D.V.D. in-between", ["gon", "na", "w/", "a", "D.V.D.", "in-between"]),
]  # fmt: skip


def test_both_tokenizers_give_the_expected_tokens_and_normal_forms():
    for text, tokens in BOTH_TOKENIZERS + CAPTION_TOKENIZER:
        assert words(text) == tokens
    for text, tokens in BOTH_TOKENIZERS + PENN_TOKENIZER:
        assert [word.text for word in TOKENIZER.words(text)] == tokens
    captions = [line.strip() for line in (GOLD.parent / "captions" / "coco_500.txt").read_text(encoding="utf-8").splitlines()]
    captions += [row["caption"] for name in ("gold_en", "gold_en_other") for row in rows(GOLD / f"{name}.jsonl")]
    captions = [" ".join(caption.split()) for caption in captions]
    assert len(captions) > 700 and [c for c in captions if words(c) != [word.text for word in TOKENIZER.words(c)]] == []
    for text, norms in [("It isn't", ["it", "is", "not"]), ("we'll", ["we", "will"]), ("“Stop” — £5", ['"', "stop", '"', "-", "$", "5"])]:
        assert [word.norm for word in TOKENIZER.words(text)] == norms


@pytest.mark.parametrize(("text", "lengths"), [
    ("A dog runs. The cat sleeps!", [4, 4]), ('He said "stop." Then he left', [6, 3]), ("a dog . . a cat", [4, 2]), ("... and so on", [4]),
    ("St. James ... sleeps", [4]), ("dog " * (MAX_SENTENCE_TOKENS + 1), [MAX_SENTENCE_TOKENS, 1]), ("?", [1]),
    ("A crane lifts a car on Sept. 3, 2019. People watch.", [11, 3]), ("a man in Feb. Snow falls", [6]), ("on Mar. 4 a boy", [5]),
    ("castle by J. Doe, 4k", [6]), ("a red cup; it leaks", [4, 2]), ("a red cup; leaking", [5]), ("A chart of two prices: both rise", [6, 2]), ("a sign that reads: no parking", [7]), ("George W. Bush waves.", [5]), ("A boy eats in aisle B. The dog sits.", [7, 4]),
    ("Who is taller than I. Bob is.", [6, 3]), ("a hole that soldiers mar. Two dogs", [6, 2]),
])  # fmt: skip
def test_sentences_end_after_end_marks(text, lengths):
    assert [len(sentence) for sentence in split_sentences(text, tokenize_words(text))] == lengths


@settings(max_examples=50)
@given(st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=12), min_size=1, max_size=8))
def test_words_are_the_text_without_its_spaces(chunks):
    text = " ".join(chunks)
    words = TOKENIZER.words(text)
    assert "".join(word.text for word in words) == "".join(chunks)
    assert all(text[word.start : word.start + len(word.text)] == word.text and word.norm for word in words)


def split_affixes_of_slices(tokenizer: PennTokenizer, text: str) -> tuple[list[str], str, list[str]]:
    """Split off affixes by definition: each pattern searches a slice, and exceptions stay whole (quadratic time)."""
    prefixes, suffixes, length = [], [], -1
    while text and len(text) != length and text not in tokenizer._exceptions:
        length = len(text)
        prefix = match.end() if (match := tokenizer._prefix(text)) else 0
        suffix = 0
        if not (prefix and text[prefix:] in tokenizer._exceptions):
            suffix = len(match.group()) if (match := tokenizer._suffix(text[prefix:])) else 0
            prefix = 0 if suffix and text[:-suffix] in tokenizer._exceptions else prefix
        prefixes += [text[:prefix]] * bool(prefix)
        suffixes += [text[len(text) - suffix :]] * bool(suffix)
        text = text[prefix : len(text) - suffix]
    return prefixes, text, suffixes


@settings(max_examples=400)
@given(st.lists(st.sampled_from(AFFIXES), max_size=30).map("".join))
def test_affixes_are_those_of_the_slices(text):
    assert TOKENIZER._split_affixes(text) == split_affixes_of_slices(TOKENIZER, text)


@pytest.mark.parametrize("run", ["😀", "(", "[", '"', "'", "$", "((..", ":)", "'s", "a.", "5km", "-"])
def test_the_work_of_the_tokenizer_grows_linearly_with_a_run(run, monkeypatch):
    """Count the characters that are searched for suffixes and compared with exceptions."""
    read_chars = 0

    class Exceptions(dict):
        def __contains__(self, text):
            nonlocal read_chars
            read_chars += len(text)
            return super().__contains__(text)

    def search(text, search=TOKENIZER._suffix):
        nonlocal read_chars
        read_chars += len(text)
        return search(text)

    monkeypatch.setattr(TOKENIZER, "_suffix", search)
    monkeypatch.setattr(TOKENIZER, "_exceptions", Exceptions(TOKENIZER._exceptions))
    text = (run * 10_000)[:10_000]
    assert "".join(word.text for word in TOKENIZER.words(text)) == text and read_chars < 100 * len(text)


def test_sentences_and_signs_of_emphasis_are_found_in_a_layout():
    for caption, expected_sentences in [
        ("A dog ran off.The cat sat.", ["A dog ran off.", "The cat sat."]),
        ("**Main:** A man is here.\n\n- A dog.\n- **Toys:** A bear lies.", ["A man is here.", "A dog.", "A bear lies."]),
        ("Here it is:\n\n1. **Person:** A boy. He is up.\n2. Toys: a bear.", ["A boy.", "He is up.", "a bear."]),
        ("A dog\nriding a horse.", ["A dog riding a horse."]),
        ("Objects: - A dog runs. - A cat sits. • A bird", ["A dog runs.", "A cat sits.", "A bird"]),
        ("# Heading\nA man *really* runs.\n\nA dog_house", ["A man *really* runs.", "A dog_house"]),
        ("a dog - a poodle - runs", ["a dog - a poodle - runs"]), ("It says: Two dogs", ["It says: Two dogs"]),
        ("Background: Trees stand.", ["Trees stand."]),
        ("At 5 p.m. in the U.S.A. and on node.js, 3 * 4", ["At 5 p.m. in the U.S.A. and on node.js, 3 * 4"]),
        ("  two \t dogs ", ["two dogs"]),
    ]:  # fmt: skip
        sentences_ = layout_caption(caption)
        rows = split_sentences(sentences_.text, sentences_.spans_outside_markup(tokenize_words(sentences_.text)), sentences_.breaks)
        assert sentences_.text == " ".join(caption.split())
        assert [sentences_.text[row[0][0] : row[-1][1]] for row in rows] == expected_sentences
    sentences_ = layout_caption("a *really* big `dog`")
    assert [sentences_.text[a:b] for a, b in sentences_.spans_outside_markup(tokenize_words(sentences_.text))] == [
        "a",
        "really",
        "big",
        "dog",
    ]
