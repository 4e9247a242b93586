"""Test SPICE inside pycocoevalcap, and called as other libraries call it."""

import math
from collections.abc import Sequence
from statistics import fmean

import numpy as np
import pandas as pd
import pytest

from spice_core import Spice, coco
from spice_core.errors import InputError
from spice_core.evaluation.rewards import Rewards
from tests.conftest import DATA, rows

DOG_TUPLES = [["dog"], ["dog", "brown"]]
CAT_TUPLES = [["cat"]]


def test_the_result_has_the_shape_of_the_result_of_pycocoevalcap():
    mean, images = coco.Spice().compute_score({2: [DOG_TUPLES], 1: [DOG_TUPLES, CAT_TUPLES]}, {1: [CAT_TUPLES], 2: [DOG_TUPLES]})
    assert mean == pytest.approx((0.5 + 1) / 2)
    # Scores are in the order of `gts`.
    images = images[::-1]
    assert set(images[0]) == {"All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size"}
    assert images[0]["All"] == {"f": 0.5, "pr": 1.0, "re": 1 / 3, "tp": 1.0, "fp": 0.0, "fn": 2.0, "numImages": 1.0}
    assert math.isnan(images[0]["Size"]["f"]) and all(isinstance(v, float) for s in images[0].values() for v in s.values())


@pytest.mark.parametrize("kind", [Spice, coco.Spice])
@pytest.mark.parametrize(
    "ids",
    [(30, 20, 10), ("c", "a", "b"), ("10", "9", "100"), ("a", 10, 9), (10, "a", (1, 2)), (None, 2.5, "x"), (True, "b", frozenset({1}))],
    ids=str,
)
def test_scores_of_images_are_in_the_order_of_the_references(kind, ids):
    gts = dict(zip(ids, ([DOG_TUPLES], [CAT_TUPLES], [DOG_TUPLES, CAT_TUPLES])))
    for order in (ids, ids[::-1]):
        mean, images = kind().compute_score(gts, {image: [DOG_TUPLES] for image in order})
        assert [image["All"]["f"] for image in images] == [1, 0, 0.8] and mean == pytest.approx(0.6)


BUS_CAPTION, TRAM_CAPTION = "A red bus on a street.", "A tram passes two cars."


class Column(Sequence):
    """A column of a Hugging Face data set: a sequence that is not a list."""

    def __init__(self, values):
        self._values = values

    def __len__(self):
        return len(self._values)

    def __getitem__(self, index):
        return self._values[index]


@pytest.mark.parametrize(
    "make_column",
    [
        np.array,
        lambda values: np.array(values, dtype=object),
        pd.Series,
        lambda values: pd.Series(values, index=range(7, 7 + len(values))),
        Column,
    ],
)
def test_columns_of_numpy_pandas_and_data_sets_are_lists_of_captions(make_column):
    spice, refs = Spice(), [[BUS_CAPTION, TRAM_CAPTION], [TRAM_CAPTION, BUS_CAPTION]]
    expected_score = [spice.compute(caption, caption_row).f1 for caption, caption_row in zip((BUS_CAPTION, TRAM_CAPTION), refs)]
    columns = [make_column(caption_row) for caption_row in refs]
    assert [spice.compute(caption, caption_row).f1 for caption, caption_row in zip((BUS_CAPTION, TRAM_CAPTION), columns)] == expected_score
    captions = make_column([BUS_CAPTION, TRAM_CAPTION])
    assert coco.f1_scores(spice, captions, columns) == coco.f1_scores(spice, captions, refs) == expected_score
    assert spice.compute_score(dict(enumerate(columns)), {0: make_column([BUS_CAPTION]), 1: [TRAM_CAPTION]})[0] == fmean(expected_score)
    assert Rewards(dict(enumerate(columns)), spice=spice).scores(make_column([0, 1]), captions) == expected_score


@pytest.mark.parametrize(
    ("gts", "res", "place"),
    [
        (None, [DOG_TUPLES], "gts"),
        ([DOG_TUPLES], None, "res"),
        (np.array([]), [DOG_TUPLES], "gts"),
        ("a dog", [DOG_TUPLES], "gts"),
        ([], [DOG_TUPLES], "gts"),
    ],
)
def test_an_invalid_list_of_captions_is_reported(gts, res, place):
    """A single text must not be treated as a list of letters."""
    with pytest.raises(InputError, match=rf"{place}\[7\]: found .*, expected a list of "):
        coco.Spice().compute_score({7: gts}, {7: res})
    if place == "gts" and gts is not None:
        with pytest.raises(InputError, match="expected a list of at least one caption"):
            coco.f1_scores(Spice(), res, [gts])


class Annotations:
    """The part of pycocotools' ``COCO`` used by COCOEvalCap."""

    def __init__(self, captions: dict[int, list[str]]):
        self.imgToAnns = {image: [{"image_id": image, "caption": text} for text in texts] for image, texts in captions.items()}

    def getImgIds(self) -> list[int]:
        return list(self.imgToAnns)


