"""Repeated runs of the tests: every run counts, and busy loops end with their run."""

from __future__ import annotations

import sys

import pytest

from tools.repeat_tests import busy_loops, main

PASS_ONCE = """
import pathlib, sys
mark = pathlib.Path(sys.argv[1])
if mark.exists():
    print("kaputt"); print("==== 1 failed, 4 passed in 3s ===="); print("make: *** [test] Error 1"); sys.exit(1)
mark.touch(); print("==== 5 passed in 3s ====")
"""


def test_all_runs_are_told_one_by_one(tmp_path, capsys):
    command = [sys.executable, "-c", "import os; print('==== 5 passed, CI', os.environ['CI'], '====')"]
    assert main(["--runs", "3", "--busy", "1", "--logs", str(tmp_path), "--", *command]) == 0
    *runs, total = capsys.readouterr().out.splitlines()
    assert total == "3 of 3 runs passed" and all(line.endswith("5 passed, CI true") for line in runs)
    assert [("beside 2 busy loops" in line, " alone " in line) for line in runs] == [(True, False), (False, True), (False, True)]


def test_a_run_that_fails_is_not_forgotten_and_the_others_go_on(tmp_path, capsys):
    command = [sys.executable, "-c", PASS_ONCE, str(tmp_path / "mark")]
    assert main(["--runs", "3", "--busy", "0", "--logs", str(tmp_path), "--", *command]) == 1
    first, second, third, total = capsys.readouterr().out.splitlines()
    assert first.endswith("5 passed in 3s") and total == "1 of 3 runs passed"
    assert "exit 1, 1 failed, 4 passed in 3s" in second and second.endswith("2.log") and third.endswith("3.log")
    assert "kaputt" in (tmp_path / "2.log").read_text()


@pytest.mark.parametrize("fails", [False, True])
def test_busy_loops_end_with_their_run(fails):
    loops = []
    try:
        with busy_loops(2) as started:
            loops += started
            assert [loop.poll() for loop in loops] == [None, None]
            if fails:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    assert len(loops) == 2 and all(loop.poll() is not None for loop in loops)
