"""Runs over data sets. Items stream in, and scored items stream out in the same order, from this process, other processes or Dask."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from spice_core.data.items import Caption, Item
from spice_core.data.results import RowFields, ScoredItem, ScoredTuple
from spice_core.errors import InputError, Message, RuleError, SpiceError
from spice_core.evaluation.executors import SubmitTask
from spice_core.evaluation.parse_cache import ParseCache, decode_parse, encode_parse
from spice_core.metrics.config import SpiceConfig
from spice_core.metrics.result import SpiceResult
from spice_core.metrics.spice import Spice
from spice_core.scene.propositions import GIVEN_RULE, Parse

IMAGES_PER_TASK = 32
_IMAGES_PER_SERIAL_TASK, _CHARS_PER_SERIAL_TASK = 512, 200_000  # larger tasks, because the parser works ahead
_MIN_IMAGES_PER_TASK = 4  # smaller last tasks let the workers finish together
_ENGLISH_CONFIG = SpiceConfig("en")
_SCORE_FIELDS_ONLY = RowFields()


@dataclass(frozen=True)
class RunOptions:
    """Options of a run: the metric, and the contents of a row.

    The metric is a SpiceConfig, a Spice for a run in this process, or a pickled Spice for a run in several processes.
    """

    config: SpiceConfig | Spice | bytes = _ENGLISH_CONFIG
    fields: RowFields = _SCORE_FIELDS_ONLY

    @property
    def spice(self) -> Spice:
        """The metric, which each process creates only once."""
        return cached_metric(self.config)


class ScoredBatch(NamedTuple):
    """The results of a task.

    Attributes:
        items: Scored items in order, with an error for each item that the rules cannot read.
        parse_key: The cache key of the parses.
        parses: The new encoded parses by caption.
    """

    items: list[ScoredItem | InputError]
    parse_key: str
    parses: dict[str, str]


def cached_metric(config: SpiceConfig | Spice | bytes) -> Spice:
    """Return the metric of a run. Each process creates it only once."""
    return config if isinstance(config, Spice) else _make_metric(config)


@lru_cache(maxsize=4)
def _make_metric(config: SpiceConfig | bytes) -> Spice:
    if isinstance(config, bytes):
        spice: Spice = pickle.loads(config)
        return spice
    return Spice(config)


def score_items(
    items: Iterable[Item],
    options: RunOptions,
    submit: SubmitTask,
    cache: ParseCache,
    prefetch: int = 0,
    batch_size: int | None = None,
    total: int | None = None,
    skip: Callable[[InputError], None] | None = None,
) -> Iterator[ScoredItem]:
    """Score items, in order.

    Args:
        items: the items to score.
        options: the metric, and the contents of a row.
        submit: starts a task and returns a function that waits for its result.
        cache: the parses of the metric.
        prefetch: number of tasks that may run before the oldest is awaited.
        batch_size: number of images in a task; the default is larger if tasks run one by one.
        total: number of items if known, so that the last tasks can be smaller.
        skip: called with the error of each item that the rules cannot read.

    Raises:
        InputError: the rules cannot read an item, and there is no ``skip``.
        SpiceError: a worker has another version or other rules.
    """
    batches = _split_items(iter(items), batch_size, prefetch, total)
    pending: deque[Callable[[], ScoredBatch]] = deque()
    while True:
        batch = next(batches, [])
        if batch:
            pending.append(submit(score_batch, options, batch, cache.get(_caption_texts(batch))))
        while pending and (len(pending) > prefetch or not batch):
            batch_result = pending.popleft()()
            if batch_result.parse_key != cache.key:
                raise SpiceError(Message("error.other_worker", found=batch_result.parse_key, expected=cache.key))
            cache.put(batch_result.parses)
            for item in batch_result.items:
                if isinstance(item, ScoredItem):
                    yield item
                elif skip:
                    skip(item)
                else:
                    raise item
        if not batch:
            return


def _split_items(items: Iterator[Item], batch_size: int | None, prefetch: int, total: int | None) -> Iterator[list[Item]]:
    """Split the items of a run into tasks."""
    if not batch_size and not prefetch:
        yield from _split_by_length(items)
        return
    most = batch_size or IMAGES_PER_TASK
    while batch := list(islice(items, most)):
        yield batch
        if total and not batch_size:
            total -= len(batch)
            most = min(most, max(_MIN_IMAGES_PER_TASK, total // prefetch))


def _split_by_length(items: Iterator[Item]) -> Iterator[list[Item]]:
    """Split the items into tasks of at most ``_IMAGES_PER_SERIAL_TASK`` images and about ``_CHARS_PER_SERIAL_TASK`` characters."""
    batch, chars = list[Item](), 0
    for item in items:
        batch.append(item)
        chars += sum(map(len, item.captions))
        if len(batch) == _IMAGES_PER_SERIAL_TASK or chars >= _CHARS_PER_SERIAL_TASK:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


def score_batch(options: RunOptions, items: Sequence[Item], known_parses: Mapping[str, str]) -> ScoredBatch:
    """Parse the captions without an encoded parse in ``known_parses``, and score the items.

    If the rules cannot read a caption, each half of the items is scored separately to find the caption.
    """
    spice, texts = options.spice, dict[str, str]()
    try:
        results = list(_compute_results(spice, items, known_parses, texts))
    except RuleError as error:
        if len(items) == 1:
            where, found = Message("where.images", ids=items[0].image_id), Message("found.unread", reason=error.message)
            return ScoredBatch([InputError(where, found, Message("expected.fewer_steps"))], spice.parse_key, {})
    else:
        return ScoredBatch([_make_scored_item(options, *pair) for pair in zip(items, results)], spice.parse_key, texts)
    middle = len(items) // 2
    first, second = (score_batch(options, half, known_parses) for half in (items[:middle], items[middle:]))
    return ScoredBatch([*first.items, *second.items], spice.parse_key, first.parses | second.parses)


def signature_of(spice: Spice, item: Item) -> str:
    """Return the signature of the item's result."""
    return str(spice.signature_of({spice.parser.signature} if any(item.captions) else {GIVEN_RULE}))


