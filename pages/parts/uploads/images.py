"""Images beside captions: files that a visitor sends, or a folder that the operator names; small ones are made when a browser asks.

An image belongs to a row that names its file, or whose id is its file name, with or without its ending, or the number that ends
its name, as COCO names its files. Of a path or an address the name of the file alone counts; nothing is fetched. The server answers for images under an address that only the visitor's pages know.
"""

from __future__ import annotations

import io
import os
import re
import secrets
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, partial
from html import escape
from pathlib import Path, PurePosixPath
from threading import BoundedSemaphore, Lock
from weakref import WeakValueDictionary

import streamlit as st
from PIL import Image, ImageOps, UnidentifiedImageError
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.kit import messages, shell, visit
from pages.parts.kit.texts import t
from pages.parts.uploads import datasets
from spice_core.data.columns import file_name

FOLDER = "SPICE_CORE_IMAGES"  # environment variable with the operator's folder
TYPES = ["zip", "jpg", "jpeg", "png", "webp", "gif"]
SMALL, LARGE = 96, 720  # pixels of the longer side
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
_MAX_FILES, _MAX_ARCHIVED = 200_000, 50_000  # in a set, and in the archives of an upload
_MAX_BYTES = 30 << 20  # of a file
_MAX_PIXELS = {"JPEG": 50_000_000}  # which is decoded at a reduced size; other formats hold every pixel in memory
_MAX_PIXELS_HELD = 16_000_000
_CACHE_BYTES = 32 << 20  # of all small images
_MAX_WAITING = 24  # requests that wait while one image is made; each takes a thread of the server

Open = Callable[[], bytes]  # the bytes of an image, or the first of a file that is too large


class Images:
    """A set of image files, found by the ids of rows. ``token`` is its part of an address; ``browser`` is the only one that may see it; None: any."""

    def __init__(self, files: Iterable[tuple[str, Open]], browser: str | None = None):
        self.token, self._browser = secrets.token_urlsafe(16), browser
        self._files: list[Open] = []
        self._by_name: dict[str, int] = {}
        by_number: dict[int, int | None] = {}
        for name, read in files:
            if len(self._files) == _MAX_FILES:
                break
            place = len(self._files)
            self._files.append(read)
            path = PurePosixPath(name)
            for key in (path.name, path.stem):
                self._by_name.setdefault(key, place)
            if number := re.search(r"(\d{1,18})$", path.stem, re.ASCII):
                by_number[int(number[1])] = None if int(number[1]) in by_number else place
        self._by_number = {number: place for number, place in by_number.items() if place is not None}
        self._of_rows: Mapping[int | str, str] = {}

    def __len__(self) -> int:
        return len(self._files)

    def is_visible_to(self, browser: str) -> bool:
        """Whether this browser may see the images."""
        return self._browser in (None, browser)

    def of_rows(self, files: Mapping[int | str, str]) -> Images:
        """The same images, found by the files that rows name, by their id."""
        named = copy(self)
        named._of_rows = files
        return named

    def find(self, image_id: int | str) -> int | None:
        """The place of the image of this id: the file that its row names; None if there is none, or if several end in its number."""
        if file := self._of_rows.get(image_id):
            found = self._by_name.get(file_name(file))
            if found is not None:
                return found
        name = PurePosixPath(str(image_id)).name
        found = self._by_name.get(name, self._by_name.get(PurePosixPath(name).stem))
        if found is None and re.fullmatch(r"\d{1,18}", name, re.ASCII):
            found = self._by_number.get(int(name))
        return found

    def address(self, image_id: int | str, size: int) -> str | None:
        """Where a page finds the image of this id in a size; None if there is none."""
        place = self.find(image_id)
        return None if place is None else f"./image/{self.token}/{place}/{size}"

    def of(self, image_id: int | str, size: int) -> bytes | None:
        """The image of this id as a JPEG no larger than ``size``; None if there is none."""
        place = self.find(image_id)
        return None if place is None else self.small(place, size, wait=True)

    def mark(self, image_id: int | str) -> str:
        """The image of this id as a link to another page holds it; empty if there is none."""
        place = self.find(image_id)
        return "" if place is None else f"{self.token}.{place}"

    def small(self, place: int, size: int, *, wait: bool = False) -> bytes | None:
        """An image no larger than ``size`` as JPEG; None for what is no image, or too large a one. Raises Busy unless ``wait``."""
        if not 0 <= place < len(self._files):
            return None
        return _SMALL.get((self.token, place, size), lambda: _shrink(self._files[place], size), wait=wait)


class Busy(Exception):
    """Too many requests wait for an image."""


class _SmallImages:
    """Cache of the small images of all sets, bounded in bytes. It makes one at a time: decoding holds millions of pixels in memory."""

    def __init__(self, max_bytes: int, max_waiting: int):
        self._max_bytes, self._bytes = max_bytes, 0
        self._made: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._lock, self._at_work = Lock(), Lock()
        self._places = BoundedSemaphore(max_waiting)

    def get(self, key: tuple[str, int, int], make: Callable[[], bytes | None], *, wait: bool) -> bytes | None:
        """The image of this key, made now if it is not in the cache. Raises Busy unless ``wait``."""
        if found := self._cached(key):
            return found
        if not self._places.acquire(blocking=wait):
            raise Busy
        try:
            with self._at_work:
                if not (found := self._cached(key)) and (found := make()):
                    self._store(key, found)
                return found
        finally:
            self._places.release()

    def _cached(self, key: tuple[str, int, int]) -> bytes | None:
        with self._lock:
            if found := self._made.get(key):
                self._made.move_to_end(key)
            return found

    def _store(self, key: tuple[str, int, int], content: bytes) -> None:
        with self._lock:
            self._made[key] = content
            self._bytes += len(content)
            while self._bytes > self._max_bytes:
                self._bytes -= len(self._made.popitem(last=False)[1])


