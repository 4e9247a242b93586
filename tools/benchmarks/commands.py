"""Measures of commands in new processes: run times beside the original SPICE, and runs of many images."""

from __future__ import annotations

import json
import random
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tools.benchmarks.harness import (
    ROOT,
    SCORE_COMMAND,
    CommandCost,
    long_words,
    print_row,
    read_captions,
    run_command,
    swap_words,
    vary_items,
)

_CAPTIONS_PER_IMAGE = 6
_OPTIONS = ("--subset", "--silent")


def ratios(images: int = 500, rounds: int = 5, jar: str = "") -> None:
    """Time each command once per round, beside the original SPICE if there is a folder JAR, and print the medians.

    The captions are those of the sample CapEval1k; after its end, they repeat with two exchanged words. JAR contains ``spice-1.0.jar`` and
    ``lib/`` with CoreNLP 3.6.0, its models and nashorn-core.
    """
    with TemporaryDirectory() as folder:
        many, single, out_path = (Path(folder, name) for name in ("many.json", "single.json", "out.json"))
        items = sample_items(images)
        many.write_text(json.dumps(items), encoding="utf-8")
        single.write_text(json.dumps(items[:1]), encoding="utf-8")
        score, output = (*SCORE_COMMAND, many), ("--out", out_path, *_OPTIONS)
        two_workers, spice_2016, cache = ("--workers", 2), ("--parser", "spice-2016"), ("--cache", f"{folder}/cache")
        commands: dict[str, tuple[object, ...]] = {
            "parser caption": (*score, *output),
            "parser caption, two workers": (*score, *output, *two_workers),
            "parser spice-2016": (*score, *output, *spice_2016),
            "parser spice-2016, two workers": (*score, *output, *spice_2016, *two_workers),
            "parser caption, from the cache": (*score, *output, *cache),
            "one image, parser caption": (*SCORE_COMMAND, single, *output),
        }
        run_command(commands["parser caption, from the cache"])
        java = ("java", "-Xmx8G", "-cp", f"{jar}/spice-1.0.jar:{jar}/lib/*", "edu.anu.spice.SpiceScorer")
        if jar:
            commands["original SPICE (Java)"] = (*java, many, "-out", f"{folder}/jar.json", "-subset", "-silent")
            commands["one image, original SPICE (Java)"] = (*java, single, "-out", f"{folder}/jar.json", "-subset", "-silent")
        costs: dict[str, list[CommandCost]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                costs[name].append(run_command(command, folder=Path(jar) if command[0] == "java" else ROOT))
    print(f"{images} images of five captions, median of {rounds} rounds; the ratio is to {'the original' if jar else 'parser caption'}")
    print_row("", "s", "times", "MB")
    seconds = {name: median(cost.seconds for cost in costs_) for name, costs_ in costs.items()}
    for name, costs_ in costs.items():
        original = ("one image, " if name.startswith("one image") else "") + "original SPICE (Java)"
        baseline = original if jar else name if name.startswith("one image") else "parser caption"
        print_row(name, seconds[name], seconds[baseline] / seconds[name], round(max(cost.peak_mb for cost in costs_)))


def sample_items(count: int) -> list[dict[str, object]]:
    """Return items with a candidate and four references. Beyond the sample, items repeat with words swapped."""
    lines = (ROOT / "assets" / "samples" / "capeval1k.jsonl").read_text(encoding="utf-8").splitlines()
    images = [[next(iter(row["captions"].values())), *row["refs"][:4]] for row in map(json.loads, lines)]
    words, rng = long_words(text for texts in images for text in texts), random.Random(0)
    items: list[dict[str, object]] = []
    for image_id, texts in enumerate(islice(cycle(images), count)):
        candidate, *references = texts if image_id < len(images) else [swap_words(text, words, rng) for text in texts]
        items.append({"image_id": image_id, "test": candidate, "refs": references})
    return items


def runs(captions: Path, workers: int = 2, sizes: tuple[int, ...] = (1000, 40_504)) -> None:
    """Print time and memory by number of images with six different captions, made from those of a file by exchanging words."""
    images, rng = read_captions(captions), random.Random(0)
    print_row("images", "s", "ms/caption", "CPU ms", "CPU h/10^6", "MB")
    with TemporaryDirectory() as folder:
        for count in sizes:
            path = Path(folder, "in.json")
            path.write_text(json.dumps(vary_items(images, count, rng)), encoding="utf-8")
            cost = run_command([*SCORE_COMMAND, path, *_OPTIONS, "--workers", workers, "--out", f"{folder}/out.jsonl"])
            caption_ms, caption_cpu_ms = (1e3 * s / (count * _CAPTIONS_PER_IMAGE) for s in (cost.seconds, cost.processor_s))
            print_row(str(count), cost.seconds, caption_ms, caption_cpu_ms, caption_cpu_ms / 3.6, round(cost.peak_mb))
