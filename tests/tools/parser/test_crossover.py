"""Test crossovers of captions: texts to annotate for `spice-2016`."""

from itertools import islice

from tools.parser.crossover import MAX_WORDS, MIN_WORDS, generate_crossovers, plain_spelling, respell_texts

CAPTIONS = """A man sitting on a bench next to a dog.
Two cats sitting on a red sofa in a room.
a woman walks next to a large brown horse
A bus is parked.
Two dogs sitting on a bench, next to a tree.""".splitlines()


def test_crossovers_combine_two_captions_and_are_new_and_unique() -> None:
    texts, repeated_texts = (list(islice(generate_crossovers(CAPTIONS, (), seed=1), 12)) for _ in range(2))
    assert texts == repeated_texts and len(set(texts)) == len(texts)
    for words in map(str.split, texts):
        assert MIN_WORDS <= len(words) <= MAX_WORDS
        beginnings = {
            position for c in CAPTIONS for position in range(1, len(words) - 1) if c.split()[: position + 2] == words[: position + 2]
        }
        assert any(c.split()[position - len(words) :] == words[position:] for c in CAPTIONS for position in beginnings), words
    assert not {text.lower().rstrip(" .") for text in texts} & {caption.lower().rstrip(" .") for caption in CAPTIONS}
    assert texts[0] not in islice(generate_crossovers(CAPTIONS, (texts[0].upper(),), seed=1), 12)


def test_all_but_the_first_texts_are_in_plain_spelling_without_duplicates() -> None:
    assert plain_spelling('The sign says "STOP"!') == "the sign says stop"
    texts = ["A man, two dogs.", "a bus", "A bus.", "A red car.", "a red car!", "..."]
    assert respell_texts(texts, 2) == ["A man, two dogs.", "a bus", "a red car"]
