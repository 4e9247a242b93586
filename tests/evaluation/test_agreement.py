"""Test agreement with human ratings: coefficients, preferences, and the command."""

import json
import math
import random
from pathlib import Path

import pytest

from spice_core import Spice
from spice_core.cli.agree import format_as_csv, format_as_json, format_as_text
from spice_core.cli.main import main
from spice_core.data.ratings import Preference, RatedCaption
from spice_core.errors import InputError
from spice_core.evaluation.agreement import correlate, find_disagreements, pairwise_accuracy, score_rated_captions
from tests.conftest import without_steps_digest
from tests.data.test_ratings import JSON_ROWS

FIVE_RATINGS = [RatedCaption("x", ("y",), (i,)) for i in range(5)]


def test_coefficients_and_preferences_distinguish_metrics():
    draw = random.Random(1)
    rated_captions = [RatedCaption("x", ("y",), (draw.randint(1, 4),)) for _ in range(200)]
    scores_by_metric = {"good": [r.ratings[0] + draw.random() for r in rated_captions], "none": [draw.random() for _ in rated_captions]}
    agreement = correlate(rated_captions, scores_by_metric, baseline="none", resamples=200)
    assert agreement.differences["good"]["tau-c"].p < 0.01
    assert agreement.coefficients["good"]["tau-c"].low > agreement.coefficients["none"]["tau-c"].high
    assert not agreement.has_too_few_items and "p needs" not in format_as_text(agreement)
    agreement = correlate(FIVE_RATINGS, {"m": [0, math.nan, 2, 3, 4]}, resamples=20)
    assert agreement.undefined == {"m": 1} and agreement.coefficients["m"]["tau-b"].value == 1
    preferences = [Preference("a", "b", ("r",), p, k) for p, k in ((1, "HC"), (0, "HC"), (1, "HM"), (0.5, "HM"))]
    agreement = pairwise_accuracy(preferences, {"m": [0.9, 0.9, 0.5, 0.1]}, {"m": [0.1, 0.1, 0.5, 0.2]}, resamples=20)
    figures = {kind: value.value for kind, value in agreement.coefficients["m"].items()}
    assert figures == pytest.approx({"HC": 0.5, "HM": 0.5, "all": 0.5})
    assert agreement.ties["m"] == pytest.approx(1 / 3) and agreement.undefined["m"] == 1
    rated_captions = [RatedCaption(str(i), ("y",), (r,)) for i, r in enumerate((1, 2, 3, 4))]
    for scale in (1, 1e-100, 1e100, 1e200, 4e307):  # coefficients do not depend on the scale of the ratings
        scaled_captions = [
            RatedCaption(r.candidate, r.references, (scale * r.ratings[0],) * 3, "AABB"[i]) for i, r in enumerate(rated_captions)
        ]
        for level, pearson in (("caption", 2.5 / math.sqrt(5 * 2.75)), ("system", 1)):
            agreement = correlate(scaled_captions, {"m": [0, 2, 1, 2]}, level=level, resamples=20)
            assert agreement.coefficients["m"]["Pearson"].value == pytest.approx(pearson)
    outlier = [RatedCaption("x", ("y",), (r,)) for r in (1, 2, 3, 1, 4, 2, 3, 1e200)]  # absent from about a third of the resamples
    pearson = correlate(outlier, {"m": [0.3, 0.1, 0.5, 0.2, 0.4, 0.9, 0.8, 0.7]}, resamples=50).coefficients["m"]["Pearson"]
    assert -1 < pearson.low < pearson.value < pearson.high < 1
    rated_higher, rated_lower = find_disagreements(rated_captions, [0.9, 0.2, 0.3, 0.1])
    assert rated_higher[0] == 0 and rated_lower[0] == 3
    for resamples in (0, 10**12):
        with pytest.raises(InputError, match=f"^resamples: found {resamples}, expected 1 to 100,000$"):
            correlate(FIVE_RATINGS, {"m": range(5)}, resamples=resamples)
        with pytest.raises(InputError, match=f"^resamples: found {resamples}, expected 1 to 100,000$"):
            pairwise_accuracy([Preference("a", "b", ("r",), 1, "HC")], {"m": [0.9]}, {"m": [0.1]}, resamples=resamples)


