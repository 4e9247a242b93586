"""Images beside captions, from uploads or from a folder of the server. They are scaled down when a browser requests them.

The image of a row is the file that the row names. If there is no such file, it is the file whose name, with or without its extension,
is the row's id, or the only file whose name ends in this id as a number, as in COCO. Only the last part of a path or URL is compared,
and nothing is downloaded. The URLs of uploaded images are secret and work only in the browser of the visitor.
"""

from __future__ import annotations

import io
import os
import re
import secrets
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, partial
from html import escape
from pathlib import Path, PurePosixPath
from threading import BoundedSemaphore, Lock
from typing import IO
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.parts.kit import html, shell, visit
from pages.parts.kit.texts import t
from pages.parts.kit.worker import Worker
from pages.parts.uploads import datasets, reading
from pages.parts.uploads.pictures import scale_down
from spice_core.data.columns import file_name
from spice_core.errors import SpiceError

IMAGES_FOLDER_VARIABLE = "SPICE_CORE_IMAGES"  # environment variable that names a folder of images on the server
IMAGE_FILE_SUFFIXES = ["zip", "jpg", "jpeg", "png", "webp", "gif"]
SMALL_PX, LARGE_PX = 96, 720  # pixels of the longer side
_MAX_FILES, _MAX_ARCHIVED_FILES = 200_000, 50_000  # maximum number of files of a set, and of files inside the archives of an upload
_MAX_FILE_BYTES = 30 << 20
_MAX_CACHE_BYTES = 32 << 20
_MAX_WAITING_REQUESTS = 24  # maximum number of requests waiting for a new image, each of which blocks a server thread

OpenImage = Callable[[], bytes]  # returns the bytes of a file, or only the first ones if it is too large


class ImageSet:
    """A set of image files, found by the ids of rows.

    ``token`` identifies the set in URLs. Only the browser with the cookie ``browser`` may see the images. None allows every browser.
    """

    def __init__(self, files: Iterable[tuple[str, OpenImage]], browser: str | None = None):
        self.token, self._browser = secrets.token_urlsafe(16), browser
        self._files: list[OpenImage] = []
        self._by_name: dict[str, int] = {}
        by_number: dict[int, int | None] = {}
        for name, open_image in files:
            if len(self._files) == _MAX_FILES:
                break
            index = len(self._files)
            self._files.append(open_image)
            path = PurePosixPath(name)
            for key in (path.name, path.stem):
                self._by_name.setdefault(key, index)
            if number_match := re.search(r"(\d{1,18})$", path.stem, re.ASCII):
                by_number[int(number_match[1])] = None if int(number_match[1]) in by_number else index
        self._by_number = {number: index for number, index in by_number.items() if index is not None}
        self._row_files: Mapping[int | str, str] = {}

    def __len__(self) -> int:
        return len(self._files)

    def is_visible_to(self, browser: str) -> bool:
        """Return whether this browser may see the images."""
        return self._browser in (None, browser)

    def with_row_files(self, files: Mapping[int | str, str]) -> ImageSet:
        """Return the same images with the rows' file names by id, which ``find`` tries first."""
        image_set = copy(self)
        image_set._row_files = files
        return image_set

    def find(self, image_id: int | str) -> int | None:
        """Return the index of a row's image, or None if there is no image or an ambiguous number."""
        if file := self._row_files.get(image_id):
            index = self._by_name.get(file_name(file))
            if index is not None:
                return index
        name = PurePosixPath(str(image_id)).name
        index = self._by_name.get(name, self._by_name.get(PurePosixPath(name).stem))
        if index is None and re.fullmatch(r"\d{1,18}", name, re.ASCII):
            index = self._by_number.get(int(name))
        return index

    def address(self, image_id: int | str, max_px: int) -> str | None:
        """Return the URL of a row's image with at most ``max_px`` pixels per side, or None if there is no image."""
        index = self.find(image_id)
        return None if index is None else f"./image/{self.token}/{index}/{max_px}"

    def jpeg_of(self, image_id: int | str, max_px: int) -> bytes | None:
        """Return a row's image as a JPEG of at most ``max_px`` pixels per side, or None if there is no valid image."""
        index = self.find(image_id)
        return None if index is None else self.jpeg_at(index, max_px, wait=True)

    def link_token(self, image_id: int | str) -> str:
        """Return a token for a row's image in links to other pages, or "" if there is no image."""
        index = self.find(image_id)
        return "" if index is None else f"{self.token}.{index}"

    def jpeg_at(self, index: int, max_px: int, *, wait: bool = False) -> bytes | None:
        """Return the image at an index as a JPEG of at most ``max_px`` pixels per side, or None if there is no valid image of an allowed size.

        Raises TooManyRequests if too many requests are waiting, unless ``wait`` is set.
        """
        if not 0 <= index < len(self._files):
            return None
        return _JPEG_CACHE.get((self.token, index, max_px), lambda: _scale_down(self._files[index], max_px), wait=wait)


