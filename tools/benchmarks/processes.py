"""Processor time and memory of this process and its descendants, from /proc (Linux)."""

from __future__ import annotations

import os
from pathlib import Path


def processor_seconds() -> float:
    """Return the processor seconds of this process and its descendants, running or ended."""
    return sum(map(_ticks, process_tree(os.getpid()))) / os.sysconf("SC_CLK_TCK")


def memory_mb() -> float:
    """Return the memory of this process and its descendants in MB, in which shared memory counts once."""
    return sum(map(memory_bytes, process_tree(os.getpid()))) / 1e6


def process_tree(pid: int) -> list[int]:
    """Return the ids of a process and its descendants."""
    try:
        tasks = [task.read_text().split() for task in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [pid, *(p for children in tasks for child in children for p in process_tree(int(child)))]


def memory_bytes(pid: int) -> int:
    """Return the proportional resident memory of a process in bytes, in which shared memory counts once."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))  # in user and system mode, of the process and of its ended children
