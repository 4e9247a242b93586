"""Test merged words of captions, the matches that depend on them, and matches by doubtful senses."""

from spice_core import Spice
from spice_core.explain.senses import doubtful_senses, merges_of, needed_merges


def test_merged_words_are_listed_with_the_matches_that_need_them():
    references = [[["couch"], ["couch", "brown"]], [["sofa"]], [["couch"]], [["lounge"], ["lounge"]]]
    spice = Spice(synonyms="wn3.0")
    result = spice.compute([["sofa", "brown"]], references)
    (couch,) = result.reference_graph.objects
    sofa, lounge_merge = merges_of(couch, spice.synonyms)
    assert sofa[:4] == ("sofa", (1,), ("couch",), (0, 2)) and sofa.synset.name == "sofa.n.01"
    assert lounge_merge[:4] == ("lounge", (3,), ("couch", "sofa"), (0, 1, 2))
    (brown,) = result.reference_graph.attributes[couch]
    assert merges_of(brown, spice.synonyms) == ()
    result = spice.compute([["cup", "near", "cat"]], [[["cup", "be near", "cat"], ["cup", "close", "cat"]]])
    (relation,) = result.reference_graph.relations[tuple(result.reference_graph.objects)]
    # The leading "be" of the relation is not part of the merged word.
    (merge,) = merges_of(relation, spice.synonyms)
    assert (merge.word, merge.synonyms) == ("close", ("near",))
    # "Train" matches "track" only through "rail" in another caption.
    spice = Spice(parser="spice-2016")
    single_result = spice.compute([["train", "long"]], [[["track", "long"]]])
    assert all(m.candidate.words != ("train", "long") for m in single_result.matches)
    result = spice.compute([["train", "long"]], [[["rail"]], [["track", "long"]]])
    (match,) = (m for m in result.matches if m.candidate.words == ("train", "long"))
    (merge,) = needed_merges(match, spice.synonyms)
    assert (merge.word, merge.captions, merge.synonyms, merge.synonym_captions) == ("track", (1,), ("rail",), (0,))
    # These matches also exist without merging, so no merge explains them.
    spice = Spice()
    result = spice.compute([["sofa", "brown"], ["cat", "be on", "sofa"]], [[["couch", "brown"]], [["cat", "on", "sofa"]]])
    assert len(result.matches) == 4
    assert all(needed_merges(match, spice.synonyms) == () for match in result.matches)


def test_an_action_merges_by_its_verb_and_doubtful_senses_do_not_count():
    spice = Spice()
    result = spice.compute("A horse.", ["A horse is pulling a cart.", "A horse is drawing a cart."])
    horse = next(o for o in result.reference_graph.objects if "horse" in o.concept.words)
    (action,) = result.reference_graph.attributes[horse]
    (merge,) = merges_of(action, spice.synonyms)
    assert (merge.word, merge.synonyms) == ("draw", ("pull",))
    assert all(m.word in action.concept.words for m in action.mentions)
    spice = Spice(synonyms="wn3.0+collisions")
    for (candidate, reference), doubtful_words in {
        ("able", "breathe"): ("collision", "collision"),
        ("stand", "bear"): ("digest.v.03", "rare"),
        ("man", "piece"): ("man.n.10", "rare"),
        ("area", "field"): ("sphere.n.01", "rare"),
    }.items():
        doubtful_rows = doubtful_sense_rows([[candidate]], [[reference]], spice)
        assert [
            (name.split(".")[0] if names_senses == "collision" else name, names_senses) for _, _, name, names_senses in doubtful_rows
        ] == [doubtful_words]
        assert Spice().compute([[candidate]], [[[reference]]]).matches == ()
    for candidate, reference in [
        ("racket", "racquet"),  # the fourth sense of one word is the first sense of the other
        *(("picture", "photograph"), ("big", "large"), ("couch", "sofa"), ("bicycle", "bike"), ("dog", "dog")),
        # The words share senses besides the colliding id.
        ("aid", "help"),
    ]:
        assert doubtful_sense_rows([[candidate]], [[reference]], spice) == []


def doubtful_sense_rows(candidate, reference, spice):
    result = spice.compute(candidate, [reference])
    return [(s.candidate, s.reference, s.synset.name, s.reason) for m in result.matches for s in doubtful_senses(m, spice.synonyms)]


def test_doubtful_senses_depend_on_tags_and_japanese_has_none(spice):
    """ "Rail" and "train" are synonyms only as verbs, but both are nouns here."""
    assert doubtful_sense_rows("A long train.", "A long rail.", spice) == [(("train",), ("rail",), "train.v.10", "part of speech")] * 2
    # Given tuples have no part-of-speech tags, so the sense is only rare.
    assert doubtful_sense_rows([["train"]], [["rail"]], spice) == [(("train",), ("rail",), "train.v.10", "rare")]
    # Participles count as verbs and adjectives.
    assert doubtful_sense_rows("A parked car.", "A car that parks.", spice) == []
    spice = Spice("ja")
    result = spice.compute("台所に女性がいる。", ["キッチンに女の人がいる。"])
    assert result.matches and all(doubtful_senses(m, spice.synonyms) == () for m in result.matches)
