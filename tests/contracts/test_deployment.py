"""Container file, health check, Space: what they promise in docs/deployment.md. A linter and a builder are used where they are installed."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from spice_core.cli import main as command
from tests.contracts.test_package import files

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
HEALTH = ROOT / "deploy" / "health.py"


def module(name: str):
    """A script of the folder deploy, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "deploy" / f"{name}.py")
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def instructions(text: str) -> list[tuple[str, str]]:
    """Name and argument of each instruction, continued lines joined."""
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines if line.strip())]


def settings(text: str) -> dict[str, str]:
    """The environment of the image."""
    return dict(pair.split("=", 1) for name, rest in instructions(text) if name == "ENV" for pair in rest.split())


def test_the_container_file_is_that_of_the_documents():
    found = instructions(TEXT)
    bases = [rest.split()[0] for name, rest in found if name == "FROM"]
    assert len(set(bases)) == 1 and re.fullmatch(r"docker\.io/library/python:3\.1[1-3]\.\d+-slim-\w+", bases[0])
    final = found[[name for name, _ in found].index("FROM", 1) :]
    assert ("USER", "10001:10001") in final and [name for name, _ in final].index("USER") < [name for name, _ in final].index("CMD")
    assert "latest" not in TEXT and {"ADD", "VOLUME", "ONBUILD"}.isdisjoint(name for name, _ in found)
    assert "sudo" not in TEXT and "curl" not in TEXT
    (health,) = (rest for name, rest in final if name == "HEALTHCHECK")
    assert json.loads(health.partition("CMD ")[2]) == ["python", "/opt/spice/health.py"] and "_stcore/health" in HEALTH.read_text()
    assert not any(name == "RUN" and "pip" in rest for name, rest in final)  # nothing is fetched into the second stage


def test_the_command_of_the_container_is_one():
    (line,) = (rest for name, rest in instructions(TEXT) if name == "CMD")
    assert json.loads(line)[0] == "spice-core" and callable(command._parser().parse_args(json.loads(line)[1:]).run)


def test_the_settings_of_the_container_are_streamlits():
    config = pytest.importorskip("streamlit.config")
    known = {"STREAMLIT_" + re.sub(r"(?<!^)(?=[A-Z])", "_", key.replace(".", "_")).upper() for key in config.get_config_options()}
    known = {name.replace("__", "_") for name in known}
    named = {name for name in settings(TEXT) if name.startswith("STREAMLIT_")}
    named |= set(re.findall(r"STREAMLIT_\w+", (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")))
    assert len(named) >= 5 and named - known == set()


@pytest.mark.skipif(
    not shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"), reason="no hadolint"
)
def test_the_linter_has_nothing_to_say(tmp_path):
    (tmp_path / "Dockerfile").write_text(module("make_space").dockerfile(), encoding="utf-8")
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    done = subprocess.run([hadolint, ROOT / "Containerfile", tmp_path / "Dockerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_both_ignore_files_are_one():
    text = (ROOT / ".containerignore").read_text(encoding="utf-8")
    assert (ROOT / ".dockerignore").read_text(encoding="utf-8") == text
    assert [path for path in module("make_space").context() if not (ROOT / path).exists()] == []


def test_a_wheel_comes_out_of_what_the_image_is_built_from(tmp_path):
    pytest.importorskip("setuptools", minversion="77")
    make = module("make_space")
    assert make.main(str(tmp_path / "space")) == 0
    held = files(tmp_path / "space")
    assert not any(name.startswith(("tests/", "docs/", "assets/screenshots/", "tools/parser")) for name in held)
    sources = re.findall(r"^COPY (?:--\S+ )?(\S+)", TEXT, re.M)
    assert all(source in (".", "/opt/spice") or source in held for source in sources)
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*described["license-files"], described["readme"], "tools/build_package.py"} <= held
    code = "from tools.build_package import *; print(len(list(app_files(Path()))))"
    here, there = (
        subprocess.check_output([sys.executable, "-c", code], cwd=folder, env={**os.environ, "PYTHONPATH": "."})
        for folder in (ROOT, tmp_path / "space")
    )
    assert here == there and int(here) > 200


def test_the_space_says_what_it_is(tmp_path):
    yaml = pytest.importorskip("yaml")
    make = module("make_space")
    text = (ROOT / "deploy" / "huggingface" / "README.md").read_text(encoding="utf-8")
    _, front, _ = text.split("---\n", 2)
    about = yaml.safe_load(front)
    assert about["sdk"] == "docker" and str(about["app_port"]) == settings(TEXT)["STREAMLIT_SERVER_PORT"]
    assert len(about["short_description"]) <= 60 and {"title", "emoji", "colorFrom", "colorTo", "license"} <= set(about)
    assert make.dockerfile().count("\nCMD ") == 1 and "$SPACE_HOST" in make.dockerfile()
    (tmp_path / "mine").write_text("")
    assert make.main(str(tmp_path)) == 2


def test_each_file_of_the_space_above_ten_megabytes_is_a_large_one():
    rules = [line.split()[0] for line in (ROOT / "deploy" / "huggingface" / ".gitattributes").read_text(encoding="utf-8").splitlines()]
    files = (path for path in (ROOT / "spice_core").rglob("*") if "__pycache__" not in path.parts and path.is_file())
    large = [path for path in files if path.stat().st_size > 10_000_000]
    assert large and all(any(path.match(rule) for rule in rules) for path in large)


class Answer(BaseHTTPRequestHandler):
    """A server that is well below one path alone."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/tools/spice/_stcore/health" else 404)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_the_health_check_asks_below_the_base_path():
    server = HTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, daemon=True).start()

    def code(**environment: str) -> int:
        given = {"STREAMLIT_SERVER_PORT": str(server.server_port), **environment}
        return subprocess.run([sys.executable, HEALTH], env=os.environ | given, capture_output=True).returncode

    # The check waits for 4 seconds, and its server is a thread of this process, which may stand still for longer.
    assert any(code(STREAMLIT_SERVER_BASE_URL_PATH="/tools/spice/") == 0 for _ in range(10))
    assert code() == 1
    server.shutdown()
    server.server_close()
    assert code(STREAMLIT_SERVER_BASE_URL_PATH="/tools/spice") == 1


def test_without_a_builder_one_line_says_so(monkeypatch, capsys):
    make = module("build_container")
    monkeypatch.setattr(make.shutil, "which", lambda name: None)
    assert make.main() == make.NO_BUILDER == 3
    assert capsys.readouterr().err == "make container: found none, expected podman, docker or buildah; nothing was built\n"
    monkeypatch.setattr(make.shutil, "which", lambda name: "/usr/bin/docker" if name == "docker" else None)
    monkeypatch.setattr(make, "works", lambda builder: False)
    assert make.main() == 3
    assert capsys.readouterr().err.startswith("make container: found docker without a running service or the right to use it, expected")


@pytest.mark.parametrize("builder, options", [("podman", ["--format", "docker"]), ("docker", []), ("buildah", ["--format", "docker"])])
def test_the_first_builder_that_works_builds_an_image_with_its_health_check(monkeypatch, builder, options):
    make, run = module("build_container"), []
    monkeypatch.setattr(make.shutil, "which", lambda name: name)
    monkeypatch.setattr(make, "works", lambda name: name == builder)
    monkeypatch.setattr(make.subprocess, "run", lambda line, **_: run.append(line) or subprocess.CompletedProcess(line, 7))
    assert make.main("spice:test") == 7
    assert run == [[builder, "build", *options, "--tag", "spice:test", "--file", "Containerfile", "."]]
