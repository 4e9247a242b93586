"""Test soft matching on real captions: bounds, properties and sources of partial credit, and long captions split into sentences."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from spice_core import Spice
from spice_core.errors import UnknownNameError
from spice_core.metrics.soft import Alignment, Soft, soft, universal_encoder
from spice_core.metrics.soft.encoder import EncodedText, load_encoder
from spice_core.metrics.soft.passages import passage_similarity, split_passages
from spice_core.metrics.soft.similarity import Side
from spice_core.scene.propositions import Parse

SAMPLE = Path(__file__).parents[3] / "assets" / "samples" / "coco.jsonl"

CAPTION = "A young girl standing on top of a tennis court."
REFERENCES = ["A child stands on a court with a racket.", "A girl on a tennis court."]


@pytest.fixture(scope="module")
def spice():
    return Spice()


@pytest.fixture(scope="module", params=["minilm", "hypernyms"])
def soft_metric(request, spice):
    return Soft(spice, request.param)


def test_soft_scores_of_near_captions_are_between_those_of_equal_and_far_ones(soft_metric):
    soft_result = soft_metric.compute(CAPTION, [CAPTION])
    given_result = soft_metric.compute([["dog"], ["dog", "brown"]], [[["dog"], ["dog", "brown"]]])
    assert soft_result.f1 == pytest.approx(1, abs=1e-3) and given_result.f1 == pytest.approx(1, abs=1e-3)
    assert math.isnan(soft_result.caption) or soft_result.caption == pytest.approx(1, abs=1e-3)
    soft_result = soft_metric.compute(CAPTION, REFERENCES)
    assert soft_result.signature.startswith("soft|similarity:")
    assert 0 < soft_result.precision <= 1 and 0 < soft_result.recall <= 1
    assert [m.candidate for m in soft_result.matches] == [
        t for t in soft_result.result.candidate_tuples if t in [m.candidate for m in soft_result.matches]
    ]
    assert all(0 < m.similarity <= 1.0001 for m in soft_result.matches)
    for near_caption, far_caption in [("A puppy on a bench.", "A bus on a street."), ("A dog on a chair.", "A plate of food on a table.")]:
        references = ["An animal on a seat."]
        assert soft_metric.compute(near_caption, references).f1 > soft_metric.compute(far_caption, references).f1
    for candidate, references in (("Of and the.", REFERENCES), (CAPTION, ["Of and the."])):
        assert soft_metric.compute(candidate, references).f1 == 0


def test_vectors_of_a_text_do_not_depend_on_the_other_texts_of_a_call():
    texts = [
        "a dog",
        "a cat",
        "a red bus",
        "",
        *(caption for line in SAMPLE.open(encoding="utf-8") for caption in json.loads(line)["captions"][:1]),
    ]
    for text, encoded in zip(texts, load_encoder()(texts)):
        (alone,) = load_encoder()([text])
        assert np.array_equal(alone.text_vector, encoded.text_vector) and np.array_equal(alone.piece_vectors, encoded.piece_vectors)


def test_hypernyms_have_a_path_and_plus_is_the_mean_of_tuples_and_captions(spice):
    soft_result = Soft(spice, "hypernyms").compute("A puppy.", ["A dog."])
    assert soft_result.matches[0].path == (("puppy", "dog"),)
    assert soft_result.matches[0].similarity == 0.75
    assert soft_result.result.f1 == 0
    soft_result = Soft(spice).compute(CAPTION, REFERENCES)
    assert soft_result.plus == pytest.approx(((soft_result.precision + soft_result.recall) / 2 + soft_result.caption) / 2)
    with pytest.raises(UnknownNameError, match="minilm"):
        Soft(spice, "bert")


def test_mapped_vectors_separate_the_captions_of_different_images_better():
    images = [json.loads(line)["captions"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()[:40]]
    first_codes, second_codes = (load_encoder()([captions[i] for captions in images]) for i in (0, 1))
    plain_vectors, mapped_vectors = (
        np.stack([vector_of(e) for e in first_codes]) @ np.stack([vector_of(e) for e in second_codes]).T
        for vector_of in (lambda e: e.text_vector, EncodedText.caption_vector)
    )
    is_own, is_other = np.eye(len(images), dtype=bool), ~np.eye(len(images), dtype=bool)
    assert np.allclose([np.linalg.norm(e.caption_vector()) for e in first_codes], 1, atol=1e-5)
    separations = [
        (similarities[is_own].mean() - similarities[is_other].mean()) / similarities[is_other].std()
        for similarities in (plain_vectors, mapped_vectors)
    ]
    assert separations[1] > separations[0]


def test_batches_change_nothing_and_one_wrong_word_in_a_long_caption_is_noticed(spice):
    single_scores, batch_scores = Soft(spice), Soft(spice)
    batch_scores.prepare(
        list(spice.parse([CAPTION, *REFERENCES, "A bus.", "A very long caption about a man who rides a horse beside a river."]))
    )
    assert single_scores.compute(CAPTION, REFERENCES).plus == pytest.approx(batch_scores.compute(CAPTION, REFERENCES).plus, abs=1e-4)
    for right_caption, wrong_caption in [
        ("dog", "cat"),
        ("red", "green"),
        ("Two", "Five"),
        ("in front of", "behind"),
        ("reading", "burning"),
        ("wet", "dry"),
    ]:
        soft_metric = Soft(spice)
        reference = LONG_CAPTION.replace("Two men are sitting", "A street scene. Two men sit").replace("is lying", "lies")
        better_score, worse_score = (
            soft_metric.score_result(spice.compute(caption, [reference]))
            for caption in (LONG_CAPTION, LONG_CAPTION.replace(right_caption, wrong_caption))
        )
        assert better_score.result.f1 > worse_score.result.f1 and better_score.f1 > worse_score.f1 and better_score.plus > worse_score.plus


def test_a_similarity_table_gives_precision_and_recall_and_passages_are_weighted_by_length():
    table = Alignment((), (), np.array([[0.5, 1.0], [0.2, 0.0]]))
    assert (table.precision, table.recall) == (0.6, 0.75)
    assert table.nearest == ((0, 1), (1, 0))
    sentences = ("A dog.", "It runs.")
    assert split_passages(Parse("A dog. It runs.", (), sentences=sentences)) == ("A dog. It runs.",)
    assert split_passages(Parse("A dog. It runs." * 20, (), sentences=sentences)) == sentences
    assert split_passages(Parse("a dog" * 50, ())) == ("a dog" * 50,)
    assert passage_similarity(np.array([[0.3]]), ([7], [9])) == 0.3
    assert passage_similarity(np.array([[1.0, 0.2], [0.4, 0.6]]), ([30, 10], [10, 10])) == pytest.approx(((30 + 6) / 40 + 1.6 / 2) / 2)


def test_japanese_captions_match_by_their_encoder_or_by_word_vectors(monkeypatch):
    for encoder_name, signature in [(None, "use-multilingual-3"), ("words", "ja_ginza-vectors")]:
        soft_metric = Soft(Spice("ja"), encoder_name)
        near_caption, far_caption = (
            soft_metric.compute(c, ["猫がソファで寝ている。"]) for c in ("犬が長椅子で眠っている。", "電車が駅に止まっている。")
        )
        assert near_caption.f1 > far_caption.f1 and near_caption.plus > far_caption.plus
        assert near_caption.signature.startswith(f"soft|similarity:{signature}")
    monkeypatch.setattr(soft, "find_spec", lambda name: None)
    assert Soft(Spice("ja")).signature.startswith("soft|similarity:ja_ginza-vectors")


def test_a_tuple_is_represented_by_its_span_and_equal_captions_have_similarity_1():
    parses = tuple(Spice("ja").parse(["白い犬が公園を走る。"]))
    result = Spice("ja").compare(parses[0], parses)
    stretches = {universal_encoder._mention_text(t.mentions[0], len(t.concepts), parses) for t in result.candidate_tuples}
    assert {"白い犬", "犬が公園を走る"} <= stretches and "犬" in stretches
    similarity = universal_encoder.SpanSimilarity(universal_encoder.load_universal_encoder())
    (parse,) = Spice("ja").parse(["白い犬が公園を走る。"])
    similarity.prepare([parse] * 3)
    side = Side(Spice("ja").compare(parse, [parse]).candidate_tuples, (parse,))
    assert np.allclose(np.diag(similarity.matrix(side, side)), 1) and similarity.caption_similarities(side, side) == pytest.approx([1])


LONG_CAPTION = (
    "Two men are sitting on a wooden bench in front of a shop. One of them is reading a newspaper. A brown dog is lying at their feet, and "
    "its leash is red. In the background, a bus is waiting at the corner. The street is wet, and several people are carrying umbrellas."
)
