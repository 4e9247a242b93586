"""Merging into a scene graph: table of cases, and properties on random propositions."""

from __future__ import annotations

import pytest
from hypothesis import given as forall
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.lang.en.wordnet import with_collisions
from spice_core.scene.graph import Concept, SceneGraph
from spice_core.scene.propositions import from_tuples
from spice_core.scene.synonyms import NoSynonyms

WORDS = st.sampled_from("dog puppy sofa couch lounge person man woman court stand bear ride brown red on sit two big".split())
PROPOSITIONS = st.lists(st.lists(WORDS, min_size=1, max_size=3), max_size=12)


def graph(*captions, synonyms=None) -> SceneGraph:
    return SceneGraph.of([from_tuples(c, where="test") for c in captions], synonyms or with_collisions())


CASES = [
    # propositions of the captions, tuples of the merged graph, the decision taken
    ([[["dog"]], [["dog"]]], [("dog",)], "the same object is one node"),
    ([[["sofa"]], [["couch"]]], [("couch/sofa",)], "synonyms are one node"),
    ([[["dog", "brown"]]], [("dog",), ("dog", "brown")], "a host is an object"),
    ([[["man", "be on", "horse"]]], [("horse",), ("man",), ("man", "on", "horse")], 'a leading "be " is dropped'),
    ([[["sofa", "big"]], [["couch", "large"]]], [("couch/sofa",), ("couch/sofa", "big/large")], "similar attributes of one node merge"),
    ([[["man", "in", "man"]]], [("man",), ("man", "in", "man")], "a relation of a node to itself is possible"),
    ([[]], [], "no proposition, no tuple"),
]


@pytest.mark.parametrize(("captions", "tuples", "decision"), CASES, ids=[c[2] for c in CASES])
def test_merging(captions, tuples, decision):
    assert [t.words for t in graph(*captions).tuples()] == tuples


def test_without_synonyms_only_equal_words_merge():
    assert [t.words for t in graph([["sofa"]], [["couch"]], synonyms=NoSynonyms()).tuples()] == [("couch",), ("sofa",)]


def test_the_most_similar_node_absorbs_a_word():
    # "lounge" shares one synset with "sofa/couch" and none with "dog"
    merged = graph([["dog"], ["sofa"], ["couch"], ["lounge"]])
    assert [t.words for t in merged.tuples()] == [("couch/lounge/sofa",), ("dog",)]


def test_an_element_knows_its_captions_and_how_words_came_in():
    sofa = graph([["sofa"]], [["dog"]], [["couch"], ["sofa", "red"]]).objects[0]
    assert sofa.captions == [0, 2]
    assert [(m.word, m.how) for m in sofa.mentions] == [("sofa", "new"), ("couch", "merged"), ("sofa", "merged")]
    assert sofa.words == ["sofa", "couch"]


def test_similarity_is_shared_over_all_synsets():
    a, b = Concept(frozenset({"a"}), frozenset({1, 2, 3})), Concept(frozenset({"b"}), frozenset({3, 4}))
    assert a.similarity(b) == pytest.approx(1 / 4)
    assert a.similarity(Concept(frozenset({"a"}))) == 1.0
    assert not a.similar(Concept(frozenset({"c"}), frozenset({9})))


@forall(PROPOSITIONS)
def test_every_proposition_is_found_in_exactly_one_element_a_part(propositions):
    merged = graph(propositions)
    mentions = [(id(m.proposition), m.part) for e in merged.elements() for m in e.mentions]
    assert len(mentions) == len(set(mentions)) == sum(len(p) for p in propositions)


@forall(PROPOSITIONS)
def test_a_second_telling_adds_no_tuple(propositions):
    once, twice = graph(propositions), graph(propositions, propositions)
    assert len(twice.tuples()) <= len(once.tuples())


@forall(PROPOSITIONS)
def test_a_caption_scores_1_against_itself(propositions):
    spice = Spice()
    result = spice.compute(propositions, [propositions])
    assert result.f1 == (1.0 if propositions else 0.0)


@forall(PROPOSITIONS, PROPOSITIONS)
def test_exact_matching_swaps_precision_and_recall_with_the_sides(a, b):
    spice = Spice(synonyms="none")
    there, back = spice.compute(a, [b]), spice.compute(b, [a])
    if a and b:
        assert (there.precision, there.recall) == (back.recall, back.precision)


@forall(PROPOSITIONS, PROPOSITIONS, PROPOSITIONS)
def test_exact_matching_ignores_the_order_of_references(candidate, a, b):
    spice = Spice(synonyms="none")
    assert spice.compute(candidate, [a, b]).scores == spice.compute(candidate, [b, a]).scores
