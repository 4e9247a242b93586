"""Test generated captions of sounds and prompts, to be annotated for `spice-2016`."""

import re
from itertools import islice

import pytest

from tools.parser.sounds import SoundGrammar


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return list(islice(SoundGrammar(seed=1).generate_distinct_texts(), 1_000))


def test_the_seed_determines_the_texts_without_duplicates(texts):
    assert texts == list(islice(SoundGrammar(seed=1).generate_distinct_texts(), 1_000))
    assert len({text.lower() for text in texts}) == 1_000
    assert texts[:50] != list(islice(SoundGrammar(seed=2).generate_distinct_texts(), 50))


def test_texts_are_short_lines_of_words_in_both_spellings(texts):
    for text in texts:
        assert len(text.split()) <= 26 and text == " ".join(text.split())
        assert not re.search(r"\b(a|an) (a|an|the)\b|\ba [aeiou]|,,|\ban another\b", text), text
    plain_count = sum(text == text.lower() and not re.search("[.,;:!?]", text) for text in texts)
    assert 450 < plain_count < 800


@pytest.mark.parametrize(("verb", "singular", "participle"), [
    ("buzz", "buzzes", "buzzing"),
    ("cry", "cries", "crying"),
    ("echo", "echoes", "echoing"),
    ("rev", "revs", "revving"),
    ("hammer", "hammers", "hammering"),
    ("tap", "taps", "tapping"),
    ("vocalize", "vocalizes", "vocalizing"),
    ("go off", "goes off", "going off"),
    ("unzip", "unzips", "unzipping"),
])  # fmt: skip
def test_verbs_are_inflected(verb, singular, participle):
    grammar = SoundGrammar()
    assert (grammar._finite_form(verb, False), grammar._ing_form(verb), grammar._finite_form(verb, True)) == (singular, participle, verb)


def test_most_texts_have_a_finite_verb_and_some_are_prompts(texts):
    finite = sum(
        bool(re.search(r"\b(speaks?|talks?|rings?|blows?|chirps?|barks?|passes|runs?|plays?|starts?|stops?|opens|hums?)\b", t))
        for t in texts
    )
    styles = sum(bool(re.search(r"\b(style of|lighting|detailed|painting|portrait|focus)\b", text)) for text in texts)
    assert finite > 80 and 30 < styles < 200
