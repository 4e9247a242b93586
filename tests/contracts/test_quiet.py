"""Scoring tells nobody of it: no library that runs below writes into the visitor's home or asks the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTING = "ORT_DISABLE_TELEMETRY"
# Connections are refused in Python and seen in the system; ONNX Runtime asks from threads of its own, so what it leaves at home is looked at too.
CODE = """
import socket
def refuse(*_, **__): raise AssertionError("asked the network")
socket.getaddrinfo = socket.socket.connect = refuse
from spice_core import Spice
from spice_core.metrics.registry import available, METRICS
from spice_core.metrics.measure import segment_scores
from spice_core.lang import language
found = segment_scores([("a brown dog", ("a dog on a sofa",))], available(language("en"), None), spice=Spice())
print(len(found))
"""


def run(code: str, home: Path, **given: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in (SETTING, "XDG_CACHE_HOME", "LOCALAPPDATA")}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), "PYTHONPATH": str(ROOT), **given}
    done = subprocess.run([sys.executable, "-c", code], cwd=home, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parser
def test_all_metrics_leave_nothing_at_home(tmp_path):
    assert int(run(CODE, tmp_path)) > 3
    assert [path.name for path in tmp_path.rglob("*")] == []


def test_who_wants_reports_may_have_them(tmp_path):
    code = f"import os, spice_core; print(os.environ['{SETTING}'])"
    assert run(code, tmp_path) == "1\n" and run(code, tmp_path, **{SETTING: "0"}) == "0\n"
