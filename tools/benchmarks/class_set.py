"""How long a class waits that walks a set of exercises on its phones: from a click to the end of the script.

    python -m tools.benchmarks.class_set [READERS] [--items 10] [--pause 8]

Starts the app; each reader is a session of its own over a websocket, without a browser, who opens the link of one set and reveals item after
item. Prints median, 95th percentile and the most in seconds, of the first page and of the clicks, and the machine's load, which moves them.
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
from pages.parts.session import links
from tests.browser.conftest import ROOT, free_port, serving
from tests.visitor import Visitor

SAMPLE = ROOT / "assets" / "samples" / "coco.jsonl"


def exercises(number: int) -> dict[str, object]:
    """A class set of so many items: the first caption of an image against its other ones."""
    images = [json.loads(line)["captions"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()[:number]]
    items = [{"id": f"{i}", "candidate": first, "references": rest, "ask": "How many match?"} for i, (first, *rest) in enumerate(images, 1)]
    return {class_set.MARK: 1, "lang": "en", "items": items}


def read(address: str, query: str, items: int, pause: float, rng: random.Random) -> tuple[float, list[float]]:
    """Seconds of the first page, and of each click of one reader, with a pause of about this length before it."""
    time.sleep(rng.uniform(0, pause))
    began = time.perf_counter()
    with Visitor(address, "Learn", query) as visitor:
        first, times = time.perf_counter() - began, []
        for number in range(items):
            for key in (f"learn.set.{number}.reveal", "learn.next"):
                if number + 1 == items and key == "learn.next":
                    break
                time.sleep(rng.uniform(0.5, 1.5) * pause)
                began = time.perf_counter()
                visitor.click(key)
                times.append(time.perf_counter() - began)
    return first, times


def told(name: str, times: list[float]) -> str:
    """A line of the table."""
    times = sorted(times)
    return f"{name:<16}{median(times):8.2f}{times[int(0.95 * len(times))]:8.2f}{times[-1]:8.2f}{len(times):8}"


def main() -> None:
    """Print both rows."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("readers", type=int, nargs="?", default=30)
    options.add_argument("--items", type=int, default=10)
    options.add_argument("--pause", type=float, default=8.0, help="seconds before a click, on the average")
    opt = options.parse_args()
    query = urlencode({"section": "set", "set": links.packed(exercises(opt.items))})
    print(f"{opt.readers} readers, {opt.items} items, {opt.pause:g} s between clicks, load {os.getloadavg()[0]:.1f} before")
    with serving(free_port()) as address:
        read(address, query, 1, 0.0, random.Random(0))  # all is loaded
        with ThreadPoolExecutor(opt.readers) as pool:
            found = list(pool.map(lambda seed: read(address, query, opt.items, opt.pause, random.Random(seed)), range(opt.readers)))
    print(f"{'seconds':<16}{'p50':>8}{'p95':>8}{'most':>8}{'number':>8}")
    print(told("first page", [first for first, _ in found]))
    print(told("clicks", [second for _, times in found for second in times]))
    print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
