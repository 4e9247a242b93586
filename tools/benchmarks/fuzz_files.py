"""Measure how the readers handle damaged files."""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path

from spice_core.data.reader import Upload
from tests.app.test_address import LINK_READER
from tests.data.test_fuzz_files import find_reader_fault, iterate_damaged_files, readers
from tools.benchmarks.harness import print_row

_MAX_READ_S = 10.0


def fuzz_files(count: int = 3000, seed: int = 0, only: str = "", faults: str = "") -> bool:
    """Read thousands of damaged files of each kind, and check that only one-line errors result.

    The exit code is 1 if a reader raises anything but a one-line SpiceError, or takes more than ten seconds. The output is each kind of
    fault with the shortest file that causes it. ONLY names a reader, such as ``items.json``, and FAULTS a folder to which these files are
    written.
    """
    has_faults = False
    print_row("reader", "files", "slowest, s", "faults")
    with tempfile.TemporaryDirectory() as folder:
        for reader in (*readers(Path(folder)), LINK_READER):
            if only and reader.name != only:
                continue
            shortest: dict[str, tuple[str, Upload]] = {}
            slowest = 0.0
            for file in iterate_damaged_files(reader, seed, count):
                start = time.process_time()
                if fault := find_reader_fault(reader, file, _MAX_READ_S):
                    kind = re.sub(r"\d+|'.*'|\".*\"", "…", fault)[:120]
                    shortest[kind] = min(shortest.get(kind, (fault, file)), (fault, file), key=lambda pair: len(pair[1].content))
                slowest = max(slowest, time.process_time() - start)
            print_row(reader.name, count, slowest, len(shortest))
            for file_number, (fault, file) in enumerate(shortest.values(), 1):
                print(f"    {fault[:300]}\n    {file.content[:200]!r}", flush=True)
                if faults:
                    Path(faults).mkdir(parents=True, exist_ok=True)
                    Path(faults, f"{file_number}-{file.name}").write_bytes(file.content)
            has_faults |= bool(shortest)
    return has_faults
