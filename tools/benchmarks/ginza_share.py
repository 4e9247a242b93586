"""Compare the time that JaSPICE takes with the time of GiNZA alone: python -m tools.benchmarks.ginza_share CAPTIONS.txt"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

from spice_core import Spice
from spice_core.lang.spacy_models import Pipeline


def main(path: str, first_count: int = 1000) -> None:
    """Time GiNZA and JaSPICE in turn on the same captions, twice. JaSPICE scores each caption at an even position against the next one."""
    captions = Path(path).read_text(encoding="utf-8").splitlines()[:first_count]
    spice = Spice("ja")
    assert isinstance(spice.parser, Pipeline)
    nlp = spice.parser._nlp
    spice.compute(captions[0], captions[1:2])
    ratios = []
    for _ in range(2):
        start = perf_counter()
        for _ in nlp.pipe(captions, batch_size=128):
            pass
        parser_start = perf_counter()
        parses = list(spice.parse(captions))
        parser_end = perf_counter()
        for candidate, reference in zip(parses[::2], parses[1::2]):
            spice.compare(candidate, [reference])
        scored = perf_counter()
        ratios.append((scored - parser_start) / (parser_start - start))
        print(
            f"GiNZA {parser_start - start:.2f} s, parse {parser_end - parser_start:.2f} s, score {scored - parser_end:.2f} s, ratio {ratios[-1]:.3f}"
        )


if __name__ == "__main__":
    main(sys.argv[1])
