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
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import GIVEN, Parse
from spice_core.scene.scores import Score

CHUNK = 32  # images in one task
_ENGLISH = (("lang", "en"),)


@dataclass(frozen=True)
class Job:
    """Options of a run: the metric's settings, and the contents of a row.

    ``settings`` are the arguments of Spice as pairs; with ``lines``, rows also hold caption and signature.
    """

    settings: tuple[tuple[str, object], ...] = ()
    categories: bool = False
    detailed: bool = False
    lines: bool = False
    translations: bool = False

    @property
    def metrics(self) -> tuple[tuple[tuple[str, object], ...], ...]:
        """Settings for the captions, then those for their translations."""
        return (self.settings, _ENGLISH) if self.translations else (self.settings,)


class Row(NamedTuple):
    """One scored item: its JSON, and its scores and signature by metric (the second is None without translation)."""

    json: str
    scores: tuple[Mapping[str, Score] | None, ...]
    signatures: tuple[str | None, ...]


class Chunk(NamedTuple):
    """Scored items in order and, for each metric, the cache key of its parses and the new encoded parses by caption."""

    rows: list[Row]
    makers: list[str]
    parses: list[dict[str, str]]


@lru_cache(maxsize=4)
def metric(settings: tuple[tuple[str, object], ...]) -> Spice:
    """The metric for these settings, cached per process."""
    return Spice(**dict(settings))


def maker(spice: Spice) -> str:
    """What the propositions of a caption depend on, as text; the digest of the rules is whole, so that no other rules have it."""
    s = spice.signature
    return "|".join((s.lang, s.parser, f"{spice.rules.name}-{spice.rules.digest}", s.version))


def run(items: Iterable[Item], job: Job, submit: Submit, caches: Sequence[ParseCache], ahead: int = 0, size: int = CHUNK) -> Iterator[Row]:
    """Score items; yields their rows in order.

    ``submit`` starts a task of ``size`` items and returns a function that waits for it; ``caches`` belong to the job's metrics;
    up to ``ahead`` tasks run before the oldest is awaited. Raises SpiceError if a worker has another version or other rules.
    """
    items, waiting = iter(items), deque()
    while True:
        chunk = list(islice(items, size))
        if chunk:
            known = [cache.get(_texts(side)) for cache, side in zip(caches, _sides(chunk, job))]
            waiting.append(submit(score_chunk, job, chunk, known))
        while waiting and (len(waiting) > ahead or not chunk):
            rows, makers, parses = waiting.popleft()()
            for cache, found, new in zip(caches, makers, parses):
                if found != cache.maker:
                    raise SpiceError(f"a worker parses with {found}, expected {cache.maker}; restart all workers from the same files")
                cache.put(new)
            yield from rows
        if not chunk:
            return


def score_chunk(job: Job, items: Sequence[Item], known: Sequence[Mapping[str, str]], spices: Iterable[Spice] = ()) -> Chunk:
    """Parse the captions that are not in ``known`` and score the items, with the job's metrics or with ready-made ``spices``."""
    results, makers, parses = [], [], []
    for spice, side, texts in zip(spices or map(metric, job.metrics), _sides(items, job), known):
        scored, new = _scored(spice, side, texts)
        results.append(scored)
        makers.append(maker(spice))
        parses.append(new)
    return Chunk([_row(job, item, both) for item, both in zip(items, zip(*results))], makers, parses)


def row_keys(job: Job, item: Item) -> list[str]:
    """The fields of an item's row, in order."""
    keys = {
        "image_id": True,
        "test": job.lines,
        "refs": job.lines and job.detailed,
        "scores": True,
        "test_tuples": job.detailed,
        "ref_tuples": job.detailed,
        "scores_en": job.translations and item.translation,
        "signature": job.lines,
        "digest": job.lines,
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


def _row(job: Job, item: Item, results: Sequence[SpiceResult | None]) -> Row:
    result = results[0]
    values = result.as_reference_json(item.image_id, categories=job.categories, detailed=job.detailed)
    signatures = tuple(r and str(r.signature) for r in results)
    if job.lines:
        values |= {"test": written(item.candidate), "refs": [written(r) for r in item.references]}
        values |= {"signature": signatures[0], "digest": digest_of(item, signatures)}
    if job.translations and results[1]:
        values["scores_en"] = results[1].as_reference_json(None, categories=job.categories)["scores"]
    text = json.dumps({key: values[key] for key in row_keys(job, item)}, ensure_ascii=False)
    return Row(text, tuple(r and r.scores for r in results), signatures)


def _scored(spice: Spice, items: Sequence[Item | None], known: Mapping[str, str]) -> tuple[list[SpiceResult | None], dict[str, str]]:
    unknown = [caption for caption in _texts(items) if caption not in known]
    new = dict(zip(unknown, map(encoded, spice.parse(unknown)))) if unknown else {}
    texts, parser = {**known, **new}, spice.parser.signature

    def parse(caption: Caption) -> Parse:
        return caption if isinstance(caption, Parse) else decoded(caption, texts[caption], parser)

    results = [item and spice.compare(parse(item.candidate), list(map(parse, item.references))) for item in items]
    return results, new


def _sides(items: Sequence[Item], job: Job) -> list[list[Item | None]]:
    """The items of each metric: the originals, then their translations."""
    return [list(items), [item.translation for item in items]] if job.translations else [list(items)]


def _texts(items: Iterable[Item | None]) -> list[str]:
    return list(dict.fromkeys(caption for item in items if item for caption in item.captions))


def caches(job: Job, path: Path | None) -> list[ParseCache]:
    """One cache per metric of the job, all in this file."""
    return [ParseCache(maker(metric(settings)), path) for settings in job.metrics]
