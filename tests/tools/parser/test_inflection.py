"""Test forms of words: spelling rules, forms in trees, and None for doubtful forms."""

import pytest

from tests.tools.parser.conftest import document
from tools.parser.inflection import Inflection, NounVerbWords, ing_form, s_form

TAGGED_WORDS = "rode/ride/VBD parked/park/VBN men/man/NNS skis/ski/VBZ standng/stand/VBG nap/nap/VB nap/nap/NN nap/nap/NN"
TAGGED_WORDS_DOCUMENT = document(" ".join(f"{word}/0/root" for word in TAGGED_WORDS.split()))  # unconnected


def test_forms_are_spelt_by_rule_unless_stress_decides():
    third_person = {"ride": "rides", "watch": "watches", "carry": "carries", "play": "plays", "go": "goes"}
    assert {word: s_form(word) for word in third_person} == third_person
    participles = {"ride": "riding", "nap": "napping", "sleep": "sleeping", "play": "playing", "visit": None, "lie": None}
    assert {word: ing_form(word) for word in participles} == participles


@pytest.mark.parametrize(("lemma", "tag", "form"), [
    ("ride", "VBD", "rode"),
    ("park", "VBD", "parked"),  # has the form of the participle
    ("stand", "VBD", None),  # not in the trees, so it may be irregular
    ("stand", "VBG", "standing"),  # the only form in the trees is a typing error
    ("man", "NNS", "men"),
    ("dog", "NNS", "dogs"),
    ("be", "VBP", "are"),
    ("doughbut", "NNS", None),  # WordNet lacks this word
])  # fmt: skip
def test_forms_come_from_the_trees_or_are_unknown(lemma, tag, form):
    assert Inflection([TAGGED_WORDS_DOCUMENT]).form(lemma, tag) == form


def test_words_that_are_noun_and_verb_have_their_frame():
    noun_verbs = NounVerbWords([TAGGED_WORDS_DOCUMENT], Inflection([TAGGED_WORDS_DOCUMENT]))
    assert "nap" in noun_verbs.intransitive and "nap" in noun_verbs.nouns and "nap" not in noun_verbs.transitive
    assert "man" not in noun_verbs.nouns  # "to man a ship", but never a verb here
