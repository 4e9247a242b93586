"""Measures of the library in this process: training rewards, scores equal to those of SPICE 1.0, and hostile captions."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
import time
import traceback
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import correlation, median

from spice_core import Spice
from spice_core.data.items import read_items
from spice_core.evaluation.rewards import Rewards
from tests.fuzzing import fuzzed_captions, real_captions
from tools.benchmarks.harness import memory_mb, print_row, processor_seconds, read_captions

_IMAGES_PER_CALL, _CANDIDATES_PER_IMAGE = 64, 5
_TOLERANCE = 1e-6
_MAX_CAPTION_S, _MAX_GROWTH_RATIO = 2.0, 0.05


def rewards(captions: Path, parser: str = "", calls: int = 5, workers: tuple[int, ...] = (1, 2)) -> None:
    """Print how many captions per second are scored as rewards, in calls of 320 candidates whose references are already parsed.

    Each call has 64 new images with five candidates each, which are captions of other images. No image is used twice, so hardly any parse
    is reused. Runs with different numbers of workers take turns. Processor time includes the workers.
    """
    texts = [image[:_CANDIDATES_PER_IMAGE] for image in read_captions(captions)[: 2 * _IMAGES_PER_CALL * calls]]
    images = len(texts) // 2
    references, samples = dict(enumerate(texts[:images])), texts[images:]
    with ExitStack() as stack:
        scorers = {n: stack.enter_context(Rewards(references, spice=Spice(parser=parser or None), workers=n)) for n in workers}
        for scorer in scorers.values():
            scorer.scores(list(references), ["A dog."] * images)  # starts workers, loads the parser, parses the references
        rates, work = {n: list[float]() for n in workers}, {n: list[float]() for n in workers}
        for start in range(0, images, _IMAGES_PER_CALL):
            ids = [image for image in range(start, start + _IMAGES_PER_CALL) for _ in range(_CANDIDATES_PER_IMAGE)]
            candidates = [text for image in samples[start : start + _IMAGES_PER_CALL] for text in image]
            for n, scorer in scorers.items():
                start_time, seconds_before = time.perf_counter(), processor_seconds()
                scorer.scores(ids, candidates)
                rates[n].append(len(ids) / (time.perf_counter() - start_time))
                work[n].append((processor_seconds() - seconds_before) / len(ids) * 1e3)
    print_row("median of the calls", "captions/s", "CPU ms")
    for n in workers:
        print_row(f"{n} workers", median(rates[n]), median(work[n]))


def exact(items: Path, original: Path, parser: str = "corenlp:http://localhost:9000") -> None:
    """Compare scores with a result file of SPICE 1.0: the number of items with equal F1, and with equal counts in all categories.

    java -cp "spice-1.0.jar:lib/*" edu.anu.spice.SpiceScorer /full/path/items.json -out jar.json -detailed -subset -silent

    writes the file ORIGINAL. The items that differ are printed with the tuples that only one program has.
    """
    rows = {row["image_id"]: row for row in json.loads(original.read_text(encoding="utf-8"))}
    spice, scored_items = Spice(parser=parser, rules="spice-2016"), read_items(items)
    captions = list(dict.fromkeys(caption for item in scored_items for caption in item.captions))
    parses = dict(zip(captions, spice.parse(captions)))
    equal_f1 = equal_counts = 0
    pairs = []
    for item in scored_items:
        candidate, *references = (parses[caption] for caption in item.captions)
        result, row = spice.compare(candidate, references), rows[item.image_id]
        counts = {name: (s.matched, s.candidate - s.matched, s.reference - s.matched) for name, s in result.scores.items()}
        pairs.append((result.f1, row["scores"]["All"]["f"]))
        has_equal_f1 = abs(pairs[-1][0] - pairs[-1][1]) < _TOLERANCE
        has_equal_counts = counts == {name: (s["tp"], s["fp"], s["fn"]) for name, s in row["scores"].items()}
        equal_f1, equal_counts = equal_f1 + has_equal_f1, equal_counts + has_equal_counts
        if not (has_equal_f1 and has_equal_counts):
            own_tuples = {tuple(t.words) for side in (result.candidate_tuples, result.reference_tuples) for t in side}
            original_tuples = {tuple(t["tuple"]) for t in row["test_tuples"] + row["ref_tuples"]}
            print(f"{item.image_id}: {item.candidate}, only here {own_tuples - original_tuples}, only there {original_tuples - own_tuples}")
    print(spice.signature)
    print(f"{len(pairs)} items: F1 equal {equal_f1}, all counts equal {equal_counts}, Pearson {correlation(*zip(*pairs)):.3f}")


def fuzz_captions(lang: str = "en", count: int = 100_000, seed: int = 0) -> bool:
    """Parse and score hostile captions in one process to find exceptions, slow captions and memory growth.

    Each caption is derived from a real one (see tests/fuzzing.py), parsed alone and scored against the previous one. Memory is printed ten
    times, after the allocator has returned free memory. The exit code is 1 if a caption raises an exception or takes more than two seconds
    of processor time, or if memory grows by more than 5% after the first fifth.
    """
    captions, spice = real_captions(lang), Spice(lang)
    print(f"{count} captions from {len(captions)} real ones, {spice.signature}")
    parse_before = next(spice.parse(captions[:1]))
    failures, slowest, sizes, start, step = 0, (0.0, ""), list[float](), time.process_time(), count // 10
    print_row("captions", "MB", "ms/caption")
    for number, caption in enumerate(islice(fuzzed_captions(captions, seed), count), 1):
        start_time = time.process_time()
        try:
            parse = next(spice.parse([caption]))
            spice.compare(parse, [parse_before])
            parse_before = parse
        except Exception:
            failures += 1
            print(f"{caption!r}\n{traceback.format_exc()}", file=sys.stderr, flush=True)
        slowest = max(slowest, (time.process_time() - start_time, caption))
        if number % step == 0:
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)
            sizes.append(memory_mb(os.getpid()))
            print_row(str(number), sizes[-1], 1000 * (time.process_time() - start) / number)
    growth = max(sizes[2:]) / sizes[1] - 1
    print(f"{failures} raised; slowest {slowest[0]:.2f} s, {len(slowest[1])} characters: {slowest[1][:100]!r}")
    print(f"memory after the first {2 * step}: {100 * growth:+.1f}%")
    return bool(failures) or slowest[0] > _MAX_CAPTION_S or growth > _MAX_GROWTH_RATIO
