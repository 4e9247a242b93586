"""Soft matching on real captions: bounds, what partial credit must do, and what it stands on."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from spice_core import Spice
from spice_core.errors import UnknownNameError
from spice_core.metrics.soft import Alignment, Soft, loaders, use
from spice_core.metrics.soft.encoder import Encoded, encoder
from spice_core.metrics.soft.similarity import Side

SAMPLE = Path(__file__).parents[3] / "assets" / "samples" / "coco.jsonl"

CAPTION = "A young girl standing on top of a tennis court."
REFERENCES = ["A child stands on a court with a racket.", "A girl on a tennis court."]


@pytest.fixture(scope="module")
def spice():
    return Spice()


@pytest.fixture(scope="module", params=["minilm", "static", "hypernyms"])
def soft(request, spice):
    return Soft(spice, request.param)


def test_the_same_caption_scores_one(soft):
    found = soft.compute(CAPTION, [CAPTION])
    assert found.f1 == pytest.approx(1, abs=1e-3)
    assert math.isnan(found.caption) or found.caption == pytest.approx(1, abs=1e-3)


def test_every_candidate_tuple_has_its_nearest(soft):
    found = soft.compute(CAPTION, REFERENCES)
    assert 0 < found.precision <= 1 and 0 < found.recall <= 1
    assert [m.candidate for m in found.matches] == [t for t in found.result.candidate_tuples if t in [m.candidate for m in found.matches]]
    assert all(0 < m.similarity <= 1.0001 for m in (*found.matches, *found.covered))


@pytest.mark.parametrize(
    ("near", "far"), [("A puppy on a bench.", "A bus on a street."), ("A dog on a chair.", "A plate of food on a table.")]
)
def test_near_earns_more_than_far(soft, near, far):
    references = ["An animal on a seat."]
    assert soft.compute(near, references).f1 > soft.compute(far, references).f1


def test_a_hypernym_is_shown_with_its_path(spice):
    found = Soft(spice, "hypernyms").compute("A puppy.", ["A dog."])
    assert found.matches[0].path == (("puppy", "dog"),)
    assert found.matches[0].similarity == 0.75
    assert found.result.f1 == 0


def test_empty_sides_score_zero(soft):
    for candidate, references in (("Of and the.", REFERENCES), (CAPTION, ["Of and the."])):
        assert soft.compute(candidate, references).f1 == 0


def test_propositions_that_were_written_down(soft):
    found = soft.compute([["dog"], ["dog", "brown"]], [[["dog"], ["dog", "brown"]]])
    assert found.f1 == pytest.approx(1, abs=1e-3)


def test_the_signature_is_never_spices(soft):
    assert soft.compute(CAPTION, REFERENCES).signature.startswith("soft|similarity:")


def test_plus_is_the_mean_of_tuples_and_captions(spice):
    found = Soft(spice).compute(CAPTION, REFERENCES)
    assert found.plus == pytest.approx(((found.precision + found.recall) / 2 + found.caption) / 2)


def test_captions_are_turned_towards_their_images():
    images = [json.loads(line)["captions"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()[:100]]
    first, second = (encoder()([captions[i] for captions in images]) for i in (0, 1))
    plain, turned = (np.stack([of(e) for e in first]) @ np.stack([of(e) for e in second]).T for of in (lambda e: e.whole, Encoded.caption))
    own, others = np.eye(len(images), dtype=bool), ~np.eye(len(images), dtype=bool)
    assert np.allclose([np.linalg.norm(e.caption()) for e in first], 1, atol=1e-5)
    apart = [(near[own].mean() - near[others].mean()) / near[others].std() for near in (plain, turned)]
    assert apart[1] > apart[0]


def test_batches_change_nothing(spice):
    one, many = Soft(spice), Soft(spice)
    many.prepare(list(spice.parse([CAPTION, *REFERENCES, "A bus.", "A very long caption about a man who rides a horse beside a river."])))
    assert one.compute(CAPTION, REFERENCES).plus == pytest.approx(many.compute(CAPTION, REFERENCES).plus, abs=1e-4)


def test_precision_and_recall_of_a_table():
    table = Alignment((), (), np.array([[0.5, 1.0], [0.2, 0.0]]))
    assert (table.precision, table.recall) == (0.6, 0.75)
    assert table.nearest == ((0, 1), (1, 0)) and table.covering == ((0, 0), (0, 1))


def test_unknown_similarities_are_named(spice):
    with pytest.raises(UnknownNameError, match="minilm"):
        Soft(spice, "bert")


@pytest.mark.parametrize(("by", "signature"), [(None, "use-multilingual-3"), ("words", "ja_ginza-vectors")])
def test_japanese_by_vectors(by, signature):
    soft = Soft(Spice("ja"), by)
    near, far = (soft.compute(c, ["猫がソファで寝ている。"]) for c in ("犬が長椅子で眠っている。", "電車が駅に止まっている。"))
    assert near.f1 > far.f1 and near.plus > far.plus
    assert near.signature.startswith(f"soft|similarity:{signature}")


def test_without_its_encoder_japanese_takes_word_vectors(monkeypatch):
    monkeypatch.setattr(loaders, "find_spec", lambda name: None)
    assert Soft(Spice("ja")).signature.startswith("soft|similarity:ja_ginza-vectors")


def test_a_tuple_is_the_stretch_of_its_caption():
    parses = tuple(Spice("ja").parse(["白い犬が公園を走る。"]))
    result = Spice("ja").compare(parses[0], parses)
    stretches = {use._text(t.mentions[0], len(t.concepts), parses) for t in result.candidate_tuples}
    assert {"白い犬", "犬が公園を走る"} <= stretches and "犬" in stretches


def test_equal_captions_have_similarity_1_in_any_batch():
    similarity = use.SpanSimilarity(use.universal_encoder())
    (parse,) = Spice("ja").parse(["白い犬が公園を走る。"])
    similarity.prepare([parse] * 3)
    side = Side(Spice("ja").compare(parse, [parse]).candidate_tuples, (parse,))
    assert np.allclose(np.diag(similarity.matrix(side, side)), 1) and similarity.captions(side, side) == pytest.approx([1])
