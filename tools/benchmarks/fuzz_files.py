"""Read thousands of damaged files of each kind, and check that only one-line errors result.

    python -m tools.benchmarks.fuzz_files [--count 3000] [--seed 0] [--readers items.json …]

The exit code is 1 if a reader raises anything but a one-line SpiceError, or takes more than ten seconds. The output is each kind of
fault with the shortest file that causes it. ``--faults`` names a folder to which these files are written.
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
from tests.data.test_fuzz_files import find_reader_fault, iterate_damaged_files, readers

_MAX_READ_S = 10.0


def main() -> int:
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--count", type=int, default=3000)
    argument_parser.add_argument("--seed", type=int, default=0)
    argument_parser.add_argument("--readers", nargs="+", default=[])
    argument_parser.add_argument("--faults", type=Path)
    options = argument_parser.parse_args()
    has_faults = False
    print(f"{'reader':<20}{'files':>8}{'slowest':>12}  faults")
    with tempfile.TemporaryDirectory() as folder:
        for reader in (*readers(Path(folder)), LINK):
            if options.readers and reader.name not in options.readers:
                continue
            faults: dict[str, tuple[str, Upload]] = {}
            slowest = 0.0
            for file in iterate_damaged_files(reader, options.seed, options.count):
                start = time.process_time()
                if fault := find_reader_fault(reader, file, _MAX_READ_S):
                    kind = re.sub(r"\d+|'.*'|\".*\"", "…", fault)[:120]
                    faults[kind] = min(faults.get(kind, (fault, file)), (fault, file), key=lambda pair: len(pair[1].content))
                slowest = max(slowest, time.process_time() - start)
            print(f"{reader.name:<20}{options.count:>8}{slowest:>10.2f} s  {len(faults)}", flush=True)
            for file_number, (fault, file) in enumerate(faults.values(), 1):
                print(f"    {fault[:300]}\n    {file.content[:200]!r}", flush=True)
                if options.faults:
                    options.faults.mkdir(parents=True, exist_ok=True)
                    (options.faults / f"{file_number}-{file.name}").write_bytes(file.content)
            has_faults |= bool(faults)
    return int(has_faults)


if __name__ == "__main__":
    sys.exit(main())
