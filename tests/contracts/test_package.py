"""Test the published package: the source distribution is complete, and the library and the app run from its wheel."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest
from wheel.wheelfile import WheelFile

from spice_core import Spice
from spice_core.errors import MissingResourceError
from spice_core.lang.ja.sudachi import INSTALL_COMMAND
from spice_core.metrics.soft import weights
from spice_core.version import __version__
from tests.browser.conftest import free_port, wait_for
from tools.build_package import INSPECTOR_FOLDER, app_files
from tools.split_wheel import split_wheel

ROOT = Path(__file__).parents[2]
NOT_COPIED_PATTERNS = (".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
SCORE_SCRIPT = [{"image_id": 1, "test": "a brown dog on a sofa", "refs": ["a dog lies on a couch", "two red cushions"]}]
PROJECT_TABLE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def package_files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run_python(python: Path | str, *command: str | Path, cwd: Path) -> str:
    completed_process = subprocess.run(
        [python, *command], cwd=cwd, env=clean_environment(), capture_output=True, text=True, encoding="utf-8"
    )
    assert completed_process.returncode == 0, completed_process.stderr
    return completed_process.stdout


def build_distribution(folder: Path, distribution_type: str, output_folder: Path) -> Path:
    """Build a wheel or a source distribution from a folder, as installers do, and return its path."""
    code = f"import sys; from setuptools import build_meta; print(build_meta.build_{distribution_type}(sys.argv[1]))"
    return output_folder / run_python(sys.executable, "-c", code, output_folder, cwd=folder).splitlines()[-1]


def wheel_metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of the source distribution, built from a copy of the checkout, because building creates files."""
    source, output_folder = (tmp_path_factory.mktemp(name) for name in ("source", "sdist"))
    shutil.copytree(ROOT, source / "spice_core", ignore=shutil.ignore_patterns(*NOT_COPIED_PATTERNS))
    with tarfile.open(build_distribution(source / "spice_core", "sdist", output_folder)) as archive:
        # The archive contains no links.
        assert all(member.isfile() or member.isdir() for member in archive.getmembers())
        archive.extractall(output_folder, filter="data")
    (folder,) = (path for path in output_folder.iterdir() if path.is_dir())
    tracked_files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    names = package_files(source / "spice_core") if tracked_files.returncode else tracked_files.stdout.split("\0")
    assert {name for name in names if (ROOT / name).is_file()} - package_files(folder) == set()
    return build_distribution(folder, "wheel", tmp_path_factory.mktemp("wheel"))


