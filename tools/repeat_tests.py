"""Run the tests several times in a row, the first runs beside busy loops: a test that fails once in many runs is a defect.

    python -m tools.repeat_tests [--runs 10] [--busy 3] [--loops 2] [--logs build/repeats] [-- COMMAND …]

COMMAND is ``make test`` where none is named; name pytest and a file to repeat what you suspect. Browser tests need Chromium: a skip
of them fails. Each run has a log of its own. Ends with 1 where a run failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=10)
    options.add_argument("--busy", type=int, default=3, help="how many of the runs have busy loops beside them")
    options.add_argument("--loops", type=int, default=2)
    options.add_argument("--logs", type=Path, default=ROOT / "build" / "repeats")
    options.add_argument("command", nargs="*", default=["make", "test"])
    opt = options.parse_args(arguments)
    opt.logs.mkdir(parents=True, exist_ok=True)
    failed = 0
    for number in range(1, opt.runs + 1):
        log, loops = opt.logs / f"{number}.log", opt.loops if number <= opt.busy else 0
        start, load = time.monotonic(), os.getloadavg()[0]
        with busy_loops(loops):
            status = run(opt.command, log)
        failed += status != 0
        beside = f"beside {loops} busy loops" if loops else "alone"
        minutes, seconds = divmod(round(time.monotonic() - start), 60)
        outcome = summary(log) if not status else f"exit {status}, {summary(log)}, see {log}"
        print(f"{number:>3}  {beside:<20}  load {load:4.1f} → {os.getloadavg()[0]:4.1f}  {minutes:>3}:{seconds:02}  {outcome}", flush=True)
    print(f"{opt.runs - failed} of {opt.runs} runs passed")
    return int(failed > 0)


def run(command: Sequence[str], log: Path) -> int:
    """Exit status of the command, run in the project's folder as continuous integration does, its output in the log."""
    with log.open("wb") as output:
        return subprocess.run(command, cwd=ROOT, env={**os.environ, "CI": "true"}, stdout=output, stderr=subprocess.STDOUT).returncode


@contextmanager
def busy_loops(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """So many processes that do nothing as fast as they can, ended with the block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield loops
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def summary(log: Path) -> str:
    """What pytest says of its run, without the frame around it, else the last line: behind a failure stands what make says."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    framed = [line for line in lines if line.startswith("=") and line.endswith("=")]
    return (framed or lines or [""])[-1].strip(" =")


if __name__ == "__main__":
    sys.exit(main())
