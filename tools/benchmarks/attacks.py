"""Measure the memory and response times that hostile uploads cost the server and its other visitors."""

from __future__ import annotations

import gzip
import io
import re
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from threading import Event
from urllib.error import HTTPError
from urllib.request import urlopen

from PIL import Image

from pages.parts.kit.texts import t
from pages.parts.uploads.images import LARGE_PX, SMALL_PX
from tests.browser.conftest import free_port, run_app
from tests.visitor import Visitor, json_lines
from tools.benchmarks.harness import QUANTILES, PeakMemory, print_row, quantiles
from tools.benchmarks.visitors import CaptionEditor, app_memory_mb

ROW = {"image_id": 1, "test": "A dog.", "refs": ["A dog."]}


def send_large_pictures(address: str) -> str:
    """Send four PNGs of 49 megapixels in a small ZIP archive, and request each in two sizes concurrently."""
    buffer = io.BytesIO()
    Image.new("L", (7000, 7000)).save(buffer, "PNG", compress_level=9)
    archive_buffer = io.BytesIO()
    with zipfile.ZipFile(archive_buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.png", buffer.getvalue())
    with Visitor(address, "Batch") as visitor:
        visitor.choose("batch.source", t("batch.files"))
        visitor.upload("batch.file", "rows.jsonl", json_lines([{**ROW, "image_id": number} for number in range(4)]))
        visitor.upload("batch.images", "pictures.zip", archive_buffer.getvalue())
        visitor.click("batch.start")
        visitor.wait_for_text("/image/", seconds=120)
        token = re.findall(r"image/([\w-]+)/\d+/\d+", visitor.shown_text())[0]
        places = [(token, str(number), str(size_px)) for number in range(4) for size_px in (SMALL_PX, LARGE_PX)]

        def request_picture(place: tuple[str, str, str]) -> int:
            try:
                with urlopen(f"{address}/image/{'/'.join(place)}", timeout=120) as answer:
                    return int(answer.status)
            except HTTPError as error:
                return error.code

        with ThreadPoolExecutor(8) as pool:
            return f"{len(archive_buffer.getvalue()) >> 10} kB: HTTP {sorted({*pool.map(request_picture, places)})}"


def send_many_objects(address: str) -> str:
    """Send a row of 20 million values in a small gzip file."""
    content = gzip.compress(b'{"image_id": 1, "test": "A dog.", "refs": [' + b"[]," * 20_000_000 + b"[]]}\n")
    return send_file(address, "objects.jsonl.gz", content)


def send_many_rows(address: str) -> str:
    """Send three million short rows in a gzip file."""
    return send_file(address, "rows.jsonl.gz", gzip.compress(b'{"image_id": 1, "test": "a", "refs": ["b"]}\n' * 3_000_000, 1))


def send_many_entries(address: str) -> str:
    """Send a ZIP archive whose directory has a million entries."""
    archive_buffer = io.BytesIO()
    with zipfile.ZipFile(archive_buffer, "w") as archive:
        archive.writestr("1.png", b"")
        entry = archive.infolist()[0]
        archive.filelist.extend([entry] * 1_000_000)
        archive._didModify = True  # type: ignore[attr-defined]  # so that close writes the directory
    return send_file(address, "entries.zip", archive_buffer.getvalue(), key="batch.images")


def send_large_workbook(address: str) -> str:
    """Send an Excel file that unpacks to 400 MB."""
    archive_buffer = io.BytesIO()
    with zipfile.ZipFile(archive_buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (400 << 20))
    return send_file(address, "book.xlsx", archive_buffer.getvalue())


def send_file(address: str, name: str, content: bytes, *, key: str = "batch.file") -> str:
    """Send a file to Batch, and return its size and the message on the page."""
    with Visitor(address, "Batch") as visitor:
        visitor.choose("batch.source", t("batch.files"))
        if key != "batch.file":
            visitor.upload("batch.file", "rows.jsonl", json_lines([ROW]))
        visitor.upload(key, name, content)
        messages = re.findall(r'role="(?:alert|status)"><p>(.*?)</p>', visitor.shown_text())
    return f"{len(content) >> 10} kB: {(messages or ['nothing said'])[0][:90]}"


def wait_idly(_address: str) -> str:
    """Do nothing, to measure the edits alone."""
    time.sleep(10)
    return ""


ATTACKS: dict[str, Callable[[str], str]] = {
    "nothing": wait_idly,
    "pictures of 49 megapixels": send_large_pictures,
    "20 million values": send_many_objects,
    "3 million rows": send_many_rows,
    "a million entries of a ZIP": send_many_entries,
    "a workbook of 400 MB": send_large_workbook,
}


def edit_captions(address: str, min_edits: int, attack_end: Event, seed: int) -> list[float]:
    """Edit captions until the attack has ended, but at least ``min_edits`` times. Return the seconds of each edit."""
    times: list[float] = []
    with closing(CaptionEditor(address, seed)) as editor:
        while len(times) < min_edits or not attack_end.is_set():
            times.append(editor.time_edit(1.0))
    return times


def open_systems_repeatedly(address: str, repetition_count: int) -> str:
    """Open twenty result files on Systems repeatedly. Raises RuntimeError if the page shows an exception."""
    files = [(f"{n}.jsonl", json_lines([{**ROW, "image_id": i, "test": f"A dog and {n} cats."} for i in range(40)])) for n in range(20)]
    for _ in range(repetition_count):
        with Visitor(address, "Systems") as visitor:
            visitor.choose("systems.source", t("batch.files"))
            visitor.upload_all("systems.files", files)
            if "stException" in visitor.shown_text():
                raise RuntimeError(visitor.shown_text()[-2000:])
    return "no exception"


def measure_attack(name: str, attack: Callable[[], str], address: str, min_edits: int) -> None:
    """Measure the app during an attack, and print the figures as a row of the table."""
    attack_end = Event()
    with PeakMemory(app_memory_mb) as peak, ThreadPoolExecutor(5) as pool:
        mb_before, start_time = app_memory_mb(), time.perf_counter()
        edits = [pool.submit(edit_captions, address, min_edits, attack_end, seed) for seed in range(4)]
        try:
            answer = pool.submit(attack).result()
        finally:
            attack_end.set()
        seconds = time.perf_counter() - start_time
        times = [second for edit in edits for second in edit.result()]
    print_row(name, f"{peak.peak_mb - mb_before:+.0f}", f"{seconds:.1f}", *quantiles(times), f"  {answer}")


def attacks(edits: int = 10, compared: int = 0) -> None:
    """Print the additional memory of the app during each attack, its duration, the seconds of edits, and the message on the page.

    In each attack, one visitor sends a hostile file while four others edit captions, each at least EDITS times. A visitor also opens twenty
    result files on the Systems page COMPARED times.
    """
    with run_app(free_port()) as address:
        for page in ("", "Batch", "Systems"):  # loads everything first
            Visitor(address, page).close()
        print_row("", "MB", "s", *QUANTILES)
        for name, attack in ATTACKS.items():
            measure_attack(name, partial(attack, address), address, edits)
        if compared:
            measure_attack(f"20 files, {compared} times", partial(open_systems_repeatedly, address, compared), address, edits)
