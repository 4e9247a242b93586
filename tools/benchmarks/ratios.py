"""Measure the ratios of run times in docs/deployment.md: each round runs every command once, and the table gives medians.

    make bench     or     python -m tools.benchmarks.ratios [--images 500] [--rounds 5] [--jar FOLDER]

The captions come from the sample; after its end, they repeat with two exchanged words. With ``--jar`` and a folder as for
``against_jar``, the original SPICE also runs in each round. The output includes the load before each round. Quote only
ratios that were measured on an idle machine.
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
from tools.benchmarks.runs import exchange_words

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "assets" / "samples" / "capeval1k.jsonl"
REPLACEMENT_WORDS = ("table", "yellow", "woman", "standing", "horse", "umbrella")
JAVA_COMMAND, SPICE_2016_COMMAND, CAPTION_COMMAND = "original SPICE (Java)", "parser spice-2016", "parser caption"


class Command(NamedTuple):
    """A command to time, and the name of the command to compare it with."""

    name: str
    arguments: list[str]
    folder: Path
    baseline: str = ""


def main() -> None:
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--images", type=int, default=500)
    argument_parser.add_argument("--rounds", type=int, default=5)
    argument_parser.add_argument("--jar", type=Path)
    options = argument_parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        timed_commands = prepare_commands(Path(name), options.images, options.jar)
        seconds = time_commands(timed_commands, options.rounds)
    print(f"\n{options.images} images of five captions, {os.cpu_count()} cores, median of {options.rounds} rounds")
    for command in timed_commands:
        median_s, baseline_s = statistics.median(seconds[command.name]), seconds.get(command.baseline)
        ratio = f"{statistics.median(baseline_s) / median_s:8.1f} times as fast as {command.baseline}" if baseline_s else ""
        print(f"{command.name:<36}{median_s:8.2f} s{ratio}")


def prepare_commands(folder: Path, image_count: int, jar: Path | None) -> list[Command]:
    """Write the input files and return the commands to time."""
    all_images, one_image, output_options = (
        folder / "whole.json",
        folder / "one.json",
        ["--out", f"{folder}/out.json", "--subset", "--silent"],
    )
    all_images.write_text(json.dumps(sample_items(image_count)), encoding="utf-8")
    one_image.write_text(json.dumps(sample_items(1)), encoding="utf-8")
    score = [sys.executable, "-m", "spice_core", "score"]
    cached = [*output_options, "--cache", f"{folder}/cache"]
    two_workers = ["--workers", "2"]
    java = JAVA_COMMAND if jar else ""
    timed_commands = [
        Command("one image", [*score, str(one_image), *output_options], ROOT, f"{JAVA_COMMAND}, one image" if jar else ""),
        Command(CAPTION_COMMAND, [*score, str(all_images), *output_options], ROOT, java),
        Command(f"{CAPTION_COMMAND}, two workers", [*score, str(all_images), *output_options, *two_workers], ROOT, java or CAPTION_COMMAND),
        Command(SPICE_2016_COMMAND, [*score, str(all_images), *output_options, "--parser", "spice-2016"], ROOT, java or CAPTION_COMMAND),
        Command(
            f"{SPICE_2016_COMMAND}, two workers",
            [*score, str(all_images), *output_options, "--parser", "spice-2016", *two_workers],
            ROOT,
            java or CAPTION_COMMAND,
        ),
        Command("from the cache", [*score, str(all_images), *cached], ROOT, java or CAPTION_COMMAND),
    ]
    measure([*score, str(all_images), *cached], ROOT)  # fills the cache
    if jar:
        start = ["java", "-Xmx8G", "-cp", f"{jar}/spice-1.0.jar:{jar}/lib/*", "edu.anu.spice.SpiceScorer"]
        single_dash_options = ["-out", f"{folder}/jar.json", "-subset", "-silent"]  # the jar's options have a single dash
        timed_commands += [
            Command(name, [*start, str(path), *single_dash_options], jar)
            for name, path in ((f"{JAVA_COMMAND}, one image", one_image), (JAVA_COMMAND, all_images))
        ]
    return timed_commands


def sample_items(image_count: int) -> list[dict]:
    """Return items with a candidate and four references. After the end of the sample, its items repeat with exchanged words."""
    rows, rng = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()], random.Random(0)
    items = []
    for index, row in enumerate(islice(cycle(rows), image_count)):
        texts = [next(iter(row["captions"].values())), *row["refs"][:4]]  # not every image has a caption of system A
        texts = texts if index < len(rows) else [exchange_words(text, list(REPLACEMENT_WORDS), rng) for text in texts]
        items.append({"image_id": index, "test": texts[0], "refs": texts[1:]})
    return items


def time_commands(timed_commands: Sequence[Command], round_count: int) -> dict[str, list[float]]:
    """Run every command in each round. Return the wall seconds by command."""
    seconds: dict[str, list[float]] = {command.name: [] for command in timed_commands}
    for round_index in range(round_count):
        print(f"round {round_index + 1}, load {os.getloadavg()[0]:.1f}", flush=True)
        for command in timed_commands:
            seconds[command.name].append(measure(command.arguments, command.folder)[0])
    return seconds


if __name__ == "__main__":
    main()
