"""Break files of every kind, some thousand times each, and have them read: only errors in one line may come of it.

    python -m tools.benchmarks.fuzz_files [--count 3000] [--seed 0] [--readers items.json …]

Ends with 1 where a reader raises anything but a SpiceError of one line, or takes more than ten seconds. What went wrong is told once for
each kind of fault, with the shortest file that does it, written to --faults if that is named.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

from spice_core.data.reader import Upload
from tests.app.test_fuzz_links import LINK
from tests.data.test_fuzz_files import broken, readers, tried

_PATIENCE = 10.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--count", type=int, default=3000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--readers", nargs="+", default=[])
    options.add_argument("--faults", type=Path)
    opt = options.parse_args()
    faulty = False
    print(f"{'reader':<20}{'files':>8}{'slowest':>12}  faults")
    with tempfile.TemporaryDirectory() as folder:
        for reader in (*readers(Path(folder)), LINK):
            if opt.readers and reader.name not in opt.readers:
                continue
            faults: dict[str, tuple[str, Upload]] = {}
            slowest = 0.0
            for file in broken(reader, opt.seed, opt.count):
                start = time.process_time()
                if fault := tried(reader, file, _PATIENCE):
                    kind = re.sub(r"\d+|'.*'|\".*\"", "…", fault)[:120]
                    faults[kind] = min(faults.get(kind, (fault, file)), (fault, file), key=lambda found: len(found[1].content))
                slowest = max(slowest, time.process_time() - start)
            print(f"{reader.name:<20}{opt.count:>8}{slowest:>10.2f} s  {len(faults)}", flush=True)
            for number, (fault, file) in enumerate(faults.values(), 1):
                print(f"    {fault[:300]}\n    {file.content[:200]!r}", flush=True)
                if opt.faults:
                    opt.faults.mkdir(parents=True, exist_ok=True)
                    (opt.faults / f"{number}-{file.name}").write_bytes(file.content)
            faulty |= bool(faults)
    return int(faulty)


if __name__ == "__main__":
    sys.exit(main())