class TooManyRequests(Exception):
    """Raised when too many requests are waiting for an image."""


class _JpegCache:
    """A cache of all sets' JPEG images, limited in bytes. It creates one image at a time to save memory."""

    def __init__(self, max_bytes: int, max_waiting: int):
        self._max_bytes, self._bytes = max_bytes, 0
        self._jpegs: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._lock, self._creation = Lock(), Lock()
        self._places = BoundedSemaphore(max_waiting)

    def get(self, key: tuple[str, int, int], make_jpeg: Callable[[], bytes | None], *, wait: bool) -> bytes | None:
        """Return a cached image, or create it with ``make_jpeg``.

        Raises TooManyRequests if too many requests are waiting, unless ``wait`` is set.
        """
        if jpeg := self._cached_jpeg(key):
            return jpeg
        if not self._places.acquire(blocking=wait):
            raise TooManyRequests
        try:
            with self._creation:
                if (jpeg := self._cached_jpeg(key)) or not (jpeg := make_jpeg()):
                    return jpeg
                with self._lock:
                    self._jpegs[key] = jpeg
                    self._bytes += len(jpeg)
                    while self._bytes > self._max_bytes:
                        self._bytes -= len(self._jpegs.popitem(last=False)[1])
                return jpeg
        finally:
            self._places.release()

    def _cached_jpeg(self, key: tuple[str, int, int]) -> bytes | None:
        with self._lock:
            if jpeg := self._jpegs.get(key):
                self._jpegs.move_to_end(key)
            return jpeg


_PICTURE_WORKER = Worker(is_bounded=True)
_JPEG_CACHE = _JpegCache(_MAX_CACHE_BYTES, _MAX_WAITING_REQUESTS)
_SHARED_SETS: WeakValueDictionary[str, ImageSet] = WeakValueDictionary()


def image_route() -> Route:
    """Return the route of image URLs."""
    return Route(shell.address_below("image/{token}/{index:int}/{size:int}"), _serve_image)


def _serve_image(request: Request) -> Response:
    images = _SHARED_SETS.get(request.path_params["token"])
    if images and not images.is_visible_to(request.cookies.get(visit.VISIT_COOKIE, "")):
        images = None
    max_px = request.path_params["size"]
    try:
        jpeg = images.jpeg_at(request.path_params["index"], max_px) if images and max_px in (SMALL_PX, LARGE_PX) else None
    except TooManyRequests:
        return PlainTextResponse("Too many images are being made; try again in a moment.", 503, {"Retry-After": "2"})
    if jpeg is None:
        return Response(status_code=404)
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def show_photo(address: str | None, alt: str) -> None:
    """Show the image at a URL, unless the URL is None."""
    if address:
        st.html(f'<img class="sc-photo" src="{address}" alt="{escape(alt)}">')


def image_of_link(link: str) -> str | None:
    """Return the URL of a link's image, or None if it is unavailable, for example in another browser."""
    match = re.fullmatch(r"([\w-]{22})\.(\d{1,6})", link, re.ASCII)
    images = _SHARED_SETS.get(match[1]) if match else None
    if match is None or images is None or not images.is_visible_to(visit.browser_cookie()) or int(match[2]) >= len(images):
        return None
    return f"./image/{match[1]}/{match[2]}/{LARGE_PX}"


def choose_image(*, key: str) -> str | None:
    """Show the upload of one image. Return a URL for this browser only, or None without a readable image."""
    file = st.file_uploader(t("images.upload_one"), type=IMAGE_FILE_SUFFIXES[1:], key=f"{key}.image", max_upload_size=_MAX_FILE_BYTES >> 20)
    if file is None:
        return None
    slot, mark = f"{key}.image_read", file.file_id
    if st.session_state.get(slot, ("", None))[0] != mark:
        st.session_state[slot] = mark, _shared_set(ImageSet([(file.name, file.getvalue)], visit.browser_cookie()))
    images: ImageSet = st.session_state[slot][1]
    if images.jpeg_at(0, LARGE_PX, wait=True) is None:
        html.show_messages([t("images.no_image", file=file.name[:80])], severity="problem")
        return None
    return f"./image/{images.token}/0/{LARGE_PX}"


