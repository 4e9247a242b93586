"""Measure the time of each stage of a run: start, parser, enhancement and rules, graphs and scores.

python tools/benchmarks/stages.py --captions coco_val2017.jsonl.gz [--images 500]
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from itertools import islice
from pathlib import Path


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--captions", type=Path, required=True)
    options.add_argument("--images", type=int, default=500)
    opt = options.parse_args()
    with gzip.open(opt.captions, "rt", encoding="utf-8") as lines:
        images = [json.loads(line)["captions"][:5] for line in islice(lines, opt.images)]

    clock = [time.perf_counter()]
    from spice_core import Spice

    spice = Spice()
    parser = spice.parser
    clock.append(time.perf_counter())
    documents = list(parser.parse(caption for captions in images for caption in captions))
    clock.append(time.perf_counter())
    parses = list(map(spice.parse_document, documents))
    clock.append(time.perf_counter())
    for i in range(0, len(parses), 5):
        spice.compare(parses[i], parses[i + 1 : i + 5])
    clock.append(time.perf_counter())

    total_s = clock[-1] - clock[0]
    for name, start, end in zip(("start", "parser", "enhancement, rules", "graphs, matching, scores"), clock, clock[1:]):
        print(f"{name:<26}{end - start:7.2f} s {100 * (end - start) / total_s:6.1f}%")
    print(f"{'all':<26}{total_s:7.2f} s  {len(parses)} captions")


if __name__ == "__main__":
    main()
