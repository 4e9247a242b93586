"""Data-set runs: every distinct caption parsed once, in this process or in several, then scored image by image."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from spice_core.data.items import Item
from spice_core.metric import Spice, SpiceResult
from spice_core.propositions import Parse
from spice_core.scoring import MeanScore, Score, mean

_CHUNK = 256


def parse_distinct(captions: Iterable[str], settings: Mapping[str, object], *, workers: int = 1) -> Iterator[tuple[str, Parse]]:
    """Each distinct caption with its parse, in order of first appearance.

    ``settings`` are Spice's arguments. With several workers the parses come without their documents, which are costly
    to hand over; their propositions keep rule and tokens.
    """
    distinct = list(dict.fromkeys(captions))
    if workers <= 1:
        yield from zip(distinct, Spice(**settings).parse(distinct))
        return
    chunks = [distinct[i : i + _CHUNK] for i in range(0, len(distinct), _CHUNK)]
    with ProcessPoolExecutor(min(workers, len(chunks) or 1), initializer=_start, initargs=(settings,)) as pool:
        for chunk, parses in zip(chunks, pool.map(_parse, chunks)):
            yield from zip(chunk, parses)


def evaluate(items: Iterable[Item], spice: Spice, parses: Mapping[str, Parse]) -> Iterator[tuple[Item, SpiceResult]]:
    """The result of each item, in order; ``parses`` holds its captions."""
    for item in items:
        captions = [c if isinstance(c, Parse) else parses[c] for c in (item.candidate, *item.references)]
        yield item, spice.compare(captions[0], captions[1:])


def means(scores: Sequence[Mapping[str, Score]]) -> dict[str, MeanScore]:
    """The macro-average of each category over images."""
    return {name: mean(image[name] for image in scores) for name in (scores[0] if scores else ())}


_worker: Spice


def _start(settings: Mapping[str, object]) -> None:
    global _worker
    # each process has a core to itself; NumPy, imported with the analyser, reads this once
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _worker = Spice(**settings)


def _parse(captions: list[str]) -> list[Parse]:
    return [replace(parse, document=None) for parse in _worker.parse(captions)]
