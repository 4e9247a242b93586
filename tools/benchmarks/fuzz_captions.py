"""Parse and score hostile captions in one process to find exceptions, slow captions and memory growth.

    python -m tools.benchmarks.fuzz_captions [--lang en] [--count 100000] [--seed 0]

Each caption is derived from a real one (see tests/fuzzing.py), parsed alone and scored against the previous one. Resident memory is printed
ten times, after the allocator has returned free memory. The exit code is 1 if a caption raises an exception or takes more than two seconds,
or if memory grows by more than 5% after the first fifth. Times are processor times, which depend little on other processes.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import sys
import time
import traceback
from itertools import islice
from pathlib import Path

from spice_core import Spice
from tests.fuzzing import fuzzed_captions, real_captions

MAX_CAPTION_S, MAX_GROWTH_RATIO = 2.0, 0.05


def main() -> int:
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--lang", default="en")
    argument_parser.add_argument("--count", type=int, default=100_000)
    argument_parser.add_argument("--seed", type=int, default=0)
    options = argument_parser.parse_args()
    captions, spice = real_captions(options.lang), Spice(options.lang)
    print(f"{options.count} captions from {len(captions)} real ones, {spice.signature}")
    parse_before = next(spice.parse(captions[:1]))
    failures, slowest, sizes, start = [], (0.0, ""), [], time.process_time()
    step = options.count // 10
    print(f"{'captions':>10}{'memory':>12}{'a caption':>12}", flush=True)
    for caption_number, caption in enumerate(islice(fuzzed_captions(captions, options.seed), options.count), 1):
        start_time = time.process_time()
        try:
            parse = next(spice.parse([caption]))
            spice.compare(parse, [parse_before])
            parse_before = parse
        except Exception:
            failures.append(caption)
            print(f"{caption!r}\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        slowest = max(slowest, (time.process_time() - start_time, caption))
        if caption_number % step == 0:
            sizes.append(memory_mb())
            print(f"{caption_number:>10}{sizes[-1]:>9.0f} MB{1000 * (time.process_time() - start) / caption_number:>9.2f} ms", flush=True)
    growth = max(sizes[2:]) / sizes[1] - 1
    print(f"{len(failures)} raised; slowest {slowest[0]:.2f} s, {len(slowest[1])} characters: {slowest[1][:100]!r}")
    print(f"memory after the first {2 * step}: {100 * growth:+.1f}%")
    return int(bool(failures) or slowest[0] > MAX_CAPTION_S or growth > MAX_GROWTH_RATIO)


def memory_mb() -> float:
    """Return the resident memory of this process in MB."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
