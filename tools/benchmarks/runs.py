"""Measure runs over files: time without and with the cache, and time and memory by number of images.

    python -m tools.benchmarks.runs --captions coco_val2017.jsonl.gz [--images 500] [--workers 2] [--sizes 1000 10000 40504]

The first table is for images with five captions, without and with worker processes and the cache. The second table is for images
with six different captions, made from captions of the file by exchanging words. The last line is the time of 1,000 bootstrap resamples.
Run the tool manually; the load of the machine affects single figures.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from tools.benchmarks.against_jar import measure


def vary_items(images: list[list[str]], count: int, rng: random.Random) -> list[dict]:
    """Return items with a candidate and up to five references.

    Each candidate has two exchanged words. When all images have been used, they are used again with exchanged words in the references too.
    """
    words = sorted({w for captions in images for c in captions for w in c.split() if len(w) > 3 and w.isalpha()})
    items = []
    for item_id, captions in enumerate(islice(cycle(images), count)):
        texts = [exchange_words(c, words, rng) if item_id >= len(images) else c for c in captions[:5]]
        items.append({"image_id": item_id, "test": exchange_words(captions[0], words, rng), "refs": texts})
    return items


def exchange_words(caption: str, words: list[str], rng: random.Random) -> str:
    """Exchange two of the longer words of a caption."""
    tokens = caption.split()
    places = [i for i, w in enumerate(tokens) if len(w) > 3 and w.isalpha()]
    for i in rng.sample(places, min(2, len(places))):
        tokens[i] = rng.choice(words)
    return " ".join(tokens)


def main() -> None:
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--captions", type=Path, required=True)
    argument_parser.add_argument("--images", type=int, default=500)
    argument_parser.add_argument("--workers", type=int, default=2)
    argument_parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000, 40_504])
    options = argument_parser.parse_args()
    with gzip.open(options.captions, "rt", encoding="utf-8") as lines:
        images = [json.loads(line)["captions"] for line in lines]
    root, rng = Path(__file__).parents[2], random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "spice_core", "score", f"{folder}/in.json", "--silent", "--subset", "--workers"]
        five = [{"image_id": n, "test": c[0], "refs": c[1:5]} for n, c in enumerate(images[: options.images])]
        (folder / "in.json").write_text(json.dumps(five))
        print(f"{len(five)} images of five captions, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        runs = {
            "one process": ["1", "--out", f"{folder}/1.json"],
            f"{options.workers} processes, cache filled": [str(options.workers), "--out", f"{folder}/2.json", "--cache", f"{folder}/cache"],
            f"{options.workers} processes, from the cache": [
                str(options.workers),
                "--out",
                f"{folder}/3.json",
                "--cache",
                f"{folder}/cache",
            ],
        }
        for title, arguments in runs.items():
            seconds, memory = measure([*command, *arguments], root)
            print(f"{title:<32}{seconds:8.2f} s {memory:8.0f} MB", flush=True)
        print(f"\n{'images of six captions':<24}{'time':>10}{'a caption':>13}{'processors':>13}{'memory':>10}{'a million captions':>22}")
        for item_count in options.sizes:
            (folder / "in.json").write_text(json.dumps(vary_items(images, item_count, rng)))
            seconds_before = processor_seconds()
            seconds, memory = measure([*command, str(options.workers), "--out", f"{folder}/out.jsonl"], root)
            ms_per_caption, work = seconds / item_count / 6e-3, (processor_seconds() - seconds_before) / item_count / 6e-3
            cost = f"{ms_per_caption / 3.6:.2f} h, {work / 3.6:.2f} core hours"
            print(f"{item_count:<24}{seconds:8.1f} s{ms_per_caption:10.2f} ms{work:10.2f} ms{memory:7.0f} MB{cost:>24}", flush=True)

    import numpy as np

    from spice_core.stats.bootstrap import resampled_means

    values, start = np.random.default_rng(0).random((40_504, 7)), time.perf_counter()
    resampled_means(values, 1000)
    print(f"\n1,000 resamples of 40,504 images in seven categories: {time.perf_counter() - start:.2f} s")


def processor_seconds() -> float:
    """Return the processor seconds of all ended child processes, which depend less on the load than wall time."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
