"""Measure the response times of the app, from a click to the end of the script, by simulated visitors without a browser."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread

import psutil

from tests.browser.conftest import free_port, run_app
from tests.visitor import Visitor, json_lines
from tools.benchmarks.harness import (
    QUANTILES,
    long_words,
    print_row,
    processor_seconds,
    quantiles,
    read_captions,
    swap_words,
    vary_items,
)


class CaptionEditor:
    """A visitor who scores new captions, made from the sample by swapping words."""

    def __init__(self, address: str, seed: object):
        self.visitor, self._rng = Visitor(address), random.Random(str(seed))
        self._captions = [caption for image in read_captions() for caption in image]
        self._words = long_words(self._captions)

    def time_edit(self, pause_s: float) -> float:
        """Score a new caption after a pause of about ``pause_s``, and return the response time in seconds."""
        time.sleep(self._rng.uniform(0.5, 1.5) * pause_s)
        caption = swap_words(self._rng.choice(self._captions), self._words, self._rng)
        self.visitor.write(candidate=caption)
        start_time = time.perf_counter()
        self.visitor.click("inspect.score")
        seconds = time.perf_counter() - start_time
        if "Inputs changed" in self.visitor.shown_text():
            raise RuntimeError(f"the page shows no result for {caption!r}")
        return seconds

    def close(self) -> None:
        self.visitor.close()


def server_processes() -> list[int]:
    """Return the ids of the server and of its child processes, which score batches."""
    (server,) = (child for child in psutil.Process().children() if "streamlit" in child.cmdline())
    return [server.pid, *(child.pid for child in server.children(recursive=True))]


def visitors(visitors: int = 8, edits: int = 20, pause: float = 2.0, batch: int = 9000) -> None:
    """Print response times of concurrent visitors who edit and score: alone, and while another visitor scores a batch.

    Each visitor scores EDITS new captions, with a mean pause of PAUSE seconds. The last column is the processor time of the server per
    edit, which depends least on the load; if there is a batch, it includes the batch.
    """
    with run_app(free_port()) as address:
        _time_visitors(address, visitors, 1, 0.0, seed=0)
        print_row("seconds", *QUANTILES, "CPU s")
        print_row("alone", *_time_visitors(address, visitors, edits, pause, seed=1))
        if batch:
            with _score_batch(address, vary_items(read_captions(), batch, random.Random(0))) as progress:
                start_progress, start_time = progress[0], time.perf_counter()
                print_row(f"beside {batch} rows", *_time_visitors(address, visitors, edits, pause, seed=2))
                print(f"the batch in {time.perf_counter() - start_time:.0f} s: from {start_progress or 'its beginning'} to {progress[0]}")


def _time_visitors(address: str, count: int, edits: int, pause_s: float, *, seed: int) -> tuple[float, ...]:
    """Let concurrent visitors edit. Return response time quantiles, and the server's processor seconds per edit."""
    editors = [CaptionEditor(address, f"{seed} {number}") for number in range(count)]
    server_pid = server_processes()[0]
    seconds_before = processor_seconds(server_pid)
    with ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(lambda editor: [editor.time_edit(pause_s) for _ in range(edits)], editor) for editor in editors]
        times = [second for future in futures for second in future.result()]
    for editor in editors:
        editor.close()
    return (*quantiles(times), (processor_seconds(server_pid) - seconds_before) / len(times))


@contextmanager
def _score_batch(address: str, items: list[dict[str, object]]) -> Iterator[list[str]]:
    """Score a batch as another visitor, and yield a list with the latest progress message of the page."""
    with Visitor(address, "Batch") as visitor:
        visitor.choose("batch.source", "Your files")
        visitor.upload("batch.file", "batch.jsonl", json_lines(items))
        visitor.click("batch.start")
        visitor.wait_for_text(f" of {len(items)} images", seconds=120)
        progress, stop = [""], Event()

        def watch_progress() -> None:
            while not stop.is_set():
                if messages := re.findall(rf"\d+ of {len(items)} images[^\n]*|{len(items)} of {len(items)} captions", visitor.shown_text()):
                    progress[0] = messages[-1]
                visitor.refresh()

        thread = Thread(target=watch_progress)
        thread.start()
        try:
            yield progress
        finally:
            stop.set()
            thread.join()