def _make_scored_item(options: RunOptions, item: Item, result: SpiceResult) -> ScoredItem:
    sides = (result.candidate_tuples, result.reference_tuples) if options.fields.detailed else ((), ())
    candidate, references = (tuple(ScoredTuple(t.words, t.id in result.match_by_tuple) for t in side) for side in sides)
    return ScoredItem(
        item.image_id,
        item.candidate,
        item.references,
        result.scores,
        candidate,
        references,
        str(result.signature),
        result.sentences if options.fields.sentences else (),
        item.group,
    )


def _compute_results(spice: Spice, items: Sequence[Item], known_parses: Mapping[str, str], texts: dict[str, str]) -> Iterator[SpiceResult]:
    """Yield the results as their captions are parsed. Adds the newly encoded parses to ``texts``."""
    unknown_captions = [caption for caption in _caption_texts(items) if caption not in known_parses]
    new_parses, parser, item_parses = zip(unknown_captions, spice.parse(unknown_captions)), spice.parser.signature, dict[str, Parse]()

    def parse_caption(caption: Caption) -> Parse:
        if isinstance(caption, Parse):
            return caption
        if caption in item_parses:
            return item_parses[caption]
        if (text := known_parses.get(caption) or texts.get(caption)) is not None:
            return decode_parse(caption, text, parser)
        for new, parse in new_parses:
            item_parses[new], texts[new] = parse, encode_parse(parse)
            if new == caption:
                break
        return item_parses[caption]

    for item in items:
        item_parses.clear()
        yield spice.compare(parse_caption(item.candidate), list(map(parse_caption, item.references)))


def _caption_texts(items: Iterable[Item]) -> list[str]:
    return list(dict.fromkeys(caption for item in items for caption in item.captions))
