"""Lemmas by Penn tag: suffix rules, learnt exceptions."""

from __future__ import annotations

import pytest

from spice_core.lang.en.lemmas import Lemmas, learn, regular
from spice_core.lang.en.transition_parser import SPICE_2016
from spice_core.syntax.document import Document, Sentence, Token


@pytest.mark.parametrize(
    ("word", "group", "lemma"),
    [
        ("dogs", "NNS", "dog"), ("ponies", "NNS", "pony"), ("boxes", "NNS", "box"), ("glasses", "NNS", "glass"), ("grass", "NN", "grass"),
        ("running", "V", "run"), ("riding", "V", "ride"), ("standing", "V", "stand"), ("sitting", "V", "sit"), ("walked", "V", "walk"),
        ("carried", "V", "carry"), ("sits", "V", "sit"), ("brings", "V", "bring"), ("red", "JJ", "red"), ("Bears", "NNPS", "Bears"),
    ],
)  # fmt: skip
def test_suffixes(word, group, lemma):
    assert regular(word, group) == lemma


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("women", "NNS", "woman"),
        ("Skis", "NNS", "ski"),
        ("is", "VBZ", "be"),
        ("worn", "VBN", "wear"),
        ("skiing", "VBG", "ski"),
        ("pants", "NNS", "pants"),
        ("binoculars", "NNS", "binoculars"),
        ("Drew", "VBD", "draw"),
        ("managed", "VBN", "manage"),
        ("olympics", "NNS", "olympics"),
    ],
)
def test_exceptions_learnt_from_the_reference_programs_trees(word, tag, lemma):
    assert Lemmas.read(SPICE_2016 / "lemmas.json").lemma(word, tag) == lemma


def test_only_what_the_suffix_rules_miss_is_kept(tmp_path):
    tokens = (Token(1, "Feet", "foot", "NNS"), Token(2, "dogs", "dog", "NNS"))
    learn([Document("Feet dogs", (Sentence(tokens, ()),))]).write(tmp_path / "lemmas.json")
    assert (tmp_path / "lemmas.json").read_text() == '{\n"NNS": {\n"feet": "foot"\n}\n}\n'


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("bases", "NNS", "base"), ("mangoes", "NNS", "mango"), ("wolves", "NNS", "wolf"), ("gloves", "NNS", "glove"), ("lives", "NNS", "life"),
        ("lives", "VBZ", "live"), ("innards", "NNS", "innards"), ("glasses", "NNS", "glass"), ("oxen", "NNS", "ox"), ("policemen", "NNS", "policeman"),
        ("arranged", "VBN", "arrange"), ("controlling", "VBG", "control"), ("felt", "VBD", "feel"), ("felt", "VB", "felt"), ("trows", "VBZ", "trow"),
    ],
)  # fmt: skip
def test_lemmas_checked_against_wordnet(tmp_path, word, tag, lemma):
    (tmp_path / "lemmas.json").write_text('{"NNS": {"bases": "basis"}}')
    assert Lemmas.read(tmp_path / "lemmas.json", checked=True).lemma(word, tag) == lemma


def test_without_the_check_the_learnt_exceptions_count(tmp_path):
    (tmp_path / "lemmas.json").write_text('{"NNS": {"bases": "basis"}}')
    assert Lemmas.read(tmp_path / "lemmas.json").lemma("bases", "NNS") == "basis"
