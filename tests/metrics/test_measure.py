"""All metrics on the same captions: the command ``metrics`` beside the library's own answers."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import fmean

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.lang import language
from spice_core.metrics.measure import corpus_scores, segment_scores, signatures
from spice_core.metrics.registry import METRICS
from spice_core.metrics.text.bleu import corpus_bleu
from spice_core.metrics.text.tokens import tokenised

STORED = json.loads((Path(__file__).parents[1] / "golden" / "baselines.json").read_text(encoding="utf-8"))[:12]
ITEMS = [(row["candidate"], row["references"]) for row in STORED]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "captions.json"
    path.write_text(json.dumps([{"image_id": i, "test": c, "refs": r} for i, (c, r) in enumerate(ITEMS)]), encoding="utf-8")
    return path


def test_every_metric_has_a_line_and_a_column(file, tmp_path, capsys):
    out = tmp_path / "scores.csv"
    assert main(["metrics", str(file), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(METRICS)]] == list(METRICS)
    rows = list(csv.DictReader(out.open(encoding="utf-8")))
    assert list(rows[0]) == ["image_id", *METRICS] and len(rows) == len(ITEMS)
    scores = segment_scores(ITEMS, ["SPICE", "soft+"])
    assert [float(row["soft+"]) for row in rows] == pytest.approx(scores["soft+"], abs=1e-6)
    assert f"{fmean(scores['SPICE']):.3f}" in lines[0]


def test_every_metric_asked_for_is_signed(file, capsys):
    spice = Spice()
    assert main(["metrics", str(file), "--metrics", "SPICE", "hypernyms", "METEOR", "BLEU-4"]) == 0
    said = capsys.readouterr().out.splitlines()[-4:]
    assert said == signatures(["SPICE", "hypernyms", "METEOR", "BLEU-4"], spice)
    assert said[0] == str(spice.signature) and said[1].startswith("soft|similarity:hypernyms-wn3.0+ranks|lang:en|parser:caption")
    for part in ("lang:en", "tokens:penn", "synonyms:wn3.0", "sacrebleu:", "nltk:"):
        assert any(f"|{part}" in line for line in said[2:])
    assert [line.partition("|")[0] for line in said[2:]] == ["METEOR", "BLEU-4"]
    assert signatures(["SPICE"], spice) == [str(spice.signature)]
    assert signatures(["soft"], spice) != signatures(["hypernyms"], spice)


def test_bleu_is_that_of_the_data_set_and_means_lie_in_their_intervals():
    scores = segment_scores(ITEMS, ["SPICE", "ROUGE-L", "BLEU-4"])
    found = corpus_scores(ITEMS, scores, Spice(), resamples=200)
    assert found["BLEU-4"].value == corpus_bleu(tokenised(ITEMS, language("en")), 4) != pytest.approx(fmean(scores["BLEU-4"]))
    for name in ("SPICE", "ROUGE-L"):
        assert found[name].value == pytest.approx(fmean(scores[name]))
        assert found[name].low < found[name].value < found[name].high


def test_rows_of_json_lines_and_of_the_metrics_asked_for(file, tmp_path):
    out = tmp_path / "scores.jsonl"
    assert main(["metrics", str(file), "--metrics", "METEOR", "SPICE", "--out", str(out)]) == 0
    assert list(json.loads(out.read_text(encoding="utf-8").splitlines()[-1])) == ["image_id", "METEOR", "SPICE"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--out", "missing/a.csv"], "missing/a.csv: found No such file or directory, expected a file that can be written"),
        (["--problems", "missing/a"], "missing/a: found No such file or directory, expected a file that can be written"),
        (["--resamples", "0"], "--resamples: found 0, expected 1 to 100,000"),
        (["--seed", "-1"], "--seed: found -1, expected 0 or more"),
    ],
)
def test_options_that_cannot_be_followed_are_told_in_one_line(file, monkeypatch, capsys, options, said):
    monkeypatch.chdir(file.parent)
    assert main(["metrics", file.name, *options]) == 2
    assert capsys.readouterr() == ("", f"spice-core: {said}\n")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"image_id": "b7", "test": [["dog"]], "refs": ["a dog"]}, "image b7, field test"),
        ({"image_id": 1, "test": "a dog", "refs": []}, "line 1"),
    ],
)
def test_what_cannot_be_measured_is_named(tmp_path, capsys, row, said):
    path = tmp_path / "captions.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    assert main(["metrics", str(path)]) == 2 and said in capsys.readouterr().err
