"""Hallucinated objects, and the diversity of several captions of an image."""

import json
import math
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.cli.metrics import read_instances
from spice_core.errors import InputError
from spice_core.metrics.measure import corpus_scores, metric_signatures, segment_scores

NAMES = ["CHAIR-i", "CHAIR-s", "AllSPICE", "self-similarity"]
REFERENCES = ["a brown dog lies on a couch", "a red couch"]
ITEMS = [
    ("a dog and a cat on a sofa", REFERENCES), ("a vehicle", ["a red car"]), ("a brown dog on a red couch", REFERENCES),
    ("something is there", ["a red car on a road"]),
]  # fmt: skip


def test_objects_that_no_reference_entails_are_hallucinated():
    scores = segment_scores(ITEMS, NAMES[:2])
    assert scores["CHAIR-i"][:3] == [1 / 3, 0, 0] and scores["CHAIR-s"][:3] == [1, 0, 0]
    estimates = corpus_scores(ITEMS[:3], {name: values[:3] for name, values in scores.items()}, Spice())
    assert (estimates["CHAIR-i"].value, estimates["CHAIR-s"].value) == (1 / 6, pytest.approx(1 / 3))


def test_objects_among_the_instances_of_an_image_are_not_hallucinated(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """CHAIR's synonyms give categories other names. Images without instances are judged by their references."""
    instances = {
        "images": [{"id": 1}],
        "annotations": [{"id": 5, "image_id": 1, "category_id": n, "bbox": [0, 0, 1, 1]} for n in (17, 1)],
        "categories": [{"id": 1, "name": "person", "supercategory": "person"}, {"id": 17, "name": "cat"}],
    }
    rows = [{"image_id": n, "test": "A girl holds a kitten.", "refs": ["A sofa."]} for n in (1, 2)]
    files = {"in.json": json.dumps(rows), "instances.json": json.dumps(instances), "synonyms.txt": "person, girl, boy\ncat, kitten\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert read_instances(tmp_path / "instances.json") == {"1": {"person", "cat"}}
    names = ["--metrics", "CHAIR-i", "--instances", str(tmp_path / "instances.json"), "--object-synonyms", str(tmp_path / "synonyms.txt")]
    assert main(["metrics", str(tmp_path / "in.json"), *names]) == 0
    output = capsys.readouterr()
    assert "CHAIR-i  0.500" in output.out and "|objects:" in output.out and "no instances for 1 of 2 images" in output.err
    (tmp_path / "instances.json").write_text('{"annotations": [{"image_id": 1, "caption": "A dog."}]}')
    with pytest.raises(InputError, match="found only annotations, expected COCO’s instances"):
        read_instances(tmp_path / "instances.json")


def test_captions_of_an_image_are_merged_and_compared():
    spice = Spice()
    scores = segment_scores(ITEMS, NAMES[2:], spice=spice)
    first, second = ITEMS[0][0], ITEMS[2][0]
    assert scores["self-similarity"][0] == scores["self-similarity"][2] == spice.compute(first, [second]).f1
    assert math.isnan(scores["self-similarity"][1])
    assert scores["AllSPICE"][0] == scores["AllSPICE"][2] > spice.compute(first, REFERENCES).f1
    assert scores["AllSPICE"][1] == spice.compute(*ITEMS[1]).f1
    means = corpus_scores(ITEMS, scores, spice)
    assert means["self-similarity"].value == scores["self-similarity"][0]
    assert means["AllSPICE"].value == pytest.approx((scores["AllSPICE"][0] + sum(scores["AllSPICE"][1::2])) / 3)


def test_the_order_of_captions_does_not_matter_and_signatures_differ():
    scores, reversed_scores = (segment_scores(items, NAMES) for items in (ITEMS, ITEMS[::-1]))
    for name in NAMES:
        assert scores[name] == pytest.approx(reversed_scores[name][::-1], nan_ok=True)
    assert len({*metric_signatures(NAMES, Spice())}) == 4
