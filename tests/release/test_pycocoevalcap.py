"""Test the unchanged example of pycocoevalcap, with our SPICE and with pycocoevalcap's data classes, tokenizer and other metrics."""

import json
import runpy
import shutil
from pathlib import Path

import pytest

from spice_core import coco
from spice_core.metrics.measure import corpus_scores, segment_scores
from spice_core.metrics.spice import Spice
from tests.conftest import DATA
from tests.release.conftest import import_library

STORED_SCORES = json.loads((DATA / "baselines.json").read_text(encoding="utf-8"))
OTHER_METRICS = {"Bleu_1": "BLEU-1", "Bleu_4": "BLEU-4", "ROUGE_L": "ROUGE-L", "CIDEr": "CIDEr-D"}


@pytest.mark.release
def test_our_scores_equal_those_of_the_pycocoevalcap_example(tmp_path, monkeypatch, print_table):
    module = import_library("pycocoevalcap.eval")
    if not shutil.which("java"):
        pytest.skip("pycocoevalcap's tokenizer and METEOR need Java: its example was NOT run")
    captions = [(i, caption) for i, row in enumerate(STORED_SCORES) for caption in row["references"]]
    annotations = [{"id": annotation_id, "image_id": image, "caption": caption} for annotation_id, (image, caption) in enumerate(captions)]
    files = {
        "captions_val2014.json": {"images": [{"id": i} for i in range(len(STORED_SCORES))], "annotations": annotations},
        "captions_val2014_fakecap_results.json": [{"image_id": i, "caption": row["candidate"]} for i, row in enumerate(STORED_SCORES)],
    }
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "Spice", coco.Spice)
    example = Path(module.__file__).parent / "example" / "coco_eval_example.py"
    completed = runpy.run_path(str(example))["coco_eval"]
    items, spice = [(row["candidate"], row["references"]) for row in STORED_SCORES], Spice(parser="spice-2016")
    scores_by_metric = segment_scores(items, ["SPICE", *OTHER_METRICS.values()], spice=spice)
    own_scores = {name: corpus_value.value for name, corpus_value in corpus_scores(items, scores_by_metric, spice, resamples=10).items()}
    rows = {name: (completed.eval[name], own_scores[metric_name]) for name, metric_name in OTHER_METRICS.items()}
    print_table(
        "pycocoevalcap's example, 60 images", rows | {"SPICE (its tokens, raw captions)": (completed.eval["SPICE"], own_scores["SPICE"])}
    )
    for original_score, own_score in rows.values():
        assert own_score == pytest.approx(original_score, abs=1e-6)
    assert completed.eval["SPICE"] == pytest.approx(
        own_scores["SPICE"], abs=0.01
    )  # pycocoevalcap's tokenizer removes capitals and punctuation
    assert len(completed.evalImgs) == len(STORED_SCORES) and all(0 <= image["SPICE"]["All"]["f"] <= 1 for image in completed.evalImgs)
