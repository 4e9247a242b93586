"""Measure response times of concurrent visitors who edit and score: from a click on Score to the end of the script.

    python -m tools.benchmarks.visitors [VISITORS] [--edits 20] [--pause 2] [--batch 9000] [--captions FILE.jsonl]

The tool starts the app. Each visitor is a separate websocket session without a browser, which types new captions. The visitors are
measured first alone, and then while another visitor scores a batch. The output is the median, 95th percentile and maximum in seconds, the
progress of the batch, the load before and after, and the processor seconds of the server per edit, which depend least on the load.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Event, Thread

import psutil

from tests.browser.conftest import ROOT, free_port, run_app
from tests.visitor import Visitor, json_lines
from tools.benchmarks.runs import exchange_words, vary_items

SAMPLE = ROOT / "assets" / "samples" / "coco.jsonl"


def time_edits(visitor: Visitor, captions: list[str], edit_count: int, pause_s: float, rng: random.Random) -> list[float]:
    """Score ``edit_count`` new captions, with a random pause before each. Return the seconds of each click on Score."""
    words, times = sorted({w for c in captions for w in c.split() if len(w) > 3 and w.isalpha()}), []
    for _ in range(edit_count):
        time.sleep(rng.uniform(0.5, 1.5) * pause_s)
        caption = exchange_words(rng.choice(captions), words, rng)
        visitor.write(candidate=caption)
        start_time = time.perf_counter()
        visitor.click("inspect.score")
        times.append(time.perf_counter() - start_time)
        if "Inputs changed" in visitor.shown_text():
            raise RuntimeError(f"the page shows no result for {caption!r}")
    return times


def measure(address: str, captions: list[str], options: argparse.Namespace, seed: int) -> tuple[list[float], float]:
    """Let concurrent visitors edit. Return the sorted seconds of their edits, and the processor seconds of the server per edit."""
    visitors = [Visitor(address) for _ in range(options.visitors)]
    seconds_before = server_seconds()
    with ThreadPoolExecutor(options.visitors) as pool:
        futures = [
            pool.submit(time_edits, v, captions, options.edits, options.pause, random.Random(f"{seed} {i}")) for i, v in enumerate(visitors)
        ]
        times = sorted(second for future in futures for second in future.result())
    for visitor in visitors:
        visitor.close()
    return times, (server_seconds() - seconds_before) / len(times)


def server_seconds() -> float:
    """Return the processor seconds of the server, without the process that scores batches."""
    (server,) = psutil.Process().children()
    return sum(server.cpu_times()[:2])


@contextmanager
def score_batch(address: str, items: list[dict]) -> Iterator[list[str]]:
    """Score a batch as another visitor, and yield a list with the latest progress message of the page."""
    with Visitor(address, "Batch") as visitor:
        visitor.choose("batch.source", "Your files")
        visitor.upload("batch.file", "batch.jsonl", json_lines(items))
        visitor.click("batch.start")
        visitor.wait_for_text(f" of {len(items)} images", seconds=120)
        progress, stop = [""], Event()

        def watch_progress() -> None:
            while not stop.is_set():
                if messages := re.findall(rf"\d+ of {len(items)} images[^\n]*|{len(items)} of {len(items)} captions", visitor.shown_text()):
                    progress[0] = messages[-1]
                visitor.refresh()

        thread = Thread(target=watch_progress)
        thread.start()
        try:
            yield progress
        finally:
            stop.set()
            thread.join()


def table_row(name: str, times: list[float], processor_s: float) -> str:
    """Return a row of the table."""
    return f"{name:<28}{median(times):8.2f}{times[int(0.95 * len(times))]:8.2f}{times[-1]:8.2f}{processor_s:8.2f}{len(times):8}"


def main() -> None:
    """Measure the visitors, and print a row without and a row with a batch."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("visitors", type=int, nargs="?", default=8)
    argument_parser.add_argument("--edits", type=int, default=20, help="of each visitor")
    argument_parser.add_argument("--pause", type=float, default=2.0, help="mean seconds before an edit; 0: none")
    argument_parser.add_argument("--batch", type=int, default=9000, help="rows; 0: no batch")
    argument_parser.add_argument("--captions", type=Path, default=SAMPLE, help="JSON lines with a list of captions each")
    options = argument_parser.parse_args()
    images = [json.loads(line)["captions"] for line in options.captions.read_text(encoding="utf-8").splitlines()]
    captions = [caption for image in images for caption in image]
    load = os.getloadavg()
    print(
        f"{options.visitors} visitors, {options.pause:g} s between edits, {os.cpu_count()} cores, load {load[0]:.1f} {load[1]:.1f} before"
    )
    print(f"{'seconds':<28}{'p50':>8}{'p95':>8}{'most':>8}{'cpu':>8}{'edits':>8}")
    with run_app(free_port()) as address:
        measure(address, captions, argparse.Namespace(**{**vars(options), "edits": 1, "pause": 0.0}), 0)  # loads everything first
        print(table_row("alone", *measure(address, captions, options, 1)), flush=True)
        if options.batch:
            with score_batch(address, vary_items(images, options.batch, random.Random(0))) as progress:
                progress_before, start_time = progress[0], time.perf_counter()
                measures = measure(address, captions, options, 2)
                seconds = time.perf_counter() - start_time
                print(table_row(f"beside {options.batch} rows", *measures), flush=True)
                print(f"the batch in these {seconds:.0f} s: from {progress_before or 'its beginning'} to {progress[0]}")
    print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
