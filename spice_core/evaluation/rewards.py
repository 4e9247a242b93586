"""SPICE as a reward for training captioners. Parses of references and of recent samples are reused between training steps."""

from __future__ import annotations

import asyncio
import pickle
from collections import OrderedDict, deque
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from functools import cached_property, partial
from logging import getLogger
from pathlib import Path
from threading import Event, Lock
from types import TracebackType
from typing import Any, NamedTuple, Self
from weakref import finalize

from spice_core.data.items import check_caption, check_reference_lists, is_nonempty
from spice_core.errors import InputError, Message, RuleError, SpiceError, shorten_value
from spice_core.evaluation.executors import MAX_WORKERS, WorkerPool
from spice_core.evaluation.parse_cache import ParseCache, decode_parse, encode_parse
from spice_core.evaluation.run import cached_metric
from spice_core.metrics.config import TransientCaches
from spice_core.metrics.spice import MergedReferences, Spice
from spice_core.scene.propositions import Parse
from spice_core.syntax.clean_text import CleaningCount

_LOGGER = getLogger(__name__)
_MAX_CACHED_IMAGES = 256  # number of images whose merged references are cached (about 35 kB each)
_MAX_CAPTIONS_PER_TASK = 256  # maximum number of new captions
_CAPTIONS_PER_PART = 64  # new captions parsed by this process before it scores their candidates
_MIN_CAPTIONS_PER_TASK, _TASKS_PER_WORKER = 16, 4  # several tasks per worker balance the load; a minimum size keeps batches large
Captions = tuple[str, ...]


class CandidatePart(NamedTuple):
    """Candidates by index, and the captions to parse before scoring them."""

    indices: list[int]
    new_captions: list[str]


