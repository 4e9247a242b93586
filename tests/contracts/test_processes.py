"""Test new processes: lazy imports, no access to the home folder or the network, and workers, encodings and file names that work on every system."""

import json
import multiprocessing
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import spice_core
from spice_core.cli.main import main

ROOT = Path(__file__).parents[2]
PACKAGE_FOLDER = Path(spice_core.__file__).parent
PACKAGE_FILES = sorted(
    path.relative_to(PACKAGE_FOLDER.parent) for path in PACKAGE_FOLDER.rglob("*.py") if path.stem not in ("__main__", "build_wordnet")
)
PACKAGE_MODULES = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in PACKAGE_FILES]
PURE_MODULE_NAMES = (
    "scene.graph scene.matching scene.scores metrics.spice lang.en lang.ja cli.main coco evaluation.systems evaluation.error_analysis"
)
PURE_MODULES = [
    "spice_core",
    *(f"spice_core.{module_name}" for module_name in PURE_MODULE_NAMES.split()),
    *(n for n in PACKAGE_MODULES if n.startswith("spice_core.explain")),
]
IMPORTS_SCRIPT = """
import importlib, json, sys
pure, modules = json.loads(sys.argv[1])
known, found = {"spice_core", "__mp_main__", *sys.stdlib_module_names, *(name.split(".")[0] for name in sys.modules)}, {}
for module in pure:
    importlib.import_module(module)
    found[module] = sorted({name.split(".")[0] for name in sys.modules} - known)
    known.update(found[module])
from spice_core import Spice
Spice().compute([["dog"]], [[["dog"]]])
found["scoring graphs"] = sorted({"spacy", "onnxruntime"} & set(sys.modules))
sys.modules["streamlit"] = None  # every import of it fails
for module in modules:
    importlib.import_module(module)
print(json.dumps(found))
"""


def test_each_module_imports_only_allowed_modules():
    completed_process = subprocess.run(
        [sys.executable, "-c", IMPORTS_SCRIPT, json.dumps([PURE_MODULES, PACKAGE_MODULES])], capture_output=True, text=True
    )
    assert completed_process.returncode == 0, completed_process.stderr
    added_by_module = json.loads(completed_process.stdout)
    assert len(added_by_module) > 20 and {module: added_modules for module, added_modules in added_by_module.items() if added_modules} == {}


TELEMETRY_VARIABLE = "ORT_DISABLE_TELEMETRY"
# The script blocks connections from Python, but not from native threads of ONNX Runtime, so the test also checks that telemetry is off.
METRICS_SCRIPT = f"""
import os, socket
def refuse(*_, **__): raise AssertionError("asked the network")
socket.getaddrinfo = socket.socket.connect = refuse
from spice_core import Spice
from spice_core.metrics.registry import available_metrics
from spice_core.metrics.measure import segment_scores
from spice_core.lang import language
found = segment_scores([("a brown dog", ("a dog on a sofa",))], available_metrics(language("en"), None), spice=Spice())
print(len(found), os.environ["{TELEMETRY_VARIABLE}"])
"""


def run_script(code: str, home: Path, **variables: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name not in (TELEMETRY_VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA")}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), "PYTHONPATH": str(ROOT), **variables}
    completed_process = subprocess.run([sys.executable, "-c", code], cwd=home, env=environment, capture_output=True, text=True)
    assert completed_process.returncode == 0, completed_process.stderr
    return completed_process.stdout.split()


NUMPY_SCRIPT = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "onnxruntime":
            numpy = sys.modules.get("numpy")
            print(numpy is not None and not numpy.__spec__._initializing)
sys.meta_path.insert(0, Finder())
from spice_core.lang.en.parsers import encoder_parser
encoder_parser.has_free_core = lambda: True
next(encoder_parser.caption_parser().parse(["A dog."]))
"""


def test_numpy_is_complete_before_a_thread_imports_onnxruntime():
    """``onnxruntime`` imports a part of numpy, and concurrent imports of numpy can fail."""
    result = subprocess.run([sys.executable, "-c", NUMPY_SCRIPT], capture_output=True, text=True, check=True)
    assert result.stdout == "True\n"


def test_metrics_write_nothing_to_the_home_folder_and_telemetry_is_off_unless_requested(tmp_path):
    metrics, setting = run_script(METRICS_SCRIPT, tmp_path)
    assert int(metrics) > 3 and setting == "1" and [path.name for path in tmp_path.rglob("*")] == []
    assert run_script(f"import os, spice_core; print(os.environ['{TELEMETRY_VARIABLE}'])", tmp_path, **{TELEMETRY_VARIABLE: "0"}) == ["0"]


def test_file_names_are_valid_on_every_system():
    completed_process = subprocess.run(["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True)
    if completed_process.returncode:
        pytest.skip("not a checkout")
    # Mode 120000 marks a symbolic link.
    assert [line for line in completed_process.stdout.splitlines() if line.startswith("120000")] == []
    names = [line.partition("\t")[2] for line in completed_process.stdout.splitlines()]
    # Some file systems ignore case.
    assert len({name.lower() for name in names}) == len(names)
    assert [name for name in names if set(name) & set('<>:"|?*\\') or len(name) > 150] == []


def test_spawned_workers_give_the_same_result(tmp_path, capsys):
    """Workers spawned as on macOS and Windows inherit nothing, and their input can be pickled."""
    rows = [{"image_id": i, "test": [["dog", f"{i}"]], "refs": [[["dog"], ["dog", "two"]]]} for i in range(4)]
    (tmp_path / "in.json").write_text(json.dumps(rows), encoding="utf-8")
    default_method, printed_lines = multiprocessing.get_start_method(), []
    try:
        for method, workers in ((default_method, "1"), ("spawn", "2")):
            multiprocessing.set_start_method(method, force=True)
            assert main(["score", str(tmp_path / "in.json"), "--silent", "--workers", workers]) == 0
            printed_lines.append(capsys.readouterr().out)
    finally:
        multiprocessing.set_start_method(default_method, force=True)
    assert printed_lines[0] == printed_lines[1] and len(json.loads(printed_lines[0])) == 4


def test_unencodable_characters_are_escaped_and_files_open_with_an_explicit_encoding(tmp_path):
    """Before Python 3.15, UTF-8 is not the default on Windows."""
    (tmp_path / "in.txt").write_text("a café ☕ beside a dog\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "cp1252", "PYTHONWARNDEFAULTENCODING": "1"}
    completed_process = subprocess.run(
        [sys.executable, "-m", "spice_core", "parse", "in.txt"], cwd=tmp_path, env=environment, capture_output=True
    )
    assert completed_process.returncode == 0, completed_process.stderr
    text = completed_process.stdout.decode("cp1252")
    assert "café \\u2615" in text and json.loads(text)["caption"] == "a café ☕ beside a dog"
    assert not re.search(rb"/(spice_core|pages)/.*EncodingWarning", completed_process.stderr)
