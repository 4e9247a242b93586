"""Test the run over a million captions: no duplicates, resumable parts, and the same rows from a cluster."""

import gzip
import json
import signal
import subprocess
import sys

import pytest

from tests.conftest import DATA, rows
from tools.benchmarks import million
from tools.benchmarks.million import CaptionEnumeration

REAL_CAPTIONS = [text for row in rows(DATA.parents[1] / "assets" / "samples" / "coco.jsonl") for text in row["captions"]]
KILLED_SCRIPT = """
import os, sys
from tools.benchmarks import million

rows, count = million.row_text, iter(range(25))
million.row_text = lambda item: rows(item) if next(count, None) is not None else os.kill(os.getpid(), 9)
million.main(sys.argv[1:])
"""


def test_no_caption_occurs_twice():
    short_enumeration = CaptionEnumeration(
        ["A woman wearing a hat", "A woman riding a bike", "A woman with a hat", "A tall woman wearing a hat", "No"]
    )
    assert len(short_enumeration) == 3 * 6**2 == len({short_enumeration[n] for n in range(len(short_enumeration))})
    long_enumeration, repeated_enumeration = CaptionEnumeration(REAL_CAPTIONS), CaptionEnumeration(REAL_CAPTIONS)
    assert len(long_enumeration) > 1_000_000 and len({long_enumeration[n] for n in range(0, 400_000, 10)}) == 40_000
    assert [long_enumeration[n] for n in range(50)] == [repeated_enumeration[n] for n in range(50)]


@pytest.fixture(scope="module")
def million_args(tmp_path_factory) -> list[str]:
    source = tmp_path_factory.mktemp("million") / "captions.jsonl.gz"
    source.write_bytes(gzip.compress(json.dumps({"captions": REAL_CAPTIONS}).encode()))
    return ["--captions", str(source), "--parser", "spice-2016", "--count", "240", "--part", "60", "--workers", "1"]


@pytest.fixture(scope="module")
def expected_rows(million_args, tmp_path_factory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("parts")
    million.main([*million_args, "--out", str(folder)])
    return [path.read_bytes() for path in sorted(folder.glob("*.jsonl"))]


@pytest.mark.parser
def test_a_killed_run_is_resumed_with_the_same_rows(million_args, expected_rows, tmp_path, capsys):
    million_args = [*million_args, "--out", str(tmp_path)]
    completed_process = subprocess.run([sys.executable, "-c", KILLED_SCRIPT, *million_args], capture_output=True)
    assert completed_process.returncode == -signal.SIGKILL and len(list(tmp_path.glob("*.jsonl"))) == 2
    million.main(million_args)
    assert [path.read_bytes() for path in sorted(tmp_path.glob("*.jsonl"))] == expected_rows and len(expected_rows) == 4
    assert all(len(part.splitlines()) == 10 for part in expected_rows)
    printed_text = capsys.readouterr().out
    assert "part 2 " not in printed_text and "part 3 " in printed_text and printed_text.split("all parts")[1].split()[0] == "240"
    with pytest.raises(SystemExit, match=r"settings.json: found .*; choose another folder"):
        million.main([*million_args, "--part", "120"])


@pytest.mark.release
@pytest.mark.parser
def test_a_cluster_writes_the_same_rows(million_args, expected_rows, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        million.main([*million_args, "--out", str(tmp_path), "--dask", cluster.scheduler_address])
    assert [path.read_bytes() for path in sorted(tmp_path.glob("*.jsonl"))] == expected_rows
