"""Test CaptionEvalKit with our SPICE, JaSPICE and soft+, on its command line and in Python, without Java and Docker."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from spice_core.adapters.capevalkit import KitMetric, install
from tests.conftest import DATA
from tests.release.conftest import import_library

pytestmark = pytest.mark.release
BIN_FOLDER = Path(sys.executable).parent
MAIN_PYTHON = Path(__file__).parents[2] / ".venv" / "bin" / "python"  # has GiNZA, which needs another version of NumPy than aac-metrics
JAPANESE_ITEMS = [
    ("白い犬が芝生を走っている。", ["芝生の上を白い犬が走る。", "犬が走っている。"], 5),
    ("犬が走っている。", ["白い犬が芝生を走っている。", "白い犬が公園で遊んでいる。"], 3),
    ("赤いバスが道路に止まっている。", ["道路に赤いバスが停車している。", "赤いバスがある。"], 5),
    ("猫がソファで寝ている。", ["赤いバスが道路に止まっている。"], 1),
    ("男性が馬に乗っている。", ["馬に乗った男性がいる。", "女性が馬を引いている。"], 4),
]


@pytest.fixture
def run_kit(tmp_path, monkeypatch):
    """Return a function that runs the kit's command line in a separate home folder, without downloads."""
    import_library("capevalkit")
    for name, value in {"CAPEVALKIT_HOME": str(tmp_path / "home"), "UV_OFFLINE": "1", "UV_PYTHON_DOWNLOADS": "never"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{BIN_FOLDER}{os.pathsep}{os.environ['PATH']}")

    def run(*words: object) -> str:
        completed_process = subprocess.run([BIN_FOLDER / "capevalkit", *map(str, words)], capture_output=True, text=True)
        assert completed_process.returncode == 0, completed_process.stderr[-2000:]
        return completed_process.stdout

    return run


def write_benchmark(folder: Path, items: list[tuple[str, list[str], float]]) -> None:
    """Write a benchmark in the layout of Polaris."""
    with (folder / "polaris_test.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["imgid", "mt", "refs", "score"])
        writer.writerows([f"{i}.jpg", caption, repr(references), score] for i, (caption, references, score) in enumerate(items))


def run_benchmark(run_kit, folder: Path, metric: str, name: str = "polaris") -> dict:
    output_path = folder / f"{metric}.json"
    run_kit("benchmark", "--metric", metric, "--benchmark", name, "--data-root", folder, "--output", output_path)
    return json.loads(output_path.read_text())


@pytest.mark.parametrize("metric", ["spice", "soft+"])
def test_the_command_line_and_python_give_the_same_correlations(run_kit, tmp_path, metric):
    import capevalkit.api

    names = install()
    listed_names = [line.split("\t")[0] for line in run_kit("list-metrics").splitlines()]
    assert {"spice", "jaspice", *names} <= set(listed_names)  # the metrics of the kit remain
    stored_scores = json.loads((DATA / "baselines.json").read_text(encoding="utf-8"))
    write_benchmark(tmp_path, [(row["candidate"], row["references"], row["METEOR"]) for row in stored_scores])
    by_command = run_benchmark(run_kit, tmp_path, next(name for name in names if name.startswith(metric)))
    own_metric = KitMetric(metric)
    in_python = capevalkit.api.evaluate_metric(
        benchmark="polaris", metric=own_metric, metric_name=own_metric.label, data_root=str(tmp_path)
    )
    assert by_command["correlations"] == in_python["correlations"] and by_command["score_name"] == own_metric.label
    assert (
        by_command["num_samples"] == len(stored_scores) and by_command["correlations"]["kendall_tau_b"] > 20
    )  # METEOR instead of human ratings


def test_jaspice_runs_without_docker_in_another_environment(run_kit, tmp_path):
    if not MAIN_PYTHON.exists():
        pytest.skip(f"{MAIN_PYTHON} is not there: JaSPICE was NOT tried inside capevalkit")
    root = dict(line.split("\t") for line in run_kit("doctor").splitlines())["project_root"]
    subprocess.run([MAIN_PYTHON, "-m", "spice_core.adapters.capevalkit", "install", root], check=True)
    write_benchmark(tmp_path, JAPANESE_ITEMS)
    correlations = run_benchmark(run_kit, tmp_path, "jaspice-python")
    assert correlations["score_name"] == "JaSPICE"
    assert correlations["correlations"]["kendall_tau_b"] == pytest.approx(73.79, abs=0.01)  # .60, .25, .89, 0 and .67: one pair is reversed
