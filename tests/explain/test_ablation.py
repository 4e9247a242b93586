"""Captions without one of their words."""

from __future__ import annotations

import pytest

from spice_core import Spice
from spice_core.explain.ablation import ablate
from spice_core.explain.result_diff import compare
from spice_core.scene.propositions import from_tuples

pytestmark = pytest.mark.parser


def test_without_young_exactly_the_attribute_is_lost(spice):
    whole = spice.compute("A young girl holding a racket.", ["A young girl with a racquet."])
    young, *_ = found = ablate(spice, whole.candidate, whole.references)
    assert [(a.start, a.end, a.word) for a in found] == [(2, 7, "young"), (8, 12, "girl"), (13, 20, "holding"), (23, 29, "racket")]
    assert young.caption == "A girl holding a racket."
    changes = [c for c in compare(whole, young.result).changes if c.side == "candidate" and c.kind != "kept"]
    assert [(c.words, c.kind, c.before) for c in changes] == [(("girl", "young"), "lost", "exact")]
    assert young.change == young.f1 - whole.f1 < 0


@pytest.mark.parametrize(
    ("caption", "variants"),
    [
        ("A young girl holding a racket.", ["A girl holding a racket.", "A young holding a racket.", "A young girl a racket.", "A young girl holding."]),
        ("Two dogs are on the street", ["dogs are on the street", "Two are on the street", "Two dogs are"]),
        ("A cat next to a car, asleep", ["next to a car, asleep", "A cat, asleep", "A cat next to a car,"]),
        ("The (red) \"bus\"", ['The () "bus"', 'The (red) ""']),
        ("Dog.", ["."]),
        ("", []),
    ],
)  # fmt: skip
def test_what_is_left(spice, caption, variants):
    (parse,) = spice.parse([caption])
    assert [a.caption for a in ablate(spice, parse, [parse])] == variants


def test_japanese_words_take_their_particles_along():
    spice = Spice("ja")
    (parse,) = spice.parse(["公園で二匹の犬が走っている。"])
    found = {a.word: a.caption for a in ablate(spice, parse, [parse])}
    assert found == {
        "公園": "二匹の犬が走っている。",
        "二匹": "公園で犬が走っている。",
        "犬": "公園で二匹の走っている。",
        "走っ": "公園で二匹の犬が。",
    }


def test_the_spans_go_by_the_text_and_the_scores_by_the_variant(spice):
    (parse, *references) = spice.parse(["A  man rides a   red bike. Two dogs watch him.", "A man on a bike.", "Dogs watch."])
    whole = spice.compare(parse, references).f1
    for a in ablate(spice, parse, references):
        assert parse.document.text[a.start : a.end] == a.word
        assert a.f1 == spice.compare(next(spice.parse([a.caption])), references).f1
        assert a.change == a.f1 - whole


def test_given_propositions_have_no_words(spice):
    parse = from_tuples([["dog"]], where="candidate")
    assert ablate(spice, parse, [parse]) == ()
