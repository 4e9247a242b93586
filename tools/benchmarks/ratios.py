"""All ratios of docs/speed.md in one run: each round runs every command once, in turn; the table gives medians.

    make bench     or     python -m tools.benchmarks.ratios [--images 500] [--rounds 5] [--jar FOLDER]

The captions are those of the sample, two words of each exchanged where the sample is used up. With ``--jar``, a folder as for ``against_jar``,
the original SPICE runs in each round too. The load before each round is printed: quote ratios of a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from tools.benchmarks.against_jar import measure
from tools.benchmarks.runs import changed

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "assets" / "samples" / "capeval1k.jsonl"
WORDS = ("table", "yellow", "woman", "standing", "horse", "umbrella")  # that others are exchanged for
JAVA, ORIGINAL, CAPTION = "original SPICE (Java)", "parser spice-2016", "parser caption"


class Command(NamedTuple):
    """A command to time, and the name of the one that it is compared with."""

    name: str
    line: list[str]
    folder: Path
    against: str = ""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--images", type=int, default=500)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--jar", type=Path)
    opt = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = commands(Path(name), opt.images, opt.jar)
        seconds = timed(found, opt.rounds)
    print(f"\n{opt.images} images of five captions, {os.cpu_count()} cores, median of {opt.rounds} rounds")
    for command in found:
        mine, other = statistics.median(seconds[command.name]), seconds.get(command.against)
        ratio = f"{statistics.median(other) / mine:8.1f} times as fast as {command.against}" if other else ""
        print(f"{command.name:<36}{mine:8.2f} s{ratio}")


def commands(folder: Path, images: int, jar: Path | None) -> list[Command]:
    """What is timed, with the files that it reads."""
    whole, one, out = folder / "whole.json", folder / "one.json", ["--out", f"{folder}/out.json", "--subset", "--silent"]
    whole.write_text(json.dumps(items(images)), encoding="utf-8")
    one.write_text(json.dumps(items(1)), encoding="utf-8")
    score = [sys.executable, "-m", "spice_core", "score"]
    cached = [*out, "--cache", f"{folder}/cache"]
    two = ["--workers", "2"]
    java = JAVA if jar else ""
    found = [
        Command("one image", [*score, str(one), *out], ROOT, f"{JAVA}, one image" if jar else ""),
        Command(CAPTION, [*score, str(whole), *out], ROOT, java),
        Command(f"{CAPTION}, two workers", [*score, str(whole), *out, *two], ROOT, java or CAPTION),
        Command(ORIGINAL, [*score, str(whole), *out, "--parser", "spice-2016"], ROOT, java or CAPTION),
        Command(f"{ORIGINAL}, two workers", [*score, str(whole), *out, "--parser", "spice-2016", *two], ROOT, java or CAPTION),
        Command("from the cache", [*score, str(whole), *cached], ROOT, java or CAPTION),
    ]
    measure([*score, str(whole), *cached], ROOT)  # fills the cache
    if jar:
        start = ["java", "-Xmx8G", "-cp", f"{jar}/spice-1.0.jar:{jar}/lib/*", "edu.anu.spice.SpiceScorer"]
        single = ["-out", f"{folder}/jar.json", "-subset", "-silent"]  # its options have one dash
        found += [Command(name, [*start, str(path), *single], jar) for name, path in ((f"{JAVA}, one image", one), (JAVA, whole))]
    return found


def items(images: int) -> list[dict]:
    """So many images of a candidate and four references; where the sample is used up, with words exchanged."""
    rows, rng = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()], random.Random(0)
    out = []
    for number, row in enumerate(islice(cycle(rows), images)):
        texts = [next(iter(row["captions"].values())), *row["refs"][:4]]  # not every image has a caption of system A
        texts = texts if number < len(rows) else [changed(text, list(WORDS), rng) for text in texts]
        out.append({"image_id": number, "test": texts[0], "refs": texts[1:]})
    return out


def timed(found: Sequence[Command], rounds: int) -> dict[str, list[float]]:
    """The wall seconds of each command in each round."""
    seconds: dict[str, list[float]] = {command.name: [] for command in found}
    for number in range(rounds):
        print(f"round {number + 1}, load {os.getloadavg()[0]:.1f}", flush=True)
        for command in found:
            seconds[command.name].append(measure(command.line, command.folder)[0])
    return seconds


if __name__ == "__main__":
    main()