def environment(wheel: Path, folder: Path) -> Path:
    """Install the wheel in a new environment with the dependencies of the test environment. Return the path of its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    scheme = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", scheme))
    python = Path(sysconfig.get_path("scripts", "venv", scheme)) / ("python.exe" if os.name == "nt" else "python")
    options = "install --quiet --no-deps --no-index --ignore-installed".split()
    run_python(sys.executable, "-m", "pip", "--python", python, *options, wheel, cwd=folder)
    (site / "beside.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return python


@pytest.fixture(scope="module")
def extra_wheels(wheel: Path, tmp_path_factory) -> tuple[Path, Path]:
    return split_wheel(Path(shutil.copy(wheel, tmp_path_factory.mktemp("pair"))))


def test_the_app_is_packed_completely_and_requirements_are_pinned_and_consistent():
    packaged_paths = {path.as_posix() for path in app_files(ROOT)}
    parts = ("app.py", ".streamlit/config.toml", "pages/6_Learn.py", "pages/parts/kit/shell.py", "assets/words/ja/shared.toml")
    assert {*parts} <= packaged_paths and not any("screenshots" in name for name in packaged_paths)
    named_packages = {line.partition("==")[0].lower() for line in (ROOT / "requirements.txt").read_text().splitlines()}
    extras = PROJECT_TABLE["optional-dependencies"]
    needed_packages = [
        *PROJECT_TABLE["dependencies"],
        *(requirement for name in ("app", "ja", "soft", "baselines") for requirement in extras[name]),
    ]
    assert {requirement.split(">")[0].split("=")[0].lower() for requirement in needed_packages} - named_packages == set()
    assert set(extras) >= {"app", "ja", "soft", "baselines", "dask"}
    assert all((ROOT / path).is_file() for path in PROJECT_TABLE["license-files"])
    assert "THIRD_PARTY_NOTICES.txt" in PROJECT_TABLE["license-files"]
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8").replace('"', "")


def test_one_extra_installs_everything_that_japanese_imports():
    imported_packages = set()
    for path in [*(ROOT / "spice_core" / "lang" / "ja").glob("*.py"), ROOT / "spice_core" / "lang" / "spacy_models.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported_packages |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported_packages.add(str(node.module).partition(".")[0])
    extra_packages = {
        re.split("[>=<]", alias)[0] for alias in (*PROJECT_TABLE["dependencies"], *PROJECT_TABLE["optional-dependencies"]["ja"])
    }
    # Only another source of the Japanese WordNet needs NLTK.
    optional_packages = {"nltk"}
    # spaCy installs this package.
    transitive_packages = {"thinc"}
    assert imported_packages - sys.stdlib_module_names - {"spice_core"} - optional_packages - transitive_packages <= extra_packages
    assert extra_packages >= {"spacy", "ginza", "ja-ginza", "sudachipy", "sudachidict-core"}
    assert INSTALL_COMMAND == 'pip install ".[ja]"'


def test_soft_matching_without_weights_names_the_package_to_install(tmp_path):
    line = r'^spice_core_soft is not installed; install it with: pip install "\.\[soft\]"$'
    with pytest.raises(MissingResourceError, match=line):
        weights.existing_weights_path(tmp_path / "encoder.onnx")
    assert weights.existing_weights_path(weights.ENCODER_PATH) == weights.ENCODER_PATH


@pytest.mark.release
def test_the_wheel_contains_only_library_and_app_and_splits_without_loss(wheel: Path, extra_wheels: tuple[Path, Path]):
    with ZipFile(wheel) as archive:
        wheel_files = {name for name in archive.namelist() if ".dist-info/" not in name}
        licences = {name.partition(".dist-info/licenses/")[2] for name in archive.namelist()}
        # The archive contains no links.
        assert not any(info.external_attr >> 28 == 0o12 for info in archive.infolist())
    library = {f"spice_core/{name}" for name in package_files(ROOT / "spice_core") if "__pycache__" not in name}
    assert wheel_files == library | {f"{INSPECTOR_FOLDER}/{path.as_posix()}" for path in app_files(ROOT)}
    assert set(PROJECT_TABLE["license-files"]) <= licences and wheel_metadata(wheel)["License-Expression"] == PROJECT_TABLE["license"]
    contents = []
    for path in (wheel, *extra_wheels):
        # ``WheelFile`` compares each file that it reads with the hash in the wheel's RECORD.
        with WheelFile(path) as archive:
            contents.append({name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name})
    full_wheel, library, soft = contents
    assert library | soft == full_wheel and not library.keys() & soft.keys()
    assert sorted(Path(name).name for name in soft) == ["captions.npy", "encoder.onnx", "tokenizer.json"]
    assert sum(map(len, library.values())) < 60 * 2**20
    requirements = [wheel_metadata(path).get_all("Requires-Dist") for path in extra_wheels]
    version = wheel_metadata(wheel)["Version"]
    assert {f'spice_core_soft=={version}; extra == "{extra_name}"' for extra_name in ("app", "soft")} <= set(requirements[0])
    assert requirements[1] == [f"spice_core=={version}"]
    assert wheel_metadata(extra_wheels[0])["License-Expression"] == wheel_metadata(wheel)["License-Expression"]
    with pytest.raises(ValueError, match="expected a wheel that is not split yet"):
        split_wheel(extra_wheels[0])


@pytest.mark.release
def test_the_installed_package_scores_captions_and_shows_every_page(wheel: Path, tmp_path_factory, tmp_path):
    python = environment(wheel, tmp_path_factory.mktemp("environment"))
    (tmp_path / "in.json").write_text(json.dumps(SCORE_SCRIPT))
    package_location = run_python(python, "-c", "import spice_core; print(spice_core.__file__)", cwd=tmp_path)
    assert str(python.parents[1]) in package_location and str(ROOT) not in package_location
    scored = run_python(python, "-m", "spice_core", "score", "in.json", "--silent", "--workers", "2", cwd=tmp_path)
    (row,) = json.loads(scored)
    assert row["scores"]["All"]["tp"] == 2
    assert row["scores"]["All"]["f"] == Spice().compute(SCORE_SCRIPT[0]["test"], SCORE_SCRIPT[0]["refs"]).f1
    program = python.with_name("spice-core.exe" if os.name == "nt" else "spice-core")
    assert run_python(program, "--version", cwd=tmp_path)[:11] == "spice-core "
    code = """
import sys
from streamlit.testing.v1 import AppTest
from spice_core.files import APP_FOLDER
sys.path.insert(0, str(APP_FOLDER))
from pages.parts.kit.page import NAME_BY_PAGE
run = AppTest.from_file(str(APP_FOLDER / "app.py"), default_timeout=240).run()
for page in NAME_BY_PAGE:
    run = run if page == "app.py" else run.switch_page(page).run()
    print(page, [e.message for e in run.exception], APP_FOLDER.parts[-2:])
"""
    lines = run_python(python, "-c", code, cwd=tmp_path).splitlines()
    assert len(lines) == 6 and all(line.endswith(" [] ('spice_core', 'inspector')") for line in lines), lines
    port = free_port()
    command = [python, "-m", "spice_core", "app", "--no-browser", "--port", str(port)]
    process = subprocess.Popen(command, cwd=tmp_path, env=clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for path in ("_stcore/health", "", "Learn", "app/static/fonts/inter-latin-wght-normal.woff2"):
            wait_for(f"http://localhost:{port}/{path}", process)
    finally:
        process.terminate()
        process.wait(timeout=240)


@pytest.mark.release
def test_soft_matching_requests_its_weights_and_finds_them(extra_wheels: tuple[Path, Path], tmp_path):
    code = """
from spice_core import Spice
from spice_core.errors import SpiceError
from spice_core.metrics.soft.soft import Soft
print(Spice().compute("a dog on a sofa", ["a dog on a sofa"]).f1)
try:
    print(Soft(Spice()).compute("a puppy", ["a dog"]).f1 > 0.3)
except SpiceError as error:
    print(error)
"""
    messages = []
    for path in extra_wheels:
        with ZipFile(path) as archive:
            archive.extractall(tmp_path / "site")
        messages.append(run_python(sys.executable, "-c", f"import sys; sys.path.insert(0, 'site'){code}", cwd=tmp_path).splitlines())
    assert messages == [["1.0", 'spice_core_soft is not installed; install it with: pip install ".[soft]"'], ["1.0", "True"]]
