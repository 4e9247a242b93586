"""Test comparison of systems: means, intervals, differences, wins, images that a system lacks, and the four output formats."""

import csv
import gzip
import html.parser
import io
import json
import math
import re
import shutil
from pathlib import Path

import pytest

from spice_core.cli.main import main
from spice_core.evaluation.systems import compare_systems, read_system
from spice_core.report.comparison import format_as_csv
from spice_core.stats.bootstrap import adjust_by_holm
from tests.conftest import DATA, rows

PROPOSITIONS = [row["propositions"] for row in rows(DATA / "propositions.jsonl")]


def write_results(folder, name: str, shift: int, ids: range, *options: str):
    """Write the result file of a system that gives each image the caption of the image ``shift`` places later."""
    p = PROPOSITIONS
    items = [{"image_id": n, "test": p[(n + shift) % len(p)] or [["x"]], "refs": [p[n % len(p)] or [["x"]]]} for n in ids]
    source, output_path = folder / "in.json", folder / name
    source.write_text(json.dumps(items))
    assert main(["score", str(source), "--subset", "--silent", "--out", str(output_path), *options]) == 0
    return output_path


@pytest.fixture(scope="module")
def three_result_files(tmp_path_factory):
    """Result files of three systems: perfect, with other images' captions, and mixed. The last two have partly other images."""
    tmp_path = tmp_path_factory.mktemp("systems")
    good_path = write_results(tmp_path, "good.json", 0, range(60))
    bad_path = write_results(tmp_path, "bad_1.jsonl", 1, range(5, 65))
    mixed_path = tmp_path / "mixed.json"
    lines = bad_path.read_text().splitlines()
    mixed_path.write_text(json.dumps(json.loads(good_path.read_text())[:30] + [json.loads(line) for line in lines[25:]]))
    return good_path, bad_path, mixed_path


def test_systems_have_means_differences_win_counts_and_corrected_p_values(three_result_files):
    result = compare_systems([read_system(path) for path in three_result_files], baseline="bad_1")
    assert result.systems == ("good", "bad_1", "mixed") and result.images == 55
    assert result.categories == ("All", "Relation", "Cardinality", "Attribute", "Size", "Color", "Object")
    assert {name: len(ids) for name, ids in result.omitted_images.items()} == {"good": 5, "bad_1": 5, "mixed": 10}
    assert result.means["good"]["All"] == (1.0, 1.0, 1.0)
    low_mean = result.means["bad_1"]["All"]
    assert low_mean.low < low_mean.value < low_mean.high < result.means["mixed"]["All"].value
    difference = result.differences["good"]["All"]
    assert difference.estimate.value == pytest.approx(1 - low_mean.value) and difference.p < 0.01
    assert (difference.wins + difference.ties, difference.losses) == (55, 0)
    assert list(result.differences) == ["good", "mixed"]
    mixed_difference = result.differences["mixed"]["All"]
    assert mixed_difference.wins == 25 and mixed_difference.ties == 30
    result = compare_systems([read_system(path) for path in three_result_files])
    defined_rows = [row for row in json.loads(three_result_files[0].read_text())[5:] if row["scores"]["Size"]["f"] is not None]
    mean = result.means["good"]["Size"].value
    assert math.isnan(mean) if not defined_rows else mean == 1.0
    size_difference = result.differences["bad_1"]["Size"]
    assert size_difference.wins + size_difference.ties + size_difference.losses == len(defined_rows)
    result = compare_systems([read_system(path) for path in three_result_files])
    differences = result.differences
    assert [differences[name]["All"].p_holm for name in differences] == adjust_by_holm([differences[name]["All"].p for name in differences])
    places = [(name, category) for name in differences for category in result.categories if category != "All"]
    adjusted_p = adjust_by_holm([differences[name][category].p for name, category in places])
    assert [differences[name][category].p_holm for name, category in places] == pytest.approx(adjusted_p, nan_ok=True)
    assert result.test_counts == (2, sum(not math.isnan(p) for p in adjusted_p))
    assert any(differences[name][category].p_holm > differences[name][category].p for name, category in places)


