"""Measure the response time for a class that works through a set of exercises: from a click to the end of the script.

    python -m tools.benchmarks.class_set [READERS] [--items 10] [--pause 8]

The tool starts the app. Each reader is a separate websocket session without a browser, which opens the link of a set and reveals each item.
The output is the median, 95th percentile and maximum in seconds for the first page and for clicks, and the load of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from urllib.parse import urlencode

from pages.parts.learn import class_set
from pages.parts.state import links
from tests.browser.conftest import ROOT, free_port, run_app
from tests.visitor import Visitor

SAMPLE = ROOT / "assets" / "samples" / "coco.jsonl"


def make_class_set(item_count: int) -> dict[str, object]:
    """Return a class set of ``item_count`` items. Each item compares the first caption of an image with its other captions."""
    images = [json.loads(line)["captions"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()[:item_count]]
    items = [
        {"id": f"{i}", "candidate": candidate, "references": references, "ask": "How many match?"}
        for i, (candidate, *references) in enumerate(images, 1)
    ]
    return {class_set.FILE_MARK: 1, "lang": "en", "items": items}


def walk_set(address: str, query: str, item_count: int, pause_s: float, rng: random.Random) -> tuple[float, list[float]]:
    """Work through a set as a reader, with random pauses. Return the seconds that the first page and each click take."""
    time.sleep(rng.uniform(0, pause_s))
    start_time = time.perf_counter()
    with Visitor(address, "Learn", query) as visitor:
        first_s, times = time.perf_counter() - start_time, []
        for item_number in range(item_count):
            for key in (f"learn.set.{item_number}.reveal", "learn.next"):
                if item_number + 1 == item_count and key == "learn.next":
                    break
                time.sleep(rng.uniform(0.5, 1.5) * pause_s)
                start_time = time.perf_counter()
                visitor.click(key)
                times.append(time.perf_counter() - start_time)
    return first_s, times


def table_row(name: str, times: list[float]) -> str:
    """Return a row of the table."""
    times = sorted(times)
    return f"{name:<16}{median(times):8.2f}{times[int(0.95 * len(times))]:8.2f}{times[-1]:8.2f}{len(times):8}"


def main() -> None:
    """Measure all readers, and print a row for first pages and a row for clicks."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("readers", type=int, nargs="?", default=30)
    argument_parser.add_argument("--items", type=int, default=10)
    argument_parser.add_argument("--pause", type=float, default=8.0, help="mean seconds before a click")
    options = argument_parser.parse_args()
    query = urlencode({"section": "set", "set": links.pack_json(make_class_set(options.items))})
    print(f"{options.readers} readers, {options.items} items, {options.pause:g} s between clicks, load {os.getloadavg()[0]:.1f} before")
    with run_app(free_port()) as address:
        walk_set(address, query, 1, 0.0, random.Random(0))  # loads everything first
        with ThreadPoolExecutor(options.readers) as pool:
            readings = list(
                pool.map(lambda seed: walk_set(address, query, options.items, options.pause, random.Random(seed)), range(options.readers))
            )
    print(f"{'seconds':<16}{'p50':>8}{'p95':>8}{'most':>8}{'number':>8}")
    print(table_row("first page", [first_s for first_s, _ in readings]))
    print(table_row("clicks", [click_s for _, times in readings for click_s in times]))
    print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
