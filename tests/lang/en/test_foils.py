"""Test foils: one fact differs, and no foil scores higher than the caption."""

import pytest

from spice_core import Spice
from spice_core.lang import language
from spice_core.metrics.soft import Soft

CAPTIONS = {
    "Two men in red shirts are riding a brown horse on the beach.": {
        ("participant", "Two women in red shirts are riding a brown horse on the beach."),
        ("participant", "Two men in red shirts are riding a brown cow on the beach."),
        ("number", "Three men in red shirts are riding a brown horse on the beach."),
        ("colour", "Two men in black shirts are riding a brown horse on the beach."),
        ("colour", "Two men in red shirts are riding a black horse on the beach."),
        ("place", "Two men in red shirts are riding a brown horse in the kitchen."),
        ("relation", "Two men in red shirts are riding a brown horse under the beach."),
        ("negation", "Two men in red shirts are not riding a brown horse on the beach."),
    },
    "A dog chases a cat.": {
        ("participant", "A cat chases a cat."),
        ("participant", "A dog chases a dog."),
        ("exchange", "A cat chases a dog."),
    },
    "An elephant stands in a room.": {
        ("participant", "A bear stands in a room."),
        ("action", "An elephant sits in a room."),
        ("place", "An elephant stands in a forest."),
        ("relation", "An elephant stands outside a room."),
    },
}


@pytest.fixture(scope="module")
def spice() -> Spice:
    return Spice(scheme="entailed")


@pytest.mark.parametrize("caption", CAPTIONS)
def test_foils_differ_in_one_fact_and_score_lower(spice: Spice, caption: str):
    (parse,) = spice.parse([caption])
    foils = language("en").make_foils(parse)
    assert {tuple(foil) for foil in foils} == CAPTIONS[caption]
    soft = Soft(spice)
    for foil in foils:
        result = soft.compute(foil.caption, [parse])
        assert result.result.f1 < 1 and result.f1 < 1 and result.plus < 1, foil
        if foil.kind in ("number", "action", "exchange", "negation"):
            assert result.result.verdicts.contradictions, foil


def test_a_language_without_foils_makes_none():
    ja = Spice("ja")
    (parse,) = ja.parse(["犬が猫を追いかける。"])
    assert language("ja").make_foils(parse) == []