def choose_images(caption_data: reading.CaptionData | None, *, key: str) -> ImageSet | None:
    """Show the upload of a visitor's image files. Return them or the images of the server's folder, if any."""
    if caption_data is None or caption_data == datasets.read_bundled_sample():
        return folder_images()
    files = st.file_uploader(
        t("images.upload"), type=IMAGE_FILE_SUFFIXES, accept_multiple_files=True, key=f"{key}.images", help=t("images.upload_help")
    )
    mark = tuple(file.file_id for file in files)
    # the file list is empty after a visit to another page, but the session still has the images
    if files and st.session_state.get(f"{key}.images_read") != mark:
        st.session_state[f"{key}.images_read"] = mark
        problems: list[str] = []
        st.session_state[f"{key}.images_set"] = _shared_set(ImageSet(_uploaded_images(files, problems), visit.browser_cookie()))
        st.session_state[f"{key}.images_told"] = problems
    html.show_messages(st.session_state.get(f"{key}.images_told", []), severity="problem")
    st.session_state.pop(f"{key}.images_found", None)
    image_set: ImageSet | None = st.session_state.get(f"{key}.images_set")
    images = folder_images() if image_set is None else image_set
    if images is not None:
        images = images.with_row_files({item.image_id: item.image_file for item in caption_data.items if item.image_file})
        match_count = sum(images.find(item.image_id) is not None for item in caption_data.items)
        found_text = st.session_state[f"{key}.images_found"] = t("images.found", number=match_count, total=len(caption_data.items))
        st.html(f'<p class="sc-note" role="status">{found_text}</p>')
    return images


@cache
def folder_images() -> ImageSet | None:
    """Return the images of the server's folder, or None if no folder is configured."""
    folder = os.environ.get(IMAGES_FOLDER_VARIABLE, "")
    paths = sorted(path for path in Path(folder).rglob("*") if _is_image(path.name)) if folder else []
    return _shared_set(ImageSet((path.name, partial(_read_start, path.open, "rb")) for path in paths)) if folder else None


def _shared_set(images: ImageSet) -> ImageSet:
    _SHARED_SETS[images.token] = images
    return images


def _uploaded_images(files: Sequence[UploadedFile], problems: list[str]) -> Iterator[tuple[str, OpenImage]]:
    """Yield uploaded images and those in archives. Invalid or large archives add a message to ``problems``."""
    archived_count = 0
    for file in files:
        if not file.name.lower().endswith(".zip"):
            yield file.name, file.getvalue
            continue
        content = file.getvalue()
        if _has_more_files_than(_MAX_ARCHIVED_FILES - archived_count, content):
            problems.append(t("images.large_zip", file=file.name[:80], most=f"{_MAX_ARCHIVED_FILES:,}"))
            continue
        try:
            archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
            problems.append(t("images.no_zip", file=file.name[:80]))
            continue
        if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in archive.infolist()):
            problems.append(t("images.packed_zip", file=file.name[:80]))  # other methods can unpack a few bytes to any size
            continue
        archived_count += len(archive.namelist())
        yield from ((name, partial(_read_start, archive.open, name)) for name in archive.namelist() if _is_image(name))


def _has_more_files_than(limit: int, content: bytes) -> bool:
    """Return whether an archive lists more than ``limit`` files, without zipfile, which needs 700 bytes per file."""
    position = -1
    for _ in range(limit + 1):
        position = content.find(b"PK\x01\x02", position + 1)  # the signature of each directory entry
        if position < 0:
            return False
    return True


def _is_image(name: str) -> bool:
    return PurePosixPath(name).suffix.lower().lstrip(".") in IMAGE_FILE_SUFFIXES[1:] and not PurePosixPath(name).name.startswith(".")


def _read_start(open_file: Callable[..., IO[bytes]], *args: str) -> bytes:
    """Read a file, but at most one byte over the limit."""
    with open_file(*args) as file:
        return file.read(_MAX_FILE_BYTES + 1)


def _scale_down(open_image: OpenImage, max_px: int) -> bytes | None:
    """Return an image as a JPEG of at most ``max_px`` pixels per side, or None if it is invalid or too large to open."""
    try:
        content = open_image()
        return None if len(content) > _MAX_FILE_BYTES else _PICTURE_WORKER.call(scale_down, content, max_px, is_abandoned=lambda: False)
    except (SpiceError, OSError, ValueError, RuntimeError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError):
        return None
