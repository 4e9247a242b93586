"""Matches by senses that nobody meant."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.explain.doubtful_senses import doubtful_senses


def of(candidate, reference, spice):
    result = spice.compute(candidate, [reference])
    return [(s.candidate, s.reference, s.synset.name, s.why) for m in result.matches for s in doubtful_senses(m, spice.synonyms)]


@pytest.mark.parametrize(
    ("candidate", "reference", "found"),
    [
        ("able", "breathe", ("collision", "collision")),
        ("stand", "bear", ("digest.v.03", "rare")),
        ("man", "piece", ("man.n.10", "rare")),
        ("area", "field", ("sphere.n.01", "rare")),
        ("racket", "racquet", None),  # the fourth sense of the one, the first of the other
        ("picture", "photograph", None),
        ("big", "large", None),
        ("couch", "sofa", None),
        ("bicycle", "bike", None),
        ("dog", "dog", None),
    ],
)
def test_words(candidate, reference, found):
    got = of([[candidate]], [[reference]], Spice(synonyms="wn3.0+collisions"))
    assert [(name.split(".")[0] if why == "collision" else name, why) for _, _, name, why in got] == ([found] if found else [])


def test_a_beyond_doubt_sense_beside_a_doubtful_one_is_no_surprise():
    assert of([["aid"]], [["help"]], Spice(synonyms="wn3.0+collisions")) == []  # a collision and a true sense


@pytest.mark.parametrize(("candidate", "reference"), [("able", "breathe"), ("stand", "bear"), ("man", "piece"), ("area", "field")])
def test_the_rules_of_captions_count_no_doubtful_sense(candidate, reference):
    assert Spice().compute([[candidate]], [[[reference]]]).matches == ()


@pytest.mark.parser
def test_part_of_speech_by_the_tags(spice):
    """To rail and to train are one verb; here both are nouns, in the object and in its attribute alike."""
    assert of("A long train.", "A long rail.", spice) == [(("train",), ("rail",), "train.v.10", "part of speech")] * 2
    assert of([["train"]], [["rail"]], spice) == [(("train",), ("rail",), "train.v.10", "rare")]  # no tags to go by


@pytest.mark.parser
def test_participles_are_verbs_and_adjectives(spice):
    assert of("A parked car.", "A car that parks.", spice) == []


@pytest.mark.parser
def test_japanese_has_neither_ranks_nor_collisions():
    spice = Spice("ja")
    result = spice.compute("台所に女性がいる。", ["キッチンに女の人がいる。"])
    assert result.matches and all(doubtful_senses(m, spice.synonyms) == () for m in result.matches)
