"""Test exceptions for lemmatisation, from a table of words, tags and lemmas."""

from spice_core.lang.en.wordnet.database import WordNet
from tools.parser.lemmas import learn_from_table, words_to_look_up

TABLE = ["dogs\tNNS\tdog", "binoculars\tNNS\tbinoculars", "drew\tVBD\tdraw", "axes\tNNS\taxe"]


def test_words_irregular_forms_and_plural_nouns_are_looked_up():
    words_found = set(words_to_look_up(["A dog's Frisbees flew."], WordNet.load(collisions=False)))
    assert {("frisbees", "NNS"), ("frisbees", "VBD"), ("dog's", "NNS"), ("drew", "VBD"), ("binoculars", "NNS")} <= words_found
    assert ("binoculars", "VBD") not in words_found and {tag for _, tag in words_found} == {"NNS", "VBD"}


def test_words_missed_by_suffix_rules_are_added_and_learned_exceptions_kept():
    lemmas = learn_from_table(TABLE, {"NNS": {"axes": "axis"}, "DT": {"an": "a"}})
    lemmas_found = [lemmas.lemma(*row.split()) for row in ("binoculars NNS", "drew VBN", "axes NNS", "an DT", "dogs NNS")]
    assert lemmas_found == ["binoculars", "draw", "axis", "a", "dog"]
