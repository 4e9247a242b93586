"""Measure the memory and response times that hostile uploads cost the server and its other visitors."""

from __future__ import annotations

import gzip
import io
import json
import re
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Event
from urllib.error import HTTPError
from urllib.request import urlopen

from openpyxl import Workbook
from PIL import Image

from pages.parts.kit.texts import t
from pages.parts.uploads.datasets import ENGLISH_SAMPLE
from pages.parts.uploads.images import IMAGE_FILE_SUFFIXES, LARGE_PX, SMALL_PX
from tests.browser.conftest import free_port, run_app
from tests.visitor import Visitor, json_lines
from tools.benchmarks.harness import QUANTILES, PeakMemory, print_row, quantiles
from tools.benchmarks.visitors import CaptionEditor, app_memory_mb

ROW = {"image_id": 1, "test": "A dog.", "refs": ["A dog."]}


def send_large_pictures(address: str) -> str:
    """Send four PNGs of 49 megapixels in a small ZIP archive, and request each in two sizes concurrently."""
    picture, archive_buffer = image("PNG", "L", 7_000, compress_level=9), io.BytesIO()
    with zipfile.ZipFile(archive_buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.png", picture)
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


def sheet(rows: Iterable[Iterable[object]]) -> bytes:
    """Return an Excel file with these rows."""
    workbook, buffer = Workbook(write_only=True), io.BytesIO()
    page = workbook.create_sheet()
    for row in rows:
        page.append([*row])
    workbook.save(buffer)
    return buffer.getvalue()


def zip_of(name: str, content: bytes, entry_count: int = 1, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a ZIP archive of one file, whose directory lists the file ``entry_count`` times."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr(name, content)
        archive.filelist.extend([archive.infolist()[0]] * (entry_count - 1))
        archive._didModify = True  # type: ignore[attr-defined]  # so that close writes the directory
    return buffer.getvalue()


def image(form: str, mode: str, side_px: int, **options: object) -> bytes:
    """Return a square image of one colour."""
    buffer = io.BytesIO()
    Image.new(mode, (side_px, side_px)).save(buffer, form, **options)
    return buffer.getvalue()


def rows_of(references: Callable[[int, int], object], reference_count: int) -> bytes:
    """Return 10,000 rows in gzip."""
    rows = [{**ROW, "image_id": i, "refs": [references(i, j) for j in range(reference_count)]} for i in range(10_000)]
    return gzip.compress(json_lines(rows), 1)


def scored_rows() -> bytes:
    """Return 10,000 scored rows, made from those of the sample, in gzip."""
    rows = [json.loads(line) for line in gzip.decompress(ENGLISH_SAMPLE.scored_path("A").read_bytes()).splitlines()]
    return gzip.compress(json_lines([{**row, "image_id": f"{i} {row['image_id']}"} for i in range(10_000 // len(rows)) for row in rows]), 1)


def trees() -> bytes:
    """Return the trees of 100,000 captions in gzip."""
    return gzip.compress(
        "".join(f"# text = A dog {i}.\n1\tdog{i}\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n\n" for i in range(100_000)).encode(), 1
    )


# By name: uploader, file name and content. The readers accept the files above the line and refuse those below it.
FILES: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "300,000 captions": ("file", "a.jsonl.gz", lambda: rows_of(lambda i, j: f"a dog sits on sofa {i} near {j} cats", 29)),
    "290,000 tuples": ("file", "a.jsonl.gz", lambda: rows_of(lambda i, j: [[f"dog{i}", "on", f"sofa{j}"]] * 28, 1)),
    "10,000 scored rows": ("file", "a.jsonl.gz", scored_rows),
    "a row of 60,000 keys": ("file", "a.jsonl", lambda: json_lines([{**ROW, **{f"key{i}": i for i in range(60_000)}}] * 5)),
    "a cell of 15 MB": ("file", "a.csv.gz", lambda: gzip.compress(b'image_id,test,ref1\n1,"' + b"dog\n" * 3_900_000 + b'",a\n')),
    "100,000 cells": ("file", "a.xlsx", lambda: sheet([["image_id", "test", *(f"ref{j}" for j in range(28))], *([i, *["a dog"] * 29] for i in range(3_300))])),
    "100,000 trees": ("trees", "a.conllu.gz", trees),
    "JPEG of 49 megapixels": ("images", "1.jpg", lambda: image("JPEG", "RGB", 7_000)),
    "PNG of 16 megapixels": ("images", "1.png", lambda: image("PNG", "RGB", 4_000)),
    # ---
    "20 million values": ("file", "a.jsonl.gz", lambda: gzip.compress(b'{"image_id": 1, "test": "a", "refs": [' + b"[]," * 20_000_000 + b"[]]}\n")),
    "3 million rows": ("file", "a.jsonl.gz", lambda: gzip.compress(b'{"image_id": 1, "test": "a", "refs": ["b"]}\n' * 3_000_000, 1)),
    "a workbook of 400 MB": ("file", "a.xlsx", lambda: zip_of("xl/worksheets/sheet1.xml", b" " * (400 << 20))),
    "a tree of 180 MB": ("trees", "a.conllu.gz", lambda: gzip.compress(b"1\t" + b"x" * (180 << 20) + b"\n", 1)),
    "a million entries of a ZIP": ("images", "a.zip", lambda: zip_of("1.png", b"", 1_000_000)),
    "a ZIP by bzip2": ("images", "a.zip", lambda: zip_of("1.png", bytes(400 << 20), method=zipfile.ZIP_BZIP2)),
    "WebP of 16 megapixels": ("images", "1.webp", lambda: image("WEBP", "RGBA", 4_000, lossless=True)),
    "progressive JPEG": ("images", "1.jpg", lambda: image("JPEG", "CMYK", 7_000, progressive=True)),
}  # fmt: skip


def send_file(address: str, uploader: str, name: str, content: bytes) -> str:
    """Send a file to Batch, and return its size and the first message on the page. Also score the row of images and show its image."""
    with Visitor(address, "Batch") as visitor:
        visitor.choose("batch.source", t("batch.files"))
        if uploader != "file":
            visitor.upload("batch.file", "rows.jsonl", json_lines([ROW]))
        visitor.upload(f"batch.{uploader}", name, content)
        messages = re.findall(r'role="(?:alert|status)"><p>(.*?)</p>|sc-problems.*?<tbody><tr>(.*?)</tr>', visitor.shown_text())
        if uploader == "images" and not messages:
            visitor.click("batch.start")
            visitor.wait_for_text("/image/", seconds=120)
            for place in {*re.findall(r"(image/[\w-]+/\d+/\d+)", visitor.shown_text())}:
                with suppress(HTTPError), urlopen(f"{address}/{place}", timeout=120) as answer:
                    messages.append((f"HTTP {answer.status}", ""))
    return f"{len(content) >> 10} kB: {re.sub('<.*?>', ' ', ''.join((messages or [('nothing said', '')])[0]))[:120]}"


def file_attacks(folder: str) -> Iterator[tuple[str, tuple[str, str, Callable[[], bytes]]]]:
    """Yield the files of a folder like the entries of ``FILES``."""
    for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        uploader = "trees" if ".conllu" in path.name else "images" if path.suffix[1:] in IMAGE_FILE_SUFFIXES else "file"
        yield path.name, (uploader, path.name.replace(path.stem, "1") if uploader == "images" else path.name, path.read_bytes)


def wait_idly(_address: str) -> str:
    """Do nothing, to measure the edits alone."""
    time.sleep(10)
    return ""


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


def attacks(edits: int = 10, compared: int = 0, folder: str = "") -> None:
    """Print the additional memory of the app during each attack, its duration, the seconds of edits, and the message on the page.

    In each attack, one visitor sends a large or hostile file while four others edit captions, each at least EDITS times. A visitor also
    opens twenty result files on the Systems page COMPARED times. FOLDER names a folder of files to send instead.
    """
    with run_app(free_port()) as address:
        for page in ("", "Batch", "Systems"):  # loads everything first
            Visitor(address, page).close()
        print_row("", "MB", "s", *QUANTILES)
        measure_attack("nothing", partial(wait_idly, address), address, edits)
        for name, (uploader, file_name, make) in [*file_attacks(folder)] if folder else FILES.items():
            measure_attack(name, partial(send_file, address, uploader, file_name, make()), address, edits)
        if not folder:
            measure_attack("8 requests of pictures", partial(send_large_pictures, address), address, edits)
        if compared:
            measure_attack(f"20 files, {compared} times", partial(open_systems_repeatedly, address, compared), address, edits)
