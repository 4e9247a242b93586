"""Test relations between words, with the real WordNet and without synonyms."""

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.metrics.soft.hypernyms import HypernymSimilarity
from spice_core.scene.graph import Concept
from spice_core.scene.lexical_relations import are_spelt_alike, compare_concepts
from spice_core.scene.synonyms import NoSynonyms, hypernym_path, hypernyms_of, sense_rank_of

WORDNET = Spice(parser="spice-2016").synonyms
ASSETS = Path(__file__).parents[2] / "assets"


def concept(text: str, source=WORDNET) -> Concept:
    words = frozenset(text.split("/"))
    return Concept(words, frozenset().union(*map(source.ids, words)))


def compare_words(candidate_word: str, reference_word: str, source=WORDNET):
    """Compare two concepts. Slashes separate merged words."""

    return compare_concepts(concept(candidate_word, source), concept(reference_word, source), source)


def test_two_words_have_a_relation_or_a_reason_why_their_synonyms_do_not_count():
    for candidate_word, reference_word, expected_relation, expected_path in [
        ("dog", "dog", "word", ("dog",)), ("couch/sofa", "sofa", "word", ("sofa",)), ("couch", "sofa", "synset", ()),
        ("racket", "racquet", "synset", ()), ("grey", "gray", "synset", ()), ("dogs", "dog", "synset", ()),
        ("dog", "animal", "broader", ("dog", "domestic animal", "animal")),
        ("animal", "dog", "narrower", ("animal", "domestic animal", "dog")),
        ("sofa", "furniture", "broader", ("sofa", "seat", "furniture")),
        ("walk", "move", "broader", ("walk", "move")), ("skate board", "skateboard", "spelling", ()),
        ("skatebord", "skateboard", "spelling", ()), ("stand on", "stand in", "phrase", ("stand",)),
        ("bench", "chair", "sibling", ("bench", "seat", "chair")), ("red", "blue", "sibling", ("red", "chromatic color", "blue")),
        ("boat", "coat", "unrelated", ()),  # They differ in one letter, but both are words.
        ("hold", "have", "synset", ()), ("umbrella", "giraffe", "unrelated", ()),
    ]:  # fmt: skip
        relation = compare_words(candidate_word, reference_word)
        assert (relation.candidate, relation.reference, relation.relation, relation.path) == (
            candidate_word,
            reference_word,
            expected_relation,
            expected_path,
        )
        assert relation.agrees == (expected_relation in ("word", "synset"))
        assert (relation.synset is not None) == (expected_relation == "synset")
    # Matching separates similar words if a caption has both, or if the shared sense is rare for both.
    spice = Spice()
    result = spice.compute([["toilet", "white"], ["man"]], [[["bathroom", "white"]], [["bathroom", "with", "toilet"]], [["piece"]]])
    concepts_by_text = {
        str(t.concepts[0]): t.concepts[0] for t in (*result.candidate_tuples, *result.reference_tuples) if t.kind == "object"
    }
    bathroom = next(t.concepts[0] for t in result.reference_tuples if t.words == ("bathroom",))
    apart_relation = compare_concepts(concepts_by_text["toilet"], bathroom, spice.synonyms)
    rare_relation = compare_concepts(concepts_by_text["man"], concepts_by_text["piece"], spice.synonyms)
    assert (apart_relation.relation, apart_relation.synset.name, apart_relation.agrees) == ("apart", "toilet.n.01", False)
    assert (rare_relation.relation, rare_relation.synset.name, rare_relation.agrees) == ("rare", "man.n.10", False)
    assert [m.candidate.words for m in result.matches] == [("toilet",)]


def test_closeness_falls_with_every_step_and_a_path_has_a_limit():
    for a, b in [("dog", "animal"), ("red", "blue"), ("stand on", "stand in"), ("grey", "gray"), ("bat", "bath tub")]:
        assert compare_words(a, b).closeness == pytest.approx(compare_words(b, a).closeness)
    near_relation, far_relation = compare_words("walk", "move"), compare_words("dog", "animal")
    assert (
        1
        > near_relation.closeness
        > far_relation.closeness
        > compare_words("red", "blue").closeness
        > compare_words("umbrella", "giraffe").closeness
        == 0
    )
    assert compare_words("aid", "help").synset.collision is False
    assert compare_words("able", "breathe").synset.collision is True
    dog, entity = WORDNET.ids("dog"), {0}
    assert hypernym_path(WORDNET, dog, dog) == ()
    assert hypernym_path(WORDNET, dog, entity) == ()
    chain = hypernym_path(WORDNET, dog, entity, limit=20)
    assert chain[0] in dog and chain[-1] == 0
    assert all(broader in WORDNET.hypernyms(narrower) for narrower, broader in itertools.pairwise(chain))


def test_spellings_and_words_match_without_synonyms():
    for a, b, unknown, known_relation in [
        ("grey", "gray", True, False), ("racket", "racquet", True, False), ("colour", "color", True, False), ("doughnut", "donut", True, False),
        ("t-shirt", "T shirt", True, True), ("bus", "buses", True, True), ("テーブル", "テーブルー", True, True), ("cat", "car", False, False),
        ("走る", "座る", False, False), ("girl", "woman", False, False), ("-", "", False, False),
    ]:  # fmt: skip
        assert are_spelt_alike(a, b, in_dictionary=False) == are_spelt_alike(b, a, in_dictionary=False) == unknown
        assert are_spelt_alike(a, b, in_dictionary=True) == known_relation
    relations = [
        compare_words(a, b, NoSynonyms()).relation for a, b in (("dog", "dog"), ("grey", "gray"), ("couch", "sofa"), ("dog", "animal"))
    ]
    assert relations == ["word", "spelling", "unrelated", "unrelated"]
    assert (hypernyms_of(NoSynonyms(), 3), sense_rank_of(NoSynonyms(), "dog", 3)) == (frozenset(), None)


def test_words_related_in_the_explanation_get_credit_in_the_score():
    captions = (ASSETS / "captions" / "coco_500.txt").read_text(encoding="utf-8").lower()
    frequent_words = [word for word, _ in Counter(re.findall("[a-z]+", captions)).most_common(90) if WORDNET.ids(word)]
    score = HypernymSimilarity(WORDNET)
    kinds = Counter()
    for a, b in itertools.combinations(frequent_words, 2):
        relation_name, credit = compare_words(a, b).relation, score.credit(concept(a), concept(b))
        kinds[relation_name] += 1
        if relation_name != "spelling":
            is_joined = relation_name in ("broader", "narrower")
            assert credit == 1 if relation_name in ("word", "synset") else (0 < credit < 1) == is_joined, (a, b, relation_name, credit)
    assert min(kinds["synset"], kinds["broader"], kinds["narrower"]) > 5