_SMALL = _SmallImages(_CACHE_BYTES, _MAX_WAITING)
_SETS: WeakValueDictionary[str, Images] = WeakValueDictionary()


def route() -> Route:
    """The address of images."""
    return Route(shell.address_below("image/{token}/{place:int}/{size:int}"), _answer)


def _answer(request: Request) -> Response:
    found = _SETS.get(request.path_params["token"])
    if found and not found.is_visible_to(request.cookies.get(visit.COOKIE, "")):
        found = None
    size = request.path_params["size"]
    try:
        made = found.small(request.path_params["place"], size) if found and size in (SMALL, LARGE) else None
    except Busy:
        return PlainTextResponse("Too many images are being made; try again in a moment.", 503, {"Retry-After": "2"})
    if made is None:
        return Response(status_code=404)
    return Response(made, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600", "X-Content-Type-Options": "nosniff"})


def photo(address: str | None, alt: str) -> None:
    """The image at this address, if there is one."""
    if address:
        st.html(f'<img class="sc-photo" src="{address}" alt="{escape(alt)}">')


def image_of_link(mark: str) -> str | None:
    """The address of the image that a link names; None in another browser than its visitor's, and once that visitor has left."""
    found = re.fullmatch(r"([\w-]{22})\.(\d{1,6})", mark, re.ASCII)
    images = _SETS.get(found[1]) if found else None
    if found is None or images is None or not images.is_visible_to(visit.browser()) or int(found[2]) >= len(images):
        return None
    return f"./image/{found[1]}/{found[2]}/{LARGE}"


def choose(data: datasets.Data | None, *, key: str) -> Images | None:
    """The choice of image files beside a visitor's data; returns them, or those of the operator's folder, or None."""
    if data is None or data == datasets.sample():
        return folder_images()
    files = st.file_uploader(t("images.upload"), type=TYPES, accept_multiple_files=True, key=f"{key}.images", help=t("images.upload_help"))
    mark = tuple(file.file_id for file in files)
    if files and st.session_state.get(f"{key}.images_read") != mark:  # without files after a visit to another page, what was sent stays
        st.session_state[f"{key}.images_read"] = mark
        told: list[str] = []
        st.session_state[f"{key}.images_set"] = _shared_set(Images(_uploaded_images(files, told), visit.browser()))
        st.session_state[f"{key}.images_told"] = told
    messages.say(st.session_state.get(f"{key}.images_told", []), kind="problem")
    sent: Images | None = st.session_state.get(f"{key}.images_set")
    found = folder_images() if sent is None else sent
    if found is not None:
        found = found.of_rows({item.image_id: item.image_file for item in data.items if item.image_file})
        number = sum(found.find(item.image_id) is not None for item in data.items)
        st.html(f'<p class="sc-note" role="status">{t("images.found", number=number, total=len(data.items))}</p>')
    return found


@cache
def folder_images() -> Images | None:
    """The images of the operator's folder; None if none is named."""
    folder = os.environ.get(FOLDER, "")
    paths = sorted(path for path in Path(folder).rglob("*") if _is_image(path.name)) if folder else []
    return _shared_set(Images((path.name, partial(_read, path)) for path in paths)) if folder else None


def _shared_set(images: Images) -> Images:
    """The same set, found by its token as long as somebody holds it."""
    _SETS[images.token] = images
    return images


def _uploaded_images(files: Sequence[UploadedFile], told: list[str]) -> Iterator[tuple[str, Open]]:
    """The images of uploaded files and of those inside archives; what is no archive is told."""
    listed = 0
    for file in files:
        if not file.name.lower().endswith(".zip"):
            yield file.name, file.getvalue
            continue
        content = file.getvalue()
        if _holds_more_than(_MAX_ARCHIVED - listed, content):
            told.append(t("images.large_zip", file=file.name[:80], most=f"{_MAX_ARCHIVED:,}"))
            continue
        try:
            archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
            told.append(t("images.no_zip", file=file.name[:80]))
            continue
        listed += len(archive.namelist())
        yield from ((name, partial(_unpack, archive, name)) for name in archive.namelist() if _is_image(name))


def _holds_more_than(most: int, content: bytes) -> bool:
    """Whether an archive lists more files than this. Opening it with zipfile takes 700 bytes of memory per file."""
    found = -1
    for _ in range(most + 1):
        found = content.find(b"PK\x01\x02", found + 1)  # before each entry of the directory
        if found < 0:
            return False
    return True


def _is_image(name: str) -> bool:
    return PurePosixPath(name).suffix.lower().lstrip(".") in TYPES[1:] and not PurePosixPath(name).name.startswith(".")


def _read(path: Path) -> bytes:
    """The bytes of a file, or so many that it shows to be too large."""
    with path.open("rb") as file:
        return file.read(_MAX_BYTES + 1)


def _unpack(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a file of an archive, or so many that it shows to be too large."""
    with archive.open(name) as file:
        return file.read(_MAX_BYTES + 1)


def _shrink(read: Open, size: int) -> bytes | None:
    """An image made no larger than ``size``, as JPEG."""
    try:
        content = read()
        if len(content) > _MAX_BYTES:
            return None
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if image.width * image.height > _MAX_PIXELS.get(image.format or "", _MAX_PIXELS_HELD):
                return None
            image.thumbnail((size, size))  # which has a JPEG decoded at a reduced size
            out = io.BytesIO()
            ImageOps.exif_transpose(image).convert("RGB").save(out, "JPEG", quality=82)
            return out.getvalue()
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        RuntimeError,
        zipfile.BadZipFile,
        NotImplementedError,
        Image.DecompressionBombError,
    ):
        return None
