"""Threads that compute the batches of the next block while the caller uses the results of the current block."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

_THREAD_COUNT = 2  # While one thread waits for the interpreter lock to return its result, the other thread computes.

Block = TypeVar("Block")
Result = TypeVar("Result")
Argument = TypeVar("Argument")


def has_free_core() -> bool:
    """Return whether another thread can use another core: not in a worker process, because worker processes already use all cores."""
    processes = sys.modules.get("multiprocessing")  # always imported in a worker process
    return (os.cpu_count() or 1) > 1 and (processes is None or processes.parent_process() is None)


def start_now(function: Callable[[Argument], Result], argument: Argument) -> Callable[[], Result]:
    """Start a thread that computes a result. Return a function that waits for the result."""
    from concurrent.futures import ThreadPoolExecutor

    thread = ThreadPoolExecutor(1)
    result = thread.submit(function, argument).result
    thread.shutdown(wait=False)
    return result


def start_later(function: Callable[[Argument], Result], argument: Argument) -> Callable[[], Result]:
    """Return a function that computes the result when called."""
    return lambda: function(argument)


class ThreadStarter:
    """Threads that compute batches: a call starts a batch and returns a function that waits for its result."""

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._threads = ThreadPoolExecutor(_THREAD_COUNT)

    def __call__(self, function: Callable[[Argument], Result], argument: Argument) -> Callable[[], Result]:
        return self._threads.submit(function, argument).result

    def close(self) -> None:
        """Cancel the batches that have not started, and wait for the running batches."""
        self._threads.shutdown(cancel_futures=True)


@contextmanager
def batch_threads() -> Iterator[ThreadStarter]:
    """Provide threads for batches. On exit, cancel the batches that have not started, and wait for the running batches."""
    starter = ThreadStarter()
    try:
        yield starter
    finally:
        starter.close()


def read_ahead(blocks: Iterable[Block], start: Callable[[Block], Callable[[], Iterable[Result]]]) -> Iterator[Result]:
    """Yield the results of all blocks, in order. Start each block before waiting for the results of the previous block.

    If a block cannot be read or started, raise the error after the results of the previous blocks.
    """
    next_call: Callable[[], Iterable[Result]] = tuple
    block_iterator = iter(blocks)
    while True:
        try:
            next_result = next((start(block) for block in block_iterator), None)
        except Exception:
            yield from next_call()
            raise
        yield from next_call()
        if next_result is None:
            return
        next_call = next_result
