"""What the measures share: captions to score, commands and their memory, and tables."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
COCO_SAMPLE = ROOT / "assets" / "samples" / "coco.jsonl"
SCORE_COMMAND = (sys.executable, "-m", "spice_core", "score")

# --- captions ------------------------------------------------------------------------------------------------------


def read_captions(path: Path = COCO_SAMPLE) -> list[list[str]]:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["captions"] for line in lines]


def long_words(captions: Iterable[str]) -> list[str]:
    return sorted({word for caption in captions for word in caption.split() if _is_swappable(word)})


def swap_words(caption: str, words: Sequence[str], rng: random.Random) -> str:
    """Swap two of the longer words of a caption."""
    tokens = caption.split()
    places = [place for place, token in enumerate(tokens) if _is_swappable(token)]
    for place in rng.sample(places, min(2, len(places))):
        tokens[place] = rng.choice(words)
    return " ".join(tokens)


def vary_items(images: Sequence[Sequence[str]], count: int, rng: random.Random) -> list[dict[str, object]]:
    """Return items with a candidate and up to five references, all with different captions.

    Each candidate has two exchanged words. When all images have been used, they are used again with exchanged words in the references too.
    """
    words = long_words(caption for captions in images for caption in captions)
    items: list[dict[str, object]] = []
    for image_id, captions in enumerate(islice(cycle(images), count)):
        references = [swap_words(text, words, rng) if image_id >= len(images) else text for text in captions[:5]]
        items.append({"image_id": image_id, "test": swap_words(captions[0], words, rng), "refs": references})
    return items


def _is_swappable(token: str) -> bool:
    return len(token) > 3 and token.isalpha()


# --- processes (Linux) ---------------------------------------------------------------------------------------------


class CommandCost(NamedTuple):
    """Wall time and processor time of a command, and the peak memory of all its processes."""

    seconds: float
    processor_s: float
    peak_mb: float


def run_command(command: Sequence[object], *, folder: Path = ROOT) -> CommandCost:
    """Run a command in a folder. Exits with its last output if it fails."""
    start_time, seconds_before, peak_mb = time.perf_counter(), processor_seconds(), 0.0
    process = subprocess.Popen([*map(str, command)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr
    while process.poll() is None:
        peak_mb = max(peak_mb, memory_mb(process.pid))
        time.sleep(0.05)
    if process.returncode:
        sys.exit(f"{command[0]} failed: {process.stderr.read().decode()[-500:]}")
    return CommandCost(time.perf_counter() - start_time, processor_seconds() - seconds_before, peak_mb)


def processor_seconds(pid: int | None = None) -> float:
    """Return the processor seconds of a process (default: this one) and its descendants, including those that have exited."""
    return sum(map(_processor_ticks, process_tree(pid or os.getpid()))) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    return sum(map(_memory_bytes, process_tree(pid))) / 1e6


def process_tree(pid: int) -> list[int]:
    try:
        tasks = [task.read_text().split() for task in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [pid, *(p for children in tasks for child in children for p in process_tree(int(child)))]


def _memory_bytes(pid: int) -> int:
    """Return the proportional set size (PSS) of a process. Summed over processes, it counts shared memory once."""
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


# --- tables --------------------------------------------------------------------------------------------------------


def print_row(name: str, *cells: object) -> None:
    """Print a row of a table. Numbers have at most four digits, unless they are integers."""
    texts = (f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells)
    print(f"{name:<40}" + "".join(f"{text:>12}" for text in texts), flush=True)


def quantiles(times: Iterable[float]) -> tuple[float, float, float, int]:
    """Return the median, 95th percentile, maximum and number of the times (columns `QUANTILES`)."""
    ordered = sorted(times)
    return median(ordered), ordered[int(0.95 * len(ordered))], ordered[-1], len(ordered)


QUANTILES = ("median", "p95", "max", "number")
