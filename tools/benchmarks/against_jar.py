"""Time this project and the original SPICE (Java) in new processes on the same captions.

    python -m tools.benchmarks.against_jar --jar FOLDER --captions coco_val2017.jsonl.gz [--images 500] [--runs 3]

FOLDER contains ``spice-1.0.jar`` and ``lib/`` with CoreNLP 3.6.0, its models and nashorn-core. The programs run in turn.
The output is the median wall time and the peak memory, summed over the processes of a run. Run the tool manually and quote the
ratio, because the load of the machine affects single figures.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from tools.benchmarks.processes import memory_bytes, process_tree


def measure(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a command. Return its wall time in seconds and its peak memory in MB, summed over its processes."""
    start, peak = time.perf_counter(), 0
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr
    while process.poll() is None:
        peak = max(peak, sum(map(memory_bytes, process_tree(process.pid))))
        time.sleep(0.05)
    if process.returncode:
        sys.exit(f"{command[0]} failed: {process.stderr.read().decode()[-500:]}")
    return time.perf_counter() - start, peak / 1e6


def main() -> None:
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--jar", type=Path, required=True)
    argument_parser.add_argument("--captions", type=Path, required=True)
    argument_parser.add_argument("--images", type=int, default=500)
    argument_parser.add_argument("--runs", type=int, default=3)
    options = argument_parser.parse_args()

    with gzip.open(options.captions, "rt", encoding="utf-8") as lines:
        images = [json.loads(line) for line in islice(lines, options.images)]
    items = [{"image_id": i["image_id"], "test": i["captions"][0], "refs": i["captions"][1:5]} for i in images]
    root = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in.json")
        source.write_text(json.dumps(items))
        own_scores = [
            sys.executable,
            "-m",
            "spice_core",
            "score",
            str(source),
            "--parser",
            "spice-2016",
            "--out",
            f"{folder}/ours.json",
            "--subset",
            "--silent",
        ]
        java = ["java", "-Xmx8G", "-cp", f"{options.jar}/spice-1.0.jar:{options.jar}/lib/*", "edu.anu.spice.SpiceScorer"]
        commands = {
            "original SPICE (Java)": ([*java, str(source), "-out", f"{folder}/jar.json", "-subset", "-silent"], options.jar),
            "spice_core": (own_scores, root),
            "spice_core --workers 2": ([*own_scores, "--workers", "2"], root),
        }
        results: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, (command, arguments) in commands.items():
                results[name].append(measure(command, arguments))
    print(f"{len(items)} images, {len(items) * 5} captions, {os.cpu_count()} cores, {options.runs} runs in turn")
    base = statistics.median(s for s, _ in results["original SPICE (Java)"])
    for name, runs in results.items():
        seconds = statistics.median(s for s, _ in runs)
        print(f"{name:<24}{seconds:8.1f} s {max(m for _, m in runs):8.0f} MB {base / seconds:8.1f} times as fast")


if __name__ == "__main__":
    main()
