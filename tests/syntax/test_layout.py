"""Test where sentences start and which characters are markup in captions with list items, headings, labels and emphasis."""

from spice_core.lang.en.parsers.word_tokens import layout_caption, split_sentences, tokenize_words


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