class Rewards(TransientCaches):
    """SPICE as a reward: the F1 of each candidate against the references of its image.

    References are parsed when they first occur, and their parses are stored as text (about 2 kB for each image). ``cache``
    is a file that stores these parses between runs; several processes may share it. The parses of the latest 20,000 sampled
    captions and the merged references of the latest 256 images are reused. Several threads may share an object and take turns.
    At the end of the run, a warning is logged that counts the marks removed from captions.

    >>> with Rewards({"sofa": ["a brown dog lies on a couch"]}) as rewards:
    ...     rewards.scores(["sofa", "sofa"], ["a dog on a sofa", "a cat"])
    [0.5, 0.0]
    """

    def __init__(
        self,
        references: Mapping[Any, Sequence[str]] | None = None,
        *,
        spice: Spice | None = None,
        cache: str | Path | None = None,
        workers: int = 1,
    ):
        """Choose the metric, the cache and the workers.

        Args:
            references: the references of each image by id; ``scores_against`` does not use them.
            spice: language, parser, rules and synonyms (default: English).
            cache: path of a parse cache for the references.
            workers: number of processes that parse; they start at the first call and stay until ``close``. With 1, this process parses.
                Processes are spawned, so a script that uses several must run its training under ``if __name__ == "__main__"``.

        Raises:
            InputError: the file is not a parse cache, or the number of workers is out of bounds.
        """
        if not 1 <= workers <= MAX_WORKERS:
            raise InputError("workers", workers, Message("expected.workers", most=MAX_WORKERS))
        self.spice, self.workers = spice or Spice(), workers
        self._references: Mapping[Any, Sequence[str]] = {} if references is None else references
        self._known_parses = dict[str, str]()  # encoded parses of references
        self._path = None if cache is None else Path(cache)
        self._prepare()

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._prepare()

    def _prepare(self) -> None:
        """Create the lock before threads can use the object, and open the cache. Raises InputError if the file is not a parse cache."""
        _ = self._lock, self._cache_file
        finalize(self, _log_notices, self.cleaning_count)

    @cached_property
    def cleaning_count(self) -> CleaningCount:
        """The number of cleaned texts among this object's captions, and their marks."""
        return CleaningCount()

    @cached_property
    def _lock(self) -> Lock:
        return Lock()

    @cached_property
    def _cache_file(self) -> ParseCache | None:
        return ParseCache(self.spice.parse_key, self._path) if self._path else None

    @cached_property
    def _sample_cache(self) -> ParseCache:
        return ParseCache(self.spice.parse_key)

    @cached_property
    def _merged_references(self) -> OrderedDict[Captions, MergedReferences]:
        return OrderedDict()

    @cached_property
    def _pool(self) -> WorkerPool:
        return WorkerPool(self.workers)

    def scores(self, ids: Sequence[Hashable], candidates: Sequence[str]) -> list[float]:
        """Return the F1 of each candidate, in order. The F1 of a candidate without tuples is 0.

        Args:
            ids: the image id of each candidate.
            candidates: the captions; captions of one image may stand anywhere in the list.

        Raises:
            InputError: the numbers of candidates and ids differ, a candidate is not a valid text, an id has no list of references, or the
                rules cannot read a caption.
            SpiceError: a worker process died; the next call starts new workers.
        """
        return self._compute_scores(*self._check_inputs(ids, candidates), Event())

    def scores_against(self, references: Sequence[Sequence[str]], candidates: Sequence[str]) -> list[float]:
        """Return the F1 of each candidate against the list of references at the same position, like ``scores``.

        >>> Rewards().scores_against([["a brown dog lies on a couch"]], ["a dog on a sofa"])
        [0.5]
        """
        with self.cleaning_count.counting():
            images, texts = _check_references(references, candidates)
        return self._compute_scores(images, texts, Event())

    async def scores_async(self, ids: Sequence[Hashable], candidates: Sequence[str]) -> list[float]:
        """Compute ``scores`` while the event loop does other work, such as a training step.

        The captions are parsed by the workers, or in a thread if there are none. A cancelled call ends after the captions in progress.
        """
        cancellation = Event()
        try:
            return await asyncio.to_thread(self._compute_scores, *self._check_inputs(ids, candidates), cancellation)
        finally:
            cancellation.set()

    def close(self) -> None:
        """End the workers and close the cache. A later call starts new workers and opens the cache again."""
        with self._lock:
            if pool := vars(self).pop("_pool", None):
                pool.close()
            if file := vars(self).pop("_cache_file", None):
                file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _check_inputs(self, ids: Sequence[Hashable], candidates: Sequence[str]) -> tuple[list[Captions], list[str]]:
        """Return the references of each candidate, and the candidates. Raises InputError for invalid ids or captions."""
        with self.cleaning_count.counting():
            texts = _check_candidates(candidates, len(ids))
            by_id = {image: _check_captions(self._references.get(image, ()), f"references[{image!r}]") for image in dict.fromkeys(ids)}
        return [by_id[image] for image in ids], texts

    def _compute_scores(self, images: Sequence[Captions], candidates: Sequence[str], cancellation: Event) -> list[float]:
        rewards = [0.0] * len(candidates)
        with self._lock:
            parses = self._stored_parses(images, candidates)
            for indices in self._iterate_parsed_candidates(images, candidates, parses, cancellation):
                for n in indices:
                    candidate = self._parse_of(candidates[n], parses)
                    rewards[n] = self.spice.compare(candidate, self._merge(images[n], parses)).f1
        return rewards

    def _stored_parses(self, images: Sequence[Captions], candidates: Sequence[str]) -> dict[str, str]:
        """Return the stored parses of the captions, encoded."""
        references = list(dict.fromkeys(caption for image in dict.fromkeys(images) for caption in image))
        if self._cache_file:
            self._known_parses |= self._cache_file.get(caption for caption in references if caption not in self._known_parses)
        parses = self._sample_cache.get(dict.fromkeys(candidates))
        return parses | {caption: self._known_parses[caption] for caption in (*references, *candidates) if caption in self._known_parses}

    def _iterate_parsed_candidates(
        self, images: Sequence[Captions], candidates: Sequence[str], parses: dict[str, str], cancellation: Event
    ) -> Iterator[list[int]]:
        """Parse the captions missing from ``parses`` and add them to it.

        Yield the indices of candidates as soon as all their captions are parsed.
        """
        task_size, max_pending = self._task_sizes(sum(caption not in parses for caption in dict.fromkeys(candidates)))
        parts = _split_candidates(images, candidates, parses, task_size)
        results = self._parse_in_process(list(parts)) if self.workers == 1 else self._iterate_submitted_parts(parts, max_pending)
        try:
            for part, result in results:
                if cancellation.is_set():
                    raise CancelledError
                self._store_parses(dict(zip(part.new_captions, result())), images, part, parses)
                yield part.indices
        except BrokenExecutor:
            vars(self).pop("_pool").close()
            raise SpiceError(Message("error.reward_worker_died")) from None

    def _iterate_submitted_parts(
        self, parts: Iterable[CandidatePart], max_pending: int
    ) -> Iterator[tuple[CandidatePart, Callable[[], list[str]]]]:
        """Yield each part with a function that waits for its encoded parses, while further parts are parsed."""
        pending: deque[tuple[CandidatePart, Callable[[], list[str]]]] = deque()
        for part in parts:
            result = self._pool.submit(encode_parses, self._settings, part.new_captions) if part.new_captions else list[str]
            pending.append((part, result))
            if len(pending) > max_pending:
                yield pending.popleft()
        yield from pending

    def _task_sizes(self, new_count: int) -> tuple[int, int]:
        """Return the number of new captions per task, and the maximum number of pending tasks."""
        if self.workers == 1:
            return _CAPTIONS_PER_PART, 0
        tasks = self.workers * _TASKS_PER_WORKER
        return min(_MAX_CAPTIONS_PER_TASK, max(_MIN_CAPTIONS_PER_TASK, -(-new_count // tasks))), 2 * self.workers

    def _parse_in_process(self, parts: Sequence[CandidatePart]) -> Iterator[tuple[CandidatePart, Callable[[], list[str]]]]:
        """Parse all parts as one stream, so that scoring a part overlaps with parsing the next."""
        parses = self.spice.parse(caption for part in parts for caption in part.new_captions)

        def encode_next(captions: Sequence[str]) -> list[str]:
            try:
                return [encode_parse(next(parses)) for _ in captions]
            except Exception:
                return encode_parses(self.spice, captions)  # parsing again raises the error of the faulty caption

        yield from ((part, partial(encode_next, part.new_captions)) for part in parts)

    @cached_property
    def _settings(self) -> bytes:
        return pickle.dumps(self.spice)

    def _store_parses(self, new_parses: dict[str, str], images: Sequence[Captions], part: CandidatePart, parses: dict[str, str]) -> None:
        """Store new parses: those of references permanently and in the file, those of samples until newer ones replace them."""
        references = {caption for image in {images[n] for n in part.indices} for caption in image}
        reference_parses = {caption: parse for caption, parse in new_parses.items() if caption in references}
        self._known_parses |= reference_parses
        if self._cache_file and reference_parses:
            self._cache_file.put(reference_parses)
        self._sample_cache.put({caption: parse for caption, parse in new_parses.items() if caption not in references})
        parses |= new_parses

    def _merge(self, captions: Captions, parses: Mapping[str, str]) -> MergedReferences:
        """Return the merged references of an image, cached for recent images."""
        merged_references = self._merged_references.pop(captions, None) or self.spice.merge(
            [self._parse_of(caption, parses) for caption in captions]
        )
        self._merged_references[captions] = merged_references
        if len(self._merged_references) > _MAX_CACHED_IMAGES:
            self._merged_references.popitem(last=False)
        return merged_references

    def _parse_of(self, caption: str, parses: Mapping[str, str]) -> Parse:
        return decode_parse(caption, parses[caption], self.spice.parser.signature)


def _log_notices(cleaning_count: CleaningCount) -> None:
    for notice in cleaning_count.notices():
        _LOGGER.warning("spice-core: %s", notice)


def encode_parses(config: Spice | bytes, captions: Sequence[str]) -> list[str]:
    """Parse captions, in order, and encode the parses.

    Raises InputError with the caption that the rules cannot read; other errors carry the caption as a note.
    """
    spice = cached_metric(config)
    try:
        return [encode_parse(parse) for parse in spice.parse(captions)] if captions else []
    except Exception as error:
        if len(captions) > 1:  # find the caption that fails
            return [parse for caption in captions for parse in encode_parses(config, [caption])]
        if isinstance(error, RuleError):
            parse_error = Message("found.unread", reason=error.message)
            raise InputError(shorten_value(captions[0]), parse_error, Message("expected.fewer_steps")) from None
        error.add_note(f"caption: {shorten_value(captions[0])}")
        raise


def _split_candidates(
    images: Sequence[Captions], candidates: Sequence[str], known_captions: Container[str], task_size: int
) -> Iterator[CandidatePart]:
    """Split candidates, grouped by image, into parts with about ``task_size`` captions that are neither known nor in an earlier part."""
    groups: dict[Captions, list[int]] = {}
    for index, image in enumerate(images):
        groups.setdefault(image, []).append(index)
    seen, candidate_part = set[str](), CandidatePart([], [])
    for image, indices in groups.items():
        for index in indices:
            new_captions = [
                caption for caption in dict.fromkeys((*image, candidates[index])) if caption not in seen and caption not in known_captions
            ]
            seen.update(new_captions)
            candidate_part.indices.append(index)
            candidate_part.new_captions.extend(new_captions)
            if len(candidate_part.new_captions) >= task_size:
                yield candidate_part
                candidate_part = CandidatePart([], [])
    if candidate_part.indices:
        yield candidate_part


def _check_references(references: Sequence[Sequence[str]], candidates: Sequence[str]) -> tuple[list[Captions], list[str]]:
    check_reference_lists(references, candidates, "references")
    images = [_check_captions(captions, f"references[{n}]") for n, captions in enumerate(references)]
    return images, _check_candidates(candidates, len(references))


def _check_candidates(candidates: Sequence[str], image_count: int) -> list[str]:
    if isinstance(candidates, str) or image_count != len(candidates):
        raise InputError("candidates", candidates[:3], Message("expected.one_for_each_id", number=image_count))
    return [check_caption(candidate, f"candidates[{n}]") for n, candidate in enumerate(candidates)]


def _check_captions(captions: Any, where: str) -> Captions:
    if not is_nonempty(captions) or not all(isinstance(caption, str) for caption in captions):
        raise InputError(where, captions, Message("expected.captions"))
    return tuple(check_caption(caption, f"{where}[{n}]") for n, caption in enumerate(captions))