@pytest.mark.parametrize(("items", "undefined_names", "defined_names"), [(5, 0, False), (6, 1, False), (6, 0, True), (7, 1, True)])
def test_fewer_than_six_items_give_no_p_and_no_star(items, undefined_names, defined_names):
    rated_captions = [RatedCaption("x", ("y",), (i,)) for i in range(items)]
    scores_by_metric = {"up": [*range(items)], "down": [*range(0, -items, -1)]}
    scores_by_metric["down"][:undefined_names] = [math.nan] * undefined_names
    preferences = [Preference("a", "b", ("r",), 1, "HC")] * items
    constant_scores = (
        {"up": [1.0] * items, "down": [math.nan] * undefined_names + [0.0] * (items - undefined_names)},
        {name: [0.5] * items for name in scores_by_metric},
    )
    for agreement in (
        correlate(rated_captions, scores_by_metric, resamples=200),
        pairwise_accuracy(preferences, *constant_scores, resamples=200),
    ):
        text, table = format_as_text(agreement), json.loads(format_as_json(agreement), parse_constant=pytest.fail)
        assert agreement.has_too_few_items is not defined_names and ("p-values need at least 6" in text) is not defined_names
        assert ("]**" in text) is defined_names
        assert all((d["p"] is not None) is defined_names for d in table["differences"]["down"].values())
        assert all(line.endswith(",") is not defined_names for line in format_as_csv(agreement).splitlines() if line.startswith("down"))


def test_the_command_prints_a_table_or_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ratings.jsonl").write_text("\n".join(map(json.dumps, JSON_ROWS)), encoding="utf-8")
    for options, expected_text in {
        "--out missing/a": "missing/a: found No such file or directory, expected a path that can be written to",
        "--scores missing/a": "missing/a: found No such file or directory, expected a path that can be written to",
        "--resamples 0": "--resamples: found 0, expected 1 to 100,000",
        "--seed -1": "--seed: found -1, expected 0 or more",
        "--limit 0": "--limit: found 0, expected 1 or more",
    }.items():
        assert main(["agree", "ratings.jsonl", *options.split()]) == 2
        assert capsys.readouterr() == ("", f"spice-core: {expected_text}\n")
        assert [path.name for path in tmp_path.iterdir()] == ["ratings.jsonl"]
    path = tmp_path / "ratings.jsonl"
    path.write_text("\n".join(map(json.dumps, JSON_ROWS)), encoding="utf-8")
    assert main(["agree", str(path), "--metrics", "SPICE", "soft", "BLEU-1", "--resamples", "20", "--format", "json"]) == 0
    printed_agreement = json.loads(capsys.readouterr().out)
    assert list(printed_agreement["coefficients"]) == ["SPICE", "soft", "BLEU-1"] and printed_agreement["judgements"] == 12
    assert main(["agree", str(path), "--level", "system", "--resamples", "20"]) == 0
    assert "2 systems" in capsys.readouterr().out
    assert main(["agree", str(path), "--metrics", "CLIP"]) == 2


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_samples_of_the_page_have_current_scores(lang):
    sample = json.loads((Path(__file__).parents[2] / "assets" / "agreement" / f"sample_{lang}.json").read_text(encoding="utf-8"))
    rated_captions = [RatedCaption(item["candidate"], tuple(item["references"]), (item["rating"],)) for item in sample["items"][:4]]
    spice = Spice(lang)
    scores_by_metric = score_rated_captions(rated_captions, ("SPICE", "soft", "soft+", "BLEU-2"), spice, symmetric=lang == "ja")
    assert without_steps_digest(str(spice.signature)) == without_steps_digest(sample["signature"])
    for name, values in scores_by_metric.items():
        assert values == pytest.approx(sample["scores"][name][:4], abs=1e-4)
