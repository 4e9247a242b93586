"""Forms of words: spelling rules, forms seen in trees, and None where a form is in doubt."""

from __future__ import annotations

import pytest

from spice_core.syntax.document import Dependency, Document, Sentence, Token
from tools.parser.inflection import BothWords, Inflection, with_ing, with_s


def words(*rows: str) -> Document:
    """One sentence of unconnected words: form/lemma/tag."""
    tokens = tuple(Token(n, *row.split("/")) for n, row in enumerate(rows, 1))
    return Document("", (Sentence(tokens, tuple(Dependency(0, t.index, "root") for t in tokens)),))


SEEN = words(
    "rode/ride/VBD", "parked/park/VBN", "men/man/NNS", "skis/ski/VBZ", "standng/stand/VBG", "nap/nap/VB", "nap/nap/NN", "nap/nap/NN"
)


@pytest.mark.parametrize(
    ("word", "form"), [("ride", "rides"), ("watch", "watches"), ("carry", "carries"), ("play", "plays"), ("go", "goes")]
)
def test_the_third_person_is_spelt_by_rule(word, form):
    assert with_s(word) == form


@pytest.mark.parametrize(
    ("word", "form"), [("ride", "riding"), ("nap", "napping"), ("sleep", "sleeping"), ("play", "playing"), ("visit", None), ("lie", None)]
)
def test_ing_is_spelt_by_rule_unless_stress_decides(word, form):
    assert with_ing(word) == form


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("ride", "VBD", "rode"),
        ("park", "VBD", "parked"),  # as its participle
        ("stand", "VBD", None),  # not seen: it could be irregular
        ("stand", "VBG", "standing"),  # the one seen is a typing error
        ("man", "NNS", "men"),
        ("dog", "NNS", "dogs"),
        ("be", "VBP", "are"),
        ("doughbut", "NNS", None),  # WordNet has no such word
    ],
)
def test_forms_come_from_the_trees_or_are_left_open(lemma, tag, form):
    assert Inflection([SEEN]).form(lemma, tag) == form


def test_words_that_are_noun_and_verb_have_their_frame():
    both = BothWords([SEEN], Inflection([SEEN]))
    assert "nap" in both.intransitive and "nap" in both.nouns and "nap" not in both.transitive
    assert "man" not in both.nouns  # "to man a ship", but never a verb here
