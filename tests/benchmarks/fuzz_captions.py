"""Parse and score hostile captions in one process: what raises, what is slow, and whether memory stays flat.

    python -m tests.benchmarks.fuzz_captions [--lang en] [--count 100000] [--seed 0]

Each caption is made from a real one (see tests/fuzzing.py), parsed alone and scored against the one before it. Resident memory is
told ten times. Ends with 1 where a caption raises, takes longer than two seconds, or memory after the first fifth grows by more than
5 %.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from itertools import islice
from pathlib import Path

from spice_core import Spice
from tests.fuzzing import fuzzed_captions, real_captions

SLOWEST, GROWTH = 2.0, 0.05


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--lang", default="en")
    options.add_argument("--count", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=0)
    opt = options.parse_args()
    captions, spice = real_captions(opt.lang), Spice(opt.lang)
    print(f"{opt.count} captions from {len(captions)} real ones, {spice.signature}")
    before = next(spice.parse(captions[:1]))
    raised, slowest, sizes, start = [], (0.0, ""), [], time.perf_counter()
    step = opt.count // 10
    print(f"{'captions':>10}{'memory':>12}{'a caption':>12}", flush=True)
    for number, caption in enumerate(islice(fuzzed_captions(captions, opt.seed), opt.count), 1):
        began = time.perf_counter()
        try:
            parse = next(spice.parse([caption]))
            spice.compare(parse, [before])
            before = parse
        except Exception:
            raised.append(caption)
            print(f"{caption!r}\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        slowest = max(slowest, (time.perf_counter() - began, caption))
        if number % step == 0:
            sizes.append(resident())
            print(f"{number:>10}{sizes[-1]:>9.0f} MB{1000 * (time.perf_counter() - start) / number:>9.2f} ms", flush=True)
    growth = max(sizes[2:]) / sizes[1] - 1
    print(f"{len(raised)} raised; slowest {slowest[0]:.2f} s, {len(slowest[1])} characters: {slowest[1][:100]!r}")
    print(f"memory after the first {2 * step}: {100 * growth:+.1f} %")
    return int(bool(raised) or slowest[0] > SLOWEST or growth > GROWTH)


def resident() -> float:
    """Memory of this process that is not swapped out, in MB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
