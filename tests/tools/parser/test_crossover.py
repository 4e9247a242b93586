"""Crossovers of captions: texts to annotate for `spice-2016`."""

from itertools import islice

import pytest

from tools.parser.crossover import LONGEST, SHORTEST, crossovers, plain_spelling, respelled

CAPTIONS = (
    "A man sitting on a bench next to a dog.",
    "Two cats sitting on a red sofa in a room.",
    "a woman walks next to a large brown horse",
    "A bus is parked.",
    "Two dogs sitting on a bench, next to a tree.",
)


def made(count: int = 12, known: tuple[str, ...] = ()) -> list[str]:
    return list(islice(crossovers(CAPTIONS, known, seed=1), count))


def test_a_crossover_begins_as_one_caption_and_ends_as_another() -> None:
    for text in made():
        words = text.split()
        assert SHORTEST <= len(words) <= LONGEST
        assert any(
            any(c.split()[: at + 2] == words[: at + 2] for c in CAPTIONS)
            and any(c.split()[-len(words) + at :] == words[at:] for c in CAPTIONS)
            for at in range(1, len(words) - 1)
        ), text


def test_each_once_none_known_and_the_same_again() -> None:
    texts = made()
    assert len(set(texts)) == len(texts)
    assert not {text.lower().rstrip(" .") for text in texts} & {caption.lower().rstrip(" .") for caption in CAPTIONS}
    assert made() == texts
    assert texts[0] not in made(known=(texts[0].upper(),))


@pytest.mark.parametrize(
    ("caption", "spelling"),
    [("A man, two dogs.", "a man two dogs"), ('The sign says "STOP"!', "the sign says stop"), ("a bus", "a bus")],
)
def test_plain_spelling(caption: str, spelling: str) -> None:
    assert plain_spelling(caption) == spelling


def test_all_but_the_first_texts_follow_in_plain_spelling_and_each_once() -> None:
    texts = ["A man, two dogs.", "a bus", "A bus.", "A red car.", "a red car!", "..."]
    assert respelled(texts, 2) == ["A man, two dogs.", "a bus", "a red car"]
