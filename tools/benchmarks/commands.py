"""Measures of commands in new processes: run times beside the original SPICE, runs of many images, and runs on a cluster."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tools.benchmarks.harness import (
    ROOT,
    SCORE_COMMAND,
    CommandCost,
    exchange_words,
    long_words,
    print_row,
    processor_seconds,
    read_captions,
    run_command,
    vary_items,
)

_CAPTIONS_PER_IMAGE = 6
_OPTIONS = ("--subset", "--silent")


def ratios(images: int = 500, rounds: int = 5, jar: str = "") -> None:
    """Time each command once per round, beside the original SPICE if there is a folder JAR, and print the medians.

    The captions are those of the sample CapEval1k; after its end, they repeat with two exchanged words. JAR contains ``spice-1.0.jar`` and
    ``lib/`` with CoreNLP 3.6.0, its models and nashorn-core.
    """
    with TemporaryDirectory() as folder:
        many, single, out_path = (Path(folder, name) for name in ("many.json", "single.json", "out.json"))
        items = sample_items(images)
        many.write_text(json.dumps(items), encoding="utf-8")
        single.write_text(json.dumps(items[:1]), encoding="utf-8")
        score, output = (*SCORE_COMMAND, many), ("--out", out_path, *_OPTIONS)
        two_workers, spice_2016, cache = ("--workers", 2), ("--parser", "spice-2016"), ("--cache", f"{folder}/cache")
        commands: dict[str, tuple[object, ...]] = {
            "parser caption": (*score, *output),
            "parser caption, two workers": (*score, *output, *two_workers),
            "parser spice-2016": (*score, *output, *spice_2016),
            "parser spice-2016, two workers": (*score, *output, *spice_2016, *two_workers),
            "parser caption, from the cache": (*score, *output, *cache),
            "one image, parser caption": (*SCORE_COMMAND, single, *output),
        }
        run_command(commands["parser caption, from the cache"])  # fills the cache
        java = ("java", "-Xmx8G", "-cp", f"{jar}/spice-1.0.jar:{jar}/lib/*", "edu.anu.spice.SpiceScorer")
        if jar:
            commands["original SPICE (Java)"] = (*java, many, "-out", f"{folder}/jar.json", "-subset", "-silent")
            commands["one image, original SPICE (Java)"] = (*java, single, "-out", f"{folder}/jar.json", "-subset", "-silent")
        costs: dict[str, list[CommandCost]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                costs[name].append(run_command(command, folder=Path(jar) if command[0] == "java" else ROOT))
    print(f"{images} images of five captions, median of {rounds} rounds; the ratio is to {'the original' if jar else 'parser caption'}")
    print_row("", "s", "times", "MB")
    seconds = {name: median(cost.seconds for cost in costs_) for name, costs_ in costs.items()}
    for name, costs_ in costs.items():
        original = ("one image, " if name.startswith("one image") else "") + "original SPICE (Java)"
        baseline = original if jar else name if name.startswith("one image") else "parser caption"
        print_row(name, seconds[name], seconds[baseline] / seconds[name], round(max(cost.peak_mb for cost in costs_)))


def sample_items(count: int) -> list[dict[str, object]]:
    """Return items with a candidate and four references. After the end of the sample, its items repeat with exchanged words."""
    lines = (ROOT / "assets" / "samples" / "capeval1k.jsonl").read_text(encoding="utf-8").splitlines()
    images = [[next(iter(row["captions"].values())), *row["refs"][:4]] for row in map(json.loads, lines)]
    words, rng = long_words(text for texts in images for text in texts), random.Random(0)
    items: list[dict[str, object]] = []
    for image_id, texts in enumerate(islice(cycle(images), count)):
        candidate, *references = texts if image_id < len(images) else [exchange_words(text, words, rng) for text in texts]
        items.append({"image_id": image_id, "test": candidate, "refs": references})
    return items


def runs(captions: Path, workers: int = 2, sizes: tuple[int, ...] = (1000, 40_504)) -> None:
    """Print time and memory by number of images with six different captions, made from those of a file by exchanging words."""
    images, rng = read_captions(captions), random.Random(0)
    print_row("images", "s", "ms/caption", "CPU ms", "CPU h/10^6", "MB")
    with TemporaryDirectory() as folder:
        for count in sizes:
            path = Path(folder, "in.json")
            path.write_text(json.dumps(vary_items(images, count, rng)), encoding="utf-8")
            cost = run_command([*SCORE_COMMAND, path, *_OPTIONS, "--workers", workers, "--out", f"{folder}/out.jsonl"])
            _print_costs(str(count), count, cost.seconds, cost.processor_s, round(cost.peak_mb))


def _print_costs(name: str, images: int, seconds: float, processor_s: float, *cells: object) -> None:
    captions = images * _CAPTIONS_PER_IMAGE
    print_row(name, seconds, seconds / captions * 1e3, processor_s / captions * 1e3, processor_s / captions * 1e6 / 3600, *cells)


def cluster(captions: Path, images: int = 41_667, sample: int = 10_000, workers: tuple[int, ...] = (1, 2, 4)) -> bool:
    """Print the costs of runs on a local Dask cluster, and whether results are equal after the loss of a worker.

    First, a sample of the images is scored with each number of workers, then all images with the last number. A worker is killed after a
    third of the images, and another is added after half of them. The rows must equal those of two processes without Dask.
    """
    texts = read_captions(captions)
    with TemporaryDirectory() as name:
        folder = Path(name)
        sample_file, file = folder / "sample.json", folder / "in.json"
        sample_file.write_text(json.dumps(vary_items(texts, sample, random.Random(1))), encoding="utf-8")
        file.write_text(json.dumps(vary_items(texts, images, random.Random(0))), encoding="utf-8")
        print_row("", "s", "ms/caption", "CPU ms", "CPU h/10^6")
        for count in workers:
            with closing(Cluster(folder, count)) as dask:
                _print_costs(f"{count} Dask workers", sample, *score(sample_file, folder / f"sample-{count}.jsonl", "--dask", dask.address))
        paths = folder / "local.jsonl", folder / "cluster.jsonl"
        _print_costs("two processes without Dask", images, *score(file, paths[0], "--workers", "2"))
        with closing(Cluster(folder, workers[-1])) as dask:
            calls = {images // 3: dask.kill_worker, images // 2: dask.add_worker}
            _print_costs("one worker lost, one new", images, *score(file, paths[1], "--dask", dask.address, call_at_row=calls))
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    print("the same bytes" if digests[0] == digests[1] else "OTHER BYTES")
    return digests[0] != digests[1]


class Cluster:
    """A scheduler and its workers in separate processes. Nothing restarts a process that ends."""

    def __init__(self, folder: Path, workers: int):
        file = folder / "scheduler.json"
        file.unlink(missing_ok=True)
        self._scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(file))
        while not file.exists():
            if self._scheduler.poll() is not None:
                raise RuntimeError("the scheduler ended")
            time.sleep(0.1)
        self.address: str = json.loads(file.read_text())["address"]
        self._workers: list[subprocess.Popen[bytes]] = []
        for _ in range(workers):
            self.add_worker()

    def kill_worker(self) -> None:
        """Kill a worker, as if its machine failed."""
        self._workers[0].kill()

    def add_worker(self) -> None:
        """Start another worker."""
        options = "--nthreads 1 --nworkers 1 --no-nanny --memory-limit 0".split()
        self._workers.append(self._start("worker", self.address, *options))

    def close(self) -> None:
        """Terminate all processes."""
        for process in (*self._workers, self._scheduler):
            process.terminate()
            process.wait()

    @staticmethod
    def _start(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def score(
    items: Path, out_path: Path, *extra_arguments: str, call_at_row: dict[int, Callable[[], None]] | None = None
) -> tuple[float, float]:
    """Run ``spice-core score``. Return its wall seconds, and the processor seconds of all processes meanwhile.

    ``call_at_row`` maps a row to the function to call once that row is written.
    """
    start_time, seconds_before, pending = time.perf_counter(), processor_seconds(), dict(call_at_row or {})
    process = subprocess.Popen([*SCORE_COMMAND, str(items), *_OPTIONS, "--out", str(out_path), *extra_arguments], cwd=ROOT)
    while process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(1.0)
        rows = _count_rows(out_path) if pending else 0
        for row_count in [n for n in pending if n <= rows]:
            pending.pop(row_count)()
    if process.returncode or pending:
        raise RuntimeError(f"exit code {process.returncode}, not called at {list(pending)} rows")
    return time.perf_counter() - start_time, processor_seconds() - seconds_before


def _count_rows(out_path: Path) -> int:
    """Return the number of rows of a file, or of its temporary file until it is complete."""
    return max((file.read_bytes().count(b"\n") for file in out_path.parent.glob(f"*{out_path.stem}*.jsonl*")), default=0)
