"""Test the properties that all registered metrics share, and that the command ``metrics`` prints the scores of the library."""

import csv
import itertools
import json
import math
import random
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from spice_core import Spice
from spice_core.cli.main import main
from spice_core.errors import MissingResourceError, UnknownNameError
from spice_core.lang import LANGUAGES, language
from spice_core.lang.pack import TextTools
from spice_core.metrics.measure import corpus_scores, metric_signatures, segment_scores
from spice_core.metrics.metric import Batch
from spice_core.metrics.registry import DEFAULT_METRICS, METRICS, available_metrics, describe_unavailable_metrics, metric_by_name
from spice_core.metrics.text.overlap import corpus_bleu
from spice_core.metrics.text.tokens import tokenise_items
from spice_core.scene.graph import SCHEMES

SAMPLE_PATH = Path(__file__).parents[2] / "assets" / "samples" / "coco.jsonl"
EQUAL_CAPTION = "a dog on a sofa with a ball"
TWO_ITEMS = [(EQUAL_CAPTION, [EQUAL_CAPTION]), ("a red bus", ["two men ride horses in a field"])]
BARE_PACK = replace(language("en"), name="Bare", text=TextTools(), similarities=("hypernyms",))


@pytest.fixture(scope="module")
def scores_by_metric() -> dict[str, list[float]]:
    return segment_scores(TWO_ITEMS)


def test_every_metric_is_described_and_available_and_equal_captions_score_highest(scores_by_metric):
    for name in METRICS:
        equal_item, other_item = scores_by_metric[name]
        assert equal_item == pytest.approx(METRICS[name].max_score, abs=1e-3) and other_item < 0.3 * METRICS[name].max_score
    spice = Spice()
    for name in METRICS:
        assert METRICS[name].summary and metric_by_name(name).signature(spice).endswith(f"|version:{spice.signature.version}")
    assert len(set(metric_signatures(METRICS, spice))) == len(METRICS)
    for code in LANGUAGES:
        assert available_metrics(language(code)) == list(METRICS) and describe_unavailable_metrics(language(code)) == []


@pytest.mark.parametrize(("image_count", "permutation_count"), [(30, 1), pytest.param(400, 4, marks=pytest.mark.release)])
def test_permuted_references_and_images_give_the_same_scores_of_every_metric(image_count, permutation_count):
    """The release test repeats the sample's 100 images with other captions as candidates."""
    captions_by_image = [json.loads(line)["captions"] for line in SAMPLE_PATH.read_text(encoding="utf-8").splitlines()]
    items = [(refs[n], [*refs[:n], *refs[n + 1 :]]) for n in range(4) for refs in captions_by_image][:image_count]
    expected_scores, rng = segment_scores(items), random.Random(69)
    for _ in range(permutation_count):
        order = rng.sample(range(len(items)), len(items))
        scores = segment_scores([(items[i][0], rng.sample(items[i][1], 4)) for i in order])
        assert scores == {name: [values[i] for i in order] for name, values in expected_scores.items()}


def test_metrics_missing_in_a_language_are_reported_refused_or_skipped(monkeypatch):
    lines = [f"no {name} for Bare: the language pack defines no vectors" for name in ("soft", "soft+", "support")]
    assert describe_unavailable_metrics(BARE_PACK) == [*lines, "no METEOR for Bare: the language pack defines no synonyms"]
    assert available_metrics(BARE_PACK, DEFAULT_METRICS) == ["SPICE"]
    monkeypatch.setattr(Batch, "pack", BARE_PACK)
    with pytest.raises(MissingResourceError, match="^no METEOR for Bare"):
        segment_scores(TWO_ITEMS, ["METEOR"])
    with pytest.raises(UnknownNameError, match="unknown metric 'ROUGE'; known: .*ROUGE-L"):
        segment_scores([], ["ROUGE"])
    problems: list[str] = []
    assert list(segment_scores(TWO_ITEMS, ["METEOR", "SPICE"], problems=problems)) == ["SPICE"]
    assert problems == ["no METEOR for Bare: the language pack defines no synonyms"]


STORED_SCORES = json.loads((Path(__file__).parents[1] / "golden" / "baselines.json").read_text(encoding="utf-8"))[:6]
STORED_ITEMS = [(row["candidate"], row["references"]) for row in STORED_SCORES]


@pytest.fixture
def items_file(tmp_path):
    path = tmp_path / "captions.json"
    path.write_text(json.dumps([{"image_id": i, "test": c, "refs": r} for i, (c, r) in enumerate(STORED_ITEMS)]), encoding="utf-8")
    return path


