"""How long visitors wait who edit and score at once: from the press of Score to the end of the script.

    python -m tools.benchmarks.visitors [VISITORS] [--edits 20] [--pause 2] [--batch 9000] [--captions FILE.jsonl]

Starts the app; each visitor is a session of its own over a websocket, without a browser, and writes captions never seen before.
First without, then with a batch of so many rows that one more visitor scores. Prints median, 95th percentile and the most in
seconds, what the batch did meanwhile, and the machine's load before and after, which moves all of this; least of it the
processor seconds of the server for each edit.
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

from tests.browser.conftest import ROOT, free_port, serving
from tests.visitor import Visitor, rows
from tools.benchmarks.runs import changed, varied

SAMPLE = ROOT / "assets" / "samples" / "coco.jsonl"


def edit(visitor: Visitor, captions: list[str], number: int, pause: float, rng: random.Random) -> list[float]:
    """Seconds of so many edits, each with a pause of about this length before it, as people take."""
    words, times = sorted({w for c in captions for w in c.split() if len(w) > 3 and w.isalpha()}), []
    for _ in range(number):
        time.sleep(rng.uniform(0.5, 1.5) * pause)
        caption = changed(rng.choice(captions), words, rng)
        visitor.write(candidate=caption)
        began = time.perf_counter()
        visitor.click("inspect.score")
        times.append(time.perf_counter() - began)
        if "Inputs changed" in visitor.shown():
            raise RuntimeError(f"the page shows no result for {caption!r}")
    return times


def measure(address: str, captions: list[str], opt: argparse.Namespace, seed: int) -> tuple[list[float], float]:
    """The seconds of all edits of all visitors at once, in order, and the server's processor seconds for each."""
    visitors = [Visitor(address) for _ in range(opt.visitors)]
    before = busy()
    with ThreadPoolExecutor(opt.visitors) as pool:
        found = [pool.submit(edit, v, captions, opt.edits, opt.pause, random.Random(f"{seed} {i}")) for i, v in enumerate(visitors)]
        times = sorted(second for each in found for second in each.result())
    for visitor in visitors:
        visitor.close()
    return times, (busy() - before) / len(times)


def busy() -> float:
    """Processor seconds of the server, without the process that scores batches."""
    (server,) = psutil.Process().children()
    return sum(server.cpu_times()[:2])


@contextmanager
def batch(address: str, items: list[dict]) -> Iterator[list[str]]:
    """One more visitor who scores these items and watches; what the page said last of how far it is."""
    with Visitor(address, "Batch") as visitor:
        visitor.choose("batch.source", "Your files")
        visitor.upload("batch.file", "batch.jsonl", rows(items))
        visitor.click("batch.start")
        visitor.until(f" of {len(items)} images", seconds=120)
        said, left = [""], Event()

        def watch() -> None:
            while not left.is_set():
                if found := re.findall(rf"\d+ of {len(items)} images[^\n]*|{len(items)} of {len(items)} captions", visitor.shown()):
                    said[0] = found[-1]
                visitor.look()

        thread = Thread(target=watch)
        thread.start()
        try:
            yield said
        finally:
            left.set()
            thread.join()


def told(name: str, times: list[float], work: float) -> str:
    """A line of the table."""
    return f"{name:<28}{median(times):8.2f}{times[int(0.95 * len(times))]:8.2f}{times[-1]:8.2f}{work:8.2f}{len(times):8}"


def main() -> None:
    """Print both rows."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("visitors", type=int, nargs="?", default=8)
    options.add_argument("--edits", type=int, default=20, help="of each visitor")
    options.add_argument("--pause", type=float, default=2.0, help="seconds before an edit, on the average; 0: none")
    options.add_argument("--batch", type=int, default=9000, help="rows; 0: no batch")
    options.add_argument("--captions", type=Path, default=SAMPLE, help="JSON lines with a list of captions each")
    opt = options.parse_args()
    images = [json.loads(line)["captions"] for line in opt.captions.read_text(encoding="utf-8").splitlines()]
    captions = [caption for image in images for caption in image]
    load = os.getloadavg()
    print(f"{opt.visitors} visitors, {opt.pause:g} s between edits, {os.cpu_count()} cores, load {load[0]:.1f} {load[1]:.1f} before")
    print(f"{'seconds':<28}{'p50':>8}{'p95':>8}{'most':>8}{'work':>8}{'edits':>8}")
    with serving(free_port()) as address:
        measure(address, captions, argparse.Namespace(**{**vars(opt), "edits": 1, "pause": 0.0}), 0)  # all is loaded
        print(told("alone", *measure(address, captions, opt, 1)), flush=True)
        if opt.batch:
            with batch(address, varied(images, opt.batch, random.Random(0))) as said:
                first, began = said[0], time.perf_counter()
                found = measure(address, captions, opt, 2)
                seconds = time.perf_counter() - began
                print(told(f"beside {opt.batch} rows", *found), flush=True)
                print(f"the batch in these {seconds:.0f} s: from {first or 'its beginning'} to {said[0]}")
    print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
