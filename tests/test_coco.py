"""SPICE inside pycocoevalcap and behind the calls of other libraries."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest

from spice_core import coco
from spice_core.errors import InputError
from tests.conftest import rows

DOG = [["dog"], ["dog", "brown"]]
CAT = [["cat"]]


def test_the_result_has_the_shape_of_pycocoevalcaps():
    mean, images = coco.Spice().compute_score({2: [DOG], 1: [DOG, CAT]}, {1: [CAT], 2: [DOG]})
    assert mean == pytest.approx((0.5 + 1) / 2)
    assert set(images[0]) == {"All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size"}
    assert images[0]["All"] == {"f": 0.5, "pr": 1.0, "re": 1 / 3, "tp": 1.0, "fp": 0.0, "fn": 2.0, "numImages": 1.0}
    assert math.isnan(images[0]["Size"]["f"]) and all(isinstance(v, float) for s in images[0].values() for v in s.values())


def test_batches_and_predictions():
    metric = coco.SpiceMetric()
    assert math.isnan(metric.compute())
    metric.update([DOG], [[DOG]])
    metric.update([CAT], [[DOG]])
    assert metric.compute() == 0.5
    metric.reset()
    assert math.isnan(metric.compute())
    assert coco.compute(predictions=[DOG, CAT], references=[[DOG], [DOG]]) == {"spice": 0.5, "scores": [1.0, 0.0]}
    with pytest.raises(InputError, match="expected the same image ids as gts"):
        metric.update([DOG, DOG], [[DOG]])


@pytest.mark.parametrize("references", ["a dog", []])
def test_references_that_are_no_list_of_captions_are_refused(references):
    """A single text would be taken letter by letter."""
    with pytest.raises(InputError, match="expected a list of at least one caption"):
        coco.compute([DOG], [references])
    with pytest.raises(InputError, match=r"gts\[7\]: found .*, expected a list of at least one caption"):
        coco.Spice().compute_score({7: references}, {7: [DOG]})


def test_numbers_and_texts_may_both_be_ids():
    mean, images = coco.Spice().compute_score({"a": [DOG], 10: [DOG], 9: [CAT]}, {"a": [CAT], 10: [DOG], 9: [DOG]})
    assert mean == pytest.approx(1 / 3) and [image["All"]["f"] for image in images] == [0, 1, 0]


def test_ids_without_an_order_are_named_before_anything_is_parsed(monkeypatch):
    monkeypatch.setattr(coco.Spice, "parse", lambda *_: pytest.fail("something was parsed"))
    captions = {1: ["a dog"], "x": ["a cat"], (1, 2): ["a bus"]}
    with pytest.raises(InputError, match=r"res: found \(1, 2\), expected an integer or a text"):
        coco.Spice().compute_score(captions, captions)


@pytest.mark.parametrize(("gts", "res", "where"), [(None, [DOG], "gts"), ([DOG], None, "res"), (np.array([]), [DOG], "gts")])
def test_what_is_no_list_is_named(gts, res, where):
    with pytest.raises(InputError, match=rf"{where}\[7\]: found .*, expected a list of "):
        coco.Spice().compute_score({7: gts}, {7: res})


class Captions:
    """What COCOEvalCap asks of pycocotools' COCO."""

    def __init__(self, captions: dict[str, list]):
        self.imgToAnns = {image: [{"caption": c} for c in each] for image, each in captions.items()}

    def getImgIds(self) -> list[str]:
        return list(self.imgToAnns)


class Plain:
    """In place of the tokenizer, which needs Java: captions go to the scorers as they are."""

    def tokenize(self, images: dict[str, list]) -> dict[str, list]:
        return {image: [annotation["caption"] for annotation in each] for image, each in images.items()}


class Silent:
    """In place of the other scorers."""

    def __init__(self, several: int = 0):
        self._several = several

    def method(self) -> str:
        return "another"

    def compute_score(self, gts, res):
        zeros = [0.0] * len(gts)
        return ([0.0] * self._several, [zeros] * self._several) if self._several else (0.0, zeros)


@pytest.fixture
def evaluation(monkeypatch):
    """COCOEvalCap with this SPICE."""
    module = pytest.importorskip("pycocoevalcap.eval", reason="pycocoevalcap is not installed: SPICE was NOT tried inside it")
    monkeypatch.setattr(module, "PTBTokenizer", Plain)
    for name in ("Bleu", "Meteor", "Rouge", "Cider"):
        monkeypatch.setattr(module, name, Silent)
    monkeypatch.setattr(module, "Spice", coco.Spice)

    def run(items: list[dict]):
        # pycocoevalcap hands the scores out in the order of its ids, so these are sorted
        items = sorted(items, key=lambda item: item["id"])
        done = module.COCOEvalCap(
            Captions({item["id"]: item["references"] for item in items}), Captions({item["id"]: [item["candidate"]] for item in items})
        )
        done.evaluate()
        return done.eval["SPICE"], {image: each["SPICE"] for image, each in done.imgToEval.items()}

    return run


def stored(shared) -> tuple[list[dict], dict]:
    with gzip.open(shared / "oracle" / "baselines.json.gz", "rt") as file:
        baselines = json.load(file)
    return [item for item in rows(shared / "oracle" / "scores.jsonl.gz") if item["id"] in baselines["images"]], baselines


@pytest.mark.parser
def test_the_mean_of_captions_inside_pycocoevalcap(evaluation, shared):
    items, baselines = stored(shared)
    mean, _ = evaluation(items)
    assert len(items) == 1000 and mean == pytest.approx(baselines["corpus"]["SPICE"], abs=0.004)


def test_given_propositions_inside_pycocoevalcap_score_the_same(evaluation, shared):
    items, baselines = stored(shared)
    known = {row["caption"]: row["propositions"] for row in rows(shared / "oracle" / "propositions.jsonl.gz")}
    given = [item | {"candidate": known[item["candidate"]], "references": [known[r] for r in item["references"]]} for item in items]
    mean, images = evaluation(given)
    assert mean == pytest.approx(baselines["corpus"]["SPICE"], abs=1e-12)
    for item in items:
        mine = images[item["id"]]
        assert all(
            mine[name]["f"] == pytest.approx(math.nan if s["f"] is None else s["f"], nan_ok=True) for name, s in item["scores"].items()
        )
