"""Measure how many captions per second are scored as rewards, in calls of 320 candidates whose references are already parsed.

python -m tools.benchmarks.rewards --captions coco_val2017.jsonl.gz [--parser spice-2016] [--calls 5] [--workers 1 2]

Each call has 64 new images with five candidates each, which are captions of other images. No image is used twice, so hardly any parse is
reused. Runs with different numbers of workers take turns. Processor time includes the workers.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import median

from spice_core import Spice
from spice_core.evaluation.rewards import Rewards
from tools.benchmarks.processes import processor_seconds

IMAGES_PER_CALL, CANDIDATES_PER_IMAGE = 64, 5


def main() -> None:
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--captions", type=Path, required=True)
    argument_parser.add_argument("--parser", default="")
    argument_parser.add_argument("--calls", type=int, default=5)
    argument_parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    options = argument_parser.parse_args()
    with gzip.open(options.captions, "rt", encoding="utf-8") as lines:
        captions = [json.loads(line)["captions"][:CANDIDATES_PER_IMAGE] for line in islice(lines, IMAGES_PER_CALL * 2 * options.calls)]
    images = len(captions) // 2
    references, samples = dict(enumerate(captions[:images])), captions[images:]
    with ExitStack() as stack:
        rewards = {
            n: stack.enter_context(Rewards(references, spice=Spice(parser=options.parser or None), workers=n)) for n in options.workers
        }
        for reward in rewards.values():
            reward.scores(list(references), ["A dog."] * images)  # starts workers, loads the parser, parses the references
        rates, work = {n: list[float]() for n in rewards}, {n: list[float]() for n in rewards}
        for start in range(0, images, IMAGES_PER_CALL):
            ids = [image for image in range(start, start + IMAGES_PER_CALL) for _ in range(CANDIDATES_PER_IMAGE)]
            texts = [text for image in samples[start : start + IMAGES_PER_CALL] for text in image]
            for n, reward in rewards.items():
                start_time, seconds_before = time.perf_counter(), processor_seconds()
                reward.scores(ids, texts)
                rates[n].append(len(ids) / (time.perf_counter() - start_time))
                work[n].append((processor_seconds() - seconds_before) / len(ids) * 1e3)
    print(f"{len(ids)} candidates a call, median of {options.calls} calls; load {os.getloadavg()[0]:.1f}")
    for n in rewards:
        print(f"workers {n}: {median(rates[n]):.0f} captions a second, {median(work[n]):.2f} ms of processor time each")


if __name__ == "__main__":
    main()
