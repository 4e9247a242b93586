"""Measure the processor time of each stage of a run in one thread with the default parser, in milliseconds per caption.

python -m tools.benchmarks.stages --captions coco_val2017.jsonl.gz [--images 500] [--rounds 3]

The output is the minimum of the rounds, which depends least on the load of the machine. Garbage collection is off.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

_CAPTIONS_PER_BLOCK = 128


class StageClock:
    """The minimum processor seconds of each stage over all rounds, by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._round_seconds: dict[str, float] = {}

    @contextmanager
    def measure(self, stage: str) -> Iterator[None]:
        """Add the processor time of the block to a stage of this round."""
        start = time.process_time()
        yield
        self._round_seconds[stage] = self._round_seconds.get(stage, 0) + time.process_time() - start

    def end_round(self) -> None:
        """Update the minimum of each stage with the time of this round."""
        self.seconds = {stage: min(seconds, self.seconds.get(stage, seconds)) for stage, seconds in self._round_seconds.items()}
        self._round_seconds = {}


def run_stages(captions: list[list[str]], clock: StageClock) -> None:
    """Score the first caption of each image against its other captions, stage by stage."""
    from spice_core import Spice
    from spice_core.lang.en.parsers.encoder_parser import EncoderParser
    from spice_core.scene.propositions import Parse
    from spice_core.syntax.layout import layout_caption

    spice, parses = Spice(), []
    parser = spice.parser
    assert isinstance(parser, EncoderParser)
    layouts = iter([layout_caption(caption) for image in captions for caption in image])
    while block := list(islice(layouts, _CAPTIONS_PER_BLOCK)):
        with clock.measure("tokens, word pieces"):
            spans, inputs = parser._read_block(block)
        with clock.measure("encoder"):
            outputs = parser._compute_outputs(inputs)
        with clock.measure("trees, relations, repairs"):
            documents = list(parser._make_documents(block, spans, outputs))
        with clock.measure("enhancement"):
            documents = [spice._pack.enhance(document, spice.rules.steps) for document in documents]
        with clock.measure("rules"):
            rule_results = list(map(spice.rules.apply, documents))
        parses += [Parse(document.text, propositions, document) for document, propositions in zip(documents, rule_results)]
    parse_iterator = iter(parses)
    images = [list(islice(parse_iterator, len(image))) for image in captions]
    with clock.measure("graphs of references"):
        merged = [spice.merge(references) for _, *references in images]
    with clock.measure("candidate, matching, scores"):
        for (candidate, *_), references in zip(images, merged):
            spice.compare(candidate, references)


def main() -> None:
    argument_parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    argument_parser.add_argument("--captions", type=Path, required=True)
    argument_parser.add_argument("--images", type=int, default=500)
    argument_parser.add_argument("--rounds", type=int, default=3)
    options = argument_parser.parse_args()
    with gzip.open(options.captions, "rt", encoding="utf-8") as lines:
        captions = [json.loads(line)["captions"][:5] for line in islice(lines, options.images)]
    run_stages(captions[:1], StageClock())  # imports and loads everything before the measurement
    clock, count = StageClock(), sum(map(len, captions))
    gc.disable()
    for _ in range(options.rounds):
        run_stages(captions, clock)
        clock.end_round()
        gc.collect()
    total = sum(clock.seconds.values())
    for stage, seconds in clock.seconds.items():
        print(f"{stage:<30}{seconds / count * 1e3:8.4f} ms {100 * seconds / total:6.1f}%")
    print(f"{'all':<30}{total / count * 1e3:8.4f} ms  {count} captions, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