def make_row(image: int, matched_count: int, **categories: int) -> dict:
    """Return a result row of four tuples with ``matched_count`` matches. Other categories are undefined."""
    counts = {"All": matched_count, "Color": categories.get("Color")}
    scores_by_category = {c: {"tp": n or 0, "fp": 0 if n is None else 4 - n, "fn": 0 if n is None else 4 - n} for c, n in counts.items()}
    return {"image_id": image, "scores": scores_by_category}


def write_two_systems(folder, images: int, coloured: int) -> list[str]:
    """Write two result files. The first ``coloured`` images have a colour, and the first system always wins."""
    paths = []
    for name, matched_count in (("a", 4), ("b", 1)):
        rows = [make_row(i, matched_count, **({"Color": matched_count} if i < coloured else {})) for i in range(images)]
        paths.append(folder / f"{name}.json")
        paths[-1].write_text(json.dumps(rows))
    return [str(path) for path in paths]


@pytest.mark.parametrize(
    ("images", "coloured", "expected_note"), [(1, 1, "SPICE, Color"), (5, 0, "SPICE"), (6, 5, "Color"), (6, 6, ""), (8, 0, "")]
)
def test_fewer_than_six_images_give_neither_p_nor_interval(tmp_path, capsys, images, coloured, expected_note):
    paths = write_two_systems(tmp_path, images, coloured)
    output, err = captured_output(capsys, *paths)
    warning = f"spice-core: p-values and intervals need at least 6 images with a score of both systems (n/a: {expected_note})"
    assert err == ([warning] if expected_note else [])
    assert ("-0.750 (p n/a)" in output and "0.250 [n/a]" in output) is bool(expected_note)
    for format in ("latex", "html"):
        assert ("(p n/a)" in captured_output(capsys, *paths, "--format", format)[0]) is bool(expected_note)
    table = list(csv.DictReader(io.StringIO(captured_output(capsys, *paths, "--format", "csv")[0])))
    for row in table:
        missing_name = {"All": "SPICE"}.get(row["category"], row["category"]) in expected_note.split(", ") or not row["f1"]
        figures = ["low", "high"] + ["difference_low", "difference_high", "p", "p_holm"] * (row["system"] == "b")
        assert all((row[name] == "") is missing_name for name in figures), row
        assert row["system"] == "a" or (row["difference"] == "") is (not row["f1"])
    result = compare_systems([read_system(Path(path)) for path in paths])
    assert result.test_counts == (int("SPICE" not in expected_note), int(coloured >= 6))


def test_only_images_with_a_value_for_both_systems_count(tmp_path):
    """Each system has a colour in ten images, but only five images have a colour for both systems.

    So the means have intervals, but the difference has no p-value.
    """
    paths = write_two_systems(tmp_path, 15, 10)
    path = Path(paths[1])
    path.write_text(json.dumps([make_row(i, 1, **({"Color": 1} if i >= 5 else {})) for i in range(15)]))
    result = compare_systems([read_system(Path(path)) for path in paths])
    assert result.means["a"]["Color"].low == 1 and result.means["b"]["Color"].high == 0.25
    difference = result.differences["b"]["Color"]
    assert difference.estimate.value == -0.75 and math.isnan(difference.estimate.low) and math.isnan(difference.p)
    assert result.categories_with_too_few_images == ("Color",) and result.differences["b"]["All"].p < 0.01


