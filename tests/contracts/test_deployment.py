"""Container file, health check and Space match docs/deployment.md. The tests use a linter and a builder if these are installed."""

import importlib.util
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from spice_core.cli import main as command
from tests.contracts.test_package import PROJECT_TABLE, package_files
from tools.build_package import app_files

ROOT = Path(__file__).parents[2]
CONTAINERFILE_TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
HEALTH_SCRIPT = ROOT / "deploy" / "health.py"


def load_deploy_script(name: str):
    """Import a script from the folder deploy, which is not a package."""
    module_spec = importlib.util.spec_from_file_location(name, ROOT / "deploy" / f"{name}.py")
    assert module_spec and module_spec.loader
    module = importlib.util.module_from_spec(module_spec)
    module_spec.loader.exec_module(module)
    return module


def instructions(text: str) -> list[tuple[str, str]]:
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
    return [(name, arguments) for name, _, arguments in (line.partition(" ") for line in lines if line.strip())]


SETTINGS = dict(pair.split("=", 1) for name, rest in instructions(CONTAINERFILE_TEXT) if name == "ENV" for pair in rest.split())


def test_the_container_file_matches_the_documentation():
    instructions_found = instructions(CONTAINERFILE_TEXT)
    base_by_name = dict(arguments.split("=", 1) for name, arguments in instructions_found if name == "ARG")
    bases = [base_by_name[arguments.split()[0].removeprefix("$")] for name, arguments in instructions_found if name == "FROM"]
    assert len(set(bases)) == 1 and re.fullmatch(r"docker\.io/library/python:3\.1[1-3]\.\d+-slim-\w+", bases[0])
    final = instructions_found[[name for name, _ in instructions_found].index("FROM", 2) :]  # after ARG and the first stage
    assert ("USER", "10001:10001") in final and [name for name, _ in final].index("USER") < [name for name, _ in final].index("CMD")
    assert "latest" not in CONTAINERFILE_TEXT and {"ADD", "VOLUME", "ONBUILD"}.isdisjoint(name for name, _ in instructions_found)
    assert "sudo" not in CONTAINERFILE_TEXT and "curl" not in CONTAINERFILE_TEXT
    (health,) = (arguments for name, arguments in final if name == "HEALTHCHECK")
    assert json.loads(health.partition("CMD ")[2]) == ["python", "/opt/spice/health.py"] and "_stcore/health" in HEALTH_SCRIPT.read_text()
    assert not any(name == "RUN" and "pip" in arguments for name, arguments in final)


