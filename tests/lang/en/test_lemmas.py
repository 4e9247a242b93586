"""Lemmas by Penn tag, from suffix rules, learnt exceptions and WordNet."""

from spice_core.lang.en.lemmas import Lemmas, learn_lemmas, regular_lemma
from spice_core.lang.en.parsers.transition_parser import SPICE_2016_FOLDER
from spice_core.syntax.document import Document, Sentence, Token


def test_lemmas_follow_suffix_rules_and_exceptions_learnt_from_the_reference_programs_trees():
    for word, group, lemma in [
        ("dogs", "NNS", "dog"), ("ponies", "NNS", "pony"), ("boxes", "NNS", "box"), ("glasses", "NNS", "glass"), ("grass", "NN", "grass"),
        ("running", "V", "run"), ("riding", "V", "ride"), ("standing", "V", "stand"), ("sitting", "V", "sit"), ("walked", "V", "walk"),
        ("carried", "V", "carry"), ("sits", "V", "sit"), ("brings", "V", "bring"), ("red", "JJ", "red"), ("Bears", "NNPS", "Bears"),
    ]:  # fmt: skip
        assert regular_lemma(word, group) == lemma
    for word, tag, lemma in [
        ("women", "NNS", "woman"), ("Skis", "NNS", "ski"), ("is", "VBZ", "be"), ("worn", "VBN", "wear"), ("skiing", "VBG", "ski"),
        ("pants", "NNS", "pants"), ("binoculars", "NNS", "binoculars"), ("Drew", "VBD", "draw"), ("managed", "VBN", "manage"),
        ("olympics", "NNS", "olympics"),
    ]:  # fmt: skip
        assert Lemmas.read(SPICE_2016_FOLDER / "lemmas.json").lemma(word, tag) == lemma


def test_words_missed_by_suffix_rules_are_unchanged_or_checked_against_wordnet(tmp_path):
    tokens = (Token(1, "Feet", "foot", "NNS"), Token(2, "dogs", "dog", "NNS"))
    learn_lemmas([Document("Feet dogs", (Sentence(tokens, ()),))]).write(tmp_path / "lemmas.json")
    assert (tmp_path / "lemmas.json").read_text() == '{\n"NNS": {\n"feet": "foot"\n}\n}\n'
    for word, tag, lemma in [
        ("bases", "NNS", "base"), ("mangoes", "NNS", "mango"), ("wolves", "NNS", "wolf"), ("gloves", "NNS", "glove"), ("lives", "NNS", "life"),
        ("lives", "VBZ", "live"), ("innards", "NNS", "innards"), ("glasses", "NNS", "glass"), ("oxen", "NNS", "ox"),
        ("policemen", "NNS", "policeman"), ("arranged", "VBN", "arrange"), ("controlling", "VBG", "control"), ("felt", "VBD", "feel"),
        ("felt", "VB", "felt"), ("trows", "VBZ", "trow"),
        ("installed", "VBN", "install"), ("belongings", "NNS", "belongings"), ("wings", "NNS", "wing"), ("bled", "VBD", "bleed"),
        ("taxis", "NNS", "taxi"), ("bikinis", "NNS", "bikini"), ("debris", "NNS", "debris"), ("irises", "NNS", "iris"),
        ("hoodies", "NNS", "hoodie"), ("selfies", "NNS", "selfie"), ("smoothies", "NNS", "smoothie"), ("ladies", "NNS", "lady"),
        ("lenses", "NNS", "lens"), ("thermoses", "NNS", "thermos"), ("vases", "NNS", "vase"), ("muscularis", "NNS", "muscularis"),
        ("bacteria", "NNS", "bacterium"), ("stadia", "NNS", "stadium"), ("tutus", "NN", "tutu"), ("cola", "NN", "cola"), ("bathed", "VBN", "bathe"),
        ("bathing", "VBG", "bathe"), ("matted", "VBN", "mat"),
    ]:  # fmt: skip
        (tmp_path / "lemmas.json").write_text('{"NNS": {"bases": "basis"}}')
        assert Lemmas.read(tmp_path / "lemmas.json", use_wordnet=True).lemma(word, tag) == lemma
    (tmp_path / "lemmas.json").write_text('{"NNS": {"bases": "basis"}}')
    assert Lemmas.read(tmp_path / "lemmas.json").lemma("bases", "NNS") == "basis"
