"""Processor time and memory of this process and its descendants, from /proc (Linux)."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Thread


def processor_seconds() -> float:
    """Return the processor seconds of this process and its descendants, running or ended."""
    return sum(map(_processor_ticks, process_tree(os.getpid()))) / os.sysconf("SC_CLK_TCK")


def memory_mb() -> float:
    """Return the memory of this process and its descendants in MB. Memory that they share counts once."""
    return sum(map(memory_bytes, process_tree(os.getpid()))) / 1e6


class PeakMemory(AbstractContextManager["PeakMemory"]):
    """Context manager that samples memory in the background and records the maximum in MB.

    By default, it measures this process and its descendants.
    """

    def __init__(self, measure: Callable[[], float] = memory_mb, *, interval_s: float) -> None:
        self.peak_mb = 0.0
        self._measure, self._interval_s, self._end = measure, interval_s, Event()
        self._thread = Thread(target=self._sample, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def reset_peak_mb(self) -> float:
        """Measure once more, return the maximum in MB, and reset it to 0."""
        peak_mb, self.peak_mb = max(self.peak_mb, self._measure()), 0.0
        return peak_mb

    def _sample(self) -> None:
        while not self._end.wait(self._interval_s):
            self.peak_mb = max(self.peak_mb, self._measure())


def process_tree(pid: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    try:
        tasks = [task.read_text().split() for task in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [pid, *(p for children in tasks for child in children for p in process_tree(int(child)))]


def memory_bytes(pid: int) -> int:
    """Return the proportional set size (PSS) of a process in bytes. Summed over processes, it counts shared memory once."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def _processor_ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))  # ticks in user and system mode, of the process and of its children that have ended
