"""Measure the Batch page with many rows and images: the time from a filter to the updated page, and the memory of page and server.

    python -m tools.benchmarks.filters [ROWS] [TIMES]

The tool starts the app and a headless Chromium on the same machine. It opens a work file of ROWS rows (default: 10,000) that repeat the
scored sample, with an image file for each row. A filter is a word, or a number in the table of questions. An update ends when the script
of the page has ended. The output is the load, the median and 95th percentile in ms, and the memory in MB of the page, of its JavaScript
heap, and of the server before it opens the file and after the filters.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import psutil
from PIL import Image
from playwright.sync_api import Page

from pages.parts.batch.persistence import work_as_file
from pages.parts.jobs.runs import stored_rows
from pages.parts.uploads import datasets, images
from spice_core.data.work_file import ScoredWork
from tests.browser.conftest import free_port, launch_chromium, run_app, wait_until_still

FILTER_WORDS = (
    "dog cat horse bird man woman boy child bus train sofa table car tree house boat hat ball kite bear cow sheep zebra red".split()
)
_START_TIMER_JS = """() => {
    const app = document.querySelector('[data-testid="stApp"]');
    let ran = false;
    const started = event => { if (event.type === 'pointerup' || event.key === 'Enter') window.begun = performance.now(); };
    for (const type of ['keydown', 'pointerup']) document.addEventListener(type, started, { capture: true, once: true });
    window.ended = 0;
    const look = () => {
        const state = app.dataset.testScriptState;
        ran ||= state === 'running';
        ran && state === 'notRunning' ? requestAnimationFrame(() => { window.ended = performance.now(); }) : requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""


def scored_rows(row_count: int) -> ScoredWork:
    """Return work with the scored rows of the sample, repeated with new ids and with the names of image files."""
    scored = cycle([row for system in datasets.ENGLISH_SAMPLE.systems for row in stored_rows(datasets.ENGLISH_SAMPLE, system).values()])
    repeated_rows = tuple(replace(row, image_id=i) for i, row in enumerate(islice(scored, row_count)))
    return ScoredWork(repeated_rows, "many", image_files={row.image_id: f"photo {row.image_id:06}.jpg" for row in repeated_rows})


def write_images(folder: Path, row_count: int) -> None:
    """Write ``row_count`` image files of different colours."""
    for i in range(row_count):
        colour = (i % 256, i // 256 % 256, 128)
        Image.new("RGB", (640, 480), colour).save(folder / f"photo {i:06}.jpg", quality=70)


def time_filters(page: Page, filter_count: int) -> Iterator[float]:
    """Filter by words, then by numbers in the table of questions. Yield the milliseconds until the page is updated."""
    field = page.get_by_placeholder("umbrella")
    for word in [*FILTER_WORDS[: filter_count // 2], ""]:
        field.fill(word)
        page.evaluate(_START_TIMER_JS)
        field.press("Enter")
        yield wait_for_elapsed_ms(page)
    cells = page.get_by_role("row", name="Relation").get_by_role("button")
    for i in range(filter_count // 2):
        cells.nth(1 + i // 2 % 3).scroll_into_view_if_needed()
        page.evaluate(_START_TIMER_JS)
        cells.nth(1 + i // 2 % 3).click()
        yield wait_for_elapsed_ms(page)


def wait_for_elapsed_ms(page: Page) -> float:
    """Wait until the page has recorded the end of the update, and return the milliseconds since the start."""
    page.wait_for_function("window.ended > 0", timeout=60_000)
    time: float = page.evaluate("window.ended - window.begun")
    print(f"{time:.0f} ms: {page.locator('.sc-count').last.inner_text()}", file=sys.stderr, flush=True)
    page.wait_for_timeout(600)
    return time


def memory_mb(process: psutil.Process) -> float:
    """Return the sum of the unique set sizes (USS) of a process and its descendants in MB."""
    return sum(member.memory_full_info().uss for member in (process, *process.children(recursive=True))) / 1e6


def renderer_memory_mb() -> float:
    """Return the unique set size (USS) of the largest page process of the browser in MB."""
    pages = [p for p in psutil.Process().children(recursive=True) if "--type=renderer" in p.cmdline()]
    return max(p.memory_full_info().uss for p in pages) / 1e6


def main() -> None:
    """Measure the filters, and print the figures."""
    row_count, times = (int(sys.argv[i]) if len(sys.argv) > i else default for i, default in ((1, 10_000), (2, 40)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_images(folder, row_count)
        file = folder / "many.jsonl.gz"
        file.write_bytes(work_as_file(scored_rows(row_count)))
        os.environ[images.IMAGES_FOLDER_VARIABLE] = name
        print(f"{row_count} rows, {file.stat().st_size / 1e6:.1f} MB, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
        with run_app(free_port()) as address, launch_chromium() as browser:
            server = next(p for p in psutil.Process().children() if "streamlit" in p.cmdline())
            page = browser.new_page(viewport={"width": 1360, "height": 1000})
            page.goto(f"{address}/Batch")
            page.get_by_text("240 of 240 captions").wait_for(timeout=120_000)
            wait_until_still(page)
            mb_before = memory_mb(server)
            page.get_by_role("radio", name="Your files").click()
            page.locator('input[type="file"]').first.set_input_files(file)
            page.get_by_text(f"{row_count} of {row_count} captions").wait_for(timeout=300_000)
            wait_until_still(page)
            durations = sorted(time_filters(page, times))
            heap = page.context.new_cdp_session(page).send("Runtime.getHeapUsage")["usedSize"] / 1e6
            print(
                f"filter to redrawn page: median {statistics.median(durations):.0f} ms, 95th percentile {durations[int(0.95 * len(durations))]:.0f} ms"
            )
            print(
                f"page: {renderer_memory_mb():.0f} MB, of them scripts {heap:.0f} MB; server: {mb_before:.0f} MB before, {memory_mb(server):.0f} MB after"
            )
        print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
