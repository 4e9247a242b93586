"""The tests are collected in one order: processes that share the work refuse to start where theirs differ."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def collected(hash_seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "tests"]
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed), "PYTEST_ADDOPTS": ""}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def test_the_order_of_the_tests_does_not_depend_on_the_hash_seed():
    one, other = (process.communicate()[0].splitlines() for process in [collected(1), collected(2)])
    names = [[line for line in lines if "::" in line] for lines in (one, other)]
    assert len(names[0]) > 2000 and names[0] == names[1]
