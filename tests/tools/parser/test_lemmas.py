"""Exceptions for lemmatisation, from a table of words, tags and lemmas."""

from spice_core.lang.en.wordnet.database import WordNet
from tools.parser.lemmas import learn_from_table, words_to_look_up

TABLE = ["dogs\tNNS\tdog", "binoculars\tNNS\tbinoculars", "drew\tVBD\tdraw", "axes\tNNS\taxe"]


def test_words_irregular_forms_and_plural_nouns_are_looked_up():
    found = set(words_to_look_up(["A dog's Frisbees flew."], WordNet.load(collisions=False)))
    assert {("frisbees", "NNS"), ("frisbees", "VBD"), ("dog's", "NNS"), ("drew", "VBD"), ("binoculars", "NNS")} <= found
    assert ("binoculars", "VBD") not in found and {tag for _, tag in found} == {"NNS", "VBD"}


def test_words_missed_by_suffix_rules_are_added_and_learned_exceptions_kept():
    lemmas = learn_from_table(TABLE, {"NNS": {"axes": "axis"}, "DT": {"an": "a"}})
    found = [lemmas.lemma(*row.split()) for row in ("binoculars NNS", "drew VBN", "axes NNS", "an DT", "dogs NNS")]
    assert found == ["binoculars", "draw", "axis", "a", "dog"]