def captured_output(capsys, *arguments) -> tuple[str, list[str]]:
    assert main(["compare", *map(str, arguments), "--resamples", "200"]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err.splitlines()


def test_tables_are_printed_as_text_latex_csv_and_html(three_result_files, capsys, tmp_path):
    output, err = captured_output(capsys, *three_result_files)
    assert captured_output(capsys, *three_result_files)[0] == output != captured_output(capsys, *three_result_files, "--seed", "1")[0]
    lines = output.splitlines()
    assert lines[0] == "F1 on 55 images, 95% intervals" and lines[1].split()[:3] == ["system", "SPICE", "Relation"]
    assert lines[2].startswith("good    1.000 [1.000, 1.000]") and lines[6] == (
        "difference from good, paired bootstrap; p-values corrected by Holm's method over 2 tests of SPICE and 8 tests of categories"
    )
    assert re.search(r"^bad_1 +-0\.\d{3} \(p 0\.005, Holm 0\.010\)", output, re.MULTILINE)
    assert err[:2] == [
        "spice-core: good: 5 images omitted, because other systems lack them (0, 1, 2, 3, 4)",
        "spice-core: bad_1: 5 images omitted, because other systems lack them (60, 61, 62, 63, 64)",
    ]
    names, _ = captured_output(capsys, *three_result_files, "--format", "latex", "--names", "[a]", "*b", "c")
    # At the start of a row, LaTeX would read these characters as arguments of the ``\\`` that ends the row before.
    assert "{[}a] &" in names and "{*}b &" in names
    names, _ = captured_output(capsys, *three_result_files, "--format", "latex", "--names", "a\n\\input{x}", "b", "c")
    assert not any(line.startswith(r"\input") for line in names.splitlines())
    latex, _ = captured_output(capsys, *three_result_files, "--format", "latex", "--names", "ours & more", "bad_1", "50%")
    assert r"ours \& more & 1.000 [1.000, 1.000]" in latex and r"bad\_1" in latex and r"50\%" in latex
    table = list(
        csv.DictReader(io.StringIO(captured_output(capsys, *three_result_files, "--format", "csv", "--baseline", three_result_files[2])[0]))
    )
    assert len(table) == 21 and table[0]["f1"] == "1.0" and {row["baseline"] for row in table} == {"mixed"}
    assert table[14]["difference"] == "" and float(table[7]["difference"]) < 0
    assert list(table[0])[9:11] == ["p", "p_holm"] and all(float(row["p_holm"]) >= float(row["p"]) for row in table if row["p"])
    assert r"Holm 0." in latex
    output = tmp_path / "table.html"
    captured_output(capsys, *three_result_files, "--format", "html", "--names", "<b>", "b", "c", "--out", output)
    html.parser.HTMLParser().feed(output.read_text())
    assert "<td>&lt;b&gt;</td>" in output.read_text() and output.read_text().count("<table>") == 3


def test_other_settings_and_invalid_results_are_reported_in_one_line(tmp_path, capsys):
    a, b = write_results(tmp_path, "a.jsonl", 0, range(5)), write_results(tmp_path, "b.jsonl", 1, range(5), "--no-synsets")
    assert "found 2 signatures, expected the same settings for all systems: spice|lang:en|" in captured_output(capsys, a, b)[1][-1]
    output_path = tmp_path / "nowhere" / "table.csv"
    assert main(["compare", str(a), str(b), "--out", str(output_path)]) == 2
    error = f"spice-core: {output_path}: found No such file or directory, expected a path that can be written to"
    assert capsys.readouterr().err.splitlines()[-1] == error
    for first_path, options, message in [
            ("", (), "a.json: found an empty file"),
            ("[]", (), "a.json: found no row, expected a result file"),
            ('[{"image_id": 1, "test": "x"}]', (), "a.json, row 1, field scores: found only image_id, test"),
            ('[{"image_id": 1, "scores": {}}]', (), "a.json, row 1, field scores: found {}, expected counts by category"),
            ('[{"image_id": 1, "scores": {"All": {"tp": NaN, "fp": 1, "fn": 1}}}]', (), "a.json, row 1, field scores.All: found {'tp': nan"),
            ('[{"image_id": 1, "scores": {"All": {"tp": 1, "fp": 1, "fn": -2}}}]', (), "a.json, row 1, field scores.All: found {'tp': 1"),
            ('[{"image_id": 1, "scores": {"All": {"tp": %s, "fp": 1, "fn": 1}}}]' % ("9" * 400), (), "field scores.All: found {'tp': 9"),
            ('[{"image_id": 1, "scores": {"All": {"tp": 1, "fp": -1, "fn": 1}}}]', (), "a.json, row 1, field scores.All: found {'tp': 1"),
            ('[{"image_id": [1], "scores": {"All": {"tp": 1, "fp": 1, "fn": 1}}}]', (), "a.json, row 1, field image_id: found [1]"),
            ('[{"image_id": 1, "scores": {"All": {"tp": 1, "fp": 1, "fn": 1}, "a\\nb": 2}}]', (), "field scores.a\\nb: found 2"),
            ('[{"image_id": 1, "scores": {"All": {"tp": 1, "fp": 1, "fn": 1}, "\\ud800": {"tp": 1, "fp": 1, "fn": 1}}}]', (), "field scores: found '\\ud800', expected text in UTF-8"),
            ('[{"image_id": 1, "signature": ["x"], "scores": {"All": {"tp": 1, "fp": 1, "fn": 1}}}]', (), "field signature: found ['x'], expected a text"),
            (2, (), "a.json, image 1: found a second row, expected one row per image"),
            (1, (), "systems: found no common image"),
            (1, ("--baseline", "c"), "baseline: found 'c', expected one of a, b"),
            (1, ("--names", "one"), "--names: found 'one', expected 2 names"),
            (1, ("--names", "b", "b"), "systems: found 'b, b', expected two or more systems with distinct names"),
            (1, ("--resamples", "0"), "--resamples: found 0"),
            (1, ("--seed", "-1"), "--seed: found -1, expected 0 or more"),
        ]:  # fmt: skip
        row = {"image_id": 1, "scores": {"All": {"tp": 1, "fp": 1, "fn": 1}}}
        (tmp_path / "a.json").write_text(first_path if isinstance(first_path, str) else json.dumps([row] * first_path))
        (tmp_path / "b.json").write_text(json.dumps([row | {"image_id": 2}]))
        assert main(["compare", str(tmp_path / "a.json"), str(tmp_path / "b.json"), *options]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and message in err


def test_systems_are_named_after_their_files_and_double_matches_are_read(tmp_path):
    plain_content = b'[{"image_id": 1, "scores": {"All": {"tp": 1, "fp": 1, "fn": 1}}}]'
    names = {"beam.json": "beam", "model-0.5.jsonl": "model-0.5", "model-0.7.jsonl.gz": "model-0.7", ".jsonl": ".jsonl", "run.txt": "run"}
    for file, name in names.items():
        (tmp_path / file).write_bytes(gzip.compress(plain_content) if file.endswith(".gz") else plain_content)
        assert read_system(tmp_path / file).name == name
    # Two candidate tuples match the only reference tuple, so the number of missed tuples (fn) is negative.
    source, output_path = tmp_path / "in.json", tmp_path / "a.json"
    source.write_text(json.dumps([{"image_id": 1, "test": [["photo"], ["image"]], "refs": [[["picture"]]]}]))
    assert main(["score", str(source), "--silent", "--out", str(output_path)]) == 0
    assert json.loads(output_path.read_text())[0]["scores"]["All"]["fn"] == -1
    assert list(read_system(output_path).values) == [1]


def test_no_name_of_a_system_is_a_formula_in_a_table(three_result_files, tmp_path):
    files = [shutil.copy(three_result_files[0], tmp_path / "=1+1.json"), three_result_files[1]]
    table = list(csv.DictReader(io.StringIO(format_as_csv(compare_systems([read_system(path) for path in files])))))
    assert {line["system"] for line in table} == {"'=1+1", "bad_1"}
