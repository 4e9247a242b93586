"""Data-set runs: items stream in, result rows stream out in the same order; in this process, in several, or on Dask."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from spice_core.data.items import Caption, Item
from spice_core.errors import SpiceError
from spice_core.evaluation.executors import Submit
from spice_core.evaluation.parse_cache import ParseCache, decoded, encoded
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import GIVEN, Parse
from spice_core.scene.scores import Score

BATCH = 32  # images in one task
_ENGLISH = SpiceConfig("en")


@dataclass(frozen=True)
class RunOptions:
    """Options of a run: the metric's settings, and the contents of a row; with ``lines``, rows also hold caption and signature."""

    config: SpiceConfig = _ENGLISH
    categories: bool = False
    detailed: bool = False
    lines: bool = False
    translations: bool = False

    @property
    def configs(self) -> tuple[SpiceConfig, ...]:
        """Settings for the captions, then those for their translations."""
        return (self.config, _ENGLISH) if self.translations else (self.config,)


class Row(NamedTuple):
    """One scored item: its JSON, and its scores and signature by metric (the second is None without translation)."""

    json: str
    scores: tuple[Mapping[str, Score] | None, ...]
    signatures: tuple[str | None, ...]


class Batch(NamedTuple):
    """Scored items in order and, for each metric, the cache key of its parses and the new encoded parses by caption."""

    rows: list[Row]
    parse_keys: list[str]
    parses: list[dict[str, str]]


@lru_cache(maxsize=4)
def metric(config: SpiceConfig) -> Spice:
    """The metric for these settings, cached per process."""
    return Spice(config)


def run(
    items: Iterable[Item], options: RunOptions, submit: Submit, caches: Sequence[ParseCache], prefetch: int = 0, size: int = BATCH
) -> Iterator[Row]:
    """Score items; yields their rows in order.

    ``submit`` starts a task of ``size`` items and returns a function that waits for it; ``caches`` belong to the metrics of ``options``;
    up to ``prefetch`` tasks run before the oldest is awaited. Raises SpiceError if a worker has another version or other rules.
    """
    items, waiting = iter(items), deque()
    while True:
        batch = list(islice(items, size))
        if batch:
            known = [cache.get(_texts(side)) for cache, side in zip(caches, _sides(batch, options))]
            waiting.append(submit(score_batch, options, batch, known))
        while waiting and (len(waiting) > prefetch or not batch):
            rows, parse_keys, parses = waiting.popleft()()
            for cache, found, new in zip(caches, parse_keys, parses):
                if found != cache.key:
                    raise SpiceError(f"a worker parses with {found}, expected {cache.key}; restart all workers from the same files")
                cache.put(new)
            yield from rows
        if not batch:
            return


def score_batch(options: RunOptions, items: Sequence[Item], known: Sequence[Mapping[str, str]], spices: Iterable[Spice] = ()) -> Batch:
    """Parse the captions that are not in ``known`` and score the items, with the metrics of the options or with ready-made ``spices``."""
    results, parse_keys, parses = [], [], []
    for spice, side, texts in zip(spices or map(metric, options.configs), _sides(items, options), known):
        scored, new = _scored(spice, side, texts)
        results.append(scored)
        parse_keys.append(spice.parse_key)
        parses.append(new)
    return Batch([_row(options, item, both) for item, both in zip(items, zip(*results))], parse_keys, parses)


def row_keys(options: RunOptions, item: Item) -> list[str]:
    """The fields of an item's row, in order."""
    keys = {
        "image_id": True,
        "test": options.lines,
        "refs": options.lines and options.detailed,
        "scores": True,
        "test_tuples": options.detailed,
        "ref_tuples": options.detailed,
        "scores_en": options.translations and item.translation,
        "signature": options.lines,
        "digest": options.lines,
    }
    return [key for key, there in keys.items() if there]


def signature_of(spice: Spice, item: Item) -> str:
    """The signature of the item's result."""
    return str(spice.signature_of({spice.parser.signature} if any(item.captions) else {GIVEN}))


def digest_of(item: Item, signatures: Iterable[str | None]) -> str:
    """What an item's scores follow from, in 32 hexadecimal digits: captions and signature, and those of its translation."""
    sides = [
        [written(side.candidate), [written(r) for r in side.references], signature]
        for side, signature in zip((item, item.translation), signatures)
        if side
    ]
    return sha256(json.dumps(sides).encode()).hexdigest()[:32]


def written(caption: Caption) -> object:
    """A caption as it is written to a file."""
    return caption if isinstance(caption, str) else [list(p.words) for p in caption.propositions]


def _row(options: RunOptions, item: Item, results: Sequence[SpiceResult | None]) -> Row:
    result = results[0]
    values = result.as_reference_json(item.image_id, categories=options.categories, detailed=options.detailed)
    signatures = tuple(r and str(r.signature) for r in results)
    if options.lines:
        values |= {"test": written(item.candidate), "refs": [written(r) for r in item.references]}
        values |= {"signature": signatures[0], "digest": digest_of(item, signatures)}
    if options.translations and results[1]:
        values["scores_en"] = results[1].as_reference_json(None, categories=options.categories)["scores"]
    text = json.dumps({key: values[key] for key in row_keys(options, item)}, ensure_ascii=False)
    return Row(text, tuple(r and r.scores for r in results), signatures)


def _scored(spice: Spice, items: Sequence[Item | None], known: Mapping[str, str]) -> tuple[list[SpiceResult | None], dict[str, str]]:
    unknown = [caption for caption in _texts(items) if caption not in known]
    new = dict(zip(unknown, map(encoded, spice.parse(unknown)))) if unknown else {}
    texts, parser = {**known, **new}, spice.parser.signature

    def parse(caption: Caption) -> Parse:
        return caption if isinstance(caption, Parse) else decoded(caption, texts[caption], parser)

    results = [item and spice.compare(parse(item.candidate), list(map(parse, item.references))) for item in items]
    return results, new


def _sides(items: Sequence[Item], options: RunOptions) -> list[list[Item | None]]:
    """The items of each metric: the originals, then their translations."""
    return [list(items), [item.translation for item in items]] if options.translations else [list(items)]


def _texts(items: Iterable[Item | None]) -> list[str]:
    return list(dict.fromkeys(caption for item in items if item for caption in item.captions))


def caches(options: RunOptions, path: Path | None) -> list[ParseCache]:
    """One cache per metric of the options, all in this file."""
    return [ParseCache(metric(config).parse_key, path) for config in options.configs]
