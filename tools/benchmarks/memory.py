"""Measure the memory of the app after each step: English, a batch, agreement by soft matching, Japanese, idle.

    python -m tools.benchmarks.memory [--edits 500] [--rows 1000]

The tool starts the app. A visitor without a browser scores new captions, then uses features that load more resources. The output is the
resident memory in MB of the server and of the process that scores batches, after each step, and the maximum. Shared memory counts once.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator

import psutil

from tests.browser.conftest import ROOT, free_port, run_app
from tests.visitor import Visitor, json_lines
from tools.benchmarks.processes import PeakMemory, memory_bytes
from tools.benchmarks.runs import exchange_words, vary_items

SAMPLE = ROOT / "assets" / "samples" / "coco.jsonl"


def server_processes() -> list[int]:
    """Return the ids of the server and its child processes."""
    (server,) = psutil.Process().children()
    return [server.pid, *(child.pid for child in server.children(recursive=True))]


def measure_memory() -> dict[str, float]:
    """Return the memory in MB of the server, of its worker processes, and of all together."""
    server, *workers = map(memory_bytes, server_processes())
    return {"server": server / 1e6, "batches": sum(workers) / 1e6, "together": (server + sum(workers)) / 1e6}


def peak_memory() -> PeakMemory:
    """Return a recorder that measures the memory of all processes of the app together ten times per second."""
    return PeakMemory(lambda: measure_memory()["together"], interval_s=0.1)


def visitor_steps(address: str, options: argparse.Namespace) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the steps of a visitor with their names."""
    images = [json.loads(line)["captions"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    captions = [caption for image in images for caption in image]
    words = sorted({word for caption in captions for word in caption.split() if len(word) > 3 and word.isalpha()})

    def edit_captions() -> None:
        rng = random.Random(0)
        with Visitor(address) as visitor:
            for _ in range(options.edits):
                visitor.write(candidate=exchange_words(rng.choice(captions), words, rng))
                visitor.click("inspect.score")

    def open_pages(*pages: str) -> None:
        for page in pages:
            Visitor(address, page).close()

    def run_batch() -> None:
        with Visitor(address, "Batch") as visitor:
            visitor.choose("batch.source", "Your files")
            visitor.upload("batch.file", "batch.jsonl", json_lines(vary_items(images, options.rows, random.Random(0))))
            visitor.click("batch.start")
            visitor.wait_for_text(f"{options.rows} of {options.rows} captions", seconds=600)

    def open_japanese() -> None:
        with Visitor(address) as visitor:
            visitor.choose("inspect.lang", "日本語")

    def open_agreement(lang: str, name: str) -> None:
        sample = json.loads((ROOT / "assets" / "agreement" / f"sample_{lang}.json").read_text(encoding="utf-8"))["items"]
        rated_rows = [{"candidate": row["candidate"], "references": row["references"], "ratings": [row["rating"]]} for row in sample]
        with Visitor(address, "Agreement") as visitor:
            visitor.choose("agreement.source", "Your ratings")
            visitor.upload("agreement.file", "rated.jsonl", json_lines(rated_rows))
            visitor.choose("agreement.lang", name)
            visitor.click("agreement.measure")
            visitor.wait_for_text("τ", seconds=600)

    yield "first page, English", lambda: open_pages("")
    yield f"{options.edits} edits", edit_captions
    yield f"a batch of {options.rows}", run_batch
    yield "Learn, Rules, Systems", lambda: open_pages("Learn", "Rules", "Systems")
    yield "Agreement, soft matching", lambda: open_agreement("en", "English")
    yield "Japanese", open_japanese
    yield "Agreement in Japanese", lambda: open_agreement("ja", "日本語")
    yield "nothing for 30 s", lambda: time.sleep(30)


def main() -> None:
    """Run the steps, and print a row for each."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--edits", type=int, default=500)
    argument_parser.add_argument("--rows", type=int, default=1000)
    options = argument_parser.parse_args()
    print(f"{'MB after':<26}{'server':>10}{'batches':>10}{'together':>10}{'most':>10}")
    with run_app(free_port()) as address, peak_memory() as peak:
        for name, step in visitor_steps(address, options):
            step()
            memory = measure_memory()
            print(
                f"{name:<26}{memory['server']:10.0f}{memory['batches']:10.0f}{memory['together']:10.0f}{peak.peak_mb:10.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
