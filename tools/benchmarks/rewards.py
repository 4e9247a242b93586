"""Measure captions per second as a reward: calls with 320 candidates and cached references.

python -m tools.benchmarks.rewards --captions coco_val2017.jsonl.gz [--parser spice-2016] [--calls 5]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from itertools import islice
from pathlib import Path
from statistics import median

from spice_core import Spice
from spice_core.evaluation.rewards import Rewards

IMAGES_PER_CALL, CANDIDATES_PER_IMAGE = 64, 5


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--captions", type=Path, required=True)
    options.add_argument("--parser", default="")
    options.add_argument("--calls", type=int, default=5)
    opt = options.parse_args()
    with gzip.open(opt.captions, "rt", encoding="utf-8") as lines:
        captions = [json.loads(line)["captions"] for line in islice(lines, IMAGES_PER_CALL * (1 + opt.calls))]
    references = {image: texts[:5] for image, texts in enumerate(captions[:IMAGES_PER_CALL])}
    rewards = Rewards(references, spice=Spice(parser=opt.parser or None))
    ids = [image for image in references for _ in range(CANDIDATES_PER_IMAGE)]
    rewards.scores(ids, ["A dog."] * len(ids))  # loads the parser, and reads the references
    rates = []
    for call in range(opt.calls):
        sampled = [
            text for texts in captions[IMAGES_PER_CALL * (call + 1) : IMAGES_PER_CALL * (call + 2)] for text in texts[:CANDIDATES_PER_IMAGE]
        ]
        begun = time.perf_counter()
        rewards.scores(ids, sampled)
        rates.append(len(ids) / (time.perf_counter() - begun))
    print(
        f"{len(ids)} candidates a call, median of {opt.calls} calls: {median(rates):.0f} captions a second; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