def test_pip_installs_only_pinned_files_with_known_hashes():
    lock = (ROOT / "deploy" / "requirements.lock").read_text(encoding="utf-8").replace("\\\n", "")
    requirements = [line.split() for line in lock.splitlines() if line and not line.lstrip().startswith("#")]
    assert all(hashes and all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", text) for text in hashes) for _, *hashes in requirements)

    def pins(lines: list[str]) -> set[str]:
        return {line.partition(";")[0].strip().lower().replace("_", "-").replace(".", "-") for line in lines if "==" in line}

    needed = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert pins(needed) == pins([line for line, *_ in requirements if not line.startswith("setuptools==")])
    pip_lines = [arguments for name, arguments in instructions(CONTAINERFILE_TEXT) if name == "RUN" and "pip install" in arguments]
    assert all("--no-deps" in line and ("--require-hashes" in line or "--no-build-isolation ." in line) for line in pip_lines)


def test_command_and_settings_of_the_container_are_known():
    (line,) = (arguments for name, arguments in instructions(CONTAINERFILE_TEXT) if name == "CMD")
    assert json.loads(line)[0] == "spice-core" and callable(command._make_parser().parse_args(json.loads(line)[1:]).run)
    config = pytest.importorskip("streamlit.config")
    snake = (re.sub(r"(?<!^)(?=[A-Z])", "_", key.replace(".", "_")).upper().replace("__", "_") for key in config.get_config_options())
    known_variables = {f"STREAMLIT_{name}" for name in snake}
    named_settings = {name for name in SETTINGS if name.startswith("STREAMLIT_")}
    named_settings |= set(re.findall(r"STREAMLIT_\w+", (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")))
    assert len(named_settings) >= 5 and named_settings - known_variables == set()


def test_the_linter_reports_nothing(tmp_path):
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if not hadolint:
        pytest.skip("hadolint is not installed")
    (tmp_path / "Dockerfile").write_text(load_deploy_script("make_space").dockerfile(), encoding="utf-8")
    completed_process = subprocess.run([hadolint, ROOT / "Containerfile", tmp_path / "Dockerfile"], capture_output=True, text=True)
    assert (completed_process.returncode, completed_process.stdout) == (0, "")


def test_the_files_of_the_image_build_a_wheel(tmp_path):
    script = load_deploy_script("make_space")
    assert (ROOT / ".dockerignore").read_text(encoding="utf-8") == (ROOT / ".containerignore").read_text(encoding="utf-8")
    assert [path for path in script.context() if not (ROOT / path).exists()] == []
    assert script.main(str(tmp_path / "space")) == 0
    packaged_files = package_files(tmp_path / "space")
    assert not any(name.startswith(("tests/", "docs/", "assets/screenshots/", "tools/parser")) for name in packaged_files)
    sources = re.findall(r"^COPY (?:--\S+ )?(\S+)", CONTAINERFILE_TEXT, re.M)
    assert all(source in (".", "/opt/spice") or source in packaged_files for source in sources)
    assert {*PROJECT_TABLE["license-files"], PROJECT_TABLE["readme"], "tools/build_package.py"} <= packaged_files
    assert list(app_files(ROOT)) == list(app_files(tmp_path / "space"))


def test_the_space_has_metadata_and_stores_large_files_by_lfs(tmp_path):
    yaml = pytest.importorskip("yaml")
    script = load_deploy_script("make_space")
    metadata = yaml.safe_load((ROOT / "deploy" / "huggingface" / "README.md").read_text(encoding="utf-8").split("---\n", 2)[1])
    assert metadata["sdk"] == "docker" and str(metadata["app_port"]) == SETTINGS["STREAMLIT_SERVER_PORT"]
    assert len(metadata["short_description"]) <= 60 and {"title", "emoji", "colorFrom", "colorTo", "license"} <= set(metadata)
    assert script.dockerfile().count("\nCMD ") == 1 and "$SPACE_HOST" in script.dockerfile()
    new_space = tmp_path / "new"
    new_space.mkdir()
    for name in (".gitattributes", "README.md"):  # a new Space contains these files
        (new_space / name).write_text("")
    assert script.main(str(new_space)) == 0 and (new_space / "README.md").read_text(encoding="utf-8")
    (tmp_path / "mine").write_text("")
    assert script.main(str(tmp_path)) == 2
    rules = [line.split()[0] for line in (ROOT / "deploy" / "huggingface" / ".gitattributes").read_text(encoding="utf-8").splitlines()]
    files = (path for path in (ROOT / "spice_core").rglob("*") if "__pycache__" not in path.parts and path.is_file())
    large_files = [path for path in files if path.stat().st_size > 10_000_000]
    assert large_files and all(any(path.match(rule) for rule in rules) for path in large_files)


@pytest.mark.parametrize(("base", "code"), [("/tools/spice/", False), ("/tools/spice", False), ("", "no answer: refused")])
def test_the_health_check_uses_the_base_path(monkeypatch, base, code):
    def answer(url: str, timeout: float) -> io.BytesIO:
        if url != "http://127.0.0.1:8600/tools/spice/_stcore/health":
            raise OSError("refused")
        return io.BytesIO(b"ok")

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "8600")
    monkeypatch.setenv("STREAMLIT_SERVER_BASE_URL_PATH", base)
    with pytest.raises(SystemExit) as exit_info:
        runpy.run_path(str(HEALTH_SCRIPT))
    assert exit_info.value.code == code


def test_a_missing_builder_is_reported_in_one_line(monkeypatch, capsys):
    script = load_deploy_script("build_container")
    monkeypatch.setattr(script.shutil, "which", lambda name: None)
    assert script.main() == script.NO_BUILDER == 3
    assert capsys.readouterr().err == "make container: found none, expected podman, docker or buildah; nothing was built\n"
    monkeypatch.setattr(script.shutil, "which", lambda name: "/usr/bin/docker" if name == "docker" else None)
    monkeypatch.setattr(script, "works", lambda builder: False)
    assert script.main() == 3
    assert capsys.readouterr().err.startswith("make container: found docker without a running service or the right to use it, expected")


@pytest.mark.parametrize("builder, options", [("podman", ["--format", "docker"]), ("docker", []), ("buildah", ["--format", "docker"])])
def test_the_first_builder_that_works_builds_an_image_with_its_health_check(monkeypatch, builder, options):
    script, run = load_deploy_script("build_container"), []
    monkeypatch.setattr(script.shutil, "which", lambda name: name)
    monkeypatch.setattr(script, "works", lambda name: name == builder)
    monkeypatch.setattr(script.subprocess, "run", lambda line, **_: run.append(line) or subprocess.CompletedProcess(line, 7))
    assert script.main("--build-arg", "BASE=python@sha256:0") == 7
    base = ["--build-arg", "BASE=python@sha256:0"]
    assert run == [[builder, "build", *options, "--tag", "spice-core", *base, "--file", "Containerfile", "."]]
