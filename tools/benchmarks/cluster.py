"""Measure throughput on a local Dask cluster by number of workers, and check that results are equal after the loss of a worker.

    python -m tools.benchmarks.cluster --captions coco_val2017.jsonl.gz [--images 41667] [--sample 10000] [--workers 1 2 4]

Each image has six different captions. First, the tool scores the sample with each number of workers. Then it scores all images with the
maximum number of workers. It kills a worker after a third of the images, adds another after half of them, and compares the file with the
result of two processes without Dask. The output is seconds, captions per second, processor time, and hours for 10^8 captions. Run the tool
manually; the load of the machine affects single figures.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from tools.benchmarks.runs import processor_seconds, vary_items

_ROOT = Path(__file__).parents[2]
_CAPTIONS_PER_IMAGE = 6


class Cluster:
    """A scheduler and its workers in separate processes. Nothing restarts a process that ends."""

    def __init__(self, folder: Path, workers: int):
        self.file = folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self._scheduler = _start_dask("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        while not self.file.exists():
            if self._scheduler.poll() is not None:
                raise RuntimeError("the scheduler ended")
            time.sleep(0.1)
        self.address: str = json.loads(self.file.read_text())["address"]
        self._workers = [self._start_worker() for _ in range(workers)]

    def kill_worker(self) -> None:
        """Kill a worker, as if its machine failed."""
        self._workers[0].kill()

    def add_worker(self) -> None:
        """Start another worker."""
        self._workers.append(self._start_worker())

    def close(self) -> None:
        """Terminate all processes."""
        for process in (*self._workers, self._scheduler):
            process.terminate()
            process.wait()

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return _start_dask(
            "worker", self.address, "--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"
        )


def _start_dask(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "dask", *arguments], cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def score(items: Path, out_path: Path, *extra_arguments: str, call_at_row: dict[int, Callable[[], None]] | None = None) -> float:
    """Run ``spice-core score`` and return its wall seconds. ``call_at_row`` maps a row to the function to call once that row is written."""
    start_time, pending = time.perf_counter(), dict(call_at_row or {})
    command = [sys.executable, "-m", "spice_core", "score", str(items), "--silent", "--subset", "--out", str(out_path), *extra_arguments]
    process = subprocess.Popen(command, cwd=_ROOT)
    while process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(1.0)
        rows = _count_rows(out_path) if pending else 0
        for row_count in [n for n in pending if n <= rows]:
            pending.pop(row_count)()
    if process.returncode or pending:
        raise RuntimeError(f"exit code {process.returncode}, not called at {list(pending)} rows")
    return time.perf_counter() - start_time


def _count_rows(out_path: Path) -> int:
    """Return the number of rows of a file, or of its temporary file until it is complete."""
    return max((file.read_bytes().count(b"\n") for file in out_path.parent.glob(f"*{out_path.stem}*.jsonl*")), default=0)


def print_row(name: str, images: int, seconds: float, processor_s: float) -> None:
    """Print a row of the table."""
    captions = images * _CAPTIONS_PER_IMAGE
    hours = seconds / captions * 1e8 / 3600
    print(
        f"{name:<36}{captions:>9}{seconds:>9.1f}{captions / seconds:>12.0f}{processor_s / captions * 1e3:>14.2f}{hours:>12.1f}", flush=True
    )


def main() -> None:
    """Measure the runs, and print the table and whether the results are identical."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--captions", type=Path, required=True)
    argument_parser.add_argument("--images", type=int, default=41_667)
    argument_parser.add_argument("--sample", type=int, default=10_000, help="images of the runs that are only timed")
    argument_parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    options = argument_parser.parse_args()
    with gzip.open(options.captions, "rt", encoding="utf-8") as lines:
        images = [json.loads(line)["captions"] for line in lines]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        items, sample, local_path, cluster_path = (folder / f for f in ("in.json", "sample.json", "plain.jsonl", "cluster.jsonl"))
        sample.write_text(json.dumps(vary_items(images, options.sample, random.Random(1))))
        items.write_text(json.dumps(vary_items(images, options.images, random.Random(0))))
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
        print(f"{'':<36}{'captions':>9}{'seconds':>9}{'a second':>12}{'processor ms':>14}{'h for 10^8':>12}")
        for workers in options.workers:
            seconds_before = processor_seconds()
            with closing(Cluster(folder, workers)) as cluster:
                seconds = score(sample, folder / f"sample-{workers}.jsonl", "--dask", cluster.address)
            print_row(f"{workers} Dask workers", options.sample, seconds, processor_seconds() - seconds_before)
        seconds_before = processor_seconds()
        print_row(
            "two processes without Dask", options.images, score(items, local_path, "--workers", "2"), processor_seconds() - seconds_before
        )
        seconds_before, max_workers = processor_seconds(), max(options.workers)
        with closing(Cluster(folder, max_workers)) as cluster:
            call_at_row = {options.images // 3: cluster.kill_worker, options.images // 2: cluster.add_worker}
            seconds = score(items, cluster_path, "--dask", cluster.address, call_at_row=call_at_row)
        print_row(f"{max_workers} Dask workers, one lost, one new", options.images, seconds, processor_seconds() - seconds_before)
        digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (local_path, cluster_path)]
        print(f"{'the same bytes' if len(set(digests)) == 1 else 'OTHER BYTES'}: {', '.join(d[:16] for d in digests)}")
        print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
