"""Test metrics for CaptionEvalKit: its files, the metrics added to its command line, and the Python interface that it calls."""

import json
import pickle
import sys
import tomllib
from types import SimpleNamespace

import pytest

from spice_core import Spice
from spice_core.adapters import capevalkit as adapter
from spice_core.adapters.capevalkit import KitMetric
from spice_core.errors import InputError, MissingResourceError, UnknownNameError

CAPTIONS = [("10", "a dog on a sofa", ["A brown dog lies on a couch.", "Two dogs."]), ("9", "a cat", ["a bus"]), ("a_0", "", ["a bus"])]


@pytest.fixture
def kit_folder(tmp_path):
    """A folder with predictions in the kit's format, and their references in reverse order."""
    predictions = [{"id": i, "caption": caption, "image": "x.jpg"} for i, caption, _ in CAPTIONS]
    references = [{"id": i, "references": captions} for i, _, captions in reversed(CAPTIONS)]
    for name, content in (("predictions", predictions), ("references", references)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in content))
    return tmp_path


def run_metric(folder, metric: str) -> int:
    arguments = [word for name in ("predictions", "references") for word in (f"--{name}", str(folder / f"{name}.jsonl"))]
    return adapter.main(["score", metric, *arguments, "--output", str(folder / "new" / "out.json")])


def test_prediction_files_of_the_kit_are_scored(kit_folder, capsys):
    assert run_metric(kit_folder, "spice") == 0
    scores_by_name = json.loads((kit_folder / "new" / "out.json").read_text())["SPICE"]
    first_score = Spice(parser="spice-2016").compute("a dog on a sofa", ["a brown dog lies on a couch", "two dogs"]).f1
    assert scores_by_name == {"score": pytest.approx(first_score / 3), "per_item": {"10": first_score, "9": 0, "a_0": 0}}
    assert first_score > 0
    (kit_folder / "predictions.jsonl").write_text('{"id": "10", "caption": "a dog"}\n')
    assert run_metric(kit_folder, "soft+") == 2 and "expected" in capsys.readouterr().err


def test_metrics_are_added_to_the_kit(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"found .*expected the project_root that capevalkit doctor prints"):
        adapter.install(tmp_path)
    (tmp_path / "metrics" / "spice").mkdir(parents=True)
    (tmp_path / "metrics" / "spice" / "metric.toml").write_text("")
    monkeypatch.setattr(sys, "executable", 'C:\\a "b"\\python.exe')
    for _ in ("first", "again"):
        assert adapter.install(tmp_path) == ["spice-python", "jaspice-python", "entailed", "soft+"]
    manifests = [tomllib.loads(path.read_text()) for path in (tmp_path / "metrics").glob("*[dn+]/metric.toml")]
    assert {manifest["metric"]["name"] for manifest in manifests} == {"spice-python", "jaspice-python", "entailed", "soft+"}
    assert {manifest["runner"]["command"][-1] for manifest in manifests} == {"spice", "jaspice", "entailed", "soft+"}
    for manifest in manifests:
        assert manifest["runner"]["command"][0] == 'C:\\a "b"\\python.exe'
        assert (tmp_path / manifest["repository"]["uv_project"] / "pyproject.toml").is_file()
    assert tomllib.loads((tmp_path / "metrics/upstreams/spice_core/pyproject.toml").read_text())["project"]["dependencies"] == []
    monkeypatch.setitem(sys.modules, "capevalkit.infrastructure.runtime.manager", None)
    with pytest.raises(MissingResourceError, match="capevalkit is not installed; install it with: pip install capevalkit"):
        adapter.install()


def test_samples_are_scored_in_python():
    samples = [SimpleNamespace(id=i, prediction=caption, references=references) for i, caption, references in CAPTIONS[:2]]
    for name in ("spice", "soft+"):
        metric = KitMetric(name)
        sample_scores = metric(samples)
        assert list(sample_scores) == ["10", "9"] and sample_scores["10"] > sample_scores["9"] >= 0
        assert pickle.loads(pickle.dumps(metric))(samples) == sample_scores
    for prediction, references, message in (
        (None, ["a dog"], "7: found None, expected a caption"),
        ("a dog", [], "expected a list of at least one"),
    ):
        with pytest.raises(InputError, match=message):
            metric([SimpleNamespace(id="7", prediction=prediction, references=references)])
    with pytest.raises(UnknownNameError, match=r"known: entailed, jaspice, soft\+, spice"):
        KitMetric("meteor")


def test_jaspice_runs_without_docker():
    pytest.importorskip("ginza", reason="GiNZA is not installed: JaSPICE was NOT tried as a metric of capevalkit")
    assert KitMetric("jaspice").spice.compute("犬", ["犬"]).metric_name == KitMetric("jaspice").label
    assert KitMetric("jaspice").scores([("白い犬が走る。", ["白い犬が走っている。"]), ("猫", ["犬"])]) == [1, 0]
