"""Which captions' words became one, and which matches needed it."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.explain.merges import merges, needed


def test_words_of_three_captions_in_one_concept():
    references = [[["couch"], ["couch", "brown"]], [["sofa"]], [["couch"]], [["lounge"], ["lounge"]]]
    spice = Spice(synonyms="wn3.0")
    result = spice.compute([["sofa", "brown"]], references)
    (couch,) = result.reference_graph.objects
    sofa, lounge = merges(couch, spice.synonyms)
    assert sofa[:4] == ("sofa", (1,), ("couch",), (0, 2)) and sofa.synset.name == "sofa.n.01"
    assert lounge[:4] == ("lounge", (3,), ("couch", "sofa"), (0, 1, 2))
    (brown,) = result.reference_graph.attributes[couch]
    assert merges(brown, spice.synonyms) == ()


def test_a_relation_merges_without_its_leading_be():
    spice = Spice()
    result = spice.compute([["cup", "near", "cat"]], [[["cup", "be near", "cat"], ["cup", "close", "cat"]]])
    (relation,) = result.reference_graph.relations[tuple(result.reference_graph.objects)]
    (merge,) = merges(relation, spice.synonyms)
    assert (merge.word, merge.into) == ("close", ("near",))


def test_a_match_that_only_merging_made():
    """Train matches track only by way of rail, which another caption says."""
    spice = Spice(parser="spice-2016")
    alone = spice.compute([["train", "long"]], [[["track", "long"]]])
    assert all(m.candidate.words != ("train", "long") for m in alone.matches)
    result = spice.compute([["train", "long"]], [[["rail"]], [["track", "long"]]])
    (match,) = (m for m in result.matches if m.candidate.words == ("train", "long"))
    (merge,) = needed(match, spice.synonyms)
    assert (merge.word, merge.captions, merge.into, merge.into_captions) == ("track", (1,), ("rail",), (0,))


def test_a_match_that_stands_without_merging_needs_none():
    spice = Spice()
    result = spice.compute([["sofa", "brown"], ["cat", "be on", "sofa"]], [[["couch", "brown"]], [["cat", "on", "sofa"]]])
    assert len(result.matches) == 4
    assert all(needed(match, spice.synonyms) == () for match in result.matches)


@pytest.mark.parser
def test_the_merge_of_an_action_attribute_is_that_of_its_verb():
    """The attribute "draw" of a relation "draw in" once was explained by the senses of "draw in"."""
    spice = Spice()
    result = spice.compute("A horse.", ["A horse is pulling a cart.", "A horse is drawing a cart."])
    horse = next(o for o in result.reference_graph.objects if "horse" in o.concept.words)
    (action,) = result.reference_graph.attributes[horse]
    (merge,) = merges(action, spice.synonyms)
    assert (merge.word, merge.into) == ("draw", ("pull",))
    assert all(m.word in action.concept.words for m in action.mentions)