def test_every_requested_metric_has_a_line_a_column_and_a_signature(items_file, tmp_path, capsys):
    output_path = tmp_path / "scores.csv"
    assert main(["metrics", str(items_file), "--out", str(output_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: len(METRICS)]] == list(METRICS)
    rows = list(csv.DictReader(output_path.open(encoding="utf-8")))
    assert list(rows[0]) == ["image_id", *METRICS] and len(rows) == len(STORED_ITEMS)
    scores_by_metric = segment_scores(STORED_ITEMS, ["SPICE", "soft+"])
    assert [float(row["soft+"]) for row in rows] == pytest.approx(scores_by_metric["soft+"], abs=1e-6)
    assert f"{fmean(scores_by_metric['SPICE']):.3f}" in lines[0]
    output_path = tmp_path / "scores.jsonl"
    assert main(["metrics", str(items_file), "--metrics", "METEOR", "SPICE", "--out", str(output_path)]) == 0
    assert list(json.loads(output_path.read_text(encoding="utf-8").splitlines()[-1])) == ["image_id", "METEOR", "SPICE"]
    spice = Spice()
    assert main(["metrics", str(items_file), "--metrics", "SPICE", "hypernyms", "METEOR", "BLEU-4"]) == 0
    output = capsys.readouterr().out.splitlines()[-4:]
    assert output == metric_signatures(["SPICE", "hypernyms", "METEOR", "BLEU-4"], spice)
    assert output[0] == str(spice.signature) and output[1].startswith("soft|similarity:hypernyms-wn3.0+ranks|lang:en|parser:caption")
    for part in ("lang:en", "tokens:penn", "synonyms:wn3.0", "sacrebleu:", "nltk:"):
        assert any(f"|{part}" in line for line in output[2:])
    assert [line.partition("|")[0] for line in output[2:]] == ["METEOR", "BLEU-4"]
    assert metric_signatures(["SPICE"], spice) == [str(spice.signature)]
    assert metric_signatures(["soft"], spice) != metric_signatures(["hypernyms"], spice)


def test_explanations_pair_tuples_and_bleu_is_computed_on_the_data_set():
    scores_by_metric = segment_scores(STORED_ITEMS, ["SPICE", "ROUGE-L", "BLEU-4"])
    corpus_values = corpus_scores(STORED_ITEMS, scores_by_metric, Spice(), resamples=200)
    assert (
        corpus_values["BLEU-4"].value
        == corpus_bleu(tokenise_items(STORED_ITEMS, language("en")), 4)
        != pytest.approx(fmean(scores_by_metric["BLEU-4"]))
    )
    for name in ("SPICE", "ROUGE-L"):
        assert corpus_values[name].value == pytest.approx(fmean(scores_by_metric[name]))
        assert corpus_values[name].low < corpus_values[name].value < corpus_values[name].high
    for name in [name for name, score in METRICS.items() if score.explain]:
        pairings = METRICS[name].explain(Batch([("a puppy on a couch", ["a dog on a sofa"])], Spice()))
        assert {(p.candidate, p.reference) for p in pairings} >= {("puppy", "dog"), ("couch", "sofa")}
        assert all(0 < p.credit <= 1.001 for p in pairings) and any(p.path for p in pairings) == (name in ("entailed", "hypernyms"))


def test_invalid_options_and_rows_are_reported(items_file, monkeypatch, capsys, tmp_path):
    for options, expected_text in [
        (["--out", "missing/a.csv"], "missing/a.csv: found No such file or directory, expected a path that can be written to"),
        (["--problems", "missing/a"], "missing/a: found No such file or directory, expected a path that can be written to"),
        (["--resamples", "0"], "--resamples: found 0, expected 1 to 100,000"),
        (["--seed", "-1"], "--seed: found -1, expected 0 or more"),
    ]:  # fmt: skip
        monkeypatch.chdir(items_file.parent)
        assert main(["metrics", items_file.name, *options]) == 2
        assert capsys.readouterr() == ("", f"spice-core: {expected_text}\n")
    for row, expected_text in [
        ({"image_id": "b7", "test": [["dog"]], "refs": ["a dog"]}, "image b7, field test"),
        ({"image_id": 1, "test": "a dog", "refs": []}, "line 1"),
    ]:
        path = tmp_path / "captions.jsonl"
        path.write_text(json.dumps(row), encoding="utf-8")
        assert main(["metrics", str(path)]) == 2 and expected_text in capsys.readouterr().err


CAPTIONS = {
    "en": [
        "a man and a guy", "a red dog and a red hound chase a puppy", "A dog. A red dog runs. It runs on the grass.", "a pup sits on a lawn",
        "two young girls stand on a tennis court", "a little girl, a child, stands on a court next to a court", "there is a tree outside the window",
        "a tomato is on the table", "a street with cars and automobiles", "the",
    ],
    "ja": [
        "女の子。テニスコート。若い女の子が立つ。テニスコートに立つ。", "テニスコートに女の子が立っている", "窓の外に木が見える", "テーブルの上にトマトがある",
        "犬と子犬が走り、犬が道を走る", "赤い犬と赤い子犬", "男性と男の人がいる。男性が座る。ベンチに座る。", "川でじゃれ合う2匹の熊と川に浸かる熊",
        "スノーボードでジャンプする少年", "、",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "rules"), [("en", "caption"), ("en", "spice-2016"), ("ja", "ja-caption"), ("ja", "jaspice-2023"), ("ja", "ja-ud")]
)
def test_scores_are_between_0_and_1_in_every_scheme(lang, rules):
    if lang == "ja":
        pytest.importorskip("ginza")
    spice = Spice(lang, rules=rules)
    parses = list(spice.parse(CAPTIONS[lang]))
    for scheme in map(spice.with_scheme, SCHEMES):
        for candidate, reference in itertools.product(parses, repeat=2):
            result = scheme.compare(candidate, [reference])
            values = [v for s in result.scores.values() for v in (s.precision, s.recall, s.f1) if not math.isnan(v)]
            assert all(0 <= value <= 1 for value in values), (scheme.config.scheme, candidate.caption, reference.caption, result.scores)
        equal_results = [scheme.compare(parse, [parse]) for parse in parses]
        assert all(result.f1 in (pytest.approx(1), 0) and (result.f1 or not result.candidate_tuples) for result in equal_results)


def test_implied_existence_gives_no_similarity():
    pytest.importorskip("ginza")
    spice = Spice("ja")
    for candidate, reference, f1 in [
        ("窓の外に木が見える", "テーブルの上にトマトがある", 0), ("窓の外に木が見える", "窓の外に木がある", 1), ("犬が走る", "猫が走る", 0.25),
    ]:  # fmt: skip
        assert spice.compute(candidate, [reference]).f1 == f1
