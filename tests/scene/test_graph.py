"""Test merging of captions into a scene graph: a table of cases, and properties for random propositions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spice_core import Spice
from spice_core.draw.svg import result_svg
from spice_core.evaluation.parse_cache import decode_parse, encode_parse
from spice_core.lang.en.wordnet.database import wordnet_with_collisions
from spice_core.scene.graph import DISTINCT_SCHEME, Concept, SceneGraph
from spice_core.scene.matching import match_candidates
from spice_core.scene.propositions import parse_from_tuples
from spice_core.scene.synonyms import NoSynonyms, parts_of_speech
from spice_core.syntax.document import Token

RANDOM_WORDS = st.sampled_from("dog puppy sofa couch lounge person man woman court stand bear ride brown red on sit two big".split())
PROPOSITIONS = st.lists(st.lists(RANDOM_WORDS, min_size=1, max_size=3), max_size=12)
DEFAULT_SPICE, EXACT_SPICE = Spice(), Spice(synonyms="none")


def graph(*captions, synonyms=None, **options) -> SceneGraph:
    return SceneGraph.merge_parses([parse_from_tuples(c, where="test") for c in captions], synonyms or wordnet_with_collisions(), **options)


def test_captions_are_merged():
    for captions, tuples, decision in [
        # Propositions of the captions, tuples of the merged graph, and the rule that the case shows.
        ([[["dog"]], [["dog"]]], [("dog",)], "the same object is one node"),
        ([[["sofa"]], [["couch"]]], [("couch/sofa",)], "synonyms are one node"),
        ([[["dog", "brown"]]], [("dog",), ("dog", "brown")], "a host is an object"),
        ([[["man", "be on", "horse"]]], [("horse",), ("man",), ("man", "on", "horse")], 'a leading "be " is dropped'),
        ([[["sofa", "big"]], [["couch", "large"]]], [("couch/sofa",), ("couch/sofa", "big/large")], "similar attributes of one node merge"),
        ([[["man", "in", "man"]]], [("man",), ("man", "in", "man")], "a relation of a node to itself is possible"),
        ([[]], [], "no proposition, no tuple"),
    ]:  # fmt: skip
        assert [t.words for t in graph(*captions).tuples()] == tuples
    assert [t.words for t in graph([["sofa"]], [["couch"]], synonyms=NoSynonyms()).tuples()] == [("couch",), ("sofa",)]
    # "Lounge" shares one synset with "sofa/couch" and none with "dog".
    merged = graph([["dog"], ["sofa"], ["couch"], ["lounge"]])
    assert [t.words for t in merged.tuples()] == [("couch/lounge/sofa",), ("dog",)]


def test_negated_tuples_match_only_negated_tuples():
    for candidate, reference, tuples, f1 in [
        # The tuples are those of the candidate. "No dog runs" does not state that there is no dog.
        ("There is no group of people dancing.", "A group of people are dancing.", [("people", "¬dance")], 0),
        ("There is no group of people dancing.", "There are no people dancing.", [("people", "¬dance")], 1),
        ("A dog without a collar.", "A dog with a collar.", [("dog",), ("dog", "¬with", "collar")], 0.4),
        ("A dog without a collar.", "A dog without a collar.", [("dog",), ("dog", "¬with", "collar")], 1),
        ("No dog runs.", "A dog runs.", [("dog", "¬run")], 0),
        ("There are no dogs.", "Two dogs.", [("¬dog",)], 0),
    ]:
        result = DEFAULT_SPICE.compute(candidate, [reference])
        assert [t.words for t in result.candidate_tuples] == tuples and result.f1 == f1, candidate
        cached = decode_parse(candidate, encode_parse(result.candidate), "")
        assert [t.words for t in DEFAULT_SPICE.graph([cached]).tuples()] == tuples
    negated = result.graph().nodes["c:o1"]
    assert negated["negated"] and negated["words"] == ["dog"] and "negated" in result.tuple_as_json(result.candidate_tuples[0])
    assert "line-through" in result_svg(result, view="candidate")


def test_two_objects_of_one_caption_remain_separate_and_do_not_match_by_sense():
    for captions, objects, decision in [
        # Propositions of the captions, words of the objects, and the rule that the case shows.
        ([[["toilet"]], [["bathroom"]]], ["bathroom/toilet"], "no caption has both"),
        ([[["toilet"]], [["bathroom"]], [["bathroom", "with", "toilet"]]], ["bathroom", "toilet"], "a later caption has both"),
        ([[["toilet", "white"], ["bathroom"]], [["bathroom"]]], ["bathroom", "toilet"], "the first caption has both"),
        ([[["sofa", "near", "couch"]], [["lounge"]]], ["couch", "lounge/sofa"], "a third word joins one of them"),
        ([[["lounge"]], [["sofa", "near", "couch"]]], ["couch", "lounge/sofa"], "or is joined by one of them"),
        ([[["sofa", "near", "sofa"]], [["couch"]]], ["couch/sofa"], "a word is never apart from itself"),
        ([[["dog"]], [["dog", "on", "sofa"]]], ["dog", "sofa"], "equal words are one object"),
    ]:  # fmt: skip
        merged = graph(*captions, scheme=DISTINCT_SCHEME)
        assert [t.words[0] for t in merged.tuples() if t.kind == "object"] == objects
    for candidate, references, matched_count in [
        ([["toilet"]], [[["bathroom"]]], True),
        ([["toilet", "white"]], [[["toilet"]], [["bathroom", "white"]]], True),  # merged
        ([["toilet", "white"]], [[["bathroom", "with", "toilet"], ["bathroom", "white"]]], False),
        ([["toilet", "white"], ["bathroom"]], [[["bathroom", "white"]]], False),
    ]:  # fmt: skip
        graph_sides = [graph(*captions, scheme=DISTINCT_SCHEME).tuples() for captions in ([candidate], references)]
        assert (
            any("toilet" in m.candidate.words[0] for m in match_candidates(*graph_sides) if m.candidate.words[-1] == candidate[0][-1])
            == matched_count
        )


def test_similarity_is_shared_over_all_synsets_except_those_that_are_rare_in_both():
    piece = Concept(frozenset({"piece"}), frozenset({1, 2}), frozenset({1}))
    man = Concept(frozenset({"man"}), frozenset({1, 3}), frozenset({1}))
    slice_ = Concept(frozenset({"slice"}), frozenset({1}))
    assert not piece.is_similar(man) and piece.shared_synsets(man) == frozenset() and piece.similarity(man) == 0
    assert piece.shared_synsets(slice_) == {1}
    assert piece.merge(slice_).rare_synsets == frozenset() and piece.merge(man).rare_synsets == {1}
    assert man.is_similar(piece.merge(slice_))
    a, b = Concept(frozenset({"a"}), frozenset({1, 2, 3})), Concept(frozenset({"b"}), frozenset({3, 4}))
    assert a.similarity(b) == pytest.approx(1 / 4)
    assert a.similarity(Concept(frozenset({"a"}))) == 1.0
    assert not a.is_similar(Concept(frozenset({"c"}), frozenset({9})))


def test_elements_record_parts_of_speech_captions_and_merge_reasons():
    tagged_words = [("NNS", "dog"), ("VBZ", "run"), ("VBG", "run"), ("JJ", "tall"), ("JJ", "parked"), ("RB", "up"), ("IN", "on")]
    wordnet = wordnet_with_collisions()
    parts_found = [parts_of_speech(wordnet, [Token(0, "", lemma, tag)]) for tag, lemma in tagged_words]
    assert parts_found == ["n", "v", "va", "a", "va", "r", ""] and parts_of_speech(wordnet, []) == ""
    assert parts_of_speech(NoSynonyms(), [Token(0, "", "dog", "NN")]) == ""
    sofa = graph([["sofa"]], [["dog"]], [["couch"], ["sofa", "red"]]).objects[0]
    assert sofa.captions == [0, 2]
    assert [(m.word, m.merge_reason) for m in sofa.mentions] == [("sofa", "new"), ("couch", "merged"), ("sofa", "merged")]
    assert sofa.words == ["sofa", "couch"]


@settings(max_examples=30)
@given(PROPOSITIONS)
def test_merging_partitions_the_parts_and_is_idempotent(propositions):
    merged = graph(propositions)
    mentions = [(id(m.proposition), m.part) for e in merged.elements() for m in e.mentions]
    assert len(mentions) == len(set(mentions)) == sum(len(p) for p in propositions)
    assert len(graph(propositions, propositions).tuples()) <= len(merged.tuples())
    assert DEFAULT_SPICE.compute(propositions, [propositions]).f1 == (1.0 if propositions else 0.0)


@settings(max_examples=30)
@given(PROPOSITIONS, PROPOSITIONS, PROPOSITIONS)
def test_exact_matching_swaps_precision_and_recall_with_the_sides_and_ignores_the_order_of_references(candidate, a, b):
    swapped_result, back = EXACT_SPICE.compute(a, [b]), EXACT_SPICE.compute(b, [a])
    assert not (a and b) or (swapped_result.precision, swapped_result.recall) == (back.recall, back.precision)
    assert EXACT_SPICE.compute(candidate, [a, b]).scores == EXACT_SPICE.compute(candidate, [b, a]).scores


@settings(max_examples=200)
@given(
    st.permutations([["sofa"], ["couch", "red"], ["lounge"], ["stand", "near", "couch"]]),
    st.lists(PROPOSITIONS, min_size=2, max_size=5),
    st.randoms(),
)
def test_with_distinct_objects_the_order_of_captions_decides_only_how_elements_are_numbered(known_words, captions, random):
    captions = [*captions, *([caption_] for caption_ in known_words)]
    shuffled_captions = random.sample(captions, len(captions))
    swapped_result, back = (graph(*caption_, scheme=DISTINCT_SCHEME) for caption_ in (captions, shuffled_captions))
    assert [(t.words, t.concepts) for t in swapped_result.tuples()] == [(t.words, t.concepts) for t in back.tuples()]
    numbers = [(m.caption, e.id) for e in swapped_result.elements() for m in e.mentions if m.merge_reason == "new"]
    assert sorted(numbers, key=lambda caption_: int(caption_[1][1:])) == sorted(
        numbers, key=lambda caption_: (caption_[0], int(caption_[1][1:]))
    )
    for element in swapped_result.elements():
        assert [m.merge_reason for m in element.mentions].count("new") == 1 and element.mentions[0].merge_reason == "new"
