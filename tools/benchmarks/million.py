"""Score a million different captions into part files, in constant memory. The same command resumes an interrupted run.

    python -m tools.benchmarks.million --captions coco_val2017.jsonl.gz --out FOLDER [--count 1000000] [--workers 2] [--dask ADDRESS]

Each image has six captions: real captions with two exchanged words, all different. For each part, the output is captions per
second, processor time and peak memory of all processes, followed by the totals of all parts, including parts of earlier runs. With
``--dask``, time and memory of the workers are not included. The load of the machine affects single figures.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager, closing
from itertools import islice
from math import gcd
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from spice_core.data.items import Item
from spice_core.data.results import RowFields, ScoredItem
from spice_core.evaluation.executors import SubmitTask, run_in_processes, run_on_dask, run_serially
from spice_core.evaluation.run import RunOptions, cached_metric, open_caches, score_items
from spice_core.metrics.config import SpiceConfig
from tools.benchmarks.processes import PeakMemory, processor_seconds

CAPTIONS_PER_IMAGE = 6
_ROW_FIELDS = RowFields(lines=True)
_VOCABULARY_SIZE = 1000  # number of the most frequent words, which fill the frames
_SAMPLE_INTERVAL_S = 0.5


class CaptionEnumeration:
    """An enumeration of different captions that does not store earlier ones.

    A frame is a real caption without its first two longer words. Two other longer words fill it. They are always the first two longer words
    of the result, so different frames or words never result in equal captions.
    """

    def __init__(self, captions: Iterable[str], seed: int = 0):
        frames: dict[tuple[str, ...], None] = {}
        words = Counter[str]()
        for tokens in map(str.split, captions):
            places = [position for position, token in enumerate(tokens) if _is_exchangeable(token)]
            words.update(tokens[position] for position in places)
            if len(places) > 1:
                frames[tuple("" if position in places[:2] else token for position, token in enumerate(tokens))] = None
        self._frames, self._words = list(frames), sorted(word for word, _ in words.most_common(_VOCABULARY_SIZE))
        rng = random.Random(seed)
        rng.shuffle(self._frames)
        rng.shuffle(self._words)
        self._pairs = len(self._words) ** 2
        self._step = next(step for step in range(int(self._pairs * 0.618), self._pairs + 2) if gcd(step, self._pairs) == 1)

    def __len__(self) -> int:
        return len(self._frames) * self._pairs

    def __getitem__(self, caption_index: int) -> str:
        round_index, frame = divmod(caption_index, len(self._frames))
        words = iter(self._words[n] for n in divmod((round_index + frame) * self._step % self._pairs, len(self._words)))
        return " ".join(token or next(words) for token in self._frames[frame])

    def item(self, image: int) -> Item:
        """Return the item of an image: a candidate and five references."""
        candidate, *references = (self[image * CAPTIONS_PER_IMAGE + n] for n in range(CAPTIONS_PER_IMAGE))
        return Item(image, candidate, tuple(references))


class ScoredPart(NamedTuple):
    """A complete part file: its number of images, and the time and peak memory of scoring them."""

    images: int
    seconds: float
    processor_seconds: float
    peak_mb: float

    @property
    def captions(self) -> int:
        return self.images * CAPTIONS_PER_IMAGE


def write_parts(
    captions: CaptionEnumeration, folder: Path, images: int, part_images: int, options: RunOptions, submit: SubmitTask, pending_count: int
) -> None:
    """Score the images that no part contains, and write them part by part. A part gets its final name when it is complete."""
    done_count = len(_part_paths(folder))
    remaining = map(captions.item, range(done_count * part_images, images))
    with closing(open_caches(options, None)[0]) as cache, PeakMemory(interval_s=_SAMPLE_INTERVAL_S) as memory:
        rows = score_items(remaining, options, submit, [cache], pending_count)
        clock = time.perf_counter(), processor_seconds()
        while batch := list(islice(map(row_text, rows), part_images)):
            path = folder / f"part-{done_count:05}.jsonl"
            path.with_suffix(".tmp").write_text("".join(batch), encoding="utf-8")
            times = time.perf_counter(), processor_seconds()
            part = ScoredPart(len(batch), times[0] - clock[0], times[1] - clock[1], memory.reset_peak_mb())
            _cost_path(path).write_text(json.dumps(part), encoding="utf-8")
            path.with_suffix(".tmp").replace(path)
            print_part(f"part {done_count + 1}", [part])
            done_count, clock = done_count + 1, times


def _part_paths(folder: Path) -> list[Path]:
    """Return the paths of the complete parts, sorted by number."""
    return sorted(folder.glob("part-*.jsonl"))


def _cost_path(part: Path) -> Path:
    return part.with_suffix(".cost.json")


def row_text(item: ScoredItem) -> str:
    """Return the row of an image, as ``spice-core score`` writes it except for the digest of its settings."""
    return json.dumps(item.as_json(_ROW_FIELDS), ensure_ascii=False) + "\n"


def print_part(name: str, parts: list[ScoredPart]) -> None:
    """Print a row of the table."""
    count, seconds = sum(part.captions for part in parts), sum(part.seconds for part in parts)
    work, peak = sum(part.processor_seconds for part in parts), max(part.peak_mb for part in parts)
    print(f"{name:<12}{count:>10}{seconds:>10.1f}{count / seconds:>12.0f}{work / count * 1e3:>14.2f}{peak:>10.0f}", flush=True)


def check_settings(folder: Path, settings: dict[str, object]) -> None:
    """Store the settings of a new folder. Exit if the folder has other settings."""
    folder.mkdir(parents=True, exist_ok=True)
    path, text = folder / "settings.json", json.dumps(settings)
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    elif (stored_text := path.read_text(encoding="utf-8")) != text:
        sys.exit(f"{path}: found {stored_text}, expected {text}; choose another folder")


def summarise(folder: Path) -> None:
    """Print the totals of all parts, the mean peak memory of the first and last quarter, and a digest of all rows."""
    parts, digest = (
        [ScoredPart(*json.loads(_cost_path(path).read_text(encoding="utf-8"))) for path in _part_paths(folder)],
        hashlib.sha256(),
    )
    print_part("all parts", parts)
    quarter = max(1, len(parts) // 4)
    print(f"peak memory of a part, first and last quarter: {_mean_peak(parts[:quarter])} and {_mean_peak(parts[-quarter:])} MB")
    for path in _part_paths(folder):
        digest.update(path.read_bytes())
    print(f"sha256 of all rows: {digest.hexdigest()[:16]}")


def _mean_peak(parts: list[ScoredPart]) -> str:
    return f"{fmean(part.peak_mb for part in parts):.0f}"


def _is_exchangeable(token: str) -> bool:
    return len(token) > 3 and token.isalpha()


def _executor(options: argparse.Namespace) -> AbstractContextManager[SubmitTask]:
    if options.dask:
        return run_on_dask(options.dask)
    return run_in_processes(options.workers) if options.workers > 1 else run_serially()


def main(arguments: list[str] | None = None) -> None:
    """Write the parts that the folder lacks, and print the table."""
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--captions", type=Path, required=True)
    argument_parser.add_argument("--out", type=Path, required=True)
    argument_parser.add_argument("--count", type=int, default=1_000_000, help="captions, six for each image")
    argument_parser.add_argument("--part", type=int, default=10_000, help="captions per part")
    argument_parser.add_argument("--parser", default="")
    argument_parser.add_argument("--workers", type=int, default=2)
    argument_parser.add_argument("--dask", metavar="ADDRESS")
    options = argument_parser.parse_args(arguments)
    with gzip.open(options.captions, "rt", encoding="utf-8") as lines:
        captions = CaptionEnumeration(caption for line in lines for caption in json.loads(line)["captions"])
    images, part = -(-options.count // CAPTIONS_PER_IMAGE), -(-options.part // CAPTIONS_PER_IMAGE)
    if not 0 < images * CAPTIONS_PER_IMAGE <= len(captions):
        sys.exit(f"--count: found {options.count}, expected 1 to {len(captions)}")
    config = SpiceConfig(parser=options.parser).resolved()
    signature = str(cached_metric(config).signature)
    check_settings(options.out, {"signature": signature, "images": images, "images_per_part": part, "captions": options.captions.name})
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
    print(f"{'':<12}{'captions':>10}{'seconds':>10}{'a second':>12}{'processor ms':>14}{'peak MB':>10}")
    pending_count = 2 * (8 if options.dask else options.workers) if options.dask or options.workers > 1 else 0
    with _executor(options) as submit:
        write_parts(captions, options.out, images, part, RunOptions(config, _ROW_FIELDS), submit, pending_count)
    summarise(options.out)
    print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
