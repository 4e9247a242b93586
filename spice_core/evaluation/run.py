"""Data-set runs: items stream in, result rows stream out in the same order; in this process, in several, or on Dask."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from spice_core.data.items import Caption, Item
from spice_core.data.results import RowFields, ScoredItem, ScoredTuple
from spice_core.errors import InputError, Message, RuleError, SpiceError
from spice_core.evaluation.executors import Submit
from spice_core.evaluation.parse_cache import ParseCache, decoded, encoded
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.graph import SceneTuple
from spice_core.scene.propositions import GIVEN, Parse

BATCH = 32  # images in one task
_ENGLISH = SpiceConfig("en")
_SCORES_ALONE = RowFields()


@dataclass(frozen=True)
class RunOptions:
    """Options of a run: the metric's settings, the contents of a row, and whether translations are scored."""

    config: SpiceConfig = _ENGLISH
    fields: RowFields = _SCORES_ALONE
    translations: bool = False

    @property
    def configs(self) -> tuple[SpiceConfig, ...]:
        """Settings for the captions, then those for their translations."""
        return (self.config, _ENGLISH) if self.translations else (self.config,)


class Batch(NamedTuple):
    """Scored items in order, with the errors of those that the rules cannot read, and, for each metric, the cache key of its parses and the new encoded parses by caption."""

    items: list[ScoredItem | InputError]
    parse_keys: list[str]
    parses: list[dict[str, str]]


@lru_cache(maxsize=4)
def metric(config: SpiceConfig) -> Spice:
    """The metric for these settings, cached per process."""
    return Spice(config)


def run(
    items: Iterable[Item],
    options: RunOptions,
    submit: Submit,
    caches: Sequence[ParseCache],
    prefetch: int = 0,
    size: int = BATCH,
    skip: Callable[[InputError], None] | None = None,
) -> Iterator[ScoredItem]:
    """Score items, in order.

    ``submit`` starts a task of ``size`` items and returns a function that waits for it; ``caches`` belong to the metrics of ``options``;
    up to ``prefetch`` tasks run before the oldest is awaited; ``skip`` takes the error of an item that the rules cannot read. Raises
    InputError for such an item without it, and SpiceError if a worker has another version or other rules.
    """
    remaining = iter(items)
    waiting: deque[Callable[[], Batch]] = deque()
    while True:
        batch = list(islice(remaining, size))
        if batch:
            known = [cache.get(_texts(side)) for cache, side in zip(caches, _sides(batch, options))]
            waiting.append(submit(score_batch, options, batch, known))
        while waiting and (len(waiting) > prefetch or not batch):
            done = waiting.popleft()()
            for cache, found, new in zip(caches, done.parse_keys, done.parses):
                if found != cache.key:
                    raise SpiceError(Message("error.other_worker", found=found, expected=cache.key))
                cache.put(new)
            for each in done.items:
                if isinstance(each, ScoredItem):
                    yield each
                elif skip:
                    skip(each)
                else:
                    raise each
        if not batch:
            return


def score_batch(options: RunOptions, items: Sequence[Item], known: Sequence[Mapping[str, str]]) -> Batch:
    """Parse the captions that are not in ``known``, and score the items; those that the rules cannot read are found one by one."""
    spices = [metric(config) for config in options.configs]
    try:
        return _batch(spices, options, items, known)
    except RuleError as error:
        if len(items) == 1:
            return Batch([_unread(items[0], error)], [spice.parse_key for spice in spices], [{} for _ in spices])
    alone = [score_batch(options, [item], known) for item in items]
    parses = [dict(chain.from_iterable(new.items() for new in each)) for each in zip(*(batch.parses for batch in alone))]
    return Batch([item for batch in alone for item in batch.items], alone[0].parse_keys, parses)


def _batch(spices: Sequence[Spice], options: RunOptions, items: Sequence[Item], known: Sequence[Mapping[str, str]]) -> Batch:
    """The scored items. Raises RuleError where the rules cannot read one of them."""
    results: list[list[SpiceResult | None]] = []
    parse_keys: list[str] = []
    parses: list[dict[str, str]] = []
    for spice, side, texts in zip(spices, _sides(items, options), known):
        scored, new = _scored(spice, side, texts)
        results.append(scored)
        parse_keys.append(spice.parse_key)
        parses.append(new)
    return Batch([_scored_item(options, item, each) for item, each in zip(items, zip(*results))], parse_keys, parses)


def _unread(item: Item, error: RuleError) -> InputError:
    return InputError(
        Message("where.images", ids=item.image_id), Message("found.unread", reason=error.message), Message("expected.fewer_steps")
    )


def signature_of(spice: Spice, item: Item) -> str:
    """The signature of the item's result."""
    return str(spice.signature_of({spice.parser.signature} if any(item.captions) else {GIVEN}))


def _scored_item(options: RunOptions, item: Item, results: Sequence[SpiceResult | None]) -> ScoredItem:
    result, *translated = results
    assert result is not None
    translation = None
    if item.translation and translated and translated[0]:
        translation = _scored_item(options, item.translation, translated)
    tuples = [_scored_tuples(result, side) for side in (result.candidate_tuples, result.reference_tuples) if options.fields.detailed]
    candidate, references = tuples or ((), ())
    sentences = result.sentences if options.fields.sentences else ()
    signature = str(result.signature)
    return ScoredItem(
        item.image_id, item.candidate, item.references, result.scores, candidate, references, signature, translation, sentences, item.group
    )


def _scored_tuples(result: SpiceResult, tuples: Iterable[SceneTuple]) -> tuple[ScoredTuple, ...]:
    return tuple(ScoredTuple(t.words, id(t) in result.match_of) for t in tuples)


def _scored(spice: Spice, items: Sequence[Item | None], known: Mapping[str, str]) -> tuple[list[SpiceResult | None], dict[str, str]]:
    unknown = [caption for caption in _texts(items) if caption not in known]
    new = dict(zip(unknown, map(encoded, spice.parse(unknown)))) if unknown else {}
    texts, parser = {**known, **new}, spice.parser.signature

    def parse(caption: Caption) -> Parse:
        return caption if isinstance(caption, Parse) else decoded(caption, texts[caption], parser)

    results = [spice.compare(parse(item.candidate), list(map(parse, item.references))) if item else None for item in items]
    return results, new


def _sides(items: Sequence[Item], options: RunOptions) -> list[list[Item | None]]:
    """The items of each metric: the originals, then their translations."""
    return [list(items), [item.translation for item in items]] if options.translations else [list(items)]


def _texts(items: Iterable[Item | None]) -> list[str]:
    return list(dict.fromkeys(caption for item in items if item for caption in item.captions))


def caches(options: RunOptions, path: Path | None) -> list[ParseCache]:
    """One cache per metric of the options, all in this file."""
    return [ParseCache(metric(config).parse_key, path) for config in options.configs]