class PassThroughTokenizer:
    """A stub of the tokenizer (which needs Java) that returns captions unchanged."""

    def tokenize(self, images: dict[str, list]) -> dict[str, list]:
        return {image: [annotation["caption"] for annotation in annotations] for image, annotations in images.items()}


class SilentScorer:
    """A stub of the other metrics."""

    def __init__(self, result_count: int = 0):
        self._several = result_count

    def method(self) -> str:
        return "another"

    def compute_score(self, gts, res):
        zeros = [0.0] * len(gts)
        return ([0.0] * self._several, [zeros] * self._several) if self._several else (0.0, zeros)


@pytest.fixture
def run_evaluation(monkeypatch):
    """Return a function that runs COCOEvalCap with our SPICE."""
    module = pytest.importorskip("pycocoevalcap.eval", reason="pycocoevalcap is not installed: SPICE was NOT tried inside it")
    monkeypatch.setattr(module, "PTBTokenizer", PassThroughTokenizer)
    for name in ("Bleu", "Meteor", "Rouge", "Cider"):
        monkeypatch.setattr(module, name, SilentScorer)
    monkeypatch.setattr(module, "Spice", coco.Spice)

    def run(items: list[dict]):
        references, candidates = ({item["id"]: item[side] for item in items} for side in ("refs", "test"))
        completed = module.COCOEvalCap(Annotations(references), Annotations({image: [test] for image, test in candidates.items()}))
        completed.evaluate()
        return completed.eval["SPICE"], {image: image_result["SPICE"] for image, image_result in completed.imgToEval.items()}

    return run


def test_given_propositions_inside_pycocoevalcap_score_the_same(run_evaluation):
    items = rows(DATA / "scores.jsonl")
    mean, images = run_evaluation(items)
    assert mean == pytest.approx(fmean(item["f"] for item in items), abs=1e-12)
    for item in items:
        for name, (tp, fp, fn) in item["counts"].items():
            expected_score = 2 * tp / (2 * tp + fp + fn) if tp + fn else math.nan
            assert images[item["id"]][name]["f"] == pytest.approx(expected_score, nan_ok=True)


def test_captions_are_read_unchanged_as_in_the_original():
    """The original SPICE also gives 0.75 and 1 without tokenization. COCOEvalCap tokenizes before every metric."""
    gts, res = {1: ["Two men ride bicycles."], 2: ["two men ride bicycles"]}, {i: ["two men ride bicycles"] for i in (1, 2)}
    _, images = coco.Spice().compute_score(gts, res)
    assert [image["All"]["f"] for image in images] == [0.75, 1]


def test_coco_eval_cap_returns_what_pycocoevalcap_returns_without_java():
    pytest.importorskip("sacrebleu")
    references = {
        7: ["A brown dog lies on a sofa.", 'A dog "sleeps" on a grey couch ..'],
        3: ["A big red bus!"],
        5: ["Two men ride bikes.", "Men; bikes"],
    }
    candidates = {7: ["A dog's on a couch."], 3: ["a big red bus"], 5: ["Two cyclists ride bikes."]}
    evaluation = coco.COCOEvalCap(Annotations(references), Annotations(candidates))
    evaluation.evaluate()
    assert [*evaluation.eval] == ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr", "SPICE"]
    assert [row["image_id"] for row in evaluation.evalImgs] == [7, 3, 5] == [*evaluation.imgToEval]
    gts, res = (coco.PTBTokenizer().tokenize(Annotations(captions).imgToAnns) for captions in (references, candidates))
    assert gts[7] == ["a brown dog lies on a sofa", "a dog sleeps on a grey couch"] and res[7] == ["a dog 's on a couch"]
    for ours, module in ((coco.Bleu(4), "bleu"), (coco.Rouge(), "rouge"), (coco.Cider(), "cider")):
        theirs = getattr(pytest.importorskip(f"pycocoevalcap.{module}.{module}"), type(ours).__name__)()
        options = {"verbose": 0} if module == "bleu" else {}
        for part, expected in zip(ours.compute_score(gts, res), theirs.compute_score(gts, res, **options)):
            assert np.asarray(part) == pytest.approx(np.asarray(expected), abs=1e-4) and ours.method() == theirs.method()
    assert (
        evaluation.eval["SPICE"]
        == coco.Spice().compute_score(gts, res)[0]
        == coco.Spice().compute_score(Annotations(gts).imgToAnns, res)[0]
    )
    assert evaluation.imgToEval[3]["METEOR"] == 1 == coco.Meteor().compute_score(gts, res)[1][1]
    with pytest.raises(InputError, match="expected the same image ids as gts"):
        coco.Cider().compute_score(gts, {7: ["a dog"]})
